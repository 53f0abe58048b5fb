//! Operators and their precedence, for expressions and formulas alike.
//!
//! SPIN has one grammar for both. Here, too, one rule reads both; what it has read is an
//! [`Operand`]: an expression as long as no temporal operator is in it, then a formula. Every
//! prefix operator (the temporal ones included) binds tighter than every infix one.

use super::expression::primary;
use super::formula;
use super::problem::{Kind, Problem};
use super::{Environment, Place, Reader, Rule, position};
use crate::ast::{
    BinaryOperator, Expr, ExprKind, Formula, FormulaKind, FormulaOperator, TemporalUnary,
    UnaryOperator,
};
use crate::token::{Sign, Temporal, Token};
use chumsky::prelude::*;

/// How many levels an expression may have: what walks over the tree may recurse.
pub(super) const HEIGHT_LIMIT: usize = 1000;

/// What a rule for operators has read so far.
pub(super) struct Operand {
    pub(super) value: Value,
    /// Levels of the tree.
    pub(super) height: usize,
    /// Holds `full`, `empty`, `nfull` or `nempty`, so that only `&&` and `||` may touch it.
    pub(super) probe: bool,
    /// A variable without parentheses: what can be assigned to or sent to.
    pub(super) bare: bool,
    /// Its first word.
    pub(super) start: usize,
    /// The word behind it.
    pub(super) end: usize,
}

pub(super) enum Value {
    Plain(Expr),
    Temporal(Formula),
}

/// What a prefix operator is.
#[derive(Clone, Copy)]
enum Prefix {
    Plain(UnaryOperator),
    Temporal(TemporalUnary),
}

/// What an infix operator is.
#[derive(Clone, Copy)]
enum Infix {
    Plain(BinaryOperator),
    Temporal(FormulaOperator),
}

/// Operands and their operators.
///
/// By hand rather than by chumsky's `pratt`, which takes an operator back when no operand follows
/// and tries again one level up: the error would be shown at the wrong word, and nested
/// parentheses would be read again and again.
pub(super) fn operand(environment: Environment<'_>, place: Place) -> Rule<'_, Operand> {
    recursive(move |whole| {
        let primary = primary(environment, place, whole);
        custom(move |reader| climb(environment, reader, &primary, 1))
    })
    .boxed()
}

/// An operand and the operators behind it that bind at least this tightly.
fn climb<'a>(
    environment: Environment<'a>,
    reader: &mut Reader<'a, '_>,
    primary: &Rule<'a, Operand>,
    least: u8,
) -> Result<Operand, Problem> {
    let mut prefixes = Vec::new();
    while let Some(prefix) = reader.peek_ref().and_then(prefix) {
        prefixes.push((position(reader), prefix));
        reader.skip();
    }
    let operand = reader.parse(primary)?;
    let mut left = apply_prefixes(environment, prefixes, operand, reader);
    while let Some((power, infix)) = reader.peek_ref().and_then(infix)
        && power >= least
    {
        reader.skip();
        let right = climb(environment, reader, primary, power + 1)?;
        left = apply_infix(environment, left, infix, right, reader);
    }
    Ok(left)
}

/// How tightly an infix operator binds; all of them group to the left.
fn infix(token: &Token) -> Option<(u8, Infix)> {
    use BinaryOperator as B;
    use FormulaOperator as F;
    let (power, operator) = match token {
        Token::Sign(sign) => match sign {
            Sign::Star => (12, B::Multiply),
            Sign::Slash => (12, B::Divide),
            Sign::Percent => (12, B::Remainder),
            Sign::Plus => (11, B::Add),
            Sign::Minus => (11, B::Subtract),
            Sign::ShiftLeft => (10, B::ShiftLeft),
            Sign::ShiftRight => (10, B::ShiftRight),
            Sign::Less => (9, B::Less),
            Sign::LessEqual => (9, B::LessEqual),
            Sign::Greater => (9, B::Greater),
            Sign::GreaterEqual => (9, B::GreaterEqual),
            Sign::Equal => (8, B::Equal),
            Sign::NotEqual => (8, B::NotEqual),
            Sign::Ampersand => (7, B::BitAnd),
            Sign::Caret => (6, B::BitXor),
            Sign::Pipe => (5, B::BitOr),
            Sign::AndAnd => (3, B::And),
            Sign::OrOr => (2, B::Or),
            _ => return None,
        },
        Token::Temporal(operator) => {
            let (power, operator) = match operator {
                Temporal::Until => (4, F::Until),
                Temporal::Release => (4, F::Release),
                Temporal::WeakUntil => (4, F::WeakUntil),
                Temporal::Implies => (1, F::Implies),
                Temporal::Equivalent => (1, F::Equivalent),
                Temporal::Always | Temporal::Eventually | Temporal::Next => return None,
            };
            return Some((power, Infix::Temporal(operator)));
        }
        _ => return None,
    };
    Some((power, Infix::Plain(operator)))
}

