//! `for` and `select`, which SPIN writes out as assignments and loops.

use super::statement::{compare, increment};
use super::{Lowering, scope::Meaning};
use crate::codes;
use crate::control::flow::{Jump, Node, Statement, StatementKind as Kind};
use crate::machine::{Action, Expression, Initial, Owner, Pattern, Place, Variable, VariableId};
use crate::types::Type;
use pverify_syntax::ast::{BinaryOperator, Expr, Probe, Sequence, VarRef};
use pverify_syntax::source::Span;

/// SPIN writes out a `select` over at most this many values as a choice.
const LARGEST_CHOICE: i64 = 32;

impl Lowering {
    /// `for (i : a .. b) { … }` is `i = a; do :: i <= b -> …; i++ :: else -> break od`.
    pub(super) fn for_range(
        &mut self,
        variable: &VarRef,
        from: &Expr,
        to: &Expr,
        body: &Sequence,
        span: Span,
    ) -> Option<Statement> {
        self.flow.push_break();
        let counter = self.counter(variable, "for")?;
        let from = self.expression(from);
        let to = self.expression(to);
        self.check_range(&from, &to, span);
        self.for_head(&counter, from, BinaryOperator::LessEqual, to, span);
        self.scopes.enter();
        self.steps(body);
        self.scopes.leave();
        Some(self.for_tail(&counter, true, span))
    }

    /// `for (i in a) { … }` counts the elements of an array, or takes the messages of a channel
    /// one by one, each being put back behind the others.
    pub(super) fn for_in(
        &mut self,
        variable: &VarRef,
        container: &VarRef,
        body: &Sequence,
        span: Span,
    ) -> Option<Statement> {
        self.flow.push_break();
        if variable.parts.len() > 1 || container.parts.len() > 1 {
            let message = "`for (… in …)` needs plain names, not fields";
            let help = "use `for (i : 0 .. n)` and index the field with `i`";
            self.error_help(&codes::BAD_LOOP, span, message, help);
            return None;
        }
        let named = self.named(variable)?;
        let over = self.named(container)?;
        let item = self.declared_variable(named.0, named.1);
        let (item_kind, item_array) = (item.kind, item.length.is_some());
        let source = self.declared_variable(over.0, over.1);
        let (kind, length) = (source.kind, source.length);
        let shape = match &source.initial {
            Initial::Channel(shape) => Some(shape.clone()),
            _ => None,
        };
        let counter = if let Type::Struct(id) = item_kind {
            let fits = kind == Type::Chan
                && shape
                    .as_ref()
                    .is_some_and(|shape| shape.capacity > 0 && shape.structure == Some(id));
            if !fits || item_array {
                self.error_help(
                    &codes::BAD_LOOP,
                    span,
                    "the messages of this channel do not fit the loop's variable",
                    "the channel must be buffered and its messages of the variable's `typedef`",
                );
                return None;
            }
            let channel = self.channel(container)?;
            let capacity = shape.map_or(0, |shape| shape.capacity);
            let counter = self.hidden_counter(capacity, span);
            let zero = Expression::Constant(0, None);
            let len = Expression::Probe(Probe::Len, channel.clone());
            self.for_head(&counter, zero, BinaryOperator::Less, len, span);
            let item = whole(named, item_kind, variable.span.0);
            let mut pattern = Vec::new();
            let mut message = Vec::new();
            self.expand_place(item, &mut |place| {
                pattern.push(Pattern::Store(place.clone()));
                message.push(Expression::Read(place));
            });
            let receive =
                Action::Receive { channel: channel.clone(), random: false, keep: false, pattern };
            let send = Action::Send { channel, sorted: false, message };
            for action in [receive, send] {
                let statement = self.flow.statement(Node::Step(action), span);
                self.flow.add(statement);
            }
            counter
        } else {
            let Some(length) = length else {
                self.error_help(
                    &codes::BAD_LOOP,
                    container.span.0,
                    format!("`{}` is not an array", container.parts[0].name.node),
                    "`for (i in a)` counts the elements of an array",
                );
                return None;
            };
            let counter = self.counter(variable, "for")?;
            let last = Expression::Constant(length as i32 - 1, None);
            let zero = Expression::Constant(0, None);
            self.for_head(&counter, zero, BinaryOperator::LessEqual, last, span);
            counter
        };
        self.scopes.enter();
        self.steps(body);
        self.scopes.leave();
        Some(self.for_tail(&counter, true, span))
    }

