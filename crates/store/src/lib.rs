//! The set of visited states.
//!
//! [`Exact`] keeps every state whole and takes none for another. States of one length lie one
//! behind the other; an open-addressing table of their numbers finds them again.

mod exact;
mod hash;

pub use exact::{Exact, Insert};
pub use hash::hash;
