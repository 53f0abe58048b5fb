//! Searches with stores too small for all states: the same verdict, and every state is visited.

use pverify_search::control::{Cut, Observer, Outcome, Progress, Settings, Wanted};
use pverify_search::depth_first;
use pverify_search::random_graph::{Kind, Old, RandomGraph};
use std::num::NonZeroUsize;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

fn search(graph: &RandomGraph, most_states: u64, threads: usize, seed: u64) -> Outcome {
    let threads = NonZeroUsize::new(threads).expect("at least one");
    let settings = Settings {
        most_states: Some(most_states),
        threads,
        alone: 0,
        seed,
        ..Settings::new(Wanted { deadlocks: true, steps: true })
    };
    depth_first::search(&mut graph.clone(), &settings, &mut Patient)
}

fn made(degree: u32, old: Old, seed: u64) -> RandomGraph {
    RandomGraph::new(Kind { degree, most: 4000, old }, seed).expect("a graph")
}

fn graph(seed: u64) -> RandomGraph {
    made(5, Old::Any, seed)
}

#[test]
fn with_room_for_all_every_state_is_inserted_once() {
    for threads in [1, 2, 8] {
        let graph = graph(1);
        let outcome = search(&graph, graph.nodes() + 1, threads, 1);
        assert_eq!(outcome.cut, None);
        assert_eq!(outcome.counts.states, graph.nodes());
        assert_eq!(outcome.counts.transitions, outcome.counts.states - 1 + outcome.counts.matched);
        assert_eq!((graph.explored(), outcome.counts.replacements), (graph.nodes(), 0));
    }
}

#[test]
fn with_less_room_every_state_is_still_visited() {
    for seed in 0..10 {
        for (graph, percent) in [
            (graph(seed), 70),
            (graph(seed), 60),
            (made(6, Old::First(10), seed), 40),
            (made(6, Old::First(10), seed), 20),
        ] {
            for threads in [1, 2, 8] {
                let graph = graph.again();
                let outcome = search(&graph, graph.nodes() * percent / 100, threads, seed);
                let what = format!("seed {seed}, {percent} %, {threads} threads: {outcome:?}");
                assert_eq!(outcome.cut, None, "{what}");
                assert!(outcome.violation.is_none(), "{what}");
                assert_eq!(graph.explored(), graph.nodes(), "{what}");
                assert!(outcome.counts.replacements > 0, "{what}");
                assert!(outcome.counts.states < graph.nodes() * 4, "{what}");
            }
        }
    }
}

#[test]
fn with_short_paths_a_tenth_of_the_memory_costs_little() {
    for seed in 0..10 {
        let graph = made(6, Old::First(1), seed);
        let outcome = search(&graph, graph.nodes() / 10, 1, seed);
        assert_eq!((outcome.cut, graph.explored()), (None, graph.nodes()), "seed {seed}");
        let insertions = outcome.counts.states * 100 / graph.nodes();
        assert!(insertions <= 105, "seed {seed}: {insertions} %");
    }
}

#[test]
fn with_less_room_what_is_wrong_is_still_found() {
    for seed in 0..10 {
        for threads in [1, 4] {
            let graph = graph(seed);
            let graph = graph.with_bad((graph.nodes() * (seed + 1) / 11) as u32);
            let outcome = search(&graph, graph.nodes() * 60 / 100, threads, seed);
            let violation = outcome.violation.expect("it is there");
            let path: Vec<u64> = violation.way.states().map(|state| state[0]).collect();
            assert_eq!(path.first(), Some(&0), "seed {seed}");
            assert_eq!(path.last(), Some(&(graph.nodes() * (seed + 1) / 11)), "seed {seed}");
            let follows = |two: &[u64]| graph.leads(two[0] as u32, two[1] as u32);
            assert!(path.windows(2).all(follows), "seed {seed}: {path:?}");
        }
    }
}

#[test]
fn with_no_room_for_the_path_the_search_says_so() {
    // One path through all nodes.
    let chain = RandomGraph::with((1..=2000u32).map(|next| vec![next % 2000]).collect());
    let outcome = search(&chain, 500, 1, 0);
    assert_eq!(outcome.cut, Some(Cut::Memory));
    assert!(outcome.violation.is_none());
    let outcome = search(&chain, 2000, 1, 0);
    assert_eq!(outcome.cut, None);
    assert_eq!(chain.explored(), 2000);
}

#[test]
fn with_no_memory_for_the_path_the_search_says_so() {
    let chain: Vec<_> = (1..=300_000u32).map(|next| vec![next % 300_000]).collect();
    let chain = RandomGraph::with(chain);
    for threads in [1, 2] {
        let settings = Settings {
            memory: 3 << 20,
            threads: NonZeroUsize::new(threads).expect("at least one"),
            alone: 0,
            ..Settings::new(Wanted { deadlocks: true, steps: true })
        };
        let outcome = depth_first::search(&mut chain.again(), &settings, &mut Patient);
        assert_eq!(outcome.cut, Some(Cut::Memory));
    }
}

#[test]
fn one_worker_and_one_seed_do_the_same_each_time() {
    let counts: Vec<_> = (0..3)
        .map(|_| {
            let graph = graph(3);
            search(&graph, graph.nodes() * 2 / 3, 1, 9).counts
        })
        .collect();
    assert!(counts.windows(2).all(|two| two[0] == two[1]), "{counts:?}");
}
