//! Classes of letters that no label tells apart, and automata whose labels are sets of classes.
//!
//! The reductions ask millions of times whether labels intersect or contain each other. On a few
//! classes that is one instruction on a word of bits; the diagrams are met once, when classes are
//! made, and once at the end, when labels are written back.

use super::{Automaton, Edge, Marks, StateId};
use crate::boolean::{Function, Space};
use crate::formula::{Atom, Vocabulary};
use crate::lasso::Valuation;
use ahash::{AHashMap, AHashSet};

/// More classes than this are not tried.
const MOST_CLASSES: usize = 2_048;
/// How many labels are compared with how many classes.
const MOST_COMPARISONS: usize = 2_000_000;
/// From so many labels on, every letter is asked, if it is made of no more than so many atoms.
const MANY_LABELS: usize = 64;
const FEW_ATOMS: usize = 11;

/// A partition of all letters.
#[derive(Clone, Debug)]
pub struct Alphabet {
    /// The family of the labels.
    pub space: Space,
    /// The classes: disjoint, none empty, together all letters.
    pub classes: Vec<Function>,
    /// A letter of each class: a label that has it has the class.
    examples: Vec<Valuation>,
}

impl Alphabet {
    /// The coarsest partition that no label of these automata cuts; none if it is too fine, or they
    /// have different numbers of atoms.
    pub fn of<'a>(automata: impl IntoIterator<Item = &'a Automaton>) -> Option<Self> {
        let mut labels: AHashSet<&Function> = AHashSet::default();
        let mut space: Option<Space> = None;
        for automaton in automata {
            if space.as_ref().is_some_and(|space| *space != automaton.space) {
                return None;
            }
            space = Some(automaton.space.clone());
            labels.extend(automaton.edges.iter().flatten().map(|edge| &edge.label));
        }
        let space = space?;
        let mut labels: Vec<_> = labels.into_iter().filter(|label| !label.is_true()).collect();
        // Small labels first: what they cut off is often never cut again.
        labels.sort_by_key(|label| label.size());
        let classes = if labels.len() < MANY_LABELS { None } else { by_letters(&space, &labels) };
        let classes = classes.or_else(|| by_cutting(&space, &labels))?;
        if is_too_much(classes.len(), labels.len()) {
            return None;
        }
        let examples = classes.iter().map(|class| class.example().unwrap_or_default()).collect();
        Some(Self { space, classes, examples })
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Never: there is always a letter.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The classes of a label of one of the automata.
    fn letters(&self, label: &Function) -> Letters {
        let mut letters = Letters::none(self.len());
        for (at, example) in self.examples.iter().enumerate() {
            if label.holds(example) {
                letters.insert(at);
            }
        }
        letters
    }

    /// The label of some classes.
    fn label(&self, letters: &Letters) -> Function {
        if letters.len() == self.len() {
            return self.space.constant(true);
        }
        let none = self.space.constant(false);
        letters.iter().fold(none, |sum, at| sum.or(&self.classes[at]))
    }
}

/// The coarsest partition, made finer by one label after the other; none if it is too fine.
fn by_cutting(space: &Space, labels: &[&Function]) -> Option<Vec<Function>> {
    let mut classes = vec![space.constant(true)];
    for label in labels {
        let mut cut = Vec::with_capacity(classes.len() + 1);
        for class in classes {
            let inside = class.and(label);
            if inside.is_false() || inside == class {
                cut.push(class);
            } else {
                cut.push(class.and_not(label));
                cut.push(inside);
            }
        }
        if is_too_much(cut.len(), labels.len()) {
            return None;
        }
        classes = cut;
    }
    Some(classes)
}

