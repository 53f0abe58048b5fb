//! Depth-first search with an explicit stack.
//!
//! A state is stored when it is generated, and explored when its turn comes; the states being
//! explored form a path from the initial state, which is the evidence when something is wrong.
//!
//! Hidden variables are not part of a state, so what is found depends on the way a state was
//! reached first. For models with hidden variables the order is SPIN's: a next state is stored only
//! when its turn comes.

use crate::control::{
    Counts, Cut, Observer, Outcome, PATIENCE, Settings, Violation, Wanted, ends_path,
};
use crate::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_store::{Exact, Insert, hash};

/// A state on the path.
struct Frame {
    /// Where its words begin in the stack of words.
    start: usize,
    /// Behind it lie its new next states, each with its length first: those not yet explored.
    end: usize,
}

/// Explores everything reachable, deep first.
pub fn search<S: System>(
    system: &mut S,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Outcome {
    let initial = system.initial();
    let mut store = Exact::default();
    store.insert(system.visible(&initial));
    let mut counts = Counts { states: 1, ..Counts::default() };
    let mut cut = None;
    let mut violation = None;
    // Words of the path's states and, between them, of next states that wait for their turn.
    let mut words: Vec<u64> = Vec::new();
    let mut frames: Vec<Frame> = Vec::new();
    let mut current = initial;
    let mut patience = PATIENCE;
    let mut batch = Batch::default();
    let hidden = current.len() - system.visible(&current).len();
    loop {
        // Explore `current`, which is the last state of the path.
        let start = words.len();
        words.extend_from_slice(&current);
        let mut collector = Collector {
            store: &store,
            batch: &mut batch,
            counts: &mut counts,
            hidden,
            wanted: settings.wanted,
            fault: None,
            path_ends: false,
        };
        system.successors(&current, &mut collector);
        let fault = collector.fault;
        if collector.path_ends {
            cut = Some(Cut::Fault);
        }
        if hidden > 0 {
            batch.reversed(&mut words);
        } else {
            batch.store(&mut store, &mut counts, &mut words);
        }
        frames.push(Frame { start, end: start + current.len() });
        let depth = frames.len() as u64;
        counts.max_depth = counts.max_depth.max(depth);
        if let Some((fault, steps)) = fault
            && violation.is_none()
        {
            let path = frames.iter().map(|f| words[f.start..f.end].to_vec());
            violation = Some(Violation { fault, states: path.collect(), steps });
            if !settings.all_errors {
                break;
            }
        }
        patience -= 1;
        if patience == 0 {
            patience = PATIENCE;
            counts.store_bytes = store.bytes();
            if !observer.go_on(&counts) {
                cut = Some(Cut::Stopped);
                break;
            }
            let used = store.bytes() + words.capacity() * 8 + frames.capacity() * 16;
            if settings.memory.is_some_and(|most| used > most) {
                cut = Some(Cut::Memory);
                break;
            }
        }
        // The next state whose turn it is; paths that are done are left.
        let mut found = false;
        while let Some(frame) = frames.last() {
            if words.len() > frame.end {
                let length = words[words.len() - 1] as usize;
                let from = words.len() - 1 - length;
                current.clear();
                current.extend_from_slice(&words[from..from + length]);
                words.truncate(from);
                if hidden > 0 {
                    counts.transitions += 1;
                    if store.insert(&current[hidden..]) == Insert::Known {
                        counts.matched += 1;
                        continue;
                    }
                    counts.states += 1;
                }
                if settings.depth.is_some_and(|most| frames.len() as u64 > most) {
                    cut = Some(Cut::Depth);
                    continue;
                }
                found = true;
                break;
            }
            words.truncate(frame.start);
            frames.pop();
        }
        if !found {
            break;
        }
    }
    counts.store_bytes = store.bytes();
    Outcome { counts, violation, cut }
}

/// The next states of one state. They are gathered first, so that the memory that storing them
/// will look at is on its way while the others are made.
#[derive(Default)]
struct Batch {
    words: Vec<u64>,
    /// Where each ends, and its hash.
    states: Vec<(usize, u64)>,
}

impl Batch {
    /// Stores the states; the new ones wait for their turn behind the path.
    fn store(&mut self, store: &mut Exact, counts: &mut Counts, waiting: &mut Vec<u64>) {
        let mut start = 0;
        if self.states.len() > 1 {
            for &(end, hash) in &self.states {
                store.expect_state(end - start, hash);
                start = end;
            }
            start = 0;
        }
        for &(end, hash) in &self.states {
            let state = &self.words[start..end];
            start = end;
            counts.transitions += 1;
            match store.insert_hashed(state, hash) {
                Insert::New => {
                    counts.states += 1;
                    waiting.extend_from_slice(state);
                    waiting.push(state.len() as u64);
                }
                Insert::Known => counts.matched += 1,
            }
        }
        self.words.clear();
        self.states.clear();
    }

    /// Lets all states wait, the first to come first.
    fn reversed(&mut self, waiting: &mut Vec<u64>) {
        while let Some((end, _)) = self.states.pop() {
            let start = self.states.last().map_or(0, |&(end, _)| end);
            waiting.extend_from_slice(&self.words[start..end]);
            waiting.push((end - start) as u64);
        }
        self.words.clear();
    }
}

/// Gathers next states and the first fault.
struct Collector<'a> {
    store: &'a Exact,
    batch: &'a mut Batch,
    counts: &'a mut Counts,
    hidden: usize,
    wanted: Wanted,
    fault: Option<(FaultKind, Vec<Step>)>,
    path_ends: bool,
}

impl Visitor for Collector<'_> {
    #[inline]
    fn next(&mut self, words: &[u64], _: Path<'_>) {
        let hash = hash(&words[self.hidden..]);
        self.store.expect(words.len() - self.hidden, hash);
        self.batch.words.extend_from_slice(words);
        self.batch.states.push((self.batch.words.len(), hash));
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.path_ends |= ends_path(&fault);
        if self.wanted.includes(&fault) {
            self.counts.errors += 1;
            if self.fault.is_none() {
                self.fault = Some((fault, path.steps()));
            }
        }
    }
}
