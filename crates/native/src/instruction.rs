//! One instruction to machine code.

use crate::machine::{FIELDS, offset};
use crate::translate::{Translator, Unsupported};
use crate::value::{condition, holds};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use pverify_model::layout::Bits;
use pverify_semantics::code::Op;
use pverify_syntax::ast::{BinaryOperator, UnaryOperator};

impl Translator<'_, '_> {
    /// One instruction. `blocked` is where the code goes on if it cannot be done (`None` if that is
    /// not clear), `next` the next edge, and `jump` finds the block of an address, and whether it lies
    /// behind us.
    pub(crate) fn instruction(
        &mut self,
        op: &Op,
        blocked: Option<Block>,
        next: Block,
        jump: &dyn Fn(u32) -> (Block, bool),
    ) -> Result<(), Unsupported> {
        let words = self.words();
        match *op {
            Op::Constant { to, value } => {
                let value = self.builder.ins().iconst(types::I32, i64::from(value));
                self.set_register(to, value);
            }
            Op::Load { to, field } => {
                let value = words.get(&mut self.builder, field);
                self.set_register(to, value);
            }
            Op::LoadAt { to, address, bits } => {
                let address = self.register(address);
                let value = words.get_at(&mut self.builder, address, bits);
                self.set_register(to, value);
            }
            Op::Index { address, index, stride, length } => {
                let index = self.register(index);
                let length = i64::from(length);
                let inside = self.builder.ins().icmp_imm(IntCC::UnsignedLessThan, index, length);
                self.go_unless(inside, self.bail());
                let distance = self.builder.ins().imul_imm(index, i64::from(stride));
                let base = self.register(address);
                let sum = self.builder.ins().iadd(base, distance);
                self.set_register(address, sum);
            }
            Op::Unary { operator, to, from } => {
                let value = self.register(from);
                let result = match operator {
                    UnaryOperator::Minus => self.builder.ins().ineg(value),
                    UnaryOperator::Complement => self.builder.ins().bnot(value),
                    UnaryOperator::Not => {
                        let zero = self.builder.ins().icmp_imm(IntCC::Equal, value, 0);
                        self.builder.ins().uextend(types::I32, zero)
                    }
                };
                self.set_register(to, result);
            }
            Op::Binary { operator, to, left, right } => {
                let (left, right) = (self.register(left), self.register(right));
                let result = self.binary(operator, left, right);
                self.set_register(to, result);
            }
            Op::BinaryConstant { operator, to, left, value } => {
                let left = self.register(left);
                let right = self.builder.ins().iconst(types::I32, i64::from(value));
                let result = self.binary(operator, left, right);
                self.set_register(to, result);
            }
            Op::Truth { to, from } => {
                let value = self.register(from);
                let truth = self.truth(value);
                self.set_register(to, truth);
            }
            Op::Jump { to } => {
                let (block, back) = jump(to);
                if back {
                    let left = self.builder.use_var(self.rounds);
                    let left = self.builder.ins().iadd_imm(left, -1);
                    self.builder.def_var(self.rounds, left);
                    self.go_unless(left, self.bail());
                }
                self.builder.ins().jump(block, &[]);
                self.end();
            }
            Op::JumpIfZero { register, to } => {
                let value = self.register(register);
                self.go_unless(value, jump(to).0);
            }
            Op::JumpIfNotZero { register, to } => {
                let value = self.register(register);
                self.go_if(value, jump(to).0);
            }
            Op::JumpIfCompare { operator, field, value, to } => {
                let there = words.get(&mut self.builder, field);
                let compare = condition(operator).ok_or(Unsupported)?;
                let holds = self.builder.ins().icmp_imm(compare, there, i64::from(value));
                self.go_if(holds, jump(to).0);
            }
            Op::Fail => {
                let blocked = blocked.ok_or(Unsupported)?;
                self.builder.ins().jump(blocked, &[]);
                self.end();
            }
            Op::Guard { register } => {
                let value = self.register(register);
                self.go_unless(value, blocked.ok_or(Unsupported)?);
            }
            Op::GuardCompare { operator, field, value } => {
                let there = words.get(&mut self.builder, field);
                let compare = condition(operator).ok_or(Unsupported)?;
                let holds = self.builder.ins().icmp_imm(compare, there, i64::from(value));
                self.go_unless(holds, blocked.ok_or(Unsupported)?);
            }
            Op::Store { field, from } => {
                let value = self.register(from);
                words.set(&mut self.builder, field, value);
            }
            Op::StoreNarrow { field, from } => {
                let value = self.register(from);
                self.must_fit(value, field.bits);
                words.set(&mut self.builder, field, value);
            }
            Op::Patch { word, keep, set } => {
                words.patch(&mut self.builder, u32::from(word), keep, set);
            }
            Op::Add { field, value } | Op::AddNarrow { field, value } => {
                let there = words.get(&mut self.builder, field);
                let sum = self.builder.ins().iadd_imm(there, i64::from(value));
                if matches!(op, Op::AddNarrow { .. }) {
                    self.must_fit(sum, field.bits);
                }
                words.set(&mut self.builder, field, sum);
            }
            Op::StoreAt { address, from, bits } => {
                let (address, value) = (self.register(address), self.register(from));
                words.set_at(&mut self.builder, address, bits, value);
            }
            Op::StoreNarrowAt { address, from, bits } => {
                let (address, value) = (self.register(address), self.register(from));
                self.must_fit(value, bits);
                words.set_at(&mut self.builder, address, bits, value);
            }
            Op::Expect { from, value } => {
                let there = self.register(from);
                let same = self.builder.ins().icmp_imm(IntCC::Equal, there, i64::from(value));
                self.go_unless(same, self.bail());
            }
            Op::Assert { register } => {
                let value = self.register(register);
                self.go_unless(value, self.bail());
            }
            Op::ProcessCount { to } => {
                let count = self.load_context(offset::PROCESSES);
                let count = self.builder.ins().ireduce(types::I32, count);
                self.set_register(to, count);
            }
            // Where nothing else moves, the interpreter has its turn.
            Op::Timeout { to } => {
                let no = self.builder.ins().iconst(types::I32, 0);
                self.set_register(to, no);
            }
            Op::Probe { probe, to, channel } => {
                let (_, frame) = self.frame(channel)?;
                let value = self.probe(probe, frame);
                self.set_register(to, value);
            }
            Op::Send { channel, first, count, sorted } => {
                let (number, frame) = self.frame(channel)?;
                if sorted || usize::from(count) != frame.fields.len() || frame.fields.len() > FIELDS
                {
                    return Err(Unsupported);
                }
                if frame.capacity == 0 {
                    self.offer(number, frame, first, next);
                    self.end();
                } else {
                    self.send(frame, first, blocked.ok_or(Unsupported)?)?;
                }
            }
            Op::Select { channel, random, matches: (first, many), count } => {
                let (number, frame) = self.frame(channel)?;
                if random || usize::from(count) != frame.fields.len() || frame.fields.len() > FIELDS
                {
                    return Err(Unsupported);
                }
                let program = self.source.program;
                let matches = &program.matches[first as usize..first as usize + usize::from(many)];
                self.select(number, frame, matches, blocked.ok_or(Unsupported)?);
            }
            Op::Message { to, field } => {
                let value = self.message(field)?;
                self.set_register(to, value);
            }
            Op::Take => self.take()?,
            Op::Attempt { .. } => {}
            Op::Blocked => {
                let bail = self.bail();
                self.builder.ins().jump(bail, &[]);
                self.end();
            }
            Op::GuardElse => {
                let other = self.builder.use_var(self.other);
                self.go_if(other, next);
            }
            Op::Done => self.done(next),
            Op::SetPriority { .. }
            | Op::Priority { .. }
            | Op::NonProgress { .. }
            | Op::Enabled { .. }
            | Op::PcValue { .. }
            | Op::At { .. }
            | Op::Remote { .. }
            | Op::Run { .. }
            | Op::Poll { .. } => return Err(Unsupported),
        }
        Ok(())
    }

