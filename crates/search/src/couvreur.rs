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
//!
//! All states are in the store, with a number beside each: who is alive has that of its coming, and
//! who is dead, 0. States that runs only pass ([`Marked`]) are in no component: they are dead as soon
//! as the path comes to them, and that is all.
//!
//! Memory is far away. What a step leads to is fetched when the step is gathered, and looked at when
//! the steps of the next state of the path have been gathered too ([`Check::settle`]). Those that lead
//! to states which are not known then wait for their turn, which may be long: the places that are
//! looked at next are fetched again a few steps ahead, from the stack of those that wait.

use crate::control::{Counts, Cut, Observer, PATIENCE, Progress, Settings};
use crate::emptiness::{Accepting, Emptiness};
use crate::lasso::{Ways, shortest_lasso, way_to};
use crate::marked::Marked;
use crate::offspring::{Arc, Offspring};
use pverify_semantics::fault::FaultKind;
use pverify_store::{Budget, Hand, Held, Numbered, OutOfMemory, Root, Store};
use pverify_temporal::automaton::Marks;

/// So many steps ahead of the one whose turn it is, what it looks at is fetched.
const AHEAD: usize = 12;

/// Looks for an accepting run; no answer if it takes more than `most` states.
pub(crate) fn search<S: Marked>(
    system: &mut S,
    settings: &Settings,
    observer: &mut dyn Observer,
    most: Option<u64>,
) -> Option<Emptiness> {
    let budget = Budget { bytes: settings.memory, states: settings.most_states };
    let mut check = Check::new(system.fork(), settings, Store::numbering(budget));
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
    state: Visited,
    /// Below this place of the arcs nothing is its own.
    first_arc: usize,
}

enum Visited {
    /// It is alive, with this number.
    Alive(u32),
    /// It is in the store already.
    Passed(Root),
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

/// What a step leads to.
enum Met {
    /// A state that was not known.
    New,
    /// A state with this number.
    Known(u32),
    /// One that was not known, and the path is as long as it may be.
    TooDeep,
}

struct Check<'s, S> {
    system: S,
    settings: &'s Settings,
    all: Marks,
    /// All states. The dead have the number 0, the others their place in `order`, from 1 on.
    store: Store,
    hand: Hand,
    /// The states that are alive, as they came.
    order: Vec<Root>,
    path: Vec<Visit>,
    /// Steps that wait for their turn, those of the last state of the path last.
    arcs: Vec<Arc>,
    /// From this place on they have not been [settled](Self::settle).
    unsettled: usize,
    /// Steps of a state that is new.
    fresh: Vec<Arc>,
    components: Vec<Component>,
    offspring: Offspring,
    counts: Counts,
    cut: Option<Cut>,
    words: Vec<u64>,
    /// The initial state.
    initial: Option<Root>,
    found: Option<Accepting>,
}

impl<'s, S: Marked> Check<'s, S> {
    fn new(system: S, settings: &'s Settings, store: Store) -> Self {
        Self {
            all: Marks::all(system.sets()),
            system,
            settings,
            store,
            hand: Hand::new(settings.seed),
            order: Vec::new(),
            path: Vec::new(),
            arcs: Vec::new(),
            unsettled: 0,
            fresh: Vec::new(),
            components: Vec::new(),
            offspring: Offspring::default(),
            counts: Counts::default(),
            cut: None,
            words: Vec::new(),
            initial: None,
            found: None,
        }
    }

    /// The accepting run, if any; no answer at all beyond `most` states.
    fn run(&mut self, observer: &mut dyn Observer, most: Option<u64>) -> Option<Option<Accepting>> {
        let initial = self.system.initial();
        let bits = self.system.bits(initial[0]);
        let Ok(root) = self.store.fold(&mut self.hand, &initial, bits) else {
            self.cut = Some(Cut::Memory);
            return Some(None);
        };
        self.initial = Some(root);
        if self.go(Arc::first(&self.system, root)) {
            return Some(self.found.take());
        }
        let mut patience = PATIENCE;
        while let Some(visit) = self.path.last() {
            if self.arcs.len() <= visit.first_arc {
                self.leave();
                continue;
            }
            let Some(arc) = self.arcs.pop() else { continue };
            if let Some(ahead) = self.arcs.len().checked_sub(AHEAD) {
                self.store.expect_numbered(self.arcs[ahead].root());
            }
            self.counts.transitions += 1;
            if self.go(arc) {
                return Some(self.found.take());
            }
            if most.is_some_and(|most| self.counts.states > most) {
                return None;
            }
            patience -= 1;
            if patience == 0 || self.offspring.waits() || self.store.needs_room() {
                patience = PATIENCE;
                if !self.pause(observer) {
                    return Some(None);
                }
            }
        }
        Some(None)
    }

