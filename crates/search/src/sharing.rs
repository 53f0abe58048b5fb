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
//! In the paper a worker explores a component to its end wherever it has found it to be one, and
//! explores the states of its own way there once more. Here it goes back to where it entered the
//! component first, and only there it looks for what is left.
//!
//! Steps to where others are at work come last, so that workers part where they can: when their
//! turn comes, the others have often been there to the end.
//!
//! The stack of a worker is no path of the system, since states are explored for others; a way to
//! what was found is looked for in the end, breadth first.
//!
//! When the table is crowded all workers lay down what they hold, and one of them moves the dead to
//! the store, where they may give way to others, and makes the table as large as is needed. The
//! states through which components were entered are in the store by then: whoever leaves a dead
//! component puts its own there, so that little is left to do while nobody works.

mod shared;

use crate::control::{Counts, Cut, Observer, PATIENCE, Progress, Settings};
use crate::emptiness::Emptiness;
use crate::marked::Marked;
use crate::offspring::{Arc, Offspring};
use crate::partition::{Claim, MOST_WORKERS, Partition, Slot};
use pverify_store::{Colour, Hand, Insert, Root, Standing};
use pverify_temporal::automaton::Marks;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use shared::{Full, Holding, Representative, Shared, Spotted, Visit, World, lock};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::{PoisonError, RwLockReadGuard};

/// So many steps ahead of the one whose turn it is, what it looks at is fetched.
const AHEAD: usize = 6;

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
    /// Slots it has taken and not told of.
    untold: usize,
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
            untold: 0,
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
        self.come(&world, Arc::first(&self.system, initial));
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
                self.untold = 0;
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
        if self.is_joined(partition) {
            self.come_back(partition);
            return true;
        }
        let Some(visit) = self.holding.visits.last_mut() else { return false };
        match visit.current {
            Some((slot, _)) if partition.is_dead(slot) || partition.is_finished(slot) => {
                // Others have explored it to its end, or have looked at all its steps.
                self.holding.arcs.truncate(visit.first_arc);
                visit.current = None;
            }
            Some((slot, _)) => {
                if self.holding.arcs.len() > visit.first_arc {
                    let left = self.holding.arcs.len() - visit.first_arc;
                    visit.postponed = visit.postponed.min(left);
                    let shy = visit.postponed + 1 < left;
                    if let Some(arc) = self.holding.arcs.pop() {
                        if let Some(ahead) = self.holding.arcs.len().checked_sub(AHEAD) {
                            partition.expect(self.holding.arcs[ahead].root());
                        }
                        self.follow(world, slot, arc, shy);
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
                    visit.postponed = 0;
                    self.expand(world, root);
                }
                None => {
                    partition.bury(visit.slot, |root| {
                        let (standing, colour) = (Standing::Replaceable, Colour::default());
                        let inserted = world.store.insert(&mut self.hand, root, standing, colour);
                        inserted != Insert::NoRoom
                    });
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

    /// Whether the last component on the way has become one with the one before it, and none of its
    /// states is being explored.
    fn is_joined(&self, partition: &Partition) -> bool {
        let [.., before, last] = self.holding.visits.as_slice() else { return false };
        if last.current.is_some() {
            return false;
        }
        let known = before.slot != Slot::DEAD && last.slot != Slot::DEAD;
        known && partition.same(before.slot, last.slot)
    }

    /// Leaves a component that has become one with the one before it. What is left to explore in it
    /// is left to where that was entered first: on the way back there are steps that have been
    /// gathered, and who picked states of the way here would gather them once more.
    fn come_back(&mut self, partition: &Partition) {
        let Holding { visits, representatives, .. } = &mut self.holding;
        let Some(left) = visits.pop() else { return };
        let Some(last) = representatives.pop_if(|last| last.root == left.root) else { return };
        // Others have joined the two. The step into it is one inside the component, and nobody else
        // need have met its marks.
        if self.all.within(partition.mark(left.slot, last.arc)) {
            self.shared.spotted(Spotted::Component(left.root));
        }
    }

    /// The steps of a state are gathered, in an order of the worker's own.
    fn expand(&mut self, world: &World, root: Root) {
        self.words.clear();
        let Self { system, hand, words, holding, offspring, random, .. } = self;
        world.store.unfold(hand, root, |first| system.bits(first), words);
        let first = holding.arcs.len();
        let partition = &world.partition;
        let arcs = &mut holding.arcs;
        offspring.gather((&world.store, hand), system, words, arcs, |root| {
            world.store.expect(root);
            partition.expect(root);
        });
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

    /// A step from a state of the last component; who is shy leaves one that leads where others
    /// are at work for later.
    fn follow(&mut self, world: &World, from: Slot, arc: Arc, shy: bool) {
        self.counts.transitions += 1;
        let partition = &world.partition;
        let to = match self.slot_of(world, arc.root()) {
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
        match partition.claim(to, self.number, shy) {
            Claim::Shared => {
                self.counts.transitions -= 1;
                let Holding { visits, arcs, .. } = &mut self.holding;
                let Some(visit) = visits.last_mut() else { return };
                arcs.push(arc);
                let last = arcs.len() - 1;
                arcs.swap(visit.first_arc + visit.postponed, last);
                visit.postponed += 1;
            }
            Claim::Dead => self.counts.matched += 1,
            Claim::New => self.enter(to, arc),
            Claim::Met => {
                self.counts.matched += 1;
                // First how far the way goes back: others join components, too, and who only
                // looked where it has become one would leave their ends loose.
                let representatives = &mut self.holding.representatives;
                let back = representatives.iter().rposition(|one| partition.same(to, one.slot));
                let mut met = arc.marks;
                while representatives.len() > back.unwrap_or(0) + 1 {
                    let Some(last) = representatives.pop() else { break };
                    let Some(before) = representatives.last() else { break };
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
        if new {
            self.counts.states += 1;
            self.untold += 1;
            if self.untold >= world.partition.patience() {
                world.partition.tell(std::mem::take(&mut self.untold));
            }
        }
        Ok(Some(slot))
    }

    /// Goes to a component where the worker has not been.
    fn enter(&mut self, slot: Slot, arc: Arc) {
        let (root, marks) = (arc.root(), arc.marks);
        let first_arc = self.holding.arcs.len();
        self.holding.representatives.push(Representative { slot, root, arc: marks });
        self.holding.visits.push(Visit { slot, root, current: None, first_arc, postponed: 0 });
        let depth = self.holding.visits.len() as u64;
        self.counts.max_depth = self.counts.max_depth.max(depth);
    }

    /// The first state.
    fn come(&mut self, world: &World, arc: Arc) {
        if let Ok(Some(slot)) = self.slot_of(world, arc.root())
            && world.partition.claim(slot, self.number, false) == Claim::New
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
