//! The holes of the kernel, filled as a check of cycles fills them: every cycle must go through a
//! marked node (Jard et al. 1993, §3.2), on random graphs, beside a plain decision.

use pverify_search::control::{Cut, Observer, Outcome, Progress, Settings, Wanted, Wrong};
use pverify_search::depth_first;
use pverify_search::hooks::{Hooks, Passing, Sight, Stay, Target};
use pverify_search::random_graph::{Kind, Old, RandomGraph};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::num::NonZeroUsize;
use std::sync::Arc;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

/// Marked nodes are put aside; a path that meets itself is a cycle without any.
#[derive(Clone)]
struct Marked {
    marked: Arc<Vec<bool>>,
    roots_left: u64,
}

impl Marked {
    fn new(marked: &[bool]) -> Self {
        Self { marked: Arc::new(marked.to_vec()), roots_left: 0 }
    }
}

impl Hooks for Marked {
    const PASSING: Passing = Passing::Left;
    const SETS_ASIDE: bool = true;

    fn fork(&self) -> Self {
        self.clone()
    }

    fn join(&mut self, other: Self) {
        self.roots_left += other.roots_left;
    }

    fn step(&mut self, to: &[u64]) -> Target {
        if self.marked[to[0] as usize] { Target::Aside } else { Target::Below }
    }

    fn close(&mut self, _: u64) -> Sight {
        Sight::Violation
    }

    fn leave(&mut self, depth: u64) -> Stay {
        self.roots_left += u64::from(depth == 1);
        if depth == 1 { Stay::Permanent } else { Stay::Replaceable }
    }
}

/// Whether some cycle has no marked node: what remains when nodes without successors are taken away
/// as long as there are any. Marked nodes go at first; all nodes can be reached.
fn has_bad_cycle(graph: &RandomGraph, marked: &[bool]) -> bool {
    let count = graph.nodes() as u32;
    let mut there: Vec<bool> = marked.iter().map(|marked| !marked).collect();
    let successors: Vec<Vec<u32>> = (0..count)
        .map(|node| (0..count).filter(|&next| graph.leads(node, next)).collect())
        .collect();
    loop {
        let stays = |node: u32| successors[node as usize].iter().any(|&next| there[next as usize]);
        let goes: Vec<u32> =
            (0..count).filter(|&node| there[node as usize] && !stays(node)).collect();
        if goes.is_empty() {
            return there.contains(&true);
        }
        goes.into_iter().for_each(|node| there[node as usize] = false);
    }
}

fn search(graph: &RandomGraph, hooks: &mut Marked, room: u64, threads: usize) -> Outcome {
    let settings = Settings {
        most_states: Some(room),
        threads: NonZeroUsize::new(threads).expect("at least one"),
        alone: 0,
        ..Settings::new(Wanted { deadlocks: false, steps: false })
    };
    depth_first::search_with(&mut graph.clone(), hooks, &settings, &mut Patient)
}

/// The cycle that is claimed is one, without marked nodes but perhaps the first of its way.
fn check_cycle(graph: &RandomGraph, marked: &[bool], outcome: &Outcome, what: &str) {
    let violation = outcome.violation.as_ref().expect("it is there");
    let way: Vec<u32> = violation.way.states().map(|state| state[0] as u32).collect();
    assert!(way.windows(2).all(|two| graph.leads(two[0], two[1])), "{what}: {way:?}");
    assert!(way[0] == 0 || marked[way[0] as usize], "{what}: {way:?}");
    let Wrong::Cycle(from) = violation.wrong else { panic!("{what}: {violation:?}") };
    let cycle = &way[from as usize..];
    assert!(cycle.len() > 1 && cycle.first() == cycle.last(), "{what}: {way:?}, {from}");
    assert!(cycle.iter().all(|&node| !marked[node as usize]), "{what}: {way:?}, {from}");
}

/// A small graph of which about one node in `unmarked` is not marked, or few are.
fn example(seed: u64) -> (RandomGraph, Vec<bool>) {
    let mut random = StdRng::seed_from_u64(seed);
    let most = random.random_range(8..120);
    let graph = RandomGraph::new(Kind { degree: 6, most, old: Old::Any }, seed).expect("a graph");
    let percent = random.random_range(20..100);
    let marked = (0..graph.nodes()).map(|_| random.random_range(0..100) < percent).collect();
    (graph, marked)
}

