//! Constants: sizes, counts and capacities, which the language wants known beforehand.

use super::{Lowering, scope::Meaning};
use crate::codes;
use crate::machine::{Expression, Initial};
use pverify_syntax::ast::{BinaryOperator, Expr, ExprKind, UnaryOperator};

/// Whether a constant is the initial value of a variable.
pub(super) struct Lent(pub(super) bool);

impl Lowering {
    /// The value of a constant expression; what is not constant is reported.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i32> {
        match self.fold(expr) {
            Ok(value) => Some(value),
            Err((span, why)) => {
                self.error_help(
                    &codes::NOT_CONSTANT,
                    span,
                    why,
                    "only numbers, `mtype` constants, + - * / % and parentheses can stand here",
                );
                None
            }
        }
    }

    /// As [`Lowering::constant`], where a single variable may lend its initial value.
    pub(super) fn constant_or_initial(&mut self, expr: &Expr) -> Option<(i32, Lent)> {
        if let ExprKind::Variable(var) = &expr.node
            && let [part] = var.parts.as_slice()
            && part.index.is_none()
            && self.model.mtypes.get(&part.name.node).is_none()
        {
            let symbol = self.scopes.find(&part.name.node, self.process);
            if let Some(Meaning::Variable(owner, id)) = symbol.map(|s| s.meaning) {
                match self.declared_variable(owner, id).initial {
                    Initial::Value(Expression::Constant(value, _)) => {
                        return Some((value, Lent(true)));
                    }
                    Initial::Zero => return Some((0, Lent(true))),
                    _ => {}
                }
            }
        }
        self.constant(expr).map(|value| (value, Lent(false)))
    }

    fn fold(&self, expr: &Expr) -> Result<i32, (pverify_syntax::source::Span, String)> {
        let not = |what: &str| Err((expr.span, format!("{what} is not a constant")));
        match &expr.node {
            ExprKind::Number(value) => Ok(*value),
            ExprKind::True | ExprKind::Skip => Ok(1),
            ExprKind::False => Ok(0),
            ExprKind::Variable(var) => match var.parts.as_slice() {
                [part] if part.index.is_none() => match self.model.mtypes.get(&part.name.node) {
                    Some(constant) => Ok(constant.value),
                    None => not(&format!("`{}`", part.name.node)),
                },
                _ => not("a variable"),
            },
            ExprKind::Unary(UnaryOperator::Minus, inner) => Ok(self.fold(inner)?.wrapping_neg()),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.fold(left)?, self.fold(right)?);
                let zero =
                    || (expr.span, "the value of this is not known: it divides by zero".to_owned());
                match operator {
                    BinaryOperator::Add => Ok(left.wrapping_add(right)),
                    BinaryOperator::Subtract => Ok(left.wrapping_sub(right)),
                    BinaryOperator::Multiply => Ok(left.wrapping_mul(right)),
                    BinaryOperator::Divide if right == 0 => Err(zero()),
                    BinaryOperator::Remainder if right == 0 => Err(zero()),
                    BinaryOperator::Divide => Ok(left.wrapping_div(right)),
                    BinaryOperator::Remainder => Ok(left.wrapping_rem(right)),
                    _ => not("this expression"),
                }
            }
            _ => not("this expression"),
        }
    }
}
