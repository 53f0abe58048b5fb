//! Negation normal form: negations stand in front of atoms only.

use super::{FormulaId, Formulas, Node};

/// The formula with its negations pushed down to the atoms; it means the same on infinite runs and
/// on finite computations, where the negation of the weak next is the strong one.
pub fn negation_normal_form(formulas: &mut Formulas, root: FormulaId) -> FormulaId {
    forms(formulas, root).0
}

/// The negation of the formula, in negation normal form.
pub fn negated(formulas: &mut Formulas, root: FormulaId) -> FormulaId {
    forms(formulas, root).1
}

/// The formula and its negation. Parts come before the whole, so both forms of the operands are
/// there when an operator is met.
fn forms(formulas: &mut Formulas, root: FormulaId) -> (FormulaId, FormulaId) {
    let order = formulas.subformulas(root);
    let mut done = vec![(FormulaId::FALSE, FormulaId::TRUE); root.index() + 1];
    for formula in order {
        let both = match formulas.node(formula).clone() {
            Node::False => (FormulaId::FALSE, FormulaId::TRUE),
            Node::True => (FormulaId::TRUE, FormulaId::FALSE),
            Node::Atom(_) => (formula, formulas.not(formula)),
            Node::Not(inner) => {
                let (positive, negative) = done[inner.index()];
                (negative, positive)
            }
            Node::And(parts) => (
                formulas.and(parts.iter().map(|part| done[part.index()].0)),
                formulas.or(parts.iter().map(|part| done[part.index()].1)),
            ),
            Node::Or(parts) => (
                formulas.or(parts.iter().map(|part| done[part.index()].0)),
                formulas.and(parts.iter().map(|part| done[part.index()].1)),
            ),
            Node::Next(inner) => {
                let (positive, negative) = done[inner.index()];
                (formulas.next(positive), formulas.strong_next(negative))
            }
            Node::StrongNext(inner) => {
                let (positive, negative) = done[inner.index()];
                (formulas.strong_next(positive), formulas.next(negative))
            }
            Node::Until(left, right) => {
                let ((left, not_left), (right, not_right)) =
                    (done[left.index()], done[right.index()]);
                (formulas.until(left, right), formulas.release(not_left, not_right))
            }
            Node::Release(left, right) => {
                let ((left, not_left), (right, not_right)) =
                    (done[left.index()], done[right.index()]);
                (formulas.release(left, right), formulas.until(not_left, not_right))
            }
        };
        done[formula.index()] = both;
    }
    done[root.index()]
}
