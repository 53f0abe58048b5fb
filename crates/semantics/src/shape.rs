//! Shapes: which processes live, and where their parts lie in a state.
//!
//! Processes come and go youngest first, so the living ones form a stack; so do the channels they
//! bring along. A shape is such a stack. All states of a shape have the same layout, and the
//! number of the shape is the first field of each of its states: equal situations are equal
//! words. Code is compiled for a process at a place in the layout, with absolute addresses, and
//! shared by all shapes that have the same process at the same place.

use crate::code::Address;
use pverify_model::layout::{Bits, Field, Storage};
use pverify_model::types::Type;
use pverify_syntax::ast::BinaryOperator;

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeId(pub u32);

/// A process at a place of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InstanceId(pub u32);

/// A stack of living processes.
#[derive(Debug)]
pub struct Shape {
    /// The processes, oldest first; the position is the process's number.
    pub processes: Vec<InstanceId>,
    /// The channels, oldest first; the position plus one is the channel's number.
    pub channels: Vec<ChannelFrame>,
    /// How many words a state has.
    pub words: usize,
    /// The first bit behind the state.
    pub end: u32,
    /// The shape without the youngest process.
    pub parent: Option<ShapeId>,
    /// Shapes with one process more, by its type.
    pub children: Vec<Option<ShapeId>>,
}

/// Where a channel lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelFrame {
    /// How many messages it holds; 0 is rendezvous.
    pub capacity: u32,
    /// How many it holds now; of no use for rendezvous.
    pub length: Field,
    /// Bit address of the first message.
    pub base: u32,
    /// Bits from one message to the next.
    pub stride: u32,
    /// Offset, bits and type of each field in a message.
    pub fields: Vec<(u32, Bits, Type)>,
}

/// Where a variable lies, or what it always is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// In the state.
    Stored(Storage),
    /// Nowhere: channels that are never assigned, numbered from `first`.
    Channels {
        /// The number of the first element's channel.
        first: u8,
        /// How many elements.
        length: u32,
    },
}

/// A process at a place of the layout, compiled.
#[derive(Debug)]
pub struct Instance {
    /// Its type.
    pub kind: u32,
    /// Its number.
    pub pid: u8,
    /// Whether it promises to have no choice.
    pub deterministic: bool,
    /// Where it stands.
    pub location: Field,
    /// Its priority, in models that use priorities.
    pub priority: Option<Field>,
    /// Its parameters and variables.
    pub locals: Vec<Slot>,
    /// The channels it brings along.
    pub channels: Vec<ChannelFrame>,
    /// The first bit behind it.
    pub end: u32,
    /// The edges of each location, as a range of the engine's edges.
    pub edges: Vec<(u32, u32)>,
    /// The code of its `provided` clause.
    pub provided: Option<Address>,
    /// The code that gives its variables their first values.
    pub start: Address,
}

/// An edge, compiled.
#[derive(Clone, Copy, Debug)]
pub struct EdgeCode {
    /// Its code.
    pub code: Address,
    /// What kind of step it is.
    pub kind: EdgeKind,
    /// The location it leads to.
    pub target: u32,
    /// Whether the process keeps control.
    pub atomic: bool,
    /// The group of escapes it belongs to; 0 for none.
    pub escape: u32,
    /// Whether it can be the receiving half of a rendezvous.
    pub receives: bool,
    /// Its position among the edges of its location.
    pub position: u16,
    /// The first condition of its code, asked before anything else is done for it.
    pub first: Option<Condition>,
    /// Whether it can only be the receiving half of a rendezvous.
    pub waits_for_offer: bool,
    /// Whether it is a `d_step`, which cannot wait for somebody to take an offer.
    pub d_step: bool,
}

/// A comparison of a field with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// How they compare.
    pub operator: BinaryOperator,
    /// The field.
    pub field: Field,
    /// The constant.
    pub value: i32,
}

/// What an edge asks for beyond its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// Nothing.
    Plain,
    /// That no other edge of the location is possible.
    Else,
    /// That the process is the youngest; it disappears.
    End,
}
