//! A search that is written down and taken up again: the same answer and the same counts.

use pverify_search::control::{Cut, Observer, Outcome, Progress, Settings, Visited, Wanted, Wrong};
use pverify_search::depth_first::{resume_with, search, search_with};
use pverify_search::hooks::{Hooks, Passing, Reachability, Sight, Stay, Target};
use pverify_search::random_graph::{Kind, Old, RandomGraph};
use pverify_search::snapshot::{Snapshot, Unusable};
use pverify_search::system::System;
use pverify_semantics::successors::Visitor;
use std::num::NonZeroUsize;

/// Wants a snapshot the first times it is asked, and stops the search when it has been asked so often.
struct Saver {
    patience: u32,
    /// Or when so many states have given way.
    replacements: u64,
    snapshots: Vec<Vec<u64>>,
}

impl Saver {
    fn new(patience: u32) -> Self {
        Self { patience, replacements: u64::MAX, snapshots: Vec::new() }
    }
}

impl Observer for Saver {
    fn go_on(&mut self, progress: &Progress) -> bool {
        self.patience = self.patience.saturating_sub(1);
        self.patience > 0 && progress.counts.replacements < self.replacements
    }

    fn wants_snapshot(&mut self) -> bool {
        self.patience < 100 && self.snapshots.len() < 6
    }

    fn save(&mut self, snapshot: &Snapshot<'_>) {
        let mut words = Vec::new();
        snapshot.write(&mut |word| words.push(word));
        self.snapshots.push(words);
    }
}

fn settings(threads: usize) -> Settings {
    Settings {
        threads: NonZeroUsize::new(threads).expect("at least one"),
        alone: 0,
        snapshots: true,
        ..Settings::new(Wanted { deadlocks: true, steps: true })
    }
}

fn resume<S: System, H: Hooks>(
    system: &mut S,
    hooks: &mut H,
    settings: &Settings,
    words: &[u64],
) -> Result<Outcome, Unusable> {
    let mut words = words.iter().copied();
    let mut take = || words.next().expect("what was written");
    let outcome = resume_with(system, hooks, settings, &mut take, &mut Saver::new(u32::MAX));
    assert!(outcome.is_err() || words.next().is_none());
    outcome
}

fn graph(seed: u64) -> RandomGraph {
    RandomGraph::new(Kind { degree: 5, most: 30_000, old: Old::Any }, seed).expect("a graph")
}

/// A search that was stopped when it had been asked so often. The first worker is asked, and the
/// others may have done all the work before it has its turn: then it is begun again.
fn stopped(graph: &RandomGraph, threads: usize, patience: u32) -> Saver {
    for _ in 0..1000 {
        let mut saver = Saver::new(patience);
        let outcome = search(&mut graph.again(), &settings(threads), &mut saver);
        if outcome.cut == Some(Cut::Stopped) && saver.snapshots.len() > 1 {
            return saver;
        }
        assert!(threads > 1, "one worker is asked for sure");
    }
    panic!("{threads} threads have always done everything unasked");
}

#[test]
fn a_search_goes_on_from_every_snapshot_with_any_number_of_workers() {
    for seed in 0..2 {
        for (before, after) in [(1, 1), (1, 3), (4, 1), (3, 2)] {
            let graph = graph(seed);
            let what = format!("seed {seed}, {before} threads, then {after}");
            for words in &stopped(&graph, before, 5).snapshots {
                let mut rest = graph.again();
                let last = resume(&mut rest, &mut Reachability, &settings(after), words);
                let last = last.expect("a snapshot");
                assert_eq!((last.cut, last.counts.states), (None, graph.nodes()), "{what}");
                let counts = last.counts;
                assert_eq!(counts.transitions, counts.states - 1 + counts.matched, "{what}");
                assert!(rest.explored() < graph.nodes(), "{what}");
            }
        }
    }
}

