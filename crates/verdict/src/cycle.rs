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

/// The processes that can move in every state of the cycle of a run and never do: runs that weak
/// fairness leaves out have one. (Inside an atomic block nobody else is asked.)
pub fn neglected(engine: &mut Engine<'_>, trace: &Trace) -> Vec<usize> {
    let from = trace.cycle_from.filter(|from| *from < trace.steps.len());
    let (Some(from), 0) = (from, trace.left_out) else { return Vec::new() };
    let entry = from.checked_sub(1).map_or(&trace.initial, |last| &trace.steps[last].state);
    let cycle = &trace.steps[from..];
    let between = cycle.iter().filter(|step| !step.atomic).map(|step| &step.state);
    let mut able = u64::MAX;
    for state in [entry].into_iter().chain(between) {
        let mut ways = Ways { to: &[], enabled: 0, found: Vec::new() };
        engine.successors(state, &mut ways);
        able &= ways.enabled;
    }
    let moved =
        |pid| cycle.iter().any(|taken| taken.steps.iter().any(|s| usize::from(s.pid) == pid));
    (0..64).filter(|&pid| able >> pid & 1 == 1 && !moved(pid)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_model::load::load_text;

    /// Who is neglected on the run in which process 0 goes round for ever.
    fn check(model: &str, expected: &[usize]) {
        let loaded = load_text(model);
        let mut engine = Engine::new(&loaded.model);
        let start = engine.initial().to_vec();
        let mut states = vec![start.clone()];
        loop {
            let mut first = First::default();
            engine.successors(&states[states.len() - 1].clone(), &mut first);
            let next = first.0.expect("process 0 goes on");
            if next == start {
                break;
            }
            states.push(next);
        }
        assert!(between(&mut engine, &states[states.len() - 1], &start).is_some());
        let fault = FaultKind::NonProgressCycle;
        let trace = confirm_cycle(&mut engine, &fault, &[], &states, false).expect("a cycle");
        assert_eq!(neglected(&mut engine, &trace), expected, "{model}");
        let fair = confirm_cycle(&mut engine, &fault, &[], &states, true).is_ok();
        assert_eq!(fair, expected.is_empty(), "fairness has another opinion: {model}");
    }

    /// The first step of process 0.
    #[derive(Default)]
    struct First(Option<Vec<u64>>);

    impl Visitor for First {
        fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
            if self.0.is_none() && path.movers().0 == 1 {
                self.0 = Some(words.to_vec());
            }
        }

        fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
    }

    const LOOP: &str = "bit x, y; active proctype A() { do :: x = 1 - x od }";

    #[test]
    fn who_could_always_move_is_neglected() {
        check(LOOP, &[]);
        check(&format!("{LOOP} active proctype B() {{ y = 1 }}"), &[1]);
        check(&format!("{LOOP} active proctype B() {{ x -> y = 1 }}"), &[]);
        check(&format!("{LOOP} active [2] proctype B() {{ y = 1 }}"), &[1, 2]);
        check("bit x, y; active proctype A() { do :: atomic { x = 1; x = 0 } :: false od }", &[]);
    }
}
