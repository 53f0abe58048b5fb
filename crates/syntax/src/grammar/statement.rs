//! Statements and steps.

use super::declaration::{self, variables};
use super::expression::{condition, expression};
use super::operand::{Operand, Value, operand};
use super::problem::{Class, Expected, Kind, Problem};
use super::reference::{receive_arguments, variable};
use super::sequence::{braced, options, recovering};
use super::word::{in_parentheses, keyword, list, optional, sign, take_name, text};
use super::{Environment, Place, Reader, Rule, position};
use crate::ast::{
    Expr, ExprKind, Ident, ReceiveArgument, Sequence, Statement, StatementKind, Step, StepKind,
    VarRef,
};
use crate::source::ExpansionKind;
use crate::token::{Keyword, Sign, Token};
use chumsky::prelude::*;

/// How many labels may stand before one statement: each is a level of the tree.
const LABEL_LIMIT: usize = 100;

/// The rules for steps that others need.
pub(super) struct Steps<'a> {
    /// `{ … }`
    pub(super) body: Rule<'a, Sequence>,
    /// An expression with its operators.
    pub(super) operand: Rule<'a, Operand>,
}

/// The rules for steps.
pub(super) fn steps(environment: Environment<'_>) -> Steps<'_> {
    let operand = operand(environment, Place::Step);
    let step = recursive({
        let operand = operand.clone();
        |step| recovering(environment, self::step(environment, operand, step.boxed()))
    })
    .boxed();
    Steps { body: braced(environment, step), operand }
}

fn step<'a>(
    environment: Environment<'a>,
    operand: Rule<'a, Operand>,
    step: Rule<'a, Step>,
) -> Rule<'a, Step> {
    let declaration = variables(environment, operand.clone());
    let channel = variable(environment, operand.clone()).map(|(variable, _)| variable);
    let exclusive = list(Sign::Comma, channel);
    let statement = statement(environment, operand, step);
    custom(move |reader: &mut Reader<'a, '_>| {
        let start = position(reader);
        let kind = match environment.peek(reader, 0) {
            Some(Token::Keyword(keyword @ (Keyword::Xr | Keyword::Xs))) => {
                reader.skip();
                let channels = reader.parse(&exclusive)?;
                StepKind::Exclusive { sends: *keyword == Keyword::Xs, channels }
            }
            _ if declaration::begins(environment, reader) => {
                StepKind::Declaration(reader.parse(&declaration)?)
            }
            _ => {
                let main = reader.parse(&statement)?;
                if reader.peek_ref() == Some(&Token::Keyword(Keyword::Unless)) {
                    reader.skip();
                    let escape = reader.parse(&statement)?;
                    StepKind::Unless { main, escape }
                } else {
                    StepKind::Statement(main.node)
                }
            }
        };
        Ok(Step::new(kind, environment.span(start, position(reader))))
    })
    .boxed()
}

/// A statement with the labels before it.
fn statement<'a>(
    environment: Environment<'a>,
    operand: Rule<'a, Operand>,
    step: Rule<'a, Step>,
) -> Rule<'a, Statement> {
    let unlabelled = unlabelled(environment, operand, step);
    custom(move |reader: &mut Reader<'a, '_>| {
        let mut labels: Vec<(usize, Ident)> = Vec::new();
        while let Some(label) = take_label(environment, reader)? {
            if labels.len() >= LABEL_LIMIT {
                return Err(Problem::new(position(reader), Kind::TooDeep));
            }
            labels.push(label);
        }
        let at = position(reader);
        let token = environment.peek(reader, 0);
        let mut statement = match labels.last() {
            None => Some(reader.parse(&unlabelled)?),
            Some(&(label, _))
                if declaration::begins(environment, reader)
                    || matches!(token, Some(Token::Keyword(Keyword::Xr | Keyword::Xs))) =>
            {
                return Err(Problem::new(at, Kind::LabelledDeclaration { label }));
            }
            Some(_) if ends_statement(token) => None,
            Some(_) => Some(reader.parse(&unlabelled)?),
        };
        let end = position(reader);
        for (start, label) in labels.into_iter().rev() {
            let kind = StatementKind::Labelled { label, statement: statement.map(Box::new) };
            statement = Some(Statement::new(kind, environment.span(start, end)));
        }
        statement.ok_or(Problem::class(at, Class::Statement))
    })
    .boxed()
}

