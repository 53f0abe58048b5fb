//! Steps one after the other, and what holds them: braces, `if … fi`, `do … od`.
//!
//! Here is all recovery inside a process. A step that fails is skipped up to the next separator,
//! option or end. A construct that has begun never fails: when its end is missing, it says so
//! (once, for the innermost) and gives way to the constructs around it.

use super::problem::{Class, Expected, Kind, Problem};
use super::word::sign;
use super::{Environment, Reader, Rule, position};
use crate::ast::{Expr, ExprKind, Sequence, SpanOnly, StatementKind, Step, StepKind};
use crate::token::{Keyword, Sign, Token};
use chumsky::prelude::*;

/// A construct that has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    kind: Bracket,
    /// The word that opened it.
    at: usize,
}

/// Kinds of construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    Brace,
    If,
    Do,
}

impl Bracket {
    fn opened_by(token: &Token) -> Option<Self> {
        Some(match token {
            Token::Sign(Sign::LeftBrace) => Self::Brace,
            Token::Keyword(Keyword::If) => Self::If,
            Token::Keyword(Keyword::Do) => Self::Do,
            _ => return None,
        })
    }

    fn closed_by(token: &Token) -> Option<Self> {
        Some(match token {
            Token::Sign(Sign::RightBrace) => Self::Brace,
            Token::Keyword(Keyword::Fi) => Self::If,
            Token::Keyword(Keyword::Od) => Self::Do,
            _ => return None,
        })
    }
}

/// A step that never fails: what cannot be read is skipped and stands as `1`.
pub(super) fn recovering<'a>(environment: Environment<'a>, step: Rule<'a, Step>) -> Rule<'a, Step> {
    let skipped = custom(move |reader: &mut Reader<'a, '_>| {
        let start = position(reader);
        skip_step(reader);
        let span = environment.span(start, position(reader));
        let nothing = Expr::new(ExprKind::Number(1), span);
        Ok(Step::new(StepKind::Statement(StatementKind::Expression(nothing)), span))
    });
    step.recover_with(via_parser(skipped)).boxed()
}

/// `{ … }`
pub(super) fn braced<'a>(environment: Environment<'a>, step: Rule<'a, Step>) -> Rule<'a, Sequence> {
    custom(move |reader: &mut Reader<'a, '_>| {
        let start = position(reader);
        reader.parse(sign(Sign::LeftBrace))?;
        reader.state().open.push(Open { kind: Bracket::Brace, at: start });
        let steps = take_steps(environment, reader, &step, start);
        close(reader);
        let span = SpanOnly(environment.span(start, position(reader)));
        Ok(Sequence { steps, span })
    })
    .boxed()
}

/// `if … fi` or `do … od`, from that word on; `None` when there are no options at all.
pub(super) fn options<'a>(
    environment: Environment<'a>,
    step: Rule<'a, Step>,
) -> Rule<'a, Option<Vec<Sequence>>> {
    custom(move |reader: &mut Reader<'a, '_>| {
        let at = position(reader);
        let Some(kind) = reader.peek_ref().and_then(Bracket::opened_by) else {
            return Err(Problem::class(at, Class::Statement));
        };
        reader.skip();
        if reader.peek_ref() != Some(&Token::Sign(Sign::DoubleColon)) {
            reader.emit(Problem::new(at, Kind::NoOptions));
            skip_to_end_of(environment, reader, kind);
            return Ok(None);
        }
        reader.state().open.push(Open { kind, at });
        let mut options = Vec::new();
        while reader.peek_ref() == Some(&Token::Sign(Sign::DoubleColon)) {
            let start = position(reader);
            reader.skip();
            let steps = take_steps(environment, reader, &step, start);
            let span = SpanOnly(environment.span(start, position(reader)));
            options.push(Sequence { steps, span });
        }
        close(reader);
        Ok(Some(options))
    })
    .boxed()
}

/// The steps up to an end that belongs to something open.
fn take_steps<'a>(
    environment: Environment<'a>,
    reader: &mut Reader<'a, '_>,
    step: &Rule<'a, Step>,
    opener: usize,
) -> Vec<Step> {
    let mut steps = Vec::new();
    if is_separator(reader.peek_ref()) {
        reader.emit(Problem::class(position(reader), Class::Statement));
        skip_separators(reader);
    } else if at_end(environment, reader) {
        reader.emit(Problem::new(position(reader), Kind::Empty { opener }));
    }
    // Whether a separator was missing before the step: then a second one is no news.
    let mut run_on = false;
    while !at_end(environment, reader) {
        let start = position(reader);
        match reader.parse(step) {
            Ok(step) => steps.push(step),
            Err(problem) => reader.emit(problem),
        }
        if is_separator(reader.peek_ref()) {
            let before = position(reader);
            skip_separators(reader);
            // One separator may stand before an end; behind a second, a step is missing.
            if position(reader) > before + 1 && ends(reader.peek_ref()) {
                reader.emit(Problem::class(position(reader), Class::Statement));
            }
            run_on = false;
        } else if position(reader) == start {
            reader.skip();
        } else if !at_end(environment, reader) {
            if run_on {
                skip_step(reader);
                skip_separators(reader);
                run_on = false;
            } else {
                run_on = missing_separator(reader);
            }
        }
    }
    steps
}

/// Whether this word ends an option or a block.
fn ends(token: Option<&Token>) -> bool {
    token.is_some_and(|token| {
        *token == Token::Sign(Sign::DoubleColon) || Bracket::closed_by(token).is_some()
    })
}

