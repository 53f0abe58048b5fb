//! The first states, breadth first, and the ways to them.

use super::Settings;
use super::channels::{Channels, is_longer_within};
use ahash::AHashMap;
use pverify_search::control::{Counts, Observer, Progress};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};

/// So many states are looked at first.
pub(super) const FIRST: usize = 1024;

/// States in the order of a breadth-first search.
#[derive(Debug)]
pub(super) struct Explored {
    /// The states.
    pub(super) states: Vec<Vec<u64>>,
    /// For each but the first: the state before it, and the steps.
    before: Vec<(u32, Box<[Step]>)>,
    /// Whether these are all.
    pub(super) complete: bool,
    pub(super) counts: Counts,
}

impl Explored {
    /// The steps that lead to a state.
    pub(super) fn way(&self, mut at: usize) -> Vec<Step> {
        let mut parts = Vec::new();
        while at > 0 {
            let (before, steps) = &self.before[at];
            parts.push(steps);
            at = *before as usize;
        }
        parts.into_iter().rev().flat_map(|steps| steps.iter().copied()).collect()
    }
}

/// Explores so many states.
pub(super) fn explore(
    engine: &mut Engine<'_>,
    most: usize,
    settings: &Settings,
    channels: &mut Channels,
    observer: &mut dyn Observer,
) -> Explored {
    let initial = engine.initial().to_vec();
    channels.meet(engine, &initial, Some(0));
    let mut known: AHashMap<Vec<u64>, u32> = AHashMap::new();
    known.insert(initial.clone(), 0);
    let mut found = Explored {
        states: vec![initial],
        before: vec![(0, Box::default())],
        complete: true,
        counts: Counts { states: 1, ..Counts::default() },
    };
    let mut depths = vec![0];
    let mut at = 0;
    while at < found.states.len() {
        let depth = depths[at];
        found.counts.max_depth = found.counts.max_depth.max(depth as u64 + 1);
        if found.states.len() >= most || settings.depth.is_some_and(|most| depth as u64 >= most) {
            found.complete = false;
            if found.states.len() >= most {
                break;
            }
            at += 1;
            continue;
        }
        if at.is_multiple_of(1024) {
            let progress = Progress { counts: found.counts, ..Progress::default() };
            if !observer.go_on(&progress) {
                found.complete = false;
                break;
            }
        }
        let mut gather = Gather::default();
        let words = std::mem::take(&mut found.states[at]);
        engine.successors(&words, &mut gather);
        found.states[at] = words;
        // What comes after a step that fails is not known.
        found.complete &= !gather.failed;
        for (next, steps) in gather.next {
            found.counts.transitions += 1;
            if is_longer_within(engine.model, &steps) {
                let from = &found.states[at];
                match channels.lengths_within(engine, from, &steps, &next) {
                    Some(all) => all.into_iter().for_each(|(id, length)| channels.met(id, length)),
                    None => found.complete = false,
                }
            }
            if known.contains_key(&next) {
                found.counts.matched += 1;
                continue;
            }
            channels.meet(engine, &next, Some(depth + 1));
            known.insert(next.clone(), found.states.len() as u32);
            found.states.push(next);
            found.before.push((at as u32, steps));
            depths.push(depth + 1);
            found.counts.states += 1;
        }
        at += 1;
    }
    found
}

/// The next states of a state and the steps to them.
#[derive(Default)]
pub(super) struct Gather {
    pub(super) next: Vec<(Vec<u64>, Box<[Step]>)>,
    /// A step failed, so that what comes after it is not known.
    pub(super) failed: bool,
}

impl Visitor for Gather {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        self.next.push((words.to_vec(), path.steps().into_boxed_slice()));
    }

    fn fault(&mut self, fault: FaultKind, _: Path<'_>) {
        self.failed |= ends_path(&fault);
    }
}

/// Whether what comes after a fault is not known: it is a limit of ours, or the step fails.
pub(super) fn ends_path(fault: &FaultKind) -> bool {
    *fault != FaultKind::InvalidEndState && !fault.is_survivable()
}
