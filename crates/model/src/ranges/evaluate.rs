//! Expressions: the values they can have where some facts are known, and what a condition tells.

use super::cells::Cell;
use super::facts::Facts;
use super::fixpoint::Fixpoint;
use super::interval::{Interval, either};
use crate::machine::{Expression, Model, Owner, Pattern, Place};
use crate::types::Type;
use pverify_syntax::ast::{BinaryOperator, Probe, UnaryOperator};
use std::ops::Range;

impl Fixpoint<'_> {
    /// The values of an expression; `None` where it has none, because a variable in it never comes
    /// into being or because it always fails. A `run` in it starts its process.
    pub(super) fn value(&mut self, expression: &Expression, facts: &Facts) -> Option<Interval> {
        Some(match expression {
            Expression::Constant(value, _) => Interval::constant(*value),
            Expression::Anything => Interval::ALL,
            Expression::Read(place) => {
                self.indices(place, facts)?;
                self.read(self.cells.at(self.process, place), facts)?
            }
            Expression::Unary(operator, inner) => self.value(inner, facts)?.unary(*operator),
            Expression::Binary(operator, left, right) => {
                let left = self.value(left, facts)?;
                // The right side is looked at only if the left does not decide.
                match operator {
                    BinaryOperator::And if left == Interval::ZERO => return Some(Interval::ZERO),
                    BinaryOperator::Or if !left.contains(0) => return Some(Interval::constant(1)),
                    _ => {}
                }
                let lazy = matches!(operator, BinaryOperator::And | BinaryOperator::Or);
                match self.value(right, facts) {
                    Some(right) => left.binary(*operator, right)?,
                    None if lazy => Interval::TRUTH,
                    None => return None,
                }
            }
            Expression::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let then = self.assume(condition, true, facts.clone());
                let then = then.and_then(|facts| self.value(yes, &facts));
                let otherwise = self.assume(condition, false, facts.clone());
                let otherwise = otherwise.and_then(|facts| self.value(no, &facts));
                either(then, otherwise, Interval::join)?
            }
            Expression::Run { process, arguments, .. } => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(self.value(argument, facts)?);
                }
                self.start(process.index(), &values);
                self.instances.pids[process.index()]
            }
            Expression::Probe(probe, place) => {
                let channels = self.channels(place, facts)?;
                let capacity = |at: usize| self.cells.channels[at].shape.capacity;
                let most = channels.into_iter().flatten().map(capacity).max()?;
                match probe {
                    Probe::Len => Interval::new(0, i32::try_from(most).unwrap_or(i32::MAX)),
                    _ => Interval::TRUTH,
                }
            }
            Expression::Poll { channel, pattern, .. } => {
                self.channels(channel, facts)?;
                self.patterns(pattern, facts)?;
                Interval::TRUTH
            }
            Expression::PcValue(inner) | Expression::Priority(inner) => {
                self.value(inner, facts)?;
                Interval::new(0, i32::MAX)
            }
            Expression::Enabled(inner) => {
                self.value(inner, facts)?;
                Interval::TRUTH
            }
            Expression::Timeout | Expression::NonProgress => Interval::TRUTH,
            Expression::Pid => {
                self.process.map_or(Interval::ZERO, |process| self.instances.pids[process])
            }
            Expression::ProcessCount => Interval::new(0, 255),
            Expression::Last => self.instances.any_pid(),
            Expression::RemoteLabel { pid, .. } => {
                if let Some(pid) = pid {
                    self.value(pid, facts)?;
                }
                Interval::TRUTH
            }
            Expression::RemoteVariable { process, pid, variable, index } => {
                for inner in pid.iter().chain(index) {
                    self.value(inner, facts)?;
                }
                let (process, variable) = (process.index(), variable.index());
                let cells = self.cells.of(Some(process), variable);
                match self.model.processes[process].locals[variable].kind {
                    // The number of a channel is calculated without looking at the index, and of a
                    // structure there is no number.
                    Type::Chan | Type::Struct(_) => Interval::ALL,
                    _ => self.summary(cells.start)?,
                }
            }
        })
    }

    /// What is known where a condition was found true, or false; `None` if it cannot be.
    pub(super) fn assume(
        &mut self,
        condition: &Expression,
        truth: bool,
        facts: Facts,
    ) -> Option<Facts> {
        match condition {
            Expression::Unary(UnaryOperator::Not, inner) => self.assume(inner, !truth, facts),
            Expression::Binary(
                operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
            ) => {
                let decides = *operator == BinaryOperator::Or;
                if truth != decides {
                    // Both are so.
                    let facts = self.assume(left, truth, facts)?;
                    return self.assume(right, truth, facts);
                }
                let first = self.assume(left, truth, facts.clone());
                let second = self.assume(left, !truth, facts);
                let second = second.and_then(|facts| self.assume(right, truth, facts));
                either(first, second, Facts::join)
            }
            Expression::Binary(operator, left, right) if operator.is_comparison() => {
                let operator = if truth { *operator } else { operator.opposite() };
                let (a, b) = (self.value(left, &facts)?, self.value(right, &facts)?);
                let (a, b) = a.compared(operator, b)?;
                let facts = self.narrow(left, a, facts)?;
                self.narrow(right, b, facts)
            }
            other => {
                let operator = if truth { BinaryOperator::NotEqual } else { BinaryOperator::Equal };
                let value = self.value(other, &facts)?;
                let (value, _) = value.compared(operator, Interval::ZERO)?;
                self.narrow(other, value, facts)
            }
        }
    }

    /// Notes that an expression has one of some values, if it is a variable.
    fn narrow(&self, expression: &Expression, to: Interval, mut facts: Facts) -> Option<Facts> {
        if let Expression::Read(place) = expression {
            let cell = self.cells.at(self.process, place);
            if self.cells.single[cell as usize] {
                let known = facts.get(cell).map_or(Some(to), |known| known.meet(to))?;
                facts.set(cell, known);
            }
        }
        Some(facts)
    }

    fn read(&mut self, cell: Cell, facts: &Facts) -> Option<Interval> {
        if let Some(known) = facts.get(cell) {
            return Some(known);
        }
        let summary = self.summary(cell);
        if self.starting && self.cells.all_of(self.process).contains(&cell) {
            // Its first value may not be there yet.
            return Some(summary.map_or(Interval::ZERO, |summary| summary.join(Interval::ZERO)));
        }
        summary
    }

    /// Looks at the indices of a place, which must have values.
    pub(super) fn indices(&mut self, place: &Place, facts: &Facts) -> Option<()> {
        let inner = place.fields.iter().filter_map(|step| step.index.as_deref());
        for index in place.index.as_deref().into_iter().chain(inner) {
            self.value(index, facts)?;
        }
        Some(())
    }

    /// Looks at the conditions of a receive, which must have values.
    pub(super) fn patterns(&mut self, pattern: &[Pattern], facts: &Facts) -> Option<()> {
        for part in pattern {
            if let Pattern::Match(expression) = part {
                self.value(expression, facts)?;
            }
        }
        Some(())
    }

    /// The channels that a place can hold: some that are known by their numbers, and some of those
    /// that processes bring along.
    pub(super) fn channels(&mut self, place: &Place, facts: &Facts) -> Option<[Range<usize>; 2]> {
        self.indices(place, facts)?;
        let process = self.process.filter(|_| place.owner == Owner::Local);
        let variable = place.variable.index();
        if self.constant_channels[process.map_or(0, |process| process + 1)][variable] {
            let own = self.cells.own_channels(process, variable);
            return Some(match place.index.as_deref() {
                Some(&Expression::Constant(index, _)) if index >= 0 => {
                    let at = own.start + index as usize;
                    if own.contains(&at) { [at..at + 1, 0..0] } else { return None }
                }
                _ => [own, 0..0],
            });
        }
        let numbers = self.read(self.cells.at(self.process, place), facts)?;
        let (low, high) = (numbers.low.max(1) as usize, numbers.high.max(0) as usize);
        let global = self.cells.global_channels();
        let known = low - 1..high.min(global).max(low - 1);
        let others = if high > global { global..self.cells.channels.len() } else { 0..0 };
        Some([known, others])
    }
}

