//! Statements that do one thing: assign, send, receive, wait, print, assert, call an inline.

use super::expression::{condition, expression};
use super::operand::{Operand, Value};
use super::problem::{Class, Kind, Problem};
use super::reference::receive_arguments;
use super::word::{in_parentheses, keyword, list, optional, sign, text};
use super::{Environment, Reader, Rule, position};
use crate::ast::{Expr, ExprKind, ReceiveArgument, Sequence, StatementKind, VarRef};
use crate::token::{Keyword, Sign, Token};
use chumsky::prelude::*;

/// Statements that begin with an expression: assignments, sends, receives, conditions.
pub(super) fn action<'a>(
    environment: Environment<'a>,
    operand: Rule<'a, Operand>,
    block: Rule<'a, Sequence>,
) -> Rule<'a, StatementKind> {
    let value = condition(environment, operand.clone());
    let send = send_arguments(operand.clone());
    let receive = receive_arguments(environment, operand.clone());
    custom(move |reader: &mut Reader<'a, '_>| {
        let operand = reader.parse(&operand)?;
        let bare = operand.bare;
        let at = position(reader);
        let (expr, _) = operand.condition(|problem| reader.emit(problem));
        let sign = match environment.peek(reader, 0) {
            Some(Token::Sign(
                sign @ (Sign::Assign
                | Sign::Increment
                | Sign::Decrement
                | Sign::Bang
                | Sign::BangBang
                | Sign::Question
                | Sign::QuestionQuestion),
            )) => *sign,
            _ => return Ok(StatementKind::Expression(expr)),
        };
        let target = match expr.node {
            ExprKind::Variable(target) if bare => target,
            _ => return Err(Problem::new(at, Kind::NotAVariable)),
        };
        reader.skip();
        Ok(match sign {
            Sign::Assign if reader.peek_ref() == Some(&Token::InlineBody) => {
                take_inline(reader, Some(target), &block)?
            }
            Sign::Assign => StatementKind::Assign { target, value: reader.parse(&value)? },
            Sign::Increment => StatementKind::Increment(target),
            Sign::Decrement => StatementKind::Decrement(target),
            Sign::Bang | Sign::BangBang => {
                let arguments = reader.parse(&send)?;
                StatementKind::Send { channel: target, sorted: sign == Sign::BangBang, arguments }
            }
            _ => {
                let random = sign == Sign::QuestionQuestion;
                let (keep, arguments) = take_receive(reader, &receive)?;
                StatementKind::Receive { channel: target, random, keep, arguments }
            }
        })
    })
    .boxed()
}

/// `a, b` or `<a, b>`
fn take_receive<'a>(
    reader: &mut Reader<'a, '_>,
    arguments: &Rule<'a, (Vec<ReceiveArgument>, usize)>,
) -> Result<(bool, Vec<ReceiveArgument>), Problem> {
    let keep = reader.peek_ref() == Some(&Token::Sign(Sign::Less));
    if keep {
        reader.skip();
    }
    let (arguments, _) = reader.parse(arguments)?;
    if keep {
        reader.parse(sign(Sign::Greater))?;
    }
    Ok((keep, arguments))
}

/// `a, b` or `a(b, c)`
fn send_arguments(operand: Rule<'_, Operand>) -> Rule<'_, Vec<Expr>> {
    let argument = expression(operand);
    let grouped = in_parentheses(list(Sign::Comma, argument.clone()));
    let listed = sign(Sign::Comma).ignore_then(list(Sign::Comma, argument.clone()));
    custom(move |reader: &mut Reader<'_, '_>| {
        let mut all = vec![reader.parse(&argument)?];
        match reader.peek_ref() {
            Some(Token::Sign(Sign::LeftParen)) => all.extend(reader.parse(&grouped)?),
            Some(Token::Sign(Sign::Comma)) => all.extend(reader.parse(&listed)?),
            _ => {}
        }
        Ok(all)
    })
    .boxed()
}

/// The body of an inline call, whose `return` goes to a variable where there is one.
pub(super) fn take_inline<'a>(
    reader: &mut Reader<'a, '_>,
    target: Option<VarRef>,
    block: &Rule<'a, Sequence>,
) -> Result<StatementKind, Problem> {
    reader.skip();
    reader.state().returns.push(target);
    let body = reader.parse(block);
    reader.state().returns.pop();
    Ok(StatementKind::Block(body?))
}

/// `assert`, `printf`, `printm`, `set_priority`
pub(super) fn simple<'a>(
    environment: Environment<'a>,
    operand: Rule<'a, Operand>,
) -> Rule<'a, StatementKind> {
    let comma = sign(Sign::Comma);
    let expr = expression(operand.clone());
    let assert = keyword(Keyword::Assert)
        .ignore_then(condition(environment, operand.clone()))
        .map(StatementKind::Assert);
    let values =
        optional(Token::Sign(Sign::Comma), comma.ignore_then(list(Sign::Comma, expr.clone())));
    let printf = keyword(Keyword::Printf)
        .ignore_then(in_parentheses(text(environment).then(values)))
        .map(|(format, arguments)| {
            let arguments = arguments.unwrap_or_default();
            StatementKind::Printf { format, arguments }
        });
    let shown = custom(move |reader: &mut Reader<'a, '_>| {
        let at = position(reader);
        let operand = reader.parse(&operand)?;
        let constant = matches!(
            &operand.value,
            Value::Plain(Expr {
                node: ExprKind::Number(_) | ExprKind::True | ExprKind::False | ExprKind::Skip,
                ..
            }) if operand.end == at + 1
        );
        if !constant && !operand.bare {
            return Err(Problem::class(at, Class::Name));
        }
        Ok(operand.plain(|problem| reader.emit(problem)).0)
    });
    let printm =
        keyword(Keyword::Printm).ignore_then(in_parentheses(shown)).map(StatementKind::Printm);
    let priority = keyword(Keyword::SetPriority)
        .ignore_then(in_parentheses(expr.clone().then_ignore(comma).then(expr)))
        .map(|(process, priority)| StatementKind::SetPriority { process, priority });
    choice((assert, printf, printm, priority)).boxed()
}
