//! A property of a model as a formula over numbered propositions.

use crate::formula::lower::{Propositions, lower};
use crate::formula::{FormulaId, Formulas, Vocabulary};
use pverify_model::machine::{Expression, Property};
use pverify_syntax::ast::Expr;

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
}
