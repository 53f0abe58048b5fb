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
use super::{Automaton, Marks, StateId};
use ahash::AHashMap;

/// An equivalent automaton with one set, all edges of a state marked or none.
pub fn degeneralize(automaton: &Automaton) -> Automaton {
    if let Some(alphabet) = Alphabet::of([automaton]) {
        let dense = degeneralize_dense(&Dense::new(automaton, &alphabet));
        return dense.to_automaton(&automaton.vocabulary, &alphabet);
    }
    // Too many classes of letters for the reductions: the construction alone.
    let levels = Levels::new(&automaton.skeleton());
    let mut result =
        Automaton { sets: 1, initial: Vec::new(), edges: Vec::new(), ..automaton.clone() };
    result.initial = levels.initial.iter().map(|&state| StateId(state as u32)).collect();
    for (state, leaving) in levels.edges.iter().enumerate() {
        result.add_state();
        for step in leaving {
            let label = automaton.edges[levels.states[state].0][step.edge].label.clone();
            let (source, target) = (StateId(state as u32), StateId(step.target as u32));
            result.add_edge(source, label, step.marks, target);
        }
    }
    result
}

/// The same over classes of letters.
pub fn degeneralize_dense(dense: &Dense) -> Dense {
    let plain = dense.trimmed().with_few_marks(Between::None);
    let reduced = |dense: &Dense| {
        let levels = Levels::new(dense);
        let mut result = Dense {
            classes: dense.classes,
            sets: 1,
            initial: levels.initial,
            edges: vec![Vec::new(); levels.states.len()],
        };
        for (state, leaving) in levels.edges.iter().enumerate() {
            for step in leaving {
                let letters = dense.edges[levels.states[state].0][step.edge].letters.clone();
                result.add_edge(state, letters, step.marks, step.target);
            }
        }
        reduce_state_based(&result)
    };
    let (one, other) = (reduced(&plain), reduced(&plain.with_uniform_marks()));
    if other.len() < one.len() { other } else { one }
}

/// The construction without labels.
struct Levels {
    /// States with the number of sets met.
    states: Vec<(usize, u32)>,
    initial: Vec<usize>,
    edges: Vec<Vec<Step>>,
}

/// An edge: which one of its state it was, and where it leads now.
struct Step {
    edge: usize,
    marks: Marks,
    target: usize,
}

impl Levels {
    fn new(dense: &Dense) -> Self {
        let (parts, accepts) = accepting(dense);
        let last = dense.sets;
        let mut levels = Self { states: Vec::new(), initial: Vec::new(), edges: Vec::new() };
        let mut number: AHashMap<(usize, u32), usize> = AHashMap::default();
        let mut meet = |pair, states: &mut Vec<_>| {
            *number.entry(pair).or_insert_with(|| {
                states.push(pair);
                states.len() - 1
            })
        };
        for &state in &dense.initial {
            let first = meet((state, 0), &mut levels.states);
            levels.initial.push(first);
        }
        while levels.edges.len() < levels.states.len() {
            let (state, level) = levels.states[levels.edges.len()];
            let inside = accepts[parts.of[state]];
            let marks = if level == last && inside { Marks::one(0) } else { Marks::NONE };
            let mut leaving = Vec::new();
            for (at, edge) in dense.edges[state].iter().enumerate() {
                let mut reached = 0;
                if inside && parts.of[edge.target] == parts.of[state] {
                    reached = if level == last { 0 } else { level };
                    while reached < last && edge.marks.contains(reached) {
                        reached += 1;
                    }
                }
                let target = meet((edge.target, reached), &mut levels.states);
                leaving.push(Step { edge: at, marks, target });
            }
            levels.edges.push(leaving);
        }
        levels
    }
}