/// Who stops again before everything was taken up that others had held must write it down too.
#[test]
fn a_search_goes_on_that_was_stopped_again_and_again() {
    for seed in 0..4 {
        let graph = graph(seed);
        let all = search(&mut graph.again(), &settings(1), &mut Saver::new(u32::MAX)).counts;
        let mut words = stopped(&graph, 4, 3).snapshots.pop().expect("a snapshot");
        for _ in 0..3 {
            let mut from = words.iter().copied();
            let mut take = || from.next().expect("what was written");
            let (mut system, mut saver) = (graph.again(), Saver::new(2));
            resume_with(&mut system, &mut Reachability, &settings(1), &mut take, &mut saver)
                .expect("a snapshot");
            words = saver.snapshots.pop().unwrap_or(words);
        }
        let last = resume(&mut graph.again(), &mut Reachability, &settings(1), &words);
        let last = last.expect("a snapshot").counts;
        let counted = (last.states, last.transitions, last.matched);
        assert_eq!(counted, (all.states, all.transitions, all.matched), "seed {seed}");
    }
}

#[test]
fn what_is_wrong_behind_a_snapshot_is_found_by_the_whole_way() {
    for seed in 0..3 {
        let graph = graph(seed);
        for (before, after) in [(1, 1), (3, 2)] {
            let saver = stopped(&graph, before, 4);
            let words = saver.snapshots.last().expect("a snapshot");
            // Something that was not explored before.
            let mut rest = graph.again();
            resume(&mut rest, &mut Reachability, &settings(1), words).expect("a snapshot");
            let bad = (0..graph.nodes() as u32).rev().find(|&node| rest.has_explored(node));
            let bad = bad.expect("something was left");
            let mut rest = graph.with_bad(bad);
            let last = resume(&mut rest, &mut Reachability, &settings(after), words);
            let way = last.expect("a snapshot").violation.expect("it is there").way;
            let way: Vec<u32> = way.states().map(|state| state[0] as u32).collect();
            assert_eq!((way[0], way.last().copied()), (0, Some(bad)), "seed {seed}");
            assert!(way.windows(2).all(|two| graph.leads(two[0], two[1])), "seed {seed}");
        }
    }
}

#[test]
fn a_search_in_little_room_goes_on_and_sees_everything() {
    for seed in 0..3 {
        let graph = RandomGraph::new(Kind { degree: 6, most: 30_000, old: Old::First(10) }, seed);
        let graph = graph.expect("a graph");
        for (before, after) in [(1, 1), (3, 3)] {
            let what = format!("seed {seed}, {before} threads, then {after}");
            let little = |threads| Settings {
                most_states: Some(graph.nodes() * 30 / 100),
                ..settings(threads)
            };
            let system = graph.again();
            let mut saver = Saver { replacements: 100, ..Saver::new(u32::MAX) };
            let first = search(&mut system.clone(), &little(before), &mut saver);
            assert_eq!(first.cut, Some(Cut::Stopped), "{what}");
            assert!(first.counts.replacements > 0, "{what}");
            let words = saver.snapshots.last().expect("a snapshot");
            let last = resume(&mut system.clone(), &mut Reachability, &little(after), words);
            let last = last.expect("a snapshot");
            assert_eq!(last.cut, None, "{what}");
            assert_eq!(system.explored(), graph.nodes(), "{what}");
            assert!(last.counts.states >= graph.nodes(), "{what}");
        }
    }
}

#[test]
fn bits_are_written_down_too() {
    let graph = graph(1);
    let bits = |threads, memory| Settings {
        visited: Visited::Bitstate { hashes: 3 },
        memory,
        ..settings(threads)
    };
    let mut saver = Saver::new(4);
    search(&mut graph.again(), &bits(1, 16 << 20), &mut saver);
    let words = saver.snapshots.last().expect("a snapshot");
    let last = resume(&mut graph.again(), &mut Reachability, &bits(1, 16 << 20), words);
    assert_eq!(last.expect("a snapshot").counts.states, graph.nodes());
    let less = resume(&mut graph.again(), &mut Reachability, &bits(1, 4 << 20), words);
    assert_eq!(less.err(), Some(Unusable::Memory));
}

