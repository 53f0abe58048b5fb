//! Depth-first search with replacement, by several workers (Jard, Jéron, Fernandez & Mounier 1993).
//!
//! Each worker follows a path and keeps the next states of its states on an explicit stack, as
//! roots in the shared store. While the store has room, a state is claimed when it is generated:
//! whoever inserts it explores it, and others pass it by. When states begin to give way to others
//! (the store is full), only the path is pinned, and a state is inserted when its turn comes: so
//! the search ends with any store that holds the paths, and its answer is the same.
//!
//! The checks fill the holes of the kernel ([`crate::hooks`]). For those that look for cycles a state
//! is always inserted when its turn comes, whatever room there is, and passed by only when it has
//! been left; what they put aside is explored when the path is over.
//!
//! Hidden variables are not part of a state, so what is found depends on the way a state was
//! reached first. For models with hidden variables the order is SPIN's: there is one worker, and a
//! next state is inserted only when its turn comes.

mod crew;
mod evidence;
mod lane;
mod leaving;
mod sharing;

use crate::base::Base;
use crate::batch::Gathered;
use crate::control::{Cut, Observer, PATIENCE, Wrong};
use crate::holding::Job;
use crate::hooks::{Hooks, Passing, Sight, Target};
use crate::pool::NAP;
use crate::stack::Entry;
use crate::system::System;
use crossbeam::utils::Backoff;
use lane::Lane;
use pverify_store::{Colour, Insert, NoRoom, Root, Standing, Store};
use std::sync::RwLockReadGuard;

pub use crew::{resume_with, search, search_with};

/// The colour of a state that has been left, for checks that must know.
const LEFT: Colour = Colour(1);

/// One worker.
struct Worker<'p, S, H> {
    base: Base<'p, S, H>,
    /// The lane whose turn it is, and the other.
    lane: Box<Lane>,
    resting: Box<Lane>,
    /// Turns before the other lane is given work again.
    alone: u32,
}

impl<'p, S: System, H: Hooks> Worker<'p, S, H> {
    fn new(base: Base<'p, S, H>) -> Self {
        Self { base, lane: Box::default(), resting: Box::default(), alone: 0 }
    }

    /// Offers the initial state.
    fn begin(&mut self) -> Result<(), NoRoom> {
        let store = self.base.pool.store();
        let (initial, root) = self.base.initial(&store)?;
        let mut entries: Vec<_> = self.base.hidden.entry(&initial).into_iter().collect();
        entries.push(match self.base.hooks.step(&initial) {
            Target::Below => Entry::waiting(root, false),
            Target::Aside => {
                let hand = &mut self.base.hand;
                store.insert(hand, root, Standing::Permanent, Colour::default());
                self.base.counts.states = 1;
                Entry::aside(root)
            }
        });
        self.base.pool.offer(Job::new(None, entries));
        Ok(())
    }

    /// Works until nothing is left to do, or is to be done.
    ///
    /// The first worker calls the others when the search has become large enough.
    fn work(
        mut self,
        mut observer: Option<&mut dyn Observer>,
        call_others: &mut dyn FnMut(),
    ) -> Self {
        let pool = self.base.pool;
        let _guard = evidence::Guard(pool);
        if self.base.settings.alone == 0 {
            call_others();
        }
        while !pool.is_over() {
            let store = pool.store();
            if let Some(job) = pool.take() {
                self.explore(job, store, &mut observer, call_others);
                pool.done();
            } else {
                drop(store);
                self.wait(&mut observer);
            }
        }
        self.say();
        self
    }

    /// Waits until there may be work.
    fn wait(&mut self, observer: &mut Option<&mut dyn Observer>) {
        let pool = self.base.pool;
        pool.set_idle(true);
        let backoff = Backoff::new();
        while !pool.is_over() && !pool.has_work() {
            if backoff.is_completed() {
                let mut store = pool.store();
                self.report(&store, observer);
                if pool.is_saving() && observer.is_some() {
                    store = self.park(store, observer, false);
                }
                drop(store);
                std::thread::park_timeout(NAP);
            } else {
                backoff.snooze();
            }
        }
        pool.set_idle(false);
    }

