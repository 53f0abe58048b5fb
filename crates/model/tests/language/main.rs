//! From text to machines: the control graphs of small models in a compact form, or their errors.
//!
//! What is expected was asked of SPIN: the graphs are those of `spin -a -o1 -o2 -o3` and
//! `./pan -d`; what is refused, SPIN refuses or makes a verifier of that cannot run.

mod control;
mod lints;
mod names;
mod refusals;

use pverify_model::describe;
use pverify_model::load::load_text;
use pverify_model::machine::{Action, Model, Process};
use std::fmt::Write as _;

/// The control graphs of all processes are these.
///
/// A process is its name and its edges, one a line: `3 -> 5 x = 1`. Behind `|` stand `atomic`
/// (nobody else may step in before the next step), `d_step` and `escape`; behind a location's
/// number its labels, and `.` where the process may end.
#[track_caller]
fn check(text: &str, expected: &str) {
    let loaded = load_text(text);
    assert!(!loaded.has_errors(), "{text}\n{:#?}", loaded.diagnostics);
    let drawn = draw(&loaded.model);
    let trimmed: Vec<_> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(drawn.trim().lines().collect::<Vec<_>>(), trimmed, "{text}\n{drawn}");
}

/// The text is refused, or warned of, with these codes and messages, in this order.
#[track_caller]
fn says(text: &str, expected: &[(&str, &str)]) {
    let loaded = load_text(text);
    let found: Vec<_> =
        loaded.diagnostics.iter().map(|one| (one.code.id, one.message.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

fn draw(model: &Model) -> String {
    let mut text = String::new();
    for process in &model.processes {
        let _ = writeln!(text, "{}", process.name);
        for location in &process.graph.locations {
            for edge in &location.edges {
                let from = place(process, location.number);
                let to = match edge.target {
                    Some(target) => process.graph.locations[target.index()].number.to_string(),
                    None => "ended".to_owned(),
                };
                let action = describe::action(model, process, &edge.action);
                let mut marks = String::new();
                let kinds = [
                    (edge.atomic, " atomic"),
                    (matches!(edge.action, Action::DStep(_)), " d_step"),
                    (edge.escape.is_some(), " escape"),
                ];
                marks.extend(kinds.iter().filter(|(is, _)| *is).map(|(_, word)| *word));
                let bar = if marks.is_empty() { "" } else { " |" };
                let _ = writeln!(text, "{from} -> {to} {}{bar}{marks}", action.replace('\n', " "));
            }
        }
    }
    text
}

/// A location's number, its labels, and whether the process may end there.
fn place(process: &Process, number: u32) -> String {
    let mut text = number.to_string();
    for label in process.graph.labels.iter().filter(|label| label.number == number) {
        let _ = write!(text, " {}:", label.name);
    }
    if process.graph.locations.iter().any(|one| one.number == number && one.end) {
        text.push('.');
    }
    text
}
