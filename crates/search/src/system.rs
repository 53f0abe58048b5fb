//! What can be searched: anything that gives packed states on demand.

use pverify_native::Native;
use pverify_semantics::Engine;
use pverify_semantics::successors::Visitor;

/// A system of states.
///
/// A state is a run of words. The first [`System::hidden`] of them do not tell it from others (what
/// is found then depends on how a state was reached first). The others have as many bits as the
/// lowest [`pverify_store::LENGTH_BITS`] of them say; the bits of the last word behind these are
/// zero.
pub trait System: Send + Sized {
    /// The state it starts in.
    fn initial(&self) -> Vec<u64>;

    /// How many words in front of a state do not tell it from others.
    fn hidden(&self) -> usize {
        0
    }

    /// How many bits a state has behind the hidden words, by the first word of them (of which only
    /// the lowest bits need be there).
    fn bits(&mut self, first: u64) -> u32;

    /// Gives every next state of a state, and what is wrong in it.
    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V);

    /// The same system for another worker.
    fn fork(&self) -> Self;

    /// What it has learnt on the way that states refer to, such as numbers it has given out: what
    /// must be written down to go on in another process.
    fn memo(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Takes over what the same system has written down; whether it is that.
    fn recall(&mut self, memo: &[u64]) -> bool {
        memo.is_empty()
    }

    /// Another worker is done with what [`System::fork`] gave it.
    fn join(&mut self, _other: Self) {}
}

impl System for Engine<'_> {
    fn initial(&self) -> Vec<u64> {
        Engine::initial(self).to_vec()
    }

    fn hidden(&self) -> usize {
        self.hidden
    }

    #[inline]
    fn bits(&mut self, first: u64) -> u32 {
        Engine::bits(self, first)
    }

    #[inline]
    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        Engine::successors(self, words, visitor);
    }

    fn fork(&self) -> Self {
        Engine::fork(self)
    }

    fn memo(&self) -> Vec<u64> {
        Engine::memo(self)
    }

    fn recall(&mut self, memo: &[u64]) -> bool {
        Engine::recall(self, memo)
    }

    fn join(&mut self, other: Self) {
        self.absorb(&other);
    }
}

impl System for Native<'_> {
    fn initial(&self) -> Vec<u64> {
        self.engine().initial().to_vec()
    }

    fn hidden(&self) -> usize {
        self.engine().hidden
    }

    #[inline]
    fn bits(&mut self, first: u64) -> u32 {
        self.engine_mut().bits(first)
    }

    #[inline]
    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        Native::successors(self, words, visitor);
    }

    fn fork(&self) -> Self {
        Native::fork(self)
    }

    fn memo(&self) -> Vec<u64> {
        self.engine().memo()
    }

    fn recall(&mut self, memo: &[u64]) -> bool {
        self.engine_mut().recall(memo)
    }

    fn join(&mut self, other: Self) {
        self.engine_mut().absorb(other.engine());
    }
}
