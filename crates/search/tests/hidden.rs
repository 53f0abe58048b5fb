//! Searches of systems with hidden words, whose states wait several times: with too little room too.

use pverify_search::control::{Observer, Outcome, Progress, Settings, Wanted};
use pverify_search::depth_first;
use pverify_search::random_graph::{Kind, Old, RandomGraph};
use pverify_search::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};

/// A graph with a hidden word in front of its nodes: how long the way was, up to some number.
struct Counting(RandomGraph);

impl System for Counting {
    fn initial(&self) -> Vec<u64> {
        [vec![0], self.0.initial()].concat()
    }

    fn hidden(&self) -> usize {
        1
    }

    fn bits(&mut self, first: u64) -> u32 {
        self.0.bits(first)
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        let mut counter = Counter { visitor, word: (words[0] + 1).min(100) };
        self.0.successors(&words[1..], &mut counter);
    }

    fn fork(&self) -> Self {
        Self(self.0.fork())
    }
}

/// Puts the hidden word in front again.
struct Counter<'v, V> {
    visitor: &'v mut V,
    word: u64,
}

impl<V: Visitor> Visitor for Counter<'_, V> {
    fn next(&mut self, words: &[u64], bits: u32, path: Path<'_>) {
        self.visitor.next(&[&[self.word], words].concat(), bits, path);
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.visitor.fault(fault, path);
    }
}

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

fn search(graph: &RandomGraph, most_states: u64, seed: u64) -> Outcome {
    let wanted = Wanted { deadlocks: true, steps: true };
    let settings = Settings { most_states: Some(most_states), seed, ..Settings::new(wanted) };
    depth_first::search(&mut Counting(graph.clone()), &settings, &mut Patient)
}

#[test]
fn every_state_is_visited() {
    for seed in 0..10 {
        let kind = Kind { degree: 6, most: 3000, old: Old::Any };
        let graph = RandomGraph::new(kind, seed).expect("a graph");
        for percent in [101, 80, 70] {
            let graph = graph.again();
            let outcome = search(&graph, graph.nodes() * percent / 100, seed);
            let what = format!("seed {seed}, {percent} %: {outcome:?}");
            assert_eq!(outcome.cut, None, "{what}");
            assert_eq!(graph.explored(), graph.nodes(), "{what}");
            let visits = outcome.counts.states;
            assert!(
                (percent <= 100 && visits >= graph.nodes()) || visits == graph.nodes(),
                "{what}"
            );
        }
    }
}

#[test]
fn what_is_wrong_is_found_with_its_hidden_words() {
    for seed in 0..10 {
        let kind = Kind { degree: 6, most: 3000, old: Old::Any };
        let graph = RandomGraph::new(kind, seed).expect("a graph");
        let bad = (graph.nodes() * (seed + 1) / 11) as u32;
        let outcome = search(&graph.with_bad(bad), graph.nodes() * 80 / 100, seed);
        let way = outcome.violation.expect("it is there").way;
        for (at, state) in way.states().enumerate() {
            assert_eq!(state[0], (at as u64).min(100), "seed {seed}");
        }
        assert_eq!(way.last().map(|state| state[1]), Some(u64::from(bad)), "seed {seed}");
    }
}
