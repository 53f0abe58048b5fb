//! What the workers of a search share: the store, the work, and what was found.
//!
//! A worker holds the lock of the store for reading while it works, for seconds on end; inserting a
//! state takes no lock. When the store needs room every worker *parks*: it lays down what it holds,
//! lets go of the lock, and the first that gets it for writing makes room, in view of everything
//! that the others have laid down.
//!
//! Work travels through a queue: a worker that sees others idle puts part of its own there, with
//! the path that leads to it. The search is over when nobody works and the queue is empty.

use crate::control::{Counts, Cut, Observer, Outcome, Progress, Settings, Violation, Visited};
use crate::holding::{Holding, Job, Told};
use crate::snapshot::{Beginning, Snapshot};
use crate::stack::Entry;
use crossbeam::deque::{Injector, Steal};
use crossbeam::utils::{Backoff, CachePadded};
use pverify_store::{Budget, Held, Omission, OutOfMemory, Root, Store};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, TryLockError};

/// What a search asks of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whether a state has been claimed; bits will do.
    Claiming,
    /// More than that; states may give way to others.
    Replacing,
    /// That every state is kept.
    Keeping,
}

/// How long a worker rests before it looks again.
pub(crate) const NAP: std::time::Duration = std::time::Duration::from_micros(100);

/// See the module.
#[derive(Debug)]
pub(crate) struct Pool {
    store: RwLock<Store>,
    /// What each worker holds, while it is parked.
    parked: Vec<Mutex<Vec<Holding>>>,
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
    /// The first worker wants to write a snapshot.
    saving: AtomicBool,
    /// Something that a snapshot needs is lost.
    lost: AtomicBool,
    told: Vec<Mutex<Told>>,
    /// What an earlier process has counted.
    carried: Counts,
    /// The memory of the pieces of path that workers share.
    shared: Arc<AtomicUsize>,
    /// The memory of the way that was found.
    way: AtomicUsize,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) violation: Option<Violation>,
    pub(crate) cut: Option<Cut>,
    unclaimed: u64,
    omission: Option<Omission>,
}

