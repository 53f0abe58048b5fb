//! The states of a worker's own path, to recognise them.
//!
//! Only for checks that look for cycles: the store knows that a state is on some path, but with
//! several workers not on whose.

use ahash::AHashMap;
use pverify_store::Root;

/// States of a path, and where they stand on it.
#[derive(Debug, Default)]
pub(crate) struct OwnPath(AHashMap<u64, u64>);

impl OwnPath {
    pub(crate) fn enter(&mut self, root: Root, at: u64) {
        self.0.insert(root.to_bits(), at);
    }

    pub(crate) fn leave(&mut self, root: Root) {
        self.0.remove(&root.to_bits());
    }

    /// Where a state stands on the path, if it does.
    pub(crate) fn find(&self, root: Root) -> Option<u64> {
        self.0.get(&root.to_bits()).copied()
    }

    /// The path is over.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The memory it takes, in bytes: two numbers and a mark each, seven eighths full.
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * 17 * 8 / 7
    }
}
