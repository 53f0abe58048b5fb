//! What the workers of a search share: the store, the work, and what was found.
//!
//! A worker holds the lock of the store for reading while it works, for seconds on end; inserting a
//! state takes no lock. When the store needs room every worker *parks*: it lays down what it holds,
//! lets go of the lock, and the first that gets it for writing makes room, in view of everything
//! that the others have laid down.
//!
//! Work travels through a queue: a worker that sees others idle puts part of its own there, with
//! the path that leads to it. The search is over when nobody works and the queue is empty.

use crate::ancestry::Segment;
use crate::control::{Counts, Cut, Outcome, Progress, Settings, Violation};
use crate::stack::{Entry, Stack};
use crossbeam::deque::{Injector, Steal};
use crossbeam::utils::{Backoff, CachePadded};
use pverify_store::{Budget, Held, Root, Store};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, TryLockError};

/// What a worker holds: everything that must not be replaced or collected.
#[derive(Debug, Default)]
pub(crate) struct Holding {
    pub(crate) stack: Stack,
    /// The path that leads to the beginning of the stack.
    pub(crate) before: Option<Arc<Segment>>,
    /// Pieces of its own path that it shares, and how many states of it they reach to.
    pub(crate) given: Vec<(u64, Arc<Segment>)>,
    /// Roots of next states that are not on the stack yet.
    pub(crate) fresh: Vec<Root>,
    /// States that were put aside as later roots.
    pub(crate) aside: Stack,
}

impl Holding {
    fn visit(&self, visit: &mut dyn FnMut(Root, Held)) {
        let entries = self.stack.iter().chain(self.aside.iter());
        entries.filter(|entry| entry.is_root()).for_each(|entry| entry.visit(visit));
        self.fresh.iter().for_each(|&root| visit(root, Held::Folded));
        Segment::visit(self.before.as_ref(), visit);
        Segment::visit(self.given.last().map(|(_, segment)| segment), visit);
    }

    /// The memory of its stacks, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.stack.bytes() + self.aside.bytes()
    }

    /// What waits is in the store no longer; how many there are.
    fn unclaim(&mut self) -> u64 {
        let mut count = 0;
        for at in 0..self.stack.len() {
            let entry = self.stack.get(at);
            if entry.is_claimed() {
                self.stack.set(at, Entry::waiting(entry.root(), false));
                count += 1;
            }
        }
        count
    }
}

/// How long a worker rests before it looks again.
pub(crate) const NAP: std::time::Duration = std::time::Duration::from_micros(100);

/// Work for somebody: states to explore, and the path to them.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) before: Option<Arc<Segment>>,
    pub(crate) entries: Vec<Entry>,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Pool {
    store: RwLock<Store>,
    parked: Vec<Mutex<Holding>>,
    queue: Injector<Job>,
    /// Jobs in the queue.
    queued: AtomicUsize,
    /// Jobs in the queue or being worked on.
    outstanding: AtomicUsize,
    /// Workers without work.
    idle: AtomicUsize,
    stop: AtomicBool,
    /// Somebody wants all to park.
    attention: AtomicBool,
    /// Somebody cannot go on without more room.
    stuck: AtomicBool,
    /// How often room has been made.
    made: AtomicUsize,
    tallies: Vec<CachePadded<Tally>>,
    /// States that were inserted, and taken out again before they were explored.
    unclaimed: AtomicU64,
    found: Mutex<Found>,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) violation: Option<Violation>,
    pub(crate) cut: Option<Cut>,
    unclaimed: u64,
}

impl Found {
    /// The end of a search. Who stops at the first fault has one, though others may have met more
    /// before they heard of it.
    pub(crate) fn outcome(self, mut counts: Counts, settings: &Settings) -> Outcome {
        counts.states = counts.states.saturating_sub(self.unclaimed);
        if !settings.all_errors {
            counts.errors = counts.errors.min(1);
        }
        Outcome { counts, violation: self.violation, cut: self.cut }
    }
}

