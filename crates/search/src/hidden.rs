//! Hidden words of states: not part of the store, so kept on the stack, as numbers.

use crate::stack::{Entry, Stack};
use ahash::AHashMap;

/// The hidden words that were met, numbered. For systems without them nothing here does anything.
#[derive(Debug)]
pub(crate) struct HiddenWords {
    count: usize,
    numbers: AHashMap<Vec<u64>, u32>,
    words: Vec<u64>,
}

impl HiddenWords {
    /// For states with so many hidden words.
    pub(crate) fn new(count: usize) -> Self {
        Self { count, numbers: AHashMap::new(), words: Vec::new() }
    }

    /// How many words of a state are hidden.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The entry for the hidden words of a state, which lies below that of the state.
    pub(crate) fn entry(&mut self, state: &[u64]) -> Option<Entry> {
        if self.count == 0 {
            return None;
        }
        let hidden = &state[..self.count];
        if let Some(&number) = self.numbers.get(hidden) {
            return Some(Entry::hidden(number));
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(hidden.to_vec(), number);
        self.words.extend_from_slice(hidden);
        Some(Entry::hidden(number))
    }

    /// All words that were met, in the order of their numbers.
    pub(crate) fn all(&self) -> &[u64] {
        &self.words
    }

    /// Numbers words as they were.
    pub(crate) fn recall(&mut self, words: &[u64]) {
        if self.count > 0 {
            words.chunks_exact(self.count).for_each(|hidden| {
                self.entry(hidden);
            });
        }
    }

    /// The memory it takes, in bytes, about.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * 8 + self.numbers.capacity() * (40 + self.count * 8 + 16)
    }

    /// Takes the entry for hidden words from the stack.
    #[inline]
    pub(crate) fn pop(&self, stack: &mut Stack) -> Option<Entry> {
        if self.count == 0 { None } else { stack.pop() }
    }

    /// The hidden words of an entry, appended to `words`.
    pub(crate) fn restore(&self, entry: Option<Entry>, words: &mut Vec<u64>) {
        if let Some(number) = entry.and_then(Entry::as_hidden) {
            let start = number as usize * self.count;
            words.extend_from_slice(&self.words[start..start + self.count]);
        }
    }
}
