//! Temporal logic over finite computations: sequences of actions, and deterministic automata.
//!
//! Jard & Jéron (1989, §2-3). An atom is an action, and at each position exactly one action happens;
//! actions that no atom names are τ. A system satisfies a formula if every finite computation does.
//!
//! 1. [`semantics`]: the meaning, by induction; the oracle
//! 2. [`derivative`]: the automaton, by derivatives
//! 3. [`dfa`]: deterministic automata and their minimisation
//! 4. [`letters`]: atoms that mean several actions

pub mod derivative;
pub mod dfa;
pub mod letters;
pub mod semantics;

#[cfg(test)]
mod tests;