    /// Tells what was counted, and asks whether to go on.
    fn report(&self, store: &Store, observer: &mut Option<&mut dyn Observer>) {
        let lanes = self.lane.bytes() + self.resting.bytes();
        let bytes = lanes + self.base.hidden.bytes() + self.base.hooks.bytes();
        self.base.report(store, bytes, observer);
    }

    /// Tells what a snapshot must say of this worker.
    fn say(&self) {
        if self.base.settings.snapshots {
            self.base.say();
        }
    }

    /// Explores everything that a job leads to.
    fn explore(
        &mut self,
        job: Job,
        mut store: RwLockReadGuard<'p, Store>,
        observer: &mut Option<&mut dyn Observer>,
        call_others: &mut dyn FnMut(),
    ) {
        let pool = self.base.pool;
        self.take_over(job, &store);
        if let Some(done) = self.lane.holding.unsettled {
            self.gather_again(&store, done);
        }
        let mut patience = PATIENCE;
        loop {
            if self.lane.holding.unsettled.is_some() && self.settle(&store).is_err() {
                store = self.settle_with_room(store, observer);
                if pool.stopped() {
                    break;
                }
            }
            let root = match self.next(&store) {
                Ok(Some(root)) => root,
                Ok(None) if self.next_root(&store) || self.end_lane(&store) => continue,
                Ok(None) => break,
                Err(NoRoom) => {
                    store = self.park(store, observer, true);
                    if pool.stopped() {
                        break;
                    }
                    continue;
                }
            };
            let goes_wrong = self.enter(&store, root);
            patience -= 1;
            // A step that goes wrong may have taken long: a `d_step` that does not end, for one.
            if patience == 0 || goes_wrong {
                patience = PATIENCE;
                self.report(&store, observer);
                if self.base.counts.states >= self.base.settings.alone {
                    call_others();
                }
            }
            if pool.stopped() {
                break;
            }
            if pool.is_hungry() {
                self.share();
            }
            if pool.is_wanted(&store) {
                store = self.park(store, observer, false);
            }
            self.alternate(&store);
        }
        // Who stops early may want to go on later.
        if !pool.stopped() {
            self.end_path(&store);
        }
        self.report(&store, &mut None);
        self.say();
    }

