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
//! States that runs only pass ([`Marked`]) are in no component: they are in the store as soon as the
//! path comes to them, and that is all.
//!
//! Memory is far away, and a step may wait long for its turn: so the places that are looked at next
//! are fetched a few steps ahead, from the stack of those that wait.

use crate::control::{Counts, Cut, Observer, PATIENCE, Progress, Settings};
use crate::emptiness::{Accepting, Emptiness};
use crate::lasso::{Ways, shortest_lasso, way_to};
use crate::marked::Marked;
use crate::offspring::{Arc, Offspring};
use pverify_store::{
    Alive, Budget, Colour, Hand, Held, Insert, OutOfMemory, Root, Standing, Store,
};
use pverify_temporal::automaton::Marks;

/// So many steps ahead of the one whose turn it is, what it looks at is fetched.
const AHEAD: usize = 6;

/// Looks for an accepting run; no answer if it takes more than `most` states.
pub(crate) fn search<S: Marked>(
    system: &mut S,
    settings: &Settings,
    observer: &mut dyn Observer,
    most: Option<u64>,
) -> Option<Emptiness> {
    let budget = Budget { bytes: settings.memory, states: settings.most_states };
    let mut check = Check::new(system.fork(), settings, Store::new(budget));
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

struct Check<'s, S> {
    system: S,
    settings: &'s Settings,
    all: Marks,
    /// The dead.
    store: Store,
    hand: Hand,
    /// The others.
    alive: Alive,
    path: Vec<Visit>,
    /// Steps that wait for their turn, those of the last state of the path last.
    arcs: Vec<Arc>,
    components: Vec<Component>,
    offspring: Offspring,
    counts: Counts,
    cut: Option<Cut>,
    words: Vec<u64>,
    /// The initial state.
    initial: Option<Root>,
}

