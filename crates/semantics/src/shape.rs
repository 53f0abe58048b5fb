//! Shapes: which processes live, and where their parts lie in a state.
//!
//! Processes come and go youngest first, so the living ones form a stack; so do the channels they
//! bring along. A shape is such a stack. All states of a shape have the same layout, and the
//! number of the shape is the first field of each of its states: equal situations are equal
//! words. Code is compiled for a process at a place in the layout, with absolute addresses, and
//! shared by all shapes that have the same process at the same place.

use crate::code::Address;
use crate::guard::Guard;
use pverify_model::layout::{Bits, Field, Storage};
use pverify_model::types::Type;

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
    /// The same processes: what a search asks of them in every state.
    pub seats: Vec<Seat>,
    /// The channels, oldest first; the position plus one is the channel's number.
    pub channels: Vec<ChannelFrame>,
    /// How many words a state has.
    pub words: usize,
    /// How many of them are the messages of channels without capacity; see `tail`.
    pub tail: usize,
    /// The first bit behind the state.
    pub end: u32,
    /// The shape without the youngest process, or with one word less in its tail.
    pub parent: Option<ShapeId>,
    /// Shapes with one process more, by its type; behind them the one with a longer tail.
    pub children: Vec<Option<ShapeId>>,
}

/// What a search asks of a process in every state.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// Where it stands.
    pub location: Field,
    /// Its type.
    pub kind: u32,
    /// The engine's [`Range`] for its first location; the others follow.
    pub ranges: u32,
    /// Whether it has a `provided` clause or a priority.
    pub conditional: bool,
    /// Whether it promises to have no choice.
    pub deterministic: bool,
}

/// The edges of a location, among those of the engine.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The first edge.
    pub first: u32,
    /// The one behind the last.
    pub last: u32,
    /// Whether one of them can be the receiving half of a rendezvous.
    pub receives: bool,
    /// The channels they can receive from, as bits; see [`channel_bit`].
    pub hears: u64,
}

/// The bit of a channel in a set of channels; several may share one.
pub fn channel_bit(number: u8) -> u64 {
    1 << (number % 64)
}

/// What is asked of an edge before anything else is done for it.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// Its first condition.
    pub guard: Guard,
    /// The rendezvous channel it sends to, as a bit: somebody must hear it. 0 if that is not known
    /// beforehand, or if trying it does more than that.
    pub needs: u64,
    /// How far it is to the next edge that begins with another condition.
    pub skip: u16,
}

/// Where a channel lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelFrame {
    /// How many messages it holds; 0 is rendezvous, `ChannelShape::UNBOUNDED` any number.
    pub capacity: u32,
    /// How many it holds now; of no use for rendezvous.
    pub length: Field,
    /// Bit address of the first message; of no use for a channel without capacity, whose messages
    /// lie in the tail.
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
    /// The engine's [`Range`] for its first location; the others follow.
    pub ranges: u32,
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
    /// The code behind the conditions that can be asked beforehand: the one of its [`Gate`] and
    /// `guards`.
    pub effect: Address,
    /// The first of the engine's guards that must hold too, and how many there are.
    pub guards: (u32, u16),
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
    /// The only channel it can receive from, by its number; 0 if that is not known beforehand.
    pub channel: u8,
    /// Its position among the edges of its location.
    pub position: u16,
    /// Whether it is a `d_step`, which cannot wait for somebody to take an offer.
    pub d_step: bool,
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
