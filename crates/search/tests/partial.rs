//! Partial searches on random products of a system with a deterministic automaton, beside strongly
//! connected components; and what the paper gets wrong.

use pverify_search::control::{Cut, Observer, Progress, Settings, Wanted};
use pverify_search::partial::{Acceptance, Found, NotAccepted, search};
use pverify_search::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::num::NonZeroUsize;
use std::sync::Arc;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

/// A system whose nodes have letters, beside a deterministic and complete automaton.
#[derive(Clone, Debug)]
struct Product(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    /// Successors and letter of each node.
    nodes: Vec<(Vec<u32>, usize)>,
    /// Where each letter leads a state of the automaton.
    next: Vec<Vec<u32>>,
    accepting: Vec<bool>,
}

impl Product {
    fn new(nodes: Vec<(Vec<u32>, usize)>, next: Vec<Vec<u32>>, accepting: Vec<bool>) -> Self {
        Self(Arc::new(Parts { nodes, next, accepting }))
    }

    /// A graph alone, of which some nodes accept.
    fn graph(successors: &[&[u32]], accepting: &[u32]) -> Self {
        // The automaton remembers the node it has read last, so it is one step behind: a node is
        // added in front.
        let count = successors.len() as u32;
        let mut nodes: Vec<(Vec<u32>, usize)> =
            successors.iter().enumerate().map(|(at, next)| (next.to_vec(), at)).collect();
        for (next, _) in &mut nodes {
            next.iter_mut().for_each(|node| *node += 1);
        }
        nodes.insert(0, (vec![1], count as usize));
        let next = (0..=count).map(|_| (0..=count).collect()).collect();
        let accepts = (0..=count).map(|state| accepting.contains(&state)).collect();
        Self::new(nodes, next, accepts)
    }

    fn random(seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let letters = random.random_range(1..4);
        let count = random.random_range(2..30);
        let degree = random.random_range(1..4);
        let nodes = (0..count)
            .map(|node| {
                let mut next: Vec<u32> = (0..random.random_range(1..=degree))
                    .map(|_| random.random_range(0..count))
                    .collect();
                // Many systems without cycles but through the beginning, so that both answers come.
                if seed.is_multiple_of(3) {
                    next.iter_mut().for_each(|to| *to = if *to > node { *to } else { 0 });
                }
                next.dedup();
                (next, random.random_range(0..letters))
            })
            .collect();
        let states = random.random_range(1..5);
        let next = (0..states)
            .map(|_| (0..letters).map(|_| random.random_range(0..states)).collect())
            .collect();
        let percent = random.random_range(20..95);
        let accepting = (0..states).map(|_| random.random_range(0..100) < percent).collect();
        Self::new(nodes, next, accepting)
    }

    fn next(&self, (node, state): (u32, u32)) -> Vec<(u32, u32)> {
        let (successors, letter) = &self.0.nodes[node as usize];
        let target = self.0.next[state as usize][*letter];
        successors.iter().map(|&next| (next, target)).collect()
    }

    fn reachable(&self) -> Vec<(u32, u32)> {
        let mut found = vec![(0, 0)];
        let mut at = 0;
        while at < found.len() {
            for pair in self.next(found[at]) {
                if !found.contains(&pair) {
                    found.push(pair);
                }
            }
            at += 1;
        }
        found
    }

    /// The oracle: some strongly connected component of the product without its accepting states
    /// has a cycle (Kosaraju: the order of leaving, then the same backwards).
    fn has_bad_component(&self) -> bool {
        let states = self.reachable();
        let accepts = |pair: (u32, u32)| self.0.accepting[pair.1 as usize];
        let rest: Vec<(u32, u32)> = states.into_iter().filter(|&pair| !accepts(pair)).collect();
        let number = |pair| rest.iter().position(|&one| one == pair);
        let forward: Vec<Vec<usize>> = rest
            .iter()
            .map(|&pair| self.next(pair).into_iter().filter_map(number).collect())
            .collect();
        let mut backward = vec![Vec::new(); rest.len()];
        for (from, targets) in forward.iter().enumerate() {
            targets.iter().for_each(|&to| backward[to].push(from));
        }
        let mut seen = vec![false; rest.len()];
        let mut left = Vec::new();
        for start in 0..rest.len() {
            let mut stack = vec![(start, 0)];
            while let Some((node, at)) = stack.pop() {
                if at == 0 && std::mem::replace(&mut seen[node], true) {
                    continue;
                }
                match forward[node].get(at) {
                    Some(&next) => stack.extend([(node, at + 1), (next, 0)]),
                    None => left.push(node),
                }
            }
        }
        let mut component = vec![usize::MAX; rest.len()];
        for &start in left.iter().rev() {
            let mut work = vec![start];
            while let Some(node) = work.pop() {
                if component[node] == usize::MAX {
                    component[node] = start;
                    work.extend(&backward[node]);
                }
            }
        }
        let inside = |(from, targets): (usize, &Vec<usize>)| {
            targets.iter().any(|&to| component[to] == component[from])
        };
        forward.iter().enumerate().any(inside)
    }
}

fn words((node, state): (u32, u32)) -> [u64; 2] {
    let node = u64::from(node);
    [node | u64::from(state) << 32, node.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40]
}

fn pair(words: &[u64]) -> (u32, u32) {
    (words[0] as u32, (words[0] >> 32) as u32)
}