    fn binary(&mut self, operator: BinaryOperator, left: Value, right: Value) -> Value {
        match operator {
            BinaryOperator::Add => self.builder.ins().iadd(left, right),
            BinaryOperator::Subtract => self.builder.ins().isub(left, right),
            BinaryOperator::Multiply => self.builder.ins().imul(left, right),
            BinaryOperator::BitAnd => self.builder.ins().band(left, right),
            BinaryOperator::BitXor => self.builder.ins().bxor(left, right),
            BinaryOperator::BitOr => self.builder.ins().bor(left, right),
            BinaryOperator::ShiftLeft => self.builder.ins().ishl(left, right),
            BinaryOperator::ShiftRight => self.builder.ins().sshr(left, right),
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                self.go_unless(right, self.bail());
                // Dividing by -1 can overflow, which wraps here and traps on the machine.
                let minus = self.builder.ins().icmp_imm(IntCC::Equal, right, -1);
                let one = self.builder.ins().iconst(types::I32, 1);
                let divisor = self.builder.ins().select(minus, one, right);
                if operator == BinaryOperator::Divide {
                    let quotient = self.builder.ins().sdiv(left, divisor);
                    let negated = self.builder.ins().ineg(left);
                    self.builder.ins().select(minus, negated, quotient)
                } else {
                    self.builder.ins().srem(left, divisor)
                }
            }
            BinaryOperator::And => {
                let (left, right) = (self.truth(left), self.truth(right));
                self.builder.ins().band(left, right)
            }
            BinaryOperator::Or => {
                let either = self.builder.ins().bor(left, right);
                self.truth(either)
            }
            comparison => match condition(comparison) {
                Some(compare) => {
                    let truth = self.builder.ins().icmp(compare, left, right);
                    self.builder.ins().uextend(types::I32, truth)
                }
                None => self.builder.ins().iconst(types::I32, 0),
            },
        }
    }

    fn truth(&mut self, value: Value) -> Value {
        let truth = self.builder.ins().icmp_imm(IntCC::NotEqual, value, 0);
        self.builder.ins().uextend(types::I32, truth)
    }

    fn must_fit(&mut self, value: Value, bits: Bits) {
        let fits = holds(&mut self.builder, value, bits);
        self.go_unless(fits, self.bail());
    }
}
