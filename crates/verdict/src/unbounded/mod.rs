//! Evidence about the lengths of channels without capacity.
//!
//! In reading order: `word`, the pumping test on the contents of one channel; `stability`, the tests
//! of channels that a step makes openly or hidden; [`pump`], a loop that can be repeated for ever,
//! done again; `local` and [`net`], what processes do to channels apart from everything else;
//! [`weights`], a bound that anybody can check.

mod local;
pub mod net;
pub mod pump;
mod stability;
pub mod weights;
mod word;

pub use pump::{Growth, Pump, check_round, confirm_pump};
pub use weights::{Bound, Weights};
pub use word::growth;
