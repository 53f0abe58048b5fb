//! Formulas of linear temporal logic.

use super::operand::{Operand, Value, operand};
use super::{Environment, Place, Rule};
use crate::ast::{
    BinaryOperator, Expr, ExprKind, Formula, FormulaKind, FormulaOperator, UnaryOperator,
};
use chumsky::prelude::*;

/// A formula.
pub(super) fn formula(environment: Environment<'_>) -> Rule<'_, Formula> {
    operand(environment, Place::Formula).map(|operand: Operand| lift(operand.value)).boxed()
}

/// An operand as a formula: `!`, `&&` and `||` on top of propositions become connectives.
pub(super) fn lift(value: Value) -> Formula {
    match value {
        Value::Temporal(formula) => formula,
        Value::Plain(expr) => lift_expression(expr),
    }
}

fn lift_expression(expr: Expr) -> Formula {
    let span = expr.span;
    let kind = match expr.node {
        ExprKind::Unary(UnaryOperator::Not, inner) => {
            FormulaKind::Not(Box::new(lift_expression(*inner)))
        }
        ExprKind::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), left, right) => {
            let operator = match operator {
                BinaryOperator::And => FormulaOperator::And,
                _ => FormulaOperator::Or,
            };
            FormulaKind::Binary(
                operator,
                Box::new(lift_expression(*left)),
                Box::new(lift_expression(*right)),
            )
        }
        node => FormulaKind::Proposition(Expr::new(node, span)),
    };
    Formula::new(kind, span)
}
