//! Depth-first search with replacement as the paper prints it (Jard et al. 1993, §2.1), over a graph
//! in memory: a second opinion about the search of pverify, which shares nothing with it.

use super::graphs::Graph;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::collections::HashSet;

/// A search that visited every node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    /// States put into memory.
    pub(crate) insertions: u64,
    /// Successors computed.
    pub(crate) generated: u64,
    /// The longest path.
    pub(crate) path: u64,
}

/// Why a search did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failed {
    /// The path alone fills the memory.
    Memory,
    /// It needs more insertions than anybody waits for.
    Explodes,
}

/// Searches with room for `most` states, and gives up after `patience` insertions.
pub(crate) fn search(graph: &Graph, most: u64, patience: u64, seed: u64) -> Result<Done, Failed> {
    let mut random = StdRng::seed_from_u64(seed);
    // The path with the successors that were taken; what was left and may go; both as a set.
    let mut path = vec![(0u32, 0usize)];
    let mut left: Vec<u32> = Vec::new();
    let mut memory = HashSet::from([0]);
    let mut done = Done { insertions: 1, generated: 1, path: 1 };
    while let Some((node, taken)) = path.last_mut() {
        let Some(&next) = graph[*node as usize].get(*taken) else {
            left.push(*node);
            path.pop();
            continue;
        };
        *taken += 1;
        done.generated += 1;
        if memory.contains(&next) {
            continue;
        }
        if memory.len() as u64 >= most {
            if left.is_empty() {
                return Err(Failed::Memory);
            }
            let gone = left.swap_remove(random.random_range(0..left.len()));
            memory.remove(&gone);
        }
        memory.insert(next);
        path.push((next, 0));
        done.insertions += 1;
        done.path = done.path.max(path.len() as u64);
        if done.insertions > patience {
            return Err(Failed::Explodes);
        }
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::super::graphs;
    use super::*;

    #[test]
    fn with_room_for_all_every_node_is_inserted_once() {
        let graph = graphs::random(6, 300, 80..=100, 1).expect("a graph");
        let nodes = graph.len() as u64;
        let done = search(&graph, nodes, u64::MAX, 0).expect("an end");
        let edges: usize = graph.iter().map(Vec::len).sum();
        assert_eq!((done.insertions, done.generated), (nodes, edges as u64 + 1));
    }

    #[test]
    fn a_path_that_does_not_fit_is_noticed() {
        let chain: Graph = (0..100).map(|node| vec![(node + 1) % 100]).collect();
        assert_eq!(search(&chain, 99, u64::MAX, 0), Err(Failed::Memory));
        assert!(search(&chain, 100, u64::MAX, 0).is_ok());
    }
}
