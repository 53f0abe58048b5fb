//! Moving the states that are not dead to a table of another size, while nobody works.

use super::{BUSY, DONE, Partition, Slot};
use pverify_store::Root;
use std::sync::atomic::Ordering::SeqCst;

impl Partition {
    /// How many states are not dead.
    pub(crate) fn living(&self) -> usize {
        self.used().filter(|slot| !self.is_dead(*slot)).count()
    }

    /// The states that are not dead, in a table of another size, and to `bury` the dead ones that
    /// have not been buried. Nobody else may be at work.
    pub(crate) fn rebuilt(&self, slots: usize, mut bury: impl FnMut(Root)) -> Self {
        let new = Self::new(slots);
        let mut number = vec![Slot::DEAD; self.slots];
        for slot in self.used() {
            if self.is_dead(slot) {
                self.bury(slot, |root| {
                    bury(root);
                    true
                });
            } else if let Some((moved, _)) = new.insert(self.root(slot)) {
                number[slot.index()] = moved;
                new.tell(1);
            }
        }
        // The last member of each circle so far, which leads to the first.
        let mut last: Vec<Slot> = vec![Slot::DEAD; new.slots];
        for busy in [true, false] {
            for slot in self.used().filter(|slot| number[slot.index()] != Slot::DEAD) {
                if (self.list(slot).load(SeqCst) != DONE) != busy {
                    continue;
                }
                let (moved, top) = (number[slot.index()], number[self.top(slot).index()]);
                new.link(moved).store(u64::from(top.0 ^ moved.0), SeqCst);
                new.list(moved).store(if busy { BUSY } else { DONE }, SeqCst);
                match last[top.index()] {
                    Slot::DEAD => last[top.index()] = moved,
                    before if busy => {
                        let first = new.next(before);
                        new.set_next(before, moved);
                        new.set_next(moved, first);
                        last[top.index()] = moved;
                    }
                    // Who is done leads into the circle and is no part of it.
                    member => new.set_next(moved, member),
                }
            }
        }
        for slot in self.used().filter(|slot| number[slot.index()] != Slot::DEAD) {
            if self.is_top(slot) {
                let moved = number[slot.index()];
                new.workers(moved).store(self.workers(slot).load(SeqCst), SeqCst);
                new.marks(moved).store(self.marks(slot).load(SeqCst), SeqCst);
            }
        }
        new
    }
}
