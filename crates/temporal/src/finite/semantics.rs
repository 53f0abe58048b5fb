//! Whether a finite computation satisfies a formula, by induction on the formula.
//!
//! On the empty computation atoms are false, the weak next is true, and every `U` is false, hence
//! `R` is true and the strong next false (the paper's literal position −1 gives nonsense).

use super::dfa::Action;
use crate::formula::{Atom, FormulaId, Formulas, Node};

/// Whether a computation satisfies a formula; an action is the atom of the same number.
pub fn satisfies(formulas: &Formulas, formula: FormulaId, computation: &[Action]) -> bool {
    let happens = |at: usize, atom: Atom| Atom(computation[at].0) == atom;
    holds(formulas, formula, computation.len(), happens)
}

/// Whether a computation of so many actions satisfies a formula, where atoms may mean several
/// actions: `happens` says whether the action at a position is one of an atom.
pub fn holds(
    formulas: &Formulas,
    formula: FormulaId,
    end: usize,
    happens: impl Fn(usize, Atom) -> bool,
) -> bool {
    let mut truth: Vec<Vec<bool>> = vec![Vec::new(); formula.index() + 1];
    for part in formulas.subformulas(formula) {
        let of = |one: &FormulaId, at: usize| truth[one.index()][at];
        // One place behind the last position: what holds of the empty rest.
        let mut values = vec![false; end + 1];
        for at in (0..=end).rev() {
            let last = at == end;
            values[at] = match formulas.node(part) {
                Node::False => false,
                Node::True => true,
                Node::Atom(atom) => !last && happens(at, *atom),
                Node::Not(inner) => !of(inner, at),
                Node::And(parts) => parts.iter().all(|one| of(one, at)),
                Node::Or(parts) => parts.iter().any(|one| of(one, at)),
                Node::Next(inner) => at + 1 >= end || of(inner, at + 1),
                Node::StrongNext(inner) => at + 1 < end && of(inner, at + 1),
                Node::Until(left, right) => {
                    !last && (of(right, at) || of(left, at) && values[at + 1])
                }
                Node::Release(left, right) => {
                    last || of(right, at) && (of(left, at) || values[at + 1])
                }
            };
        }
        truth[part.index()] = values;
    }
    truth[formula.index()][0]
}
