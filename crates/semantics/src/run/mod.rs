//! Instructions are executed, on the words of one state.

mod channel;
mod process;
mod simple;

use crate::code::{Address, Op, Register};
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::shape::ShapeId;
use pverify_syntax::ast::BinaryOperator;
use simple::Stop;

/// Longer `d_step`s than this run in a circle.
const LONGEST_CODE: u32 = 10_000_000;

/// How executing some code ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The step was done.
    Done,
    /// It is not possible.
    Blocked,
    /// A message was offered on a rendezvous channel; somebody must take it.
    Offered,
}

/// What executing code needs to know besides the state.
#[derive(Debug, Default)]
pub(crate) struct RunState {
    /// The shape of the state.
    pub(crate) shape: u32,
    /// It is time for `timeout`.
    pub(crate) timeout: bool,
    /// An edge tried before at this location was possible, so `else` is not.
    pub(crate) other_possible: bool,
    /// The rendezvous channel on which a message is offered, 0 for none, and the message.
    pub(crate) offer: u8,
    pub(crate) message: Vec<i32>,
    /// The channel and slot that a receive has found.
    pub(crate) found: (u8, u32),
    /// What went wrong.
    pub(crate) faults: Vec<FaultKind>,
    /// How many questions `enabled(…)` are being answered.
    pub(crate) asking: u32,
    /// A fault that ends the step was met.
    pub(crate) fatal: bool,
    /// A formula or a claim asks: a process that does not live has zeros.
    pub(crate) observed: bool,
    /// No channel is full: whoever sends to one that is may do so, and nothing is stored.
    pub(crate) roomy: bool,
}

impl Engine<'_> {
    /// Executes code; the words may grow when a process is started.
    pub(crate) fn execute(&mut self, start: Address, words: &mut Vec<u64>) -> Outcome {
        let mut at = start as usize;
        let mut otherwise: Option<Address> = None;
        let mut attempting = false;
        let mut left = LONGEST_CODE;
        /// Ends the step, or goes on with the next option of a `d_step`.
        macro_rules! blocked {
            () => {{
                match (attempting, otherwise) {
                    (true, Some(next)) if !self.run.fatal => {
                        at = next as usize;
                        continue;
                    }
                    _ => return Outcome::Blocked,
                }
            }};
        }
        macro_rules! fault {
            ($fault:expr) => {{
                self.run.faults.push($fault);
                self.run.fatal = true;
                return Outcome::Blocked;
            }};
        }
        loop {
            match simple::run(&self.code, &mut at, &mut self.registers, words, self.run.fatal) {
                Stop::Done => return Outcome::Done,
                Stop::Blocked if self.run.fatal => return Outcome::Blocked,
                Stop::Blocked => blocked!(),
                Stop::Index { index, length } => fault!(FaultKind::ArrayIndex { index, length }),
                Stop::Division => fault!(FaultKind::DivisionByZero),
                Stop::Misfit(value) => fault!(FaultKind::Misfit(value)),
                Stop::Assertion => {
                    self.run.faults.push(FaultKind::Assertion);
                    continue;
                }
                Stop::Other => {}
            }
            let op = self.code[at];
            at += 1;
            match op {
                Op::Jump { to } => {
                    at = to as usize;
                    left -= 1;
                    if left == 0 {
                        fault!(FaultKind::EndlessDStep);
                    }
                }
                Op::Timeout { to } => self.set(to, i32::from(self.run.timeout)),
                Op::ProcessCount { to } => {
                    let count = self.shapes[self.run.shape as usize].processes.len();
                    self.set(to, count as i32);
                }
                Op::Attempt { otherwise: next } => {
                    attempting = true;
                    otherwise = next;
                }
                Op::Blocked => fault!(FaultKind::BlockedDStep),
                Op::GuardElse => {
                    if self.run.other_possible {
                        return Outcome::Blocked;
                    }
                }
                Op::Send { channel, first, count, sorted } => {
                    match self.send(channel, first, count, sorted, words) {
                        Ok(Outcome::Done) => {}
                        Ok(Outcome::Blocked) => blocked!(),
                        Ok(Outcome::Offered) => return Outcome::Offered,
                        Err(fault) => fault!(fault),
                    }
                }
                Op::Select { channel, random, matches, count } => {
                    match self.select(channel, random, matches, count, words) {
                        Ok(true) => {}
                        Ok(false) => blocked!(),
                        Err(fault) => fault!(fault),
                    }
                }
                Op::Message { to, field } => {
                    let value = self.message_field(field, words);
                    self.set(to, value);
                }
                Op::Take => self.take(words),
                Op::Poll { to, channel, random, matches } => {
                    match self.poll(channel, random, matches, words) {
                        Ok(found) => self.set(to, i32::from(found)),
                        Err(fault) => fault!(fault),
                    }
                }
                Op::Probe { probe, to, channel } => match self.probe(probe, channel, words) {
                    Ok(value) => self.set(to, value),
                    Err(fault) => fault!(fault),
                },
                Op::Run { to, kind, first, count, priority } => {
                    let first = first as usize;
                    let arguments = self.registers[first..first + count as usize].to_vec();
                    match self.start(kind, &arguments, priority, words) {
                        Ok(pid) => self.set(to, pid),
                        Err(fault) => fault!(fault),
                    }
                }
                Op::SetPriority { process, priority } => {
                    let (process, priority) = (self.get(process), self.get(priority));
                    if let Err(fault) = self.set_priority(process, priority, words) {
                        fault!(fault);
                    }
                }
                Op::Priority { to, process } => {
                    let value = self.priority(self.get(process), words);
                    self.set(to, value);
                }
                Op::NonProgress { to } => {
                    let value = i32::from(!self.any_progress(words));
                    self.set(to, value);
                }
                Op::PcValue { to, process } => {
                    let value = self.pc_value(self.get(process), words);
                    self.set(to, value);
                }
                Op::Enabled { process, own, .. } if self.get(process) == own => {
                    fault!(FaultKind::EnabledOfItself)
                }
                Op::Enabled { to, process, .. } => {
                    let value = i32::from(self.enabled(self.get(process), words));
                    self.set(to, value);
                }
                Op::At { to, process, kind, location } => {
                    let value = self.stands_at(process, kind, location, words);
                    self.set(to, i32::from(value));
                }
                Op::Remote { to, process, kind, variable, index } => {
                    match self.remote(process, kind, variable, index, words) {
                        Ok(value) => self.set(to, value),
                        Err(FaultKind::NoProcess(_)) if self.run.observed => self.set(to, 0),
                        Err(fault) => fault!(fault),
                    }
                }
                // The rest is simple.
                _ => return Outcome::Blocked,
            }
        }
    }

    #[inline]
    fn get(&self, register: Register) -> i32 {
        self.registers[register as usize]
    }

    #[inline]
    fn set(&mut self, register: Register, value: i32) {
        self.registers[register as usize] = value;
    }

    /// Runs the start code of the globals.
    pub(crate) fn start_globals(
        &mut self,
        start: Address,
        words: &mut Vec<u64>,
    ) -> Result<(), FaultKind> {
        self.begin(ShapeId(0));
        self.execute(start, words);
        self.run.faults.pop().map_or(Ok(()), Err)
    }

    /// Prepares for executing code in a state of a shape.
    pub(crate) fn begin(&mut self, shape: ShapeId) {
        self.run.shape = shape.0;
        self.run.fatal = false;
        if self.run.asking == 0 {
            self.walk.heard.begin();
        }
    }
}

