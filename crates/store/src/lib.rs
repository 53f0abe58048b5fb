//! The set of visited states.
//!
//! The promise: exact, in bounded memory, and without a lock on the way of a state into it. No state
//! is ever taken for another; when memory is full, states that were explored give way to new ones,
//! and the search visits some of them again. Who asks for it has a few bits a state instead, and is
//! told how many states were probably taken for others ([`Omission`]).
//!
//! In reading order: `hash`; `sync` and `region`, the ground; `nodes`, the inner nodes that states
//! share; `tree`, how a state becomes a [`Root`] above them; `roots`, the table of roots, with
//! numbers beside them for who asks; `bitstate`, what can stand in its place; `exact`, the [`Store`] that joins them and keeps the [`Budget`]; `alive`,
//! roots with numbers, beside it.

mod alive;
mod bitstate;
mod exact;
mod hash;
#[cfg(all(test, loom))]
mod interleavings;
mod nodes;
mod region;
mod roots;
mod sync;
mod tree;

pub use alive::Alive;
pub use bitstate::Omission;
pub use exact::{Budget, Hand, Held, Live, NoRoom, OutOfMemory, Store};
pub use region::{Region, Slot};
pub use roots::{Colour, Insert, Numbered, Standing};
pub use tree::{Folder, LENGTH_BITS, Root};
