//! Mistakes people make out of habit from other languages, recognised by the words around.

use super::Environment;
use super::problem::{Class, Expected, Kind, Problem};
use super::report::place;
use crate::codes;
use crate::diagnostic::Code;
use crate::source::Span;
use crate::token::{Keyword, Sign, Token};

/// A better explanation than the grammar alone can give.
pub(super) struct Remedy {
    pub(super) code: &'static Code,
    pub(super) message: String,
    pub(super) help: String,
    /// Where, when not at the word of the problem.
    pub(super) span: Option<Span>,
}

/// Looks at the words around a problem for a known mistake.
pub(super) fn remedy(environment: Environment<'_>, problem: &Problem) -> Option<Remedy> {
    let at = problem.at;
    let tokens = environment.tokens.tokens.as_slice();
    let token = |at: Option<usize>| at.and_then(|at| tokens.get(at));
    let sign = |at: Option<usize>| match token(at) {
        Some(Token::Sign(sign)) => Some(*sign),
        _ => None,
    };
    let name = |at: Option<usize>| match token(at) {
        Some(Token::Name(name)) => Some(&**name),
        _ => None,
    };
    let (here, before) = (Some(at), at.checked_sub(1));
    let expected = match problem.kind {
        Kind::Unexpected(expected) => Some(expected),
        Kind::MissingSeparator | Kind::NotAVariable | Kind::StatementOutside => None,
        _ => return None,
    };
    let spelling = |message: &str, help: &str| {
        Some(Remedy {
            code: &codes::FOREIGN_SIGN,
            message: message.into(),
            help: help.into(),
            span: None,
        })
    };
    let construct = |message: String, help: &str, at: Option<usize>| {
        Some(Remedy {
            code: &codes::FOREIGN_CONSTRUCT,
            message,
            help: help.into(),
            span: at.map(|at| place(environment, at)),
        })
    };

    match (sign(before), sign(here)) {
        (Some(Sign::Colon), Some(Sign::Assign)) => {
            return spelling("`:=` is not an assignment in Promela", "write `=`");
        }
        (Some(Sign::Assign), Some(Sign::Greater)) => {
            return spelling("there is no `=>`", "write `->` after a condition, or `>=`");
        }
        (Some(Sign::Assign), Some(Sign::Less)) => {
            return spelling("there is no `=<`", "write `<=`");
        }
        (
            Some(Sign::Plus | Sign::Minus | Sign::Star | Sign::Slash | Sign::Percent),
            Some(Sign::Assign),
        ) => return spelling("there are no combined assignments", "write `x = x + …`"),
        (_, Some(Sign::BangBang)) if expected.is_some() => {
            return spelling(
                "`!!` is the sorted send, not a double negation",
                "leave both `!` out, or put a blank between them",
            );
        }
        (_, Some(Sign::Assign)) if expected.is_some() => {
            return Some(Remedy {
                code: &codes::ASSIGNMENT_IN_EXPRESSION,
                message: "`=` assigns and cannot stand inside an expression".into(),
                help: "write `==` to compare".into(),
                span: None,
            });
        }
        (_, Some(Sign::Increment | Sign::Decrement)) => {
            return spelling(
                "`++` and `--` are statements of their own",
                "write `x++` as a statement, and use `x + 1` in expressions",
            );
        }
        (_, Some(Sign::Comma)) if ends_a_channel(tokens, at) => {
            return construct(
                "a channel with its messages ends its declaration".into(),
                "write `;` and declare the next one on its own: `chan name = [1] of { byte };`",
                here,
            );
        }
        (_, Some(Sign::Comma)) if is_grouped_message(tokens, at) => {
            return spelling(
                "the parts of a sent message are not put in parentheses",
                "write `c!a,b` or `c!a(b)`",
            );
        }
        _ => {}
    }

    for (place, word) in [(before, name(before)), (here, name(here))] {
        let sign = match word {
            Some("and" | "AND") => "&&",
            Some("or" | "OR") => "||",
            Some("not" | "NOT") => "!",
            _ => continue,
        };
        let message = format!("`{}` is written `{sign}`", word.unwrap_or_default());
        return construct(message, &format!("write `{sign}`"), place);
    }

    let after_name = name(before).filter(|_| sign(here) == Some(Sign::LeftParen));
    match after_name {
        Some("while") => {
            return construct(
                "Promela has no `while`".into(),
                "write `do :: condition -> … :: else -> break od`",
                before,
            );
        }
        Some("switch") => {
            return construct(
                "Promela has no `switch`".into(),
                "write `if :: x == 1 -> … fi`",
                before,
            );
        }
        Some(called) => {
            let typed = matches!(token(at.checked_sub(2)), Some(Token::Keyword(_)));
            if typed {
                return construct(
                    "Promela has no functions".into(),
                    "write `init { … }` or `active proctype main() { … }` for what runs, and \
                     `inline` for what is called",
                    before,
                );
            }
            if environment.declared.proctypes.contains_key(called) {
                return construct(
                    format!("the process `{called}` is not started by its name alone"),
                    "write `run` before it",
                    before,
                );
            }
            return construct(
                format!("`{called}` is neither a macro nor an inline"),
                "define it above its first use with `inline` or `#define`; a process is started \
                 by `run`",
                before,
            );
        }
        None => {}
    }
    if let (Some(first), Some(second)) = (name(before), name(here)) {
        return Some(Remedy {
            code: &codes::MISSING_SEPARATOR,
            message: format!("something is missing between `{first}` and `{second}`"),
            help: format!(
                "an operator, or a `;` between two statements; if `{first}` is meant as a type, \
                 declare it with `typedef {first} {{ … }}`"
            ),
            span: None,
        });
    }
    if let Some(Token::Keyword(keyword)) = token(here)
        && expected.is_some_and(|expected| expected.contains(Expected::Class(Class::Name)))
    {
        let word = keyword.text();
        return Some(Remedy {
            code: &codes::KEYWORD_AS_NAME,
            message: format!("`{word}` is a reserved word and cannot be a name"),
            help: format!("choose another name, for example `{word}_1`"),
            span: None,
        });
    }
    None
}

/// `[1] of { byte }` before a comma; a semicolon may have been put behind the brace.
fn ends_a_channel(tokens: &[Token], comma: usize) -> bool {
    let before = &tokens[..comma.min(tokens.len())];
    let behind = before.strip_suffix(&[Token::Sign(Sign::Semicolon)]).unwrap_or(before);
    let Some((Token::Sign(Sign::RightBrace), before)) = behind.split_last() else { return false };
    let open = before.iter().rposition(|token| matches!(token, Token::Sign(Sign::LeftBrace)));
    open.and_then(|at| at.checked_sub(1))
        .is_some_and(|at| before[at] == Token::Keyword(Keyword::Of))
}

/// `c!(a` before a comma.
fn is_grouped_message(tokens: &[Token], comma: usize) -> bool {
    let start = comma.saturating_sub(8);
    tokens[start..comma.min(tokens.len())].windows(2).any(|pair| {
        matches!(pair, [Token::Sign(Sign::Bang | Sign::BangBang), Token::Sign(Sign::LeftParen)])
    })
}
