//! Random graphs as Jard et al. 1993 make them (§2.3), and the two extremes of their figure 2.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// The successors of each node; the first is the initial one, and all can be reached from it.
pub(crate) type Graph = Vec<Vec<u32>>;

/// The paper's recipe: breadth first, each node with a degree from 0 to `degree`; with g nodes so
/// far, a successor is new with probability 1 − g / min(2g, `most`), and otherwise any of the g.
///
/// The paper keeps graphs «with R close to R_max»; here those whose size is in `close` hundredths of
/// `most`. `None` if a thousand tries bring none.
pub(crate) fn random(
    degree: u32,
    most: u32,
    close: std::ops::RangeInclusive<u32>,
    seed: u64,
) -> Option<Graph> {
    let mut random = StdRng::seed_from_u64(seed);
    let tries = (0..1000)
        .map(|_| grow(degree, most, &mut random, |random, nodes| random.random_range(0..nodes)));
    tries.into_iter().find(|graph| close.contains(&(graph.len() as u32 * 100 / most)))
}

/// As the paper's recipe, but a successor that is not new is the initial node: all cycles are
/// short, and so are the paths.
pub(crate) fn short_paths(degree: u32, most: u32, seed: u64) -> Option<Graph> {
    let mut random = StdRng::seed_from_u64(seed);
    let tries = (0..1000).map(|_| grow(degree, most, &mut random, |_, _| 0));
    tries.into_iter().find(|graph| graph.len() as u32 * 10 >= most * 8)
}

fn grow(
    degree: u32,
    most: u32,
    random: &mut StdRng,
    old: impl Fn(&mut StdRng, u32) -> u32,
) -> Graph {
    let mut graph = Graph::new();
    let mut nodes = 1;
    while (graph.len() as u32) < nodes {
        let mut successors = Vec::new();
        for _ in 0..random.random_range(0..=degree) {
            let is_new = random.random_range(0..most.min(2 * nodes)) >= nodes;
            if is_new {
                successors.push(nodes);
                nodes += 1;
            } else {
                successors.push(old(random, nodes));
            }
        }
        graph.push(successors);
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_can_be_reached() {
        for graph in [random(6, 300, 80..=100, 1), short_paths(6, 300, 1)] {
            let graph = graph.expect("a graph");
            let mut reached = vec![false; graph.len()];
            reached[0] = true;
            let mut pending = vec![0usize];
            while let Some(node) = pending.pop() {
                for &next in &graph[node] {
                    if !std::mem::replace(&mut reached[next as usize], true) {
                        pending.push(next as usize);
                    }
                }
            }
            assert!(reached.iter().all(|&reached| reached));
        }
    }
}
