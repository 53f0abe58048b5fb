//! An answer and its evidence, confirmed by the semantics alone.
//!
//! The promise of this crate: [`Verdict::Holds`] cannot be built without saying for what, and no
//! [`Trace`] exists whose every step has not been done again.

pub mod answer;
mod circle;
pub mod claim;
pub mod computation;
pub mod cycle;
pub mod distinguishing;
pub mod expected;
pub mod follow;
pub mod merged;
pub mod shorten;
pub mod trace;
pub mod unbounded;
pub mod waiting;

pub use answer::{Omitted, Scope, Verdict};
pub use claim::ClaimWalk;
pub use computation::{Computation, confirm_computation};
pub use cycle::{confirm_cycle, neglected};
pub use follow::{Lost, Move, Position, Run, follow};
pub use merged::follow_merged;
pub use shorten::{confirm_cycle_shortened, confirm_shortened};
pub use trace::{Trace, TraceStep, confirm};
pub use waiting::{Obstacle, Waiting, waiting};
