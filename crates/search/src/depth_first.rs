//! Depth-first search with replacement, by several workers (Jard, Jéron, Fernandez & Mounier 1993).
//!
//! Each worker follows a path and keeps the next states of its states on an explicit stack, as
//! roots in the shared store. While the store has room, a state is claimed when it is generated:
//! whoever inserts it explores it, and others pass it by. When states begin to give way to others
//! (the store is full), only the path is pinned, and a state is inserted when its turn comes: so
//! the search ends with any store that holds the paths, and its answer is the same.
//!
//! Hidden variables are not part of a state, so what is found depends on the way a state was
//! reached first. For models with hidden variables the order is SPIN's: there is one worker, and a
//! next state is inserted only when its turn comes.

use crate::ancestry::{Segment, leave};
use crate::batch::{Batch, Gathered};
use crate::control::{Counts, Cut, Observer, Outcome, PATIENCE, Settings, Violation};
use crate::hidden::HiddenWords;
use crate::pool::{Holding, Job, NAP, Pool};
use crate::stack::Entry;
use crate::system::System;
use crossbeam::utils::Backoff;
use pverify_store::{Colour, Hand, Insert, NoRoom, Root, Standing, Store};
use std::sync::{Arc, RwLockReadGuard};

/// Explores everything reachable, deep first.
pub fn search<S: System>(
    system: &mut S,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut settings = *settings;
    if system.hidden() > 0 {
        settings.threads = std::num::NonZeroUsize::MIN;
    }
    let pool = Pool::new(&settings, true);
    let mut first = Worker::new(0, system.fork(), &settings, &pool);
    if !first.begin() {
        pool.cut(Cut::Memory);
    }
    let mut others: Vec<_> = (1..settings.threads.get())
        .map(|number| Worker::new(number, system.fork(), &settings, &pool))
        .collect();
    let mut counts = Counts::default();
    let mut joined = Vec::new();
    std::thread::scope(|scope| {
        let mut called = Vec::new();
        let mut call = || {
            for other in others.drain(..) {
                called.push(scope.spawn(|| other.work(None, &mut || {})));
            }
        };
        joined.push(first.work(Some(observer), &mut call));
        // A worker does not panic; if one did, the search is not complete.
        for other in called {
            match other.join() {
                Ok(done) => joined.push(done),
                Err(_) => pool.cut(Cut::Stopped),
            }
        }
    });
    for (part, counted) in joined {
        system.join(part);
        counts.add(&counted);
    }
    counts.store_bytes = pool.store().bytes();
    pool.into_found().outcome(counts, &settings)
}

/// One worker.
struct Worker<'p, S> {
    number: usize,
    system: S,
    settings: &'p Settings,
    pool: &'p Pool,
    hand: Hand,
    holding: Holding,
    hidden: HiddenWords,
    batch: Batch,
    counts: Counts,
    /// States of the path on the stack, and before it.
    depth: u64,
    depth_before: u64,
    /// Below this place of the stack nothing waits, and there are so many states of the path.
    bottom: (usize, u64),
    words: Vec<u64>,
}

impl<'p, S: System> Worker<'p, S> {
    fn new(number: usize, system: S, settings: &'p Settings, pool: &'p Pool) -> Self {
        Self {
            number,
            hidden: HiddenWords::new(system.hidden()),
            system,
            settings,
            pool,
            hand: Hand::new(settings.seed.wrapping_add(number as u64)),
            holding: Holding::default(),
            batch: Batch::default(),
            counts: Counts::default(),
            depth: 0,
            depth_before: 0,
            bottom: (0, 0),
            words: Vec::new(),
        }
    }

    /// Offers the initial state; whether there is room for it.
    fn begin(&mut self) -> bool {
        let initial = self.system.initial();
        let visible = &initial[self.hidden.count()..];
        let store = self.pool.store();
        let Ok(root) = store.fold(&mut self.hand, visible, self.system.bits(visible[0])) else {
            return false;
        };
        let mut entries = self.hidden.entry(&initial).into_iter().collect::<Vec<_>>();
        entries.push(Entry::waiting(root, false));
        self.pool.offer(Job { before: None, entries });
        true
    }

    /// Works until nothing is left to do; gives back the system and what was counted.
    ///
    /// The first worker calls the others when the search has become large enough.
    fn work(
        mut self,
        mut observer: Option<&mut dyn Observer>,
        call_others: &mut dyn FnMut(),
    ) -> (S, Counts) {
        let _guard = Guard(self.pool);
        if self.settings.alone == 0 {
            call_others();
        }
        while !self.pool.is_over() {
            let store = self.pool.store();
            if let Some(job) = self.pool.take() {
                self.explore(job, store, &mut observer, call_others);
                self.pool.done();
            } else {
                drop(store);
                self.wait(&mut observer);
            }
        }
        self.counts.replacements = self.hand.replacements;
        (self.system, self.counts)
    }

    /// Waits until there may be work.
    fn wait(&mut self, observer: &mut Option<&mut dyn Observer>) {
        self.pool.set_idle(true);
        let backoff = Backoff::new();
        while !self.pool.is_over() && !self.pool.has_work() {
            if backoff.is_completed() {
                self.report(&self.pool.store(), observer);
                std::thread::park_timeout(NAP);
            } else {
                backoff.snooze();
            }
        }
        self.pool.set_idle(false);
    }

