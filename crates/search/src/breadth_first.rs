//! Breadth-first search: the first fault it meets is one of those nearest to the initial state.
//!
//! Level by level; the states of a level are shared out among the workers. Levels are kept, as
//! roots: when a fault is found, the way back is found by exploring each level once more until a
//! state leads to the one behind it. States cannot give way to others here, since the levels would
//! come again; when memory is full, the search ends.

use crate::base::{Base, settings_for};
use crate::batch::Gathered;
use crate::control::{Counts, Cut, Observer, Outcome, Settings, Violation, Wrong};
use crate::hooks::Reachability;
use crate::pool::{Kind, Pool};
use crate::stack::Entry;
use crate::system::System;
use crate::way::Way;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Step;
use pverify_store::{Colour, Insert, NoRoom, Root, Standing, Store};
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
    let settings = settings_for(system, settings);
    let pool = Pool::new(&settings, Kind::Keeping);
    let mut workers: Vec<Worker<'_, S>> = (0..settings.threads.get())
        .map(|number| Base::new(number, (&*system, &Reachability), &settings, &pool))
        .map(Worker::new)
        .collect();
    let first = workers[0].begin().unwrap_or_else(|NoRoom| {
        pool.cut(Cut::Memory);
        pool.stop();
        Vec::new()
    });
    let mut levels = Levels(vec![first]);
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
        workers.iter_mut().for_each(|worker| worker.base.counts.max_depth = depth - 1);
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
        let (part, _, counted) = worker.base.finish();
        counts.add(&counted);
        system.join(part);
    }
    counts.store_bytes = pool.store().bytes();
    pool.into_found(counts.states).outcome(counts, &settings)
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
            if level.len() as u64 >= first.base.settings.alone >> 4 && !others.is_empty() =>
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
    base: Base<'p, S, Reachability>,
    roots: Vec<Root>,
    /// States of the next level.
    next: Vec<Entry>,
    fault: Option<Fault>,
    levels_bytes: usize,
}

impl<'p, S: System> Worker<'p, S> {
    fn new(base: Base<'p, S, Reachability>) -> Self {
        Self { base, roots: Vec::new(), next: Vec::new(), fault: None, levels_bytes: 0 }
    }

    /// The first level.
    fn begin(&mut self) -> Result<Vec<Entry>, NoRoom> {
        let store = self.base.pool.store();
        let (initial, root) = self.base.initial(&store)?;
        let hand = &mut self.base.hand;
        store.insert(hand, root, Standing::Replaceable, Colour::default());
        self.base.counts.states = 1;
        let hidden = self.base.hidden.entry(&initial);
        Ok(hidden.into_iter().chain([Entry::waiting(root, true)]).collect())
    }

    fn explore(
        &mut self,
        level: &[Entry],
        cursor: &AtomicUsize,
        mut observer: Option<&mut dyn Observer>,
    ) {
        let width = 1 + usize::from(self.base.hidden.count() > 0);
        let states = level.len() / width;
        let mut store = self.base.pool.store();
        loop {
            let start = cursor.fetch_add(PORTION, Relaxed);
            if start >= states || self.base.pool.stopped() {
                break;
            }
            for at in start..(start + PORTION).min(states) {
                let (hidden, root) = state(level, at, width);
                let gathered = self.gather(&store, hidden, root);
                self.take(gathered, (hidden, root));
                while self.settle(&store).is_err() && !self.base.pool.stopped() {
                    store = self.park(store, true);
                }
                if self.base.pool.stopped() {
                    break;
                }
                if self.base.pool.is_wanted(&store) {
                    store = self.park(store, false);
                }
            }
            self.report(&store, &mut observer);
        }
    }

    fn report(&self, store: &Store, observer: &mut Option<&mut dyn Observer>) {
        self.base.report(store, self.levels_bytes + self.next.capacity() * 8, observer);
    }

    /// Lets the store grow; the search ends if it cannot.
    fn park(&self, store: RwLockReadGuard<'p, Store>, stuck: bool) -> RwLockReadGuard<'p, Store> {
        self.base.pool.park(self.base.number, [], store, stuck, None)
    }

    fn gather(&mut self, store: &Store, hidden: Option<Entry>, root: Root) -> Gathered {
        self.base.unfold(store, hidden, root);
        self.roots.clear();
        self.base.gather(store, &mut self.roots)
    }

    fn take(&mut self, gathered: Gathered, at: (Option<Entry>, Root)) {
        self.base.counts.errors += gathered.errors;
        if gathered.path_ends {
            self.base.pool.cut(Cut::Fault);
        }
        if let Some((fault, steps)) = self.base.batch.take_fault()
            && self.fault.is_none()
        {
            self.fault = Some((at, fault, steps));
            if !self.base.settings.all_errors {
                self.base.pool.stop();
            }
        }
    }

    /// Folds and inserts the next states. Goes on where it was when there was no room.
    fn settle(&mut self, store: &Store) -> Result<(), NoRoom> {
        self.fold(store)?;
        let hidden = self.base.hidden.count();
        while let Some(&root) = self.roots.get(self.base.batch.inserted) {
            match store.insert(&mut self.base.hand, root, Standing::Replaceable, Colour::default())
            {
                Insert::New | Insert::Replaced => {
                    self.base.counts.states += 1;
                    let state =
                        self.base.batch.state(self.base.batch.inserted).filter(|_| hidden > 0);
                    self.next.extend(state.and_then(|state| self.base.hidden.entry(state)));
                    self.next.push(Entry::waiting(root, true));
                }
                Insert::Known(..) => self.base.counts.matched += 1,
                Insert::NoRoom => return Err(NoRoom),
            }
            self.base.counts.transitions += 1;
            self.base.batch.inserted += 1;
        }
        self.roots.clear();
        self.base.batch.clear();
        Ok(())
    }

    fn fold(&mut self, store: &Store) -> Result<(), NoRoom> {
        let Base { batch, hand, hooks, hidden, .. } = &mut self.base;
        batch.fold((store, hand), hooks, hidden.count(), &mut self.roots)
    }

    /// Whether a state leads to another.
    fn leads_to(
        &mut self,
        store: &Store,
        from: (Option<Entry>, Root),
        to: (Option<Entry>, Root),
    ) -> bool {
        self.gather(store, from.0, from.1);
        let hidden = self.base.hidden.count();
        self.fold(store).is_ok()
            && (0..self.roots.len()).any(|at| {
                let state = self.base.batch.state(at).filter(|_| hidden > 0);
                self.roots[at] == to.1 && state.and_then(|s| self.base.hidden.entry(s)) == to.0
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
        let width = 1 + usize::from(worker.base.hidden.count() > 0);
        let store = worker.base.pool.store();
        let mut way = vec![at];
        for level in self.0[..self.0.len() - 1].iter().rev() {
            let states = (0..level.len() / width).map(|number| state(level, number, width));
            let mut before = states.into_iter();
            if let Some(before) = before.find(|&before| worker.leads_to(&store, before, at)) {
                at = before;
                way.push(at);
            }
        }
        worker.base.batch.clear();
        let mut states = Way::default();
        for (hidden, root) in way.into_iter().rev() {
            worker.base.unfold(&store, hidden, root);
            states.push(&worker.base.words);
        }
        Violation { wrong: Wrong::Fault(fault), way: states, steps }
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
