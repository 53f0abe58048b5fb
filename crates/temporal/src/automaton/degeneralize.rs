//! From several acceptance sets to one, on states: what nested searches and `never` claims need.
//!
//! A state remembers how many sets, in order, have been met; at the last it is accepting and starts
//! anew. The count restarts where a run enters another component, since what was met before does
//! not matter; in a component that accepts everything it stays at the end (Gastin & Oddoux 2001,
//! Babiak et al. 2013).

use super::components::accepting;
use super::letters::{Alphabet, Dense};
use super::marks::Between;
use super::simulation::reduce_state_based;
use super::{Automaton, Marks};
use ahash::AHashMap;

/// An equivalent automaton with one set, all edges of a state marked or none.
pub fn degeneralize(automaton: &Automaton) -> Automaton {
    let alphabet = Alphabet::for_reductions(automaton);
    let dense = Dense::new(automaton, &alphabet);
    degeneralize_dense(&dense).to_automaton(&automaton.vocabulary, &alphabet)
}

/// The same over classes of letters.
pub fn degeneralize_dense(dense: &Dense) -> Dense {
    let plain = dense.trimmed().with_few_marks(Between::None);
    let (one, other) = (levels(&plain), levels(&plain.with_uniform_marks()));
    if other.len() < one.len() { other } else { one }
}

fn levels(dense: &Dense) -> Dense {
    let (parts, accepts) = accepting(dense);
    let last = dense.sets;
    let mut result =
        Dense { classes: dense.classes, sets: 1, initial: Vec::new(), edges: Vec::new() };
    let mut number: AHashMap<(usize, u32), usize> = AHashMap::default();
    let mut states: Vec<(usize, u32)> = Vec::new();
    let mut meet = |pair, states: &mut Vec<_>| {
        *number.entry(pair).or_insert_with(|| {
            states.push(pair);
            states.len() - 1
        })
    };
    for &state in &dense.initial {
        let first = meet((state, 0), &mut states);
        result.initial.push(first);
    }
    while result.edges.len() < states.len() {
        let (state, level) = states[result.edges.len()];
        let source = result.edges.len();
        result.edges.push(Vec::new());
        let marks =
            if level == last && accepts[parts.of[state]] { Marks::one(0) } else { Marks::NONE };
        for edge in &dense.edges[state] {
            let reached = if parts.of[edge.target] != parts.of[state] || !accepts[parts.of[state]] {
                0
            } else {
                let mut reached = if level == last { 0 } else { level };
                while reached < last && edge.marks.contains(reached) {
                    reached += 1;
                }
                reached
            };
            let target = meet((edge.target, reached), &mut states);
            result.add_edge(source, edge.letters.clone(), marks, target);
        }
    }
    reduce_state_based(&result)
}
