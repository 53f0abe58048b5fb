//! An answer and its evidence, confirmed by the semantics alone.
//!
//! The promise of this crate: [`Verdict::Holds`] cannot be built without saying for what, and no
//! [`Trace`] exists whose every step has not been done again.

pub mod answer;
pub mod computation;
pub mod cycle;
pub mod follow;
pub mod merged;
pub mod trace;
pub mod unbounded;

pub use answer::{Omitted, Scope, Verdict};
pub use computation::{Computation, confirm_computation};
pub use cycle::confirm_cycle;
pub use follow::{Lost, Move, Position, Run, follow};
pub use merged::follow_merged;
pub use trace::{Trace, TraceStep, confirm};
