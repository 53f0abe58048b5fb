//! Expressions to instructions; the value ends in a register.

use super::Compiler;
use super::place::Target;
use crate::code::{ChannelOperand, Match, NO_REGISTER, Op, Register};
use crate::fault::FaultKind;
use crate::run::binary;
use pverify_model::machine::{Expression, Pattern, Place};
use pverify_syntax::ast::BinaryOperator;

impl Compiler<'_, '_> {
    /// The value of an expression, in a fresh register that is the only one left in use.
    pub(super) fn expression(&mut self, expression: &Expression) -> Result<Register, FaultKind> {
        let to = match expression {
            Expression::Constant(value, _) => {
                let to = self.register()?;
                self.emit(Op::Constant { to, value: *value });
                to
            }
            // Only traces contain it, and they are not compiled.
            Expression::Anything => self.simple(|to| Op::Constant { to, value: 0 })?,
            Expression::Read(place) => self.load(place)?,
            Expression::Unary(operator, inner) => {
                let to = self.expression(inner)?;
                self.emit(Op::Unary { operator: *operator, to, from: to });
                to
            }
            Expression::Binary(BinaryOperator::And, left, right) => {
                self.short_circuit(left, right, true)?
            }
            Expression::Binary(BinaryOperator::Or, left, right) => {
                self.short_circuit(left, right, false)?
            }
            Expression::Binary(..) if self.constant(expression).is_some() => {
                let value = self.constant(expression).unwrap_or(0);
                self.simple(|to| Op::Constant { to, value })?
            }
            Expression::Binary(operator, left, right) if self.constant(right).is_some() => {
                let value = self.constant(right).unwrap_or(0);
                let to = self.expression(left)?;
                self.emit(Op::BinaryConstant { operator: *operator, to, left: to, value });
                to
            }
            Expression::Binary(operator, left, right) => {
                let to = self.expression(left)?;
                let right = self.expression(right)?;
                self.emit(Op::Binary { operator: *operator, to, left: to, right });
                to
            }
            Expression::Conditional(parts) => self.conditional(parts)?,
            Expression::Run { process, arguments, priority } => {
                let to = self.register()?;
                let first = self.used as Register;
                for argument in arguments {
                    self.expression(argument)?;
                }
                let (kind, count) = (process.0, arguments.len() as u8);
                let priority = priority.unwrap_or(1).max(1);
                self.emit(Op::Run { to, kind, first, count, priority });
                to
            }
            Expression::Probe(probe, place) => {
                let to = self.register()?;
                let channel = self.channel(place)?;
                self.emit(Op::Probe { probe: *probe, to, channel });
                to
            }
            Expression::Poll { channel, random, pattern } => {
                let to = self.register()?;
                let channel = self.channel(channel)?;
                let matches = self.matches(pattern)?;
                self.emit(Op::Poll { to, channel, random: *random, matches });
                to
            }
            Expression::Enabled(inner) => {
                let to = self.expression(inner)?;
                let own = self.instance.map_or(-1, |_| self.pid());
                self.emit(Op::Enabled { to, process: to, own });
                to
            }
            Expression::PcValue(inner) => {
                let to = self.expression(inner)?;
                self.emit(Op::PcValue { to, process: to });
                to
            }
            Expression::Priority(inner) => {
                let to = self.expression(inner)?;
                self.emit(Op::Priority { to, process: to });
                to
            }
            Expression::Timeout => self.simple(|to| Op::Timeout { to })?,
            Expression::NonProgress => self.simple(|to| Op::NonProgress { to })?,
            Expression::ProcessCount => self.simple(|to| Op::ProcessCount { to })?,
            Expression::Pid => {
                let value = self.pid();
                self.simple(|to| Op::Constant { to, value })?
            }
            Expression::Last => match self.engine.last {
                Some(field) => self.simple(|to| Op::Load { to, field })?,
                None => self.simple(|to| Op::Constant { to, value: 0 })?,
            },
            Expression::RemoteLabel { process, pid, label } => {
                let to = self.register()?;
                let pid = pid.as_deref().map(|pid| self.expression(pid)).transpose()?;
                let pid = self.optional(pid);
                let labels = &self.engine.model.processes[process.index()].graph.labels;
                let location = labels.get(*label as usize).and_then(|label| label.location);
                let location = location.map_or(u32::MAX, |location| location.0);
                self.emit(Op::At { to, process: pid, kind: process.0, location });
                to
            }
            Expression::RemoteVariable { process, pid, variable, index } => {
                let to = self.register()?;
                let pid = pid.as_deref().map(|pid| self.expression(pid)).transpose()?;
                let pid = self.optional(pid);
                let index = index.as_deref().map(|index| self.expression(index)).transpose()?;
                let index = index.unwrap_or(NO_REGISTER);
                let (kind, variable) = (process.0, variable.0);
                self.emit(Op::Remote { to, process: pid, kind, variable, index });
                to
            }
        };
        self.used = usize::from(to) + 1;
        Ok(to)
    }