/// Two steps without a separator: whether the second looks like one, and is worth reading.
fn missing_separator(reader: &mut Reader<'_, '_>) -> bool {
    let at = position(reader);
    let begins = match reader.peek_ref() {
        Some(Token::Name(_) | Token::InlineBody | Token::Sign(Sign::LeftBrace)) => true,
        Some(Token::Keyword(keyword)) => {
            use Keyword::{Eval, In, Of, Priority, Provided, Unless};
            !matches!(keyword, Eval | In | Of | Priority | Provided | Unless)
        }
        _ => false,
    };
    if begins {
        reader.emit(Problem::new(at, Kind::MissingSeparator));
    } else {
        use chumsky::error::Error;
        let problem = Problem::expected(at, Expected::Sign(Sign::Semicolon));
        reader.emit(problem.merge(Problem::class(at, Class::Operator)));
        skip_step(reader);
        skip_separators(reader);
    }
    begins
}

/// Whether the steps end here; ends that belong to nothing are reported and skipped.
fn at_end<'a>(environment: Environment<'a>, reader: &mut Reader<'a, '_>) -> bool {
    loop {
        let Some(token) = environment.peek(reader, 0) else { return true };
        let at = position(reader);
        let kind = Bracket::closed_by(token);
        let open = &reader.state().open;
        let belongs = match kind {
            Some(kind) => open.iter().any(|open| open.kind == kind),
            None if *token == Token::Sign(Sign::DoubleColon) => {
                open.iter().any(|open| open.kind != Bracket::Brace)
            }
            None => return begins_unit(token),
        };
        // `do … fi` with no `if` around: the person mixed up the words.
        let mixed_up = kind.is_some_and(|kind| kind != Bracket::Brace)
            && open.last().is_some_and(|open| open.kind != Bracket::Brace);
        if belongs || mixed_up {
            return true;
        }
        reader.emit(Problem::new(at, Kind::Stray));
        reader.skip();
        skip_separators(reader);
    }
}

/// Takes the end of the innermost construct, or reports that it is missing.
fn close(reader: &mut Reader<'_, '_>) {
    let Some(open) = reader.state().open.pop() else { return };
    let at = position(reader);
    let closed = reader.peek_ref().and_then(Bracket::closed_by);
    if closed == Some(open.kind) {
        reader.skip();
        return;
    }
    let expected_outside = closed.is_some_and(|kind| {
        kind == Bracket::Brace || reader.state().open.iter().any(|open| open.kind == kind)
    });
    if closed.is_some() && !expected_outside {
        reader.emit(Problem::new(at, Kind::WrongCloser { opener: open.at }));
        reader.skip();
    } else if reader.state().unclosed_at != Some(at) {
        reader.state().unclosed_at = Some(at);
        reader.emit(Problem::new(at, Kind::Unclosed { opener: open.at }));
    }
}

/// Skips to the next word at which a step can end, over whatever constructs lie between.
fn skip_step(reader: &mut Reader<'_, '_>) {
    let (mut depth, mut parentheses) = (0_usize, 0_usize);
    while let Some(token) = reader.peek_ref() {
        if begins_unit(token) {
            return;
        }
        match token {
            Token::Sign(Sign::Semicolon | Sign::DoubleColon) if depth == 0 => return,
            Token::Sign(Sign::Arrow) if depth == 0 && parentheses == 0 => return,
            Token::Sign(Sign::LeftParen) => parentheses += 1,
            Token::Sign(Sign::RightParen) => parentheses = parentheses.saturating_sub(1),
            token if Bracket::opened_by(token).is_some() => depth += 1,
            token if Bracket::closed_by(token).is_some() => {
                if depth == 0 {
                    return;
                }
                depth -= 1;
            }
            _ => {}
        }
        reader.skip();
    }
}

/// How far ahead the end of a broken `if` is looked for: a wrong text must not take forever.
const LOOK_AHEAD: usize = 2000;

/// After `if` without `::`: skips to its `fi` where there is one, else one step.
fn skip_to_end_of<'a>(environment: Environment<'a>, reader: &mut Reader<'a, '_>, kind: Bracket) {
    let mut depth = 0_usize;
    let mut ahead = 0;
    while let Some(token) = environment.peek(reader, ahead) {
        if begins_unit(token) || ahead > LOOK_AHEAD {
            break;
        }
        if Bracket::opened_by(token).is_some() {
            depth += 1;
        } else if let Some(closed) = Bracket::closed_by(token) {
            if depth == 0 && closed == kind {
                for _ in 0..=ahead {
                    reader.skip();
                }
                return;
            }
            if depth == 0 {
                break;
            }
            depth -= 1;
        }
        ahead += 1;
    }
    skip_step(reader);
}

fn is_separator(token: Option<&Token>) -> bool {
    matches!(token, Some(Token::Sign(Sign::Semicolon | Sign::Arrow)))
}

fn skip_separators(reader: &mut Reader<'_, '_>) {
    while is_separator(reader.peek_ref()) {
        reader.skip();
    }
}

/// Words that only ever begin a top-level unit.
pub(super) fn begins_unit(token: &Token) -> bool {
    use Keyword::{Active, DProctype, Init, Inline, Ltl, Never, Notrace, Proctype, Trace, Typedef};
    matches!(
        token,
        Token::Keyword(
            Active | DProctype | Init | Inline | Ltl | Never | Notrace | Proctype | Trace | Typedef
        )
    )
}
