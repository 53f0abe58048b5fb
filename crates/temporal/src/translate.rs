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
    let positive = reduced(formulas, formula, vocabulary)?;
    let negation = negated(formulas, formula);
    // The negation only helps to make the automaton smaller.
    Ok(match reduced(formulas, negation, vocabulary) {
        Ok(negative) => smaller(&positive, &negative).unwrap_or(positive),
        Err(_) => positive,
    })
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
    let better = (smaller(&positive, &negative), smaller(&negative, &positive));
    Ok(Translation {
        positive: better.0.unwrap_or(positive),
        negative: better.1.unwrap_or(negative),
    })
}

/// A deterministic automaton of the first, which accepts what the second does not, if one is found
/// that is not larger.
fn smaller(automaton: &Automaton, complement: &Automaton) -> Option<Automaton> {
    let alphabet = Alphabet::of([automaton, complement])?;
    let (dense, other) = (Dense::new(automaton, &alphabet), Dense::new(complement, &alphabet));
    // What is deterministic already seldom gets smaller by becoming so again.
    let again = !dense.is_deterministic();
    let found = minimal_weak(&dense, &other)
        .or_else(|| again.then(|| deterministic(&dense, &other, MOST_STEPS, 4 * dense.len()))?)
        .filter(|found| found.len() <= dense.len())?;
    Some(found.to_automaton(&automaton.vocabulary, &alphabet))
}

/// The tableau of the simplified formula, for checks that expand nodes on the fly.
pub fn on_the_fly(
    formulas: &mut Formulas,
    formula: FormulaId,
    vocabulary: &Vocabulary,
) -> Result<Tableau, TooLarge> {
    let formula = simplify(formulas, &mut Implications::default(), formula);
    Tableau::new(formulas, formula, vocabulary, Options::default())
}

/// The tableau of the simplified formula, reduced.
pub fn reduced(
    formulas: &mut Formulas,
    formula: FormulaId,
    vocabulary: &Vocabulary,
) -> Result<Automaton, TooLarge> {
    Ok(reduce(&on_the_fly(formulas, formula, vocabulary)?.automaton()?))
}

/// Whether two automata over the same atoms have no run in common; none if they are too large.
pub fn are_disjoint(left: &Automaton, right: &Automaton) -> Option<bool> {
    let alphabet = Alphabet::of([left, right])?;
    let (left, right) = (Dense::new(left, &alphabet), Dense::new(right, &alphabet));
    Some(crate::automaton::product::is_disjoint(&left, &right))
}

#[cfg(test)]
mod tests;
