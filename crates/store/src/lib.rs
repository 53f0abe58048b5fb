//! The set of visited states.
//!
//! [`Exact`] keeps every state whole and takes none for another. States of one length lie one
//! behind the other; an open-addressing table of their numbers finds them again. Both live in
//! memory that is advised to use huge pages, and what will be looked at is fetched beforehand: a
//! search spends most of its time waiting for memory.

mod exact;
mod hash;
mod memory;

pub use exact::{Exact, Insert};
pub use hash::hash;
