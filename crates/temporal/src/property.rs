//! A property of a model as a formula over numbered propositions.

use crate::formula::lower::{Propositions, lower};
use crate::formula::{FormulaId, Formulas, Node, Vocabulary};
use pverify_model::machine::{Expression, Property};
use pverify_syntax::ast::{BinaryOperator, Expr, UnaryOperator};

/// A formula, and what its atoms ask about a state.
#[derive(Clone, Debug)]
pub struct Asking {
    /// The formula.
    pub formula: FormulaId,
    /// The texts of the atoms.
    pub vocabulary: Vocabulary,
    /// What each atom asks, by its number; not zero is true.
    pub propositions: Vec<Expression>,
}

impl Asking {
    /// Reads the property of a model.
    pub fn of(property: &Property, formulas: &mut Formulas) -> Self {
        let mut found = Propositions::default();
        let formula = lower(&property.formula, formulas, &mut found);
        let meaning = |written: &Expr| {
            let mut known = property.propositions.iter();
            // The front end has read every proposition of the formula.
            let known = known.find(|known| known.written == *written);
            known.map_or(Expression::Constant(0, None), |known| known.value.clone())
        };
        let propositions = found.expressions().iter().map(meaning).collect();
        Self { formula, vocabulary: found.vocabulary(), propositions }
    }

    /// The formula as one question about a state; none if it speaks of other states.
    pub fn as_proposition(&self, formulas: &Formulas) -> Option<Expression> {
        let mut made: Vec<Option<Expression>> = vec![None; self.formula.index() + 1];
        for part in formulas.subformulas(self.formula) {
            let of = |one: &FormulaId| made[one.index()].clone();
            let join = |operator: BinaryOperator, parts: &[FormulaId]| {
                let mut parts = parts.iter();
                let first = parts.next().and_then(of)?;
                parts.try_fold(first, |left, right| {
                    Some(Expression::Binary(operator, Box::new(left), Box::new(of(right)?)))
                })
            };
            made[part.index()] = Some(match formulas.node(part) {
                Node::False => Expression::Constant(0, None),
                Node::True => Expression::Constant(1, None),
                Node::Atom(atom) => self.propositions.get(atom.index())?.clone(),
                Node::Not(inner) => Expression::Unary(UnaryOperator::Not, Box::new(of(inner)?)),
                Node::And(parts) => join(BinaryOperator::And, parts)?,
                Node::Or(parts) => join(BinaryOperator::Or, parts)?,
                Node::Next(_) | Node::StrongNext(_) | Node::Until(..) | Node::Release(..) => {
                    return None;
                }
            });
        }
        made.pop()?
    }
}
