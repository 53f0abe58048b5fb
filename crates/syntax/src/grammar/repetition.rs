//! `for` and `select`: statements over a range of numbers or over a container.

use super::expression::expression;
use super::operand::Operand;
use super::problem::{Expected, Problem};
use super::reference::variable;
use super::word::sign;
use super::{Environment, Reader, Rule, position};
use crate::ast::{Sequence, StatementKind};
use crate::source::ExpansionKind;
use crate::token::{Keyword, Sign, Token};
use chumsky::prelude::*;

/// `for` and `select`
pub(super) fn repetition<'a>(
    environment: Environment<'a>,
    operand: Rule<'a, Operand>,
    block: Rule<'a, Sequence>,
) -> Rule<'a, StatementKind> {
    let variable = variable(environment, operand.clone()).map(|(variable, _)| variable).boxed();
    let expr = expression(operand);
    let range = expr.clone().then_ignore(sign(Sign::DotDot)).then(expr);
    custom(move |reader: &mut Reader<'a, '_>| {
        let select = reader.peek_ref() == Some(&Token::Keyword(Keyword::Select));
        reader.skip();
        let open = position(reader);
        reader.parse(sign(Sign::LeftParen))?;
        let counter = reader.parse(&variable)?;
        let container = match reader.peek_ref() {
            Some(Token::Sign(Sign::Colon)) => None,
            Some(token) if !select && is_in(token) => {
                reader.skip();
                Some(reader.parse(&variable)?)
            }
            _ => {
                use chumsky::error::Error;
                let at = position(reader);
                let colon = Problem::expected(at, Expected::Sign(Sign::Colon));
                let word = Problem::expected(at, Expected::Keyword(Keyword::In));
                return Err(if select { colon } else { colon.merge(word) });
            }
        };
        if let Some(container) = container {
            reader.parse(sign(Sign::RightParen))?;
            let body = take_body(reader, &block)?;
            return Ok(StatementKind::ForIn { variable: counter, container, body });
        }
        reader.skip();
        let (from, to) = reader.parse(&range)?;
        reader.parse(sign(Sign::RightParen))?;
        if select {
            let literal = is_literal(environment, open, position(reader));
            return Ok(StatementKind::Select { variable: counter, from, to, literal });
        }
        let body = take_body(reader, &block)?;
        Ok(StatementKind::ForRange { variable: counter, from, to, body })
    })
    .boxed()
}

/// A `for` may have a semicolon (typed, or put in by the end of a line) before its body.
fn take_body<'a>(
    reader: &mut Reader<'a, '_>,
    block: &Rule<'a, Sequence>,
) -> Result<Sequence, Problem> {
    if reader.peek_ref() == Some(&Token::Sign(Sign::Semicolon)) {
        reader.skip();
    }
    reader.parse(block)
}

fn is_in(token: &Token) -> bool {
    match token {
        Token::Keyword(Keyword::In) => true,
        Token::Name(name) => &**name == "in",
        _ => false,
    }
}

/// Whether SPIN's lexer writes a `select` out: see [`StatementKind::Select`].
fn is_literal(environment: Environment<'_>, open: usize, end: usize) -> bool {
    let Environment { tokens, sources, .. } = environment;
    let [_, Token::Name(name), _, Token::Number(_), _, Token::Number(_), _] =
        &tokens.tokens[open..end]
    else {
        return false;
    };
    let spans = &tokens.spans[open..end];
    let line = |at: usize| {
        let place = sources.outermost(spans[at]);
        (place.file, sources.position(place).line)
    };
    let digits = |at: usize| sources.text(spans[at]).bytes().all(|byte| byte.is_ascii_digit());
    name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && digits(3)
        && digits(5)
        && (1..spans.len()).all(|at| line(at) == line(0))
        && sources.trace(spans[0]).all(|expansion| expansion.kind != ExpansionKind::Inline)
}
