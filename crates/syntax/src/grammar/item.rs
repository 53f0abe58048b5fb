//! Top-level units.

use super::declaration::{self, Declared, constant_expression, declared, variables};
use super::expression::{condition, priority};
use super::formula::formula;
use super::problem::{Class, Kind, Problem};
use super::sequence::begins_unit;
use super::statement::{Steps, steps};
use super::word::{in_braces, in_brackets, in_parentheses, keyword, list, name, optional, sign};
use super::{Environment, Reader, Rule, position};
use crate::ast::{Declaration, Item, ItemKind, Proctype, Program};
use crate::token::{Keyword, Sign, Token};
use chumsky::prelude::*;

/// A whole model.
pub(super) fn program(environment: Environment<'_>) -> Rule<'_, Program> {
    let item = item(environment).map(Some);
    let skipped = custom(|reader: &mut Reader<'_, '_>| {
        skip_unit(reader);
        Ok(None)
    });
    let item = item.recover_with(via_parser(skipped)).boxed();
    custom(move |reader: &mut Reader<'_, '_>| {
        let mut items = Vec::new();
        loop {
            match reader.peek_ref() {
                None => return Ok(Program { items }),
                Some(Token::Sign(Sign::Semicolon | Sign::Arrow)) => reader.skip(),
                Some(Token::Keyword(Keyword::Skip)) if is_embedded(environment, reader) => {
                    reader.skip();
                }
                Some(Token::Sign(Sign::RightBrace) | Token::Keyword(Keyword::Fi | Keyword::Od)) => {
                    reader.emit(Problem::new(position(reader), Kind::Stray));
                    skip_unit(reader);
                }
                Some(_) => {
                    let start = position(reader);
                    items.extend(reader.parse(&item)?);
                    if position(reader) == start {
                        reader.skip();
                    }
                }
            }
        }
    })
    .boxed()
}

/// Whether a `skip` stands for embedded C, which has been reported and may stand here.
fn is_embedded<'a>(environment: Environment<'a>, reader: &Reader<'a, '_>) -> bool {
    let span = environment.tokens.spans.get(position(reader)).copied().unwrap_or_default();
    environment.sources.text(span).starts_with("c_")
}

/// Skips to where the next unit seems to begin: at least one word.
fn skip_unit(reader: &mut Reader<'_, '_>) {
    let mut depth = 0_usize;
    let mut first = true;
    while let Some(token) = reader.peek_ref() {
        if !first && begins_unit(token) {
            return;
        }
        first = false;
        reader.skip();
        match token {
            Token::Sign(Sign::LeftBrace) => depth += 1,
            Token::Sign(Sign::RightBrace) if depth <= 1 => return,
            Token::Sign(Sign::RightBrace) => depth -= 1,
            Token::Sign(Sign::Semicolon) if depth == 0 => return,
            _ => {}
        }
    }
}

fn item(environment: Environment<'_>) -> Rule<'_, Item> {
    let Steps { body, operand } = steps(environment);
    let declaration = declared(environment, operand.clone());
    // A semicolon at the end was dropped before, but no second one.
    let fields = in_braces(list(Sign::Semicolon, variables(environment, operand.clone())));
    let parameters = list(Sign::Semicolon, variables(environment, operand.clone())).boxed();
    let count = in_brackets(constant_expression(operand.clone()));
    let provided =
        keyword(Keyword::Provided).ignore_then(in_parentheses(condition(environment, operand)));
    let provided = optional(Token::Keyword(Keyword::Provided), provided);
    let active =
        keyword(Keyword::Active).ignore_then(optional(Token::Sign(Sign::LeftBracket), count));
    let active = optional(Token::Keyword(Keyword::Active), active);
    let deterministic =
        choice((keyword(Keyword::Proctype).to(false), keyword(Keyword::DProctype).to(true)));
    let proctype = active
        .then(deterministic)
        .then(name(environment))
        .then(parameter_list(parameters))
        .then(priority(environment))
        .then(provided)
        .then(body.clone())
        .map(|((((((active, deterministic), name), parameters), priority), provided), body)| {
            ItemKind::Proctype(Box::new(Proctype {
                deterministic,
                active,
                name,
                parameters,
                priority,
                provided,
                body,
            }))
        });
    let init = keyword(Keyword::Init)
        .ignore_then(priority(environment))
        .then(body.clone())
        .map(|(priority, body)| ItemKind::Init { priority, body });
    let never = keyword(Keyword::Never)
        .ignore_then(name(environment).or_not())
        .then(body.clone())
        .map(|(name, body)| ItemKind::Never { name, body });
    let trace = choice((keyword(Keyword::Trace).to(false), keyword(Keyword::Notrace).to(true)))
        .then(body)
        .map(|(negated, body)| ItemKind::Trace { negated, body });
    let separator = choice((sign(Sign::Semicolon), sign(Sign::Arrow))).repeated();
    let ltl = keyword(Keyword::Ltl)
        .ignore_then(name(environment).or_not())
        .then(in_braces(formula(environment).then_ignore(separator)))
        .map(|(name, formula)| ItemKind::Ltl { name, formula });
    let typedef = keyword(Keyword::Typedef)
        .ignore_then(name(environment))
        .then(fields)
        .map(|(name, fields)| ItemKind::Typedef { name, fields });
    let declaration = declaration.map(|declared| match declared {
        Declared::Variables(declaration) => ItemKind::Declaration(declaration),
        Declared::Constants { name, visibility, constants } => {
            ItemKind::Mtype { name, visibility, constants }
        }
    });
    let unit = choice((proctype, init, never, trace, ltl, typedef)).boxed();
    custom(move |reader: &mut Reader<'_, '_>| {
        let start = position(reader);
        let kind = match reader.peek_ref() {
            Some(token) if begins_unit(token) => reader.parse(&unit)?,
            _ if declaration::begins(environment, reader)
                || declaration::begins_user_type(environment, reader) =>
            {
                reader.parse(&declaration)?
            }
            Some(Token::Name(_) | Token::Keyword(_)) => {
                return Err(Problem::new(start, Kind::StatementOutside));
            }
            _ => return Err(Problem::class(start, Class::Unit)),
        };
        Ok(Item::new(kind, environment.span(start, position(reader))))
    })
    .boxed()
}

/// `(byte a, b; chan c)`; where the parentheses are forgotten the body is still read.
fn parameter_list(parameters: Rule<'_, Vec<Declaration>>) -> Rule<'_, Vec<Declaration>> {
    custom(move |reader: &mut Reader<'_, '_>| {
        let at = position(reader);
        if reader.peek_ref() == Some(&Token::Sign(Sign::LeftBrace)) {
            reader.emit(Problem::new(at, Kind::NoParameters));
            return Ok(Vec::new());
        }
        reader.parse(sign(Sign::LeftParen))?;
        if reader.peek_ref() == Some(&Token::Sign(Sign::RightParen)) {
            reader.skip();
            return Ok(Vec::new());
        }
        let parameters: Vec<Declaration> = reader.parse(&parameters)?;
        let initialised =
            parameters.iter().flat_map(|one| &one.variables).any(|one| one.initial.is_some());
        if initialised {
            reader.emit(Problem::new(at + 1, Kind::InitialParameter));
        }
        reader.parse(sign(Sign::RightParen))?;
        Ok(parameters)
    })
    .boxed()
}
