//! The relations by their definitions: greatest fixpoints over all pairs of two small systems.
//!
//! Nothing here is shared with the check: systems are lists of triples, and a relation is what is left
//! when pairs that break its definition are taken out until none does.

use rand::RngExt;
use rand::rngs::StdRng;

/// A small labelled transition system; label 0 is `tau`.
#[derive(Clone, Debug)]
pub(crate) struct Small {
    pub(crate) states: usize,
    pub(crate) edges: Vec<(usize, u8, usize)>,
}

impl Small {
    /// As an `.aut` file; `tau` is written in one of its spellings.
    pub(crate) fn to_aut(&self, random: &mut StdRng) -> String {
        let mut text = format!("des (0, {}, {})\n", self.edges.len(), self.states);
        for &(from, label, to) in &self.edges {
            let label = match label {
                0 => ["i", "tau", "\"i\"", "\"tau\""][random.random_range(0..4)].to_owned(),
                label => format!("\"a !{label}\""),
            };
            text += &format!("({from}, {label}, {to})\n");
        }
        text
    }

    /// Whether no state has two transitions with one label, `tau` among them.
    pub(crate) fn is_deterministic(&self) -> bool {
        let mut known = Vec::new();
        self.edges.iter().all(|&(from, label, to)| {
            let other = known.iter().any(|&(a, b, c)| (a, b) == (from, label) && c != to);
            known.push((from, label, to));
            !other
        })
    }

    fn after(&self, from: usize, label: u8) -> Vec<usize> {
        let edges = self.edges.iter().filter(|edge| edge.0 == from && edge.1 == label);
        edges.map(|edge| edge.2).collect()
    }

    fn behind_tau(&self, from: usize) -> Vec<usize> {
        let mut all = vec![from];
        let mut at = 0;
        while at < all.len() {
            for next in self.after(all[at], 0) {
                if !all.contains(&next) {
                    all.push(next);
                }
            }
            at += 1;
        }
        all
    }

    fn tau_star(&self, from: usize, label: u8) -> Vec<usize> {
        self.behind_tau(from).into_iter().flat_map(|state| self.after(state, label)).collect()
    }

    fn weak(&self, from: usize, label: u8) -> Vec<usize> {
        match label {
            0 => self.behind_tau(from),
            label => {
                let there = self.tau_star(from, label).into_iter();
                there.flat_map(|state| self.behind_tau(state)).collect()
            }
        }
    }
}

/// Where a state leads by a label, in one kind of move.
type Leads = fn(&Small, usize, u8) -> Vec<usize>;

/// The greatest relation in which each move of the first is matched by the second, and if `both`
/// the other way round; whether the initial states are in it.
fn greatest(
    one: &Small,
    two: &Small,
    labels: &[u8],
    (moves, answers): (Leads, Leads),
    both: bool,
) -> bool {
    let mut related = vec![vec![true; two.states]; one.states];
    loop {
        let mut changed = false;
        for p in 0..one.states {
            for q in 0..two.states {
                let forth = labels.iter().all(|&label| {
                    moves(one, p, label)
                        .iter()
                        .all(|&p2| answers(two, q, label).iter().any(|&q2| related[p2][q2]))
                });
                let back = !both
                    || labels.iter().all(|&label| {
                        moves(two, q, label)
                            .iter()
                            .all(|&q2| answers(one, p, label).iter().any(|&p2| related[p2][q2]))
                    });
                if related[p][q] && !(forth && back) {
                    related[p][q] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return related[0][0];
        }
    }
}

/// Whether two systems are related, by the name of the relation.
pub(crate) fn related(one: &Small, two: &Small, relation: &str) -> bool {
    let last = one.edges.iter().chain(&two.edges).map(|edge| edge.1).max().unwrap_or(0);
    let all: Vec<u8> = (0..=last).collect();
    let seen = &all[1..];
    let strong: (Leads, Leads) = (Small::after, Small::after);
    let tau_star: (Leads, Leads) = (Small::tau_star, Small::tau_star);
    match relation {
        "strong" => greatest(one, two, &all, strong, true),
        "strong-simulation" => greatest(one, two, &all, strong, false),
        "weak" => greatest(one, two, seen, tau_star, true),
        "safety-preorder" => greatest(one, two, seen, tau_star, false),
        "safety" => {
            greatest(one, two, seen, tau_star, false) && greatest(two, one, seen, tau_star, false)
        }
        "observational" => greatest(one, two, &all, (Small::after, Small::weak), true),
        _ => panic!("no such relation: {relation}"),
    }
}

/// A random system, and one that may be related to it.
pub(crate) fn pair(random: &mut StdRng) -> (Small, Small) {
    let deterministic = random.random_bool(0.3);
    let one = small(random, deterministic);
    let two = match random.random_range(0..4) {
        0 => small(random, deterministic),
        1 => split(&one, random),
        _ => {
            let mut two = split(&one, random);
            disturb(&mut two, random);
            two
        }
    };
    if random.random_bool(0.5) { (one, two) } else { (two, one) }
}

fn small(random: &mut StdRng, deterministic: bool) -> Small {
    let states = random.random_range(1..8);
    let labels = random.random_range(1..4);
    let mut edges = Vec::new();
    for _ in 0..random.random_range(0..states * 3) {
        let label = if random.random_bool(0.3) { 0 } else { random.random_range(1..=labels) };
        let from = random.random_range(0..states);
        let known = edges.iter().any(|&(other, called, _)| (other, called) == (from, label));
        if !(deterministic && known) {
            edges.push((from, label, random.random_range(0..states)));
        }
    }
    Small { states, edges }
}

/// The same system with some states twice: bisimilar to it.
fn split(one: &Small, random: &mut StdRng) -> Small {
    let copies: Vec<usize> = (0..one.states).map(|_| random.random_range(1..3)).collect();
    let first = |state: usize| copies[..state].iter().sum::<usize>();
    let mut edges = Vec::new();
    for &(from, label, to) in &one.edges {
        for copy in 0..copies[from] {
            edges.push((first(from) + copy, label, first(to) + random.random_range(0..copies[to])));
        }
    }
    for at in (1..edges.len()).rev() {
        edges.swap(at, random.random_range(0..=at));
    }
    Small { states: copies.iter().sum(), edges }
}

/// One edge more or less, or another; or a `tau` in front of one.
fn disturb(two: &mut Small, random: &mut StdRng) {
    if two.edges.is_empty() {
        return;
    }
    let at = random.random_range(0..two.edges.len());
    match random.random_range(0..5) {
        0 => {
            two.edges.remove(at);
        }
        1 => two.edges[at].2 = random.random_range(0..two.states),
        2 => two.edges[at].1 = random.random_range(0..4),
        3 => {
            let (from, label, to) = two.edges[at];
            two.edges[at] = (from, 0, two.states);
            two.edges.push((two.states, label, to));
            two.states += 1;
        }
        _ => {
            let label = random.random_range(0..3);
            let (from, to) =
                (random.random_range(0..two.states), random.random_range(0..two.states));
            two.edges.push((from, label, to));
        }
    }
}
