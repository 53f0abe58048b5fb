//! The checks: each a question to a search, and what its answer means.
//!
//! One file a check: [`safety`]; [`ltl`], formulas on infinite runs; [`claim`], `never` claims;
//! [`labels`], cycles through `accept` labels and without `progress` labels. The last three have
//! in common what [`cycles`] does.

pub mod claim;
pub mod cycles;
pub mod labels;
pub mod ltl;
pub mod safety;
