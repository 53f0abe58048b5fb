//! The checks: each a question to a search, and what its answer means.
//!
//! One file a check: [`safety`]; [`finite`], a formula over the actions of finite computations.

pub mod finite;
pub mod safety;
