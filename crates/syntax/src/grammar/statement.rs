//! Statements and steps.

use super::action::{action, simple, take_inline};
use super::declaration::{self, variables};
use super::expression::condition;
use super::operand::{Operand, operand};
use super::problem::{Class, Kind, Problem};
use super::reference::variable;
use super::repetition::repetition;
use super::sequence::{braced, options, recovering};
use super::word::{list, take_name};
use super::{Environment, Place, Reader, Rule, position};
use crate::ast::{Expr, ExprKind, Ident, Sequence, Statement, StatementKind, Step, StepKind};
use crate::token::{Keyword, Sign, Token};
use chumsky::prelude::*;

/// How many labels may stand before a statement and those around it: each is a level of the tree.
const LABEL_LIMIT: usize = 300;

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
                    let escape = Box::new(reader.parse(&statement)?);
                    StepKind::Unless { main: Box::new(main), escape }
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
        let around = reader.state().labels;
        while let Some(label) = take_label(environment, reader)? {
            if around + labels.len() >= LABEL_LIMIT {
                return Err(Problem::new(position(reader), Kind::TooDeep));
            }
            labels.push(label);
        }
        let at = position(reader);
        let token = environment.peek(reader, 0);
        let mut statement = match labels.last() {
            Some(&(label, _))
                if declaration::begins(environment, reader)
                    || matches!(token, Some(Token::Keyword(Keyword::Xr | Keyword::Xs))) =>
            {
                return Err(Problem::new(at, Kind::LabelledDeclaration { label }));
            }
            Some(_) if ends_statement(token) => None,
            _ => {
                reader.state().labels = around + labels.len();
                let statement = reader.parse(&unlabelled);
                reader.state().labels = around;
                Some(statement?)
            }
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
