//! The emptiness check for several threads: workers share the components they find (UFSCC, Bloemen,
//! Laarman & van de Pol, PPoPP 2016).
//!
//! Each worker goes through the whole system, in an order of its own, and skips what is dead. The
//! states of a component that any worker has found are explored by all of them together: who comes
//! back to a component looks for a state in it that nobody has finished ([`crate::partition`]). A
//! worker's *representatives* are one state for each component on its way, with the marks of the step
//! into it. A step to a component where the worker has been joins all components behind that one,
//! and the marks of the steps between them count as met inside, as does the mark of the step itself.
//!
//! The stack of a worker is no path of the system, since states are explored for others; a way to
//! what was found is looked for in the end, breadth first.
//!
//! When the table is crowded all workers lay down what they hold, and one of them moves the dead to
//! the store, where they may give way to others, and makes the table as large as is needed.

use crate::control::{Counts, Cut, Observer, PATIENCE, Progress, Settings};
use crate::emptiness::{Accepting, Emptiness};
use crate::lasso::{Ways, shortest_lasso, way_to};
use crate::marked::Marked;
use crate::offspring::{Arc, Offspring};
use crate::partition::{Claim, MOST_WORKERS, Partition, Slot};
use crate::pool::NAP;
use crossbeam::utils::{Backoff, CachePadded};
use pverify_semantics::fault::FaultKind;
use pverify_store::{Budget, Colour, Hand, Held, OutOfMemory, Root, Standing, Store};
use pverify_temporal::automaton::Marks;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, TryLockError};

/// The first table.
const FIRST_SLOTS: usize = 1 << 14;
/// In experiments with few states.
const FEW_SLOTS: usize = 1 << 5;

