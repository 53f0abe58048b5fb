//! A counterexample, step by step: who did what on which line, and what changed.

use pverify_model::describe;
use pverify_model::machine::Model;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::inspect::Value;
use pverify_semantics::successors::Step;
use pverify_syntax::source::{Sources, Span};
use pverify_verdict::Trace;
use serde_json::json;
use std::fmt::Write as _;

/// A trace in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// What is wrong at the end.
    pub fault: String,
    /// The steps.
    pub steps: Vec<StoryStep>,
    /// The last state.
    pub end: Vec<String>,
    /// For a deadlock: who waits, and for what.
    pub waiting: Vec<String>,
}

/// One step in words; a rendezvous has two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryStep {
    /// The process's type.
    pub process: String,
    /// Its number.
    pub pid: usize,
    /// The line of the statement.
    pub line: u32,
    /// The statement.
    pub statement: String,
    /// What it changed, as `name = value`.
    pub changes: Vec<String>,
    /// Whether the process keeps control.
    pub atomic: bool,
}

/// Tells a trace.
pub fn story(engine: &Engine<'_>, sources: &Sources, trace: &Trace) -> Story {
    let mut before = engine.values(&trace.initial);
    let mut steps = Vec::new();
    let mut state = &trace.initial;
    for taken in &trace.steps {
        let after = engine.values(&taken.state);
        let changed = changes(&before, &after, engine, &taken.state);
        let last = taken.steps.len().saturating_sub(1);
        for (at, step) in taken.steps.iter().enumerate() {
            let (line, statement) = edge(engine.model, sources, step);
            steps.push(StoryStep {
                process: engine.model.processes[step.kind as usize].name.to_string(),
                pid: step.pid as usize,
                line,
                statement,
                changes: if at == last { changed.clone() } else { Vec::new() },
                atomic: taken.atomic && at == last,
            });
        }
        before = after;
        state = &taken.state;
    }
    let waiting = match trace.fault {
        FaultKind::InvalidEndState => waiting(engine, sources, state),
        _ => Vec::new(),
    };
    let end = before.iter().map(|value| named(engine, state, value)).collect();
    Story { fault: trace.fault.to_string(), steps, end, waiting }
}

/// The line and text of a step.
fn edge(model: &Model, sources: &Sources, step: &Step) -> (u32, String) {
    let process = &model.processes[step.kind as usize];
    let location = &process.graph.locations[step.location as usize];
    match location.edges.get(step.edge as usize) {
        Some(edge) => (line(sources, edge.span), describe::action(model, process, &edge.action)),
        None => (line(sources, location.span), String::new()),
    }
}

fn line(sources: &Sources, span: Span) -> u32 {
    sources.position(sources.outermost(span)).line
}

fn changes(before: &[Value], after: &[Value], engine: &Engine<'_>, state: &[u64]) -> Vec<String> {
    let old = |value: &Value| before.iter().find(|v| v.pid == value.pid && v.name == value.name);
    let changed =
        after.iter().filter(|value| old(value).is_none_or(|old| old.value != value.value));
    changed.map(|value| named(engine, state, value)).collect()
}

fn named(engine: &Engine<'_>, state: &[u64], value: &Value) -> String {
    let owner = value.pid.and_then(|pid| engine.process(state, pid)).map(|process| {
        format!("{}({})", engine.model.processes[process.kind as usize].name, process.pid)
    });
    match owner {
        Some(owner) => format!("{owner}:{} = {}", value.name, value.value),
        None => format!("{} = {}", value.name, value.value),
    }
}

/// Where each process stands, and what it could do if it could.
fn waiting(engine: &Engine<'_>, sources: &Sources, state: &[u64]) -> Vec<String> {
    let count = engine.shape(engine.shape_of(state)).processes.len();
    let mut lines = Vec::new();
    for pid in 0..count {
        let Some(instance) = engine.process(state, pid) else { continue };
        let process = &engine.model.processes[instance.kind as usize];
        let location = &process.graph.locations[instance.location.get(state) as usize];
        let options: Vec<String> = location
            .edges
            .iter()
            .map(|edge| describe::action(engine.model, process, &edge.action))
            .collect();
        let at = line(sources, location.span);
        let rest = if location.end { " (may end here)" } else { "" };
        lines.push(format!(
            "{}({pid}) waits at line {at}{rest} for: {}",
            process.name,
            options.join(" | ")
        ));
    }
    lines
}

impl Story {
    /// As numbered lines.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (at, step) in self.steps.iter().enumerate() {
            let who = format!("{}({})", step.process, step.pid);
            let _ =
                write!(text, "{:>5}  {who:<14} line {:<5} {}", at + 1, step.line, step.statement);
            if !step.changes.is_empty() {
                let _ = write!(text, "    [{}]", step.changes.join(", "));
            }
            text.push('\n');
        }
        let _ = writeln!(text, "       {}", self.fault);
        for line in &self.waiting {
            let _ = writeln!(text, "       {line}");
        }
        text
    }

    /// As data.
    pub fn to_json(&self) -> serde_json::Value {
        let steps: Vec<_> = self
            .steps
            .iter()
            .map(|step| {
                json!({
                    "process": step.process, "pid": step.pid, "line": step.line,
                    "statement": step.statement, "changes": step.changes, "atomic": step.atomic,
                })
            })
            .collect();
        json!({
            "fault": self.fault, "steps": steps, "end": self.end, "waiting": self.waiting,
            "cycle_from": null,
        })
    }
}
