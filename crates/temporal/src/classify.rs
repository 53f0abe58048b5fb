//! Where a formula stands in the hierarchy of Manna & Pnueli, and what that is good for.
//!
//! A safety formula can be checked by plain reachability, a recurrence formula by deterministic
//! Büchi acceptance, anything by an emptiness check. All questions are asked of the automata of the
//! formula and of its negation: they are safety and guarantee if forgetting the acceptance of one
//! adds no run (Alpern & Schneider 1987), recurrence and persistence as [`recurrence`] explains, and
//! obligations are what is both.
//!
//! [`recurrence`]: crate::automaton::recurrence

use crate::automaton::letters::{Alphabet, Dense};
use crate::automaton::product::is_disjoint;
use crate::automaton::recurrence::{Recurrence, deterministic};
use crate::automaton::residual::merge_residuals;
use crate::automaton::simulation::reduce_state_based;
use crate::automaton::weak::{MOST_STEPS, minimal_weak};
use crate::automaton::{Automaton, Marks, degeneralize, stutter};
use crate::formula::implication::Implications;
use crate::formula::simplify::simplify;
use crate::formula::{FormulaId, Formulas};
use crate::translate::Translation;
use std::fmt;

/// A class of the hierarchy; each formula is in the smallest class named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Both safety and guarantee: decided after a bounded number of steps.
    Bounded,
    /// A violation shows after finitely many steps.
    Safety,
    /// Satisfaction shows after finitely many steps.
    Guarantee,
    /// A boolean combination of safety and guarantee.
    Obligation,
    /// Something good happens infinitely often: has a deterministic Büchi automaton.
    Recurrence,
    /// Something bad happens only finitely often: its negation is recurrence.
    Persistence,
    /// None of these.
    Reactivity,
}

impl Class {
    /// The letter that lists of formulas use.
    pub const fn letter(self) -> char {
        match self {
            Self::Bounded => 'B',
            Self::Safety => 'S',
            Self::Guarantee => 'G',
            Self::Obligation => 'O',
            Self::Recurrence => 'R',
            Self::Persistence => 'P',
            Self::Reactivity => 'T',
        }
    }

    /// Whether a violation always shows after finitely many steps.
    pub const fn is_safety(self) -> bool {
        matches!(self, Self::Bounded | Self::Safety)
    }

    /// Whether there is a deterministic Büchi automaton.
    pub const fn is_recurrence(self) -> bool {
        !matches!(self, Self::Persistence | Self::Reactivity)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Bounded => "safety and guarantee",
            Self::Safety => "safety",
            Self::Guarantee => "guarantee",
            Self::Obligation => "obligation",
            Self::Recurrence => "recurrence",
            Self::Persistence => "persistence",
            Self::Reactivity => "reactivity",
        })
    }
}

/// The automata of a formula and its negation over common classes of letters.
#[derive(Clone, Debug)]
pub struct Classifier<'a> {
    translation: &'a Translation,
    alphabet: Alphabet,
    positive: Dense,
    negative: Dense,
}

impl<'a> Classifier<'a> {
    /// Prepares the questions; none if the labels cut the letters into too many classes.
    pub fn new(translation: &'a Translation) -> Option<Self> {
        let alphabet = Alphabet::of([&translation.positive, &translation.negative])?;
        let positive = Dense::new(&translation.positive, &alphabet).trimmed();
        let negative = Dense::new(&translation.negative, &alphabet).trimmed();
        Some(Self { translation, alphabet, positive, negative })
    }

    /// The class of the formula; none if deciding takes too long.
    pub fn class(&self) -> Option<Class> {
        let safety = is_disjoint(&closure(&self.positive), &self.negative);
        let guarantee = is_disjoint(&closure(&self.negative), &self.positive);
        match (safety, guarantee) {
            (true, true) => return Some(Class::Bounded),
            (true, false) => return Some(Class::Safety),
            (false, true) => return Some(Class::Guarantee),
            (false, false) => {}
        }
        if minimal_weak(&self.positive, &self.negative).is_some() {
            return Some(Class::Obligation);
        }
        let recurrence =
            Recurrence::new(&self.positive, &self.negative, MOST_STEPS)?.is_recurrence();
        let persistence =
            Recurrence::new(&self.negative, &self.positive, MOST_STEPS)?.is_recurrence();
        Some(match (recurrence, persistence) {
            (true, true) => Class::Obligation,
            (true, false) => Class::Recurrence,
            (false, true) => Class::Persistence,
            (false, false) => Class::Reactivity,
        })
    }

    /// The smallest deterministic automaton found, with its acceptance on edges and perhaps several
    /// sets; none if the formula is not a recurrence formula, or deciding takes too long.
    pub fn deterministic(&self) -> Option<Automaton> {
        self.deterministic_dense().map(|dense| self.labelled(&dense))
    }

    /// The smallest deterministic Büchi automaton found: one set, on states. None if the formula is
    /// not a recurrence formula, or deciding takes too long.
    pub fn deterministic_buchi(&self) -> Option<Automaton> {
        let buchi = self.candidates().into_iter().map(|dense| {
            let dense = degeneralize::degeneralize_dense(&dense);
            reduce_state_based(&merge_residuals(&dense, &self.positive, &self.negative))
        });
        buchi.min_by_key(Dense::len).map(|dense| self.labelled(&dense))
    }

    fn deterministic_dense(&self) -> Option<Dense> {
        self.candidates().into_iter().min_by_key(Dense::len)
    }

    /// Deterministic automata of the formula, made in different ways.
    fn candidates(&self) -> Vec<Dense> {
        let mut candidates = Vec::new();
        if self.positive.is_deterministic() {
            candidates.push(self.positive.clone());
        }
        candidates.extend(minimal_weak(&self.positive, &self.negative));
        candidates.extend(deterministic(&self.positive, &self.negative, MOST_STEPS, usize::MAX));
        candidates
    }

    fn labelled(&self, dense: &Dense) -> Automaton {
        dense.to_automaton(&self.translation.positive.vocabulary, &self.alphabet)
    }

    /// Whether a deterministic automaton with one set accepts exactly the runs of the formula; both
    /// products are tried. None if it cuts the letters differently.
    pub fn is_equivalent(&self, automaton: &Automaton) -> Option<bool> {
        let Translation { positive, negative } = self.translation;
        let alphabet = Alphabet::of([positive, negative, automaton])?;
        let dense = Dense::new(automaton, &alphabet);
        if !dense.is_deterministic() || dense.sets > 1 {
            return None;
        }
        let too_much = !is_disjoint(&dense, &Dense::new(negative, &alphabet));
        let rest = dense.complement_of_deterministic();
        let too_little = !is_disjoint(&rest, &Dense::new(positive, &alphabet));
        Some(!too_much && !too_little)
    }

    /// Whether the formula cannot tell stuttering; none if the question is too large.
    pub fn is_stutter_invariant(
        &self,
        formulas: &mut Formulas,
        formula: FormulaId,
    ) -> Option<bool> {
        let simple = simplify(formulas, &mut Implications::default(), formula);
        if !formulas.has_next(simple) {
            return Some(true);
        }
        stutter::is_stutter_invariant(&self.positive, &self.negative)
    }
}

/// Every path is accepting.
fn closure(dense: &Dense) -> Dense {
    let mut closed = dense.clone();
    closed.sets = 0;
    closed.edges.iter_mut().flatten().for_each(|edge| edge.marks = Marks::NONE);
    closed
}

#[cfg(test)]
mod tests;
