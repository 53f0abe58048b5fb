//! The minimal weak deterministic automaton of an obligation.
//!
//! Boolean combinations of safety and guarantee formulas, and no others, have weak deterministic
//! automata, and those have a unique smallest one (Löding 2001). It is found without knowing
//! whether the formula is an obligation (Dax, Eisinger & Klaedtke 2007): determinise by subsets, ask
//! for one cycle of each component whether the automaton accepts it, minimise, and then check that
//! the result is equivalent. If it is not, the formula was no obligation.

use super::Marks;
use super::components::components;
use super::letters::{Dense, Letters};
use super::marks::Between;
use super::product::is_disjoint;
use ahash::AHashMap;
use std::collections::VecDeque;

/// How many successors of subsets are computed before giving up, unless the caller says less.
pub const MOST_STEPS: usize = 400_000;

/// A complete deterministic automaton whose states are sets of states; `next[state][class]`.
pub(super) struct Subsets {
    /// The sets, each ascending; the first is the initial one.
    pub(super) states: Vec<Box<[u32]>>,
    /// The state each class leads to.
    pub(super) next: Vec<Vec<u32>>,
}

/// The subsets that can be reached; none if there are too many.
pub(super) fn subsets(dense: &Dense, most_steps: usize) -> Option<Subsets> {
    let mut first: Vec<u32> = dense.initial.iter().map(|&state| state as u32).collect();
    first.sort_unstable();
    first.dedup();
    let mut found = Subsets { states: vec![first.clone().into()], next: Vec::new() };
    let mut number: AHashMap<Box<[u32]>, u32> = AHashMap::default();
    number.insert(first.into(), 0);
    while found.next.len() < found.states.len() {
        if found.states.len() * dense.classes > most_steps {
            return None;
        }
        let state = found.states[found.next.len()].clone();
        let mut row = Vec::with_capacity(dense.classes);
        for class in 0..dense.classes {
            let mut targets: Vec<u32> = state
                .iter()
                .flat_map(|&one| &dense.edges[one as usize])
                .filter(|edge| edge.letters.contains(class))
                .map(|edge| edge.target as u32)
                .collect();
            targets.sort_unstable();
            targets.dedup();
            let targets: Box<[u32]> = targets.into();
            let next = *number.entry(targets.clone()).or_insert_with(|| {
                found.states.push(targets);
                found.states.len() as u32 - 1
            });
            row.push(next);
        }
        found.next.push(row);
    }
    Some(found)
}

/// The minimal weak deterministic automaton that is equivalent to the first automaton, where the
/// second one accepts exactly the other runs; none if there is no such automaton, or it is too
/// large to be found.
pub fn minimal_weak(dense: &Dense, complement: &Dense) -> Option<Dense> {
    let subsets = subsets(dense, MOST_STEPS)?;
    let colors = colors(dense, &subsets);
    let minimal = minimize(&subsets, &colors);
    let weak = |flip: bool| weak_automaton(&minimal, dense.classes, flip);
    let candidate = weak(false);
    if !is_disjoint(&candidate, complement) || !is_disjoint(&weak(true), dense) {
        return None;
    }
    Some(candidate.trimmed().with_few_marks(Between::None))
}

/// A color for every subset, even where its component accepts (Löding): components that see each
/// other only through equal colors can be merged.
fn colors(dense: &Dense, subsets: &Subsets) -> Vec<usize> {
    let count = subsets.states.len();
    let parts =
        components(count, |state, class| subsets.next[state].get(class).map(|&to| to as usize));
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); parts.count];
    for state in 0..count {
        members[parts.of[state]].push(state);
    }
    let mut color = vec![0_usize; parts.count];
    for part in 0..parts.count {
        let below = members[part]
            .iter()
            .flat_map(|&state| &subsets.next[state])
            .map(|&next| parts.of[next as usize])
            .filter(|&next| next != part)
            .map(|next| color[next])
            .max();
        let cycle = members[part]
            .iter()
            .find_map(|&state| cycle(subsets, &parts.of, state).map(|word| (state, word)));
        color[part] = match (cycle, below) {
            (None, below) => below.unwrap_or(0),
            (Some((state, word)), below) => {
                let least = below.unwrap_or(0);
                let accepts = accepts_cycle(dense, &subsets.states[state], &word);
                least + usize::from(least.is_multiple_of(2) != accepts)
            }
        };
    }
    (0..count).map(|state| color[parts.of[state]]).collect()
}

