//! Conditions to jumps: `&&`, `||` and `!` become control flow, comparisons one instruction.

use super::Compiler;
use crate::code::{Address, Op};
use crate::fault::FaultKind;
use pverify_model::layout::Field;
use pverify_model::machine::Expression;
use pverify_syntax::ast::{BinaryOperator, UnaryOperator};

impl Compiler<'_, '_> {
    /// A guard: the step is possible only if the expression is not zero.
    pub(super) fn guard(&mut self, condition: &Expression) -> Result<(), FaultKind> {
        if let Expression::Binary(BinaryOperator::And, left, right) = condition {
            self.guard(left)?;
            return self.guard(right);
        }
        if let Some((operator, field, value)) = self.comparison(condition)? {
            self.emit(Op::GuardCompare { operator, field, value });
            return Ok(());
        }
        if !is_logical(condition) {
            let keep = self.used;
            let register = self.expression(condition)?;
            self.emit(Op::Guard { register });
            self.used = keep;
            return Ok(());
        }
        let mut fails = Vec::new();
        self.branch(condition, false, &mut fails)?;
        let over = self.here();
        self.emit(Op::Jump { to: 0 });
        for jump in fails {
            self.patch(jump);
        }
        self.emit(Op::Fail);
        self.patch(over);
        Ok(())
    }

    /// Code that jumps if the condition is `when`, and goes on if not; the jumps still need their
    /// target.
    fn branch(
        &mut self,
        condition: &Expression,
        when: bool,
        jumps: &mut Vec<Address>,
    ) -> Result<(), FaultKind> {
        match condition {
            Expression::Unary(UnaryOperator::Not, inner) => self.branch(inner, !when, jumps),
            Expression::Binary(
                operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
            ) => {
                // `a && b` is false as soon as a is; `a || b` true as soon as a is.
                let decides = *operator == BinaryOperator::Or;
                if when == decides {
                    self.branch(left, when, jumps)?;
                    return self.branch(right, when, jumps);
                }
                let mut undecided = Vec::new();
                self.branch(left, !when, &mut undecided)?;
                self.branch(right, when, jumps)?;
                for jump in undecided {
                    self.patch(jump);
                }
                Ok(())
            }
            _ => {
                if let Some((operator, field, value)) = self.comparison(condition)?
                    && let Ok(value) = i16::try_from(value)
                {
                    let operator = if when { operator } else { operator.opposite() };
                    jumps.push(self.here());
                    self.emit(Op::JumpIfCompare { operator, field, value, to: 0 });
                    return Ok(());
                }
                let keep = self.used;
                let register = self.expression(condition)?;
                self.used = keep;
                jumps.push(self.here());
                self.emit(if when {
                    Op::JumpIfNotZero { register, to: 0 }
                } else {
                    Op::JumpIfZero { register, to: 0 }
                });
                Ok(())
            }
        }
    }

    /// A condition that compares a field with a constant.
    fn comparison(
        &mut self,
        condition: &Expression,
    ) -> Result<Option<(BinaryOperator, Field, i32)>, FaultKind> {
        let (operator, place, value) = match condition {
            Expression::Binary(operator, left, right) if operator.is_comparison() => {
                match (&**left, &**right) {
                    (Expression::Read(place), right) if self.constant(right).is_some() => {
                        (*operator, place, self.constant(right).unwrap_or(0))
                    }
                    (left, Expression::Read(place)) if self.constant(left).is_some() => {
                        (operator.mirrored(), place, self.constant(left).unwrap_or(0))
                    }
                    _ => return Ok(None),
                }
            }
            Expression::Read(place) => (BinaryOperator::NotEqual, place, 0),
            Expression::Unary(UnaryOperator::Not, inner) => match &**inner {
                Expression::Read(place) => (BinaryOperator::Equal, place, 0),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(self.fixed(place)?.map(|field| (operator, field, value)))
    }
}

fn is_logical(condition: &Expression) -> bool {
    matches!(
        condition,
        Expression::Unary(UnaryOperator::Not, _)
            | Expression::Binary(BinaryOperator::And | BinaryOperator::Or, ..)
    )
}
