//! Couvreur's emptiness check (1999, §4), for one thread.
//!
//! Tarjan's algorithm with two stacks: *Root* has, for each component of the path, the number of its
//! first state and the marks met inside it, and *Arc* the marks of the step that leads into it. A
//! step to a state of the path's components joins all components behind that state; if the marks of
//! the joint one, with the arcs between its parts, meet every acceptance set, there is an accepting
//! cycle. This is seen as soon as the last step of such a cycle is, long before the component is
//! explored.
//!
//! The figure of the paper is printed with mistakes in three lines; here a step closes a cycle only
//! if its target is alive, and components are joined while they begin *behind* the target. There
//! are explicit stacks for what the paper does by recursion.

use crate::control::{Counts, Cut, Observer, PATIENCE, Progress, Settings};
use crate::emptiness::{Accepting, Emptiness};
use crate::lasso::{Ways, shortest_lasso, way_to};
use crate::marked::Marked;
use crate::offspring::{Arc, Offspring};
use ahash::AHashMap;
use pverify_store::{Budget, Colour, Hand, Held, Insert, Root, Standing, Store};
use pverify_temporal::automaton::Marks;

/// Looks for an accepting run; no answer if it takes more than `most` states.
pub(crate) fn search<S: Marked>(
    system: &mut S,
    settings: &Settings,
    observer: &mut dyn Observer,
    most: Option<u64>,
) -> Option<Emptiness> {
    let all = Marks::all(system.sets());
    let budget = Budget { bytes: settings.memory, states: settings.most_states };
    let mut check = Check {
        system: system.fork(),
        settings,
        all,
        store: Store::new(budget),
        hand: Hand::new(settings.seed),
        alive: AHashMap::new(),
        order: Vec::new(),
        path: Vec::new(),
        arcs: Vec::new(),
        components: Vec::new(),
        offspring: Offspring::default(),
        counts: Counts::default(),
        cut: None,
        words: Vec::new(),
    };
    let found = check.run(observer, most)?;
    let mut counts = check.counts;
    counts.store_bytes = check.store.bytes() + check.table_bytes();
    counts.replacements = check.hand.replacements;
    counts.errors = u64::from(found.is_some());
    let cut = check.cut;
    system.join(check.system);
    Some(Emptiness { counts, found, cut })
}

/// A state of the path.
struct Visit {
    number: u32,
    /// Below this place of the arcs nothing is its own.
    first_arc: usize,
}

/// A component of the path.
struct Component {
    /// The number of its first state.
    number: u32,
    /// Marks of steps inside it.
    marks: Marks,
    /// Marks of the step into it.
    arc: Marks,
}

struct Check<'s, S> {
    system: S,
    settings: &'s Settings,
    all: Marks,
    /// The dead.
    store: Store,
    hand: Hand,
    /// The numbers of the others, and the others by their number.
    alive: AHashMap<u64, u32>,
    order: Vec<Root>,
    path: Vec<Visit>,
    /// Steps that wait for their turn, those of the last state of the path last.
    arcs: Vec<Arc>,
    components: Vec<Component>,
    offspring: Offspring,
    counts: Counts,
    cut: Option<Cut>,
    words: Vec<u64>,
}