    /// Tells what was counted, and asks whether to go on.
    fn report(&self, store: &Store, observer: &mut Option<&mut dyn Observer>) {
        let counts = Counts { replacements: self.hand.replacements, ..self.counts };
        self.pool.tell(self.number, &counts, self.holding.stack.bytes());
        let progress = || self.pool.progress(store);
        if let Some(observer) = observer
            && !observer.go_on(&progress())
        {
            self.pool.cut(Cut::Stopped);
            self.pool.stop();
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
        self.depth_before = job.before.as_ref().map_or(0, |segment| segment.depth);
        self.holding.before = job.before;
        self.bottom = (0, 0);
        job.entries.into_iter().for_each(|entry| self.holding.stack.push(entry));
        let mut patience = PATIENCE;
        loop {
            let root = match self.next(&store) {
                Ok(Some(root)) => root,
                Ok(None) => break,
                Err(NoRoom) => {
                    store = self.park(store, observer, true);
                    if self.pool.stopped() {
                        break;
                    }
                    continue;
                }
            };
            self.enter(&store, root);
            while self.settle(&store).is_err() && !self.pool.stopped() {
                store = self.park(store, observer, true);
            }
            patience -= 1;
            if patience == 0 {
                patience = PATIENCE;
                self.report(&store, observer);
                if self.counts.states >= self.settings.alone {
                    call_others();
                }
                if self.pool.bytes(&store) > self.settings.memory {
                    store.ask_for_room();
                }
            }
            if self.pool.stopped() {
                break;
            }
            if self.pool.is_hungry() {
                self.share();
            }
            if self.pool.is_wanted(&store) {
                store = self.park(store, observer, false);
            }
        }
        Segment::release(self.holding.before.take(), &store);
        self.report(&store, &mut None);
    }

    /// Lets the store make room; asks afterwards whether to go on, since that may have taken long.
    fn park(
        &mut self,
        store: RwLockReadGuard<'p, Store>,
        observer: &mut Option<&mut dyn Observer>,
        stuck: bool,
    ) -> RwLockReadGuard<'p, Store> {
        let store = self.pool.park(self.number, &mut self.holding, store, stuck);
        self.report(&store, observer);
        store
    }

    /// The next state whose turn it is; states that are done are left.
    #[inline]
    fn next(&mut self, store: &Store) -> Result<Option<Root>, NoRoom> {
        while let Some(entry) = self.holding.stack.pop() {
            if entry.is_on_path() {
                self.leave(store, entry.root());
                continue;
            }
            if entry == Entry::GONE {
                continue;
            }
            let root = entry.root();
            let hidden = self.hidden.pop(&mut self.holding.stack);
            if !entry.is_claimed() {
                match store.insert(&mut self.hand, root, standing(store), Colour::default()) {
                    Insert::New | Insert::Replaced => self.counts.states += 1,
                    Insert::Known(..) => {
                        self.counts.matched += 1;
                        continue;
                    }
                    Insert::NoRoom => {
                        hidden.into_iter().for_each(|hidden| self.holding.stack.push(hidden));
                        self.holding.stack.push(entry);
                        return Err(NoRoom);
                    }
                }
            }
            let depth = self.depth_before + self.depth;
            if self.settings.depth.is_some_and(|most| depth > most) {
                self.pool.cut(Cut::Depth);
                if store.is_replacing() {
                    leave(store, root);
                }
                continue;
            }
            hidden.into_iter().for_each(|hidden| self.holding.stack.push(hidden));
            return Ok(Some(root));
        }
        Ok(None)
    }

    /// A state of the path is done.
    #[inline]
    fn leave(&mut self, store: &Store, root: Root) {
        self.hidden.pop(&mut self.holding.stack);
        if self.holding.stack.len() < self.bottom.0 {
            self.bottom = (self.holding.stack.len(), self.depth - 1);
        }
        match self.holding.given.last() {
            Some((reaches, segment)) if self.depth <= *reaches => {
                // All of the segment stays pinned until its first state is left.
                if self.depth + segment.roots.len() as u64 == reaches + 1 {
                    let segment = self.holding.given.pop().map(|(_, segment)| segment);
                    Segment::release(segment, store);
                }
            }
            _ => {
                if store.is_replacing() {
                    leave(store, root);
                }
            }
        }
        self.depth -= 1;
    }

    /// The path goes on to a state; its next states are gathered.
    fn enter(&mut self, store: &Store, root: Root) {
        self.words.clear();
        self.hidden.restore(self.holding.stack.last(), &mut self.words);
        let system = &mut self.system;
        store.unfold(&mut self.hand, root, |first| system.bits(first), &mut self.words);
        self.holding.stack.push(Entry::on_path(root));
        self.depth += 1;
        let Gathered { fault, errors, path_ends } = self.batch.gather(
            (store, &mut self.hand),
            &mut self.system,
            &self.words,
            self.settings.wanted,
            &mut self.holding.fresh,
        );
        self.counts.errors += errors;
        let depth = self.depth_before + self.depth;
        self.counts.max_depth = self.counts.max_depth.max(depth);
        if path_ends {
            self.pool.cut(Cut::Fault);
        }
        if let Some((fault, steps)) = fault
            && !self.pool.is_violated()
        {
            let states = self.path(store);
            self.pool.violated(Violation { fault, states, steps });
            if !self.settings.all_errors {
                self.pool.stop();
            }
        }
    }

