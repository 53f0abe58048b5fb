//! Fewer states of a deterministic Büchi automaton, by merging states that accept the same.
//!
//! Deterministic Büchi automata have no unique smallest form, and finding a smallest one is hard
//! (Schewe 2010). But states can only be merged if the same runs are accepted from both, which one
//! look at the pairs of states decides, and whether a merge is harmless is decided by the products
//! with the formula's automaton and its complement's. So merges are tried, one after the other.

use super::Marks;
use super::components::components;
use super::letters::{Dense, Letters};
use super::product::is_disjoint;

/// How many pairs times classes of letters are looked at.
const MOST_PAIRS: usize = 2_000_000;
/// How many merges are tried.
const MOST_TRIALS: usize = 400;

/// An equivalent deterministic automaton with fewer states, where one is found. The automaton has
/// one set; `language` and `complement` accept its runs and all others.
pub fn merge_residuals(dense: &Dense, language: &Dense, complement: &Dense) -> Dense {
    let mut best = dense.trimmed();
    let mut trials = 0;
    'again: loop {
        let Some(same) = Residuals::new(&best) else { return best };
        for kept in 0..best.len() {
            for merged in 0..best.len() {
                if merged == kept || !same.equal(kept, merged) {
                    continue;
                }
                trials += 1;
                if trials > MOST_TRIALS {
                    return best;
                }
                let tried = redirect(&best, merged, kept);
                let right = is_disjoint(&tried, complement)
                    && is_disjoint(&tried.complement_of_deterministic(), language);
                if right {
                    best = tried.trimmed();
                    continue 'again;
                }
            }
        }
        return best;
    }
}

/// Edges to one state lead to another instead.
fn redirect(dense: &Dense, from: usize, to: usize) -> Dense {
    let other = |state: usize| if state == from { to } else { state };
    let mut result = Dense { edges: vec![Vec::new(); dense.len()], ..dense.clone() };
    result.initial = dense.initial.iter().map(|&state| other(state)).collect();
    for (state, edges) in dense.edges.iter().enumerate() {
        for edge in edges {
            result.add_edge(state, edge.letters.clone(), edge.marks, other(edge.target));
        }
    }
    result.reachable()
}

/// Which states accept the same runs.
struct Residuals {
    states: usize,
    /// Bit (s, t): some run is accepted from s and not from t.
    differs: Vec<bool>,
}

impl Residuals {
    fn equal(&self, one: usize, two: usize) -> bool {
        !self.differs[one * self.states + two] && !self.differs[two * self.states + one]
    }

    /// None if there are too many pairs.
    fn new(dense: &Dense) -> Option<Self> {
        // The last state stands for «nowhere», from which nothing is accepted.
        let states = dense.len() + 1;
        let size = states.checked_mul(states)?;
        if size.checked_mul(dense.classes)? > MOST_PAIRS {
            return None;
        }
        let nowhere = states - 1;
        let pieces: Vec<Vec<(Letters, Marks, usize)>> = (0..states)
            .map(|state| {
                let mut missing = Letters::none(dense.classes);
                (0..dense.classes).for_each(|class| missing.insert(class));
                let mut row = Vec::new();
                for edge in dense.edges.get(state).into_iter().flatten() {
                    missing.remove(&edge.letters);
                    row.push((edge.letters.clone(), edge.marks, edge.target));
                }
                row.push((missing, Marks::NONE, nowhere));
                row
            })
            .collect();
        let mut edges: Vec<Vec<(usize, Marks, Marks)>> = Vec::with_capacity(size);
        for one in 0..states {
            for two in 0..states {
                let mut leaving = Vec::new();
                for (letters, marks, target) in &pieces[one] {
                    for (others, other_marks, other) in &pieces[two] {
                        if letters.intersects(others) {
                            leaving.push((target * states + other, *marks, *other_marks));
                        }
                    }
                }
                edges.push(leaving);
            }
        }
        // Rejected by the second: from some time on without its mark, which «nowhere» never has.
        let all = Marks::all(dense.sets);
        let rejecting: Vec<Vec<(usize, Marks)>> = edges
            .iter()
            .enumerate()
            .map(|(pair, leaving)| {
                let second = pair % states;
                let unmarked = |edge: &&(usize, Marks, Marks)| {
                    second == nowhere || dense.sets > 0 && edge.2 == Marks::NONE
                };
                leaving.iter().filter(unmarked).map(|edge| (edge.0, edge.1)).collect()
            })
            .collect();
        let parts = components(size, |pair, at| rejecting[pair].get(at).map(|edge| edge.0));
        let mut gathered = vec![None::<Marks>; parts.count];
        for (pair, leaving) in rejecting.iter().enumerate() {
            // «Nowhere» accepts nothing, even without sets.
            for &(target, marks) in leaving.iter().filter(|_| pair / states != nowhere) {
                if parts.of[target] == parts.of[pair] {
                    let known = &mut gathered[parts.of[pair]];
                    *known = Some(known.unwrap_or_default().union(marks));
                }
            }
        }
        let mut differs: Vec<bool> = (0..size)
            .map(|pair| gathered[parts.of[pair]].is_some_and(|marks| all.within(marks)))
            .collect();
        // What leads to such a pair differs too.
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); size];
        for (pair, leaving) in edges.iter().enumerate() {
            for edge in leaving {
                before[edge.0].push(pair);
            }
        }
        let mut work: Vec<usize> = (0..size).filter(|&pair| differs[pair]).collect();
        while let Some(pair) = work.pop() {
            for &earlier in &before[pair] {
                if !std::mem::replace(&mut differs[earlier], true) {
                    work.push(earlier);
                }
            }
        }
        Some(Self { states, differs })
    }
}
