//! One attempt: the steps of a way done again without some of them.

use super::Judge;
use super::way::{Places, Way};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};

/// What the shorter way must show.
pub(super) enum Goal<'a, 'j> {
    /// These steps go wrong in this way.
    Step { fault: FaultKind, last: Vec<Step> },
    /// Nothing can move, and every process stands where it did: its type and location.
    Stuck(Vec<(u32, i32)>),
    /// It ends in the same state.
    Same,
    /// Somebody says so.
    Judged(&'a mut Judge<'j>),
}

impl Goal<'_, '_> {
    /// The deadlock of this state.
    pub(super) fn stuck(engine: &Engine<'_>, state: Option<&Vec<u64>>) -> Self {
        state.map_or(Self::Same, |state| Self::Stuck(places(engine, state)))
    }
}

/// Where every process stands.
fn places(engine: &Engine<'_>, state: &[u64]) -> Vec<(u32, i32)> {
    (0..).map_while(|pid| place(engine, state, pid)).collect()
}

fn place(engine: &Engine<'_>, state: &[u64], pid: usize) -> Option<(u32, i32)> {
    let process = engine.process(state, pid)?;
    Some((process.kind, process.location.get(state)))
}

/// Another way to go on from a state of a way.
#[derive(Debug)]
pub(super) struct Turning {
    /// Where it leaves the old way.
    pub(super) from: usize,
    pub(super) steps: Vec<Vec<Step>>,
    /// The states behind them.
    pub(super) states: Vec<Vec<u64>>,
}

impl Turning {
    /// How many steps lead from the initial state to its end.
    pub(super) fn end(&self) -> usize {
        self.from + self.steps.len()
    }
}

/// What has come of an attempt.
pub(super) enum Tried {
    /// It meets the old way in this state, from which on it goes on as that does.
    Meets(Turning, usize),
    /// What was looked for has come about.
    Met(Turning),
    /// All steps were tried, and nothing of that has happened.
    Ends(Turning),
}

/// Does the steps of a way from a state on, up to another, without those that are `dropped`
/// (ascending), as far as they are possible; `effort` counts them.
pub(super) fn attempt(
    engine: &mut Engine<'_>,
    (way, known): (&Way, &Places),
    goal: &Goal<'_, '_>,
    dropped: &[usize],
    end: usize,
    effort: &mut u64,
) -> Tried {
    let from = dropped.first().copied().unwrap_or(0);
    let mut new = Turning { from, steps: Vec::new(), states: Vec::new() };
    let mut dropped = dropped.iter().peekable();
    let none: &[Step] = &[];
    let wanted = way.steps[from..end].iter().map(Vec::as_slice);
    let closing = matches!(goal, Goal::Step { .. }).then_some(none);
    for (at, wanted) in (from..).zip(wanted.chain(closing)) {
        if dropped.next_if_eq(&&at).is_some() {
            continue;
        }
        *effort = effort.saturating_sub(1);
        let state = new.states.last().unwrap_or(&way.states[from]);
        let may = wanted.first().is_none_or(|step| {
            place(engine, state, step.pid as usize) == Some((step.kind, step.location as i32))
        });
        if !may {
            continue;
        }
        let mut finder = Finder { wanted, goal, best: None, met: false, wrong: Vec::new() };
        engine.successors(state, &mut finder);
        let Finder { best, met, wrong, .. } = finder;
        let is_stuck = wrong.iter().any(|(fault, _)| *fault == FaultKind::InvalidEndState);
        if met || is_stuck && matches!(goal, Goal::Stuck(goal) if *goal == places(engine, state)) {
            return Tried::Met(new);
        }
        let Some(Best { steps, state, .. }) = best else { continue };
        if wrong.iter().any(|(_, path)| steps.starts_with(path)) {
            continue;
        }
        let meets = known.last(way, &state);
        new.steps.push(steps);
        new.states.push(state);
        if let Some(place) = meets.filter(|place| *place > new.end()) {
            return Tried::Meets(new, place);
        }
    }
    let Goal::Stuck(wanted) = goal else { return Tried::Ends(new) };
    let state = new.states.last().unwrap_or(&way.states[from]);
    if places(engine, state) != *wanted {
        return Tried::Ends(new);
    }
    let mut finder = Finder { wanted: none, goal, best: None, met: false, wrong: Vec::new() };
    engine.successors(state, &mut finder);
    let is_stuck = finder.wrong.iter().any(|(fault, _)| *fault == FaultKind::InvalidEndState);
    if is_stuck { Tried::Met(new) } else { Tried::Ends(new) }
}

/// Looks for a step among those of a state, and for what must come about.
struct Finder<'a, 'g, 'j> {
    wanted: &'a [Step],
    goal: &'a Goal<'g, 'j>,
    best: Option<Best>,
    met: bool,
    /// What goes wrong, with the steps to it.
    wrong: Vec<(FaultKind, Vec<Step>)>,
}

/// The path that has most in common with the one that is looked for: inside an atomic block other
/// values may lead another way.
struct Best {
    common: usize,
    steps: Vec<Step>,
    state: Vec<u64>,
}

impl Visitor for Finder<'_, '_, '_> {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        let Some(first) = self.wanted.first() else { return };
        if path.only().is_some_and(|only| only != *first) {
            return;
        }
        let steps = path.steps();
        let common = steps.iter().zip(self.wanted).take_while(|(one, other)| one == other).count();
        let common = common + usize::from(steps == self.wanted);
        if common > self.best.as_ref().map_or(0, |best| best.common) {
            self.best = Some(Best { common, steps, state: words.to_vec() });
        }
    }

    fn fault(&mut self, found: FaultKind, path: Path<'_>) {
        let steps = path.steps();
        if let Goal::Step { fault, last } = self.goal {
            self.met |= found == *fault && steps == *last;
        }
        self.wrong.push((found, steps));
    }
}
