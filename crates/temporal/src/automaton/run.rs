//! Whether an automaton accepts a given run.

use super::components::components;
use super::{Automaton, Marks};
use crate::lasso::Lasso;
use ahash::AHashMap;

impl Automaton {
    /// Whether some path over the letters of the run is accepting.
    pub fn accepts(&self, lasso: &Lasso) -> bool {
        let mut pairs = Vec::new();
        let mut number = AHashMap::default();
        for &state in &self.initial {
            number.entry((state, 0)).or_insert_with(|| {
                pairs.push((state, 0));
                pairs.len() - 1
            });
        }
        let mut edges: Vec<Vec<(usize, Marks)>> = Vec::new();
        while edges.len() < pairs.len() {
            let (state, position) = pairs[edges.len()];
            let mut leaving = Vec::new();
            for edge in self.edges_of(state) {
                if edge.label.holds(lasso.letter(position)) {
                    let pair = (edge.target, lasso.following(position));
                    let target = *number.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    leaving.push((target, edge.marks));
                }
            }
            edges.push(leaving);
        }
        let parts =
            components(pairs.len(), |state, next| edges[state].get(next).map(|edge| edge.0));
        let mut gathered = vec![None::<Marks>; parts.count];
        for (state, leaving) in edges.iter().enumerate() {
            for &(target, marks) in leaving {
                if parts.of[target] == parts.of[state] {
                    let known = &mut gathered[parts.of[state]];
                    *known = Some(known.unwrap_or_default().union(marks));
                }
            }
        }
        let all = Marks::all(self.sets);
        gathered.into_iter().any(|marks| marks.is_some_and(|marks| all.within(marks)))
    }
}