    /// Follows a step of the last state of the path. Whether the search is over.
    #[inline]
    fn go(&mut self, arc: Arc) -> bool {
        let followed = self.follow(arc);
        followed.is_err() || self.found.is_some() || self.cut == Some(Cut::Stopped)
    }

    /// A step of the last state of the path; whether it leads to a new one.
    #[inline]
    fn follow(&mut self, arc: Arc) -> Result<bool, OutOfMemory> {
        let root = arc.root();
        let too_deep = self.settings.depth.is_some_and(|most| self.path.len() as u64 > most);
        // States that runs only pass are dead from the beginning.
        let number = if arc.passes() { 0 } else { self.order.len() as u32 + 1 };
        match self.meet(arc, number, too_deep)? {
            Met::New => {
                self.gather(root);
                self.settle(root);
                self.enter(arc, number);
                return Ok(true);
            }
            Met::Known(known) => self.meet_again(known, arc.marks),
            Met::TooDeep => {
                self.cut.get_or_insert(Cut::Depth);
            }
        }
        Ok(false)
    }

    /// The first time that the path goes on from its last state, the other steps of that state which
    /// lead to known states are followed: what is known of these has been fetched by now, and need not
    /// be again. The others wait. The state to which the path goes on has no component yet.
    #[inline]
    fn settle(&mut self, next: Root) {
        let first = self.unsettled.min(self.arcs.len());
        let mut waiting = first;
        for at in first..self.arcs.len() {
            let arc = self.arcs[at];
            match self.store.number(arc.root()) {
                Some(known) if arc.root() != next => {
                    self.counts.transitions += 1;
                    self.meet_again(known, arc.marks);
                }
                _ => {
                    self.arcs[waiting] = arc;
                    waiting += 1;
                }
            }
        }
        self.arcs.truncate(waiting);
    }

    /// A step leads to a state with this number.
    #[inline]
    fn meet_again(&mut self, number: u32, marks: Marks) {
        self.counts.matched += 1;
        if number > 0 && self.join(number, marks) && self.found.is_none() {
            self.show();
        }
    }

    /// The last component has an accepting cycle.
    #[cold]
    fn show(&mut self) {
        self.found = self.lasso();
        if self.found.is_none() {
            // Never «no accepting run» when there is one.
            self.cut = Some(Cut::Stopped);
        }
    }

    /// A step leads to a state, which gets a number if it is new.
    #[inline]
    fn meet(&mut self, arc: Arc, number: u32, too_deep: bool) -> Result<Met, OutOfMemory> {
        let root = arc.root();
        if too_deep || number == u32::MAX {
            return self.look(root, too_deep);
        }
        loop {
            match self.store.insert_numbered(&mut self.hand, root, number) {
                Numbered::New => return Ok(Met::New),
                Numbered::Known(known) => return Ok(Met::Known(known)),
                Numbered::NoRoom => {
                    // It is still wanted.
                    self.fresh.push(arc);
                    let room = self.make_room(true);
                    self.fresh.clear();
                    room.inspect_err(|_| self.cut = Some(Cut::Memory))?;
                }
            }
        }
    }

    /// A step leads to a state for which there is no place on the path, or no number.
    #[cold]
    fn look(&mut self, root: Root, too_deep: bool) -> Result<Met, OutOfMemory> {
        match self.store.number(root) {
            Some(known) => Ok(Met::Known(known)),
            None if too_deep => Ok(Met::TooDeep),
            None => {
                self.cut.get_or_insert(Cut::Memory);
                Err(OutOfMemory)
            }
        }
    }

    /// Gathers the steps of a new state.
    #[inline]
    fn gather(&mut self, root: Root) {
        self.words.clear();
        let Self { system, store, hand, words, fresh, .. } = self;
        store.unfold(hand, root, |first| system.bits(first), words);
        self.offspring.gather((store, hand), system, words, fresh, |root| {
            store.expect_numbered(root);
        });
    }