/// What one worker has counted, for others to read.
#[derive(Debug, Default)]
struct Tally {
    states: AtomicU64,
    transitions: AtomicU64,
    matched: AtomicU64,
    max_depth: AtomicU64,
    errors: AtomicU64,
    replacements: AtomicU64,
    stack_bytes: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// `replaces` if states may give way to others.
    pub(crate) fn new(settings: &Settings, replaces: bool) -> Self {
        let budget = Budget { bytes: settings.memory, states: settings.most_states };
        let store = Store::new(budget);
        let store = if replaces { store } else { store.keeping_all() };
        let workers = settings.threads.get();
        Self {
            store: RwLock::new(store),
            parked: (0..workers).map(|_| Mutex::default()).collect(),
            queue: Injector::new(),
            queued: AtomicUsize::new(0),
            outstanding: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            attention: AtomicBool::new(false),
            stuck: AtomicBool::new(false),
            made: AtomicUsize::new(0),
            tallies: (0..workers).map(|_| CachePadded::default()).collect(),
            unclaimed: AtomicU64::new(0),
            found: Mutex::default(),
        }
    }

    /// The store, for as long as the worker works.
    pub(crate) fn store(&self) -> RwLockReadGuard<'_, Store> {
        self.store.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether to park (or stop) before going on.
    #[inline]
    pub(crate) fn is_wanted(&self, store: &Store) -> bool {
        self.attention.load(Relaxed) || store.needs_room()
    }

