//! The instructions that need only words and registers: most of those a search executes.
//!
//! They run in a loop of their own, so that nothing but the state and the registers is touched; at
//! the first other instruction the loop hands over.

use super::{binary, compare};
use crate::code::{Op, REGISTERS, Register};
use pverify_model::layout::Field;
use pverify_syntax::ast::UnaryOperator;

/// Why the loop ends; `at` is then behind the instruction, or for `Other` at it.
pub(super) enum Stop {
    /// The code is done.
    Done,
    /// The step is not possible.
    Blocked,
    /// An index is outside its array.
    Index { index: i32, length: u32 },
    /// A division by zero.
    Division,
    /// A value has no room in the field that the analysis of ranges gave its variable.
    Misfit(i32),
    /// An assertion fails.
    Assertion,
    /// An instruction that needs more than words and registers.
    Other,
}

/// Executes instructions from `at` on. `fatal` if a fault was met that makes every guard fail.
#[inline]
pub(super) fn run(
    code: &[Op],
    at: &mut usize,
    registers: &mut [i32; REGISTERS],
    words: &mut [u64],
    fatal: bool,
) -> Stop {
    let mut here = *at;
    let stop = loop {
        let op = &code[here];
        here += 1;
        match *op {
            Op::GuardCompare { operator, field, value } => {
                if !compare(operator, field.get(words), value) {
                    break Stop::Blocked;
                }
            }
            Op::Patch { word, keep, set } => {
                let word = &mut words[word as usize];
                *word = *word & keep | set;
            }
            Op::Add { field, value } => {
                let sum = field.get(words).wrapping_add(value);
                field.set(words, sum);
            }
            Op::Done => break Stop::Done,
            Op::Load { to, field } => set(registers, to, field.get(words)),
            Op::Store { field, from } => field.set(words, get(registers, from)),
            Op::Constant { to, value } => set(registers, to, value),
            Op::Guard { register } => {
                if fatal || get(registers, register) == 0 {
                    break Stop::Blocked;
                }
            }
            Op::LoadAt { to, address, bits } => {
                let value = Field::at(get(registers, address) as u32, bits).get(words);
                set(registers, to, value);
            }
            Op::StoreAt { address, from, bits } => {
                let value = get(registers, from);
                Field::at(get(registers, address) as u32, bits).set(words, value);
            }
            Op::StoreNarrow { field, from } => {
                let value = get(registers, from);
                if !field.bits.hold(value) {
                    break Stop::Misfit(value);
                }
                field.set(words, value);
            }
            Op::AddNarrow { field, value } => {
                let sum = field.get(words).wrapping_add(value);
                if !field.bits.hold(sum) {
                    break Stop::Misfit(sum);
                }
                field.set(words, sum);
            }
            Op::StoreNarrowAt { address, from, bits } => {
                let value = get(registers, from);
                if !bits.hold(value) {
                    break Stop::Misfit(value);
                }
                Field::at(get(registers, address) as u32, bits).set(words, value);
            }
            Op::Expect { from, value } => {
                if get(registers, from) != value {
                    break Stop::Misfit(get(registers, from));
                }
            }
            Op::Index { address, index, stride, length } => {
                let index = get(registers, index);
                if index < 0 || index as u32 >= length {
                    break Stop::Index { index, length };
                }
                let sum = get(registers, address).wrapping_add(index * stride as i32);
                set(registers, address, sum);
            }
            Op::Unary { operator, to, from } => {
                let value = get(registers, from);
                let result = match operator {
                    UnaryOperator::Minus => value.wrapping_neg(),
                    UnaryOperator::Complement => !value,
                    UnaryOperator::Not => i32::from(value == 0),
                };
                set(registers, to, result);
            }
            Op::Binary { operator, to, left, right } => {
                match binary(operator, get(registers, left), get(registers, right)) {
                    Some(value) => set(registers, to, value),
                    None => break Stop::Division,
                }
            }
            Op::BinaryConstant { operator, to, left, value } => {
                match binary(operator, get(registers, left), value) {
                    Some(value) => set(registers, to, value),
                    None => break Stop::Division,
                }
            }
            Op::JumpIfCompare { operator, field, value, to } => {
                if compare(operator, field.get(words), i32::from(value)) {
                    here = to as usize;
                }
            }
            Op::Fail => break Stop::Blocked,
            Op::Truth { to, from } => {
                let value = i32::from(get(registers, from) != 0);
                set(registers, to, value);
            }
            Op::JumpIfZero { register, to } => {
                if get(registers, register) == 0 {
                    here = to as usize;
                }
            }
            Op::JumpIfNotZero { register, to } => {
                if get(registers, register) != 0 {
                    here = to as usize;
                }
            }
            Op::Assert { register } => {
                if get(registers, register) == 0 {
                    break Stop::Assertion;
                }
            }
            _ => {
                here -= 1;
                break Stop::Other;
            }
        }
    };
    *at = here;
    stop
}

#[inline]
fn get(registers: &[i32; REGISTERS], register: Register) -> i32 {
    registers[register as usize]
}

#[inline]
fn set(registers: &mut [i32; REGISTERS], register: Register, value: i32) {
    registers[register as usize] = value;
}