/// A word that leads a subset back to itself.
fn cycle(subsets: &Subsets, component: &[usize], start: usize) -> Option<Vec<usize>> {
    let mut came: AHashMap<usize, (usize, usize)> = AHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        for (class, &next) in subsets.next[state].iter().enumerate() {
            let next = next as usize;
            if next == start {
                let mut word = vec![class];
                let mut at = state;
                while at != start {
                    let (before, class) = came[&at];
                    word.push(class);
                    at = before;
                }
                word.reverse();
                return Some(word);
            }
            if component[next] == component[start] && !came.contains_key(&next) {
                came.insert(next, (state, class));
                queue.push_back(next);
            }
        }
    }
    None
}

/// Whether the automaton, begun in one of some states, accepts a word repeated for ever.
fn accepts_cycle(dense: &Dense, from: &[u32], word: &[usize]) -> bool {
    let at = |state: usize, position: usize| state * word.len() + position;
    let mut edges: Vec<Vec<(usize, Marks)>> = vec![Vec::new(); dense.len() * word.len()];
    let mut seen = vec![false; edges.len()];
    let mut work: Vec<(usize, usize)> = from.iter().map(|&state| (state as usize, 0)).collect();
    while let Some((state, position)) = work.pop() {
        if std::mem::replace(&mut seen[at(state, position)], true) {
            continue;
        }
        let following = (position + 1) % word.len();
        for edge in &dense.edges[state] {
            if edge.letters.contains(word[position]) {
                edges[at(state, position)].push((at(edge.target, following), edge.marks));
                work.push((edge.target, following));
            }
        }
    }
    let parts = components(edges.len(), |state, next| edges[state].get(next).map(|edge| edge.0));
    let mut gathered = vec![None::<Marks>; parts.count];
    for (state, leaving) in edges.iter().enumerate() {
        for &(target, marks) in leaving {
            if parts.of[target] == parts.of[state] {
                let known = &mut gathered[parts.of[state]];
                *known = Some(known.unwrap_or_default().union(marks));
            }
        }
    }
    let all = Marks::all(dense.sets);
    gathered.into_iter().any(|marks| marks.is_some_and(|marks| all.within(marks)))
}

/// A complete deterministic automaton: the first state is initial.
struct Minimal {
    next: Vec<Vec<u32>>,
    accepting: Vec<bool>,
}

/// Moore's minimisation, with the parity of colors as the first partition.
fn minimize(subsets: &Subsets, colors: &[usize]) -> Minimal {
    let mut class: Vec<u32> = colors.iter().map(|color| (color % 2) as u32).collect();
    let mut count = 0;
    loop {
        let mut number: AHashMap<(u32, Vec<u32>), u32> = AHashMap::default();
        let refined: Vec<u32> = (0..class.len())
            .map(|state| {
                let row = subsets.next[state].iter().map(|&next| class[next as usize]).collect();
                let fresh = number.len() as u32;
                *number.entry((class[state], row)).or_insert(fresh)
            })
            .collect();
        class = refined;
        if number.len() == count {
            break;
        }
        count = number.len();
    }
    let mut minimal = Minimal { next: vec![Vec::new(); count], accepting: vec![false; count] };
    for state in 0..class.len() {
        let at = class[state] as usize;
        if minimal.next[at].is_empty() {
            minimal.next[at] =
                subsets.next[state].iter().map(|&next| class[next as usize]).collect();
            minimal.accepting[at] = colors[state].is_multiple_of(2);
        }
    }
    minimal
}

fn weak_automaton(minimal: &Minimal, classes: usize, flip: bool) -> Dense {
    let mut dense =
        Dense { classes, sets: 1, initial: vec![0], edges: vec![Vec::new(); minimal.next.len()] };
    for (state, row) in minimal.next.iter().enumerate() {
        let marks = if minimal.accepting[state] != flip { Marks::one(0) } else { Marks::NONE };
        for (class, &target) in row.iter().enumerate() {
            let mut letters = Letters::none(classes);
            letters.insert(class);
            dense.add_edge(state, letters, marks, target as usize);
        }
    }
    dense
}
