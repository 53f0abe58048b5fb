//! What can be searched: anything that gives packed states on demand.

use pverify_semantics::Engine;
use pverify_semantics::successors::Visitor;

/// A system of states.
pub trait System {
    /// The state it starts in.
    fn initial(&self) -> Vec<u64>;

    /// The part of a state that tells it from others.
    fn visible<'w>(&self, words: &'w [u64]) -> &'w [u64];

    /// Gives every next state of a state, and what is wrong in it.
    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V);
}

impl System for Engine<'_> {
    fn initial(&self) -> Vec<u64> {
        Engine::initial(self).to_vec()
    }

    fn visible<'w>(&self, words: &'w [u64]) -> &'w [u64] {
        Engine::visible(self, words)
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        Engine::successors(self, words, visitor);
    }
}
