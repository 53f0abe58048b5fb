//! Whether an automaton accepts a given run, and runs along its paths.

use super::components::components;
use super::{Automaton, Marks};
use crate::cubes::cubes;
use crate::formula::Atom;
use crate::lasso::{Lasso, Valuation};
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

impl Automaton {
    /// A run along some path, `choose(n)` choosing one of n ways at each step; none if the path ends.
    ///
    /// The path need not be accepting. Such runs come close to what a formula speaks of, which
    /// letters chosen blindly seldom do.
    pub fn walk(&self, mut choose: impl FnMut(usize) -> usize) -> Option<Lasso> {
        let mut at = *self.initial.get(choose(self.initial.len().max(1)))?;
        let (mut states, mut letters) = (vec![at], Vec::new());
        let least = choose(12);
        // A path of this length meets some state twice.
        for step in 0..=least + self.edges.len() {
            let edges = self.edges_of(at);
            let edge = edges.get(choose(edges.len().max(1)))?;
            let products = cubes(&self.space, &edge.label)?;
            let product = products.get(choose(products.len().max(1)))?;
            let mut letter = Valuation::default();
            for atom in 0..self.space.len() {
                let fixed = product.iter().find(|literal| literal.0 == atom);
                if fixed.map_or_else(|| choose(2) == 1, |literal| literal.1) {
                    letter.insert(Atom(atom as u32));
                }
            }
            letters.push(letter);
            at = edge.target;
            let earlier: Vec<usize> = (0..states.len()).filter(|&one| states[one] == at).collect();
            if step >= least && !earlier.is_empty() {
                let cycle = letters.split_off(earlier[choose(earlier.len())]);
                return Lasso::new(letters, cycle);
            }
            states.push(at);
        }
        None
    }
}