    /// `select (i : a .. b)`: a choice of assignments, or a loop that may stop at every value.
    pub(super) fn select(
        &mut self,
        variable: &VarRef,
        from: &Expr,
        to: &Expr,
        literal: bool,
        span: Span,
    ) -> Option<Statement> {
        let counter = self.counter(variable, "select")?;
        let from = self.expression(from);
        let to = self.expression(to);
        self.check_range(&from, &to, span);
        if literal
            && let (Expression::Constant(first, _), Expression::Constant(last, _)) = (&from, &to)
        {
            if i64::from(*last) - i64::from(*first) <= LARGEST_CHOICE {
                let mut options = Vec::new();
                for value in *first..=*last {
                    self.flow.open_sequence();
                    let value = Expression::Constant(value, None);
                    self.add_action(Action::Assign(counter.clone(), value), span);
                    options.push(self.flow.close_sequence(None, span));
                }
                return Some(self.flow.wrap(Kind::If(options), span));
            }
            self.add_action(Action::Assign(counter.clone(), from.clone()), span);
            self.flow.push_break();
            self.flow.open_sequence();
            self.add_action(compare(BinaryOperator::Less, &counter, to), span);
            self.add_action(increment(counter.clone(), BinaryOperator::Add), span);
            let more = self.flow.close_sequence(None, span);
            self.flow.open_sequence();
            self.add_break(span);
            let stop = self.flow.close_sequence(None, span);
            return Some(self.flow.wrap(Kind::Do(vec![more, stop]), span));
        }
        self.for_head(&counter, from, BinaryOperator::Less, to, span);
        self.flow.push_break();
        Some(self.for_tail(&counter, false, span))
    }

    fn for_head(
        &mut self,
        counter: &Place,
        from: Expression,
        operator: BinaryOperator,
        to: Expression,
        span: Span,
    ) {
        self.add_action(Action::Assign(counter.clone(), from), span);
        self.flow.open_sequence();
        self.add_action(compare(operator, counter, to), span);
    }

    fn for_tail(&mut self, counter: &Place, with_else: bool, span: Span) -> Statement {
        self.add_action(increment(counter.clone(), BinaryOperator::Add), span);
        let body = self.flow.close_sequence(None, span);
        self.flow.open_sequence();
        if with_else {
            self.add_action(Action::Else, span);
        }
        self.add_break(span);
        let stop = self.flow.close_sequence(None, span);
        self.flow.wrap(Kind::Do(vec![stop, body]), span)
    }

    fn add_action(&mut self, action: Action, span: Span) {
        let statement = self.flow.statement(Node::Step(action), span);
        self.flow.add(statement);
    }

    fn add_break(&mut self, span: Span) {
        if let Some(target) = self.flow.break_target(span) {
            let statement = self.flow.statement(Node::Goto(Jump::Break(target)), span);
            self.flow.add(statement);
        }
    }

    /// The counter of a loop: a plain variable that holds a number.
    fn counter(&mut self, variable: &VarRef, what: &str) -> Option<Place> {
        let place = self.scalar(variable)?;
        let plain = place.index.is_none() && place.fields.is_empty();
        if !plain || place.kind == Type::Chan {
            self.error_help(
                &codes::BAD_LOOP,
                variable.span.0,
                format!("the variable of a `{what}` must be a plain number, not an element, field or channel"),
                "declare a local variable for it",
            );
            return None;
        }
        Some(place)
    }

    fn check_range(&mut self, from: &Expression, to: &Expression, span: Span) {
        if let (Expression::Constant(from, _), Expression::Constant(to, _)) = (from, to)
            && from > to
        {
            let message = format!("the range {from} .. {to} is empty");
            self.error_help(
                &codes::BAD_LOOP,
                span,
                message,
                "the first value must not exceed the last",
            );
        }
    }

    fn named(&mut self, var: &VarRef) -> Option<(Owner, VariableId)> {
        let part = &var.parts[0];
        let symbol = self.scopes.lookup(&part.name.node, self.process, part.name.span);
        if let Meaning::Variable(owner, id) = symbol.meaning {
            return Some((owner, id));
        }
        self.scalar(var)?;
        None
    }

    /// SPIN's own counter for a loop over messages, one for each block.
    fn hidden_counter(&mut self, capacity: u32, span: Span) -> Place {
        let kind = if capacity > 255 { Type::Short } else { Type::Byte };
        let path = self.scopes.path().iter().map(|n| format!("_{n}")).collect::<String>();
        let name: pverify_syntax::token::Name = format!("_f0r_t3mp{path}_").into();
        let id = match self.scopes.lookup(&name, self.process, span).meaning {
            Meaning::Variable(_, id) => id,
            _ => {
                let variable = Variable {
                    name: name.clone(),
                    kind,
                    length: None,
                    visibility: None,
                    initial: Initial::Zero,
                    span,
                };
                let id = self.push_local(variable);
                self.scopes.lookup(&name, self.process, span).meaning =
                    Meaning::Variable(Owner::Local, id);
                id
            }
        };
        whole((Owner::Local, id), kind, span)
    }
}

fn whole((owner, variable): (Owner, VariableId), kind: Type, span: Span) -> Place {
    Place { owner, variable, index: None, fields: Vec::new(), kind, span }
}
