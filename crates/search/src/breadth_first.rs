//! Breadth-first search: the first fault it meets is one of those nearest to the initial state.

use crate::control::{
    Counts, Cut, Observer, Outcome, PATIENCE, Settings, Violation, Wanted, ends_path,
};
use crate::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_store::{Exact, Insert};

/// A state that was met: where its words are, and which state led to it.
#[derive(Clone, Copy)]
struct Node {
    start: usize,
    length: u32,
    before: u32,
}

const NOBODY: u32 = u32::MAX;

/// Explores everything reachable, near first.
pub fn search<S: System>(
    system: &mut S,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Outcome {
    let initial = system.initial();
    let hidden = initial.len() - system.visible(&initial).len();
    let mut store = Exact::default();
    store.insert(system.visible(&initial));
    let mut counts = Counts { states: 1, ..Counts::default() };
    let mut nodes = vec![Node { start: 0, length: initial.len() as u32, before: NOBODY }];
    let mut words = initial;
    let mut current: Vec<u64> = Vec::new();
    let (mut cut, mut violation) = (None, None);
    let mut at = 0usize;
    let mut level_end = 1usize;
    while at < nodes.len() {
        if at == level_end {
            counts.max_depth += 1;
            level_end = nodes.len();
            if settings.depth.is_some_and(|most| counts.max_depth > most) {
                cut = Some(Cut::Depth);
                break;
            }
        }
        let node = nodes[at];
        current.clear();
        current.extend_from_slice(&words[node.start..node.start + node.length as usize]);
        let mut collector = Collector {
            store: &mut store,
            counts: &mut counts,
            words: &mut words,
            nodes: &mut nodes,
            before: at as u32,
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
        if let Some((fault, steps)) = fault
            && violation.is_none()
        {
            violation = Some(Violation { fault, states: path(&nodes, &words, at), steps });
            if !settings.all_errors {
                break;
            }
        }
        at += 1;
        if (at as u64).is_multiple_of(PATIENCE) {
            counts.store_bytes = store.bytes();
            if !observer.go_on(&counts) {
                cut = Some(Cut::Stopped);
                break;
            }
            let used = store.bytes() + words.capacity() * 8 + nodes.capacity() * 16;
            if settings.memory.is_some_and(|most| used > most) || nodes.len() as u32 == NOBODY {
                cut = Some(Cut::Memory);
                break;
            }
        }
    }
    counts.store_bytes = store.bytes();
    Outcome { counts, violation, cut }
}

/// The states from the initial one to a node.
fn path(nodes: &[Node], words: &[u64], mut at: usize) -> Vec<Vec<u64>> {
    let mut states = Vec::new();
    loop {
        let node = nodes[at];
        states.push(words[node.start..node.start + node.length as usize].to_vec());
        if node.before == NOBODY {
            break;
        }
        at = node.before as usize;
    }
    states.reverse();
    states
}

struct Collector<'a> {
    store: &'a mut Exact,
    counts: &'a mut Counts,
    words: &'a mut Vec<u64>,
    nodes: &'a mut Vec<Node>,
    before: u32,
    hidden: usize,
    wanted: Wanted,
    fault: Option<(FaultKind, Vec<Step>)>,
    path_ends: bool,
}

impl Visitor for Collector<'_> {
    fn next(&mut self, words: &[u64], _: Path<'_>) {
        self.counts.transitions += 1;
        match self.store.insert(&words[self.hidden..]) {
            Insert::New => {
                self.counts.states += 1;
                let start = self.words.len();
                self.words.extend_from_slice(words);
                self.nodes.push(Node { start, length: words.len() as u32, before: self.before });
            }
            Insert::Known => self.counts.matched += 1,
        }
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
