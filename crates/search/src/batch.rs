//! The next states of one state, gathered before any of them is looked up.
//!
//! Memory is far away: while the states are folded, what inserting them will look at is on its way.

use crate::control::{Wanted, ends_path};
use crate::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};

/// Next states, one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    words: Vec<u64>,
    ends: Vec<usize>,
    /// How many have been inserted.
    pub(crate) inserted: usize,
}

/// What else exploring a state has shown.
pub(crate) struct Gathered {
    /// The first fault that is wanted, and the steps to it.
    pub(crate) fault: Option<(FaultKind, Vec<Step>)>,
    /// How many there are.
    pub(crate) errors: u64,
    /// A step went wrong, and what comes after it is not known.
    pub(crate) path_ends: bool,
}

impl Batch {
    /// Gathers the next states of a state.
    #[inline]
    pub(crate) fn gather<S: System>(
        &mut self,
        system: &mut S,
        words: &[u64],
        wanted: Wanted,
    ) -> Gathered {
        self.clear();
        let gathered = Gathered { fault: None, errors: 0, path_ends: false };
        let mut gatherer = Gatherer { batch: self, wanted, gathered };
        system.successors(words, &mut gatherer);
        gatherer.gathered
    }

    /// The next state with a number, if there are so many.
    #[inline]
    pub(crate) fn state(&self, at: usize) -> Option<&[u64]> {
        let end = *self.ends.get(at)?;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        Some(&self.words[start..end])
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
        self.inserted = 0;
    }
}

struct Gatherer<'b> {
    batch: &'b mut Batch,
    wanted: Wanted,
    gathered: Gathered,
}

impl Visitor for Gatherer<'_> {
    #[inline]
    fn next(&mut self, words: &[u64], _: Path<'_>) {
        self.batch.words.extend_from_slice(words);
        self.batch.ends.push(self.batch.words.len());
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.gathered.path_ends |= ends_path(&fault);
        if self.wanted.includes(&fault) {
            self.gathered.errors += 1;
            if self.gathered.fault.is_none() {
                self.gathered.fault = Some((fault, path.steps()));
            }
        }
    }
}
