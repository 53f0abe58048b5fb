//! The checks: each a question to a search, and what its answer means.
//!
//! One subject a check: [`safety`]; [`finite`], a formula over the actions of finite computations;
//! [`buchi`], acceptance of infinite runs by a deterministic automaton; [`ltl`], formulas on infinite
//! runs; [`claim`], `never` claims; [`labels`], cycles through `accept` labels and without `progress`
//! labels (these three have in common what [`cycles`] does), and [`vacuity`], formulas that hold for an
//! idle reason; [`unbounded`], whether channels can grow for ever; [`capacity`], how large they must
//! be; [`equivalence`], whether two models do the same. Not a question but all there is to see:
//! [`state_graph`].

pub mod buchi;
pub mod capacity;
pub mod claim;
pub mod cycles;
pub mod equivalence;
pub mod finite;
pub mod labels;
pub mod ltl;
pub mod safety;
pub mod state_graph;
pub mod unbounded;
pub mod vacuity;
