//! Statements become elements, in the order SPIN's parser completes them.

use super::{Lowering, scope::Meaning};
use crate::codes;
use crate::control::flow::{Jump, Node, SequenceId, Statement, StatementKind as Kind};
use crate::machine::{Action, Expression, Pattern, Place};
use crate::types::Type;
use pverify_syntax::ast::{
    BinaryOperator, Expr, Ident, Sequence, StatementKind, Step, StepKind, VarRef,
};
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Span;

impl Lowering {
    /// Adds the steps of a sequence to the one that is open.
    pub(super) fn steps(&mut self, sequence: &Sequence) {
        for step in &sequence.steps {
            if self.giving_up() {
                break;
            }
            self.step(step);
        }
    }

    fn step(&mut self, step: &Step) {
        match &step.node {
            StepKind::Declaration(declaration) => self.local_declaration(declaration),
            StepKind::Exclusive { sends, channels } => self.exclusive(*sends, channels),
            StepKind::Statement(kind) => {
                let statement = self.statement(kind, step.span);
                self.add(statement);
            }
            StepKind::Unless { main, escape } => {
                let loops = matches!(
                    main.node,
                    StatementKind::Do(_)
                        | StatementKind::ForRange { .. }
                        | StatementKind::ForIn { .. }
                );
                let main = self.statement(&main.node, main.span);
                let suspended = if loops { self.flow.suspend_break() } else { None };
                let escape = self.statement(&escape.node, escape.span);
                self.flow.resume_break(suspended);
                if let (Some(main), Some(escape)) = (main, escape) {
                    let unless = self.flow.unless(main, escape, step.span);
                    self.flow.add(unless);
                }
            }
        }
    }

    fn add(&mut self, statement: Option<Statement>) {
        if let Some(statement) = statement {
            self.flow.add(statement);
        }
    }

    /// A statement without elements of its own yet; those inside it have theirs.
    pub(super) fn statement(&mut self, kind: &StatementKind, span: Span) -> Option<Statement> {
        let statement = self.statement_inner(kind, span);
        self.flow.at_start = false;
        statement
    }

    fn statement_inner(&mut self, kind: &StatementKind, span: Span) -> Option<Statement> {
        self.check_event_order(kind, span);
        match kind {
            StatementKind::Labelled { label, statement } => {
                let symbol_scope = self.label(label);
                let inner = match statement {
                    Some(inner) => self.statement(&inner.node, inner.span),
                    None => None,
                };
                // Even a statement that is wrong leaves its label behind.
                let inner =
                    inner.unwrap_or_else(|| self.flow.statement(Node::Step(Action::Skip), span));
                Some(self.flow.wrap(
                    Kind::Labelled {
                        name: label.node.clone(),
                        scope: symbol_scope,
                        span: label.span,
                        statement: Box::new(inner),
                    },
                    span,
                ))
            }
            StatementKind::If(options) => {
                let options = self.options(options);
                Some(self.flow.wrap(Kind::If(options), span))
            }
            StatementKind::Do(options) => {
                self.flow.push_break();
                let options = self.options(options);
                Some(self.flow.wrap(Kind::Do(options), span))
            }
            StatementKind::ForRange { variable, from, to, body } => {
                self.for_range(variable, from, to, body, span)
            }
            StatementKind::ForIn { variable, container, body } => {
                self.for_in(variable, container, body, span)
            }
            StatementKind::Select { variable, from, to, literal } => {
                self.select(variable, from, to, *literal, span)
            }
            StatementKind::Break => {
                let target = self.flow.break_target(span)?;
                Some(self.flow.statement(Node::Goto(Jump::Break(target)), span))
            }
            StatementKind::Goto(label) => {
                let scope = self.label(label);
                let jump = Jump::Label { name: label.node.clone(), scope };
                Some(self.flow.statement(Node::Goto(jump), span))
            }
            StatementKind::Atomic(body) => {
                let inner = self.block(body, "write `Label: atomic { … }`", span);
                self.flow.make_atomic(inner, false);
                Some(self.flow.statement(Node::Atomic(inner), span))
            }
            StatementKind::Block(body) => {
                let inner = self.block(body, "write `Label: { … }`", span);
                Some(self.flow.statement(Node::Block(inner), span))
            }
            StatementKind::DStep(body) => Some(self.d_step(body, span)),
            _ => {
                let action = self.action(kind, span)?;
                self.check_event(&action, span);
                Some(self.flow.statement(Node::Step(action), span))
            }
        }
    }

