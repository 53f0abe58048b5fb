//! Systems whose steps carry acceptance marks: what is searched for cycles.
//!
//! A run is accepting if each acceptance set marks infinitely many of its steps, as in the automata
//! of `temporal`; without sets every infinite run is.

use crate::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Path;
use pverify_temporal::automaton::Marks;

/// A system with acceptance sets.
pub trait Marked: System {
    /// How many acceptance sets there are.
    fn sets(&self) -> u32;

    /// Gives every next state of a state with the marks of the step, and what is wrong in it.
    fn marked_successors<V: MarkedVisitor>(&mut self, words: &[u64], visitor: &mut V);
}

/// Takes what a state leads to.
pub trait MarkedVisitor {
    /// A next state, how many bits it has, and the marks of the step to it.
    fn next(&mut self, words: &[u64], bits: u32, marks: Marks, path: Path<'_>);
    /// Something is wrong: after these steps, or in the state itself if there are none.
    fn fault(&mut self, fault: FaultKind, path: Path<'_>);
}
