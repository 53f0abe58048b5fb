//! Nested depth-first search, for stores that remember states by bits only (Courcoubetis, Vardi,
//! Wolper & Yannakakis 1992; Holzmann, Peled & Yannakakis 1996).
//!
//! Acceptance is brought down to states first: beside a state stands a *level*, how many of the sets
//! have been met in their order, and a state at the last level accepts. The outer search leaves a
//! state when all that follows is done; from one that accepts, an inner search looks then for a
//! state of the path, through states that no inner search has come to before. A step of the outer
//! search that leads back to the path closes a cycle, too: whether a state accepts behind it is
//! known (Schwoon & Esparza 2005), so most cycles are seen before any inner search.
//!
//! The filter holds what each of the two searches has come to. The states of the path are known
//! exactly, so what is found is a cycle. What a filter takes for visited is lost, as ever with bits;
//! the estimate counts the states of both searches.
//!
//! The other algorithms need to know of a state when it came, and for that need the state itself.

use crate::control::{Counts, Cut, Observer, PATIENCE, Progress, Settings, Wanted, ends_path};
use crate::emptiness::{Accepting, Emptiness};
use crate::marked::{Marked, MarkedVisitor, Towards};
use ahash::AHashMap;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Path;
use pverify_store::{Budget, Hand, Held, NoRoom, Omission, OutOfMemory, Root, Store};
use pverify_temporal::automaton::Marks;

/// Looks for an accepting run, by one thread, with so many bits a state; and what was probably
/// omitted.
pub fn search<S: Marked>(
    system: &mut S,
    settings: &Settings,
    hashes: u32,
    observer: &mut dyn Observer,
) -> (Emptiness, Option<Omission>) {
    let budget = Budget { bytes: settings.memory, states: settings.most_states };
    let mut search = Search {
        sets: system.sets(),
        system: system.fork(),
        settings,
        store: Store::new(budget).with_bits(hashes),
        hand: Hand::new(settings.seed),
        path: Vec::new(),
        on_path: AHashMap::new(),
        inner: Vec::new(),
        steps: Vec::new(),
        unfolded: Vec::new(),
        words: Vec::new(),
        counts: Counts::default(),
        inserted: 0,
        cut: None,
        patience: PATIENCE,
    };
    let found = search.run(observer).unwrap_or_else(|Stop(cut)| {
        search.cut.get_or_insert(cut);
        None
    });
    let mut counts = search.counts;
    counts.store_bytes = search.store.bytes() + search.bytes();
    counts.errors = u64::from(found.is_some());
    let (cut, omission) = (search.cut, search.store.omission(search.inserted));
    system.join(search.system);
    (Emptiness { counts, found, cut }, omission)
}

/// Why it cannot go on.
struct Stop(Cut);

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Self {
        Self(Cut::Memory)
    }
}

/// A state with its level.
type Place = (Root, u8);

/// A state of a path.
#[derive(Clone, Copy)]
struct Visit {
    place: Place,
    /// Below this place of the steps nothing is its own.
    first_step: usize,
    /// How many states of the path, this one included, reach up to the last that accepts.
    accepting: usize,
    /// It is known to lie on no accepting cycle.
    passes: bool,
}

/// A step that waits for its turn.
#[derive(Clone, Copy)]
struct Step {
    root: Root,
    to: Towards,
    /// The hash of the state.
    hash: u64,
}

/// Which of the two searches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Outer,
    Inner,
}

struct Search<'s, S> {
    system: S,
    settings: &'s Settings,
    sets: u32,
    store: Store,
    hand: Hand,
    /// The path of the outer search, and where on it a state is.
    path: Vec<Visit>,
    on_path: AHashMap<(u64, u8), usize>,
    /// The path of the inner search, behind the last state of the other.
    inner: Vec<Visit>,
    /// Steps that wait, those of the last state last.
    steps: Vec<Step>,
    /// Steps to states that found no room.
    unfolded: Vec<(Vec<u64>, u32, Towards)>,
    words: Vec<u64>,
    counts: Counts,
    /// How often a state was new to the filter.
    inserted: u64,
    cut: Option<Cut>,
    patience: u64,
}

