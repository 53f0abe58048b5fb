//! Formulas over sets of actions: atoms that overlap, over an alphabet whose letters do not.
//!
//! An atom may mean several actions, and an action be of several atoms. What a formula can tell
//! apart is the set of atoms that an action is of: with these sets as letters, an atom is the
//! disjunction of the letters that contain it, and everything else stays as it is.

use crate::formula::{Atom, FormulaId, Formulas, Node};

/// The formula with letters as its actions, in another store: letter `i` is atom `i` there, and
/// `contains(i, atom)` says which atoms it is of.
pub fn over_letters(
    formulas: &Formulas,
    formula: FormulaId,
    letters: usize,
    contains: impl Fn(usize, Atom) -> bool,
    to: &mut Formulas,
) -> FormulaId {
    let mut made = vec![FormulaId::FALSE; formula.index() + 1];
    for part in formulas.subformulas(formula) {
        let of = |one: &FormulaId| made[one.index()];
        made[part.index()] = match formulas.node(part) {
            Node::False => FormulaId::FALSE,
            Node::True => FormulaId::TRUE,
            Node::Atom(atom) => {
                let those = (0..letters).filter(|&letter| contains(letter, *atom));
                let those: Vec<_> = those.map(|letter| to.atom(Atom(letter as u32))).collect();
                to.or(those)
            }
            Node::Not(inner) => to.not(of(inner)),
            Node::And(parts) => to.and(parts.iter().map(of).collect::<Vec<_>>()),
            Node::Or(parts) => to.or(parts.iter().map(of).collect::<Vec<_>>()),
            Node::Next(inner) => to.next(of(inner)),
            Node::StrongNext(inner) => to.strong_next(of(inner)),
            Node::Until(left, right) => to.until(of(left), of(right)),
            Node::Release(left, right) => to.release(of(left), of(right)),
        };
    }
    made[formula.index()]
}
