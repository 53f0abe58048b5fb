//! Connect-disconnect has ⌊n²/4⌋ + 3(n + 1) states (Jard & Jéron 1989, §4.3), and all of them are
//! explored with any store that holds the path.

use pverify_model::load::load_text;
use pverify_search::control::{Counts, Cut, Observer, Progress, Settings, Wanted};
use pverify_search::depth_first;
use pverify_search::system::System;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Visitor;
use std::collections::HashSet;
use std::num::NonZeroUsize;

const MODEL: &str = include_str!("../../../protocols/connect-disconnect.pml");

#[test]
fn every_state_is_inserted_once_if_there_is_room() {
    each(|n, engine, states| {
        for threads in [1, 4] {
            let found = search(engine, states + 1, threads);
            let (inserted, explored) = (found.counts.states, found.explored);
            assert_eq!((found.cut, inserted, explored), (None, states, states), "n = {n}");
        }
    });
}

#[test]
fn every_state_is_explored_with_any_store_that_holds_the_path() {
    each(|n, engine, states| {
        let full = search(engine, states + 1, 1);
        let path = full.counts.max_depth;
        for most in [path, path * 5 / 4, path * 3 / 2, path * 2, states / 2, states - 1] {
            for threads in [1, 4] {
                let found = search(engine, most, threads);
                let what = format!("n = {n}, {most} states, {threads} threads: {found:?}");
                // A state that came again may be entered from elsewhere, on a longer path.
                let paths = found.counts.max_depth * threads as u64;
                match found.cut {
                    Some(Cut::Memory) => assert!(paths >= most, "{what}"),
                    cut => {
                        assert_eq!((cut, found.explored), (None, states), "{what}");
                        assert!(found.deadlock, "{what}");
                    }
                }
                assert!(most < path * 2 * threads as u64 || found.cut.is_none(), "{what}");
            }
        }
    });
}

/// For every n, the model and how many states it has.
fn each(check: impl Fn(u64, &Engine<'_>, u64)) {
    for n in 1..=60 {
        let loaded = load_text(format!("#define N {n}\n{MODEL}"));
        assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
        check(n, &Engine::new(&loaded.model), n * n / 4 + 3 * (n + 1));
    }
}

/// What a search has come to.
#[derive(Debug)]
struct Found {
    counts: Counts,
    cut: Option<Cut>,
    deadlock: bool,
    /// How many states were explored, each counted once.
    explored: u64,
}

fn search(engine: &Engine<'_>, most_states: u64, threads: usize) -> Found {
    let mut system = Recorded { engine: engine.fork(), explored: HashSet::new() };
    let settings = Settings {
        all_errors: true,
        most_states: Some(most_states),
        threads: NonZeroUsize::new(threads).expect("at least one"),
        alone: 0,
        seed: most_states,
        ..Settings::new(Wanted { deadlocks: true, steps: true })
    };
    let outcome = depth_first::search(&mut system, &settings, &mut Patient);
    let fault = outcome.violation.and_then(|violation| violation.wrong.fault().cloned());
    Found {
        counts: outcome.counts,
        cut: outcome.cut,
        deadlock: fault == Some(FaultKind::InvalidEndState),
        explored: system.explored.len() as u64,
    }
}

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

/// A model that remembers which of its states were explored.
struct Recorded<'m> {
    engine: Engine<'m>,
    explored: HashSet<Vec<u64>>,
}

impl System for Recorded<'_> {
    fn initial(&self) -> Vec<u64> {
        self.engine.initial().to_vec()
    }

    fn bits(&mut self, first: u64) -> u32 {
        self.engine.bits(first)
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        self.explored.insert(words.to_vec());
        self.engine.successors(words, visitor);
    }

    fn fork(&self) -> Self {
        Self { engine: self.engine.fork(), explored: HashSet::new() }
    }

    fn join(&mut self, other: Self) {
        self.explored.extend(other.explored);
    }
}
