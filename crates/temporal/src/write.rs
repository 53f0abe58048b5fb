//! Automata as text for people and other programs; the Hanoi format is in [`hoa`](crate::hoa).

mod dfa;
mod dot;
mod label;
mod listing;
mod never;

pub use dfa::{dfa_dot, dfa_hoa};
pub use dot::dot;
pub use listing::{dfa_listing, listing};
pub use never::never;
