//! Depth-first search with an explicit stack.
//!
//! A state is stored when it is generated, and explored when its turn comes; the states being
//! explored form a path from the initial state, which is the evidence when something is wrong.
//!
//! Hidden variables are not part of a state, so what is found depends on the way a state was
//! reached first. For models with hidden variables the order is SPIN's: a next state is stored only
//! when its turn comes.

use crate::control::{Counts, Cut, Observer, Outcome, PATIENCE, Settings, Violation, Wanted};
use crate::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_store::{Exact, Insert};

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
    let hidden = current.len() - system.visible(&current).len();
    loop {
        // Explore `current`, which is the last state of the path.
        let start = words.len();
        words.extend_from_slice(&current);
        let mut collector = Collector {
            store: &mut store,
            counts: &mut counts,
            words: &mut words,
            hidden,
            wanted: settings.wanted,
            fault: None,
        };
        system.successors(&current, &mut collector);
        let fault = collector.fault;
        if hidden > 0 {
            reverse_waiting(&mut words, start + current.len());
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

/// Turns the order of the waiting states behind a place, so that the first comes first.
fn reverse_waiting(words: &mut Vec<u64>, from: usize) {
    let waiting = words.split_off(from);
    let mut end = waiting.len();
    while end > 0 {
        let length = waiting[end - 1] as usize;
        words.extend_from_slice(&waiting[end - 1 - length..end]);
        end -= length + 1;
    }
}

/// Stores next states and keeps the new ones.
struct Collector<'a> {
    store: &'a mut Exact,
    counts: &'a mut Counts,
    words: &'a mut Vec<u64>,
    hidden: usize,
    wanted: Wanted,
    fault: Option<(FaultKind, Vec<Step>)>,
}

impl Visitor for Collector<'_> {
    #[inline]
    fn next(&mut self, words: &[u64], _: Path<'_>) {
        if self.hidden > 0 {
            self.words.extend_from_slice(words);
            self.words.push(words.len() as u64);
            return;
        }
        self.counts.transitions += 1;
        match self.store.insert(&words[self.hidden..]) {
            Insert::New => {
                self.counts.states += 1;
                self.words.extend_from_slice(words);
                self.words.push(words.len() as u64);
            }
            Insert::Known => self.counts.matched += 1,
        }
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        if self.wanted.includes(&fault) {
            self.counts.errors += 1;
            if self.fault.is_none() {
                self.fault = Some((fault, path.steps()));
            }
        }
    }
}
