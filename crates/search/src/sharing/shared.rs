//! What the workers share, and what each of them lays down when room is made.

use crate::control::{Cut, Settings};
use crate::emptiness::Accepting;
use crate::lasso::{Ways, shortest_lasso, way_to};
use crate::marked::Marked;
use crate::offspring::Arc;
use crate::partition::{Partition, Slot};
use crate::pool::NAP;
use crossbeam::utils::{Backoff, CachePadded};
use pverify_semantics::fault::FaultKind;
use pverify_store::{Budget, Colour, Hand, Held, Insert, OutOfMemory, Root, Standing, Store};
use pverify_temporal::automaton::Marks;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, TryLockError};

/// The first table.
const FIRST_SLOTS: usize = 1 << 16;
/// The table doubles each time it is crowded until it takes this part of the memory: nobody works
/// while the dead are moved out of it.
const PART: usize = 32;
/// In experiments with few states.
const FEW_SLOTS: usize = 1 << 5;

/// What was seen, before there is a way to it.
#[derive(Clone, Debug)]
pub(super) enum Spotted {
    /// The component of this state has an accepting cycle.
    Component(Root),
    /// In this state a companion has come to its end.
    End(Root, FaultKind),
}

#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) spotted: Option<Spotted>,
    pub(super) cut: Option<Cut>,
}

/// The dead and the others.
#[derive(Debug)]
pub(super) struct World {
    pub(super) store: Store,
    pub(super) partition: Partition,
    /// How often slots have changed.
    pub(super) epoch: u64,
    /// States that gave way while the dead were moved.
    pub(super) replacements: u64,
}

impl World {
    pub(super) fn bytes(&self) -> usize {
        self.store.bytes() + self.partition.bytes()
    }

    /// A short way to what was seen.
    pub(super) fn show<S: Marked>(
        &self,
        system: &mut S,
        initial: Root,
        what: Spotted,
    ) -> Option<Accepting> {
        let Self { store, partition, .. } = self;
        let (all, mut hand) = (Marks::all(system.sets()), Hand::new(0));
        let mut ways = Ways { system, store, hand: &mut hand };
        let alive = |root| partition.get(root).is_some_and(|slot| !partition.is_dead(slot));
        let mut show = |passed: &dyn Fn(Root) -> bool| match &what {
            Spotted::Component(root) => {
                let member = partition.get(*root)?;
                let inside =
                    |root| partition.get(root).is_some_and(|slot| partition.same(slot, member));
                shortest_lasso(&mut ways, all, initial, inside, passed)
            }
            Spotted::End(root, fault) => {
                let states = way_to(&mut ways, initial, |to| to == *root, passed)?;
                Some(Accepting::Prefix { fault: fault.clone(), states })
            }
        };
        // The others may have explored all there is before they heard of it; and what is dead may
        // have given way.
        show(&alive)
            .or_else(|| show(&|root| partition.get(root).is_some() || store.get(root).is_some()))
            .or_else(|| show(&|_| true))
    }

    /// Moves the dead to the store, and makes room for more. Nobody else may be at work.
    pub(super) fn make_room(
        &mut self,
        settings: &Settings,
        stuck: bool,
        parked: &[Mutex<Holding>],
    ) -> Result<(), OutOfMemory> {
        if self.partition.is_crowded() {
            let mut buried = Vec::new();
            // Twice the states there are have room afterwards, if there is memory.
            let (mut slots, living) = (self.partition.slots(), self.partition.living());
            let affordable =
                |slots: usize| Partition::bytes_of(slots) + self.store.bytes() <= settings.memory;
            let modest = Partition::bytes_of(slots * 2) <= settings.memory / PART;
            if settings.most_states.is_none() && modest {
                slots *= 2;
            }
            while living * 3 > slots && affordable(slots * 2) {
                slots *= 2;
            }
            self.partition = self.partition.rebuilt(slots, |root| buried.push(root));
            self.epoch += 1;
            let mut hand = Hand::new(self.epoch);
            for root in buried {
                let (standing, colour) = (Standing::Replaceable, Colour::default());
                let inserted = self.store.insert(&mut hand, root, standing, colour);
                let full = inserted == Insert::NoRoom && !self.store.is_replacing();
                if full || self.store.needs_room() {
                    self.store_room(full, parked)?;
                }
                if full {
                    // What finds no room even now is explored again where it is met again.
                    self.store.insert(&mut hand, root, standing, colour);
                }
            }
            self.replacements += hand.replacements;
            if self.partition.is_crowded() {
                return Err(OutOfMemory);
            }
        }
        if stuck || self.store.needs_room() || self.bytes() > settings.memory {
            self.store_room(stuck, parked)?;
        }
        Ok(())
    }

