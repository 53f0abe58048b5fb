//! A run, such as a counterexample, step by step: who did what on which line, and what changed.

use crate::answers::{counted, grouped};
use crate::excerpt::{clipped, printable};
use crate::remedy;
use pverify_model::describe;
use pverify_model::machine::{Action, Model};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::inspect::Value;
use pverify_semantics::successors::Step;
use pverify_syntax::source::{FileId, Sources, Span};
use pverify_verdict::{Obstacle, Trace, TraceStep, Waiting, waiting};
use serde_json::json;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Of longer runs the beginning and the end are listed; files and `replay` have all of it.
const LISTED: usize = 500;
/// So much of it is the beginning.
const FIRST: usize = 100;
/// So many values of the final state are listed.
const VALUES: usize = 24;
/// Names, statements and changes are cut behind so many letters.
const NAME: usize = 40;
const STATEMENT: usize = 160;
const CHANGE: usize = 120;
/// Lines of the final state are no longer.
const LINE: usize = 96;

/// A run in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// What is wrong at the end, if anything.
    pub fault: Option<String>,
    /// How many steps before these are not told.
    pub left_out: u64,
    /// The steps.
    pub steps: Vec<StoryStep>,
    /// The last state.
    pub end: Vec<String>,
    /// Where nothing can move: who waits, and for what.
    pub waiting: Vec<String>,
    /// What can be done about it.
    pub help: Vec<String>,
    /// For a run that goes on for ever: the steps from this one on (counted from 0) are repeated;
    /// if there are none, the last state is.
    pub cycle_from: Option<usize>,
    /// How many steps there were before it was made shorter, if it was.
    pub shortened_from: Option<u64>,
}

/// One step in words; a rendezvous has two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryStep {
    /// The process's type.
    pub process: String,
    /// Its number.
    pub pid: usize,
    /// The file of the statement.
    pub file: FileId,
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
    let cycle_from = trace.first_of_cycle();
    let (left_out, shortened_from) = (trace.left_out, trace.shortened_from);
    let mut told = Story { cycle_from, left_out, shortened_from, ..told };
    if trace.cycle_from == Some(trace.steps.len()) {
        let end = trace.steps.last().map_or(&trace.initial, |step| &step.state);
        told.waiting = in_words(engine, sources, &waiting(engine, end));
    }
    told.help.extend(remedy::of_cycle(engine, trace));
    told
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
    let (mut waits, mut help) = (Vec::new(), Vec::new());
    if fault == Some(&FaultKind::InvalidEndState) {
        let all = waiting(engine, state);
        waits = in_words(engine, sources, &all);
        help = remedy::of_deadlock(engine, sources, &all);
    }
    let (fault, end) = (fault.map(ToString::to_string), values(engine, state));
    Story {
        fault,
        left_out: 0,
        steps,
        end,
        waiting: waits,
        help,
        cycle_from: None,
        shortened_from: None,
    }
}

/// Tells steps as they come; it remembers what a step could change, and what edges are called.
#[derive(Debug)]
pub struct Teller {
    before: Vec<Value>,
    edges: HashMap<(u32, u32, u16), (FileId, u32, String)>,
}

impl Teller {
    /// Begins with a state.
    pub fn new(engine: &Engine<'_>, initial: &[u64]) -> Self {
        Self { before: engine.values(initial), edges: HashMap::new() }
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
        let mut edge_of = |step: &Step| {
            let key = (step.kind, step.location, step.edge);
            self.edges.entry(key).or_insert_with(|| edge(engine.model, sources, step)).clone()
        };
        let steps = taken.steps.iter().map(|step| told(engine, step, edge_of(step)));
        let mut steps: Vec<_> = steps.collect();
        if let Some(last) = steps.last_mut() {
            last.changes = changed;
            last.atomic = taken.atomic;
        }
        steps
    }
}

/// Steps that could be taken, without what they would change.
pub fn untaken(engine: &Engine<'_>, sources: &Sources, steps: &[Step]) -> Vec<StoryStep> {
    steps.iter().map(|step| told(engine, step, edge(engine.model, sources, step))).collect()
}

/// A step, by the file, line and text of its edge.
fn told(
    engine: &Engine<'_>,
    step: &Step,
    (file, line, statement): (FileId, u32, String),
) -> StoryStep {
    let process = engine.model.processes[step.kind as usize].name.to_string();
    let pid = step.pid as usize;
    StoryStep { process, pid, file, line, statement, changes: Vec::new(), atomic: false }
}

/// Everything a state holds, as `name = value`.
pub fn values(engine: &Engine<'_>, state: &[u64]) -> Vec<String> {
    engine.values(state).iter().map(|value| named(engine, state, value)).collect()
}

