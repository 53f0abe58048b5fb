//! The stack of a depth-first search: one number a state, in blocks.
//!
//! Entries are states of the path, marked, and above each of them its next states that wait for
//! their turn. Blocks keep a stack of millions from being copied when it grows.

use pverify_store::{Held, Root};

/// Entries of a block: 64 KiB.
const BLOCK: usize = 1 << 13;

/// An entry: a root and what it is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry(u64);

const PATH: u64 = 1 << 63;
const CLAIMED: u64 = 1 << 62;
/// Flags of hidden words: such an entry is not a root but belongs to the one above it.
const HIDDEN: u64 = 1 << 61;

/// Marks a state that was put aside: it is in the store for ever.
const ASIDE: u64 = 1 << 60;

impl Entry {
    /// In the place of one that was given away.
    pub(crate) const GONE: Self = Self(0);

    /// A state on the path.
    #[inline]
    pub(crate) fn on_path(root: Root) -> Self {
        Self(root.to_bits() | PATH)
    }

    /// A state that waits; `claimed` if it is in the store already.
    #[inline]
    pub(crate) fn waiting(root: Root, claimed: bool) -> Self {
        Self(root.to_bits() | if claimed { CLAIMED } else { 0 })
    }

    /// A state that was put aside, and waits.
    pub(crate) fn aside(root: Root) -> Self {
        Self(root.to_bits() | ASIDE)
    }

    /// The number of the hidden words of the state above.
    pub(crate) fn hidden(number: u32) -> Self {
        Self(u64::from(number) | HIDDEN)
    }

    /// That number, if it is one.
    pub(crate) fn as_hidden(self) -> Option<u32> {
        (self.0 & HIDDEN != 0).then_some(self.0 as u32)
    }

    #[inline]
    pub(crate) fn is_on_path(self) -> bool {
        self.0 & PATH != 0
    }

    #[inline]
    pub(crate) fn is_claimed(self) -> bool {
        self.0 & CLAIMED != 0
    }

    /// Whether it waits and is in the store already.
    #[inline]
    pub(crate) fn is_inserted(self) -> bool {
        self.0 & (CLAIMED | ASIDE) != 0
    }

    /// Whether there is a state behind it.
    pub(crate) fn is_root(self) -> bool {
        self != Self::GONE && self.as_hidden().is_none()
    }

    /// Shows the state and what it is there for. One that waits without a claim is not in the store
    /// for its own sake: it may be there as a state of the path, and must stay. So must one that was
    /// put aside.
    pub(crate) fn visit(self, visit: &mut dyn FnMut(Root, Held)) {
        let held = match (self.is_on_path(), self.is_claimed()) {
            (true, _) => Held::OnPath,
            (false, true) => Held::Waiting,
            (false, false) => Held::Folded,
        };
        visit(self.root(), held);
    }

    /// The entry as a number, and back.
    pub(crate) fn to_bits(self) -> u64 {
        self.0
    }

    pub(crate) fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline]
    pub(crate) fn root(self) -> Root {
        Root::from_bits(self.0)
    }
}

/// A stack of entries.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    /// Blocks that are full, below the one that is being filled.
    below: Vec<Box<[Entry]>>,
    /// That one; none at first.
    block: Box<[Entry]>,
    /// Its entries in use.
    used: usize,
    /// A block that was emptied: a stack at a border does not flutter.
    spare: Option<Box<[Entry]>>,
}

impl Stack {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.below.len() * BLOCK + self.used
    }

    /// The memory it takes, in bytes.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        let spare = self.spare.as_ref().map_or(0, |spare| spare.len());
        (self.below.len() * BLOCK + self.block.len() + spare) * 8
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: Entry) {
        if self.used == self.block.len() {
            self.begin_block();
        }
        if let Some(place) = self.block.get_mut(self.used) {
            *place = entry;
            self.used += 1;
        }
    }

    #[cold]
    #[inline(never)]
    fn begin_block(&mut self) {
        let new = || vec![Entry::GONE; BLOCK].into_boxed_slice();
        let full = std::mem::replace(&mut self.block, self.spare.take().unwrap_or_else(new));
        if !full.is_empty() {
            self.below.push(full);
        }
        self.used = 0;
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        if self.used == 0 && !self.end_block() {
            return None;
        }
        self.used -= 1;
        self.block.get(self.used).copied()
    }

    /// Goes back to the block below; whether there is one.
    #[cold]
    #[inline(never)]
    fn end_block(&mut self) -> bool {
        let Some(below) = self.below.pop() else { return false };
        self.spare = Some(std::mem::replace(&mut self.block, below));
        self.used = self.block.len();
        true
    }

    #[inline]
    pub(crate) fn last(&self) -> Option<Entry> {
        self.len().checked_sub(1).map(|at| self.get(at))
    }

    pub(crate) fn get(&self, at: usize) -> Entry {
        self.below.get(at / BLOCK).unwrap_or(&self.block)[at % BLOCK]
    }

    pub(crate) fn set(&mut self, at: usize, entry: Entry) {
        self.below.get_mut(at / BLOCK).unwrap_or(&mut self.block)[at % BLOCK] = entry;
    }

    /// All entries from the first on; their memory is given back on the way.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = Entry> {
        let length = self.len();
        self.below.into_iter().chain([self.block]).flatten().take(length)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }
}