impl System for Product {
    fn initial(&self) -> Vec<u64> {
        words((0, 0)).to_vec()
    }

    fn bits(&mut self, _: u64) -> u32 {
        128
    }

    fn successors<V: Visitor>(&mut self, state: &[u64], visitor: &mut V) {
        for next in self.next(pair(state)) {
            visitor.next(&words(next), 128, Path::NONE);
        }
        // Faults of the system are none of the check's business.
        visitor.fault(FaultKind::Assertion, Path::NONE);
    }

    fn fork(&self) -> Self {
        self.clone()
    }
}

impl Acceptance for Product {
    fn accepts(&mut self, state: &[u64]) -> bool {
        self.0.accepting[pair(state).1 as usize]
    }

    fn fork(&self) -> Self {
        self.clone()
    }
}

fn ask(product: &Product, room: u64, threads: usize, shortest: bool) -> Found {
    let settings = Settings {
        most_states: Some(room),
        threads: NonZeroUsize::new(threads).expect("at least one"),
        alone: 0,
        ..Settings::new(Wanted::PROPERTY)
    };
    search(&mut product.clone(), product, &settings, shortest, &mut Patient)
}

/// A run that is claimed is one, and nothing on its cycle accepts.
fn check_lasso(product: &Product, run: &NotAccepted, what: &str) {
    let NotAccepted::Lasso { way, from } = run else { panic!("{what}: {run:?}") };
    let way: Vec<(u32, u32)> = way.states().map(|state| pair(&state)).collect();
    assert_eq!(way[0], (0, 0), "{what}");
    assert!(way.windows(2).all(|two| product.next(two[0]).contains(&two[1])), "{what}: {way:?}");
    let cycle = &way[*from as usize..];
    assert!(cycle.len() > 1 && cycle.first() == cycle.last(), "{what}: {way:?} from {from}");
    assert!(
        cycle.iter().all(|&(_, state)| !product.0.accepting[state as usize]),
        "{what}: {way:?}"
    );
}

/// The answer with so much room; none if it was too little.
fn check_with(product: &Product, expected: bool, room: u64, threads: usize, what: &str) -> bool {
    let what = format!("{what}, room {room}, {threads} threads");
    let found = ask(product, room, threads, room.is_multiple_of(2));
    match (&found.run, found.cut) {
        // The way to it needs more room than the search for it, breadth first.
        (Some(NotAccepted::NoWay(Cut::Memory)), _) => assert!(expected, "{what}"),
        (Some(run), _) => {
            assert!(expected, "{what}: {run:?}");
            check_lasso(product, run, &what);
        }
        (None, Some(cut)) => {
            assert_eq!(cut, Cut::Memory, "{what}");
            return false;
        }
        (None, None) => assert!(!expected, "{what}"),
    }
    true
}

/// Random products; what fails is printed with its seed.
#[test]
fn random_products_agree_with_components() {
    // All cases if the compiler optimises; without that they would take minutes.
    let cases: u64 = if cfg!(debug_assertions) { 200 } else { 4_000 };
    let (mut bad, mut least_decided, mut little_decided) = (0, 0, 0);
    for seed in 0..cases {
        let product = Product::random(seed);
        let states = product.reachable().len() as u64;
        let expected = product.has_bad_component();
        bad += u64::from(expected);
        let what = format!("seed {seed}, {states} states");
        for threads in [1, 4] {
            assert!(check_with(&product, expected, states + 1, threads, &what), "{what}");
            let little = (states * 3 / 10).max(1);
            little_decided += u64::from(check_with(&product, expected, little, threads, &what));
            // The least room with which it comes to an answer, and everything below.
            let least =
                (1..=states + 1).find(|&room| check_with(&product, expected, room, threads, &what));
            least_decided += u64::from(least.is_some_and(|least| least < states));
        }
    }
    assert!(bad > cases / 5 && bad < cases * 4 / 5, "{bad} of {cases} are bad");
    let decided = format!("{least_decided} with less than all, {little_decided} with 30 %");
    assert!(least_decided > cases / 4 && little_decided > cases / 4, "{decided}");
}

fn check(successors: &[&[u32]], accepting: &[u32], holds: bool) {
    let product = Product::graph(successors, accepting);
    let what = format!("{successors:?} {accepting:?}");
    assert_eq!(product.has_bad_component(), !holds, "the oracle on {what}");
    for threads in [1, 4] {
        assert!(check_with(&product, !holds, 100, threads, &what));
    }
}

/// The printed algorithm never explores the last root it has put aside.
#[test]
fn the_last_root_is_explored() {
    check(&[&[1], &[2], &[2]], &[1], false);
    check(&[&[1], &[2], &[2]], &[1, 2], true);
}

/// A loop on the stack that contains an accepting state, and a cycle beside it that is closed
/// through a state that was visited before.
#[test]
fn a_cycle_through_a_visited_state_is_found() {
    check(&[&[1], &[2, 3], &[3], &[1]], &[2], false);
    check(&[&[1], &[3, 2], &[3], &[1]], &[2], false);
    check(&[&[1], &[2], &[3], &[1]], &[2], true);
}

#[test]
fn runs_that_end_are_nothing_to_it() {
    check(&[&[1, 2], &[], &[1]], &[], true);
    check(&[&[0]], &[0], true);
    check(&[&[0]], &[], false);
}