impl<S: Marked> Search<'_, S> {
    fn run(&mut self, observer: &mut dyn Observer) -> Result<Option<Accepting>, Stop> {
        let initial = self.system.initial();
        let bits = self.system.bits(initial[0]);
        let folded = self.store.fold(&mut self.hand, &initial, bits);
        let root = folded.map_err(|_| Stop(Cut::Memory))?;
        let to = Towards { marks: Marks::NONE, passes: self.system.passes_initial() };
        let first = Step { root, to, hash: Store::hash(&initial) };
        self.insert(first.hash, 0, Which::Outer);
        if let Some(found) = self.enter(first, 0)? {
            return Ok(Some(found));
        }
        while let Some(&visit) = self.path.last() {
            self.pause(observer)?;
            if self.steps.len() <= visit.first_step {
                if self.accepts(visit.place.1) && !visit.passes {
                    let found = self.look_for_path(observer)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                self.on_path.remove(&key(visit.place));
                self.path.pop();
                continue;
            }
            let Some(step) = self.steps.pop() else { continue };
            self.counts.transitions += 1;
            let level = self.level_behind(visit.place.1, step.to.marks);
            if let Some(&at) = self.on_path.get(&key((step.root, level))) {
                self.counts.matched += 1;
                if visit.accepting > at {
                    return Ok(Some(self.lasso(at)));
                }
            } else if self.insert(step.hash, level, Which::Outer) {
                if self.settings.depth.is_some_and(|most| self.path.len() as u64 > most) {
                    self.cut.get_or_insert(Cut::Depth);
                } else if let Some(found) = self.enter(step, level)? {
                    return Ok(Some(found));
                }
            } else {
                self.counts.matched += 1;
            }
        }
        Ok(None)
    }

    /// The path goes on to a new state; whether a companion has come to its end there.
    fn enter(&mut self, step: Step, level: u8) -> Result<Option<Accepting>, Stop> {
        let place = (step.root, level);
        let before = self.path.last().map_or(0, |visit| visit.accepting);
        let accepting = if self.accepts(level) { self.path.len() + 1 } else { before };
        let (first_step, passes) = (self.steps.len(), step.to.passes);
        self.on_path.insert(key(place), self.path.len());
        self.path.push(Visit { place, first_step, accepting, passes });
        self.counts.states += 1;
        self.counts.max_depth = self.counts.max_depth.max(self.path.len() as u64);
        let (end, path_ends) = self.gather(step.root)?;
        if path_ends {
            self.cut = Some(Cut::Fault);
        }
        let Some(fault) = end else { return Ok(None) };
        let roots: Vec<Root> = self.path.iter().map(|visit| visit.place.0).collect();
        Ok(Some(Accepting::Prefix { fault, states: self.told(&roots) }))
    }

    /// The inner search, from the last state of the path: whether some state of the path can be
    /// reached.
    fn look_for_path(&mut self, observer: &mut dyn Observer) -> Result<Option<Accepting>, Stop> {
        let Some(&seed) = self.path.last() else { return Ok(None) };
        self.inner.push(Visit { first_step: self.steps.len(), ..seed });
        self.gather(seed.place.0)?;
        while let Some(&visit) = self.inner.last() {
            self.pause(observer)?;
            if self.steps.len() <= visit.first_step {
                self.inner.pop();
                continue;
            }
            let Some(step) = self.steps.pop() else { continue };
            if step.to.passes {
                continue;
            }
            let place = (step.root, self.level_behind(visit.place.1, step.to.marks));
            if let Some(&at) = self.on_path.get(&key(place)) {
                return Ok(Some(self.lasso(at)));
            }
            if self.insert(step.hash, place.1, Which::Inner) {
                self.inner.push(Visit { place, first_step: self.steps.len(), ..visit });
                self.gather(place.0)?;
            }
        }
        Ok(None)
    }

    /// How many sets have been met behind a step: the last level begins anew.
    fn level_behind(&self, level: u8, marks: Marks) -> u8 {
        let mut level = if self.accepts(level) { 0 } else { level };
        while u32::from(level) < self.sets && marks.contains(u32::from(level)) {
            level += 1;
        }
        level
    }

    fn accepts(&self, level: u8) -> bool {
        u32::from(level) == self.sets
    }

    /// Sets the bits of a state with its level; whether it is new to one of the searches.
    fn insert(&mut self, hash: u64, level: u8, which: Which) -> bool {
        let told = u64::from(level) << 1 | u64::from(which == Which::Inner);
        let new = self.store.insert_bits(Store::hash(&[hash, told]));
        self.inserted += u64::from(new);
        new
    }

    /// The next states of a state wait; whether a companion has come to its end in it, and whether
    /// a step goes wrong.
    fn gather(&mut self, root: Root) -> Result<(Option<FaultKind>, bool), Stop> {
        self.words.clear();
        let Self { system, store, hand, words, steps, unfolded, .. } = self;
        store.unfold(hand, root, |first| system.bits(first), words);
        let (end, path_ends) = (None, false);
        let mut gatherer = Gatherer { store, hand, steps, unfolded, end, path_ends };
        system.marked_successors(words, &mut gatherer);
        let Gatherer { end, path_ends, .. } = gatherer;
        while let Some((words, bits, to)) = self.unfolded.last() {
            let (hash, to) = (Store::hash(words), *to);
            if let Ok(root) = self.store.fold(&mut self.hand, words, *bits) {
                self.steps.push(Step { root, to, hash });
                self.unfolded.pop();
            } else {
                self.make_room(true)?;
            }
        }
        Ok((end, path_ends))
    }

    /// Makes room for more nodes; by force if something could not be folded.
    fn make_room(&mut self, stuck: bool) -> Result<(), OutOfMemory> {
        let outside = self.bytes();
        let Self { store, path, inner, steps, .. } = self;
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            path.iter().chain(&*inner).for_each(|one| visit(one.place.0, Held::Folded));
            steps.iter().for_each(|step| visit(step.root, Held::Folded));
        };
        if stuck { store.force_room(outside, &live) } else { store.make_room(outside, &live) }
    }

    /// The paths take this much.
    fn bytes(&self) -> usize {
        (self.path.capacity() + self.inner.capacity()) * size_of::<Visit>()
            + self.steps.capacity() * size_of::<Step>()
            + self.on_path.capacity() * (size_of::<((u64, u8), usize)>() + 1)
    }

    /// Now and then: makes room if that is needed, and asks whether to go on.
    #[inline]
    fn pause(&mut self, observer: &mut dyn Observer) -> Result<(), Stop> {
        self.patience -= 1;
        if self.patience > 0 {
            return Ok(());
        }
        self.patience = PATIENCE;
        if self.store.needs_room() {
            self.make_room(false)?;
        }
        let bytes = self.store.bytes() + self.bytes();
        if bytes > self.settings.memory {
            return Err(Stop(Cut::Memory));
        }
        let counts = self.counts;
        let progress = Progress {
            counts,
            bytes,
            stored: self.store.len(),
            capacity: self.store.capacity(),
            by_worker: vec![counts.states],
        };
        if observer.go_on(&progress) { Ok(()) } else { Err(Stop(Cut::Stopped)) }
    }

    /// The run that goes along the path, from this place of it on again and again, and back along
    /// the inner path, whose first state is the last of the other.
    fn lasso(&mut self, at: usize) -> Accepting {
        let outer = self.path.iter();
        let roots: Vec<Root> =
            outer.chain(self.inner.iter().skip(1)).map(|visit| visit.place.0).collect();
        let mut stem = self.told(&roots);
        let cycle = stem.split_off(at);
        Accepting::Lasso { stem, cycle }
    }

    /// States in words.
    fn told(&mut self, roots: &[Root]) -> Vec<Vec<u64>> {
        let Self { system, store, hand, .. } = self;
        let mut told = |&root: &Root| {
            let mut words = Vec::new();
            store.unfold(hand, root, |first| system.bits(first), &mut words);
            words
        };
        roots.iter().map(&mut told).collect()
    }
}

fn key((root, level): Place) -> (u64, u8) {
    (root.to_bits(), level)
}

struct Gatherer<'b> {
    store: &'b Store,
    hand: &'b mut Hand,
    steps: &'b mut Vec<Step>,
    unfolded: &'b mut Vec<(Vec<u64>, u32, Towards)>,
    end: Option<FaultKind>,
    path_ends: bool,
}

impl MarkedVisitor for Gatherer<'_> {
    #[inline]
    fn next(&mut self, words: &[u64], bits: u32, to: Towards, _: Path<'_>) {
        let hash = Store::hash(words);
        match self.store.fold(self.hand, words, bits) {
            Ok(root) => self.steps.push(Step { root, to, hash }),
            Err(NoRoom) => self.unfolded.push((words.to_vec(), bits, to)),
        }
    }

    fn fault(&mut self, fault: FaultKind, _: Path<'_>) {
        self.path_ends |= ends_path(&fault);
        if Wanted::PROPERTY.includes(&fault) {
            self.end = Some(fault);
        }
    }
}