    /// The path goes on to a new state, whose steps have been gathered.
    #[inline]
    fn enter(&mut self, arc: Arc, number: u32) {
        let root = arc.root();
        let state = if number == 0 {
            Visited::Passed(root)
        } else {
            self.order.push(root);
            self.components.push(Component { number, marks: Marks::NONE, arc: arc.marks });
            Visited::Alive(number)
        };
        self.unsettled = self.arcs.len();
        self.path.push(Visit { state, first_arc: self.arcs.len() });
        self.counts.states += 1;
        self.counts.max_depth = self.counts.max_depth.max(self.path.len() as u64);
        // What was gathered first has been fetched first, and is the first to have its turn.
        self.arcs.extend(self.fresh.drain(..).rev());
        if self.offspring.path_ends {
            self.cut = Some(Cut::Fault);
        }
        if let Some(fault) = self.offspring.end.take() {
            self.end(root, fault);
        }
    }

    /// In a state a companion has come to its end.
    #[cold]
    fn end(&mut self, root: Root, fault: FaultKind) {
        let states = self
            .with_ways(|ways, initial, _, passed| way_to(ways, initial, |to| to == root, passed));
        if states.is_none() {
            self.cut = Some(Cut::Stopped);
        }
        self.found = states.map(|states| Accepting::Prefix { fault, states });
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
        // What waits below was settled when the path went on.
        self.unsettled = usize::MAX;
        let first = match visit.state {
            Visited::Alive(number) => number,
            Visited::Passed(root) => {
                if self.store.is_replacing() {
                    self.store.release(root);
                }
                return;
            }
        };
        if self.components.last().is_none_or(|last| last.number != first) {
            return;
        }
        self.components.pop();
        if self.path.is_empty() {
            // All are dead, and nobody will ask.
            return;
        }
        // The next ones to be left, if they are components by themselves.
        if let Some(ahead) = self.components.len().checked_sub(5) {
            let root = self.order[self.components[ahead].number as usize - 1];
            self.store.expect_numbered(root);
        }
        let kept = first as usize - 1;
        for at in kept..self.order.len() {
            if let Some(&ahead) = self.order.get(at + AHEAD) {
                self.store.expect_numbered(ahead);
            }
            self.store.release(self.order[at]);
        }
        self.order.truncate(kept);
    }

    /// Makes room in the store; by force if something could not be folded.
    fn make_room(&mut self, stuck: bool) -> Result<(), OutOfMemory> {
        let outside = self.table_bytes();
        let Self { store, order, arcs, fresh, path, initial, .. } = self;
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            order.iter().for_each(|&root| visit(root, Held::OnPath));
            arcs.iter().chain(&*fresh).for_each(|arc| visit(arc.root(), Held::Folded));
            initial.iter().for_each(|&root| visit(root, Held::Folded));
            for one in &*path {
                if let Visited::Passed(root) = one.state {
                    visit(root, Held::OnPath);
                }
            }
        };
        if stuck { store.force_room(outside, &live) } else { store.make_room(outside, &live) }
    }

    /// The states of the path's components take this much.
    fn table_bytes(&self) -> usize {
        self.order.capacity() * size_of::<Root>()
            + self.path.capacity() * size_of::<Visit>()
            + self.arcs.capacity() * size_of::<Arc>()
            + self.components.capacity() * size_of::<Component>()
    }

    /// Makes room if that is needed, and asks whether to go on.
    fn pause(&mut self, observer: &mut dyn Observer) -> bool {
        loop {
            let waits = self.offspring.waits();
            let crowded = self.store.needs_room()
                || self.store.bytes() + self.table_bytes() > self.settings.memory;
            let room = if waits || crowded { self.make_room(waits) } else { Ok(()) };
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
        // A state that the path is about to go on to has a number already, but no component.
        let members = first..=self.order.len() as u32;
        let all = self.all;
        self.with_ways(|ways, initial, number, passed| {
            let inside = |root| number(root).is_some_and(|number| members.contains(&number));
            shortest_lasso(ways, all, initial, inside, passed)
        })
    }

    /// Lends what looking for short ways needs: the steps of the system, the initial state, the
    /// numbers of states that are alive, and which states have been visited.
    fn with_ways<T>(
        &mut self,
        find: impl FnOnce(&mut Ways<'_, S>, Root, Number<'_>, &dyn Fn(Root) -> bool) -> Option<T>,
    ) -> Option<T> {
        let Self { system, store, hand, initial, .. } = self;
        let store = &*store;
        let number = |root| store.number(root).filter(|&number| number > 0);
        let visited = |root| store.number(root).is_some();
        find(&mut Ways { system, store, hand }, (*initial)?, &number, &visited)
    }
}

/// The number of a state that is alive.
type Number<'a> = &'a dyn Fn(Root) -> Option<u32>;

#[cfg(test)]
mod tests;
