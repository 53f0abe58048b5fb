//! Partition refinement of graphs that were built: whether two systems are bisimilar when a move is
//! any number of `tau` and one action that is seen.
//!
//! States on one cycle of `tau` can do the same, so the components of the `tau` graph are what is
//! refined. Each round gives every component the set of its moves as its new class, an action with
//! the class it leads to; what is behind a `tau` comes first, so that its moves are known (S. Blom and
//! S. Orzan, Distributed branching bisimulation reduction of state spaces, 2003: signatures).

use std::collections::{BTreeSet, HashMap};

use anyhow::Context as _;

/// Two systems in one.
pub(super) struct Systems {
    initial: Vec<usize>,
    /// Of each state its transitions: the number of the action, 0 for `tau`, and where it leads.
    transitions: Vec<Vec<(u32, usize)>>,
}

/// Reads `.aut` files that pverify has written.
pub(super) fn read(files: &[String]) -> anyhow::Result<Systems> {
    let mut systems = Systems { initial: Vec::new(), transitions: Vec::new() };
    let mut labels = HashMap::from([("\"tau\"".to_owned(), 0)]);
    for file in files {
        let offset = systems.transitions.len();
        let mut lines = file.lines();
        let header = lines.next().context("an empty file")?;
        let states = header.rsplit(", ").next().and_then(|last| last.strip_suffix(')'));
        let states: usize = states.context("no header")?.parse()?;
        systems.initial.push(offset);
        systems.transitions.resize(offset + states, Vec::new());
        for line in lines {
            let parts = line.strip_prefix('(').and_then(|line| line.strip_suffix(')'));
            let (from, rest) = parts.and_then(|line| line.split_once(", ")).context("no line")?;
            let (label, to) = rest.rsplit_once(", ").context("no label")?;
            let next = labels.len() as u32;
            let label = match labels.get(label) {
                Some(&label) => label,
                None => *labels.entry(label.to_owned()).or_insert(next),
            };
            let (from, to): (usize, usize) = (from.parse()?, to.parse()?);
            systems.transitions[offset + from].push((label, offset + to));
        }
    }
    Ok(systems)
}

impl Systems {
    /// How many states and transitions there are.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.transitions.len(), self.transitions.iter().map(Vec::len).sum())
    }

    /// Whether the initial states are related.
    pub(super) fn related(&self) -> bool {
        let (component, count) = self.components();
        let mut members = vec![Vec::new(); count];
        for (state, &component) in component.iter().enumerate() {
            members[component].push(state);
        }
        let mut classes = vec![0; count];
        let mut known = 1;
        loop {
            let mut numbers: HashMap<BTreeSet<(u32, u32)>, u32> = HashMap::new();
            let mut signatures: Vec<u32> = Vec::with_capacity(count);
            let mut sets: Vec<BTreeSet<(u32, u32)>> = Vec::new();
            // Components are numbered in the order in which they were left: those behind come first.
            for (number, states) in members.iter().enumerate() {
                let mut moves = BTreeSet::new();
                for &(label, to) in states.iter().flat_map(|&state| &self.transitions[state]) {
                    let to = component[to];
                    if label != 0 {
                        moves.insert((label, classes[to]));
                    } else if to != number {
                        moves.extend(sets[signatures[to] as usize].iter().copied());
                    }
                }
                let next = sets.len() as u32;
                let class = *numbers.entry(moves).or_insert_with_key(|moves| {
                    sets.push(moves.clone());
                    next
                });
                signatures.push(class);
            }
            classes = signatures;
            if sets.len() == known {
                break;
            }
            known = sets.len();
        }
        let first = self.initial.first().map(|&state| classes[component[state]]);
        self.initial.iter().all(|&state| Some(classes[component[state]]) == first)
    }

    /// The component of each state in the graph of `tau`, and how many there are (Tarjan 1972).
    fn components(&self) -> (Vec<usize>, usize) {
        const NEW: usize = usize::MAX;
        let states = self.transitions.len();
        let (mut component, mut count) = (vec![NEW; states], 0);
        let (mut index, mut low, mut next) = (vec![NEW; states], vec![NEW; states], 0);
        let (mut stack, mut path) = (Vec::new(), Vec::new());
        for start in 0..states {
            if index[start] != NEW {
                continue;
            }
            path.push((start, 0));
            while let Some((state, at)) = path.last_mut() {
                let state = *state;
                if *at == 0 {
                    (index[state], low[state]) = (next, next);
                    next += 1;
                    stack.push(state);
                }
                let behind = &self.transitions[state][(*at).min(self.transitions[state].len())..];
                let Some(place) = behind.iter().position(|&(label, to)| {
                    label == 0
                        && component[to] == NEW
                        && (index[to] == NEW || index[to] < low[state])
                }) else {
                    path.pop();
                    if low[state] == index[state] {
                        while let Some(member) = stack.pop() {
                            component[member] = count;
                            if member == state {
                                break;
                            }
                        }
                        count += 1;
                    }
                    if let Some(&(below, _)) = path.last() {
                        low[below] = low[below].min(low[state]);
                    }
                    continue;
                };
                let to = behind[place].1;
                *at += place + 1;
                if index[to] == NEW {
                    path.push((to, 0));
                } else {
                    low[state] = low[state].min(index[to]);
                }
            }
        }
        (component, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, two: &str, expected: bool) {
        let systems = read(&[one.to_owned(), two.to_owned()]).expect("two systems");
        assert_eq!(systems.related(), expected, "{one}{two}");
    }

    #[test]
    fn tau_does_not_count_and_choices_do() {
        let plain = "des (0, 1, 2)\n(0, \"a\", 1)\n";
        let circle = "des (0, 4, 4)\n(0, \"tau\", 1)\n(1, \"tau\", 0)\n(1, \"tau\", 2)\n\
                      (2, \"a\", 3)\n";
        check(plain, circle, true);
        check(plain, "des (0, 2, 3)\n(0, \"a\", 1)\n(1, \"a\", 2)\n", false);
        let late = "des (0, 3, 4)\n(0, \"a\", 1)\n(1, \"b\", 2)\n(1, \"c\", 3)\n";
        let early = "des (0, 4, 5)\n(0, \"a\", 1)\n(0, \"a\", 2)\n(1, \"b\", 3)\n(2, \"c\", 4)\n";
        check(late, early, false);
        // A `tau` that takes possibilities away is not seen.
        let may_stop = "des (0, 2, 3)\n(0, \"tau\", 1)\n(0, \"a\", 2)\n";
        check(plain, may_stop, true);
    }
}