/// Looks for an accepting run.
pub(crate) fn search<S: Marked>(
    system: &mut S,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Emptiness {
    let workers = settings.threads.get().min(MOST_WORKERS);
    let shared = Shared::new(settings, workers);
    let mut first = Worker::new(0, system.fork(), settings, &shared);
    let Some(initial) = first.begin() else {
        let counts = Counts::default();
        return Emptiness { counts, found: None, cut: Some(Cut::Memory) };
    };
    let others: Vec<_> =
        (1..workers).map(|number| Worker::new(number, system.fork(), settings, &shared)).collect();
    let mut counts = Counts::default();
    std::thread::scope(|scope| {
        let others: Vec<_> = others
            .into_iter()
            .map(|other| scope.spawn(move || other.work(initial, None)))
            .collect();
        let mut joined = vec![first.work(initial, Some(observer))];
        for other in others {
            match other.join() {
                Ok(done) => joined.push(done),
                Err(_) => shared.cut(Cut::Stopped),
            }
        }
        for (part, counted) in joined {
            system.join(part);
            counts.add(&counted);
        }
    });
    let world = shared.world.into_inner().unwrap_or_else(PoisonError::into_inner);
    let result = shared.result.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut cut = result.cut;
    let found = result.spotted.and_then(|spotted| {
        let found = world.show(system, initial, spotted);
        if found.is_none() {
            // Never «no accepting run» when there is one.
            cut = Some(Cut::Stopped);
        }
        found
    });
    counts.errors = u64::from(found.is_some());
    counts.store_bytes = world.bytes();
    Emptiness { counts, found, cut }
}

/// What was seen, before there is a way to it.
#[derive(Clone, Debug)]
enum Spotted {
    /// The component of this state has an accepting cycle.
    Component(Root),
    /// In this state a companion has come to its end.
    End(Root, FaultKind),
}

#[derive(Debug, Default)]
struct Answer {
    spotted: Option<Spotted>,
    cut: Option<Cut>,
}

/// The dead and the others.
#[derive(Debug)]
struct World {
    store: Store,
    partition: Partition,
    /// How often slots have changed.
    epoch: u64,
    /// States that gave way while the dead were moved.
    replacements: u64,
}

impl World {
    fn bytes(&self) -> usize {
        self.store.bytes() + self.partition.bytes()
    }

    /// A short way to what was seen.
    fn show<S: Marked>(&self, system: &mut S, initial: Root, what: Spotted) -> Option<Accepting> {
        let Self { store, partition, .. } = self;
        let (all, mut hand) = (Marks::all(system.sets()), Hand::new(0));
        let mut ways = Ways { system, store, hand: &mut hand };
        let alive = |root| partition.get(root).is_some_and(|slot| !partition.is_dead(slot));
        match what {
            Spotted::Component(root) => {
                let member = partition.get(root)?;
                let inside =
                    |root| partition.get(root).is_some_and(|slot| partition.same(slot, member));
                shortest_lasso(&mut ways, all, initial, inside, alive)
            }
            Spotted::End(root, fault) => {
                let states = way_to(&mut ways, initial, |to| to == root, alive)?;
                Some(Accepting::Prefix { fault, states })
            }
        }
    }

    /// Moves the dead to the store, and makes room for more. Nobody else may be at work.
    fn make_room(
        &mut self,
        settings: &Settings,
        stuck: bool,
        parked: &[Mutex<Holding>],
    ) -> Result<(), OutOfMemory> {
        if self.partition.is_crowded() {
            let mut buried = Vec::new();
            let slots = self.partition.slots();
            let few = self.partition.rebuilt(slots, |root| buried.push(root));
            // Twice the states there are have room afterwards, if there is memory.
            let mut slots = few.slots();
            let live = few.roots().count();
            let affordable =
                |slots: usize| Partition::bytes_of(slots) + self.store.bytes() <= settings.memory;
            while live * 3 > slots && affordable(slots * 2) {
                slots *= 2;
            }
            self.partition = if slots == few.slots() { few } else { few.rebuilt(slots, |_| {}) };
            self.epoch += 1;
            let mut hand = Hand::new(self.epoch);
            for root in buried {
                // One that finds no place is explored again where it is met again.
                self.store.insert(&mut hand, root, Standing::Replaceable, Colour::default());
                if self.store.needs_room() {
                    self.store_room(false, parked)?;
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

    fn store_room(&mut self, stuck: bool, parked: &[Mutex<Holding>]) -> Result<(), OutOfMemory> {
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the workers share.
#[derive(Debug)]
struct Shared<'s> {
    settings: &'s Settings,
    world: RwLock<World>,
    parked: Vec<Mutex<Holding>>,
    /// Somebody wants all to park.
    attention: AtomicBool,
    /// Somebody cannot go on without more room for nodes.
    stuck: AtomicBool,
    made: AtomicUsize,
    stop: AtomicBool,
    result: Mutex<Answer>,
    tallies: Vec<CachePadded<[AtomicU64; 3]>>,
}

impl<'s> Shared<'s> {
    fn new(settings: &'s Settings, workers: usize) -> Self {
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

    fn world(&self) -> RwLockReadGuard<'_, World> {
        self.world.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn cut(&self, why: Cut) {
        lock(&self.result).cut.get_or_insert(why);
    }

    fn spotted(&self, what: Spotted) {
        lock(&self.result).spotted.get_or_insert(what);
        self.stop.store(true, SeqCst);
    }

    /// Makes room, unless somebody has since it was made so many times. Who comes late must not wait
    /// for the lock: the others work again.
    fn make_room(&self, made: usize) {
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
        if self.made.load(SeqCst) != made {
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
struct Full;

/// What a worker holds.
#[derive(Debug, Default)]
struct Holding {
    visits: Vec<Visit>,
    arcs: Vec<Arc>,
    representatives: Vec<Representative>,
}

impl Holding {
    fn roots(&self, visit: &mut dyn FnMut(Root)) {
        self.visits.iter().for_each(|one| visit(one.root));
        self.visits.iter().filter_map(|one| one.current).for_each(|(_, root)| visit(root));
        self.arcs.iter().for_each(|arc| visit(arc.root));
        self.representatives.iter().for_each(|one| visit(one.root));
    }

    fn bytes(&self) -> usize {
        self.visits.capacity() * size_of::<Visit>()
            + self.arcs.capacity() * size_of::<Arc>()
            + self.representatives.capacity() * size_of::<Representative>()
    }

    /// Slots have changed.
    fn find_again(&mut self, partition: &Partition) {
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
struct Visit {
    slot: Slot,
    root: Root,
    /// The state of the component that is being explored.
    current: Option<(Slot, Root)>,
    /// Below this place of the arcs nothing is its own.
    first_arc: usize,
}

/// See the module.
#[derive(Debug)]
struct Representative {
    slot: Slot,
    root: Root,
    /// Marks of the step into it.
    arc: Marks,
}

struct Worker<'p, S> {
    number: usize,
    system: S,
    settings: &'p Settings,
    shared: &'p Shared<'p>,
    all: Marks,
    hand: Hand,
    random: SmallRng,
    holding: Holding,
    offspring: Offspring,
    counts: Counts,
    epoch: u64,
    words: Vec<u64>,
}

impl<'p, S: Marked> Worker<'p, S> {
    fn new(number: usize, system: S, settings: &'p Settings, shared: &'p Shared<'p>) -> Self {
        let seed = settings.seed.wrapping_add(number as u64);
        Self {
            number,
            all: Marks::all(system.sets()),
            system,
            settings,
            shared,
            hand: Hand::new(seed),
            random: SmallRng::seed_from_u64(seed),
            holding: Holding::default(),
            offspring: Offspring::default(),
            counts: Counts::default(),
            epoch: 0,
            words: Vec::new(),
        }
    }

    /// The root of the initial state, if there is room for it.
    fn begin(&mut self) -> Option<Root> {
        let initial = self.system.initial();
        let bits = self.system.bits(initial[0]);
        self.shared.world().store.fold(&mut self.hand, &initial, bits).ok()
    }

    fn work(mut self, initial: Root, mut observer: Option<&mut dyn Observer>) -> (S, Counts) {
        let _guard = Guard(self.shared);
        let mut world = self.shared.world();
        self.epoch = world.epoch;
        self.come(&world, Arc { root: initial, marks: Marks::NONE });
        let mut patience = PATIENCE;
        while !self.shared.stop.load(Relaxed) && self.go_on(&world) {
            patience -= 1;
            let wanted = self.shared.attention.load(Relaxed) || self.offspring.waits();
            if patience == 0 || wanted {
                patience = PATIENCE;
                let crowded = world.partition.is_crowded()
                    || world.store.needs_room()
                    || world.bytes() + self.holding.bytes() > self.settings.memory;
                if wanted || crowded {
                    world = self.park(world);
                }
                self.report(&world, &mut observer);
            } else if world.partition.is_crowded() {
                world = self.park(world);
            }
        }
        self.counts.replacements = self.hand.replacements;
        if self.number == 0 {
            self.counts.replacements += world.replacements;
        }
        (self.system, self.counts)
    }

    /// Lays down what it holds until there is room.
    fn park(&mut self, world: RwLockReadGuard<'p, World>) -> RwLockReadGuard<'p, World> {
        let shared = self.shared;
        let mut world = world;
        loop {
            if self.offspring.waits() {
                shared.stuck.store(true, SeqCst);
            }
            shared.attention.store(true, SeqCst);
            let made = shared.made.load(SeqCst);
            std::mem::swap(&mut *lock(&shared.parked[self.number]), &mut self.holding);
            drop(world);
            shared.make_room(made);
            world = shared.world();
            std::mem::swap(&mut *lock(&shared.parked[self.number]), &mut self.holding);
            if self.epoch != world.epoch {
                self.epoch = world.epoch;
                self.holding.find_again(&world.partition);
            }
            let Self { offspring, hand, holding, .. } = self;
            if offspring.fold(&world.store, hand, &mut holding.arcs).is_ok()
                || shared.stop.load(SeqCst)
            {
                return world;
            }
        }
    }

    /// Tells what was counted, and asks whether to go on.
    fn report(&self, world: &World, observer: &mut Option<&mut dyn Observer>) {
        let tally = &self.shared.tallies[self.number];
        tally[0].store(self.counts.states, Relaxed);
        tally[1].store(self.counts.transitions, Relaxed);
        tally[2].store(self.counts.max_depth, Relaxed);
        let Some(observer) = observer else { return };
        let mut counts = Counts { store_bytes: world.bytes(), ..Counts::default() };
        let mut by_worker = Vec::new();
        for tally in &self.shared.tallies {
            counts.states += tally[0].load(Relaxed);
            counts.transitions += tally[1].load(Relaxed);
            counts.max_depth = counts.max_depth.max(tally[2].load(Relaxed));
            by_worker.push(tally[0].load(Relaxed));
        }
        let (bytes, stored) = (world.bytes(), counts.states);
        let capacity = world.store.capacity();
        if !observer.go_on(&Progress { counts, bytes, stored, capacity, by_worker }) {
            self.shared.cut(Cut::Stopped);
            self.shared.stop.store(true, SeqCst);
        }
    }

    /// One thing more is done; whether anything is left.
    fn go_on(&mut self, world: &World) -> bool {
        let partition = &world.partition;
        let Some(visit) = self.holding.visits.last_mut() else { return false };
        match visit.current {
            Some((slot, _)) if partition.is_dead(slot) => {
                // Others have explored it to its end.
                self.holding.arcs.truncate(visit.first_arc);
                visit.current = None;
            }
            Some((slot, _)) => {
                if self.holding.arcs.len() > visit.first_arc {
                    if let Some(arc) = self.holding.arcs.pop() {
                        self.follow(world, slot, arc);
                    }
                } else {
                    partition.finish(slot);
                    visit.current = None;
                }
            }
            None => match partition.pick(visit.slot) {
                Some(slot) => {
                    let root = partition.root(slot);
                    visit.current = Some((slot, root));
                    self.expand(world, root);
                }
                None => {
                    let left = self.holding.visits.pop().map(|visit| visit.root);
                    let last = self.holding.representatives.last().map(|one| one.root);
                    if left == last {
                        self.holding.representatives.pop();
                    }
                }
            },
        }
        true
    }

    /// The steps of a state are gathered, in an order of the worker's own.
    fn expand(&mut self, world: &World, root: Root) {
        self.words.clear();
        let Self { system, hand, words, holding, offspring, random, .. } = self;
        world.store.unfold(hand, root, |first| system.bits(first), words);
        let first = holding.arcs.len();
        offspring.gather((&world.store, hand), system, words, &mut holding.arcs);
        let own = &mut holding.arcs[first..];
        for at in (1..own.len()).rev() {
            own.swap(at, random.random_range(0..=at));
        }
        if offspring.path_ends {
            self.shared.cut(Cut::Fault);
        }
        if let Some(fault) = offspring.end.take() {
            self.shared.spotted(Spotted::End(root, fault));
        }
    }

    /// A step from a state of the last component.
    fn follow(&mut self, world: &World, from: Slot, arc: Arc) {
        self.counts.transitions += 1;
        let partition = &world.partition;
        let to = match self.slot_of(world, arc.root) {
            Ok(Some(slot)) => slot,
            Ok(None) => {
                self.counts.matched += 1;
                return;
            }
            Err(Full) => {
                // Its turn comes again when there is room.
                self.counts.transitions -= 1;
                self.holding.arcs.push(arc);
                self.shared.attention.store(true, SeqCst);
                return;
            }
        };
        match partition.claim(to, self.number) {
            Claim::Dead => self.counts.matched += 1,
            Claim::New => self.enter(to, arc),
            Claim::Met => {
                self.counts.matched += 1;
                let mut met = arc.marks;
                while self.holding.representatives.len() > 1 && !partition.same(to, from) {
                    let Some(last) = self.holding.representatives.pop() else { break };
                    let Some(before) = self.holding.representatives.last() else { break };
                    partition.unite(last.slot, before.slot);
                    met = met.union(last.arc);
                }
                if self.all.within(partition.mark(from, met)) {
                    self.shared.spotted(Spotted::Component(partition.root(from)));
                }
            }
        }
    }

    /// The slot of a state; none if it is known to be dead, or too deep.
    fn slot_of(&mut self, world: &World, root: Root) -> Result<Option<Slot>, Full> {
        if let Some(slot) = world.partition.get(root) {
            return Ok(Some(slot));
        }
        if world.store.get(root).is_some() {
            return Ok(None);
        }
        let depth = self.holding.visits.len() as u64;
        if self.settings.depth.is_some_and(|most| depth > most) {
            self.shared.cut(Cut::Depth);
            return Ok(None);
        }
        let (slot, new) = world.partition.insert(root).ok_or(Full)?;
        self.counts.states += u64::from(new);
        Ok(Some(slot))
    }

    /// Goes to a component where the worker has not been.
    fn enter(&mut self, slot: Slot, arc: Arc) {
        let Arc { root, marks } = arc;
        let first_arc = self.holding.arcs.len();
        self.holding.representatives.push(Representative { slot, root, arc: marks });
        self.holding.visits.push(Visit { slot, root, current: None, first_arc });
        let depth = self.holding.visits.len() as u64;
        self.counts.max_depth = self.counts.max_depth.max(depth);
    }

    /// The first state.
    fn come(&mut self, world: &World, arc: Arc) {
        if let Ok(Some(slot)) = self.slot_of(world, arc.root)
            && world.partition.claim(slot, self.number) == Claim::New
        {
            self.enter(slot, arc);
        }
    }
}

/// Nobody waits for a worker that has panicked.
struct Guard<'p>(&'p Shared<'p>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.cut(Cut::Stopped);
            self.0.stop.store(true, SeqCst);
        }
    }
}
