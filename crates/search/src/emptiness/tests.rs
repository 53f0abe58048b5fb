//! The emptiness checks, and the nested search, against a plain decomposition into components, on
//! random systems; the threads are disturbed ([`crate::unrest`]).

use super::*;
use crate::control::{Progress, Wanted};
use crate::marked::{MarkedVisitor, Towards};
use crate::nested;
use crate::system::System;
use pverify_semantics::successors::{Path, Visitor};
use pverify_temporal::automaton::Marks;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// A system of numbered states; its states are long, so that they are trees in the store.
#[derive(Clone, Debug)]
struct Graph {
    edges: Arc<Vec<Vec<(usize, u64)>>>,
    sets: u32,
    /// Here a companion comes to its end.
    end: Option<usize>,
    /// The states that are known to be passed only.
    passed: Arc<Vec<bool>>,
}

const WORDS: u64 = 3;

const MIX: u64 = 0x1234_5678_9abc_def1;

fn words(state: usize) -> Vec<u64> {
    let state = state as u64;
    vec![state.wrapping_mul(MIX), state ^ MIX, state << 40]
}

impl Graph {
    fn state(&self, packed: &[u64]) -> usize {
        let state = packed[1] ^ MIX;
        assert_eq!(words(state as usize), packed);
        state as usize
    }
}

struct Plain<'v, V>(&'v mut V);

impl<V: Visitor> MarkedVisitor for Plain<'_, V> {
    fn next(&mut self, words: &[u64], bits: u32, _: Towards, path: Path<'_>) {
        self.0.next(words, bits, path);
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.0.fault(fault, path);
    }
}

impl System for Graph {
    fn initial(&self) -> Vec<u64> {
        words(0)
    }

    fn bits(&mut self, _: u64) -> u32 {
        WORDS as u32 * 64
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        self.marked_successors(words, &mut Plain(visitor));
    }

    fn fork(&self) -> Self {
        self.clone()
    }
}

impl Marked for Graph {
    fn sets(&self) -> u32 {
        self.sets
    }

    fn passes_initial(&self) -> bool {
        self.passed[0]
    }

    fn marked_successors<V: MarkedVisitor>(&mut self, packed: &[u64], visitor: &mut V) {
        let state = self.state(packed);
        if self.end == Some(state) {
            visitor.fault(FaultKind::ClaimEnded, Path::NONE);
        }
        for &(target, marks) in &self.edges[state] {
            let to = Towards { marks: Marks(marks), passes: self.passed[target] };
            visitor.next(&words(target), WORDS as u32 * 64, to, Path::NONE);
        }
    }
}

/// Which states can be reached from which, by steps.
fn reachable(graph: &Graph) -> Vec<Vec<bool>> {
    let count = graph.edges.len();
    let mut reach = vec![vec![false; count]; count];
    for (from, row) in reach.iter_mut().enumerate() {
        let mut work = vec![from];
        while let Some(state) = work.pop() {
            for &(target, _) in &graph.edges[state] {
                if !std::mem::replace(&mut row[target], true) {
                    work.push(target);
                }
            }
        }
    }
    reach
}

/// Whether there is an accepting run, by the definition; and how many states there are.
fn oracle(graph: &Graph) -> (bool, u64) {
    let reach = reachable(graph);
    let reached = |state: usize| state == 0 || reach[0][state];
    let states = (0..graph.edges.len()).filter(|&state| reached(state)).count() as u64;
    let accepting = (0..graph.edges.len()).any(|state| {
        reached(state) && (graph.end == Some(state) || has_accepting_cycle(graph, &reach, state))
    });
    (accepting, states)
}

/// Whether the component of a state has an accepting cycle.
fn has_accepting_cycle(graph: &Graph, reach: &[Vec<bool>], state: usize) -> bool {
    let all = Marks::all(graph.sets).0;
    let inside = |other: usize| reach[state][other] && reach[other][state];
    let edges = graph.edges.iter().enumerate().filter(|(from, _)| inside(*from));
    let marks = edges
        .flat_map(|(_, edges)| edges)
        .filter(|(target, _)| inside(*target))
        .fold(0, |marks, (_, more)| marks | more);
    reach[state][state] && marks & all == all
}