/// The file, line and text of a step.
fn edge(model: &Model, sources: &Sources, step: &Step) -> (FileId, u32, String) {
    let place = |span| (sources.outermost(span).file, line(sources, span));
    let process = &model.processes[step.kind as usize];
    let location = &process.graph.locations[step.location as usize];
    match location.edges.get(step.edge as usize) {
        Some(edge) => {
            let mut text = describe::action(model, process, &edge.action);
            // A channel that loses messages has, behind each send, a step that does nothing instead.
            let before = (step.edge as usize).checked_sub(1).map(|at| &location.edges[at]);
            if let Some(sent) = before.filter(|sent| sent.span == edge.span)
                && matches!((&sent.action, &edge.action), (Action::Send { .. }, Action::Skip))
            {
                text = describe::action(model, process, &sent.action) + " (lost)";
            }
            let (file, line) = place(edge.span);
            (file, line, text.chars().map(printable).collect())
        }
        None => {
            let (file, line) = place(location.span);
            (file, line, String::new())
        }
    }
}

pub(crate) fn line(sources: &Sources, span: Span) -> u32 {
    sources.position(sources.outermost(span)).line
}

fn changes(before: &[Value], after: &[Value], engine: &Engine<'_>, state: &[u64]) -> Vec<String> {
    changed(before, after).map(|value| named(engine, state, value)).collect()
}

/// The values that are new or no longer what they were.
pub(crate) fn changed<'a>(
    before: &'a [Value],
    after: &'a [Value],
) -> impl Iterator<Item = &'a Value> {
    let is_same = |old: &&Value, new: &Value| old.pid == new.pid && old.name == new.name;
    // A value is nearly always where it was: they move only when processes come and go.
    let old = move |at: usize, value: &Value| {
        let here = before.get(at).filter(|old| is_same(old, value));
        here.or_else(|| before.iter().find(|old| is_same(old, value)))
    };
    let changed = after
        .iter()
        .enumerate()
        .filter(move |(at, value)| old(*at, value).is_none_or(|old| old.value != value.value));
    changed.map(|(_, value)| value)
}

fn named(engine: &Engine<'_>, state: &[u64], value: &Value) -> String {
    format!("{} = {}", name_of(engine, state, value), value.value)
}

/// The name of a value, with whose it is.
pub(crate) fn name_of(engine: &Engine<'_>, state: &[u64], value: &Value) -> String {
    let owner = value.pid.and_then(|pid| engine.process(state, pid)).map(|process| {
        format!("{}({})", engine.model.processes[process.kind as usize].name, process.pid)
    });
    match owner {
        Some(owner) => format!("{owner}:{}", value.name),
        None => value.name.clone(),
    }
}

/// Where each process stands, and what keeps it from what it could do there.
pub fn in_words(engine: &Engine<'_>, sources: &Sources, waiting: &[Waiting]) -> Vec<String> {
    let told = waiting.iter().map(|one| {
        let process = &engine.model.processes[one.kind as usize];
        let location = &process.graph.locations[one.location];
        let (name, pid, at) = (&process.name, one.pid, line(sources, location.span));
        if remedy::is_over(one) {
            return format!("{name}({pid}) has come to its end at line {at}");
        }
        let rest = if one.may_end { " (may end here)" } else { "" };
        let options = options(engine.model, one).join(" | ");
        format!("{name}({pid}) waits at line {at}{rest} for: {options}")
    });
    told.map(|line| line.chars().map(printable).collect()).collect()
}

/// What a process waits for, and what keeps it from that.
pub(crate) fn options(model: &Model, waiting: &Waiting) -> Vec<String> {
    let process = &model.processes[waiting.kind as usize];
    let location = &process.graph.locations[waiting.location];
    let options = location.edges.iter().zip(&waiting.obstacles).map(|(edge, obstacle)| {
        let text = describe::action(model, process, &edge.action);
        match obstacle.as_ref().map(obstructed) {
            Some(why) => format!("{text} ({why})"),
            None => text,
        }
    });
    options.collect()
}

fn obstructed(obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Full { capacity } => format!("full: {capacity} of {capacity}"),
        Obstacle::Empty => "empty".to_owned(),
        Obstacle::Unfit { first: Some(first) } => format!("first is {first}"),
        Obstacle::Unfit { first: None } => "no message fits".to_owned(),
        Obstacle::NoReceiver => "nobody receives".to_owned(),
        Obstacle::NoSender => "nobody sends".to_owned(),
        Obstacle::Younger => "processes started later have not ended".to_owned(),
    }
}

impl StoryStep {
    /// As one line, with the step's number.
    pub fn to_text(&self, number: usize) -> String {
        let who = format!("{}({})", clipped(&self.process, NAME), self.pid);
        let statement = clipped(&self.statement, STATEMENT);
        let mut text = format!("{number:>5}  {who:<14} line {:<5} {statement}", self.line);
        if !self.changes.is_empty() {
            let changes = self.changes.iter().map(|change| clipped(change, CHANGE));
            let _ = write!(text, "    [{}]", changes.collect::<Vec<_>>().join(", "));
        }
        text.push('\n');
        text
    }
}