#[inline]
pub(crate) fn compare(operator: BinaryOperator, left: i32, right: i32) -> bool {
    match operator {
        BinaryOperator::Equal => left == right,
        BinaryOperator::NotEqual => left != right,
        BinaryOperator::Less => left < right,
        BinaryOperator::LessEqual => left <= right,
        BinaryOperator::Greater => left > right,
        BinaryOperator::GreaterEqual => left >= right,
        _ => false,
    }
}

/// C's arithmetic on 32-bit integers; `None` for a division by zero.
#[inline]
pub(crate) fn binary(operator: BinaryOperator, left: i32, right: i32) -> Option<i32> {
    Some(match operator {
        BinaryOperator::Add => left.wrapping_add(right),
        BinaryOperator::Subtract => left.wrapping_sub(right),
        BinaryOperator::Multiply => left.wrapping_mul(right),
        BinaryOperator::Divide if right == 0 => return None,
        BinaryOperator::Remainder if right == 0 => return None,
        BinaryOperator::Divide => left.wrapping_div(right),
        BinaryOperator::Remainder => left.wrapping_rem(right),
        BinaryOperator::BitAnd => left & right,
        BinaryOperator::BitXor => left ^ right,
        BinaryOperator::BitOr => left | right,
        BinaryOperator::ShiftLeft => left.wrapping_shl(right as u32),
        BinaryOperator::ShiftRight => left.wrapping_shr(right as u32),
        BinaryOperator::And => i32::from(left != 0 && right != 0),
        BinaryOperator::Or => i32::from(left != 0 || right != 0),
        comparison => i32::from(compare(comparison, left, right)),
    })
}