    pub(super) fn store_room(
        &mut self,
        stuck: bool,
        parked: &[Mutex<Holding>],
    ) -> Result<(), OutOfMemory> {
        let outside = self.partition.bytes()
            + parked.iter().map(|holding| lock(holding).bytes()).sum::<usize>();
        let partition = &self.partition;
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            partition.roots().for_each(|root| visit(root, Held::Folded));
            for holding in parked {
                lock(holding).roots(&mut |root| visit(root, Held::Folded));
            }
        };
        if stuck {
            self.store.force_room(outside, &live)
        } else {
            self.store.make_room(outside, &live)
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the workers share.
#[derive(Debug)]
pub(super) struct Shared<'s> {
    pub(super) settings: &'s Settings,
    pub(super) world: RwLock<World>,
    pub(super) parked: Vec<Mutex<Holding>>,
    /// Somebody wants all to park.
    pub(super) attention: AtomicBool,
    /// Somebody cannot go on without more room for nodes.
    pub(super) stuck: AtomicBool,
    pub(super) made: AtomicUsize,
    pub(super) stop: AtomicBool,
    pub(super) result: Mutex<Answer>,
    pub(super) tallies: Vec<CachePadded<[AtomicU64; 3]>>,
}

impl<'s> Shared<'s> {
    pub(super) fn new(settings: &'s Settings, workers: usize) -> Self {
        let budget = Budget { bytes: settings.memory, states: settings.most_states };
        let few = settings.most_states.is_some();
        let partition = Partition::new(if few { FEW_SLOTS } else { FIRST_SLOTS });
        let store = Store::new(budget);
        Self {
            settings,
            world: RwLock::new(World { store, partition, epoch: 0, replacements: 0 }),
            parked: (0..workers).map(|_| Mutex::default()).collect(),
            attention: AtomicBool::new(false),
            stuck: AtomicBool::new(false),
            made: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            result: Mutex::default(),
            tallies: (0..workers).map(|_| CachePadded::default()).collect(),
        }
    }

    pub(super) fn world(&self) -> RwLockReadGuard<'_, World> {
        self.world.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn cut(&self, why: Cut) {
        lock(&self.result).cut.get_or_insert(why);
    }

    pub(super) fn spotted(&self, what: Spotted) {
        lock(&self.result).spotted.get_or_insert(what);
        self.stop.store(true, SeqCst);
    }

    /// Makes room, unless somebody has since it was made so many times. Who comes late must not wait
    /// for the lock: the others work again.
    pub(super) fn make_room(&self, made: usize) {
        let backoff = Backoff::new();
        let mut world = loop {
            if self.made.load(SeqCst) != made || self.stop.load(SeqCst) {
                return;
            }
            match self.world.try_write() {
                Ok(world) => break world,
                Err(TryLockError::Poisoned(world)) => break world.into_inner(),
                Err(TryLockError::WouldBlock) if backoff.is_completed() => {
                    std::thread::park_timeout(NAP);
                }
                Err(TryLockError::WouldBlock) => backoff.snooze(),
            }
        };
        // Who spots something works in the world, so that it is known here; what was spotted must
        // stay where it is, even if others have found it dead since.
        if self.made.load(SeqCst) != made || self.stop.load(SeqCst) {
            return;
        }
        self.made.store(made.wrapping_add(1), SeqCst);
        self.attention.store(false, SeqCst);
        let stuck = self.stuck.swap(false, SeqCst);
        if world.make_room(self.settings, stuck, &self.parked).is_err() {
            self.cut(Cut::Memory);
            self.stop.store(true, SeqCst);
        }
    }
}

/// Every slot of the table is taken.
pub(super) struct Full;

/// What a worker holds.
#[derive(Debug, Default)]
pub(super) struct Holding {
    pub(super) visits: Vec<Visit>,
    pub(super) arcs: Vec<Arc>,
    pub(super) representatives: Vec<Representative>,
}

impl Holding {
    pub(super) fn roots(&self, visit: &mut dyn FnMut(Root)) {
        self.visits.iter().for_each(|one| visit(one.root));
        self.visits.iter().filter_map(|one| one.current).for_each(|(_, root)| visit(root));
        self.arcs.iter().for_each(|arc| visit(arc.root()));
        self.representatives.iter().for_each(|one| visit(one.root));
    }

    pub(super) fn bytes(&self) -> usize {
        self.visits.capacity() * size_of::<Visit>()
            + self.arcs.capacity() * size_of::<Arc>()
            + self.representatives.capacity() * size_of::<Representative>()
    }

    /// Slots have changed.
    pub(super) fn find_again(&mut self, partition: &Partition) {
        let find = |root| partition.get(root).unwrap_or(Slot::DEAD);
        for visit in &mut self.visits {
            visit.slot = find(visit.root);
            if let Some((slot, root)) = &mut visit.current {
                *slot = find(*root);
            }
        }
        for representative in &mut self.representatives {
            representative.slot = find(representative.root);
        }
    }
}

/// A component that is being explored, by the state through which it was entered.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) slot: Slot,
    pub(super) root: Root,
    /// The state of the component that is being explored.
    pub(super) current: Option<(Slot, Root)>,
    /// Below this place of the arcs nothing is its own.
    pub(super) first_arc: usize,
    /// So many of its arcs, from there on, lead where others are at work: they come last.
    pub(super) postponed: usize,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Representative {
    pub(super) slot: Slot,
    pub(super) root: Root,
    /// Marks of the step into it.
    pub(super) arc: Marks,
}