    /// Settles the next states, making room for them.
    #[cold]
    fn settle_with_room(
        &mut self,
        mut store: RwLockReadGuard<'p, Store>,
        observer: &mut Option<&mut dyn Observer>,
    ) -> RwLockReadGuard<'p, Store> {
        while self.settle(&store).is_err() {
            self.lane.holding.unsettled = Some(self.base.batch.inserted);
            store = self.park(store, observer, true);
            if self.base.pool.stopped() {
                return store;
            }
        }
        store
    }

    /// Lets the store make room; asks afterwards whether to go on, since that may have taken long.
    fn park(
        &mut self,
        store: RwLockReadGuard<'p, Store>,
        observer: &mut Option<&mut dyn Observer>,
        stuck: bool,
    ) -> RwLockReadGuard<'p, Store> {
        self.report(&store, &mut None);
        self.say();
        let observing = observer.as_mut().map(|observer| &mut **observer);
        let (number, pool) = (self.base.number, self.base.pool);
        let holdings = [&mut self.lane.holding, &mut self.resting.holding];
        let store = pool.park(number, holdings, store, stuck, observing);
        self.report(&store, observer);
        store
    }

    /// The next state whose turn it is; states that are done are left.
    #[inline]
    fn next(&mut self, store: &Store) -> Result<Option<Root>, NoRoom> {
        while let Some(entry) = self.lane.holding.stack.pop() {
            if entry.is_on_path() {
                self.leave(store, entry.root());
                continue;
            }
            if entry == Entry::GONE {
                continue;
            }
            let root = entry.root();
            let hidden = self.base.hidden.pop(&mut self.lane.holding.stack);
            if !entry.is_inserted() {
                match self.base.insert(store, hidden, root) {
                    Insert::New | Insert::Replaced => self.base.counts.states += 1,
                    Insert::Known(_, colour) => {
                        self.base.counts.matched += 1;
                        // Others are at it, and may close a cycle across our path: so are we.
                        if H::PASSING == Passing::Claimed || colour == LEFT {
                            self.base.hooks.known();
                            continue;
                        }
                    }
                    Insert::NoRoom => {
                        hidden.into_iter().for_each(|hidden| self.lane.holding.stack.push(hidden));
                        self.lane.holding.stack.push(entry);
                        return Err(NoRoom);
                    }
                }
            }
            let depth = self.lane.depth_before + self.lane.depth;
            if self.base.settings.depth.is_some_and(|most| depth > most) {
                self.base.pool.cut(Cut::Depth);
                if store.is_replacing() {
                    leaving::unpin(store, root);
                }
                continue;
            }
            hidden.into_iter().for_each(|hidden| self.lane.holding.stack.push(hidden));
            return Ok(Some(root));
        }
        Ok(None)
    }

    /// The path goes on to a state; its next states are gathered. Whether a step goes wrong, so that
    /// nothing is known of what comes after it.
    fn enter(&mut self, store: &Store, root: Root) -> bool {
        self.base.unfold(store, self.lane.holding.stack.last(), root);
        self.lane.holding.stack.push(Entry::on_path(root));
        if H::PASSING == Passing::Left {
            self.lane.own.enter(root, self.lane.depth_before + self.lane.depth);
        }
        self.lane.depth += 1;
        if H::FOLLOWS && !self.follow(store, root) {
            return false;
        }
        if self.base.hooks.enter(&self.base.words) == Sight::Violation {
            self.base.counts.errors += 1;
            self.violated(store, Wrong::Reached, None, Vec::new());
            if self.base.pool.stopped() {
                return false;
            }
            // What was unfolded for that is not what is explored.
            let below = self.lane.holding.stack.len().checked_sub(2);
            self.base.unfold(store, below.map(|below| self.lane.holding.stack.get(below)), root);
        }
        let gathered = self.base.gather(store, &mut self.lane.holding.fresh);
        if H::FOLLOWS {
            self.base.hooks.went(&self.base.words);
        }
        self.lane.holding.unsettled = Some(0);
        let Gathered { errors, path_ends } = gathered;
        let counts = &mut self.base.counts;
        counts.errors += errors;
        counts.max_depth = counts.max_depth.max(self.lane.depth_before + self.lane.depth);
        if path_ends {
            self.base.pool.cut(Cut::Fault);
        }
        if errors > 0
            && let Some((fault, steps)) = self.base.batch.take_fault()
        {
            self.violated(store, Wrong::Fault(fault), None, steps);
        }
        path_ends
    }

    /// Folds the next states, and puts those on the stack that are to be explored. Goes on where it
    /// was when there was no room.
    #[inline(always)] // Once for each state, and once where room is made.
    fn settle(&mut self, store: &Store) -> Result<(), NoRoom> {
        let Base { batch, hand, hooks, hidden, .. } = &mut self.base;
        if batch.is_unfolded() {
            batch.fold((store, hand), hooks, hidden.count(), &mut self.lane.holding.fresh)?;
        }
        if self.base.hidden.count() == 0 && H::PASSING == Passing::Claimed && !store.is_replacing()
        {
            if store.is_bitstate() {
                self.claim_bits(store)?;
            } else {
                self.claim_all(store, |base, root| {
                    let standing = Standing::Replaceable;
                    store.insert(&mut base.hand, root, standing, Colour::default())
                })?;
            }
        } else {
            self.meet_all(store)?;
        }
        self.lane.holding.fresh.clear();
        self.base.batch.clear();
        self.lane.holding.unsettled = None;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn claim_bits(&mut self, store: &Store) -> Result<(), NoRoom> {
        self.claim_all(store, |base, _| base.claim_bits(store))
    }

    /// Inserts the next states: those that are new are ours.
    ///
    /// `claim` inserts the one whose turn it is: roots, or bits, each in a loop of its own.
    #[inline]
    fn claim_all(
        &mut self,
        store: &Store,
        mut claim: impl FnMut(&mut Base<'p, S, H>, Root) -> Insert,
    ) -> Result<(), NoRoom> {
        while let Some(&root) = self.lane.holding.fresh.get(self.base.batch.inserted) {
            if H::SETS_ASIDE && self.base.batch.is_aside(self.base.batch.inserted) {
                self.put_aside(store, None, root)?;
            } else {
                match claim(&mut self.base, root) {
                    Insert::New | Insert::Replaced => {
                        self.base.counts.states += 1;
                        self.lane.holding.stack.push(Entry::waiting(root, true));
                    }
                    Insert::Known(..) => {
                        self.base.counts.matched += 1;
                        self.base.hooks.known();
                    }
                    Insert::NoRoom => return Err(NoRoom),
                }
            }
            self.base.counts.transitions += 1;
            self.base.batch.inserted += 1;
        }
        Ok(())
    }

    /// Puts the next states on the stack that are to be inserted when their turn comes.
    fn meet_all(&mut self, store: &Store) -> Result<(), NoRoom> {
        let in_order = self.base.hidden.count() > 0;
        let count = self.lane.holding.fresh.len();
        while self.base.batch.inserted < count {
            // In SPIN's order the first to come are the first.
            let done = self.base.batch.inserted;
            let at = if in_order { count - 1 - done } else { done };
            let root = self.lane.holding.fresh[at];
            let hidden = match self.base.batch.state(at) {
                Some(state) if in_order => self.base.hidden.entry(state),
                _ => None,
            };
            if H::SETS_ASIDE && self.base.batch.is_aside(at) {
                self.put_aside(store, hidden, root)?;
            } else {
                self.meet(store, hidden, root);
            }
            self.base.counts.transitions += 1;
            self.base.batch.inserted += 1;
        }
        Ok(())
    }

    /// A step leads to a state that is inserted when its turn comes, if it is new then. Whether it
    /// is on the path is known now, and will be the same then.
    fn meet(&mut self, store: &Store, hidden: Option<Entry>, root: Root) {
        if H::PASSING == Passing::Left
            && let Some(at) = self.lane.own.find(root)
        {
            self.base.counts.matched += 1;
            if self.base.hooks.close(at) == Sight::Violation {
                self.base.counts.errors += 1;
                self.violated(store, Wrong::Cycle(at), Some((hidden, root)), Vec::new());
            }
            return;
        }
        // The hidden words of a state that is known may be others when its turn comes.
        let known = if hidden.is_some() { None } else { store.get(root) };
        let passed = |colour| H::PASSING == Passing::Claimed || colour == LEFT;
        if known.is_some_and(|(_, colour)| passed(colour)) {
            self.base.counts.matched += 1;
            self.base.hooks.known();
        } else {
            hidden.into_iter().for_each(|hidden| self.lane.holding.stack.push(hidden));
            self.lane.holding.stack.push(Entry::waiting(root, false));
        }
    }

    /// A step leads to a state that is put aside, unless it has been.
    fn put_aside(
        &mut self,
        store: &Store,
        hidden: Option<Entry>,
        root: Root,
    ) -> Result<(), NoRoom> {
        let hand = &mut self.base.hand;
        match store.insert(hand, root, Standing::Permanent, Colour::default()) {
            Insert::New | Insert::Replaced => {
                self.base.counts.states += 1;
                hidden.into_iter().for_each(|hidden| self.lane.holding.aside.push(hidden));
                self.lane.holding.aside.push(Entry::aside(root));
            }
            Insert::Known(..) => {
                self.base.counts.matched += 1;
                self.base.hooks.known();
            }
            Insert::NoRoom => return Err(NoRoom),
        }
        Ok(())
    }
}
