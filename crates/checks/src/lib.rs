//! The checks: each a question to a search, and what its answer means.
//!
//! One subject a check: [`safety`]; [`finite`], a formula over the actions of finite computations;
//! [`buchi`], acceptance of infinite runs by a deterministic automaton; [`ltl`], formulas on infinite
//! runs; [`claim`], `never` claims; [`labels`], cycles through `accept` labels and without `progress`
//! labels (these three have in common what [`cycles`] does); [`unbounded`], whether channels can grow
//! for ever.

pub mod buchi;
pub mod claim;
pub mod cycles;
pub mod finite;
pub mod labels;
pub mod ltl;
pub mod safety;
pub mod unbounded;
