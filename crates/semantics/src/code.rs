//! The instruction set that edges compile to: small, flat, over fields of the state.
//!
//! Registers hold 32-bit integers. Every operand is an absolute field, a register or a constant;
//! nothing here needs an interpreter to make sense, so that native code can stand beside it.

#![allow(missing_docs, reason = "operands are named for what they are")]

use pverify_model::layout::{Bits, Field};
use pverify_syntax::ast::{BinaryOperator, Probe, UnaryOperator};

/// A register.
pub type Register = u8;

/// The number of registers; an expression that needs more is refused.
pub const REGISTERS: usize = 256;

/// Stands for «no register».
pub const NO_REGISTER: Register = Register::MAX;

/// A place in the code.
pub type Address = u32;

/// Which channel an instruction means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelOperand {
    /// Always the same one, by its number from 1.
    Fixed(u8),
    /// The one whose number is in a register.
    Register(Register),
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// A constant.
    Constant { to: Register, value: i32 },
    /// The value of a field.
    Load { to: Register, field: Field },
    /// The value at a bit address held by a register.
    LoadAt { to: Register, address: Register, bits: Bits },
    /// Checks an index and adds its distance to an address.
    Index { address: Register, index: Register, stride: u32, length: u32 },
    /// `-a`, `~a`, `!a`
    Unary { operator: UnaryOperator, to: Register, from: Register },
    /// `a + b` and its like, without `&&` and `||`
    Binary { operator: BinaryOperator, to: Register, left: Register, right: Register },
    /// The same with a constant on the right.
    BinaryConstant { operator: BinaryOperator, to: Register, left: Register, value: i32 },
    /// 1 if the register is not zero, else 0.
    Truth { to: Register, from: Register },
    /// Goes on elsewhere.
    Jump { to: Address },
    /// Goes on elsewhere if the register is zero.
    JumpIfZero { register: Register, to: Address },
    /// Goes on elsewhere if the register is not zero.
    JumpIfNotZero { register: Register, to: Address },
    /// Goes on elsewhere if field and constant compare so.
    JumpIfCompare { operator: BinaryOperator, field: Field, value: i16, to: Address },
    /// The step is not possible.
    Fail,
    /// The step is possible only if the register is not zero.
    Guard { register: Register },
    /// The step is possible only if field and constant compare so.
    GuardCompare { operator: BinaryOperator, field: Field, value: i32 },
    /// Stores a register.
    Store { field: Field, from: Register },
    /// Stores a constant.
    StoreConstant { field: Field, value: i32 },
    /// Adds a constant to a field.
    Add { field: Field, value: i32 },
    /// Stores a register at a bit address.
    StoreAt { address: Register, from: Register, bits: Bits },
    /// Stores a register in a narrowed field, where the value must fit.
    StoreNarrow { field: Field, from: Register },
    /// Adds a constant to a narrowed field.
    AddNarrow { field: Field, value: i32 },
    /// Stores a register at a bit address, narrowed.
    StoreNarrowAt { address: Register, from: Register, bits: Bits },
    /// Stores a register in a variable that is always the same.
    Expect { from: Register, value: i32 },
    /// Complains if the register is zero, and goes on.
    Assert { register: Register },
    /// Stores a priority of a process.
    SetPriority { process: Register, priority: Register },
    /// The priority of a process.
    Priority { to: Register, process: Register },
    /// `_nr_pr`
    ProcessCount { to: Register },
    /// Whether it is time for `timeout`.
    Timeout { to: Register },
    /// `np_`
    NonProgress { to: Register },
    /// `enabled(p)`, which process `own` may not ask about itself
    Enabled { to: Register, process: Register, own: i32 },
    /// `pc_value(p)`
    PcValue { to: Register, process: Register },
    /// Whether process `process` (or the first of its type) stands at a location of its type.
    At { to: Register, process: Register, kind: u32, location: u32 },
    /// A variable of process `process` (or of the first of its type).
    Remote { to: Register, process: Register, kind: u32, variable: u32, index: Register },
    /// Starts a process with the values in registers from `first` on.
    Run { to: Register, kind: u32, first: Register, count: u8, priority: u8 },
    /// `len(c)` and its like
    Probe { probe: Probe, to: Register, channel: ChannelOperand },
    /// Sends the values in registers from `first` on.
    Send { channel: ChannelOperand, first: Register, count: u8, sorted: bool },
    /// Finds the message to receive; conditions are [`Match`]es.
    Select { channel: ChannelOperand, random: bool, matches: (u32, u8), count: u8 },
    /// A field of the message found.
    Message { to: Register, field: u8 },
    /// Removes the message found.
    Take,
    /// Whether a message could be received.
    Poll { to: Register, channel: ChannelOperand, random: bool, matches: (u32, u8) },
    /// A step inside a `d_step`: if what follows cannot be done, go on there; without an address
    /// the whole step is impossible.
    Attempt { otherwise: Option<Address> },
    /// The `d_step` cannot go on.
    Blocked,
    /// `else` as the first step of a `d_step`: possible only if nothing else is.
    GuardElse,
    /// The end of the code.
    Done,
}

/// A condition on a field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Which field.
    pub field: u8,
    /// What it must be.
    pub value: Register,
}