/// A run is one of the graph, and accepting.
fn confirm(graph: &Graph, accepting: &Accepting) {
    let edge = |from: usize, to: usize| {
        let marks = graph.edges[from].iter().filter(|(target, _)| *target == to);
        // Any of several edges may have been meant.
        let all = marks.map(|(_, marks)| *marks).collect::<Vec<_>>();
        assert!(!all.is_empty(), "no step from {from} to {to}");
        all.into_iter().fold(0, |marks, more| marks | more)
    };
    match accepting {
        Accepting::Prefix { states, .. } => {
            let states: Vec<_> = states.iter().map(|words| graph.state(words)).collect();
            assert_eq!(states[0], 0);
            states.windows(2).for_each(|pair| {
                edge(pair[0], pair[1]);
            });
            assert_eq!(states.last().copied(), graph.end);
        }
        Accepting::Lasso { stem, cycle } => {
            let states: Vec<_> = stem.iter().chain(cycle).map(|words| graph.state(words)).collect();
            assert_eq!(states[0], 0);
            let back = states[stem.len()];
            let mut met = 0;
            for at in 0..states.len() {
                let next = states.get(at + 1).copied().unwrap_or(back);
                let marks = edge(states[at], next);
                met |= if at >= stem.len() { marks } else { 0 };
            }
            assert!(Marks::all(graph.sets).within(Marks(met)), "{states:?} from {}", stem.len());
        }
    }
}

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

fn run(graph: &Graph, threads: usize, few: Option<u64>, seed: u64) -> Emptiness {
    let threads = NonZeroUsize::new(threads).expect("a thread");
    let settings = Settings {
        threads,
        most_states: few,
        memory: 1 << 24,
        alone: 0,
        seed,
        ..Settings::new(Wanted::PROPERTY)
    };
    search(&mut graph.clone(), &settings, &mut Patient)
}

/// Sparse graphs have many components, dense ones a large one.
fn random(seed: u64) -> Graph {
    let mut random = StdRng::seed_from_u64(seed);
    let count = random.random_range(1..60);
    let sets = random.random_range(0..4);
    let degree = [1.1, 1.6, 2.5, 4.0][random.random_range(0..4)];
    let chance = [0.02, 0.1, 0.4][random.random_range(0..3)];
    let backwards = [0.0, 0.1, 0.5][random.random_range(0..3)];
    let mut edges = vec![Vec::new(); count];
    for _ in 0..(count as f64 * degree) as usize {
        let (one, other) = (random.random_range(0..count), random.random_range(0..count));
        let back = random.random_range(0.0..1.0) < backwards;
        let (from, to) = if back == (one < other) { (other, one) } else { (one, other) };
        let mark = |set: u32, random: &mut StdRng| {
            u64::from(random.random_range(0.0..1.0) < chance) << set
        };
        let marks = (0..sets).fold(0, |marks, set| marks | mark(set, &mut random));
        if from != to || random.random_range(0..4) == 0 {
            edges[from].push((to, marks));
        }
    }
    let end = (random.random_range(0..8) == 0).then(|| random.random_range(0..count));
    let mut graph = Graph { edges: Arc::new(edges), sets, end, passed: Arc::default() };
    let reach = reachable(&graph);
    let (known, all) = (random.random_range(0..3), random.random_range(0..2) == 0);
    let passed = (0..count).map(|state| {
        let may_be = known > 0 && (all || random.random_range(0..2) == 0);
        may_be && !has_accepting_cycle(&graph, &reach, state)
    });
    graph.passed = Arc::new(passed.collect());
    graph
}

#[test]
fn the_answer_is_that_of_a_plain_decomposition() {
    let (mut yes, mut no, mut full) = (0, 0, 0);
    let many = if cfg!(debug_assertions) { 1000 } else { 5000 };
    for seed in 0..many {
        let graph = random(seed);
        let (expected, states) = oracle(&graph);
        *if expected { &mut yes } else { &mut no } += 1;
        for (threads, few) in
            [(1, None), (1, Some(6)), (2, None), (2, Some(6)), (4, None), (4, Some(6))]
        {
            let outcome = run(&graph, threads, few, seed);
            let what = format!("seed {seed}, {threads} threads, {few:?}: {outcome:?}");
            // States of the path that are only passed must have room, too.
            if few.is_some() && outcome.cut == Some(Cut::Memory) && graph.passed.contains(&true) {
                full += 1;
                continue;
            }
            assert_eq!(outcome.cut, None, "{what}");
            assert_eq!(outcome.found.is_some(), expected, "{what}");
            match &outcome.found {
                Some(accepting) => confirm(&graph, accepting),
                None if few.is_none() => assert_eq!(outcome.counts.states, states, "{what}"),
                None => assert!(outcome.counts.states >= states, "{what}"),
            }
        }
    }
    assert!(yes > many / 5 && no > many / 5 && full < many, "{yes} {no} {full}");
}

