//! Statements that a complete search never executed: dead code, or a model that says less than its
//! author thinks.

use pverify_model::describe;
use pverify_model::machine::{Action, Expression, ProcessKind};
use pverify_semantics::Engine;
use pverify_syntax::source::Sources;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// More than these are counted, not listed.
const LISTED: usize = 10;

/// A statement that was never executed, or a whole process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unreached {
    /// The type of the process, as a position in the file.
    pub kind: usize,
    /// The line of the statement.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The name of the process.
    pub process: String,
    /// The statement; `None` if the process was never started.
    pub statement: Option<String>,
}

/// What was never executed, in the order of the text.
pub fn unreached(engine: &Engine<'_>, sources: &Sources) -> Vec<Unreached> {
    let mut missing = Vec::new();
    let model = engine.model;
    for (kind, (process, executed)) in model.processes.iter().zip(engine.executed()).enumerate() {
        if !matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init) {
            continue;
        }
        let mut add = |span, statement| {
            let at = sources.position(sources.outermost(span));
            let process = process.name.to_string();
            missing.push(Unreached { kind, line: at.line, column: at.column, process, statement });
        };
        if !engine.was_started(kind) {
            add(process.span, None);
            continue;
        }
        for (location, executed) in process.graph.locations.iter().zip(executed) {
            for (edge, executed) in location.edges.iter().zip(executed) {
                if !executed && is_meant_to_be_executed(&edge.action) {
                    add(edge.span, Some(describe::action(model, process, &edge.action)));
                }
            }
        }
    }
    missing.sort();
    missing.dedup();
    missing
}

/// Processes may go on for ever and never end, or wait for ever with `false`.
fn is_meant_to_be_executed(action: &Action) -> bool {
    !matches!(action, Action::End | Action::Condition(Expression::Constant(0, _)))
}

/// A line for each, up to a limit.
pub fn to_text(missing: &[Unreached]) -> String {
    let mut text = String::new();
    for Unreached { line, process, statement, .. } in missing.iter().take(LISTED) {
        let _ = match statement {
            Some(statement) => {
                writeln!(text, "  never executed: {process} line {line}: {statement}")
            }
            None => writeln!(text, "  never started: {process} line {line}"),
        };
    }
    if let Some(more) = missing.len().checked_sub(LISTED + 1) {
        let _ =
            writeln!(text, "  never executed: {} more (all of them with --format json)", more + 1);
    }
    text
}

/// As data.
pub fn to_json(missing: &[Unreached]) -> Value {
    let each = |found: &Unreached| json!({ "process": found.process, "line": found.line, "statement": found.statement });
    missing.iter().map(each).collect()
}
