//! Small models, one for each corner of the language, with the numbers of states and transitions
//! that SPIN counts (`spin -a -o1 -o2 -o3`, `-DNOREDUCE -DSAFETY -DNOCOMP`, `pan -c0`).

mod atomic;
mod channels;
mod choices;
mod circles;
mod faults;
mod processes;
mod values;

use pverify_model::load::{Loaded, load_text};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use std::collections::{BTreeSet, HashSet};

/// The full search of a model has so many states and transitions, and meets these faults.
fn check(model: &str, states: usize, transitions: usize, faults: &[&str]) {
    let explored = explore(model);
    let found: Vec<&str> = explored.faults.into_iter().collect();
    let counts = (explored.states, explored.transitions);
    assert_eq!((counts, found.as_slice()), ((states, transitions), faults), "{model}");
}

/// The full search of a model meets a fault, among others perhaps.
fn check_fault(model: &str, fault: &str) {
    let faults = explore(model).faults;
    assert!(faults.contains(fault), "{model}\n{faults:?}");
}

struct Explored {
    states: usize,
    transitions: usize,
    faults: BTreeSet<&'static str>,
}

/// A depth-first search in SPIN's order, on which models with hidden variables depend.
fn explore(model: &str) -> Explored {
    let Loaded { model: machines, diagnostics, .. } = load_text(model);
    let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    assert!(errors.is_empty(), "{model}\n{errors:#?}");
    let mut engine = Engine::new(&machines);
    assert_eq!(engine.initial_faults, [], "{model}");
    let initial = engine.initial().to_vec();
    let mut known = HashSet::from([engine.visible(&initial).to_vec()]);
    let mut next = Next::default();
    engine.successors(&initial, &mut next);
    let mut transitions = 0;
    let mut waiting = next.in_reverse();
    while let Some(state) = waiting.pop() {
        transitions += 1;
        if known.insert(engine.visible(&state).to_vec()) {
            engine.successors(&state, &mut next);
            waiting.extend(next.in_reverse());
        }
    }
    Explored { states: known.len(), transitions, faults: next.faults }
}

/// What a state leads to.
#[derive(Default)]
struct Next {
    states: Vec<Vec<u64>>,
    faults: BTreeSet<&'static str>,
}

impl Next {
    fn in_reverse(&mut self) -> Vec<Vec<u64>> {
        std::mem::take(&mut self.states).into_iter().rev().collect()
    }
}

impl Visitor for Next {
    fn next(&mut self, words: &[u64], _: u32, _: Path<'_>) {
        self.states.push(words.to_vec());
    }

    fn fault(&mut self, fault: FaultKind, _: Path<'_>) {
        self.faults.insert(fault.name());
    }
}
