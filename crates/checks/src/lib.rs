//! The checks: each a question to a search, and what its answer means.
//!
//! One file a check: [`safety`]; [`finite`], a formula over the actions of finite computations;
//! [`buchi`], acceptance of infinite runs by a deterministic automaton.

pub mod buchi;
pub mod finite;
pub mod safety;