/// Whether an expression has a value in every state: nothing in it can fail.
pub(super) fn never_fails(model: &Model, process: Option<usize>, expression: &Expression) -> bool {
    let fails = |inner: &Expression| !never_fails(model, process, inner);
    match expression {
        Expression::Constant(..)
        | Expression::Timeout
        | Expression::NonProgress
        | Expression::Pid
        | Expression::ProcessCount
        | Expression::Last => true,
        Expression::Read(place) => {
            let variables = match (place.owner, process) {
                (Owner::Local, Some(process)) => &model.processes[process].locals,
                _ => &model.globals,
            };
            let length = variables[place.variable.index()].length;
            let inside = match place.index.as_deref() {
                None => true,
                Some(&Expression::Constant(index, _)) => {
                    index >= 0 && (index as u32) < length.unwrap_or(1)
                }
                Some(_) => false,
            };
            inside && place.fields.iter().all(|step| step.index.is_none())
        }
        Expression::Unary(_, inner) => !fails(inner),
        Expression::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, left, right) => {
            !fails(left) && matches!(**right, Expression::Constant(value, _) if value != 0)
        }
        Expression::Binary(_, left, right) => !fails(left) && !fails(right),
        Expression::Conditional(parts) => !parts.iter().any(fails),
        _ => false,
    }
}
