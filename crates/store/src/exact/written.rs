//! A store written down, as numbers, and made again from them.
//!
//! In order: whether states gave way to others; the number of nodes and their keys; the number of
//! roots and their entries, with standing and colour; the number of words of the filter, and these.

use super::{Budget, OutOfMemory, Store};
use crate::bitstate::Bits;
use crate::roots::Roots;
use crate::sync::AtomicU64;
use crate::sync::Ordering::Relaxed;

impl Store {
    /// The keys of its nodes, and the entries of its table.
    #[cfg(all(test, not(loom)))]
    pub(super) fn contents(
        &self,
    ) -> (impl Iterator<Item = u64> + '_, impl Iterator<Item = u64> + '_) {
        (self.nodes.keys(), self.roots.entries())
    }

    /// Writes everything down.
    pub fn write(&self, put: &mut dyn FnMut(u64)) {
        put(u64::from(self.replacing));
        put(self.nodes.keys().count() as u64);
        self.nodes.keys().for_each(&mut *put);
        put(self.roots.entries().count() as u64);
        self.roots.entries().for_each(&mut *put);
        let words = self.bits.as_ref().map_or(&[][..], Bits::words);
        put(words.len() as u64);
        words.iter().for_each(|word| put(word.load(Relaxed)));
    }

    /// The store that was written down. Where there is more room than there was, states need not
    /// give way any more.
    ///
    /// `hashes` are the bits that a state sets in the filter, if there is to be one.
    ///
    /// # Errors
    /// When there is not enough memory for it.
    pub fn read(
        budget: Budget,
        hashes: Option<u32>,
        take: &mut dyn FnMut() -> u64,
    ) -> Result<Self, OutOfMemory> {
        let mut store = Self::new(budget);
        let replacing = take() != 0;
        let nodes = take() as usize;
        store.nodes.restore(nodes, (0..nodes).map(|_| take())).ok_or(OutOfMemory)?;
        let entries = take();
        while store.limit < entries {
            let lines = store.roots.lines();
            if !store.roots.grow((lines * 2).min(store.roots.most_lines())) {
                break;
            }
            store.set_limit();
        }
        for _ in 0..entries {
            if !store.roots.restore(take()) {
                return Err(OutOfMemory);
            }
        }
        store.count = AtomicU64::new(entries);
        store.replacing = replacing && store.limit <= entries;
        let words = take() as usize;
        if let Some(hashes) = hashes {
            let bits = Bits::new(words * 8, hashes);
            if bits.words().len() != words {
                return Err(OutOfMemory);
            }
            bits.words().iter().for_each(|word| word.store(take(), Relaxed));
            (store.bits, store.roots, store.may_replace) = (Some(bits), Roots::new(1, 1), false);
        }
        if store.bytes() > store.budget.bytes && !store.replacing {
            return Err(OutOfMemory);
        }
        Ok(store)
    }
}