/// Every cycle must go through a node that can be divided by three.
struct Thirds;

impl Hooks for Thirds {
    const PASSING: Passing = Passing::Left;
    const SETS_ASIDE: bool = true;

    fn fork(&self) -> Self {
        Self
    }

    fn step(&mut self, to: &[u64]) -> Target {
        if to[0].is_multiple_of(3) { Target::Aside } else { Target::Below }
    }

    fn close(&mut self, _: u64) -> Sight {
        Sight::Violation
    }

    fn leave(&mut self, depth: u64) -> Stay {
        if depth == 1 { Stay::Permanent } else { Stay::Replaceable }
    }
}

#[test]
fn a_search_for_cycles_goes_on() {
    // Steps go up, and back to thirds only: no cycle is bad, until one is.
    let count = 60_000u32;
    let next = |node: u32| -> Vec<u32> {
        let up = [node + 1, node + 7, node * 2 + 1].into_iter().filter(|&next| next < count);
        up.chain([node / 5 / 3 * 3]).collect()
    };
    let good: Vec<Vec<u32>> = (0..count).map(next).collect();
    let mut bad = good.clone();
    bad[59_999].push(59_998);
    for (threads, successors) in [(1, &good), (3, &good), (1, &bad), (3, &bad)] {
        let graph = RandomGraph::with(successors.clone());
        let mut saver = Saver::new(4);
        let first = search_with(&mut graph.clone(), &mut Thirds, &settings(threads), &mut saver);
        if first.violation.is_some() {
            continue;
        }
        for words in &saver.snapshots {
            let last = resume(&mut graph.clone(), &mut Thirds, &settings(threads), words);
            let last = last.expect("a snapshot");
            match last.violation {
                None => assert_eq!((last.cut, last.counts.states), (None, graph.nodes())),
                Some(violation) => assert!(matches!(violation.wrong, Wrong::Cycle(_))),
            }
            let is_bad = successors[59_999] != good[59_999];
            assert_eq!(last.counts.errors > 0, is_bad, "{threads} threads");
        }
    }
}

/// A graph whose states hide how they were reached, and that remembers what it has given out.
#[derive(Clone)]
struct Hiding(RandomGraph, u64);

impl System for Hiding {
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
        struct Behind<'v, V>(u64, &'v mut V);
        impl<V: Visitor> Visitor for Behind<'_, V> {
            fn next(
                &mut self,
                words: &[u64],
                bits: u32,
                path: pverify_semantics::successors::Path<'_>,
            ) {
                self.1.next(&[&[(self.0 + 1) % 1000], words].concat(), bits, path);
            }
            fn fault(
                &mut self,
                fault: pverify_semantics::fault::FaultKind,
                path: pverify_semantics::successors::Path<'_>,
            ) {
                self.1.fault(fault, path);
            }
        }
        self.0.successors(&words[1..], &mut Behind(words[0], visitor));
    }

    fn fork(&self) -> Self {
        self.clone()
    }

    fn memo(&self) -> Vec<u64> {
        vec![self.1]
    }

    fn recall(&mut self, memo: &[u64]) -> bool {
        memo == [self.1]
    }
}

#[test]
fn hidden_words_are_written_down_and_other_systems_are_refused() {
    let graph = graph(2);
    let mut saver = Saver::new(4);
    let all = search(&mut Hiding(graph.again(), 7), &settings(1), &mut Saver::new(u32::MAX));
    search(&mut Hiding(graph.again(), 7), &settings(1), &mut saver);
    for words in &saver.snapshots {
        let last = resume(&mut Hiding(graph.again(), 7), &mut Reachability, &settings(1), words);
        assert_eq!(last.expect("a snapshot").counts, all.counts);
        let other = resume(&mut Hiding(graph.again(), 8), &mut Reachability, &settings(1), words);
        assert_eq!(other.err(), Some(Unusable::Foreign));
    }
}
