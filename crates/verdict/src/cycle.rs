//! An infinite run: a way to a cycle, and round it, every step of it done again by the semantics.

use crate::trace::{NotConfirmed, Trace, between, perform};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::replay::Choice;
use pverify_semantics::successors::{Path, Step, Visitor};

/// Does again what a search claims: states from the initial one on, the last of which, from a
/// place on, are a cycle. Where nothing can move the same state may follow again. Of a fair run
/// every process must move in the cycle, or not be able to somewhere in it.
///
/// # Errors
/// When a state does not follow from the one before, the cycle is none, or the run is not fair.
pub fn confirm_cycle(
    engine: &mut Engine<'_>,
    fault: &FaultKind,
    stem: &[Vec<u64>],
    cycle: &[Vec<u64>],
    fair: bool,
) -> Result<Trace, NotConfirmed> {
    let refuse = |why: &str| Err(NotConfirmed(why.to_owned()));
    let Some(entry) = cycle.first() else { return refuse("there is no cycle") };
    let states: Vec<&Vec<u64>> = stem.iter().chain(cycle).chain([entry]).collect();
    if engine.visible(states[0]) != engine.visible(engine.initial()) {
        return refuse("it does not begin in the initial state");
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut turn = 0;
    let mut duty = Duty::default();
    for (at, pair) in states.windows(2).enumerate() {
        if at == stem.len() {
            turn = steps.len();
        }
        let found = if fair && at >= stem.len() {
            duty.between(engine, pair[0], pair[1])
        } else {
            between(engine, pair[0], pair[1])
        };
        match found {
            Some(path) => steps.extend(path),
            None if pair[0] == pair[1] && is_at_rest(engine, pair[0]) => {}
            None => return refuse(&format!("state {} does not follow", at + 1)),
        }
    }
    if fair && !duty.is_done(engine, entry) {
        return refuse("a process that can always move never does");
    }
    let mut trace = perform(engine, fault, &steps)?;
    // The receiving half of a rendezvous is part of the step before it.
    let begins = |at: &usize| *at == 0 || !steps[at - 1].offers;
    let from = (0..turn).filter(begins).count();
    let before = from.checked_sub(1).map_or(&trace.initial, |last| &trace.steps[last].state);
    let after = trace.steps.last().map_or(&trace.initial, |step| &step.state);
    if before != entry || after != entry {
        return refuse("the cycle does not close");
    }
    trace.cycle_from = Some(from);
    Ok(trace)
}

/// Whether nothing can move in a state.
pub fn is_at_rest(engine: &mut Engine<'_>, state: &[u64]) -> bool {
    let moves = |choice: &Choice| {
        let performed = &choice.performed;
        performed.words.is_some() || performed.faults.iter().any(|f| !f.is_survivable())
    };
    !engine.choices(state, None).iter().any(moves)
}

/// What processes owe to a fair run: as bits, who has moved in the cycle or could not.
#[derive(Default)]
struct Duty {
    done: u64,
}

impl Duty {
    /// The steps from one state to the next; where there are several ways, one by a process that
    /// has not moved yet.
    fn between(&mut self, engine: &mut Engine<'_>, from: &[u64], to: &[u64]) -> Option<Vec<Step>> {
        let mut ways = Ways { to, enabled: 0, found: Vec::new() };
        engine.successors(from, &mut ways);
        self.done |= !ways.enabled;
        let news = |(movers, _): &(u64, Vec<Step>)| (movers & !self.done).count_ones();
        let (movers, steps) = ways.found.into_iter().max_by_key(news)?;
        self.done |= movers;
        Some(steps)
    }

    fn is_done(&self, engine: &Engine<'_>, state: &[u64]) -> bool {
        let living = (0..64).filter(|&pid| engine.process(state, pid).is_some());
        living.into_iter().all(|pid| self.done >> pid & 1 == 1)
    }
}

struct Ways<'a> {
    to: &'a [u64],
    enabled: u64,
    found: Vec<(u64, Vec<Step>)>,
}

impl Visitor for Ways<'_> {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        let (first, movers) = path.movers();
        self.enabled |= first;
        if words == self.to {
            self.found.push((movers, path.steps()));
        }
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}