/// The same partition by asking every letter which labels have it: quicker for many labels of few
/// atoms, as ten demands `[]<>` have. None for more atoms.
fn by_letters(space: &Space, labels: &[&Function]) -> Option<Vec<Function>> {
    let mut atoms: Vec<usize> = labels.iter().flat_map(|label| label.support()).collect();
    atoms.sort_unstable();
    atoms.dedup();
    if atoms.len() > FEW_ATOMS {
        return None;
    }
    let mut classes: Vec<Function> = Vec::new();
    let mut known: AHashMap<Letters, usize> = AHashMap::default();
    for bits in 0..1_u32 << atoms.len() {
        let values = || atoms.iter().enumerate().map(|(at, &atom)| (atom, bits >> at & 1 == 1));
        let letter = Valuation::new(values().filter(|one| one.1).map(|one| Atom(one.0 as u32)));
        let mut having = Letters::none(labels.len());
        for (at, label) in labels.iter().enumerate() {
            if label.holds(&letter) {
                having.insert(at);
            }
        }
        let at = *known.entry(having).or_insert(classes.len());
        let cube = space.cube(values());
        match classes.get_mut(at) {
            Some(class) => *class = class.or(&cube),
            None => classes.push(cube),
        }
    }
    Some(classes)
}

fn is_too_much(classes: usize, labels: usize) -> bool {
    classes > MOST_CLASSES || classes * labels > MOST_COMPARISONS
}

/// A set of classes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letters {
    words: Box<[u64]>,
}

impl Letters {
    /// None of so many.
    pub fn none(count: usize) -> Self {
        Self { words: vec![0; count.div_ceil(64)].into() }
    }

    /// Adds a class.
    pub fn insert(&mut self, class: usize) {
        self.words[class / 64] |= 1 << (class % 64);
    }

    /// Whether a class is in the set.
    pub fn contains(&self, class: usize) -> bool {
        self.words.get(class / 64).is_some_and(|word| word >> (class % 64) & 1 == 1)
    }

    /// Whether a class is in both sets.
    pub fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(one, two)| one & two != 0)
    }

    /// Adds the classes of another set.
    pub fn extend(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Takes the classes of another set away.
    pub fn remove(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// The classes of both sets.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        let words = self.words.iter().zip(&other.words).map(|(one, two)| one & two).collect();
        Self { words }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The classes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }
}

/// An edge whose label is a set of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseEdge {
    /// The classes.
    pub letters: Letters,
    /// The acceptance sets that mark it.
    pub marks: Marks,
    /// Where it leads.
    pub target: usize,
}

/// An automaton over classes of letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    /// How many classes there are.
    pub classes: usize,
    /// How many acceptance sets there are.
    pub sets: u32,
    /// Where runs begin.
    pub initial: Vec<usize>,
    /// The edges of each state.
    pub edges: Vec<Vec<DenseEdge>>,
}