    /// Folds the next states, and puts those on the stack that are to be explored. Goes on where it
    /// was when there was no room.
    fn settle(&mut self, store: &Store) -> Result<(), NoRoom> {
        let hidden = self.hidden.count();
        self.batch.fold(store, &mut self.hand, hidden, &mut self.holding.fresh)?;
        if hidden > 0 {
            // The first to come first.
            for at in (0..self.holding.fresh.len()).rev() {
                let words = self.batch.state(at).and_then(|state| self.hidden.entry(state));
                words.into_iter().for_each(|entry| self.holding.stack.push(entry));
                self.holding.stack.push(Entry::waiting(self.holding.fresh[at], false));
            }
            self.counts.transitions += self.holding.fresh.len() as u64;
        } else {
            self.insert_batch(store)?;
        }
        self.holding.fresh.clear();
        self.batch.clear();
        Ok(())
    }

    fn insert_batch(&mut self, store: &Store) -> Result<(), NoRoom> {
        let late = store.is_replacing();
        while let Some(&root) = self.holding.fresh.get(self.batch.inserted) {
            if late {
                if store.get(root).is_some() {
                    self.counts.matched += 1;
                } else {
                    self.holding.stack.push(Entry::waiting(root, false));
                }
            } else {
                let standing = Standing::Replaceable;
                match store.insert(&mut self.hand, root, standing, Colour::default()) {
                    Insert::New | Insert::Replaced => {
                        self.counts.states += 1;
                        self.holding.stack.push(Entry::waiting(root, true));
                    }
                    Insert::Known(..) => self.counts.matched += 1,
                    Insert::NoRoom => return Err(NoRoom),
                }
            }
            self.counts.transitions += 1;
            self.batch.inserted += 1;
        }
        Ok(())
    }

    /// The states of the path, in words.
    fn path(&mut self, store: &Store) -> Vec<Vec<u64>> {
        let mut path = Segment::path(self.holding.before.as_ref())
            .into_iter()
            .map(|root| (None, root))
            .collect::<Vec<_>>();
        let mut below = None;
        for entry in self.holding.stack.iter() {
            if entry.is_on_path() {
                path.push((below, entry.root()));
            }
            below = Some(entry);
        }
        let mut states = Vec::with_capacity(path.len());
        for (below, root) in path {
            let mut words = Vec::new();
            self.hidden.restore(below, &mut words);
            let system = &mut self.system;
            store.unfold(&mut self.hand, root, |first| system.bits(first), &mut words);
            states.push(words);
        }
        states
    }

    /// Gives away part of what waits nearest to the beginning of the path: there most work is.
    fn share(&mut self) {
        let stack = &mut self.holding.stack;
        let (mut at, mut depth) = self.bottom;
        while at < stack.len() && (stack.get(at).is_on_path() || stack.get(at) == Entry::GONE) {
            depth += u64::from(stack.get(at).is_on_path());
            at += 1;
        }
        self.bottom = (at, depth);
        let waiting = (at..stack.len()).take_while(|&at| !stack.get(at).is_on_path()).count();
        // What waits on top of the stack is its worker's own next step.
        if waiting == 0 || at + waiting == stack.len() && waiting == 1 {
            return;
        }
        let mut entries = Vec::new();
        for at in at..at + waiting.div_ceil(2) {
            entries.push(stack.get(at));
            stack.set(at, Entry::GONE);
        }
        entries.retain(|entry| *entry != Entry::GONE);
        let before = self.shared_path(depth);
        self.pool.offer(Job { before, entries });
    }

    /// The first states of the path as a segment that others may hold.
    fn shared_path(&mut self, depth: u64) -> Option<Arc<Segment>> {
        let (reached, last) = match self.holding.given.last() {
            Some((reached, segment)) => (*reached, Some(segment)),
            None => (0, self.holding.before.as_ref()),
        };
        if depth == reached {
            return last.cloned();
        }
        let path = self.holding.stack.iter().filter(|entry| entry.is_on_path());
        let roots = path.skip(reached as usize).take((depth - reached) as usize);
        let segment = Arc::new(Segment {
            roots: roots.map(Entry::root).collect(),
            before: last.cloned(),
            depth: self.depth_before + depth,
        });
        self.holding.given.push((depth, Arc::clone(&segment)));
        Some(segment)
    }
}

/// Nobody waits for a worker that has panicked.
struct Guard<'p>(&'p Pool);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.cut(Cut::Stopped);
            self.0.stop();
        }
    }
}

/// What a state that is explored next has in the store.
#[inline]
fn standing(store: &Store) -> Standing {
    if store.is_replacing() { Standing::Pinned } else { Standing::Replaceable }
}