    fn d_step(&mut self, body: &Sequence, span: Span) -> Statement {
        self.scopes.enter();
        self.flow.open_sequence();
        self.flow.enter_d_step();
        self.steps(body);
        let inner = self.flow.close_sequence(Some("write `Label: d_step { … }`"), span);
        self.scopes.leave();
        let process = self.process.map_or(0, |id| id.0);
        self.flow.check_d_step_jumps(inner, process);
        self.flow.make_atomic(inner, true);
        // SPIN counts the d_step itself as inside it: no jump from outside can lead to its label.
        let statement = self.flow.statement(Node::DStep(inner), span);
        self.flow.d_step_start = None;
        statement
    }

    fn block(&mut self, body: &Sequence, advice: &'static str, span: Span) -> SequenceId {
        self.scopes.enter();
        self.flow.open_sequence();
        self.steps(body);
        let inner = self.flow.close_sequence(Some(advice), span);
        self.scopes.leave();
        inner
    }

    fn options(&mut self, options: &[Sequence]) -> Vec<SequenceId> {
        let mut closed = Vec::new();
        for option in options {
            self.flow.open_sequence();
            self.steps(option);
            closed.push(self.flow.close_sequence(None, option.span.0));
        }
        if !self.in_claim() {
            for &option in &closed {
                self.flow.prune(option);
            }
        }
        closed
    }

    /// Notes a label's name and gives the block it was first met in.
    fn label(&mut self, label: &Ident) -> crate::control::flow::ScopePath {
        if self.check_fresh(label, "a label") {
            let symbol = self.scopes.lookup(&label.node, self.process, label.span);
            match symbol.meaning {
                Meaning::Variable(..) => {
                    let before = symbol.span;
                    self.report(
                        Diagnostic::new(
                            &codes::NAME_TAKEN,
                            label.span,
                            format!("`{}` cannot be a label: it is a variable", label.node),
                        )
                        .label(before, "declared here")
                        .help("choose another name for the label"),
                    );
                }
                _ => {
                    symbol.meaning = Meaning::Label;
                    return symbol.scope.clone();
                }
            }
        }
        self.scopes.path().clone()
    }

    /// A statement that is one step.
    pub(super) fn action(&mut self, kind: &StatementKind, span: Span) -> Option<Action> {
        match kind {
            StatementKind::Assign { target, value } => self.assign(target, value, span),
            StatementKind::Increment(target) => self.count(target, BinaryOperator::Add, span),
            StatementKind::Decrement(target) => self.count(target, BinaryOperator::Subtract, span),
            StatementKind::SetPriority { process, priority } => {
                self.model.uses.priorities = true;
                self.met_priority(span);
                let process = self.expression(process);
                Some(Action::SetPriority(process, self.expression(priority)))
            }
            StatementKind::Printf { format, arguments } => {
                let arguments = arguments.iter().map(|a| self.expression(a)).collect();
                Some(Action::Print(format.node.clone(), arguments))
            }
            StatementKind::Printm(value) => Some(Action::PrintMtype(self.expression(value))),
            StatementKind::Assert(condition) => Some(Action::Assert(self.expression(condition))),
            StatementKind::Send { channel, sorted, arguments } => {
                self.no_claim_io(span);
                let channel = self.channel(channel);
                let message = self.expand(arguments);
                self.no_run(&message, span, "a message");
                Some(Action::Send { channel: channel?, sorted: *sorted, message })
            }
            StatementKind::Receive { channel, random, keep, arguments } => {
                self.no_claim_io(span);
                let channel = self.channel(channel);
                let pattern = self.pattern(arguments);
                self.no_double_store(&pattern, span);
                Some(Action::Receive { channel: channel?, random: *random, keep: *keep, pattern })
            }
            StatementKind::Expression(condition) => {
                let condition = self.expression(condition);
                self.check_runs(&condition, span);
                Some(match condition {
                    Expression::Constant(1, _) => Action::Skip,
                    condition => Action::Condition(condition),
                })
            }
            StatementKind::Else => Some(Action::Else),
            StatementKind::Return(_) => {
                self.error_help(
                    &pverify_syntax::codes::RETURN_OUTSIDE,
                    span,
                    "`return` stands outside an inline that is called for its value",
                    "call the inline as `x = name(…)`",
                );
                None
            }
            _ => None,
        }
    }

