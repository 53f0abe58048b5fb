//! The search of pverify with a store for few states: what it inserts, whether it sees all, its time.

use anyhow::{Result, ensure};
use pverify_search::control::{Counts, Cut, Observer, Outcome, Progress, Settings, Wanted};
use pverify_search::depth_first;
use pverify_search::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Visitor;
use std::collections::HashSet;
use std::time::Instant;

/// The states that were explored.
pub(crate) type Explored = HashSet<Vec<u64>>;

/// A search, and how long it took.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) counts: Counts,
    /// The first fault by name, where there is one.
    pub(crate) fault: Option<&'static str>,
    pub(crate) cut: Option<Cut>,
    pub(crate) seconds: f64,
}

impl Measured {
    /// How it ended, in a word for a table.
    pub(crate) fn ending(&self) -> &'static str {
        match self.cut {
            None => "complete",
            Some(Cut::Memory) => "path-too-long",
            Some(Cut::Stopped) => "given-up",
            Some(Cut::Depth | Cut::Fault) => "cut",
        }
    }
}

/// Searches with room for `most_states`, and gives up after about `patience` insertions. Done again
/// without looking at what is explored, to measure the time: short searches a few times, of which
/// the fastest counts, since noise only ever adds.
pub(crate) fn search<S: System>(
    system: &S,
    most_states: u64,
    patience: u64,
    seed: u64,
) -> Result<(Measured, Explored)> {
    let settings = Settings {
        all_errors: true,
        most_states: Some(most_states),
        seed,
        ..Settings::new(Wanted { deadlocks: true, steps: true })
    };
    let mut recorded = Recorded { system: system.fork(), explored: Explored::new() };
    let looked = depth_first::search(&mut recorded, &settings, &mut Patience(patience));
    let (mut seconds, mut spent) = (f64::MAX, 0.0);
    for _ in 0..MOST_TIMES {
        let started = Instant::now();
        let again = depth_first::search(&mut system.fork(), &settings, &mut Patience(patience));
        let elapsed = started.elapsed().as_secs_f64();
        ensure!(looked.counts == again.counts, "one seed, two searches: {looked:?} {again:?}");
        seconds = seconds.min(elapsed);
        spent += elapsed;
        if spent > LONG {
            break;
        }
    }
    let Outcome { counts, violation, cut } = looked;
    let fault = violation.and_then(|violation| violation.wrong.fault().map(FaultKind::name));
    Ok((Measured { counts, fault, cut, seconds }, recorded.explored))
}

/// A search is timed so often at most, and no more after so many seconds.
const MOST_TIMES: usize = 7;
const LONG: f64 = 0.5;

/// So many insertions are enough.
struct Patience(u64);

impl Observer for Patience {
    fn go_on(&mut self, progress: &Progress) -> bool {
        progress.counts.states <= self.0
    }
}

/// A system that remembers which of its states were explored.
struct Recorded<S> {
    system: S,
    explored: Explored,
}

impl<S: System> System for Recorded<S> {
    fn initial(&self) -> Vec<u64> {
        self.system.initial()
    }

    fn hidden(&self) -> usize {
        self.system.hidden()
    }

    fn bits(&mut self, first: u64) -> u32 {
        self.system.bits(first)
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        if !self.explored.contains(words) {
            self.explored.insert(words.to_vec());
        }
        self.system.successors(words, visitor);
    }

    fn fork(&self) -> Self {
        Self { system: self.system.fork(), explored: Explored::new() }
    }

    fn join(&mut self, other: Self) {
        self.system.join(other.system);
        self.explored.extend(other.explored);
    }
}
