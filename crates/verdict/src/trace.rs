//! A counterexample, step by step, every one of them done again by the semantics.

use crate::circle;
use crate::follow::{Move, Position};
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
    /// The state before the first of `steps`: the initial one, where none was left out.
    pub initial: Vec<u64>,
    /// The last steps: all, unless there are more than [`MOST_STEPS`].
    pub steps: Vec<TraceStep>,
    /// How many steps before these were left out; each half of a rendezvous counts. None of those of
    /// an infinite run are.
    pub left_out: u64,
    /// All steps by name; a rendezvous is two.
    pub moves: Vec<Move>,
    /// For an infinite run: the steps from this one on are repeated for ever. Where no step is
    /// left, the last state is.
    pub cycle_from: Option<usize>,
    /// How many steps there were before it was made shorter, if it was; as `moves` counts them.
    pub shortened_from: Option<u64>,
}

impl Trace {
    /// The same, as what is left of so many steps.
    #[must_use]
    pub(crate) fn shortened_from(mut self, before: u64) -> Self {
        self.shortened_from = Some(before).filter(|before| *before > self.moves.len() as u64);
        self
    }

    /// The first elementary step of the cycle; both halves of a rendezvous count.
    pub fn first_of_cycle(&self) -> Option<usize> {
        self.cycle_from.map(|from| self.steps.iter().take(from).map(|step| step.steps.len()).sum())
    }
}

/// So many steps are kept with the states they lead to: of a way of millions, states take more
/// memory than the search that found it, and nobody reads them. The others are kept by name.
pub const MOST_STEPS: usize = 20_000;

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
    let mut performer = Performer::new(engine, fault);
    for (at, next) in states.enumerate() {
        match between(engine, &state, &next) {
            Some(path) => performer.perform(engine, &path)?,
            None => return refuse(format!("state {} does not follow", at + 1)),
        }
        state = next;
    }
    performer.perform(engine, last)?;
    performer.finish(engine)
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
    let mut performer = Performer::new(engine, fault);
    performer.perform(engine, steps)?;
    performer.finish(engine)
}

/// A run as far as it has been done again.
struct Performer {
    position: Position,
    trace: Trace,
    /// Whether the last step has shown the fault.
    met: bool,
}

impl Performer {
    fn new(engine: &Engine<'_>, fault: &FaultKind) -> Self {
        let position = Position::initial(engine);
        let (fault, initial) = (fault.clone(), position.state.clone());
        let (steps, moves) = (Vec::new(), Vec::new());
        let trace = Trace {
            fault,
            initial,
            steps,
            left_out: 0,
            moves,
            cycle_from: None,
            shortened_from: None,
        };
        Self { position, trace, met: false }
    }

    /// Does some more steps.
    fn perform(&mut self, engine: &mut Engine<'_>, steps: &[Step]) -> Result<(), NotConfirmed> {
        let mut at = 0;
        while at < steps.len() {
            let length = if steps[at].offers { 2 } else { 1 };
            let wanted = &steps[at..(at + length).min(steps.len())];
            at += length;
            let choices = self.position.choices(engine);
            let Some(choice) = choices.into_iter().find(|choice| choice.steps == wanted) else {
                let number = self.trace.moves.len() + 1;
                return Err(NotConfirmed(format!("step {number} is not possible")));
            };
            let (step, faults) = self.position.advance(choice);
            self.met = faults.contains(&self.trace.fault);
            self.trace.moves.extend(step.steps.iter().map(|step| Move::of(engine.model, step)));
            self.trace.steps.push(step);
            if self.trace.steps.len() > 2 * MOST_STEPS {
                self.leave_out();
            }
        }
        Ok(())
    }

    /// Leaves out steps before the last ones.
    fn leave_out(&mut self) {
        let trace = &mut self.trace;
        if trace.fault.is_of_property() {
            return;
        }
        let count = trace.steps.len().saturating_sub(MOST_STEPS);
        for step in trace.steps.drain(..count) {
            trace.left_out += step.steps.len() as u64;
            trace.initial = step.state;
        }
    }

    fn finish(mut self, engine: &mut Engine<'_>) -> Result<Trace, NotConfirmed> {
        self.leave_out();
        let Self { position, mut trace, mut met } = self;
        match trace.fault {
            FaultKind::InvalidEndState => met = position.is_stuck(engine),
            FaultKind::AtomicCycle => met = circle::close(engine, &position, &mut trace),
            // What a property says about the run is judged by who asks; see `computation`
            // and `cycle`.
            ref fault if fault.is_of_property() => met = true,
            _ => {}
        }
        if met { Ok(trace) } else { Err(NotConfirmed(format!("{}: does not occur", trace.fault))) }
    }
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
