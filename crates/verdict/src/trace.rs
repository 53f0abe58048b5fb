//! A counterexample, step by step, every one of them done again by the semantics.

use crate::follow::Position;
use pverify_semantics::Engine;
use pverify_semantics::action::Deed;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};

/// One elementary step and the state it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The step, or both halves of a rendezvous.
    pub steps: Vec<Step>,
    /// The state afterwards; the one before where the step itself fails.
    pub state: Vec<u64>,
    /// Whether the process keeps control.
    pub atomic: bool,
    /// Its actions, if the engine listens.
    pub deeds: Vec<Deed>,
}

/// A way from the initial state to something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What is wrong at its end.
    pub fault: FaultKind,
    /// The initial state.
    pub initial: Vec<u64>,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// For an infinite run: the steps from this one on are repeated for ever. Where no step is
    /// left, the last state is.
    pub cycle_from: Option<usize>,
}

impl Trace {
    /// The first elementary step of the cycle; both halves of a rendezvous count.
    pub fn first_of_cycle(&self) -> Option<usize> {
        self.cycle_from.map(|from| self.steps.iter().take(from).map(|step| step.steps.len()).sum())
    }
}

/// Why a claim could not be confirmed; always a mistake of pverify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotConfirmed(pub String);

/// Does again what a search claims: states from the initial one on, and the steps from the last of
/// them to the fault.
///
/// # Errors
/// When a state does not follow from the one before, or the fault does not occur.
pub fn confirm(
    engine: &mut Engine<'_>,
    fault: &FaultKind,
    states: impl IntoIterator<Item = Vec<u64>>,
    last: &[Step],
) -> Result<Trace, NotConfirmed> {
    let refuse = |why: String| Err(NotConfirmed(why));
    let mut states = states.into_iter();
    let Some(mut state) = states.next() else { return refuse("no initial state".into()) };
    if engine.visible(&state) != engine.visible(engine.initial()) {
        return refuse("it does not begin in the initial state".into());
    }
    let mut steps: Vec<Step> = Vec::new();
    for (at, next) in states.enumerate() {
        match between(engine, &state, &next) {
            Some(path) => steps.extend(path),
            None => return refuse(format!("state {} does not follow", at + 1)),
        }
        state = next;
    }
    steps.extend(last);
    perform(engine, fault, &steps)
}

/// Does steps again, one after the other, until the fault.
///
/// # Errors
/// When a step is not possible, or the fault does not occur at the end.
pub fn perform(
    engine: &mut Engine<'_>,
    fault: &FaultKind,
    steps: &[Step],
) -> Result<Trace, NotConfirmed> {
    let mut position = Position::initial(engine);
    let initial = position.state.clone();
    let mut trace = Trace { fault: fault.clone(), initial, steps: Vec::new(), cycle_from: None };
    let mut at = 0;
    let mut met = false;
    while at < steps.len() {
        let length = if steps[at].offers { 2 } else { 1 };
        let wanted = &steps[at..(at + length).min(steps.len())];
        at += length;
        let choices = position.choices(engine);
        let Some(choice) = choices.into_iter().find(|choice| choice.steps == wanted) else {
            return Err(NotConfirmed(format!("step {at} is not possible")));
        };
        let (step, faults) = position.advance(choice);
        met = faults.contains(fault);
        trace.steps.push(step);
    }
    match fault {
        FaultKind::InvalidEndState => met = position.is_stuck(engine),
        // The circle is somewhere behind: only the way to it can be done again.
        FaultKind::AtomicCycle => met = true,
        // What a property says about the run is judged by who asks.
        fault if fault.is_of_property() => met = true,
        _ => {}
    }
    if met { Ok(trace) } else { Err(NotConfirmed(format!("{fault}: does not occur"))) }
}

/// The steps that lead from one state to the next.
pub(crate) fn between(engine: &mut Engine<'_>, from: &[u64], to: &[u64]) -> Option<Vec<Step>> {
    let mut finder = Finder { to, found: None };
    engine.successors(from, &mut finder);
    finder.found
}

struct Finder<'a> {
    to: &'a [u64],
    found: Option<Vec<Step>>,
}

impl Visitor for Finder<'_> {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        if self.found.is_none() && words == self.to {
            self.found = Some(path.steps());
        }
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}