impl<S: Marked> Check<'_, S> {
    /// The accepting run, if any; no answer at all beyond `most` states.
    fn run(&mut self, observer: &mut dyn Observer, most: Option<u64>) -> Option<Option<Accepting>> {
        let initial = self.system.initial();
        let bits = self.system.bits(initial[0]);
        let Ok(root) = self.store.fold(&mut self.hand, &initial, bits) else {
            self.cut = Some(Cut::Memory);
            return Some(None);
        };
        if let Some(found) = self.enter(Arc { root, marks: Marks::NONE }) {
            return Some(Some(found));
        }
        let mut patience = PATIENCE;
        while let Some(visit) = self.path.last() {
            if self.arcs.len() <= visit.first_arc {
                self.leave();
                continue;
            }
            let Some(arc) = self.arcs.pop() else { continue };
            self.counts.transitions += 1;
            if let Some(&number) = self.alive.get(&arc.root.to_bits()) {
                self.counts.matched += 1;
                if self.join(number, arc.marks) {
                    let found = self.lasso();
                    if found.is_none() {
                        // Never «no accepting run» when there is one.
                        self.cut = Some(Cut::Stopped);
                    }
                    return Some(found);
                }
            } else if self.store.get(arc.root).is_some() {
                self.counts.matched += 1;
            } else if self.settings.depth.is_some_and(|most| self.path.len() as u64 > most) {
                self.cut.get_or_insert(Cut::Depth);
            } else {
                if let Some(found) = self.enter(arc) {
                    return Some(Some(found));
                }
                if most.is_some_and(|most| self.counts.states > most) {
                    return None;
                }
            }
            patience -= 1;
            if patience == 0 || self.offspring.waits() {
                patience = PATIENCE;
                if !self.pause(observer) {
                    return Some(None);
                }
            }
        }
        Some(None)
    }

    /// The path goes on to a new state; whether a companion has come to its end there.
    fn enter(&mut self, arc: Arc) -> Option<Accepting> {
        let number = self.order.len() as u32;
        self.order.push(arc.root);
        self.alive.insert(arc.root.to_bits(), number);
        self.components.push(Component { number, marks: Marks::NONE, arc: arc.marks });
        self.path.push(Visit { number, first_arc: self.arcs.len() });
        self.counts.states += 1;
        self.counts.max_depth = self.counts.max_depth.max(self.path.len() as u64);
        self.words.clear();
        let Self { system, store, hand, words, arcs, .. } = self;
        store.unfold(hand, arc.root, |first| system.bits(first), words);
        self.offspring.gather((store, hand), system, words, arcs);
        if self.offspring.path_ends {
            self.cut = Some(Cut::Fault);
        }
        let fault = self.offspring.end.take()?;
        let root = arc.root;
        let states = self.with_ways(|ways, number, order| {
            way_to(ways, order[0], |to| to == root, |root| number(root).is_some())
        });
        if states.is_none() {
            self.cut = Some(Cut::Stopped);
        }
        states.map(|states| Accepting::Prefix { fault, states })
    }

    /// A step leads back to a state that is alive: everything from its component on is one
    /// component. Whether that has an accepting cycle.
    fn join(&mut self, number: u32, marks: Marks) -> bool {
        let mut met = marks;
        while let Some(last) = self.components.last()
            && last.number > number
        {
            met = met.union(last.marks).union(last.arc);
            self.components.pop();
        }
        let Some(last) = self.components.last_mut() else { return false };
        last.marks = last.marks.union(met);
        self.all.within(last.marks)
    }

    /// The last state of the path is done, and with the first state of a component all of it.
    fn leave(&mut self) {
        let Some(visit) = self.path.pop() else { return };
        if self.components.last().is_some_and(|last| last.number == visit.number) {
            self.components.pop();
            for root in self.order.drain(visit.number as usize..) {
                self.alive.remove(&root.to_bits());
                let colour = Colour::default();
                let inserted =
                    self.store.insert(&mut self.hand, root, Standing::Replaceable, colour);
                if inserted == Insert::NoRoom {
                    // It will be explored again where it is met again.
                    self.store.ask_for_room();
                }
            }
        }
    }

    /// The states of the path's components take this much.
    fn table_bytes(&self) -> usize {
        self.alive.capacity() * 17
            + self.order.capacity() * 8
            + self.path.capacity() * size_of::<Visit>()
            + self.arcs.capacity() * size_of::<Arc>()
            + self.components.capacity() * size_of::<Component>()
    }

    /// Makes room if that is needed, and asks whether to go on.
    fn pause(&mut self, observer: &mut dyn Observer) -> bool {
        loop {
            let outside = self.table_bytes();
            let Self { store, order, arcs, .. } = self;
            let live = |visit: &mut dyn FnMut(Root, Held)| {
                order.iter().for_each(|&root| visit(root, Held::Folded));
                arcs.iter().for_each(|arc| visit(arc.root, Held::Folded));
            };
            let waits = self.offspring.waits();
            let room = if waits {
                store.force_room(outside, &live)
            } else if store.needs_room() || store.bytes() + outside > self.settings.memory {
                store.make_room(outside, &live)
            } else {
                Ok(())
            };
            if room.is_err() {
                self.cut.get_or_insert(Cut::Memory);
                return false;
            }
            let Self { store, hand, arcs, offspring, .. } = self;
            if offspring.fold(store, hand, arcs).is_ok() {
                break;
            }
        }
        let counts = Counts { replacements: self.hand.replacements, ..self.counts };
        let progress = Progress {
            counts,
            bytes: self.store.bytes() + self.table_bytes(),
            stored: self.store.len(),
            capacity: self.store.capacity(),
            by_worker: vec![counts.states],
        };
        let go_on = observer.go_on(&progress);
        if !go_on {
            self.cut.get_or_insert(Cut::Stopped);
        }
        go_on
    }

    /// A short accepting run through the last component.
    fn lasso(&mut self) -> Option<Accepting> {
        let first = self.components.last()?.number;
        let all = self.all;
        self.with_ways(|ways, number, order| {
            let inside = |root| number(root).is_some_and(|number| number >= first);
            shortest_lasso(ways, all, order[0], inside, |root| number(root).is_some())
        })
    }

    /// Lends what looking for short ways needs: the system, and which states are alive.
    fn with_ways<T>(
        &mut self,
        find: impl FnOnce(&mut Ways<'_, S>, &dyn Fn(Root) -> Option<u32>, &[Root]) -> T,
    ) -> T {
        let Self { system, store, hand, alive, order, .. } = self;
        let number = |root: Root| alive.get(&root.to_bits()).copied();
        find(&mut Ways { system, store, hand }, &number, order)
    }
}