/// `name :`, unless the name is that of a process: then it begins a remote reference.
fn take_label<'a>(
    environment: Environment<'a>,
    reader: &mut Reader<'a, '_>,
) -> Result<Option<(usize, Ident)>, Problem> {
    let at = position(reader);
    match (environment.peek(reader, 0), environment.peek(reader, 1)) {
        (Some(Token::Name(name)), Some(Token::Sign(Sign::Colon)))
            if !environment.is_proctype(name, at, Place::Step) =>
        {
            let label = take_name(environment, reader)?;
            reader.skip();
            Ok(Some((at, label)))
        }
        _ => Ok(None),
    }
}

fn ends_statement(token: Option<&Token>) -> bool {
    matches!(
        token,
        None | Some(
            Token::Sign(Sign::Semicolon | Sign::Arrow | Sign::DoubleColon | Sign::RightBrace)
                | Token::Keyword(Keyword::Fi | Keyword::Od | Keyword::Unless)
        )
    )
}

/// A statement without labels.
fn unlabelled<'a>(
    environment: Environment<'a>,
    operand: Rule<'a, Operand>,
    step: Rule<'a, Step>,
) -> Rule<'a, Statement> {
    let options = options(environment, step.clone());
    let block = braced(environment, step);
    let condition = condition(environment, operand.clone());
    let repetition = repetition(environment, operand.clone(), block.clone());
    let simple = simple(environment, operand.clone());
    let action = action(environment, operand, block.clone());
    custom(move |reader: &mut Reader<'a, '_>| {
        let start = position(reader);
        let kind = match environment.peek(reader, 0) {
            Some(Token::Keyword(keyword)) => match keyword {
                Keyword::If => match reader.parse(&options)? {
                    Some(options) => StatementKind::If(options),
                    None => nothing(environment, start, position(reader)),
                },
                Keyword::Do => match reader.parse(&options)? {
                    Some(options) => StatementKind::Do(options),
                    None => nothing(environment, start, position(reader)),
                },
                Keyword::Atomic => {
                    reader.skip();
                    StatementKind::Atomic(reader.parse(&block)?)
                }
                Keyword::DStep => {
                    reader.skip();
                    StatementKind::DStep(reader.parse(&block)?)
                }
                Keyword::For | Keyword::Select => reader.parse(&repetition)?,
                Keyword::Break => {
                    reader.skip();
                    StatementKind::Break
                }
                Keyword::Else => {
                    reader.skip();
                    StatementKind::Else
                }
                Keyword::Goto => {
                    reader.skip();
                    StatementKind::Goto(take_name(environment, reader)?)
                }
                Keyword::Return => {
                    reader.skip();
                    let value = reader.parse(&condition)?;
                    match reader.state().returns.last().cloned() {
                        Some(Some(target)) => StatementKind::Assign { target, value },
                        _ => {
                            reader.emit(Problem::new(start, Kind::Return));
                            StatementKind::Return(value)
                        }
                    }
                }
                Keyword::Assert | Keyword::Printf | Keyword::Printm | Keyword::SetPriority => {
                    reader.parse(&simple)?
                }
                _ => reader.parse(&action).map_err(|problem| no_statement(problem, start))?,
            },
            Some(Token::Sign(Sign::LeftBrace)) => StatementKind::Block(reader.parse(&block)?),
            Some(Token::InlineBody) => take_inline(reader, None, &block)?,
            _ => reader.parse(&action).map_err(|problem| no_statement(problem, start))?,
        };
        Ok(Statement::new(kind, environment.span(start, position(reader))))
    })
    .boxed()
}

/// Nothing that begins a statement was found: says so, rather than that no expression was.
fn no_statement(problem: Problem, start: usize) -> Problem {
    match problem.kind {
        Kind::Unexpected(_) if problem.at == start => Problem::class(start, Class::Statement),
        _ => problem,
    }
}

/// What stands for a statement that was reported and skipped.
fn nothing(environment: Environment<'_>, start: usize, end: usize) -> StatementKind {
    StatementKind::Expression(Expr::new(ExprKind::Number(1), environment.span(start, end)))
}

/// The body of an inline call, whose `return` goes to a variable where there is one.
fn take_inline<'a>(
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
fn simple<'a>(environment: Environment<'a>, operand: Rule<'a, Operand>) -> Rule<'a, StatementKind> {
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

/// `for` and `select`
fn repetition<'a>(
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

/// Statements that begin with an expression: assignments, sends, receives, conditions.
fn action<'a>(
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