    /// Lets others make room, or makes it. `stuck` if the worker could not go on otherwise.
    pub(crate) fn park<'p>(
        &'p self,
        worker: usize,
        holding: &mut Holding,
        store: RwLockReadGuard<'p, Store>,
        stuck: bool,
    ) -> RwLockReadGuard<'p, Store> {
        if stuck {
            self.stuck.store(true, Release);
            self.attention.store(true, Release);
        }
        let made = self.made.load(Acquire);
        std::mem::swap(&mut *lock(&self.parked[worker]), holding);
        drop(store);
        self.make_room(made);
        let store = self.store();
        std::mem::swap(&mut *lock(&self.parked[worker]), holding);
        store
    }

    /// Makes room, unless somebody has since it was made so many times. Whoever comes late must not
    /// wait for the lock: the others work again, and would let go of it only when they are done.
    fn make_room(&self, made: usize) {
        let backoff = Backoff::new();
        let mut store = loop {
            if self.made.load(Acquire) != made {
                return;
            }
            match self.store.try_write() {
                Ok(store) => break store,
                Err(TryLockError::Poisoned(store)) => break store.into_inner(),
                Err(TryLockError::WouldBlock) if backoff.is_completed() => {
                    std::thread::park_timeout(NAP);
                }
                Err(TryLockError::WouldBlock) => backoff.snooze(),
            }
        };
        if self.made.load(Acquire) != made {
            return;
        }
        self.made.store(made.wrapping_add(1), Release);
        let stuck = self.stuck.swap(false, AcqRel);
        self.attention.store(false, Release);
        if !stuck && !store.needs_room() {
            return;
        }
        let jobs: Vec<Job> = std::iter::from_fn(|| self.take()).collect();
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            self.parked.iter().for_each(|holding| lock(holding).visit(visit));
            for job in &jobs {
                job.entries.iter().filter(|entry| entry.is_root()).for_each(|e| e.visit(visit));
                Segment::visit(job.before.as_ref(), visit);
            }
        };
        let was_replacing = store.is_replacing();
        let outside = self.stack_bytes();
        let room =
            if stuck { store.force_room(outside, &live) } else { store.make_room(outside, &live) };
        if room.is_err() {
            self.cut(Cut::Memory);
            self.stop();
        }
        let begins = store.is_replacing() && !was_replacing;
        if begins {
            let unclaimed = self.parked.iter().map(|holding| lock(holding).unclaim()).sum();
            self.unclaimed.fetch_add(unclaimed, Relaxed);
        }
        for mut job in jobs {
            if begins {
                let claimed = job.entries.iter_mut().filter(|entry| entry.is_claimed());
                let unclaimed = claimed.map(|e| *e = Entry::waiting(e.root(), false)).count();
                self.unclaimed.fetch_add(unclaimed as u64, Relaxed);
            }
            self.put(job);
        }
    }

    /// The memory of store and stacks.
    pub(crate) fn bytes(&self, store: &Store) -> usize {
        store.bytes() + self.stack_bytes()
    }

    fn stack_bytes(&self) -> usize {
        self.tallies.iter().map(|tally| tally.stack_bytes.load(Relaxed)).sum()
    }

    /// Whether somebody waits for work that nobody has offered yet.
    #[inline]
    pub(crate) fn is_hungry(&self) -> bool {
        self.idle.load(Relaxed) > self.queued.load(Relaxed)
    }

    /// Whether there is work that nobody has taken yet.
    pub(crate) fn has_work(&self) -> bool {
        self.queued.load(Relaxed) > 0
    }

    /// Offers work.
    pub(crate) fn offer(&self, job: Job) {
        self.outstanding.fetch_add(1, AcqRel);
        self.put(job);
    }

    fn put(&self, job: Job) {
        self.queued.fetch_add(1, AcqRel);
        self.queue.push(job);
    }

    /// Takes work, if there is any. Whoever has work must hold the lock of the store, so that
    /// nobody makes room without regard to it.
    pub(crate) fn take(&self) -> Option<Job> {
        loop {
            match self.queue.steal() {
                Steal::Success(job) => {
                    self.queued.fetch_sub(1, AcqRel);
                    return Some(job);
                }
                Steal::Empty => return None,
                Steal::Retry => {}
            }
        }
    }

    /// A job is done.
    pub(crate) fn done(&self) {
        self.outstanding.fetch_sub(1, AcqRel);
    }

    /// Whether nothing is left to do, or is to be done.
    pub(crate) fn is_over(&self) -> bool {
        self.stopped() || self.outstanding.load(Acquire) == 0
    }

    /// A worker begins or ceases to wait for work.
    pub(crate) fn set_idle(&self, idle: bool) {
        if idle {
            self.idle.fetch_add(1, AcqRel);
        } else {
            self.idle.fetch_sub(1, AcqRel);
        }
    }

    /// All workers stop soon.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Release);
    }

    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The search will not see everything; the first reason counts.
    pub(crate) fn cut(&self, why: Cut) {
        lock(&self.found).cut.get_or_insert(why);
    }

    /// A violation was found; the first counts.
    pub(crate) fn violated(&self, violation: Violation) {
        lock(&self.found).violation.get_or_insert(violation);
    }

    /// Whether there is a violation already.
    pub(crate) fn is_violated(&self) -> bool {
        lock(&self.found).violation.is_some()
    }

    /// Tells others what a worker has counted, and how large its stack is.
    pub(crate) fn tell(&self, worker: usize, counts: &Counts, stack_bytes: usize) {
        let tally = &self.tallies[worker];
        tally.states.store(counts.states, Relaxed);
        tally.transitions.store(counts.transitions, Relaxed);
        tally.matched.store(counts.matched, Relaxed);
        tally.max_depth.store(counts.max_depth, Relaxed);
        tally.errors.store(counts.errors, Relaxed);
        tally.replacements.store(counts.replacements, Relaxed);
        tally.stack_bytes.store(stack_bytes, Relaxed);
    }

    /// How far all workers have come.
    pub(crate) fn progress(&self, store: &Store) -> Progress {
        let mut counts = Counts { store_bytes: store.bytes(), ..Counts::default() };
        let unclaimed = self.unclaimed.load(Relaxed);
        let mut by_worker = Vec::with_capacity(self.tallies.len());
        for tally in &self.tallies {
            let one = Counts {
                states: tally.states.load(Relaxed),
                transitions: tally.transitions.load(Relaxed),
                matched: tally.matched.load(Relaxed),
                max_depth: tally.max_depth.load(Relaxed),
                errors: tally.errors.load(Relaxed),
                replacements: tally.replacements.load(Relaxed),
                store_bytes: 0,
            };
            counts.add(&one);
            by_worker.push(one.states);
        }
        counts.states = counts.states.saturating_sub(unclaimed);
        let bytes = self.bytes(store);
        Progress { counts, bytes, stored: store.len(), capacity: store.capacity(), by_worker }
    }

    /// What was found; the search is over.
    pub(crate) fn into_found(self) -> Found {
        let unclaimed = self.unclaimed.load(Relaxed);
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        Found { unclaimed, ..found }
    }
}
