//! What operators apply to: numbers, variables, questions to channels and processes, `run`.

use super::operand::{HEIGHT_LIMIT, Operand};
use super::problem::{Class, Kind, Problem};
use super::reference::{reference, variable};
use super::word::{in_parentheses, keyword, list, name, number, optional, sign};
use super::{Environment, Extra, Place, Reader, Rule, Words, position};
use crate::ast::{Expr, ExprKind, Probe, Spanned};
use crate::token::{Keyword, Sign, Token};
use chumsky::prelude::*;

/// An expression and the levels of its tree.
pub(super) type Tall<T> = (T, usize);

/// An expression in which `full(q)` and its like may be combined by `&&` and `||`.
pub(super) fn condition<'a>(
    _: Environment<'a>,
    operand: impl Parser<'a, Words<'a>, Operand, Extra<'a>> + 'a,
) -> Rule<'a, Expr> {
    operand.map_with(|operand, extra| operand.condition(|problem| extra.emit(problem)).0).boxed()
}

/// An expression without them.
pub(super) fn tall<'a>(
    operand: impl Parser<'a, Words<'a>, Operand, Extra<'a>> + 'a,
) -> Rule<'a, Tall<Expr>> {
    operand.map_with(|operand, extra| operand.plain(|problem| extra.emit(problem))).boxed()
}

/// The same where nobody counts levels: in statements and declarations.
pub(super) fn expression<'a>(
    operand: impl Parser<'a, Words<'a>, Operand, Extra<'a>> + 'a,
) -> Rule<'a, Expr> {
    tall(operand).map(|(expr, _)| expr).boxed()
}

/// `priority n`
pub(super) fn priority(environment: Environment<'_>) -> Rule<'_, Option<Spanned<i32>>> {
    let priority = keyword(Keyword::Priority).ignore_then(number(environment));
    optional(Token::Keyword(Keyword::Priority), priority).boxed()
}

/// One operand, without operators in front.
pub(super) fn primary<'a>(
    environment: Environment<'a>,
    place: Place,
    whole: impl Parser<'a, Words<'a>, Operand, Extra<'a>> + Clone + 'a,
) -> Rule<'a, Operand> {
    let reference = reference(environment, place, whole.clone());
    let group = group(environment, whole.clone());
    let inner = tall(whole.clone());
    let run = run(environment, inner.clone());
    let asked = in_parentheses(inner);
    let channel = in_parentheses(variable(environment, whole));
    custom(move |reader: &mut Reader<'a, '_>| {
        let start = position(reader);
        let kind = match reader.peek_ref() {
            Some(Token::Name(_) | Token::Keyword(Keyword::In)) => return reader.parse(&reference),
            Some(Token::Sign(Sign::LeftParen)) => return reader.parse(&group),
            Some(Token::Number(number)) => ExprKind::Number(*number),
            Some(Token::Keyword(keyword)) => match keyword {
                Keyword::True => ExprKind::True,
                Keyword::False => ExprKind::False,
                Keyword::Skip => ExprKind::Skip,
                Keyword::Timeout => ExprKind::Timeout,
                Keyword::NonProgress => ExprKind::NonProgress,
                Keyword::Run => {
                    let (kind, height) = reader.parse(&run)?;
                    return Ok(finish(environment, reader, start, kind, height));
                }
                Keyword::Enabled | Keyword::PcValue | Keyword::GetPriority => {
                    reader.skip();
                    let (expr, height) = reader.parse(&asked)?;
                    let kind = match keyword {
                        Keyword::Enabled => ExprKind::Enabled(Box::new(expr)),
                        Keyword::PcValue => ExprKind::PcValue(Box::new(expr)),
                        _ => ExprKind::GetPriority(Box::new(expr)),
                    };
                    return Ok(finish(environment, reader, start, kind, height));
                }
                _ => {
                    let Some(probe) = probe(*keyword) else {
                        return Err(Problem::class(start, Class::Expression));
                    };
                    reader.skip();
                    let (channel, height) = reader.parse(&channel)?;
                    let kind = ExprKind::Probe(probe, channel);
                    let operand = finish(environment, reader, start, kind, height);
                    return Ok(Operand { probe: probe != Probe::Len, ..operand });
                }
            },
            _ => return Err(Problem::class(start, Class::Expression)),
        };
        reader.skip();
        Ok(Operand::leaf(kind, environment.span(start, start + 1), start, start + 1))
    })
    .boxed()
}

/// A finished operand around parts of some height.
pub(super) fn finish<'a>(
    environment: Environment<'a>,
    reader: &mut Reader<'a, '_>,
    start: usize,
    kind: ExprKind,
    height: usize,
) -> Operand {
    let end = position(reader);
    let span = environment.span(start, end);
    if height >= HEIGHT_LIMIT {
        reader.emit(Problem::new(start, Kind::TooDeep));
        return Operand::leaf(ExprKind::Number(0), span, start, end);
    }
    Operand { height: height + 1, ..Operand::leaf(kind, span, start, end) }
}

/// `(e)` and `(c -> a : b)`
fn group<'a>(
    environment: Environment<'a>,
    whole: impl Parser<'a, Words<'a>, Operand, Extra<'a>> + Clone + 'a,
) -> Rule<'a, Operand> {
    let inner = tall(whole.clone());
    custom(move |reader: &mut Reader<'a, '_>| {
        let start = position(reader);
        reader.parse(sign(Sign::LeftParen))?;
        let operand = reader.parse(&whole)?;
        if reader.peek_ref() != Some(&Token::Sign(Sign::Arrow)) {
            reader.parse(sign(Sign::RightParen))?;
            return Ok(Operand { bare: false, start, end: position(reader), ..operand });
        }
        reader.skip();
        let (condition, first) = operand.plain(|problem| reader.emit(problem));
        let (yes, second) = reader.parse(&inner)?;
        reader.parse(sign(Sign::Colon))?;
        let (no, third) = reader.parse(&inner)?;
        reader.parse(sign(Sign::RightParen))?;
        let kind = ExprKind::Conditional(Box::new([condition, yes, no]));
        Ok(finish(environment, reader, start, kind, first.max(second).max(third)))
    })
    .boxed()
}

/// `run P(…) priority n`
fn run<'a>(environment: Environment<'a>, inner: Rule<'a, Tall<Expr>>) -> Rule<'a, Tall<ExprKind>> {
    let none = custom(|reader: &mut Reader<'a, '_>| match reader.peek_ref() {
        Some(Token::Sign(Sign::RightParen)) => Ok(Vec::new()),
        _ => Err(Problem::class(position(reader), Class::Expression)),
    });
    keyword(Keyword::Run)
        .ignore_then(name(environment))
        .then(in_parentheses(choice((none, list(Sign::Comma, inner)))))
        .then(priority(environment))
        .map(|((process, arguments), priority)| {
            let height = arguments.iter().map(|(_, height)| *height).max().unwrap_or(0);
            let arguments = arguments.into_iter().map(|(expr, _)| expr).collect();
            (ExprKind::Run { process, arguments, priority }, height)
        })
        .boxed()
}

fn probe(keyword: Keyword) -> Option<Probe> {
    Some(match keyword {
        Keyword::Len => Probe::Len,
        Keyword::Empty => Probe::Empty,
        Keyword::Full => Probe::Full,
        Keyword::Nempty => Probe::Nempty,
        Keyword::Nfull => Probe::Nfull,
        _ => return None,
    })
}
