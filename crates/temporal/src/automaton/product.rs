//! Products of automata: the runs that both accept.

use super::Marks;
use super::components::components;
use super::letters::Dense;
use ahash::AHashMap;

/// Whether no run is accepted by both automata, which must be over the same classes.
///
/// The product is never built: only its pairs are numbered, and their marks gathered by component.
pub fn is_disjoint(left: &Dense, right: &Dense) -> bool {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut number: AHashMap<(usize, usize), usize> = AHashMap::default();
    let mut edges: Vec<Vec<(usize, u128)>> = Vec::new();
    let mut meet = |pair, pairs: &mut Vec<_>| {
        *number.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            pairs.len() - 1
        })
    };
    for &one in &left.initial {
        for &two in &right.initial {
            meet((one, two), &mut pairs);
        }
    }
    while edges.len() < pairs.len() {
        let (one, two) = pairs[edges.len()];
        let mut leaving = Vec::new();
        for first in &left.edges[one] {
            for second in &right.edges[two] {
                if first.letters.intersects(&second.letters) {
                    let target = meet((first.target, second.target), &mut pairs);
                    leaving.push((target, both(first.marks, second.marks)));
                }
            }
        }
        edges.push(leaving);
    }
    let parts = components(pairs.len(), |state, next| edges[state].get(next).map(|edge| edge.0));
    let mut gathered = vec![None::<u128>; parts.count];
    for (state, leaving) in edges.iter().enumerate() {
        for &(target, marks) in leaving {
            if parts.of[target] == parts.of[state] {
                let known = &mut gathered[parts.of[state]];
                *known = Some(known.unwrap_or(0) | marks);
            }
        }
    }
    let all = both(Marks::all(left.sets), Marks::all(right.sets));
    !gathered.into_iter().any(|marks| marks.is_some_and(|marks| all & !marks == 0))
}

fn both(left: Marks, right: Marks) -> u128 {
    u128::from(left.0) << 64 | u128::from(right.0)
}
