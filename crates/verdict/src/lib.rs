//! An answer and its evidence, confirmed by the semantics alone.
//!
//! The promise of this crate: [`Verdict::Holds`] cannot be built without saying for what, and no
//! [`Trace`] exists whose every step has not been done again.

pub mod answer;
pub mod follow;
pub mod merged;
pub mod trace;
pub mod unbounded;

pub use answer::{Scope, Verdict};
pub use follow::{Lost, Move, Position, Run, follow, moves};
pub use merged::follow_merged;
pub use trace::{Trace, TraceStep, confirm};
