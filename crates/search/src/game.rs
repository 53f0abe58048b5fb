//! Games of challenges and answers: what simulations and bisimulations are decided by.
//!
//! Two systems stand in a pair of states. Somebody makes a *challenge*, a step of one of them, and
//! somebody else an *answer*, a step of the other with the same action; then both stand in a new
//! pair. A pair is *related* if every challenge has an answer that leads to a related pair: the
//! greatest relation with this property (Stirling's reading of the definitions of Park and Milner).
//!
//! A game is also a [`System`]: where every challenge has one answer at most, or all answers of it
//! are asked for by challenges of the other side, nothing is to be chosen, and the pairs that it
//! leads to are its next states (Jard, Jéron, Fernandez & Mounier 1993, proposition 3.2). A
//! challenge without an answer is the step to their `fail`.

use crate::system::System;
use pverify_semantics::fault::FaultKind;

/// See the module.
pub trait Game: System {
    /// The challenges in a pair, and their answers.
    type Turn;

    /// What can happen in a pair: the same challenges and answers in the same order each time it is
    /// asked (a fork may have another order).
    ///
    /// # Errors
    /// When something goes wrong in one of the systems, so that not everything is known.
    fn turn(&mut self, pair: &[u64]) -> Result<Self::Turn, FaultKind>;

    /// How many challenges there are.
    fn challenges(&self, turn: &Self::Turn) -> usize;

    /// How many answers a challenge has.
    fn answers(&self, turn: &Self::Turn, challenge: usize) -> usize;

    /// Bytes that it takes to remember what can happen.
    fn bytes(&self, turn: &Self::Turn) -> usize;

    /// The pair that a challenge and an answer lead to, and how many bits it has.
    ///
    /// # Errors
    /// When it has more than a store can keep.
    fn pair(
        &mut self,
        turn: &Self::Turn,
        challenge: usize,
        answer: usize,
        pair: &mut Vec<u64>,
    ) -> Result<u32, FaultKind>;
}
