//! The smallest rules: one word each.

use super::problem::{Class, Expected, Problem};
use super::{Environment, Extra, Reader, Rule, Words, ident, position};
use crate::ast::{Ident, Spanned};
use crate::token::{Keyword, Name, Sign, Token};
use chumsky::prelude::*;

/// A rule that can be copied into others.
pub(super) trait Word<'a, O>: Parser<'a, Words<'a>, O, Extra<'a>> + Copy {}
impl<'a, O, P: Parser<'a, Words<'a>, O, Extra<'a>> + Copy> Word<'a, O> for P {}

/// This sign.
pub(super) fn sign<'a>(sign: Sign) -> impl Word<'a, ()> {
    one(Expected::Sign(sign), move |token| matches!(token, Token::Sign(found) if *found == sign))
}

/// This reserved word.
pub(super) fn keyword<'a>(keyword: Keyword) -> impl Word<'a, ()> {
    one(
        Expected::Keyword(keyword),
        move |token| matches!(token, Token::Keyword(found) if *found == keyword),
    )
}

fn one<'a>(expected: Expected, is: impl Fn(&Token) -> bool + Copy) -> impl Word<'a, ()> {
    custom(move |reader: &mut Reader<'a, '_>| match reader.peek_ref() {
        Some(token) if is(token) => {
            reader.skip();
            Ok(())
        }
        _ => Err(Problem::expected(position(reader), expected)),
    })
}

/// A name; `in` is one wherever a name is wanted.
pub(super) fn name(environment: Environment<'_>) -> impl Word<'_, Ident> {
    custom(move |reader| take_name(environment, reader))
}

/// The same, inside a rule written by hand.
pub(super) fn take_name<'a>(
    environment: Environment<'a>,
    reader: &mut Reader<'a, '_>,
) -> Result<Ident, Problem> {
    let at = position(reader);
    match reader.peek_ref() {
        Some(Token::Name(name)) => {
            reader.skip();
            Ok(ident(environment, name, at))
        }
        Some(Token::Keyword(Keyword::In)) => {
            reader.skip();
            Ok(ident(environment, &Name::from("in"), at))
        }
        _ => Err(Problem::class(at, Class::Name)),
    }
}

/// A number.
pub(super) fn number(environment: Environment<'_>) -> impl Word<'_, Spanned<i32>> {
    custom(move |reader: &mut Reader<'_, '_>| {
        let at = position(reader);
        let value = match reader.peek_ref() {
            Some(Token::Number(value)) => *value,
            Some(Token::Keyword(Keyword::True | Keyword::Skip)) => 1,
            Some(Token::Keyword(Keyword::False)) => 0,
            _ => return Err(Problem::class(at, Class::Number)),
        };
        reader.skip();
        Ok(Spanned::new(value, environment.span(at, at + 1)))
    })
}

/// A string.
pub(super) fn text(environment: Environment<'_>) -> impl Word<'_, Spanned<Name>> {
    custom(move |reader: &mut Reader<'_, '_>| {
        let at = position(reader);
        match reader.peek_ref() {
            Some(Token::Text(text)) => {
                reader.skip();
                Ok(Spanned::new(text.clone(), environment.span(at, at + 1)))
            }
            _ => Err(Problem::class(at, Class::Text)),
        }
    })
}

/// A rule that begins with this word, where that word stands.
///
/// Unlike `or_not`, it does not take a begun rule back: what is wrong in it is reported there.
pub(super) fn optional<'a, O>(
    first: Token,
    rule: impl Parser<'a, Words<'a>, O, Extra<'a>> + 'a,
) -> impl Parser<'a, Words<'a>, Option<O>, Extra<'a>> {
    custom(move |reader: &mut Reader<'a, '_>| match reader.peek_ref() {
        Some(token) if *token == first => reader.parse(&rule).map(Some),
        _ => Ok(None),
    })
}

/// One or more, with a separator between; what is wrong behind a separator is reported there.
pub(super) fn list<'a, O>(
    separator: Sign,
    rule: impl Parser<'a, Words<'a>, O, Extra<'a>> + 'a,
) -> impl Parser<'a, Words<'a>, Vec<O>, Extra<'a>> {
    custom(move |reader: &mut Reader<'a, '_>| {
        let mut all = vec![reader.parse(&rule)?];
        while reader.peek_ref() == Some(&Token::Sign(separator)) {
            reader.skip();
            all.push(reader.parse(&rule)?);
        }
        Ok(all)
    })
}

/// `( … )`
pub(super) fn in_parentheses<'a, O>(
    rule: impl Parser<'a, Words<'a>, O, Extra<'a>> + 'a,
) -> Rule<'a, O> {
    rule.delimited_by(sign(Sign::LeftParen), sign(Sign::RightParen)).boxed()
}

/// `[ … ]`
pub(super) fn in_brackets<'a, O>(
    rule: impl Parser<'a, Words<'a>, O, Extra<'a>> + 'a,
) -> Rule<'a, O> {
    rule.delimited_by(sign(Sign::LeftBracket), sign(Sign::RightBracket)).boxed()
}

/// `{ … }`
pub(super) fn in_braces<'a, O>(rule: impl Parser<'a, Words<'a>, O, Extra<'a>> + 'a) -> Rule<'a, O> {
    rule.delimited_by(sign(Sign::LeftBrace), sign(Sign::RightBrace)).boxed()
}

/// The end of the words.
pub(super) fn end<'a>() -> impl Word<'a, ()> {
    custom(|reader: &mut Reader<'a, '_>| match reader.peek_ref() {
        None => Ok(()),
        Some(_) => Err(Problem::class(position(reader), Class::End)),
    })
}