    fn simple(&mut self, op: impl FnOnce(Register) -> Op) -> Result<Register, FaultKind> {
        let to = self.register()?;
        self.emit(op(to));
        Ok(to)
    }

    /// `&&` and `||`: 1 or 0, the right side only if it matters.
    fn short_circuit(
        &mut self,
        left: &Expression,
        right: &Expression,
        and: bool,
    ) -> Result<Register, FaultKind> {
        let to = self.expression(left)?;
        self.emit(Op::Truth { to, from: to });
        let jump = self.here();
        self.emit(if and {
            Op::JumpIfZero { register: to, to: 0 }
        } else {
            Op::JumpIfNotZero { register: to, to: 0 }
        });
        let from = self.expression(right)?;
        self.emit(Op::Truth { to, from });
        self.patch(jump);
        Ok(to)
    }

    fn conditional(&mut self, parts: &[Expression; 3]) -> Result<Register, FaultKind> {
        let [condition, yes, no] = parts;
        let to = self.expression(condition)?;
        let otherwise = self.here();
        self.emit(Op::JumpIfZero { register: to, to: 0 });
        // Both branches take the same register: the condition's is free again.
        self.used = usize::from(to);
        self.expression(yes)?;
        let end = self.here();
        self.emit(Op::Jump { to: 0 });
        self.patch(otherwise);
        self.used = usize::from(to);
        self.expression(no)?;
        self.patch(end);
        Ok(to)
    }

    /// The channel a place holds.
    pub(super) fn channel(&mut self, place: &Place) -> Result<ChannelOperand, FaultKind> {
        Ok(match self.target(place)? {
            Target::Channel(value) => ChannelOperand::Fixed(value as u8),
            Target::Constant(value) => {
                let to = self.register()?;
                self.emit(Op::Constant { to, value });
                ChannelOperand::Register(to)
            }
            Target::ChannelIn(register) => ChannelOperand::Register(register),
            Target::Field(field) => {
                let to = self.register()?;
                self.emit(Op::Load { to, field });
                ChannelOperand::Register(to)
            }
            Target::At(address, bits) => {
                self.emit(Op::LoadAt { to: address, address, bits });
                ChannelOperand::Register(address)
            }
        })
    }

    /// The value of an expression that is the same in every state; faults are left to run time.
    pub(super) fn constant(&self, expression: &Expression) -> Option<i32> {
        match expression {
            Expression::Constant(value, _) => Some(*value),
            Expression::Read(place) => self.always(place),
            Expression::Binary(operator, left, right) => {
                binary(*operator, self.constant(left)?, self.constant(right)?)
            }
            _ => None,
        }
    }

    /// The conditions of a receive; their values stay in registers.
    pub(super) fn matches(&mut self, pattern: &[Pattern]) -> Result<(u32, u8), FaultKind> {
        let mut found = Vec::new();
        for (field, part) in pattern.iter().enumerate() {
            if let Pattern::Match(expression) = part {
                let value = self.expression(expression)?;
                found.push(Match { field: field as u8, value });
            }
        }
        let first = self.engine.matches.len() as u32;
        let count = found.len() as u8;
        self.engine.matches.extend(found);
        Ok((first, count))
    }
}
