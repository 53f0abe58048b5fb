//! Short accepting runs: breadth first to a component, and round inside it through all sets.
//!
//! A search knows that a component has an accepting cycle, but not one. From where the shortest way
//! enters the component it goes on to the nearest step that meets a set; there the cycle begins. The
//! nearest step that meets a set still missing is looked for again and again, and at last the
//! shortest way back.

use crate::emptiness::Accepting;
use crate::marked::Marked;
use crate::offspring::{Arc, Offspring};
use ahash::AHashMap;
use pverify_store::{Hand, Root, Store};
use pverify_temporal::automaton::Marks;
use std::collections::VecDeque;

/// The steps of a system between states of a store.
pub(crate) struct Ways<'a, S> {
    pub(crate) system: &'a mut S,
    pub(crate) store: &'a Store,
    pub(crate) hand: &'a mut Hand,
}

impl<S: Marked> Ways<'_, S> {
    /// A state in words.
    fn words(&mut self, root: Root) -> Vec<u64> {
        let mut words = Vec::new();
        let system = &mut *self.system;
        self.store.unfold(self.hand, root, |first| system.bits(first), &mut words);
        words
    }

    /// The steps from a state. One that was never folded leads nowhere that is of interest.
    fn steps(&mut self, root: Root) -> Vec<Arc> {
        let (words, mut arcs) = (self.words(root), Vec::new());
        let nobody = |_| ();
        Offspring::default().gather(
            (self.store, self.hand),
            self.system,
            &words,
            &mut arcs,
            nobody,
        );
        arcs
    }

    /// The shortest way from a state, of one step at least, through states that may be passed, to
    /// a step that is wanted: the states behind `from`, and the marks met.
    fn find(
        &mut self,
        from: Root,
        wanted: impl Fn(Arc) -> bool,
        passed: impl Fn(Root) -> bool,
    ) -> Option<(Vec<Root>, Marks)> {
        let mut before: AHashMap<u64, (Root, Marks)> = AHashMap::new();
        let mut work = VecDeque::from([from]);
        while let Some(state) = work.pop_front() {
            for arc in self.steps(state) {
                if !passed(arc.root()) {
                    continue;
                }
                if wanted(arc) {
                    let (mut way, mut marks, mut at) = (vec![arc.root()], arc.marks, state);
                    while at != from {
                        way.push(at);
                        let (back, met) = *before.get(&at.to_bits())?;
                        marks = marks.union(met);
                        at = back;
                    }
                    way.reverse();
                    return Some((way, marks));
                }
                let key = arc.root().to_bits();
                if arc.root() != from && !before.contains_key(&key) {
                    before.insert(key, (state, arc.marks));
                    work.push_back(arc.root());
                }
            }
        }
        None
    }
}

/// A shortest way from the initial state through states that may be passed, in words.
pub(crate) fn way_to<S: Marked>(
    ways: &mut Ways<'_, S>,
    initial: Root,
    wanted: impl Fn(Root) -> bool,
    passed: impl Fn(Root) -> bool,
) -> Option<Vec<Vec<u64>>> {
    let mut way = vec![initial];
    if !wanted(initial) {
        way.extend(ways.find(initial, |arc| wanted(arc.root()), passed)?.0);
    }
    Some(way.into_iter().map(|root| ways.words(root)).collect())
}

/// A short accepting run: from the initial state through states that may be passed to one that is
/// inside, and round there.
pub(crate) fn shortest_lasso<S: Marked>(
    ways: &mut Ways<'_, S>,
    all: Marks,
    initial: Root,
    inside: impl Fn(Root) -> bool,
    passed: impl Fn(Root) -> bool,
) -> Option<Accepting> {
    let mut stem = vec![initial];
    if !inside(initial) {
        stem.extend(ways.find(initial, |arc| inside(arc.root()), passed)?.0);
    }
    // What lies before the first step that counts need not be part of the cycle.
    if all != Marks::NONE {
        let entry = *stem.last()?;
        let (mut way, _) = ways.find(entry, |arc| arc.marks.0 & all.0 != 0, &inside)?;
        way.pop();
        stem.extend(way);
    }
    let first = stem.pop()?;
    let mut cycle = vec![first];
    let mut missing = all;
    let mut at = first;
    while missing != Marks::NONE {
        let hits = |arc: Arc| arc.marks.0 & missing.0 != 0;
        let (way, marks) = ways.find(at, hits, &inside)?;
        missing = Marks(missing.0 & !marks.0);
        at = *way.last()?;
        cycle.extend(way);
    }
    if at == first && cycle.len() > 1 {
        cycle.pop();
    } else {
        let (way, _) = ways.find(at, |arc| arc.root() == first, &inside)?;
        cycle.extend(way);
        cycle.pop();
    }
    let mut told = |roots: Vec<Root>| roots.into_iter().map(|root| ways.words(root)).collect();
    Some(Accepting::Lasso { stem: told(stem), cycle: told(cycle) })
}
