//! A run, such as a counterexample, step by step: who did what on which line, and what changed.

use crate::excerpt::printable;
use pverify_model::describe;
use pverify_model::machine::Model;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::inspect::Value;
use pverify_semantics::successors::Step;
use pverify_syntax::source::{Sources, Span};
use pverify_verdict::{Trace, TraceStep};
use serde_json::json;
use std::fmt::Write as _;

/// A run in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// What is wrong at the end, if anything.
    pub fault: Option<String>,
    /// The steps.
    pub steps: Vec<StoryStep>,
    /// The last state.
    pub end: Vec<String>,
    /// For a deadlock: who waits, and for what.
    pub waiting: Vec<String>,
    /// For an infinite run: the steps from this one on are repeated for ever, or the last state
    /// where none is left.
    pub cycle_from: Option<usize>,
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
    let told = tell(engine, sources, &trace.initial, &trace.steps, Some(&trace.fault));
    Story { cycle_from: trace.first_of_cycle(), ..told }
}

/// Tells a run from a state on, and what is wrong at its end.
pub fn tell(
    engine: &Engine<'_>,
    sources: &Sources,
    initial: &[u64],
    taken: &[TraceStep],
    fault: Option<&FaultKind>,
) -> Story {
    let mut teller = Teller::new(engine, initial);
    let steps = taken.iter().flat_map(|step| teller.step(engine, sources, step)).collect();
    let state = taken.last().map_or(initial, |step| &step.state);
    let waiting = match fault {
        Some(FaultKind::InvalidEndState) => waiting(engine, sources, state),
        _ => Vec::new(),
    };
    let fault = fault.map(ToString::to_string);
    Story { fault, steps, end: values(engine, state), waiting, cycle_from: None }
}

/// Tells steps as they come; it remembers what a step could change.
#[derive(Debug)]
pub struct Teller {
    before: Vec<Value>,
}

impl Teller {
    /// Begins with a state.
    pub fn new(engine: &Engine<'_>, initial: &[u64]) -> Self {
        Self { before: engine.values(initial) }
    }

    /// The next step, or both halves of a rendezvous.
    pub fn step(
        &mut self,
        engine: &Engine<'_>,
        sources: &Sources,
        taken: &TraceStep,
    ) -> Vec<StoryStep> {
        let after = engine.values(&taken.state);
        let changed = changes(&self.before, &after, engine, &taken.state);
        self.before = after;
        let mut steps = untaken(engine, sources, &taken.steps);
        if let Some(last) = steps.last_mut() {
            last.changes = changed;
            last.atomic = taken.atomic;
        }
        steps
    }
}

/// Steps that could be taken, without what they would change.
pub fn untaken(engine: &Engine<'_>, sources: &Sources, steps: &[Step]) -> Vec<StoryStep> {
    let told = |step: &Step| {
        let (line, statement) = edge(engine.model, sources, step);
        let process = engine.model.processes[step.kind as usize].name.to_string();
        let pid = step.pid as usize;
        StoryStep { process, pid, line, statement, changes: Vec::new(), atomic: false }
    };
    steps.iter().map(told).collect()
}

/// Everything a state holds, as `name = value`.
pub fn values(engine: &Engine<'_>, state: &[u64]) -> Vec<String> {
    engine.values(state).iter().map(|value| named(engine, state, value)).collect()
}

/// The line and text of a step.
fn edge(model: &Model, sources: &Sources, step: &Step) -> (u32, String) {
    let process = &model.processes[step.kind as usize];
    let location = &process.graph.locations[step.location as usize];
    match location.edges.get(step.edge as usize) {
        Some(edge) => {
            let text = describe::action(model, process, &edge.action);
            (line(sources, edge.span), text.chars().map(printable).collect())
        }
        None => (line(sources, location.span), String::new()),
    }
}

fn line(sources: &Sources, span: Span) -> u32 {
    sources.position(sources.outermost(span)).line
}

fn changes(before: &[Value], after: &[Value], engine: &Engine<'_>, state: &[u64]) -> Vec<String> {
    let is_same = |old: &&Value, new: &Value| old.pid == new.pid && old.name == new.name;
    // A value is nearly always where it was: they move only when processes come and go.
    let old = |at: usize, value: &Value| {
        let here = before.get(at).filter(|old| is_same(old, value));
        here.or_else(|| before.iter().find(|old| is_same(old, value)))
    };
    let changed = after
        .iter()
        .enumerate()
        .filter(|(at, value)| old(*at, value).is_none_or(|old| old.value != value.value));
    changed.map(|(_, value)| named(engine, state, value)).collect()
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
pub fn waiting(engine: &Engine<'_>, sources: &Sources, state: &[u64]) -> Vec<String> {
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

impl StoryStep {
    /// As one line, with the step's number.
    pub fn to_text(&self, number: usize) -> String {
        let who = format!("{}({})", self.process, self.pid);
        let mut text = format!("{number:>5}  {who:<14} line {:<5} {}", self.line, self.statement);
        if !self.changes.is_empty() {
            let _ = write!(text, "    [{}]", self.changes.join(", "));
        }
        text.push('\n');
        text
    }
}

impl Story {
    /// As numbered lines.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (at, step) in self.steps.iter().enumerate() {
            if self.cycle_from == Some(at) {
                text += "       these steps are repeated for ever:\n";
            }
            text += &step.to_text(at + 1);
        }
        if self.cycle_from == Some(self.steps.len()) {
            text += "       nothing more happens, for ever\n";
        }
        if let Some(fault) = &self.fault {
            let _ = writeln!(text, "       {fault}");
        }
        for line in &self.waiting {
            let _ = writeln!(text, "       {line}");
        }
        text
    }

    /// The last state, as lines.
    pub fn end_to_text(&self) -> String {
        let mut text = String::from("final state:\n");
        for line in &self.end {
            let _ = writeln!(text, "       {line}");
        }
        if self.end.is_empty() {
            text += "       (no variables)\n";
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
            "cycle_from": self.cycle_from,
        })
    }
}
