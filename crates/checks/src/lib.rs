//! The checks: each a question to a search, and what its answer means.
//!
//! One subject a check: [`safety`]; [`unbounded`], whether channels can grow for ever.

pub mod safety;
pub mod unbounded;
