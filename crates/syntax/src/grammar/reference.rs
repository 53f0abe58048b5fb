//! Everything that begins with a name: variables, remote references, questions to a channel.

use super::expression::{Tall, finish, tall};
use super::operand::Operand;
use super::problem::{Class, Expected, Problem};
use super::word::{in_parentheses, keyword, sign, take_name};
use super::{Environment, Extra, Place, Reader, Rule, Words, position};
use crate::ast::{
    Expr, ExprKind, Ident, ReceiveArgument, SpanOnly, UnaryOperator, VarPart, VarRef,
};
use crate::token::{Keyword, Sign, Token};
use chumsky::prelude::*;

/// `a[i].b`, and the levels of its indices.
pub(super) fn variable<'a>(
    environment: Environment<'a>,
    whole: impl Parser<'a, Words<'a>, Operand, Extra<'a>> + 'a,
) -> Rule<'a, Tall<VarRef>> {
    let inner = tall(whole);
    custom(move |reader: &mut Reader<'a, '_>| {
        let start = position(reader);
        let (part, height) = part(environment, reader, &inner)?;
        fields(environment, reader, &inner, start, part, height)
    })
    .boxed()
}

/// A variable, `P[e]@label`, `P[e]:x`, `c?[…]`: as an operand.
pub(super) fn reference<'a>(
    environment: Environment<'a>,
    place: Place,
    whole: impl Parser<'a, Words<'a>, Operand, Extra<'a>> + Clone + 'a,
) -> Rule<'a, Operand> {
    let arguments = receive_arguments(environment, whole.clone());
    let inner = tall(whole);
    custom(move |reader: &mut Reader<'a, '_>| {
        let start = position(reader);
        let (first, height) = part(environment, reader, &inner)?;
        match reader.peek_ref() {
            Some(Token::Sign(Sign::At)) => {
                reader.skip();
                let label = take_name(environment, reader)?;
                let kind = ExprKind::RemoteLabel { process: first.name, pid: first.index, label };
                return Ok(finish(environment, reader, start, kind, height));
            }
            // `(c -> x : y)` has a colon after a name, too: it is ours after a process only.
            Some(Token::Sign(Sign::Colon))
                if environment.is_proctype(&first.name.node, start, place) =>
            {
                reader.skip();
                let (variable, index_height) = part(environment, reader, &inner)?;
                let kind =
                    ExprKind::RemoteVariable { process: first.name, pid: first.index, variable };
                let height = height.max(index_height);
                return Ok(finish(environment, reader, start, kind, height));
            }
            _ => {}
        }
        let (variable, height) = fields(environment, reader, &inner, start, first, height)?;
        let random = match environment.peek(reader, 0) {
            Some(Token::Sign(Sign::Question)) => Some(false),
            Some(Token::Sign(Sign::QuestionQuestion)) => Some(true),
            _ => None,
        };
        if let Some(random) = random
            && environment.peek(reader, 1) == Some(&Token::Sign(Sign::LeftBracket))
        {
            reader.skip();
            reader.skip();
            let (arguments, inner_height) = reader.parse(&arguments)?;
            reader.parse(sign(Sign::RightBracket))?;
            let kind = ExprKind::Poll { channel: variable, random, arguments };
            return Ok(finish(environment, reader, start, kind, height.max(inner_height)));
        }
        let operand = finish(environment, reader, start, ExprKind::Variable(variable), height);
        Ok(Operand { bare: true, ..operand })
    })
    .boxed()
}

/// `a, b`, `a(b, c)`, `(a, b)`: the parts of a receive.
pub(super) fn receive_arguments<'a>(
    environment: Environment<'a>,
    whole: impl Parser<'a, Words<'a>, Operand, Extra<'a>> + Clone + 'a,
) -> Rule<'a, Tall<Vec<ReceiveArgument>>> {
    let argument = receive_argument(environment, whole);
    recursive(move |more| {
        let grouped = in_parentheses(more);
        custom(move |reader: &mut Reader<'a, '_>| {
            let mut all = Vec::new();
            let mut highest = 0;
            let open = Some(&Token::Sign(Sign::LeftParen));
            loop {
                if reader.peek_ref() == open {
                    let (rest, height) = reader.parse(&grouped)?;
                    all.extend(rest);
                    return Ok((all, highest.max(height)));
                }
                let (argument, height) = reader.parse(&argument)?;
                all.push(argument);
                highest = highest.max(height);
                match reader.peek_ref() {
                    Some(Token::Sign(Sign::Comma)) => reader.skip(),
                    Some(Token::Sign(Sign::LeftParen)) => {}
                    _ => return Ok((all, highest)),
                }
            }
        })
    })
    .boxed()
}