impl Dense {
    /// An automaton over an alphabet that was made for it.
    pub fn new<'a>(automaton: &'a Automaton, alphabet: &Alphabet) -> Self {
        // Labels repeat a lot.
        let mut known: AHashMap<&Function, Letters> = AHashMap::default();
        let mut dense_edge = |edge: &'a Edge| {
            let Edge { label, marks, target } = edge;
            let letters = known.entry(label).or_insert_with(|| alphabet.letters(label)).clone();
            DenseEdge { letters, marks: *marks, target: target.index() }
        };
        let mut all = Vec::with_capacity(automaton.edges.len());
        for edges in &automaton.edges {
            all.push(edges.iter().map(&mut dense_edge).collect());
        }
        Self {
            classes: alphabet.len(),
            sets: automaton.sets,
            initial: automaton.initial.iter().map(|state| state.index()).collect(),
            edges: all,
        }
    }

    /// The automaton with labels again.
    pub fn to_automaton(&self, vocabulary: &Vocabulary, alphabet: &Alphabet) -> Automaton {
        let mut known: AHashMap<&Letters, Function> = AHashMap::default();
        let mut automaton = Automaton {
            vocabulary: vocabulary.clone(),
            space: alphabet.space.clone(),
            sets: self.sets,
            initial: self.initial.iter().map(|&state| StateId(state as u32)).collect(),
            edges: vec![Vec::new(); self.edges.len()],
        };
        for (source, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                let label =
                    known.entry(&edge.letters).or_insert_with(|| alphabet.label(&edge.letters));
                let target = StateId(edge.target as u32);
                automaton.add_edge(StateId(source as u32), label.clone(), edge.marks, target);
            }
        }
        automaton
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Adds an edge; one with the same marks and target takes its letters too.
    pub fn add_edge(&mut self, source: usize, letters: Letters, marks: Marks, target: usize) {
        if letters.is_empty() {
            return;
        }
        let edges = &mut self.edges[source];
        match edges.iter_mut().find(|edge| edge.marks == marks && edge.target == target) {
            Some(edge) => edge.letters.extend(&letters),
            None => edges.push(DenseEdge { letters, marks, target }),
        }
    }

    /// The automaton that begins in other states.
    #[must_use]
    pub fn from_states(&self, initial: Vec<usize>) -> Self {
        Self { initial, ..self.clone() }
    }

    /// The states that can be reached, renumbered from 0 in the order they are met.
    #[must_use]
    pub fn reachable(&self) -> Self {
        let mut number = vec![usize::MAX; self.len()];
        let mut order = Vec::new();
        for &state in &self.initial {
            if number[state] == usize::MAX {
                number[state] = order.len();
                order.push(state);
            }
        }
        let mut at = 0;
        while at < order.len() {
            for edge in &self.edges[order[at]] {
                if number[edge.target] == usize::MAX {
                    number[edge.target] = order.len();
                    order.push(edge.target);
                }
            }
            at += 1;
        }
        self.renumbered(&order, |state| Some(number[state]))
    }

    /// Only these states, in this order; edges to others disappear.
    pub fn renumbered(&self, order: &[usize], number: impl Fn(usize) -> Option<usize>) -> Self {
        let mut dense = Self {
            classes: self.classes,
            sets: self.sets,
            initial: Vec::new(),
            edges: vec![Vec::new(); order.len()],
        };
        for &state in &self.initial {
            if let Some(state) = number(state).filter(|state| !dense.initial.contains(state)) {
                dense.initial.push(state);
            }
        }
        for (source, &state) in order.iter().enumerate() {
            for edge in &self.edges[state] {
                if let Some(target) = number(edge.target) {
                    dense.add_edge(source, edge.letters.clone(), edge.marks, target);
                }
            }
        }
        dense
    }

    /// Whether every class leads a state to at most one other, from one initial state.
    pub fn is_deterministic(&self) -> bool {
        self.initial.len() <= 1
            && self.edges.iter().all(|edges| {
                edges.iter().enumerate().all(|(at, edge)| {
                    edges[..at].iter().all(|other| !other.letters.intersects(&edge.letters))
                })
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt as _, SeedableRng as _};

    /// A few random cubes, and what two of them share or do not.
    fn labels(space: &Space, random: &mut StdRng) -> Vec<Function> {
        let count = random.random_range(1..8);
        let mut labels: Vec<Function> = Vec::new();
        for _ in 0..count {
            let literals = (0..random.random_range(1..4))
                .map(|_| (random.random_range(0..6), random.random()));
            let cube = space.cube(literals.collect::<Vec<_>>());
            labels.push(match labels.last() {
                Some(last) if random.random() => cube.or(last),
                Some(last) if random.random() => last.and_not(&cube),
                _ => cube,
            });
        }
        labels
    }

    #[test]
    fn both_ways_make_the_same_classes() {
        let space = Space::new(6).expect("six variables");
        let mut cut_most = 0;
        for seed in 0..300 {
            let labels = labels(&space, &mut StdRng::seed_from_u64(seed));
            let labels: Vec<&Function> = labels.iter().collect();
            let one = by_cutting(&space, &labels).expect("few classes");
            let two = by_letters(&space, &labels).expect("few atoms");
            let sets = (one.iter().collect::<AHashSet<_>>(), two.iter().collect::<AHashSet<_>>());
            assert_eq!(sets.0, sets.1, "seed {seed}");
            assert_eq!((one.len(), two.len()), (sets.0.len(), sets.0.len()), "seed {seed}");
            cut_most = cut_most.max(one.len());
            for class in one {
                let example = class.example().expect("no class is empty");
                assert!(class.holds(&example), "seed {seed}");
            }
        }
        assert!(cut_most > 8, "{cut_most}");
    }
}
