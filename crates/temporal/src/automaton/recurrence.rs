//! Deterministic Büchi automata, where the language has one.
//!
//! A language has a deterministic Büchi automaton iff it is a recurrence property. Given automata
//! of the language and of its complement this is decided without Safra's construction:
//!
//! 1. Pair every state of the complement's automaton with the subset of states that the same word
//!    reaches, and make every accepting component of the pairs fully accepting (Boker & Kupferman
//!    2011). What is accepted now may have grown. It has not iff the complement is a persistence
//!    property, which shows in that it still has no run in common with the language.
//! 2. Then a run is in the complement iff some path stays in accepting components for ever. The
//!    breakpoint construction (Miyano & Hayashi 1984) follows all these paths at once: the subset,
//!    and those of its members that have stayed since the last *breakpoint*, the moment when none
//!    was left. Infinitely many breakpoints mean that no path stays, so marking them gives the
//!    deterministic automaton of the language itself.

use super::Marks;
use super::components::accepting;
use super::letters::{Dense, Letters};
use super::product::is_disjoint;
use super::residual::merge_residuals;
use super::simulation::reduce_deterministic;
use super::weak::{Subsets, subsets};
use ahash::AHashMap;

/// What is known about a language that may be a recurrence property.
pub struct Recurrence {
    subsets: Subsets,
    /// For each subset and each of its members, whether the pair is in an accepting component, and
    /// which.
    component: Vec<Vec<Option<usize>>>,
    is_recurrence: bool,
    most_steps: usize,
}

impl Recurrence {
    /// Decides about the language of the first automaton, where the second accepts the other runs;
    /// none if that takes more steps than are granted.
    pub fn new(language: &Dense, complement: &Dense, most_steps: usize) -> Option<Self> {
        let subsets = subsets(complement, most_steps)?;
        let first: Vec<usize> = subsets
            .states
            .iter()
            .scan(0, |sum, states| {
                let start = *sum;
                *sum += states.len();
                Some(start)
            })
            .collect();
        let mut pairs = Dense {
            classes: complement.classes,
            sets: complement.sets,
            initial: Vec::new(),
            edges: vec![Vec::new(); subsets.states.iter().map(|states| states.len()).sum()],
        };
        if pairs.len() * complement.classes > 8 * most_steps {
            return None;
        }
        let place = |subset: usize, state: usize| {
            let found = subsets.states[subset].binary_search(&(state as u32));
            found.ok().map(|at| first[subset] + at)
        };
        for &state in &complement.initial {
            pairs.initial.extend(place(0, state));
        }
        for (subset, members) in subsets.states.iter().enumerate() {
            // Classes that lead to the same subset are one label.
            let mut labels: AHashMap<u32, Letters> = AHashMap::default();
            for (class, &next) in subsets.next[subset].iter().enumerate() {
                let none = || Letters::none(complement.classes);
                labels.entry(next).or_insert_with(none).insert(class);
            }
            for (at, &state) in members.iter().enumerate() {
                for edge in &complement.edges[state as usize] {
                    for (&next, letters) in &labels {
                        let common = edge.letters.common(letters);
                        if let Some(target) = place(next as usize, edge.target) {
                            pairs.add_edge(first[subset] + at, common, edge.marks, target);
                        }
                    }
                }
            }
        }
        let (parts, accepts) = accepting(&pairs);
        for (state, edges) in pairs.edges.iter_mut().enumerate() {
            for edge in edges {
                let stays = parts.of[edge.target] == parts.of[state] && accepts[parts.of[state]];
                edge.marks = if stays { Marks::one(0) } else { Marks::NONE };
            }
        }
        pairs.sets = 1;
        let component = subsets
            .states
            .iter()
            .zip(&first)
            .map(|(members, first)| {
                (0..members.len())
                    .map(|at| Some(parts.of[first + at]).filter(|&part| accepts[part]))
                    .collect()
            })
            .collect();
        let is_recurrence = is_disjoint(&pairs, language);
        Some(Self { subsets, component, is_recurrence, most_steps })
    }

    /// Whether the language has a deterministic Büchi automaton.
    pub fn is_recurrence(&self) -> bool {
        self.is_recurrence
    }