fn prefix(token: &Token) -> Option<Prefix> {
    Some(match token {
        Token::Sign(Sign::Bang) => Prefix::Plain(UnaryOperator::Not),
        Token::Sign(Sign::Minus) => Prefix::Plain(UnaryOperator::Minus),
        Token::Sign(Sign::Tilde) => Prefix::Plain(UnaryOperator::Complement),
        Token::Temporal(Temporal::Always) => Prefix::Temporal(TemporalUnary::Always),
        Token::Temporal(Temporal::Eventually) => Prefix::Temporal(TemporalUnary::Eventually),
        Token::Temporal(Temporal::Next) => Prefix::Temporal(TemporalUnary::Next),
        _ => return None,
    })
}

impl Operand {
    /// One level.
    pub(super) fn leaf(
        expr: ExprKind,
        span: crate::source::Span,
        start: usize,
        end: usize,
    ) -> Self {
        let value = Value::Plain(Expr::new(expr, span));
        Self { value, height: 1, probe: false, bare: false, start, end }
    }

    /// As an expression and its levels; what may not be part of one is reported.
    pub(super) fn plain(self, mut emit: impl FnMut(Problem)) -> (Expr, usize) {
        if self.probe {
            emit(Problem::new(self.start, Kind::ProbeOperand));
        }
        self.condition(emit)
    }

    /// The same where `full(q)` and its like are welcome.
    pub(super) fn condition(self, mut emit: impl FnMut(Problem)) -> (Expr, usize) {
        match self.value {
            Value::Plain(expr) => (expr, self.height),
            Value::Temporal(formula) => {
                emit(Problem::new(self.start, Kind::TemporalOperand));
                (Expr::new(ExprKind::Number(0), formula.span), 1)
            }
        }
    }
}

fn apply_prefixes<'a>(
    environment: Environment<'a>,
    prefixes: Vec<(usize, Prefix)>,
    mut operand: Operand,
    reader: &mut Reader<'a, '_>,
) -> Operand {
    let (end, bare) = (operand.end, operand.bare && prefixes.is_empty());
    if operand.height + prefixes.len() > HEIGHT_LIMIT {
        return too_deep(environment, operand.start, end, reader);
    }
    for (at, prefix) in prefixes.into_iter().rev() {
        if operand.probe {
            let negated = matches!(prefix, Prefix::Plain(UnaryOperator::Not));
            let kind = if negated { Kind::NegatedProbe } else { Kind::ProbeOperand };
            reader.emit(Problem::new(at, kind));
        }
        let span = environment.span(at, end);
        let value = match (prefix, operand.value) {
            (Prefix::Plain(operator), Value::Plain(expr)) => {
                Value::Plain(Expr::new(ExprKind::Unary(operator, Box::new(expr)), span))
            }
            (Prefix::Plain(UnaryOperator::Not), Value::Temporal(formula)) => {
                Value::Temporal(Formula::new(FormulaKind::Not(Box::new(formula)), span))
            }
            (Prefix::Plain(_), Value::Temporal(formula)) => {
                reader.emit(Problem::new(at, Kind::TemporalOperand));
                Value::Temporal(formula)
            }
            (Prefix::Temporal(operator), value) => {
                let formula = Box::new(formula::lift(value));
                Value::Temporal(Formula::new(FormulaKind::Unary(operator, formula), span))
            }
        };
        let height = operand.height + 1;
        operand = Operand { value, height, probe: false, bare: false, start: at, end };
    }
    Operand { bare, ..operand }
}

fn apply_infix<'a>(
    environment: Environment<'a>,
    left: Operand,
    operator: Infix,
    right: Operand,
    reader: &mut Reader<'a, '_>,
) -> Operand {
    let (start, end) = (left.start, right.end);
    let height = left.height.max(right.height) + 1;
    if height > HEIGHT_LIMIT {
        return too_deep(environment, start, end, reader);
    }
    let connective = matches!(operator, Infix::Plain(BinaryOperator::And | BinaryOperator::Or));
    let probe = left.probe || right.probe;
    if probe && !connective {
        let at = if left.probe { start } else { right.start };
        reader.emit(Problem::new(at, Kind::ProbeOperand));
    }
    let span = environment.span(start, end);
    let value = match (operator, left.value, right.value) {
        (Infix::Plain(operator), Value::Plain(left), Value::Plain(right)) => {
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            Value::Plain(Expr::new(kind, span))
        }
        (operator, left_value, right_value) => {
            let operator = match operator {
                Infix::Temporal(operator) => operator,
                Infix::Plain(BinaryOperator::And) => FormulaOperator::And,
                Infix::Plain(BinaryOperator::Or) => FormulaOperator::Or,
                Infix::Plain(_) => {
                    let on_left = matches!(left_value, Value::Temporal(_));
                    let at = if on_left { start } else { right.start };
                    reader.emit(Problem::new(at, Kind::TemporalOperand));
                    FormulaOperator::And
                }
            };
            let left = Box::new(formula::lift(left_value));
            let right = Box::new(formula::lift(right_value));
            Value::Temporal(Formula::new(FormulaKind::Binary(operator, left, right), span))
        }
    };
    Operand { value, height, probe: probe && connective, bare: false, start, end }
}

/// Reports that the tree is too high and goes on with a low one.
fn too_deep<'a>(
    environment: Environment<'a>,
    start: usize,
    end: usize,
    reader: &mut Reader<'a, '_>,
) -> Operand {
    reader.emit(Problem::new(start, Kind::TooDeep));
    Operand::leaf(ExprKind::Number(0), environment.span(start, end), start, end)
}
