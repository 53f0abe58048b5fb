//! Fewer states and edges by direct simulation, forwards and backwards.
//!
//! State `t` simulates `s` if every edge of `s` is matched, letter by letter, by an edge of `t` with
//! at least its marks, and the targets likewise. States that simulate each other are one state; an
//! edge to a state is dropped where a better one has the same letter (Somenzi & Bloem 2000; Etessami,
//! Wilke & Schuller 2001; on transitions, Babiak et al. 2013). The same on the reversed automaton
//! merges states with the same past. The relation is a square of bits refined until it is stable,
//! which is enough for some thousand edges; larger automata are left alone.

use super::components::accepting;
use super::letters::Alphabet;
use super::letters::{Dense, DenseEdge};
use super::marks::Between;
use super::{Automaton, Marks};

/// How many pairs of edges are compared in one round, at most.
const MOST_COMPARISONS: usize = 4_000_000;

/// An equivalent automaton with fewer states, if the reductions find one; where labels cut the
/// letters into too many classes, useless states are cut and nothing else is done.
pub fn reduce(automaton: &Automaton) -> Automaton {
    let Some(alphabet) = Alphabet::of([automaton]) else { return automaton.trimmed() };
    let dense = reduce_dense(&Dense::new(automaton, &alphabet));
    dense.to_automaton(&automaton.vocabulary, &alphabet)
}

/// Useless states cut, marks simplified, and simulation both ways until nothing changes.
pub fn reduce_dense(dense: &Dense) -> Dense {
    best_of(dense, |current| backwards(&forwards(current).trimmed()))
}

/// The reductions that keep an automaton deterministic.
pub fn reduce_deterministic(dense: &Dense) -> Dense {
    best_of(dense, forwards)
}

/// Repeats a step as long as it helps. Marks that say nothing can be chosen; which choice makes
/// most states alike differs from automaton to automaton, so several are tried.
fn best_of(dense: &Dense, step: impl Fn(&Dense) -> Dense) -> Dense {
    let mut best = dense.trimmed().with_few_marks(Between::None);
    let choices: [fn(&Dense) -> Dense; 4] = [
        |dense| dense.with_few_marks(Between::All),
        |dense| dense.with_few_marks(Between::None),
        |dense| dense.with_few_marks(Between::All),
        |dense| dense.with_few_marks(Between::All).with_many_marks(),
    ];
    let mut current = best.clone();
    for choose in choices {
        loop {
            let before = size(&current);
            current = step(&choose(&current)).trimmed();
            if size(&current) >= before {
                break;
            }
        }
        current = current.with_few_marks(Between::None);
        if size(&current) < size(&best) {
            best = current.clone();
        }
        current = best.clone();
    }
    best
}

/// For automata whose states, not edges, carry the one set: states are merged so that this stays.
pub fn reduce_state_based(dense: &Dense) -> Dense {
    let mut current = dense.trimmed();
    loop {
        let before = size(&current);
        let (parts, _) = accepting(&current);
        let mut inside = vec![false; current.len()];
        for (state, edges) in current.edges.iter().enumerate() {
            inside[state] = edges.iter().any(|edge| parts.of[edge.target] == parts.of[state]);
        }
        // A state on no cycle may be called accepting.
        for (state, edges) in current.edges.iter_mut().enumerate() {
            if !inside[state] {
                edges.iter_mut().for_each(|edge| edge.marks = Marks::all(current.sets));
            }
        }
        current = forwards(&current).trimmed();
        if size(&current) >= before {
            return current;
        }
    }
}

fn size(dense: &Dense) -> (usize, u32, usize) {
    (dense.len(), dense.sets, dense.edges.iter().map(Vec::len).sum())
}

/// The quotient by simulation, with dominated edges dropped.
fn forwards(dense: &Dense) -> Dense {
    if too_large(dense) {
        return dense.clone();
    }
    let simulated = relation(&dense.edges, |_, _| true);
    let representative = representatives(&simulated);
    let edges = quotient(dense, &dense.edges, &representative, &simulated);
    let initial = dense.initial.iter().map(|&state| representative[state]);
    let mut kept: Vec<usize> = Vec::new();
    for state in initial {
        let superfluous = |other: &usize| simulated.get(state, *other);
        if !kept.iter().any(superfluous) {
            kept.retain(|&other| !simulated.get(other, state));
            kept.push(state);
        }
    }
    Dense { initial: kept, edges, ..*dense }
}

