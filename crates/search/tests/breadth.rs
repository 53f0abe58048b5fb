//! Breadth-first searches: shortest ways with any number of workers, and a truthful end without
//! memory.

use pverify_search::breadth_first;
use pverify_search::control::{Cut, Observer, Outcome, Progress, Settings, Wanted};
use pverify_search::random_graph::{Kind, Old, RandomGraph};
use std::num::NonZeroUsize;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

fn search(graph: &RandomGraph, threads: usize, memory: usize) -> Outcome {
    let settings = Settings {
        memory,
        threads: NonZeroUsize::new(threads).expect("at least one"),
        alone: 0,
        ..Settings::new(Wanted { deadlocks: true, steps: true })
    };
    breadth_first::search(&mut graph.clone(), &settings, &mut Patient)
}

fn nodes(outcome: &Outcome) -> Option<Vec<u32>> {
    let violation = outcome.violation.as_ref()?;
    Some(violation.way.states().map(|state| state[0] as u32).collect())
}

#[test]
fn ways_are_shortest_and_real() {
    for seed in 0..4 {
        let kind = Kind { degree: 5, most: 3000, old: Old::Any };
        let graph = RandomGraph::new(kind, seed).expect("a graph");
        let distances = graph.distances();
        for threads in [1, 2, 8] {
            let whole = search(&graph.again(), threads, 1 << 28);
            assert_eq!((whole.cut, whole.counts.states), (None, graph.nodes()));
            let farthest = distances.iter().copied().max().unwrap_or(0);
            assert_eq!(whole.counts.max_depth, farthest, "seed {seed}, {threads} threads");
            for bad in (0..10).map(|part| (graph.nodes() * part / 10) as u32) {
                let way = nodes(&search(&graph.with_bad(bad), threads, 1 << 28)).expect("a way");
                let what = format!("seed {seed}, {threads} threads, to {bad}: {way:?}");
                assert_eq!(way.len() as u64, distances[bad as usize] + 1, "{what}");
                assert_eq!((way.first(), way.last()), (Some(&0), Some(&bad)), "{what}");
                assert!(way.windows(2).all(|two| graph.leads(two[0], two[1])), "{what}");
            }
        }
    }
}

#[test]
fn without_memory_it_says_so_or_shows_a_real_way() {
    // Many states in a level: one is bad, and the memory ends about there.
    let width = 60_000;
    let mut successors = vec![(1..=width).collect::<Vec<u32>>()];
    successors.extend((1..=width).map(|node| vec![node + width]));
    successors.extend((1..=width).map(|_| Vec::new()));
    let graph = RandomGraph::with(successors);
    let mut ends = [0, 0, 0];
    for run in 0..16usize {
        let graph = graph.with_bad(width + width / 16 * (run as u32 + 1));
        let outcome = search(&graph, 1 + run % 8, (4 << 20) + run * 1_000_000);
        if let Some(way) = nodes(&outcome) {
            assert_eq!(way.len(), 3);
            assert!(way.windows(2).all(|two| graph.leads(two[0], two[1])), "{way:?}");
            ends[0] += 1;
        } else {
            assert_eq!(outcome.cut, Some(Cut::Memory));
            ends[1] += 1;
        }
        ends[2] += usize::from(outcome.cut.is_some() && outcome.violation.is_some());
    }
    assert!(ends[0] > 0 && ends[1] > 0, "{ends:?}");
}
