//! An exact store: every state whole, found by an open-addressing table.

use crate::hash;
use crate::memory::{Words, prefetch};

/// What inserting a state says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insert {
    /// It was not there.
    New,
    /// It was.
    Known,
}

/// A set of states.
#[derive(Debug, Default)]
pub struct Exact {
    /// By the length of the states.
    lengths: Vec<Table>,
    count: u64,
}

/// States of one length.
#[derive(Debug, Default)]
struct Table {
    /// The states, in blocks that never move.
    blocks: Vec<Words>,
    count: usize,
    /// Numbers of states plus one, with bits of their hashes above; 0 is free. The length is a
    /// power of two and at most three quarters of them are in use.
    slots: Words,
}

/// Bits of a slot that hold the number of a state.
const NUMBER_BITS: u32 = 40;
const NUMBER: u64 = (1 << NUMBER_BITS) - 1;
const FIRST_SLOTS: usize = 1 << 10;
/// States in a block.
const BLOCK_BITS: u32 = 16;
const BLOCK: usize = 1 << BLOCK_BITS;

impl Exact {
    /// How many states it holds.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        let words = |table: &Table| {
            table.slots.len() + table.blocks.iter().map(|block| block.len()).sum::<usize>()
        };
        self.lengths.iter().map(|table| words(table) * 8).sum()
    }

    /// Adds a state unless it is there.
    pub fn insert(&mut self, state: &[u64]) -> Insert {
        self.insert_hashed(state, hash(state))
    }

    /// As [`Exact::insert`], for a state whose hash is known.
    #[inline]
    pub fn insert_hashed(&mut self, state: &[u64], hash: u64) -> Insert {
        let length = state.len();
        if length >= self.lengths.len() {
            self.lengths.resize_with(length + 1, Table::default);
        }
        let inserted = self.lengths[length].insert(state, hash);
        if inserted == Insert::New {
            self.count += 1;
        }
        inserted
    }

    /// A state with this hash and length will be inserted soon: its place in the table is fetched.
    #[inline]
    pub fn expect(&self, length: usize, hash: u64) {
        if let Some(table) = self.lengths.get(length) {
            prefetch(&table.slots, hash as usize & table.slots.len().wrapping_sub(1));
        }
    }

    /// A little later: the stored state that may be the same is fetched too.
    #[inline]
    pub fn expect_state(&self, length: usize, hash: u64) {
        if let Some(table) = self.lengths.get(length)
            && !table.slots.is_empty()
        {
            let slot = table.slots[hash as usize & (table.slots.len() - 1)];
            if slot != 0 && slot & !NUMBER == hash & !NUMBER {
                let number = (slot & NUMBER) as usize - 1;
                prefetch(&table.blocks[number >> BLOCK_BITS], (number & (BLOCK - 1)) * length);
            }
        }
    }
}

impl Table {
    fn insert(&mut self, state: &[u64], hash: u64) -> Insert {
        if (self.count + 1) * 4 > self.slots.len() * 3 {
            self.grow(state.len());
        }
        let mask = self.slots.len() - 1;
        let tag = hash & !NUMBER;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                self.slots[at] = tag | (self.count as u64 + 1);
                self.push(state);
                return Insert::New;
            }
            if slot & !NUMBER == tag && self.is_same((slot & NUMBER) as usize - 1, state) {
                return Insert::Known;
            }
            at = (at + 1) & mask;
        }
    }

    fn state(&self, number: usize, length: usize) -> &[u64] {
        let start = (number & (BLOCK - 1)) * length;
        &self.blocks[number >> BLOCK_BITS][start..start + length]
    }

    /// Word by word: states are too short for a call.
    #[inline]
    fn is_same(&self, number: usize, state: &[u64]) -> bool {
        self.state(number, state.len()).iter().zip(state).all(|(a, b)| a == b)
    }

    fn push(&mut self, state: &[u64]) {
        let (block, at) = (self.count >> BLOCK_BITS, self.count & (BLOCK - 1));
        if block == self.blocks.len() {
            self.blocks.push(Words::new(BLOCK * state.len()));
        }
        self.blocks[block][at * state.len()..(at + 1) * state.len()].copy_from_slice(state);
        self.count += 1;
    }

    fn grow(&mut self, length: usize) {
        let size = (self.slots.len() * 2).max(FIRST_SLOTS);
        let mask = size - 1;
        let mut slots = Words::new(size);
        for number in 0..self.count {
            let hash = hash(self.state(number, length));
            let mut at = hash as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = hash & !NUMBER | (number as u64 + 1);
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_new_once() {
        let mut store = Exact::default();
        for round in 0..2 {
            for a in 0..200_000u64 {
                let expected = if round == 0 { Insert::New } else { Insert::Known };
                let state = [a, a * a, 7];
                let state = &state[..1 + (a % 3) as usize];
                store.expect(state.len(), hash(state));
                store.expect_state(state.len(), hash(state));
                assert_eq!(store.insert(state), expected, "{a}");
            }
        }
        assert_eq!(store.len(), 200_000);
    }
}
