//! Random graphs as systems, for experiments with the search (Jard et al. 1993, §2.3).
//!
//! A graph is made breadth first. Each node has a degree drawn evenly from 0 to the greatest one;
//! with g nodes so far, a successor is a new node with probability 1 − g / min(2g, most), and
//! otherwise any of those there are. So the first half of the nodes come fast and the graph closes
//! up as it nears its size; graphs that end too early are thrown away.

use crate::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// A random graph; its nodes are the states.
#[derive(Clone, Debug)]
pub struct RandomGraph {
    successors: Arc<Vec<Vec<u32>>>,
    /// How often each node has been explored.
    explored: Arc<Vec<AtomicU64>>,
    /// A node in which something is wrong.
    bad: Option<u32>,
}

/// What a graph is to be like.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The greatest degree of a node.
    pub degree: u32,
    /// The greatest number of nodes.
    pub most: u32,
    /// Which nodes the successors are that are not new.
    pub old: Old,
}

/// Nodes that were made before.
#[derive(Clone, Copy, Debug)]
pub enum Old {
    /// All of them.
    Any,
    /// The first so many: cycles through the beginning.
    First(u32),
    /// The last so many: paths become short.
    Last(u32),
}

impl RandomGraph {
    /// A graph that has eight tenths of the nodes it may have, at least; `None` if none is found,
    /// as with a greatest degree below 5: half of the successors are new at first, and every node
    /// must have more than one of these.
    pub fn new(kind: Kind, seed: u64) -> Option<Self> {
        const TRIES: usize = 1000;
        let mut random = StdRng::seed_from_u64(seed);
        let large = |graph: &Vec<_>| graph.len() as u64 * 10 >= u64::from(kind.most) * 8;
        (0..TRIES).map(|_| grow(kind, &mut random)).find(large).map(Self::with)
    }

    /// The graph with these successors of each node.
    pub fn with(successors: Vec<Vec<u32>>) -> Self {
        let explored = successors.iter().map(|_| AtomicU64::new(0)).collect();
        Self { successors: Arc::new(successors), explored: Arc::new(explored), bad: None }
    }

    /// The same graph, with nothing explored.
    pub fn again(&self) -> Self {
        Self::with(self.successors.to_vec())
    }

    /// The same graph, with something wrong in a node.
    pub fn with_bad(&self, node: u32) -> Self {
        Self { bad: Some(node), ..self.again() }
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> u64 {
        self.successors.len() as u64
    }

    /// How many nodes have been explored at least once.
    pub fn explored(&self) -> u64 {
        self.explored.iter().filter(|times| times.load(Relaxed) > 0).count() as u64
    }

    /// Whether a node has been explored.
    pub fn has_explored(&self, node: u32) -> bool {
        self.explored[node as usize].load(Relaxed) > 0
    }

    /// Whether a step leads from a node to another.
    pub fn leads(&self, from: u32, to: u32) -> bool {
        self.successors[from as usize].contains(&to)
    }

    /// How many steps each node is away from the first.
    pub fn distances(&self) -> Vec<u64> {
        let mut distances = vec![u64::MAX; self.successors.len()];
        distances[0] = 0;
        let mut queue = std::collections::VecDeque::from([0u32]);
        while let Some(node) = queue.pop_front() {
            for &next in &self.successors[node as usize] {
                if distances[next as usize] == u64::MAX {
                    distances[next as usize] = distances[node as usize] + 1;
                    queue.push_back(next);
                }
            }
        }
        distances
    }

    /// A state of three words, so that it is a tree: all of it follows from the node.
    fn state(node: u32) -> [u64; 3] {
        let node = u64::from(node);
        [node, node.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40, node / 100]
    }
}

/// Bits of a state.
const BITS: u32 = 3 * 64;

fn grow(kind: Kind, random: &mut StdRng) -> Vec<Vec<u32>> {
    let mut successors: Vec<Vec<u32>> = Vec::new();
    let mut nodes = 1u32;
    while (successors.len() as u32) < nodes {
        let degree = random.random_range(0..=kind.degree);
        let next = (0..degree).map(|_| {
            let bound = (2 * nodes).min(kind.most);
            if random.random_range(0..bound) >= nodes {
                nodes += 1;
                nodes - 1
            } else {
                random.random_range(match kind.old {
                    Old::Any => 0..nodes,
                    Old::First(count) => 0..nodes.min(count),
                    Old::Last(count) => nodes.saturating_sub(count)..nodes,
                })
            }
        });
        let next = next.collect();
        successors.push(next);
    }
    successors
}

impl System for RandomGraph {
    fn initial(&self) -> Vec<u64> {
        Self::state(0).to_vec()
    }

    fn bits(&mut self, _: u64) -> u32 {
        BITS
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        let node = words[0] as usize;
        self.explored[node].fetch_add(1, Relaxed);
        for &next in &self.successors[node] {
            visitor.next(&Self::state(next), BITS, Path::NONE);
        }
        if self.bad == Some(node as u32) {
            visitor.fault(FaultKind::Assertion, Path::NONE);
        }
    }

    fn fork(&self) -> Self {
        self.clone()
    }
}
