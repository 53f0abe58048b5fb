//! An automaton as text that every tool of the format reads.

use super::Hoa;
use crate::automaton::{Automaton, Marks};
use crate::boolean::Function;
use crate::cubes::{Cube, cubes};
use ahash::AHashMap;
use std::fmt::Write as _;

/// The text of an automaton; acceptance stands on states where all edges of each state agree.
pub fn write(hoa: &Hoa) -> String {
    let automaton = &hoa.automaton;
    let labels = Labels::new(automaton);
    let mut text = String::from("HOA: v1\n");
    // Writing to a string cannot fail.
    let mut line = |arguments: std::fmt::Arguments<'_>| {
        let _ = text.write_fmt(arguments);
        text.push('\n');
    };
    if let Some(name) = &hoa.name {
        line(format_args!("name: {}", quoted(name)));
    }
    if let Some((tool, version)) = &hoa.tool {
        let version = version.as_ref().map_or(String::new(), |text| format!(" {}", quoted(text)));
        line(format_args!("tool: {}{version}", quoted(tool)));
    }
    line(format_args!("States: {}", automaton.edges.len()));
    for state in &automaton.initial {
        line(format_args!("Start: {}", state.0));
    }
    let names: String =
        automaton.vocabulary.names().iter().map(|name| format!(" {}", quoted(name))).collect();
    line(format_args!("AP: {}{names}", automaton.vocabulary.len()));
    let sets = automaton.sets;
    match sets {
        0 => line(format_args!("acc-name: all\nAcceptance: 0 t")),
        1 => line(format_args!("acc-name: Buchi\nAcceptance: 1 Inf(0)")),
        _ => {
            let all: Vec<_> = (0..sets).map(|set| format!("Inf({set})")).collect();
            line(format_args!("acc-name: generalized-Buchi {sets}"));
            line(format_args!("Acceptance: {sets} {}", all.join("&")));
        }
    }
    let on_states = automaton.state_marks();
    let mut properties = hoa.properties.clone();
    let place = if on_states.is_some() { "state-acc" } else { "trans-acc" };
    let mut known = vec!["trans-labels", "explicit-labels", place];
    known.extend(automaton.is_deterministic().then_some("deterministic"));
    known.extend(automaton.is_complete().then_some("complete"));
    properties.retain(|name| !ABOUT_FORM.contains(&name.as_str()));
    properties.extend(known.into_iter().map(str::to_owned));
    line(format_args!("properties: {}", properties.join(" ")));
    if !labels.aliases.is_empty() {
        line(format_args!("{}", labels.aliases.trim_end()));
    }
    line(format_args!("--BODY--"));
    for state in automaton.states() {
        let name = hoa.state_names.get(state.index()).and_then(Option::as_ref);
        let name = name.map_or(String::new(), |name| format!(" {}", quoted(name)));
        let marks = on_states.as_ref().map_or(Marks::NONE, |marks| marks[state.index()]);
        line(format_args!("State: {}{name}{}", state.0, signature(marks)));
        for edge in automaton.edges_of(state) {
            let marks = if on_states.is_some() { Marks::NONE } else { edge.marks };
            let label = labels.text(&edge.label);
            line(format_args!("[{label}] {}{}", edge.target.0, signature(marks)));
        }
    }
    line(format_args!("--END--"));
    text
}

/// Properties that the writer states itself, as far as they hold.
const ABOUT_FORM: &[&str] = &[
    "trans-labels",
    "state-labels",
    "implicit-labels",
    "explicit-labels",
    "trans-acc",
    "state-acc",
    "deterministic",
    "complete",
    "colored",
    "univ-branch",
    "no-univ-branch",
];

fn signature(marks: Marks) -> String {
    if marks == Marks::NONE {
        return String::new();
    }
    let numbers: Vec<_> = marks.iter().map(|set| set.to_string()).collect();
    format!(" {{{}}}", numbers.join(" "))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The labels of one automaton: sums of products, and aliases for what has only long sums.
struct Labels {
    aliases: String,
    known: AHashMap<Function, String>,
}

impl Labels {
    fn new(automaton: &Automaton) -> Self {
        let mut labels = Self { aliases: String::new(), known: AHashMap::default() };
        for edge in automaton.edges.iter().flatten() {
            if !labels.known.contains_key(&edge.label) {
                let text = match cubes(&automaton.space, &edge.label) {
                    Some(products) => sum(products),
                    None => labels.by_cases(&edge.label),
                };
                labels.known.insert(edge.label.clone(), text);
            }
        }
        labels
    }

    /// One alias per decision of the function: its length is that of its diagram.
    fn by_cases(&mut self, function: &Function) -> String {
        let prefix = format!("L{}", self.known.len());
        let name = |at: usize| match at {
            0 => "f".to_owned(),
            1 => "t".to_owned(),
            _ => format!("@{prefix}-{at}"),
        };
        let decisions = function.decisions();
        for (at, atom, low, high) in decisions.iter() {
            let (this, low, high) = (name(at), name(low), name(high));
            // Writing to a string cannot fail.
            let _ = writeln!(self.aliases, "Alias: {this} {atom}&{high} | !{atom}&{low}");
        }
        name(decisions.root())
    }

    fn text(&self, label: &Function) -> &str {
        self.known.get(label).map_or("f", String::as_str)
    }
}

fn sum(products: Vec<Cube>) -> String {
    let texts: Vec<String> = products
        .into_iter()
        .map(|cube| {
            let literal =
                |(atom, value): (usize, bool)| format!("{}{atom}", if value { "" } else { "!" });
            let literals: Vec<_> = cube.into_iter().map(literal).collect();
            if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
        })
        .collect();
    if texts.is_empty() { "f".to_owned() } else { texts.join(" | ") }
}
