//! Strongly connected components, and which of them can be accepted in.
//!
//! Tarjan's algorithm with an explicit stack; components are numbered so that every edge between
//! two leads to a smaller number.

use super::letters::{Dense, DenseEdge, Letters};
use super::{Automaton, Edge, Marks, StateId};

/// The components of a graph.
#[derive(Clone, Debug)]
pub struct Components {
    /// The component of each state.
    pub of: Vec<usize>,
    /// How many there are.
    pub count: usize,
}

/// The components of a graph of `count` states; `successor(state, n)` is its n-th next state.
pub fn components(
    count: usize,
    mut successor: impl FnMut(usize, usize) -> Option<usize>,
) -> Components {
    const NEW: usize = usize::MAX;
    let mut of = vec![NEW; count];
    let mut order = vec![NEW; count];
    let mut low = vec![0; count];
    let (mut clock, mut found) = (0, 0);
    let mut open = Vec::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..count {
        if order[root] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((state, next)) = path.last_mut() {
            let state = *state;
            if *next == 0 {
                order[state] = clock;
                low[state] = clock;
                clock += 1;
                open.push(state);
            }
            *next += 1;
            if let Some(target) = successor(state, *next - 1) {
                if order[target] == NEW {
                    path.push((target, 0));
                } else if of[target] == NEW {
                    low[state] = low[state].min(order[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[state]);
            }
            if low[state] == order[state] {
                while let Some(member) = open.pop() {
                    of[member] = found;
                    if member == state {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    Components { of, count: found }
}

/// The components of an automaton, and for each whether a run that stays in it can be accepted.
pub fn accepting(dense: &Dense) -> (Components, Vec<bool>) {
    let parts =
        components(dense.len(), |state, next| dense.edges[state].get(next).map(|edge| edge.target));
    let mut marks = vec![None::<Marks>; parts.count];
    for (state, edges) in dense.edges.iter().enumerate() {
        for edge in edges.iter().filter(|edge| parts.of[edge.target] == parts.of[state]) {
            let known = &mut marks[parts.of[state]];
            *known = Some(known.unwrap_or_default().union(edge.marks));
        }
    }
    let all = Marks::all(dense.sets);
    let accepts = marks.into_iter().map(|one| one.is_some_and(|one| all.within(one))).collect();
    (parts, accepts)
}

impl Dense {
    /// Whether no run is accepted.
    pub fn is_language_empty(&self) -> bool {
        let reachable = self.reachable();
        !accepting(&reachable).1.contains(&true)
    }

    /// Without the states from which no run is accepted, and those that are not reached; an
    /// automaton that accepts nothing keeps one state without edges.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        let dense = self.reachable();
        let (parts, accepts) = accepting(&dense);
        // Components are numbered so that what they lead to is known before them.
        let mut useful = accepts;
        let mut by_component: Vec<Vec<usize>> = vec![Vec::new(); parts.count];
        for state in 0..dense.len() {
            by_component[parts.of[state]].push(state);
        }
        for (component, states) in by_component.iter().enumerate() {
            useful[component] |= states
                .iter()
                .flat_map(|&state| &dense.edges[state])
                .any(|edge| useful[parts.of[edge.target]]);
        }
        let order: Vec<_> = (0..dense.len()).filter(|&state| useful[parts.of[state]]).collect();
        let mut number = vec![None; dense.len()];
        for (at, &state) in order.iter().enumerate() {
            number[state] = Some(at);
        }
        let trimmed = dense.renumbered(&order, |state| number[state]);
        if trimmed.initial.is_empty() {
            let (classes, sets) = (dense.classes, dense.sets);
            return Self { classes, sets, initial: vec![0], edges: vec![Vec::new()] };
        }
        trimmed
    }
}

impl Automaton {
    /// The automaton over one class of letters: its paths and marks, edge by edge.
    pub(super) fn skeleton(&self) -> Dense {
        let mut letters = Letters::none(1);
        letters.insert(0);
        let dense_edge = |edge: &Edge| DenseEdge {
            letters: letters.clone(),
            marks: edge.marks,
            target: edge.target.index(),
        };
        Dense {
            classes: 1,
            sets: self.sets,
            initial: self.initial.iter().map(|state| state.index()).collect(),
            edges: self.edges.iter().map(|edges| edges.iter().map(dense_edge).collect()).collect(),
        }
    }

    /// Which states are of no component that a run can be accepted in: runs only pass them.
    pub fn passed(&self) -> Vec<bool> {
        let (parts, accepts) = accepting(&self.skeleton());
        parts.of.into_iter().map(|part| !accepts[part]).collect()
    }

    /// Without the states from which no run is accepted.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        let (parts, mut useful) = accepting(&self.skeleton());
        let mut by_component: Vec<Vec<StateId>> = vec![Vec::new(); parts.count];
        for state in self.states() {
            by_component[parts.of[state.index()]].push(state);
        }
        for (component, states) in by_component.iter().enumerate() {
            useful[component] |= states
                .iter()
                .flat_map(|&state| self.edges_of(state))
                .any(|edge| useful[parts.of[edge.target.index()]]);
        }
        let kept: Vec<StateId> =
            self.states().filter(|state| useful[parts.of[state.index()]]).collect();
        let number = |state: &StateId| kept.binary_search(state).ok().map(|at| StateId(at as u32));
        let mut trimmed = Self { initial: Vec::new(), edges: Vec::new(), ..self.clone() };
        trimmed.initial = self.initial.iter().filter_map(number).collect();
        for &state in &kept {
            let edges = self.edges_of(state).iter().filter_map(|edge| {
                number(&edge.target).map(|target| Edge { target, ..edge.clone() })
            });
            trimmed.edges.push(edges.collect());
        }
        if trimmed.initial.is_empty() {
            trimmed.edges = vec![Vec::new()];
            trimmed.initial = vec![StateId(0)];
        }
        trimmed
    }
}
