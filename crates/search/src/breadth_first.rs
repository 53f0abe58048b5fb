//! Breadth-first search: the first fault it meets is one of those nearest to the initial state.
//!
//! Level by level; the states of a level are shared out among the workers. Levels are kept, as
//! roots: when a fault is found, the way back is found by exploring each level once more until a
//! state leads to the one behind it. States cannot give way to others here, since the levels would
//! come again; when memory is full, the search ends.

use crate::batch::{Batch, Gathered};
use crate::control::{Counts, Cut, Observer, Outcome, Settings, Violation};
use crate::hidden::HiddenWords;
use crate::pool::{Holding, Pool};
use crate::stack::Entry;
use crate::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Step;
use pverify_store::{Colour, Hand, Insert, NoRoom, Root, Standing, Store};
use std::sync::RwLockReadGuard;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// States that a worker takes at a time.
const PORTION: usize = 64;

/// Explores everything reachable, near first.
pub fn search<S: System>(
    system: &mut S,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut settings = *settings;
    if system.hidden() > 0 {
        settings.threads = std::num::NonZeroUsize::MIN;
    }
    let pool = Pool::new(&settings, false);
    let mut workers: Vec<Worker<'_, S>> = (0..settings.threads.get())
        .map(|number| Worker::new(number, system.fork(), &settings, &pool))
        .collect();
    let mut levels = Levels(vec![workers[0].begin()]);
    if levels.0[0].is_empty() {
        pool.cut(Cut::Memory);
        pool.stop();
    }
    let mut depth = 0;
    while !pool.stopped() {
        let level = &levels.0[levels.0.len() - 1];
        if level.is_empty() {
            break;
        }
        depth += 1;
        if settings.depth.is_some_and(|most| depth - 1 > most) {
            pool.cut(Cut::Depth);
            break;
        }
        let next = explore(&mut workers, level, observer);
        workers.iter_mut().for_each(|worker| worker.counts.max_depth = depth - 1);
        let fault = workers.iter_mut().find_map(|worker| worker.fault.take());
        if let Some(found) = fault
            && !pool.is_violated()
        {
            let violation = levels.violation(&mut workers[0], found);
            pool.violated(violation);
            if !settings.all_errors {
                break;
            }
        }
        levels.0.push(next);
        workers[0].levels_bytes = levels.bytes();
    }
    let mut counts = Counts::default();
    for worker in workers {
        counts.add(&worker.counts);
        system.join(worker.system);
    }
    counts.store_bytes = pool.store().bytes();
    pool.into_found().outcome(counts, &settings)
}

