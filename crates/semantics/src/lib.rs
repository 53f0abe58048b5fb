//! Machines to steps: the one definition of what a model means.
//!
//! The promise of this crate: from the same state it gives the same next states as SPIN's
//! verifier without its optimisations, no more and no fewer. Everything else in the project that
//! speaks of steps (searches, replays, simulations) asks here.
//!
//! In reading order:
//!
//! 1. [`fault`]: what can go wrong while a model runs
//! 2. [`code`]: the instructions that statements become
//! 3. [`shape`]: which processes live, and where their parts lie in a state
//! 4. `compile`: statements to instructions
//! 5. [`engine`]: states, and everything above together
//! 6. `run`: instructions are executed; `events`: traces follow sends and receives
//! 7. [`successors`]: all next states of a state
//! 8. [`replay`]: one step at a time
//! 9. [`inspect`]: what a state holds, in words
//! 10. [`coverage`]: which statements have been executed

pub mod code;
mod compile;
pub mod coverage;
pub mod engine;
mod events;
pub mod fault;
pub mod inspect;
pub mod replay;
mod run;
pub mod shape;
pub mod successors;

pub use engine::Engine;