/// With a filter of so many bits, if that is said.
fn run_nested(graph: &Graph, bits: Option<u64>, depth: Option<u64>) -> (Emptiness, f64) {
    let settings =
        Settings { memory: 1 << 22, most_states: bits, depth, ..Settings::new(Wanted::PROPERTY) };
    let (outcome, omission) = nested::search(&mut graph.clone(), &settings, 3, &mut Patient);
    (outcome, omission.expect("an estimate").expected)
}

#[test]
fn a_nested_search_with_room_finds_the_same() {
    let many = if cfg!(debug_assertions) { 1000 } else { 5000 };
    let (mut yes, mut shallow) = (0, 0);
    for seed in 0..many {
        let graph = random(seed);
        let (expected, states) = oracle(&graph);
        let (outcome, omitted) = run_nested(&graph, None, None);
        let what = format!("seed {seed}: {outcome:?}");
        assert!(outcome.cut.is_none() && omitted < 1e-6, "{what}");
        assert_eq!(outcome.found.is_some(), expected, "{what}");
        match &outcome.found {
            Some(accepting) => confirm(&graph, accepting),
            // A state may be met at any level.
            None => {
                let levels = u64::from(graph.sets) + 1;
                assert!((states..=states * levels).contains(&outcome.counts.states), "{what}");
            }
        }
        yes += u64::from(expected);
        let (outcome, _) = run_nested(&graph, None, Some(5));
        match &outcome.found {
            Some(accepting) => confirm(&graph, accepting),
            None => assert!(!expected || outcome.cut == Some(Cut::Depth), "{what}"),
        }
        shallow += u64::from(outcome.cut == Some(Cut::Depth));
    }
    assert!(yes > many / 5 && yes < many * 4 / 5 && shallow > many / 5, "{yes} {shallow}");
}

/// A small filter overlooks runs, no more often than it says; it never makes one up.
#[test]
fn a_nested_search_without_room_invents_nothing() {
    let (mut found, mut overlooked, mut likely) = (0, 0, 0.0);
    for seed in 0..2000 {
        let graph = random(seed);
        let (expected, _) = oracle(&graph);
        let (outcome, omitted) = run_nested(&graph, Some(64), None);
        assert_eq!(outcome.cut, None, "seed {seed}");
        likely += omitted.min(1.0);
        match &outcome.found {
            Some(accepting) => {
                assert!(expected, "seed {seed}: {outcome:?}");
                confirm(&graph, accepting);
                found += 1;
            }
            None => overlooked += u32::from(expected),
        }
    }
    let told = format!("{found} found, {overlooked} overlooked, {likely} likely");
    assert!(found > 100 && overlooked > 10 && f64::from(overlooked) < likely + 20.0, "{told}");
}

#[test]
fn a_lasso_is_short() {
    // A detour of ten states beside a direct way into a cycle of two, all in one component.
    let mut edges = vec![vec![(1, 0), (11, 0)]];
    edges.extend((1..11).map(|state| vec![(state + 1, 0)]));
    edges.push(vec![(12, 1)]);
    edges.push(vec![(11, 2), (0, 0)]);
    let passed = Arc::new(vec![false; edges.len()]);
    let graph = Graph { edges: Arc::new(edges), sets: 2, end: None, passed };
    for threads in [1, 2] {
        match run(&graph, threads, None, 7).found {
            Some(Accepting::Lasso { stem, cycle }) => {
                assert!(stem.len() + cycle.len() <= 3, "{} {}", stem.len(), cycle.len());
            }
            other => panic!("{other:?}"),
        }
    }
}
