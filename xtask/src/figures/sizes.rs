//! For which random graphs the numbers of Jard et al. 1993 hold: sizes, degrees and many seeds.

use super::chart::{self, Panel, Series};
use super::graphs::{self, Graph};
use super::median;
use super::table::{Table, ratio};
use super::textbook::{self, Failed};
use anyhow::Result;
use std::path::Path;

const NAME: &str = "random-graph-sizes";
const SEEDS: u64 = 20;
const PATIENCE: u64 = 20;
const PERCENTS: [u64; 9] = [90, 80, 70, 65, 60, 55, 50, 40, 30];

/// Measures and draws.
pub(crate) fn draw(folder: &Path) -> Result<()> {
    let about = format!(
        "The textbook's search (not pverify's) on random graphs made as in Jard et al. 1993, \
         section 2.3: up to {SEEDS} graphs\n(seeds 0 to {}) for each greatest degree d_max, bound \
         R_max, and R in percent of R_max. successors: of a state,\non the average; path: the longest with all memory, part of R. \
         insertions: the median over the searches that end within {PATIENCE} R, as a multiple of \
         R;\ntoo_long: searches that end because the path fills the memory; explode: searches \
         given up.",
        SEEDS - 1
    );
    let columns = [
        "d_max",
        "R_max",
        "R_percent",
        "graphs",
        "mean_R",
        "successors",
        "path",
        "memory_percent",
        "end",
        "too_long",
        "explode",
        "insertions",
        "least",
    ];
    let mut table = Table::new(&about, &columns);
    let mut series = Vec::new();
    for close in [80..=100, 40..=60] {
        for degree in [3, 4, 5, 6, 8, 12] {
            for most in [50, 200, 1000, 4000] {
                let made = (0..SEEDS).map(|seed| graphs::random(degree, most, close.clone(), seed));
                let graphs: Vec<_> = made.flatten().collect();
                // Fewer tell little.
                if graphs.len() < 5 {
                    continue;
                }
                eprintln!("  {NAME}: d_max {degree}, R_max {most}, {close:?} %");
                let points = rows(&mut table, degree, most, *close.start(), &graphs);
                if SHOWN.contains(&(degree, most)) && *close.start() == 80 {
                    let name = format!("d_max {degree}, R_max {most}");
                    series.push(Series { name, points });
                }
            }
        }
    }
    table.write(folder, NAME)?;
    let panel = Panel {
        title: "The textbook's insertions on random graphs of all sizes".to_owned(),
        x: "memory, % of the states",
        y: "insertions / states",
        x_range: (28.0, 102.0),
        y_range: (1.0, 20.0),
        logarithmic: true,
        series,
        marks: Vec::new(),
        told: Some((40.0, 1.7)),
    };
    chart::draw(folder, NAME, &[panel])
}

/// The curves that are drawn; the table has all.
const SHOWN: [(u32, u32); 6] = [(4, 50), (4, 200), (5, 200), (5, 4000), (6, 4000), (12, 4000)];

/// One row for each size of memory; the curve where half of the searches end.
fn rows(
    table: &mut Table,
    degree: u32,
    most: u32,
    close: u32,
    graphs: &[Graph],
) -> Vec<(f64, f64)> {
    let total: usize = graphs.iter().map(Vec::len).sum();
    let edges: usize = graphs.iter().flatten().map(Vec::len).sum();
    let paths = graphs.iter().enumerate().filter_map(|(seed, graph)| {
        let done = textbook::search(graph, u64::MAX, u64::MAX, seed as u64).ok()?;
        Some(done.path as f64 / graph.len() as f64)
    });
    let path = ratio(median(paths.collect()));
    let mut points = vec![(100.0, 1.0)];
    for percent in PERCENTS {
        let (mut ends, mut too_long, mut explode) = (Vec::new(), 0, 0);
        for (seed, graph) in graphs.iter().enumerate() {
            let nodes = graph.len() as u64;
            match textbook::search(graph, nodes * percent / 100, nodes * PATIENCE, seed as u64) {
                Ok(done) => ends.push(done.insertions as f64 / nodes as f64),
                Err(Failed::Memory) => too_long += 1,
                Err(Failed::Explodes) => explode += 1,
            }
        }
        let count = ends.len();
        let least = ratio(ends.iter().copied().reduce(f64::min));
        let insertions = median(ends);
        table.row(&[
            &degree,
            &most,
            &format!("{close}-{}", close + 20),
            &graphs.len(),
            &(total / graphs.len()),
            &ratio(Some(edges as f64 / total as f64)),
            &path,
            &percent,
            &count,
            &too_long,
            &explode,
            &ratio(insertions),
            &least,
        ]);
        if let Some(insertions) = insertions
            && count * 2 >= graphs.len()
        {
            points.push((percent as f64, insertions));
        }
    }
    points
}
