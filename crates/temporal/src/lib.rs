//! Formula to automaton: linear temporal logic over infinite runs and over finite computations.
//!
//! In reading order:
//!
//! 1. [`formula`]: formulas stored once; text, negation normal form, simplification
//! 2. [`lasso`]: the meaning of a formula on an infinite run, the oracle of all that follows
//! 3. [`boolean`], [`cubes`]: labels of edges
//! 4. [`automaton`]: automata over infinite runs
//!    ([`property`]: the formulas of a model, and what their atoms ask)
//! 5. [`tableau`]: from a formula to an automaton, on demand
//! 6. [`mod@translate`]: all of it in a row, with reductions
//! 7. [`classify`]: safety, recurrence and the others; deterministic automata; stuttering
//! 8. [`hoa`]: automata as text
//! 9. [`finite`]: finite computations over actions
//! 10. [`mod@write`]: drawings and `never` claims
//! 11. [`diagnose`], [`codes`]: what is wrong with a text, as every diagnostic of the project

pub mod automaton;
pub mod boolean;
pub mod classify;
pub mod codes;
pub mod cubes;
pub mod diagnose;
pub mod finite;
pub mod formula;
pub mod hoa;
pub mod lasso;
pub mod property;
pub mod tableau;
#[cfg(test)]
mod testing;
pub mod translate;
pub mod write;