impl Story {
    /// As numbered lines, all of them.
    pub fn to_text(&self) -> String {
        self.lines(usize::MAX, "")
    }

    /// As numbered lines, of very many the beginning and the end, with the final state.
    pub fn summary(&self) -> String {
        self.lines(LISTED, &self.last_state())
    }

    fn lines(&self, most: usize, last_state: &str) -> String {
        let mut text = String::new();
        if self.left_out > 0 {
            let before = counted(self.left_out, "step before is", "steps before are");
            let _ = writeln!(text, "       ({before} not shown; see --trace)");
        }
        let first = self.left_out as usize + 1;
        let hidden = match self.steps.len().checked_sub(most) {
            Some(more) if more > 0 => FIRST..FIRST + more,
            _ => 0..0,
        };
        for (at, step) in self.steps.iter().enumerate() {
            if hidden.contains(&at) {
                if at == hidden.start {
                    let more = counted(hidden.len() as u64, "step is", "steps are");
                    let _ = writeln!(
                        text,
                        "       … {more} not listed; --trace FILE and then `pverify replay` lists all \
                         of them, --report FILE.html draws them"
                    );
                }
                if self.cycle_from == Some(at) {
                    let from = grouped((first + at) as u64);
                    let _ = writeln!(text, "       from step {from} on, again and again:");
                }
                continue;
            }
            if self.cycle_from == Some(at) {
                text += "       from here on, again and again:\n";
            }
            text += &step.to_text(first + at);
        }
        if self.cycle_from == Some(self.steps.len()) {
            text += "       nothing can move any more: this state is repeated for ever\n";
        }
        if let Some(fault) = &self.fault {
            let _ = writeln!(text, "       {fault}");
        }
        for line in &self.waiting {
            let _ = writeln!(text, "       {}", clipped(line, 2 * STATEMENT));
        }
        text += last_state;
        for line in &self.help {
            let _ = writeln!(text, "  help: {line}");
        }
        text
    }

    /// What the variables and channels are at the end, on a few lines.
    fn last_state(&self) -> String {
        let mut text = String::new();
        let mut line = String::from("       final state: ");
        for (at, value) in self.end.iter().take(VALUES).enumerate() {
            let last = at + 1 == self.end.len().min(VALUES);
            let value = clipped(value, CHANGE) + if last { "" } else { ", " };
            if line.chars().count() + value.trim_end().chars().count() > LINE && at > 0 {
                text += line.trim_end();
                text += "\n";
                line = " ".repeat(20);
            }
            line += &value;
        }
        let more = self.end.len().saturating_sub(VALUES);
        if self.end.is_empty() {
            return text;
        }
        text += &line;
        if more > 0 {
            let _ = write!(
                text,
                "\n{}and {} more (--report shows all)",
                " ".repeat(20),
                grouped(more as u64)
            );
        }
        text + "\n"
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
        let mut story = json!({
            "fault": self.fault, "steps": null, "end": self.end, "waiting": self.waiting, "help": self.help,
            "cycle_from": self.cycle_from, "left_out": self.left_out,
            "shortened_from": self.shortened_from,
        });
        // The macro would copy them, and there may be many.
        story["steps"] = serde_json::Value::Array(steps);
        story
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(steps: usize, cycle_from: Option<usize>, expected: &[&str]) {
        let step = |at: usize| StoryStep {
            process: "P".to_owned(),
            pid: 0,
            file: FileId::default(),
            line: 1,
            statement: format!("x = {at}"),
            changes: Vec::new(),
            atomic: false,
        };
        let story = Story {
            fault: Some("wrong".to_owned()),
            left_out: 0,
            steps: (1..=steps).map(step).collect(),
            end: (0..30).map(|at| format!("variable_{at} = {at}")).collect(),
            waiting: Vec::new(),
            help: Vec::new(),
            cycle_from,
            shortened_from: None,
        };
        let text = story.summary();
        for line in expected {
            assert!(text.contains(line), "{line:?} is not in\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 150), "{text}");
        assert!(text.lines().count() <= LISTED + 20);
    }

    #[test]
    fn of_a_long_run_the_beginning_and_the_end_are_listed() {
        check(
            500,
            Some(499),
            &["  250  P(0)", "\n       from here on, again and again:\n  500  P(0)"],
        );
        check(501, None, &["  100  P(0)", "… 1 step is not listed", "\n  102  P(0)"]);
        let told =
            ["  100  P(0)", "… 19,500 steps are not listed", "\n19601  P(0)", "\n20000  P(0)"];
        check(20_000, None, &told);
        check(20_000, Some(5_000), &["       from step 5,001 on, again and again:\n19601  P(0)"]);
    }

    #[test]
    fn a_final_state_has_few_lines() {
        let told = ["       final state: variable_0 = 0, ", "\n                    and 6 more"];
        check(1, None, &told);
    }
}
