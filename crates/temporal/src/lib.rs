//! Formula to automaton: linear temporal logic over infinite runs and over finite computations.
//!
//! In reading order:
//!
//! 1. [`formula`]: formulas stored once; text, negation normal form, simplification
//! 2. [`lasso`]: the meaning of a formula on an infinite run, the oracle of all that follows

pub mod formula;
pub mod lasso;
#[cfg(test)]
mod testing;
