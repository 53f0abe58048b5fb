//! An exact store: every state whole, found by an open-addressing table.

use crate::hash;

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
    /// The states, one behind the other.
    states: Vec<u64>,
    count: usize,
    /// Numbers of states plus one, with bits of their hashes above; 0 is free. The length is a
    /// power of two and at most three quarters are in use.
    slots: Vec<u64>,
}

/// Bits of a slot that hold the number of a state.
const NUMBER_BITS: u32 = 40;
const NUMBER: u64 = (1 << NUMBER_BITS) - 1;
const FIRST_SLOTS: usize = 1 << 10;

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
        self.lengths.iter().map(|t| (t.states.capacity() + t.slots.capacity()) * 8).sum()
    }

    /// Adds a state unless it is there.
    #[inline]
    pub fn insert(&mut self, state: &[u64]) -> Insert {
        let length = state.len();
        if length >= self.lengths.len() {
            self.lengths.resize_with(length + 1, Table::default);
        }
        let inserted = self.lengths[length].insert(state);
        if inserted == Insert::New {
            self.count += 1;
        }
        inserted
    }
}

impl Table {
    fn insert(&mut self, state: &[u64]) -> Insert {
        if (self.count + 1) * 4 > self.slots.len() * 3 {
            self.grow(state.len());
        }
        let hash = hash(state);
        let mask = self.slots.len() - 1;
        let tag = hash & !NUMBER;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                self.slots[at] = tag | (self.count as u64 + 1);
                self.states.extend_from_slice(state);
                self.count += 1;
                return Insert::New;
            }
            if slot & !NUMBER == tag {
                let start = ((slot & NUMBER) as usize - 1) * state.len();
                if self.states[start..start + state.len()] == *state {
                    return Insert::Known;
                }
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self, length: usize) {
        let size = (self.slots.len() * 2).max(FIRST_SLOTS);
        let mask = size - 1;
        let mut slots = vec![0u64; size];
        for number in 0..self.count {
            let hash = hash(&self.states[number * length..(number + 1) * length]);
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
            for a in 0..50_000u64 {
                let expected = if round == 0 { Insert::New } else { Insert::Known };
                let state = [a, a * a, 7];
                assert_eq!(store.insert(&state[..1 + (a % 3) as usize]), expected, "{a}");
            }
        }
        assert_eq!(store.len(), 50_000);
    }
}
