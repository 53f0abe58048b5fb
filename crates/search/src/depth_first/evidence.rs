//! What a worker tells a check about its path: where it goes, and how it led to what is wrong.

use super::Worker;
use crate::ancestry::Segment;
use crate::control::{Cut, Violation, Wrong};
use crate::hooks::{Hooks, Place, Sight};
use crate::pool::Pool;
use crate::stack::Entry;
use crate::system::System;
use crate::way::Way;
use pverify_semantics::successors::Step;
use pverify_store::{Root, Store};

impl<S: System, H: Hooks> Worker<'_, S, H> {
    /// Tells a check that follows the path where it goes; whether that state is explored.
    #[inline]
    pub(super) fn follow(&mut self, store: &Store, root: Root) -> bool {
        let place = Place { store, root, before: self.lane.holding.before.as_ref() };
        let sight = self.base.hooks.follow(&place, &self.base.words);
        if sight == Sight::Enough {
            self.base.pool.stop();
        }
        sight == Sight::Nothing
    }

    /// Something wrong was found: the first is kept, with the path to it and perhaps one state more.
    #[cold]
    pub(super) fn violated(
        &mut self,
        store: &Store,
        wrong: Wrong,
        behind: Option<(Option<Entry>, Root)>,
        steps: Vec<Step>,
    ) {
        if self.base.pool.is_violated() {
            return;
        }
        let mut way = Way::default();
        for root in Segment::path(self.lane.holding.before.as_ref()) {
            self.base.unfold(store, None, root);
            way.push(&self.base.words);
        }
        let goes_on = self.base.settings.all_errors;
        if !goes_on {
            self.base.pool.stop();
        }
        let mut below = None;
        let mut follow = |entry: Entry| {
            if entry.is_on_path() {
                self.base.unfold(store, below, entry.root());
                way.push(&self.base.words);
            }
            below = Some(entry);
        };
        if goes_on {
            self.lane.holding.stack.iter().for_each(&mut follow);
        } else {
            // Nobody needs the stack any more, and the way may be long: one gives way to the other.
            std::mem::take(&mut self.lane.holding.stack).into_entries().for_each(&mut follow);
        }
        if let Some((hidden, root)) = behind {
            self.base.unfold(store, hidden, root);
            way.push(&self.base.words);
        }
        self.base.pool.violated(Violation { wrong, way, steps });
    }
}

/// Nobody waits for a worker that has panicked.
pub(super) struct Guard<'p>(pub(super) &'p Pool);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.cut(Cut::Stopped);
            self.0.stop();
        }
    }
}
