//! Acceptance sets that are not needed, and marks that say nothing.
//!
//! What counts is the component in which a run stays. In a component a set is superfluous if
//! another one is within it, or if every cycle meets it; the sets that are left are numbered anew in
//! each component, so that the automaton needs as many as the worst component does. Marks on an
//! edge between components, or in one where nothing is accepted, can be chosen freely; they are
//! chosen so that states become alike (as `scc_filter` does in Spot).

use super::Marks;
use super::components::{accepting, components};
use super::letters::Dense;

/// The marks of edges that lead from one component to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// None, which is how an automaton is shown.
    None,
    /// All, which lets such an edge take the place of others.
    All,
}

impl Dense {
    /// The same language with as few sets as the components need.
    #[must_use]
    pub fn with_few_marks(&self, between: Between) -> Self {
        let (parts, accepts) = accepting(self);
        let mut inside: Vec<Vec<(usize, usize)>> = vec![Vec::new(); parts.count];
        for (state, edges) in self.edges.iter().enumerate() {
            for (at, edge) in edges.iter().enumerate() {
                if parts.of[edge.target] == parts.of[state] {
                    inside[parts.of[state]].push((state, at));
                }
            }
        }
        let needed: Vec<Vec<u32>> = (0..parts.count)
            .map(|part| if accepts[part] { self.needed(&inside[part]) } else { Vec::new() })
            .collect();
        let rejects = (0..parts.count).any(|part| !accepts[part] && !inside[part].is_empty());
        let most = needed.iter().map(Vec::len).max().unwrap_or(0) as u32;
        let sets = most.max(u32::from(rejects));
        let all = Marks::all(sets);
        let free = if between == Between::All { all } else { Marks::NONE };
        let mut dense = Self { sets, edges: vec![Vec::new(); self.len()], ..self.clone() };
        for (state, edges) in self.edges.iter().enumerate() {
            let part = parts.of[state];
            for edge in edges {
                let marks = if parts.of[edge.target] != part {
                    free
                } else if accepts[part] {
                    let mut marks = Marks(all.0 & !Marks::all(needed[part].len() as u32).0);
                    for (number, &set) in needed[part].iter().enumerate() {
                        if edge.marks.contains(set) {
                            marks = marks.union(Marks::one(number as u32));
                        }
                    }
                    marks
                } else {
                    Marks::NONE
                };
                dense.add_edge(state, edge.letters.clone(), marks, edge.target);
            }
        }
        dense
    }

    /// Marks added wherever they change nothing: an edge on no cycle without a set may as well bear
    /// it. States become more alike.
    #[must_use]
    pub fn with_many_marks(&self) -> Self {
        let mut dense = self.clone();
        for set in 0..self.sets {
            let part = self.parts_without(set);
            for (state, edges) in dense.edges.iter_mut().enumerate() {
                for edge in edges.iter_mut().filter(|edge| part[state] != part[edge.target]) {
                    edge.marks = edge.marks.union(Marks::one(set));
                }
            }
        }
        dense.joined()
    }

    /// Marks chosen so that, as far as possible, all edges into a state bear a set or none does:
    /// then the state need not remember how it was entered.
    #[must_use]
    pub fn with_uniform_marks(&self) -> Self {
        let mut dense = self.clone();
        for set in 0..self.sets {
            for target in 0..self.len() {
                let into = |dense: &Self| -> Vec<(usize, usize)> {
                    let all = dense.edges.iter().enumerate();
                    all.flat_map(|(state, edges)| {
                        let here = edges.iter().enumerate();
                        here.filter(|(_, edge)| edge.target == target)
                            .map(move |(at, _)| (state, at))
                    })
                    .collect()
                };
                let edges = into(&dense);
                // Without the set, if that makes no new cycle without it.
                let mut without = dense.clone();
                for &(state, at) in &edges {
                    without.edges[state][at].marks.0 &= !Marks::one(set).0;
                }
                let part = without.parts_without(set);
                let fine = edges.iter().all(|&(state, at)| {
                    !dense.edges[state][at].marks.contains(set) || part[state] != part[target]
                });
                if fine {
                    dense = without;
                    continue;
                }
                let part = dense.parts_without(set);
                let fine = edges.iter().all(|&(state, at)| {
                    dense.edges[state][at].marks.contains(set) || part[state] != part[target]
                });
                if fine {
                    for &(state, at) in &edges {
                        dense.edges[state][at].marks =
                            dense.edges[state][at].marks.union(Marks::one(set));
                    }
                }
            }
        }
        dense.joined()
    }

    /// The components of what is left without the edges of a set.
    fn parts_without(&self, set: u32) -> Vec<usize> {
        let left = |edges: &Vec<super::letters::DenseEdge>| -> Vec<usize> {
            let left = edges.iter().filter(|edge| !edge.marks.contains(set));
            left.map(|edge| edge.target).collect()
        };
        let next: Vec<Vec<usize>> = self.edges.iter().map(left).collect();
        components(self.len(), |state, at| next[state].get(at).copied()).of
    }

    /// Edges with the same marks and target as one edge.
    fn joined(&self) -> Self {
        let mut dense = Self { edges: vec![Vec::new(); self.len()], ..self.clone() };
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                dense.add_edge(state, edge.letters.clone(), edge.marks, edge.target);
            }
        }
        dense
    }

    /// The sets that decide about the runs of a component, given by its edges.
    fn needed(&self, inside: &[(usize, usize)]) -> Vec<u32> {
        let marks = |&(state, at): &(usize, usize)| self.edges[state][at].marks;
        let mut needed: Vec<u32> =
            (0..self.sets).filter(|&set| self.has_cycle_without(inside, set)).collect();
        let mut at = 0;
        while at < needed.len() {
            let set = needed[at];
            let superfluous = needed.iter().any(|&other| {
                other != set
                    && inside
                        .iter()
                        .map(marks)
                        .all(|marks| !marks.contains(other) || marks.contains(set))
            });
            if superfluous {
                needed.remove(at);
            } else {
                at += 1;
            }
        }
        needed
    }

    /// Whether a cycle of a component avoids a set.
    fn has_cycle_without(&self, inside: &[(usize, usize)], set: u32) -> bool {
        let left: Vec<_> = inside
            .iter()
            .map(|&(state, at)| (state, &self.edges[state][at]))
            .filter(|(_, edge)| !edge.marks.contains(set))
            .map(|(state, edge)| (state, edge.target))
            .collect();
        let mut states: Vec<usize> = left.iter().flat_map(|&(from, to)| [from, to]).collect();
        states.sort_unstable();
        states.dedup();
        let number = |state: usize| states.binary_search(&state).unwrap_or(0);
        let mut next = vec![Vec::new(); states.len()];
        for &(from, to) in &left {
            if from == to {
                return true;
            }
            next[number(from)].push(number(to));
        }
        let parts = components(states.len(), |state, at| next[state].get(at).copied());
        parts.count < states.len()
    }
}
