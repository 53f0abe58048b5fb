//! States remembered by bits: all are found with a large filter, and with a small one as many are
//! omitted as is said.

use pverify_search::control::{Cut, Observer, Outcome, Progress, Settings, Visited, Wanted};
use pverify_search::depth_first;
use pverify_search::random_graph::{Kind, Old, RandomGraph};
use std::num::NonZeroUsize;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

fn search(graph: &RandomGraph, memory: usize, hashes: u32, threads: usize) -> Outcome {
    let settings = Settings {
        memory,
        visited: Visited::Bitstate { hashes },
        threads: NonZeroUsize::new(threads).expect("at least one"),
        alone: 0,
        ..Settings::new(Wanted { deadlocks: true, steps: true })
    };
    depth_first::search(&mut graph.clone(), &settings, &mut Patient)
}

fn graph(most: u32, seed: u64) -> RandomGraph {
    RandomGraph::new(Kind { degree: 8, most, old: Old::Any }, seed).expect("a graph")
}

#[test]
fn a_large_filter_finds_all() {
    for seed in 0..5 {
        for threads in [1, 2, 4] {
            let graph = graph(5000, seed);
            let outcome = search(&graph, 64 << 20, 3, threads);
            let what = format!("seed {seed}, {threads} threads");
            assert_eq!((outcome.cut, graph.explored()), (None, graph.nodes()), "{what}");
            let omission = outcome.omission.expect("an estimate");
            assert!(omission.expected < 1e-6, "{what}: {omission:?}");
            // Two workers at one moment may both find a state new.
            let states = outcome.counts.states;
            assert!((graph.nodes()..=graph.nodes() + 20).contains(&states), "{what}: {states}");
        }
    }
}

/// A tree with steps across, so that every node is reached in several ways: hardly anything can be
/// reached only through what is omitted. And its paths are short.
fn bush(levels: u32) -> RandomGraph {
    let node = |level: u32, at: u32| (1 << level) - 1 + at % (1 << level);
    let mut successors = Vec::new();
    for level in 0..levels {
        for at in 0..1 << level {
            let next = [at * 2, at * 2 + 1, at * 2 + 6, at * 6 + 5].map(|at| node(level + 1, at));
            successors.push(if level + 1 < levels { next.to_vec() } else { Vec::new() });
        }
    }
    RandomGraph::with(successors)
}

#[test]
fn a_small_filter_omits_about_what_it_says() {
    for hashes in [1, 2, 3] {
        let graph = bush(18);
        let outcome = search(&graph, 1 << 20, hashes, 1);
        let what = format!("{hashes} hashes: {outcome:?}");
        assert_eq!(outcome.cut, None, "{what}");
        let omission = outcome.omission.expect("an estimate");
        let omitted = (graph.nodes() - graph.explored()) as f64;
        assert!(omitted > 0.0, "{what}");
        assert!(omission.confidence() < 0.5, "{what}");
        assert!(omitted < omission.expected * 1.5 + 10.0, "{omitted} omitted; {what}");
        assert!(omitted > omission.expected * 0.5 - 10.0, "{omitted} omitted; {what}");
    }
}

#[test]
fn what_is_wrong_is_found_by_a_real_way() {
    for seed in 0..10 {
        for threads in [1, 3] {
            let graph = graph(3000, seed);
            let bad = (graph.nodes() * (seed + 1) / 11) as u32;
            let outcome = search(&graph.with_bad(bad), 8 << 20, 3, threads);
            let way = outcome.violation.expect("it is there").way;
            let way: Vec<u32> = way.states().map(|state| state[0] as u32).collect();
            assert_eq!((way[0], way.last().copied()), (0, Some(bad)), "seed {seed}");
            assert!(way.windows(2).all(|two| graph.leads(two[0], two[1])), "seed {seed}");
        }
    }
}

/// Nodes of trees are collected when the stack does not need them any more.
#[test]
fn memory_beside_the_filter_is_used_again() {
    let graph = graph(40_000, 3);
    let outcome = search(&graph, 1 << 20, 2, 1);
    assert!(matches!(outcome.cut, None | Some(Cut::Memory)), "{outcome:?}");
    assert!(outcome.counts.store_bytes <= 1 << 20, "{outcome:?}");
}