    fn no_claim_io(&mut self, span: Span) {
        if self.in_claim() {
            self.error_help(
                &codes::CLAIM_WITH_IO,
                span,
                "a `never` claim watches: it cannot send or receive",
                "ask for the contents of a channel with `c?[…]`, `len(c)`, `empty(c)`",
            );
        }
    }

    fn assign(&mut self, target: &VarRef, value: &Expr, span: Span) -> Option<Action> {
        let value_expression = self.expression(value);
        if let [part] = target.parts.as_slice()
            && part.index.is_none()
        {
            match &*part.name.node {
                "_priority" => {
                    self.model.uses.priorities = true;
                    self.met_priority(part.name.span);
                    return Some(Action::SetPriority(Expression::Pid, value_expression));
                }
                "_pid" | "_nr_pr" | "_p" | "_last" => {
                    let message = format!("`{}` cannot be assigned to", part.name.node);
                    let help = "pverify keeps its value; use a variable of your own";
                    self.error_help(&codes::INTERNAL_ASSIGNMENT, target.span.0, message, help);
                    return None;
                }
                "_" => {
                    self.check_assigned_runs(&value_expression, span);
                    return Some(Action::Discard(value_expression));
                }
                _ => {}
            }
        }
        self.check_self_index(target);
        let place = self.scalar(target)?;
        self.check_assignment(&place, &value_expression, span);
        self.check_assigned_runs(&value_expression, span);
        Some(Action::Assign(place, value_expression))
    }

    fn count(&mut self, target: &VarRef, operator: BinaryOperator, span: Span) -> Option<Action> {
        let internal = target.parts.len() == 1
            && matches!(&*target.parts[0].name.node, "_pid" | "_nr_pr" | "_p" | "_last");
        if internal {
            let message = format!("`{}` cannot be assigned to", target.parts[0].name.node);
            let help = "pverify keeps its value; use a variable of your own";
            self.error_help(&codes::INTERNAL_ASSIGNMENT, target.span.0, message, help);
            return None;
        }
        self.check_self_index(target);
        let place = self.scalar(target)?;
        if place.kind == Type::Chan {
            self.channel_arithmetic(span);
        }
        Some(increment(place, operator))
    }

    fn no_double_store(&mut self, pattern: &[Pattern], span: Span) {
        for (at, part) in pattern.iter().enumerate() {
            let Pattern::Store(place) = part else { continue };
            let simple = |p: &Place| p.fields.is_empty() && p.index.is_none();
            let again = pattern[..at].iter().any(|earlier| match earlier {
                Pattern::Store(p) => {
                    simple(p)
                        && simple(place)
                        && (p.owner, p.variable) == (place.owner, place.variable)
                }
                _ => false,
            });
            if again {
                self.error_help(
                    &codes::STORED_TWICE,
                    span,
                    "two fields of the message go to the same variable",
                    "use `_` for the field whose value is not needed",
                );
            }
        }
    }
}

/// `x = x + 1` and its like.
pub(super) fn increment(place: Place, operator: BinaryOperator) -> Action {
    let value = Expression::Binary(
        operator,
        Box::new(Expression::Read(place.clone())),
        Box::new(Expression::Constant(1, None)),
    );
    Action::Assign(place, value)
}

/// A comparison of a place with a value.
pub(super) fn compare(operator: BinaryOperator, place: &Place, value: Expression) -> Action {
    let left = Box::new(Expression::Read(place.clone()));
    Action::Condition(Expression::Binary(operator, left, Box::new(value)))
}
