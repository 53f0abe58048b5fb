//! Systems whose steps carry acceptance marks: what is searched for cycles.
//!
//! A run is accepting if each acceptance set marks infinitely many of its steps, as in the automata
//! of `temporal`; without sets every infinite run is.
//!
//! A state may be known to lie on no accepting cycle, because of what watches the system: runs only
//! *pass* it. Of such states nothing needs to be known but that they have been visited.

use crate::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Path;
use pverify_temporal::automaton::Marks;

/// A system with acceptance sets.
pub trait Marked: System {
    /// How many acceptance sets there are.
    fn sets(&self) -> u32;

    /// Whether runs only pass the initial state.
    fn passes_initial(&self) -> bool {
        false
    }

    /// Gives every next state of a state with the marks of the step, and what is wrong in it.
    fn marked_successors<V: MarkedVisitor>(&mut self, words: &[u64], visitor: &mut V);
}

/// What a step means for acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Towards {
    /// The sets that mark it.
    pub marks: Marks,
    /// Whether runs only pass the state it leads to.
    pub passes: bool,
}

/// Takes what a state leads to.
pub trait MarkedVisitor {
    /// A next state, how many bits it has, and what the step to it means.
    fn next(&mut self, words: &[u64], bits: u32, to: Towards, path: Path<'_>);
    /// Something is wrong: after these steps, or in the state itself if there are none.
    fn fault(&mut self, fault: FaultKind, path: Path<'_>);
}
