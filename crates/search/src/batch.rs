//! The next states of one state, folded while they are made.
//!
//! Memory is far away: as soon as a next state is folded, what inserting it will look at is fetched,
//! and comes while the others are made. States with hidden words, and those that find no room for
//! their nodes, are kept in words and folded afterwards.

use crate::control::{Wanted, ends_path};
use crate::hooks::{Hooks, Target};
use crate::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_store::{Hand, NoRoom, Root, Store};

/// Next states.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// States that are kept in words, one behind the other, with where they end and their bits.
    words: Vec<u64>,
    ends: Vec<(usize, u32)>,
    /// How many of these have been folded.
    folded: usize,
    /// How many roots have been inserted.
    pub(crate) inserted: usize,
    /// Which of the roots are put aside, in order.
    aside: Vec<usize>,
    /// The hashes of all states, for a store of bits.
    hashes: Vec<u64>,
    /// The first fault that is wanted, and the steps to it.
    fault: Option<(FaultKind, Vec<Step>)>,
}

/// What else exploring a state has shown.
pub(crate) struct Gathered {
    /// How many faults that are wanted; see [`Batch::take_fault`].
    pub(crate) errors: u64,
    /// A step went wrong, and what comes after it is not known.
    pub(crate) path_ends: bool,
}

impl Batch {
    /// Gathers the next states of a state; their roots go behind `roots`.
    #[inline(always)] // Once for each state.
    pub(crate) fn gather<S: System, H: Hooks>(
        &mut self,
        (store, hand): (&Store, &mut Hand),
        (system, hooks): (&mut S, &mut H),
        words: &[u64],
        wanted: Wanted,
        roots: &mut Vec<Root>,
    ) -> Gathered {
        self.clear();
        if self.fault.is_some() {
            self.fault = None;
        }
        let gathered = Gathered { errors: 0, path_ends: false };
        let keep = system.hidden() > 0;
        let hashing = store.is_bitstate();
        let mut gatherer =
            Gatherer { batch: self, store, hand, hooks, roots, keep, hashing, wanted, gathered };
        system.successors(words, &mut gatherer);
        gatherer.gathered
    }

    /// The first fault that was wanted when the next states were gathered, and the steps to it.
    pub(crate) fn take_fault(&mut self) -> Option<(FaultKind, Vec<Step>)> {
        self.fault.take()
    }

    /// Whether states that were kept in words are still to be folded.
    #[inline]
    pub(crate) fn is_unfolded(&self) -> bool {
        self.folded < self.ends.len()
    }

    /// Folds the states that were kept in words; goes on where it was when there was no room.
    pub(crate) fn fold<H: Hooks>(
        &mut self,
        (store, hand): (&Store, &mut Hand),
        hooks: &mut H,
        hidden: usize,
        roots: &mut Vec<Root>,
    ) -> Result<(), NoRoom> {
        while let Some(state) = self.state(self.folded) {
            let bits = self.ends[self.folded].1;
            let root = store.fold(hand, &state[hidden..], bits)?;
            let aside = hooks.step(state) == Target::Aside;
            if store.is_bitstate() {
                let hash = Store::hash(&state[hidden..]);
                self.hashes.push(hash);
            } else {
                store.expect(root);
            }
            if aside {
                self.aside.push(roots.len());
            }
            roots.push(root);
            self.folded += 1;
        }
        Ok(())
    }

    /// The hash of a state by the number of its root, for a store of bits.
    pub(crate) fn hash(&self, at: usize) -> Option<u64> {
        self.hashes.get(at).copied()
    }

    /// Whether a root is put aside, by its number.
    #[inline]
    pub(crate) fn is_aside(&self, at: usize) -> bool {
        self.aside.binary_search(&at).is_ok()
    }

    /// A state that was kept in words, by its number.
    pub(crate) fn state(&self, at: usize) -> Option<&[u64]> {
        let end = self.ends.get(at)?.0;
        let start = if at == 0 { 0 } else { self.ends[at - 1].0 };
        Some(&self.words[start..end])
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
        self.folded = 0;
        self.inserted = 0;
        self.aside.clear();
        self.hashes.clear();
    }
}

struct Gatherer<'b, H> {
    batch: &'b mut Batch,
    store: &'b Store,
    hand: &'b mut Hand,
    hooks: &'b mut H,
    roots: &'b mut Vec<Root>,
    /// Whether states are kept in words.
    keep: bool,
    /// Whether states are remembered by bits.
    hashing: bool,
    wanted: Wanted,
    gathered: Gathered,
}

impl<H> Gatherer<'_, H> {
    /// From here on states are kept in words.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, words: &[u64], bits: u32) {
        self.keep = true;
        self.batch.words.extend_from_slice(words);
        self.batch.ends.push((self.batch.words.len(), bits));
    }

    /// For a store of bits; out of the way of all others.
    #[cold]
    #[inline(never)]
    fn hash(&mut self, words: &[u64]) {
        let hash = Store::hash(words);
        self.store.expect_bits(hash);
        self.batch.hashes.push(hash);
    }
}

impl<H: Hooks> Visitor for Gatherer<'_, H> {
    #[inline(always)] // Once for each step, and in few places.
    fn next(&mut self, words: &[u64], bits: u32, path: Path<'_>) {
        if H::FOLLOWS {
            self.hooks.goes(path, words);
        }
        if !self.keep
            && let Ok(root) = self.store.fold(self.hand, words, bits)
        {
            if self.hashing {
                self.hash(words);
            } else {
                self.store.expect(root);
            }
            if self.hooks.step(words) == Target::Aside {
                self.batch.aside.push(self.roots.len());
            }
            self.roots.push(root);
        } else {
            self.keep(words, bits);
        }
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.gathered.path_ends |= ends_path(&fault);
        if H::FOLLOWS {
            self.hooks.goes_wrong(&fault);
        }
        if self.wanted.includes(&fault) {
            self.gathered.errors += 1;
            if self.batch.fault.is_none() {
                self.batch.fault = Some((fault, path.steps()));
            }
        }
    }
}
