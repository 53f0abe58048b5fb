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
//! 3. [`guard`]: the conditions that are asked most often
//! 4. [`shape`]: which processes live, and where their parts lie in a state
//! 5. `compile`: statements to instructions
//! 6. [`engine`]: states, and everything above together; `registry`: engines that work together
//! 7. [`tail`]: channels without capacity; `run`: instructions are executed; `events`: traces follow sends and receives
//! 8. [`successors`]: all next states of a state, by `path`s of steps; `atomic` and `rendezvous`:
//!    steps of several parts
//! 9. [`replay`]: one step at a time
//! 10. [`action`]: what steps are called, seen from outside
//! 11. [`inspect`]: what a state holds, in words
//! 12. [`question`]: what formulas and claims ask about a state
//! 13. `room`: whether a full channel is to blame that nothing moves
//! 14. [`coverage`]: which statements have been executed
//! 15. [`program`]: what a model was compiled to, for a faster way to execute it
//! 16. [`memo`]: what an engine has learnt, to go on later

pub mod action;
mod atomic;
pub mod code;
mod compile;
pub mod coverage;
pub mod engine;
mod events;
pub mod fault;
pub mod guard;
pub mod inspect;
pub mod memo;
mod path;
pub mod program;
pub mod question;
mod registry;
mod rendezvous;
pub mod replay;
mod room;
mod run;
pub mod shape;
pub mod successors;
pub mod tail;

pub use engine::Engine;