    /// The automaton: deterministic and complete, one set, on edges. None if the language has none,
    /// or it is too large.
    pub fn automaton(&self, complement: &Dense) -> Option<Dense> {
        if !self.is_recurrence {
            return None;
        }
        let classes = complement.classes;
        let start = |subset: usize| -> Vec<u32> {
            let members = self.subsets.states[subset].iter().zip(&self.component[subset]);
            members.filter(|(_, part)| part.is_some()).map(|(&state, _)| state).collect()
        };
        let component = |subset: usize, state: u32| {
            let at = self.subsets.states[subset].binary_search(&state).ok()?;
            self.component[subset][at]
        };
        let mut dense = Dense { classes, sets: 1, initial: vec![0], edges: Vec::new() };
        let mut states = vec![(0_usize, start(0))];
        let mut number: AHashMap<(usize, Vec<u32>), usize> = AHashMap::default();
        number.insert(states[0].clone(), 0);
        while dense.edges.len() < states.len() {
            if states.len() * classes > self.most_steps {
                return None;
            }
            let source = dense.edges.len();
            dense.edges.push(Vec::new());
            let (subset, staying) = states[source].clone();
            for class in 0..classes {
                let next = self.subsets.next[subset][class] as usize;
                let mut still: Vec<u32> = Vec::new();
                for &state in &staying {
                    let part = component(subset, state);
                    for edge in &complement.edges[state as usize] {
                        let target = edge.target as u32;
                        if edge.letters.contains(class) && component(next, target) == part {
                            still.push(target);
                        }
                    }
                }
                still.sort_unstable();
                still.dedup();
                let breakpoint = still.is_empty();
                if breakpoint {
                    still = start(next);
                }
                let target = *number.entry((next, still.clone())).or_insert_with(|| {
                    states.push((next, still));
                    states.len() - 1
                });
                let marks = if breakpoint { Marks::one(0) } else { Marks::NONE };
                let mut letters = Letters::none(classes);
                letters.insert(class);
                dense.add_edge(source, letters, marks, target);
            }
        }
        Some(dense)
    }
}

/// A small deterministic automaton of a language with one set, on edges; none if there is none, it
/// takes too many steps to find, or it is larger than wanted before states are merged by trial.
pub fn deterministic(
    language: &Dense,
    complement: &Dense,
    most_steps: usize,
    most_states: usize,
) -> Option<Dense> {
    let recurrence = Recurrence::new(language, complement, most_steps)?;
    let reduced = reduce_deterministic(&recurrence.automaton(complement)?);
    (reduced.len() <= most_states).then(|| merge_residuals(&reduced, language, complement))
}

impl Dense {
    /// The complement of a deterministic automaton with one set, as a nondeterministic one: guess
    /// when the last mark has been seen.
    #[must_use]
    pub fn complement_of_deterministic(&self) -> Self {
        let states = self.len();
        let sink = 2 * states;
        let mut dense = Self {
            classes: self.classes,
            sets: 1,
            initial: self.initial.clone(),
            edges: vec![Vec::new(); sink + 1],
        };
        let all = (0..self.classes).fold(Letters::none(self.classes), |mut all, class| {
            all.insert(class);
            all
        });
        dense.add_edge(sink, all.clone(), Marks::one(0), sink);
        if dense.initial.is_empty() {
            dense.initial.push(sink);
        }
        for (state, edges) in self.edges.iter().enumerate() {
            let mut missing = all.clone();
            for edge in edges {
                missing.remove(&edge.letters);
                dense.add_edge(state, edge.letters.clone(), Marks::NONE, edge.target);
                if edge.marks == Marks::NONE && self.sets > 0 {
                    let (letters, again) = (edge.letters.clone(), edge.target + states);
                    dense.add_edge(state, letters.clone(), Marks::NONE, again);
                    dense.add_edge(state + states, letters, Marks::one(0), again);
                }
            }
            dense.add_edge(state, missing.clone(), Marks::NONE, sink);
            dense.add_edge(state + states, missing, Marks::NONE, sink);
        }
        dense
    }
}
