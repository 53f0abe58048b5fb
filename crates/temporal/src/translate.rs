//! The automaton of a formula, as small as the reductions of this crate make it.
//!
//! Simplify, build the tableau, cut what is useless, reduce by simulation; where the formula is an
//! obligation, take its minimal weak deterministic automaton if that is not larger, and likewise a
//! deterministic automaton of a recurrence formula if one is found quickly.

use crate::automaton::Automaton;
use crate::automaton::letters::{Alphabet, Dense};
use crate::automaton::recurrence::deterministic;
use crate::automaton::simulation::reduce;
use crate::automaton::weak::minimal_weak;
use crate::formula::implication::Implications;
use crate::formula::normal::negated;
use crate::formula::simplify::simplify;
use crate::formula::{FormulaId, Formulas, Vocabulary};
use crate::tableau::{Options, Tableau, TooLarge};

/// How long a deterministic automaton of a recurrence formula is looked for.
const MOST_STEPS: usize = 20_000;

/// The automata of a formula and of its negation, small.
#[derive(Clone, Debug)]
pub struct Translation {
    /// Accepts the runs on which the formula holds.
    pub positive: Automaton,
    /// Accepts all others.
    pub negative: Automaton,
}

/// A small automaton of the formula.
pub fn translate(
    formulas: &mut Formulas,
    formula: FormulaId,
    vocabulary: &Vocabulary,
) -> Result<Automaton, TooLarge> {
    Ok(translate_both(formulas, formula, vocabulary)?.positive)
}

/// Small automata of the formula and of its negation.
pub fn translate_both(
    formulas: &mut Formulas,
    formula: FormulaId,
    vocabulary: &Vocabulary,
) -> Result<Translation, TooLarge> {
    let positive = reduced(formulas, formula, vocabulary)?;
    let negation = negated(formulas, formula);
    let negative = reduced(formulas, negation, vocabulary)?;
    let Some(alphabet) = Alphabet::of([&positive, &negative]) else {
        return Ok(Translation { positive, negative });
    };
    let dense = (Dense::new(&positive, &alphabet), Dense::new(&negative, &alphabet));
    let smaller = |dense: &Dense, other: &Dense, automaton: Automaton| {
        let found = minimal_weak(dense, other)
            .or_else(|| deterministic(dense, other, MOST_STEPS))
            .filter(|found| found.len() <= dense.len());
        found.map_or(automaton, |found| found.to_automaton(vocabulary, &alphabet))
    };
    Ok(Translation {
        positive: smaller(&dense.0, &dense.1, positive),
        negative: smaller(&dense.1, &dense.0, negative),
    })
}

/// The tableau of the simplified formula, reduced.
pub fn reduced(
    formulas: &mut Formulas,
    formula: FormulaId,
    vocabulary: &Vocabulary,
) -> Result<Automaton, TooLarge> {
    let mut implications = Implications::default();
    let formula = simplify(formulas, &mut implications, formula);
    let tableau = Tableau::new(formulas, formula, vocabulary, Options::default())?;
    Ok(reduce(&tableau.automaton()?))
}

/// Whether two automata over the same atoms have no run in common; none if they are too large.
pub fn are_disjoint(left: &Automaton, right: &Automaton) -> Option<bool> {
    let alphabet = Alphabet::of([left, right])?;
    let (left, right) = (Dense::new(left, &alphabet), Dense::new(right, &alphabet));
    Some(crate::automaton::product::is_disjoint(&left, &right))
}

#[cfg(test)]
mod tests;
