//! Automata over infinite runs: transition-based generalized Büchi.
//!
//! A run is accepted if every acceptance set marks infinitely many of its edges. Without sets every
//! infinite path is accepting. Marks on edges need fewer states than marks on states (Couvreur 1999
//! §3, after Le Saëc); [`Automaton::state_marks`] is the view of an automaton whose states could
//! carry them.

pub mod components;
pub mod degeneralize;
pub mod letters;
pub mod marks;
pub mod product;
pub mod recurrence;
pub mod residual;
pub mod run;
pub mod simulation;
pub mod stutter;
pub mod weak;

use crate::boolean::{Function, Space};
use crate::formula::Vocabulary;

/// A state of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// Its number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of acceptance sets, at most 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marks(pub u64);

impl Marks {
    /// None.
    pub const NONE: Self = Self(0);
    /// How many sets there may be.
    pub const MOST: u32 = 64;

    /// The first `count` sets.
    pub const fn all(count: u32) -> Self {
        if count >= 64 { Self(u64::MAX) } else { Self((1 << count) - 1) }
    }

    /// One set; none if there is no such set.
    pub const fn one(set: u32) -> Self {
        if set < 64 { Self(1 << set) } else { Self(0) }
    }

    /// Whether a set is among them.
    pub const fn contains(self, set: u32) -> bool {
        set < 64 && self.0 >> set & 1 == 1
    }

    /// Whether all of these are among the others.
    pub const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The sets of both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The sets, ascending.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..64).filter(move |&set| self.contains(set))
    }
}

/// From a state with a letter to a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The letters: valuations of the atoms.
    pub label: Function,
    /// The acceptance sets that mark it.
    pub marks: Marks,
    /// Where it leads.
    pub target: StateId,
}

/// A transition-based generalized Büchi automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The atoms of its letters.
    pub vocabulary: Vocabulary,
    /// The family of its labels: one variable an atom, in the order of the vocabulary.
    pub space: Space,
    /// How many acceptance sets there are.
    pub sets: u32,
    /// Where runs begin.
    pub initial: Vec<StateId>,
    /// The edges of each state.
    pub edges: Vec<Vec<Edge>>,
}

/// States, edges and acceptance sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// States.
    pub states: usize,
    /// Edges: one per source, marks and target.
    pub edges: usize,
    /// Acceptance sets.
    pub sets: u32,
}

impl Automaton {
    /// An automaton without states; none if there are more atoms than a label can have.
    pub fn new(vocabulary: Vocabulary, sets: u32) -> Option<Self> {
        let space = Space::new(vocabulary.len())?;
        Some(Self { vocabulary, space, sets, initial: Vec::new(), edges: Vec::new() })
    }

    /// A new state without edges.
    pub fn add_state(&mut self) -> StateId {
        self.edges.push(Vec::new());
        StateId(self.edges.len() as u32 - 1)
    }

    /// Adds an edge; one with the same marks and target takes its letters too.
    pub fn add_edge(&mut self, source: StateId, label: Function, marks: Marks, target: StateId) {
        let Some(edges) = self.edges.get_mut(source.index()) else { return };
        if label.is_false() {
            return;
        }
        match edges.iter_mut().find(|edge| edge.marks == marks && edge.target == target) {
            Some(edge) => edge.label = edge.label.or(&label),
            None => edges.push(Edge { label, marks, target }),
        }
    }

    /// The states, ascending.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.edges.len() as u32).map(StateId)
    }

    /// The edges of a state.
    pub fn edges_of(&self, state: StateId) -> &[Edge] {
        self.edges.get(state.index()).map_or(&[], Vec::as_slice)
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        let edges = self.edges.iter().map(Vec::len).sum();
        Size { states: self.edges.len(), edges, sets: self.sets }
    }

    /// Whether every letter leads a state to at most one other, from one initial state.
    pub fn is_deterministic(&self) -> bool {
        self.initial.len() <= 1
            && self.edges.iter().all(|edges| {
                edges.iter().enumerate().all(|(at, edge)| {
                    edges[..at].iter().all(|other| !other.label.intersects(&edge.label))
                })
            })
    }

    /// Whether every letter leads every state somewhere.
    pub fn is_complete(&self) -> bool {
        !self.initial.is_empty()
            && self.edges.iter().all(|edges| {
                let none = self.space.constant(false);
                edges.iter().fold(none, |sum, edge| sum.or(&edge.label)).is_true()
            })
    }

    /// The marks of each state, where all edges of every state carry the same.
    pub fn state_marks(&self) -> Option<Vec<Marks>> {
        self.edges
            .iter()
            .map(|edges| {
                let first = edges.first().map_or(Marks::NONE, |edge| edge.marks);
                edges.iter().all(|edge| edge.marks == first).then_some(first)
            })
            .collect()
    }

    /// The same automaton with one initial state: where there are several or none, a new one with
    /// the edges of all. Nothing leads back to it, so it needs no marks.
    #[must_use]
    pub fn with_one_start(self) -> Self {
        if self.initial.len() == 1 {
            return self;
        }
        let mut automaton = self;
        let starts = std::mem::take(&mut automaton.initial);
        let start = automaton.add_state();
        automaton.initial.push(start);
        for edge in
            starts.iter().flat_map(|&state| automaton.edges_of(state).to_vec()).collect::<Vec<_>>()
        {
            automaton.add_edge(start, edge.label, Marks::NONE, edge.target);
        }
        automaton
    }

    /// The same automaton, complete: what led nowhere leads to a state that rejects.
    #[must_use]
    pub fn completed(&self) -> Self {
        let mut complete = self.clone();
        if complete.initial.is_empty() || !complete.is_complete() {
            // Without a set nothing could reject: one set that marks all that was there.
            if complete.sets == 0 {
                complete.sets = 1;
                for edge in complete.edges.iter_mut().flatten() {
                    edge.marks = Marks::one(0);
                }
            }
            let sink = complete.add_state();
            if complete.initial.is_empty() {
                complete.initial.push(sink);
            }
            for state in complete.states() {
                let none = complete.space.constant(false);
                let known =
                    complete.edges_of(state).iter().fold(none, |sum, edge| sum.or(&edge.label));
                complete.add_edge(state, known.not(), Marks::NONE, sink);
            }
        }
        complete
    }
}
