//! The checks: each a question to a search, and what its answer means.
//!
//! One file a check: [`safety`].

pub mod safety;
