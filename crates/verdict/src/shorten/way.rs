//! The way that is being shortened: states, and the steps between them as a search takes them.

use super::attempt::Turning;
use crate::cycle::is_at_rest;
use crate::trace::between;
use ahash::RandomState;
use pverify_semantics::Engine;
use pverify_semantics::successors::Step;
use std::collections::HashMap;

/// States and the steps between them; a path through an atomic block is one.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) states: Vec<Vec<u64>>,
    /// One fewer than states.
    pub(super) steps: Vec<Vec<Step>>,
    /// For an infinite run: the state from which on it is repeated, which the last one is too. Where
    /// that is the last one, nothing can move there.
    pub(super) turn: Option<usize>,
}

impl Way {
    /// The way through states; `None` if one does not follow from the one before. A cycle where
    /// nothing moves keeps one of its states.
    pub(super) fn of(
        engine: &mut Engine<'_>,
        states: &[Vec<u64>],
        turn: Option<usize>,
    ) -> Option<Self> {
        let mut way = Self { states: vec![states.first()?.clone()], steps: Vec::new(), turn };
        for pair in states.windows(2) {
            match between(engine, &pair[0], &pair[1]) {
                Some(steps) => way.push(steps, pair[1].clone()),
                None if pair[0] == pair[1] && is_at_rest(engine, &pair[0]) => {
                    way.turn = Some(way.steps.len());
                }
                None => return None,
            }
        }
        Some(way)
    }

    pub(super) fn push(&mut self, steps: Vec<Step>, state: Vec<u64>) {
        self.steps.push(steps);
        self.states.push(state);
    }

    /// How many elementary steps it has.
    pub(super) fn length(&self) -> u64 {
        self.steps.iter().map(|steps| steps.len() as u64).sum()
    }

    /// The beginning, up to a state.
    pub(super) fn beginning(&self, to: usize) -> Self {
        let (states, steps) = (self.states[..=to].to_vec(), self.steps[..to].to_vec());
        Self { states, steps, turn: self.turn }
    }

    /// The beginning, and another way to go on from there.
    pub(super) fn turned(&self, turning: Turning) -> Self {
        let mut new = self.beginning(turning.from);
        new.steps.extend(turning.steps);
        new.states.extend(turning.states);
        new
    }

    /// Goes on as another way does from a state on, up to another.
    pub(super) fn extend(&mut self, other: &Self, from: usize, to: usize) {
        self.steps.extend_from_slice(&other.steps[from..to]);
        self.states.extend_from_slice(&other.states[from + 1..=to]);
    }

    /// The states before the cycle, and those of the cycle; of a way that is none, all and none.
    pub(super) fn parts(&self) -> (&[Vec<u64>], &[Vec<u64>]) {
        match self.turn {
            None => (&self.states, &[]),
            Some(turn) => {
                let (stem, cycle) = self.states.split_at(turn);
                (stem, &cycle[..(cycle.len() - 1).max(1)])
            }
        }
    }
}

/// Finds states of a way.
#[derive(Debug)]
pub(super) struct Places {
    hasher: RandomState,
    /// The last state with a hash.
    last: HashMap<u64, usize, RandomState>,
}

impl Places {
    pub(super) fn of(way: &Way) -> Self {
        // The same on every machine: what is found decides what is shown.
        let hasher = RandomState::with_seeds(1, 2, 3, 4);
        let mut last = HashMap::with_hasher(hasher.clone());
        for (at, state) in way.states.iter().enumerate() {
            last.insert(hasher.hash_one(state), at);
        }
        Self { hasher, last }
    }

    /// The last place where a way has a state.
    pub(super) fn last(&self, way: &Way, state: &[u64]) -> Option<usize> {
        let at = *self.last.get(&self.hasher.hash_one(state))?;
        (way.states[at] == state).then_some(at)
    }
}
