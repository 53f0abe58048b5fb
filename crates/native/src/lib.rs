//! Steps as machine code: the next states that [`pverify_semantics`] defines, found faster.
//!
//! The promise of this crate: [`Native::successors`] gives the same next states as
//! [`Engine::successors`](pverify_semantics::Engine::successors), in the same order. It keeps it by
//! doing little: it knows the common instructions, and whatever else it meets (a fault, a statement
//! it does not know, a state in which nothing moves) it leaves to the engine, for one process or for
//! the whole state. Answers are confirmed by the engine alone, as those of every search.
//!
//! In reading order: `native`, a model with its machine code; `table`, the code of all processes by
//! location; `flow` and `translate` (with `instruction`, `channel` and `value`), from instructions to code;
//! `machine`, where code is kept and called; [`compare`], the
//! engine's word against it.

mod channel;
pub mod compare;
mod flow;
mod instruction;
mod machine;
mod native;
mod table;
mod translate;
mod value;

pub use native::Native;
