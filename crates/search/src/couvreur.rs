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
        match self.enter(Arc { root, marks: Marks::NONE }) {
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
                self.expect(self.arcs[ahead].root);
            }
            self.counts.transitions += 1;
            if let Some(number) = self.alive.number(arc.root) {
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
                match self.enter(arc) {
                    Ok(None) => {}
                    Ok(found) => return Some(found),
                    Err(OutOfMemory) => return Some(None),
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
    fn enter(&mut self, arc: Arc) -> Result<Option<Accepting>, OutOfMemory> {
        let Ok(number) = self.alive.push(arc.root) else {
            self.cut.get_or_insert(Cut::Memory);
            return Err(OutOfMemory);
        };
        self.components.push(Component { number, marks: Marks::NONE, arc: arc.marks });
        self.path.push(Visit { number, first_arc: self.arcs.len() });
        self.counts.states += 1;
        self.counts.max_depth = self.counts.max_depth.max(self.path.len() as u64);
        self.words.clear();
        let Self { system, store, hand, words, arcs, alive, .. } = self;
        store.unfold(hand, arc.root, |first| system.bits(first), words);
        self.offspring.gather((store, hand), system, words, arcs, |root| alive.expect(root));
        if self.offspring.path_ends {
            self.cut = Some(Cut::Fault);
        }
        let Some(fault) = self.offspring.end.take() else { return Ok(None) };
        let root = arc.root;
        let states = self.with_ways(|ways, number, order| {
            way_to(ways, order[0], |to| to == root, |root| number(root).is_some())
        });
        if states.is_none() {
            self.cut = Some(Cut::Stopped);
        }
        Ok(states.map(|states| Accepting::Prefix { fault, states }))
    }

    /// A state will be looked for soon, among the dead and the others.
    #[inline]
    fn expect(&self, root: Root) {
        self.store.expect(root);
        self.alive.expect(root);
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
        if self.components.last().is_none_or(|last| last.number != visit.number) {
            return Ok(());
        }
        self.components.pop();
        if self.path.is_empty() {
            // All are dead, and nobody will ask.
            return Ok(());
        }
        // The next ones to be left, if they are components by themselves.
        if let Some(ahead) = self.components.len().checked_sub(3) {
            let number = self.components[ahead].number as usize;
            self.expect(self.alive.order()[number]);
        }
        for at in (visit.number as usize..self.alive.order().len()).rev() {
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
        self.alive.truncate(visit.number);
        Ok(())
    }

    /// Makes room in the store; by force if something could not be folded.
    fn make_room(&mut self, stuck: bool) -> Result<(), OutOfMemory> {
        let outside = self.table_bytes();
        let Self { store, alive, arcs, .. } = self;
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            alive.order().iter().for_each(|&root| visit(root, Held::Folded));
            arcs.iter().for_each(|arc| visit(arc.root, Held::Folded));
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
        let Self { system, store, hand, alive, .. } = self;
        find(&mut Ways { system, store, hand }, &|root| alive.number(root), alive.order())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Wanted;
    use crate::marked::MarkedVisitor;
    use crate::system::System;
    use pverify_semantics::successors::{Path, Visitor};

    /// The automaton of Couvreur's figure 4; the states A to H, the sets a = 1 and b = 2. What waits
    /// is taken from the end, so the steps of a state stand here in the opposite order.
    const EDGES: [&[(u64, u64)]; 8] = [
        &[(1, 0)],
        &[(2, 1)],
        &[(5, 2), (3, 0), (0, 0)],
        &[(4, 0)],
        &[(3, 2)],
        &[(6, 0)],
        &[(7, 0), (5, 1)],
        &[(5, 2)],
    ];

    struct Figure4;

    impl System for Figure4 {
        fn initial(&self) -> Vec<u64> {
            vec![0]
        }

        fn bits(&mut self, _: u64) -> u32 {
            20
        }

        fn successors<V: Visitor>(&mut self, _: &[u64], _: &mut V) {}

        fn fork(&self) -> Self {
            Self
        }
    }

    impl Marked for Figure4 {
        fn sets(&self) -> u32 {
            2
        }

        fn marked_successors<V: MarkedVisitor>(&mut self, words: &[u64], visitor: &mut V) {
            for &(target, marks) in EDGES[words[0] as usize] {
                visitor.next(&[target], 20, Marks(marks), Path::NONE);
            }
        }
    }

    fn told(marks: Marks) -> String {
        let letters = ["a", "b"].into_iter().enumerate();
        letters.filter(|(set, _)| marks.contains(*set as u32)).map(|(_, letter)| letter).collect()
    }

    impl Check<'_, Figure4> {
        /// The stacks Root and Arc, and which states are alive with which order.
        fn row(&self) -> String {
            let root = |one: &Component| format!("{}.{}", one.number + 1, told(one.marks));
            let roots: Vec<_> = self.components.iter().map(root).collect();
            let arcs: Vec<_> = self.components.iter().map(|one| told(one.arc)).collect();
            let name = |root: &Root| char::from(b'A' + (root.to_bits() & 7) as u8);
            let alive: String = self.alive.order().iter().map(name).collect();
            format!("{} | {} | {alive}", roots.join(" "), arcs.join(","))
        }
    }

    #[test]
    fn table_3_move_for_move() {
        let settings = Settings::new(Wanted::PROPERTY);
        let budget = Budget { bytes: settings.memory, states: None };
        let mut check = Check::new(Figure4, &settings, Store::new(budget));
        let root = check.store.fold(&mut check.hand, &[0], 20).expect("room");
        assert_eq!(check.enter(Arc { root, marks: Marks::NONE }), Ok(None));
        let mut rows = vec![check.row()];
        let mut found = false;
        while let (Some(visit), false) = (check.path.last(), found) {
            if check.arcs.len() <= visit.first_arc {
                check.leave().expect("room");
            } else if let Some(arc) = check.arcs.pop() {
                match check.alive.number(arc.root) {
                    Some(number) => found = check.join(number, arc.marks),
                    None => assert_eq!(check.enter(arc), Ok(None)),
                }
            }
            rows.push(check.row());
        }
        // Step 12 reads {a} in the table and {b} in the text; step 14 is H to F, as in table 4.
        let expected = [
            "1. |  | A",
            "1. 2. | , | AB",
            "1. 2. 3. | ,,a | ABC",
            "1.a |  | ABC",
            "1.a 4. | , | ABCD",
            "1.a 4. 5. | ,, | ABCDE",
            "1.a 4.b | , | ABCDE",
            "1.a 4.b | , | ABCDE",
            "1.a |  | ABC",
            "1.a 4. | ,b | ABCF",
            "1.a 4. 5. | ,b, | ABCFG",
            "1.a 4.a | ,b | ABCFG",
            "1.a 4.a 6. | ,b, | ABCFGH",
            "1.a 4.ab | ,b | ABCFGH",
        ];
        assert_eq!(rows, expected);
        assert!(found);
    }
}
