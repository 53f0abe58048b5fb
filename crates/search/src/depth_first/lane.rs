//! Two lanes a worker: what one waits for comes while the other goes on.
//!
//! A worker that has made the next states of a state must look each of them up in a table that is
//! larger than any cache. Their places are fetched when they are made, and nothing useful is left to
//! do until they have come. So in a search of some size a worker follows two paths in turn: the next
//! states of the one are inserted when those of the other have been made. To the store and to the
//! other workers a lane is what a worker is: it has a path and a stack of its own, and its work is
//! given to it with the path that leads there.
//!
//! Checks that look for cycles, hidden variables, small searches and full stores have one lane: their
//! order, or the length of the path, matters more.

use super::Worker;
use crate::batch::Batch;
use crate::holding::Holding;
use crate::hooks::{Hooks, Passing};
use crate::own_path::OwnPath;
use crate::system::System;
use pverify_store::Store;

/// One path and what waits beside it.
#[derive(Debug, Default)]
pub(super) struct Lane {
    pub(super) holding: Holding,
    /// The states of its path, for checks that look for cycles.
    pub(super) own: OwnPath,
    /// States of the path on the stack, and before it.
    pub(super) depth: u64,
    pub(super) depth_before: u64,
    /// Below this place of the stack nothing waits, and there are so many states of the path.
    pub(super) bottom: (usize, u64),
    /// Whether it has work.
    pub(super) busy: bool,
    /// The batch of the lane that rests; the worker has that of the other.
    batch: Box<Batch>,
}

impl Lane {
    /// The memory it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.holding.bytes() + self.own.bytes()
    }
}

/// A search with so many states is worth two lanes: its table is larger than a cache.
const LARGE: u64 = 1 << 16;

/// With less memory than this a second path would take the room of too many states.
const ENOUGH: usize = 1 << 25;

/// Turns before a lane that was done is given work again: finding some takes time.
const REST: u32 = 64;

impl<S: System, H: Hooks> Worker<'_, S, H> {
    /// The other lane has its turn; if it has no work it is given some.
    #[inline]
    pub(super) fn alternate(&mut self, store: &Store) {
        if H::PASSING == Passing::Left {
            return;
        }
        if self.resting.busy {
            self.change_lanes();
        } else if self.alone > 0 {
            self.alone -= 1;
        } else {
            self.alone = REST;
            let settings = self.base.settings;
            let large = self.base.counts.states >= LARGE && settings.memory >= ENOUGH;
            if large && self.base.hidden.count() == 0 && !store.is_replacing() {
                self.divide(store);
            }
        }
    }

    fn divide(&mut self, store: &Store) {
        let Some(job) = self.part() else { return };
        self.change_lanes();
        self.take_over(job, store);
    }

    /// The lane is done; whether the other goes on.
    pub(super) fn end_lane(&mut self, store: &Store) -> bool {
        self.end_path(store);
        self.lane.busy = false;
        if !self.resting.busy {
            return false;
        }
        self.change_lanes();
        self.alone = REST;
        true
    }

    fn change_lanes(&mut self) {
        std::mem::swap(&mut self.lane, &mut self.resting);
        std::mem::swap(&mut self.resting.batch, &mut self.base.batch);
        std::mem::swap(&mut self.base.batch, &mut self.lane.batch);
        if H::FOLLOWS {
            self.base.hooks.change_paths();
        }
    }
}