impl Found {
    /// The end of a search. Who stops at the first fault has one, though others may have met more
    /// before they heard of it.
    pub(crate) fn outcome(self, mut counts: Counts, settings: &Settings) -> Outcome {
        counts.states = counts.states.saturating_sub(self.unclaimed);
        if !settings.all_errors {
            counts.errors = counts.errors.min(1);
        }
        let Self { violation, cut, omission, .. } = self;
        Outcome { counts, violation, cut, omission }
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

fn budget(settings: &Settings) -> Budget {
    Budget { bytes: settings.memory, states: settings.most_states }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// What a search of this kind needs.
    pub(crate) fn new(settings: &Settings, kind: Kind) -> Self {
        let store = Store::new(budget(settings));
        let store = match (kind, settings.visited) {
            (Kind::Claiming, Visited::Bitstate { hashes }) => store.with_bits(hashes),
            (Kind::Claiming | Kind::Replacing, _) => store,
            (Kind::Keeping, _) => store.keeping_all(),
        };
        Self::with(settings, store)
    }

    fn with(settings: &Settings, store: Store) -> Self {
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
            saving: AtomicBool::new(false),
            lost: AtomicBool::new(false),
            // One more than there are workers: what was known before.
            told: (0..=workers).map(|_| Mutex::default()).collect(),
            carried: Counts::default(),
            shared: Arc::default(),
            way: AtomicUsize::new(0),
        }
    }

    /// What a search needs that goes on where an earlier process was; the store is read.
    pub(crate) fn resume(
        settings: &Settings,
        kind: Kind,
        (beginning, shared): (&Beginning, Arc<AtomicUsize>),
        take: &mut dyn FnMut() -> u64,
    ) -> Result<Self, OutOfMemory> {
        let hashes = match (kind, settings.visited) {
            (Kind::Claiming, Visited::Bitstate { hashes }) => Some(hashes),
            _ => None,
        };
        let mut pool = Self::with(settings, Store::read(budget(settings), hashes, take)?);
        pool.carried = beginning.counts;
        pool.shared = shared;
        if let Some(cut) = beginning.cut {
            pool.cut(cut);
        }
        Ok(pool)
    }

    /// The first worker wants a snapshot: everybody parks.
    pub(crate) fn ask_for_snapshot(&self) {
        self.saving.store(true, Release);
        self.attention.store(true, Release);
    }

    /// Whether a snapshot is wanted.
    pub(crate) fn is_saving(&self) -> bool {
        self.saving.load(Relaxed)
    }

    /// What was known before any worker began.
    pub(crate) fn say_first(&self, memo: Vec<u64>) {
        lock(&self.told[self.told.len() - 1]).memo = memo;
    }

    /// What a worker tells of itself.
    pub(crate) fn say(&self, worker: usize, told: Told) {
        *lock(&self.told[worker]) = told;
    }

    /// Gives a snapshot to the observer, unless there is a violation, which it could not say.
    pub(crate) fn save(
        &self,
        (store, holdings, jobs): (&Store, &[&Holding], &[Job]),
        observer: &mut dyn Observer,
    ) {
        let found = lock(&self.found);
        if found.violation.is_some() {
            return;
        }
        let told: Vec<_> = self.told.iter().map(lock).collect();
        let memos: Vec<_> = told.iter().map(|told| told.memo.clone()).collect();
        let hidden = told.first().map_or(&[][..], |told| &told.hidden);
        let (counts, cut) = (self.counts(), found.cut);
        observer.save(&Snapshot { memos: &memos, counts, cut, hidden, holdings, jobs, store });
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
    pub(crate) fn park<'p, const LANES: usize>(
        &'p self,
        worker: usize,
        holdings: [&mut Holding; LANES],
        store: RwLockReadGuard<'p, Store>,
        stuck: bool,
        observer: Option<&mut (dyn Observer + '_)>,
    ) -> RwLockReadGuard<'p, Store> {
        if stuck {
            self.stuck.store(true, Release);
            self.attention.store(true, Release);
        }
        let made = self.made.load(Acquire);
        let mut holdings = holdings;
        let parked = holdings.iter_mut().map(|holding| std::mem::take(*holding)).collect();
        *lock(&self.parked[worker]) = parked;
        drop(store);
        self.make_room(made, observer);
        let store = self.store();
        let parked = std::mem::take(&mut *lock(&self.parked[worker]));
        for (holding, parked) in holdings.into_iter().zip(parked) {
            *holding = parked;
        }
        store
    }

    /// Makes room, unless somebody has since it was made so many times. Whoever comes late must not
    /// wait for the lock: the others work again, and would let go of it only when they are done.
    ///
    /// A snapshot is made by the worker that has the observer; the others wait for it.
    fn make_room(&self, made: usize, observer: Option<&mut (dyn Observer + '_)>) {
        let backoff = Backoff::new();
        let mut store = loop {
            if self.made.load(Acquire) != made || self.stopped() {
                return;
            }
            if self.saving.load(Acquire) && observer.is_none() {
                std::thread::park_timeout(NAP);
                continue;
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
        let saving = observer.filter(|_| self.saving.swap(false, AcqRel));
        if !stuck && !store.needs_room() && saving.is_none() {
            return;
        }
        let jobs = self.take_all();
        if let Some(observer) = saving {
            let holdings: Vec<_> = self.parked.iter().map(lock).collect();
            let holdings: Vec<&Holding> = holdings.iter().flat_map(|held| held.iter()).collect();
            self.save((&store, &holdings, &jobs), observer);
        }
        if !stuck && !store.needs_room() {
            jobs.into_iter().for_each(|job| self.put(job));
            return;
        }
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            let parked = self.parked.iter();
            parked.for_each(|holdings| lock(holdings).iter().for_each(|one| one.visit(visit)));
            jobs.iter().for_each(|job| job.visit(visit));
        };
        let was_replacing = store.is_replacing();
        let outside = self.outside();
        let room =
            if stuck { store.force_room(outside, &live) } else { store.make_room(outside, &live) };
        if room.is_err() {
            self.lost.store(store.is_damaged(), Release);
            self.cut(Cut::Memory);
            self.stop();
        }
        let begins = store.is_replacing() && !was_replacing;
        if begins {
            let unclaimed = self.parked.iter();
            let unclaimed = unclaimed
                .map(|holdings| lock(holdings).iter_mut().map(Holding::unclaim).sum::<u64>())
                .sum();
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

    /// The memory of store and stacks, and of everything else that grows.
    pub(crate) fn bytes(&self, store: &Store) -> usize {
        store.bytes() + self.outside()
    }

    /// The memory beside the store.
    fn outside(&self) -> usize {
        let stacks: usize = self.tallies.iter().map(|tally| tally.stack_bytes.load(Relaxed)).sum();
        stacks + self.shared.load(Relaxed) + self.way.load(Relaxed)
    }

    /// Where the memory of shared pieces of path is counted.
    pub(crate) fn shared(&self) -> &Arc<AtomicUsize> {
        &self.shared
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
        self.way.store(violation.way.bytes(), Relaxed);
        lock(&self.found).violation.get_or_insert(violation);
    }

    /// A worker has failed: what it held is lost.
    pub(crate) fn lost_a_worker(&self) {
        self.cut(Cut::Stopped);
        self.lost.store(true, Release);
    }

    /// Whether the search ended early, and could go on.
    pub(crate) fn can_be_resumed(&self) -> bool {
        self.stopped() && !self.is_violated() && !self.lost.load(Relaxed)
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
        let counts = Counts { store_bytes: store.bytes(), ..self.counts() };
        let states = |tally: &CachePadded<Tally>| tally.states.load(Relaxed);
        let by_worker = self.tallies.iter().map(states).collect();
        let bytes = self.bytes(store);
        Progress { counts, bytes, stored: store.len(), capacity: store.capacity(), by_worker }
    }

    /// What all workers have counted, as far as they have told.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = self.carried;
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
        }
        counts.states = counts.states.saturating_sub(self.unclaimed.load(Relaxed));
        counts
    }

    /// What an earlier process has counted.
    pub(crate) fn carried(&self) -> Counts {
        self.carried
    }

    /// Takes all jobs that nobody has taken.
    pub(crate) fn take_all(&self) -> Vec<Job> {
        std::iter::from_fn(|| self.take()).collect()
    }

    /// What was found; the search is over, and so many states were new.
    pub(crate) fn into_found(self, states: u64) -> Found {
        let unclaimed = self.unclaimed.load(Relaxed);
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let omission = self.store.into_inner().unwrap_or_else(PoisonError::into_inner);
        Found { unclaimed, omission: omission.omission(states), ..found }
    }
}