impl<'s, S: Marked> Check<'s, S> {
    fn new(system: S, settings: &'s Settings, store: Store) -> Self {
        Self {
            all: Marks::all(system.sets()),
            system,
            settings,
            store,
            hand: Hand::new(settings.seed),
            alive: Alive::new(),
            path: Vec::new(),
            arcs: Vec::new(),
            components: Vec::new(),
            offspring: Offspring::default(),
            counts: Counts::default(),
            cut: None,
            words: Vec::new(),
            initial: None,
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
        match self.follow(Arc::first(&self.system, root)) {
            Ok(None) => {}
            Ok(found) => return Some(found),
            Err(OutOfMemory) => return Some(None),
        }
        let mut patience = PATIENCE;
        while let Some(visit) = self.path.last() {
            if self.arcs.len() <= visit.first_arc {
                if self.leave().is_err() {
                    self.cut.get_or_insert(Cut::Memory);
                    return Some(None);
                }
                continue;
            }
            let Some(arc) = self.arcs.pop() else { continue };
            if let Some(ahead) = self.arcs.len().checked_sub(AHEAD) {
                self.expect(self.arcs[ahead]);
            }
            self.counts.transitions += 1;
            match self.follow(arc) {
                Ok(None) => {}
                Ok(found) => return Some(found),
                Err(OutOfMemory) => return Some(None),
            }
            if self.cut == Some(Cut::Stopped) {
                return Some(None);
            }
            if most.is_some_and(|most| self.counts.states > most) {
                return None;
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

    /// A step of the last state of the path; an accepting run if that is seen now.
    #[inline]
    fn follow(&mut self, arc: Arc) -> Result<Option<Accepting>, OutOfMemory> {
        let root = arc.root();
        let too_deep = self.settings.depth.is_some_and(|most| self.path.len() as u64 > most);
        if arc.passes() {
            if too_deep && self.store.get(root).is_none() {
                self.cut.get_or_insert(Cut::Depth);
            } else if !too_deep && self.pass(root)? {
                return self.enter(root, Visited::Passed(root));
            } else {
                self.counts.matched += 1;
            }
            return Ok(None);
        }
        if let Some(number) = self.alive.number(root) {
            self.counts.matched += 1;
            if !self.join(number, arc.marks) {
                return Ok(None);
            }
            let found = self.lasso();
            if found.is_none() {
                // Never «no accepting run» when there is one.
                self.cut = Some(Cut::Stopped);
            }
            return Ok(found);
        }
        if self.store.get(root).is_some() {
            self.counts.matched += 1;
        } else if too_deep {
            self.cut.get_or_insert(Cut::Depth);
        } else {
            let Ok(number) = self.alive.push(root) else {
                self.cut.get_or_insert(Cut::Memory);
                return Err(OutOfMemory);
            };
            self.components.push(Component { number, marks: Marks::NONE, arc: arc.marks });
            return self.enter(root, Visited::Alive(number));
        }
        Ok(None)
    }

    /// Comes to a state that runs only pass; whether for the first time.
    #[inline]
    fn pass(&mut self, root: Root) -> Result<bool, OutOfMemory> {
        loop {
            // On the path it must stay: it would be passed again and again.
            let replacing = self.store.is_replacing();
            let standing = if replacing { Standing::Pinned } else { Standing::Replaceable };
            let colour = Colour::default();
            match self.store.insert(&mut self.hand, root, standing, colour) {
                Insert::New | Insert::Replaced => return Ok(true),
                Insert::Known(..) => return Ok(false),
                Insert::NoRoom => {
                    let room = self.make_room(true);
                    room.inspect_err(|_| self.cut = Some(Cut::Memory))?;
                }
            }
        }
    }

    /// The path goes on to a new state; whether a companion has come to its end there.
    fn enter(&mut self, root: Root, state: Visited) -> Result<Option<Accepting>, OutOfMemory> {
        self.path.push(Visit { state, first_arc: self.arcs.len() });
        self.counts.states += 1;
        self.counts.max_depth = self.counts.max_depth.max(self.path.len() as u64);
        self.words.clear();
        let Self { system, store, hand, words, arcs, alive, .. } = self;
        store.unfold(hand, root, |first| system.bits(first), words);
        self.offspring.gather((store, hand), system, words, arcs, |root| alive.expect(root));
        if self.offspring.path_ends {
            self.cut = Some(Cut::Fault);
        }
        let Some(fault) = self.offspring.end.take() else { return Ok(None) };
        let states = self
            .with_ways(|ways, initial, _, passed| way_to(ways, initial, |to| to == root, passed));
        if states.is_none() {
            self.cut = Some(Cut::Stopped);
        }
        Ok(states.map(|states| Accepting::Prefix { fault, states }))
    }

    /// A step will be followed soon: what its state is looked for in is fetched.
    #[inline]
    fn expect(&self, arc: Arc) {
        self.store.expect(arc.root());
        if !arc.passes() {
            self.alive.expect(arc.root());
        }
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
    fn leave(&mut self) -> Result<(), OutOfMemory> {
        let Some(visit) = self.path.pop() else { return Ok(()) };
        let first = match visit.state {
            Visited::Alive(number) => number,
            Visited::Passed(root) => {
                if self.store.is_replacing() {
                    self.store.change(root, |_, colour| (Standing::Replaceable, colour));
                }
                return Ok(());
            }
        };
        if self.components.last().is_none_or(|last| last.number != first) {
            return Ok(());
        }
        self.components.pop();
        if self.path.is_empty() {
            // All are dead, and nobody will ask.
            return Ok(());
        }
        // The next ones to be left, if they are components by themselves.
        if let Some(ahead) = self.components.len().checked_sub(3) {
            let root = self.alive.order()[self.components[ahead].number as usize];
            self.store.expect(root);
            self.alive.expect(root);
        }
        for at in (first as usize..self.alive.order().len()).rev() {
            if let Some(ahead) = at.checked_sub(AHEAD) {
                self.store.expect(self.alive.order()[ahead]);
            }
            let (root, colour) = (self.alive.order()[at], Colour::default());
            let (hand, standing) = (&mut self.hand, Standing::Replaceable);
            let inserted = self.store.insert(hand, root, standing, colour);
            let full = inserted == Insert::NoRoom && !self.store.is_replacing();
            if full || self.store.needs_room() {
                self.make_room(full)?;
            }
            if full {
                // What finds no room even now is explored again where it is met again.
                self.store.insert(&mut self.hand, root, standing, colour);
            }
        }
        self.alive.truncate(first);
        Ok(())
    }

    /// Makes room in the store; by force if something could not be folded.
    fn make_room(&mut self, stuck: bool) -> Result<(), OutOfMemory> {
        let outside = self.table_bytes();
        let Self { store, alive, arcs, path, initial, .. } = self;
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            alive.order().iter().for_each(|&root| visit(root, Held::Folded));
            arcs.iter().for_each(|arc| visit(arc.root(), Held::Folded));
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
        self.alive.bytes()
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
        let all = self.all;
        self.with_ways(|ways, initial, number, passed| {
            let inside = |root| number(root).is_some_and(|number| number >= first);
            shortest_lasso(ways, all, initial, inside, passed)
        })
    }

    /// Lends what looking for short ways needs: the steps of the system, the initial state, the
    /// numbers of states that are alive, and which states have been visited.
    fn with_ways<T>(
        &mut self,
        find: impl FnOnce(&mut Ways<'_, S>, Root, Number<'_>, &dyn Fn(Root) -> bool) -> Option<T>,
    ) -> Option<T> {
        let Self { system, store, hand, alive, initial, .. } = self;
        let store = &*store;
        let number = |root| alive.number(root);
        let visited = |root| alive.number(root).is_some() || store.get(root).is_some();
        find(&mut Ways { system, store, hand }, (*initial)?, &number, &visited)
    }
}

/// The number of a state that is alive.
type Number<'a> = &'a dyn Fn(Root) -> Option<u32>;

#[cfg(test)]
mod tests;