fn receive_argument<'a>(
    environment: Environment<'a>,
    whole: impl Parser<'a, Words<'a>, Operand, Extra<'a>> + Clone + 'a,
) -> Rule<'a, Tall<ReceiveArgument>> {
    let evaluated = keyword(Keyword::Eval).ignore_then(in_parentheses(tall(whole.clone())));
    let variable = variable(environment, whole);
    custom(move |reader: &mut Reader<'a, '_>| {
        let start = position(reader);
        let negative = reader.peek_ref() == Some(&Token::Sign(Sign::Minus));
        if negative {
            reader.skip();
        }
        let kind = match reader.peek_ref() {
            Some(Token::Number(number)) => ExprKind::Number(*number),
            Some(Token::Keyword(Keyword::True)) => ExprKind::True,
            Some(Token::Keyword(Keyword::False)) => ExprKind::False,
            Some(Token::Keyword(Keyword::Skip)) => ExprKind::Skip,
            Some(Token::Name(_)) if !negative => {
                let (variable, height) = reader.parse(&variable)?;
                return Ok((ReceiveArgument::Variable(variable), height));
            }
            Some(Token::Keyword(Keyword::Eval)) if !negative => {
                let (expr, height) = reader.parse(&evaluated)?;
                return Ok((ReceiveArgument::Eval(expr), height));
            }
            _ if negative => return Err(Problem::class(position(reader), Class::Number)),
            _ => return Err(not_receivable(start)),
        };
        reader.skip();
        let end = position(reader);
        let constant = Expr::new(kind, environment.span(end - 1, end));
        let constant = if negative {
            let kind = ExprKind::Unary(UnaryOperator::Minus, Box::new(constant));
            Expr::new(kind, environment.span(start, end))
        } else {
            constant
        };
        Ok((ReceiveArgument::Constant(constant), 2))
    })
    .boxed()
}

fn not_receivable(at: usize) -> Problem {
    use chumsky::error::Error;
    Problem::class(at, Class::Name)
        .merge(Problem::class(at, Class::Number))
        .merge(Problem::expected(at, Expected::Keyword(Keyword::Eval)))
}

/// `name` or `name[e]`
fn part<'a>(
    environment: Environment<'a>,
    reader: &mut Reader<'a, '_>,
    inner: &Rule<'a, Tall<Expr>>,
) -> Result<Tall<VarPart>, Problem> {
    let name: Ident = take_name(environment, reader)?;
    if reader.peek_ref() != Some(&Token::Sign(Sign::LeftBracket)) {
        return Ok((VarPart { name, index: None }, 0));
    }
    reader.skip();
    let (index, height) = reader.parse(inner)?;
    reader.parse(sign(Sign::RightBracket))?;
    Ok((VarPart { name, index: Some(Box::new(index)) }, height))
}

/// The `.b.c` after a first part.
fn fields<'a>(
    environment: Environment<'a>,
    reader: &mut Reader<'a, '_>,
    inner: &Rule<'a, Tall<Expr>>,
    start: usize,
    first: VarPart,
    mut height: usize,
) -> Result<Tall<VarRef>, Problem> {
    let mut parts = vec![first];
    while reader.peek_ref() == Some(&Token::Sign(Sign::Dot)) {
        reader.skip();
        let (part, index_height) = part(environment, reader, inner)?;
        parts.push(part);
        height = height.max(index_height);
    }
    let span = SpanOnly(environment.span(start, position(reader)));
    Ok((VarRef { parts, span }, height))
}