/// The same on the reversed automaton: what must be matched is also being initial.
fn backwards(dense: &Dense) -> Dense {
    if too_large(dense) {
        return dense.clone();
    }
    let mut reversed = vec![Vec::new(); dense.len()];
    for (source, edges) in dense.edges.iter().enumerate() {
        for edge in edges {
            reversed[edge.target].push(DenseEdge { target: source, ..edge.clone() });
        }
    }
    let initial = |state| dense.initial.contains(&state);
    let simulated = relation(&reversed, |one, two| !initial(one) || initial(two));
    let representative = representatives(&simulated);
    let kept = quotient(dense, &reversed, &representative, &simulated);
    let mut result = Dense { initial: Vec::new(), edges: vec![Vec::new(); dense.len()], ..*dense };
    for &state in &dense.initial {
        if !result.initial.contains(&representative[state]) {
            result.initial.push(representative[state]);
        }
    }
    for (target, edges) in kept.into_iter().enumerate() {
        for edge in edges {
            result.add_edge(edge.target, edge.letters, edge.marks, target);
        }
    }
    result
}

/// Whether comparing every edge with every other takes too long.
fn too_large(dense: &Dense) -> bool {
    let edges: usize = dense.edges.iter().map(Vec::len).sum();
    let words = dense.classes.div_ceil(64);
    let pairs = dense.len().max(edges).saturating_pow(2);
    pairs.saturating_mul(words) > MOST_COMPARISONS
}

/// A square of bits.
struct Square {
    size: usize,
    bits: Vec<bool>,
}

impl Square {
    fn get(&self, row: usize, column: usize) -> bool {
        self.bits[row * self.size + column]
    }
}

/// The greatest simulation: bit (s, t) says that t simulates s.
fn relation(edges: &[Vec<DenseEdge>], may: impl Fn(usize, usize) -> bool) -> Square {
    let size = edges.len();
    let mut square = Square { size, bits: vec![false; size * size] };
    for row in 0..size {
        for column in 0..size {
            square.bits[row * size + column] = may(row, column);
        }
    }
    // A pair is looked at again when a pair behind it has fallen.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); size];
    for (state, leaving) in edges.iter().enumerate() {
        for edge in leaving {
            if before[edge.target].last() != Some(&state) {
                before[edge.target].push(state);
            }
        }
    }
    let mut fallen = Vec::new();
    let look = |row: usize, column: usize, square: &mut Square, fallen: &mut Vec<_>| {
        let holds = row == column
            || !square.get(row, column)
            || edges[row].iter().all(|edge| matches(edge, &edges[column], square));
        if !holds {
            square.bits[row * size + column] = false;
            fallen.push((row, column));
        }
    };
    for row in 0..size {
        for column in 0..size {
            look(row, column, &mut square, &mut fallen);
        }
    }
    // Pairs that were never allowed count as fallen, but all were looked at with that known.
    while let Some((one, two)) = fallen.pop() {
        for &row in &before[one] {
            for &column in &before[two] {
                look(row, column, &mut square, &mut fallen);
            }
        }
    }
    square
}

fn matches(edge: &DenseEdge, others: &[DenseEdge], square: &Square) -> bool {
    let mut left = edge.letters.clone();
    for other in others {
        if edge.marks.within(other.marks) && square.get(edge.target, other.target) {
            left.remove(&other.letters);
            if left.is_empty() {
                return true;
            }
        }
    }
    left.is_empty()
}

/// The first state that simulates each state and is simulated by it.
fn representatives(square: &Square) -> Vec<usize> {
    (0..square.size)
        .map(|state| {
            (0..state)
                .find(|&other| square.get(state, other) && square.get(other, state))
                .unwrap_or(state)
        })
        .collect()
}

/// The edges of the representatives, between representatives, without those that others dominate.
fn quotient(
    dense: &Dense,
    edges: &[Vec<DenseEdge>],
    representative: &[usize],
    square: &Square,
) -> Vec<Vec<DenseEdge>> {
    let mut scratch = Dense { initial: Vec::new(), edges: vec![Vec::new(); edges.len()], ..*dense };
    for (state, leaving) in edges.iter().enumerate() {
        if representative[state] == state {
            for edge in leaving {
                let target = representative[edge.target];
                scratch.add_edge(state, edge.letters.clone(), edge.marks, target);
            }
        }
    }
    for leaving in &mut scratch.edges {
        let all = leaving.clone();
        for edge in leaving.iter_mut() {
            for other in &all {
                let better = edge.marks.within(other.marks)
                    && square.get(edge.target, other.target)
                    && (edge.marks, edge.target) != (other.marks, other.target);
                if better {
                    edge.letters.remove(&other.letters);
                }
            }
        }
        leaving.retain(|edge| !edge.letters.is_empty());
    }
    scratch.edges
}