/// Explores a level; gives the next one.
fn explore<S: System>(
    workers: &mut [Worker<'_, S>],
    level: &[Entry],
    observer: &mut dyn Observer,
) -> Vec<Entry> {
    let cursor = AtomicUsize::new(0);
    match workers {
        [first, others @ ..]
            if level.len() as u64 >= first.settings.alone >> 4 && !others.is_empty() =>
        {
            std::thread::scope(|scope| {
                for other in others.iter_mut() {
                    scope.spawn(|| other.explore(level, &cursor, None));
                }
                first.explore(level, &cursor, Some(observer));
            });
        }
        [first, ..] => first.explore(level, &cursor, Some(observer)),
        [] => {}
    }
    let mut next = Vec::new();
    for worker in workers {
        if next.is_empty() {
            next = std::mem::take(&mut worker.next);
        } else {
            next.append(&mut worker.next);
        }
    }
    next.shrink_to_fit();
    next
}

/// A fault that was met: in which state, what, and the steps to it.
type Fault = ((Option<Entry>, Root), FaultKind, Vec<Step>);

/// One worker.
struct Worker<'p, S> {
    number: usize,
    system: S,
    settings: &'p Settings,
    pool: &'p Pool,
    hand: Hand,
    hidden: HiddenWords,
    batch: Batch,
    roots: Vec<Root>,
    counts: Counts,
    /// States of the next level.
    next: Vec<Entry>,
    fault: Option<Fault>,
    words: Vec<u64>,
    levels_bytes: usize,
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
            batch: Batch::default(),
            roots: Vec::new(),
            counts: Counts::default(),
            next: Vec::new(),
            fault: None,
            words: Vec::new(),
            levels_bytes: 0,
        }
    }

    /// The first level; nothing if there is no room for it.
    fn begin(&mut self) -> Vec<Entry> {
        let initial = self.system.initial();
        let visible = &initial[self.hidden.count()..];
        let store = self.pool.store();
        let Ok(root) = store.fold(&mut self.hand, visible, self.system.bits(visible[0])) else {
            return Vec::new();
        };
        store.insert(&mut self.hand, root, Standing::Replaceable, Colour::default());
        self.counts.states = 1;
        self.hidden.entry(&initial).into_iter().chain([Entry::waiting(root, true)]).collect()
    }

    fn explore(
        &mut self,
        level: &[Entry],
        cursor: &AtomicUsize,
        mut observer: Option<&mut dyn Observer>,
    ) {
        let width = 1 + usize::from(self.hidden.count() > 0);
        let states = level.len() / width;
        let mut store = self.pool.store();
        loop {
            let start = cursor.fetch_add(PORTION, Relaxed);
            if start >= states || self.pool.stopped() {
                break;
            }
            for at in start..(start + PORTION).min(states) {
                let (hidden, root) = state(level, at, width);
                let gathered = self.gather(&store, hidden, root);
                self.take(gathered, (hidden, root));
                while self.settle(&store).is_err() && !self.pool.stopped() {
                    store = self.park(store, true);
                }
                if self.pool.stopped() {
                    break;
                }
                if self.pool.is_wanted(&store) {
                    store = self.park(store, false);
                }
            }
            self.report(&store, &mut observer);
        }
    }

    fn report(&mut self, store: &Store, observer: &mut Option<&mut dyn Observer>) {
        self.pool.tell(self.number, &self.counts, self.levels_bytes + self.next.capacity() * 8);
        if self.pool.bytes(store) > self.settings.memory {
            store.ask_for_room();
        }
        if let Some(observer) = observer
            && !observer.go_on(&self.pool.progress(store))
        {
            self.pool.cut(Cut::Stopped);
            self.pool.stop();
        }
    }

    /// Lets the store grow; the search ends if it cannot.
    fn park(&self, store: RwLockReadGuard<'p, Store>, stuck: bool) -> RwLockReadGuard<'p, Store> {
        self.pool.park(self.number, &mut Holding::default(), store, stuck)
    }

    fn gather(&mut self, store: &Store, hidden: Option<Entry>, root: Root) -> Gathered {
        self.words.clear();
        self.hidden.restore(hidden, &mut self.words);
        let system = &mut self.system;
        store.unfold(&mut self.hand, root, |first| system.bits(first), &mut self.words);
        self.roots.clear();
        self.batch.gather(
            (store, &mut self.hand),
            &mut self.system,
            &self.words,
            self.settings.wanted,
            &mut self.roots,
        )
    }

    fn take(&mut self, gathered: Gathered, at: (Option<Entry>, Root)) {
        self.counts.errors += gathered.errors;
        if gathered.path_ends {
            self.pool.cut(Cut::Fault);
        }
        if let Some((fault, steps)) = gathered.fault
            && self.fault.is_none()
        {
            self.fault = Some((at, fault, steps));
            if !self.settings.all_errors {
                self.pool.stop();
            }
        }
    }

    /// Folds and inserts the next states. Goes on where it was when there was no room.
    fn settle(&mut self, store: &Store) -> Result<(), NoRoom> {
        let hidden = self.hidden.count();
        self.batch.fold(store, &mut self.hand, hidden, &mut self.roots)?;
        while let Some(&root) = self.roots.get(self.batch.inserted) {
            match store.insert(&mut self.hand, root, Standing::Replaceable, Colour::default()) {
                Insert::New | Insert::Replaced => {
                    self.counts.states += 1;
                    let state = self.batch.state(self.batch.inserted).filter(|_| hidden > 0);
                    self.next.extend(state.and_then(|state| self.hidden.entry(state)));
                    self.next.push(Entry::waiting(root, true));
                }
                Insert::Known(..) => self.counts.matched += 1,
                Insert::NoRoom => return Err(NoRoom),
            }
            self.counts.transitions += 1;
            self.batch.inserted += 1;
        }
        self.roots.clear();
        self.batch.clear();
        Ok(())
    }

    /// Whether a state leads to another.
    fn leads_to(
        &mut self,
        store: &Store,
        from: (Option<Entry>, Root),
        to: (Option<Entry>, Root),
    ) -> bool {
        self.gather(store, from.0, from.1);
        let hidden = self.hidden.count();
        let folded = self.batch.fold(store, &mut self.hand, hidden, &mut self.roots);
        folded.is_ok()
            && (0..self.roots.len()).any(|at| {
                let state = self.batch.state(at).filter(|_| hidden > 0);
                self.roots[at] == to.1 && state.and_then(|s| self.hidden.entry(s)) == to.0
            })
    }
}

/// All levels so far.
struct Levels(Vec<Vec<Entry>>);

impl Levels {
    fn bytes(&self) -> usize {
        self.0.iter().map(|level| level.capacity() * 8).sum()
    }

    /// The way to a fault.
    fn violation<S: System>(&self, worker: &mut Worker<'_, S>, found: Fault) -> Violation {
        let (mut at, fault, steps) = found;
        let width = 1 + usize::from(worker.hidden.count() > 0);
        let store = worker.pool.store();
        let mut way = vec![at];
        for level in self.0[..self.0.len() - 1].iter().rev() {
            let states = (0..level.len() / width).map(|number| state(level, number, width));
            let mut before = states.into_iter();
            if let Some(before) = before.find(|&before| worker.leads_to(&store, before, at)) {
                at = before;
                way.push(at);
            }
        }
        let mut states = Vec::new();
        for (hidden, root) in way.into_iter().rev() {
            worker.gather(&store, hidden, root);
            states.push(worker.words.clone());
        }
        worker.batch.clear();
        Violation { fault, states, steps }
    }
}

/// A state of a level by its number.
fn state(level: &[Entry], number: usize, width: usize) -> (Option<Entry>, Root) {
    if width == 1 {
        (None, level[number].root())
    } else {
        (Some(level[number * 2]), level[number * 2 + 1].root())
    }
}
