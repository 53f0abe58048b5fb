//! Random graphs in less and less memory: what it costs the textbook and pverify.

use super::graphs::Graph;
use super::{median, ours, textbook};
use anyhow::{Result, ensure};
use pverify_search::random_graph::RandomGraph;

/// More insertions than this many times the states are not waited for.
pub(crate) const PATIENCE: u64 = 20;

/// Medians over the graphs at one size of memory; `None` where less than half of them end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) percent: f64,
    pub(crate) textbook_insertions: Option<f64>,
    pub(crate) textbook_generated: Option<f64>,
    pub(crate) our_insertions: Option<f64>,
    pub(crate) our_generated: Option<f64>,
    pub(crate) our_time: Option<f64>,
    /// The longest path, as a part of the states.
    pub(crate) textbook_path: Option<f64>,
    pub(crate) our_path: Option<f64>,
}

impl Row {
    /// The names of its columns.
    pub(crate) const COLUMNS: [&'static str; 8] = [
        "memory_percent",
        "textbook_insertions",
        "textbook_successors",
        "pverify_insertions",
        "pverify_successors",
        "pverify_time",
        "textbook_path",
        "pverify_path",
    ];

    /// What stands in the columns behind the first.
    pub(crate) fn values(&self) -> [Option<f64>; 7] {
        [
            self.textbook_insertions,
            self.textbook_generated,
            self.our_insertions,
            self.our_generated,
            self.our_time,
            self.textbook_path,
            self.our_path,
        ]
    }
}

/// Searches every graph with memory for this part of its states.
pub(crate) fn measure(graphs: &[Graph], percent: f64) -> Result<Row> {
    let mut textbook = (Vec::new(), Vec::new(), Vec::new());
    let mut ours = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (seed, graph) in graphs.iter().enumerate() {
        let (nodes, seed) = (graph.len() as u64, seed as u64);
        let most = (nodes as f64 * percent / 100.0) as u64;
        let edges = graph.iter().map(Vec::len).sum::<usize>() as f64;
        if let Ok(done) = textbook::search(graph, most, nodes * PATIENCE, seed) {
            textbook.0.push(done.insertions as f64 / nodes as f64);
            textbook.1.push(done.generated as f64 / edges);
            textbook.2.push(done.path as f64 / nodes as f64);
        }
        let system = RandomGraph::with(graph.clone());
        let (full, all) = ours::search(&system, nodes + 1, nodes, seed)?;
        ensure!(all.len() as u64 == nodes && full.cut.is_none(), "not all nodes were explored");
        let (found, explored) = ours::search(&system, most.max(1), nodes * PATIENCE, seed)?;
        if found.cut.is_none() {
            ensure!(explored == all, "seed {seed}, {percent} %: not all nodes were explored");
            ours.0.push(found.counts.states as f64 / nodes as f64);
            ours.1.push(found.counts.transitions as f64 / full.counts.transitions as f64);
            ours.2.push(found.seconds / full.seconds);
            ours.3.push(found.counts.max_depth as f64 / nodes as f64);
        }
    }
    let half = |values: Vec<f64>| {
        if values.len() * 2 >= graphs.len() { median(values) } else { None }
    };
    Ok(Row {
        percent,
        textbook_insertions: half(textbook.0),
        textbook_generated: half(textbook.1),
        our_insertions: half(ours.0),
        our_generated: half(ours.1),
        our_time: half(ours.2),
        textbook_path: half(textbook.2),
        our_path: half(ours.3),
    })
}