#[test]
fn a_cycle_without_marks_is_found_where_there_is_one() {
    let mut bad = 0;
    for seed in 0..300 {
        let (graph, marked) = example(seed);
        let expected = has_bad_cycle(&graph, &marked);
        bad += u32::from(expected);
        for threads in [1, 2, 4] {
            let what = format!("seed {seed}, {threads} threads");
            let graph = graph.again();
            let mut hooks = Marked::new(&marked);
            let outcome = search(&graph, &mut hooks, graph.nodes() + 1, threads);
            assert_eq!(outcome.cut, None, "{what}");
            assert_eq!(outcome.violation.is_some(), expected, "{what}");
            if expected {
                check_cycle(&graph, &marked, &outcome, &what);
            } else {
                assert_eq!(outcome.counts.states, graph.nodes(), "{what}");
                assert_eq!(graph.explored(), graph.nodes(), "{what}");
                let roots = marked.iter().enumerate().filter(|&(at, marked)| at == 0 || *marked);
                assert_eq!(hooks.roots_left, roots.count() as u64, "{what}");
                let counts = outcome.counts;
                assert_eq!(counts.transitions, counts.states - 1 + counts.matched, "{what}");
            }
        }
    }
    assert!((30..270).contains(&bad), "both answers must come often: {bad} of 300");
}

#[test]
fn with_little_room_the_answer_is_the_same() {
    let (mut decided, mut replaced) = (0, 0);
    for seed in 0..200 {
        let (graph, mut marked) = example(seed);
        // Few marks: these stay for ever. To have acyclic graphs too, marks stand on all that steps
        // lead back to.
        if seed % 2 == 0 {
            for node in 0..graph.nodes() as u32 {
                marked[node as usize] = (node..graph.nodes() as u32).any(|n| graph.leads(n, node));
            }
        }
        let expected = has_bad_cycle(&graph, &marked);
        let permanent = marked.iter().filter(|marked| **marked).count() as u64;
        let room = (permanent + (graph.nodes() - permanent) / 2).max(4);
        for threads in [1, 3] {
            let what = format!("seed {seed}, {threads} threads, room {room}");
            let graph = graph.again();
            let outcome = search(&graph, &mut Marked::new(&marked), room, threads);
            match outcome.cut {
                Some(cut) => assert_eq!(cut, Cut::Memory, "{what}"),
                None => {
                    assert_eq!(outcome.violation.is_some(), expected, "{what}");
                    decided += 1;
                    replaced += u32::from(outcome.counts.replacements > 0);
                }
            }
            if outcome.violation.is_some() {
                check_cycle(&graph, &marked, &outcome, &what);
            }
        }
    }
    assert!(decided > 200 && replaced > 20, "{decided} decided, {replaced} with replacement");
}

/// Stops where it is told to.
#[derive(Clone, Copy)]
struct Reach(u64);

impl Hooks for Reach {
    const PASSING: Passing = Passing::Claimed;

    fn fork(&self) -> Self {
        *self
    }

    fn enter(&mut self, state: &[u64]) -> Sight {
        if state[0] == self.0 { Sight::Violation } else { Sight::Nothing }
    }
}

#[test]
fn a_state_is_reached_by_the_way_to_it() {
    for seed in 0..20 {
        let kind = Kind { degree: 6, most: 500, old: Old::Any };
        let graph = RandomGraph::new(kind, seed).expect("a graph");
        for (threads, all_errors) in [(1, false), (2, false), (1, true)] {
            let settings = Settings {
                threads: NonZeroUsize::new(threads).expect("at least one"),
                alone: 0,
                all_errors,
                ..Settings::new(Wanted { deadlocks: false, steps: false })
            };
            let target = seed * 7;
            let (mut system, mut hooks) = (graph.again(), Reach(target));
            let outcome =
                depth_first::search_with(&mut system, &mut hooks, &settings, &mut Patient);
            let violation = outcome.violation.expect("it is there");
            assert_eq!(violation.wrong, Wrong::Reached, "seed {seed}");
            let way: Vec<u32> = violation.way.states().map(|state| state[0] as u32).collect();
            assert_eq!((way[0], way.last().copied()), (0, Some(target as u32)), "seed {seed}");
            assert!(way.windows(2).all(|two| graph.leads(two[0], two[1])), "seed {seed}: {way:?}");
            if all_errors {
                assert_eq!(outcome.counts.states, graph.nodes(), "seed {seed}");
                assert_eq!(outcome.counts.errors, 1, "seed {seed}");
            }
        }
    }
}
