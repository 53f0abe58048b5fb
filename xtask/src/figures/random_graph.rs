//! Jard et al. 1993, figure 1: insertions and time on a random graph as memory is taken away.

use super::chart::{self, Panel, Series};
use super::graphs;
use super::shrinking::{PATIENCE, Row, measure};
use super::table::Table;
use anyhow::{Context as _, Result};
use std::path::Path;

const NAME: &str = "p93-figure-1";
const DEGREE: u32 = 5;
const MOST: u32 = 4000;
const SEEDS: u64 = 10;
/// Measures and draws.
pub(crate) fn draw(folder: &Path) -> Result<()> {
    let about = format!(
        "Depth-first search with replacement on {SEEDS} random graphs (seeds 0 to {}), made as in \
         Jard et al. 1993, section 2.3:\nd_max = {DEGREE}, R_max = {MOST}, R at least 0.8 R_max. \
         One thread. Medians over the graphs, as multiples of\nthe value with memory for all \
         states; - where less than half of the searches end within {PATIENCE} R insertions.\nThe paths are parts of R.",
        SEEDS - 1
    );
    let mut table = Table::new(&about, &Row::COLUMNS);
    let graphs: Vec<_> = (0..SEEDS)
        .map(|seed| graphs::random(DEGREE, MOST, 80..=100, seed).context("no such graph"))
        .collect::<Result<_>>()?;
    let mut rows = Vec::new();
    for percent in (40..=100).rev().step_by(4).map(f64::from) {
        eprintln!("  {NAME}: {percent} %");
        let row = measure(&graphs, percent)?;
        table.ratios(&[&percent], &row.values());
        rows.push(row);
    }
    table.write(folder, NAME)?;
    let series = |name: &str, value: fn(&Row) -> Option<f64>| Series {
        name: name.to_owned(),
        points: rows.iter().filter_map(|row| Some((row.percent, value(row)?))).collect(),
    };
    let least = rows.iter().filter(|row| row.our_insertions.is_some()).map(|row| row.percent);
    let marks = vec![least.fold(100.0, f64::min), 100.0];
    let panel = |title: &str, y, series| Panel {
        title: title.to_owned(),
        x: "memory, % of the states",
        y,
        x_range: (35.0, 105.0),
        y_range: (0.0, 8.0),
        logarithmic: false,
        series,
        marks: marks.clone(),
        told: None,
    };
    let insertions = vec![
        series("textbook", |row| row.textbook_insertions),
        series("pverify", |row| row.our_insertions),
    ];
    let time = vec![
        series("textbook: successors computed", |row| row.textbook_generated),
        series("pverify: successors computed", |row| row.our_generated),
        series("pverify: time", |row| row.our_time),
    ];
    let panels = [
        Panel {
            told: Some((40.0, 1.7)),
            ..panel("Random graphs: insertions", "insertions / states", insertions)
        },
        Panel {
            told: Some((40.0, 1.5)),
            ..panel("Random graphs: time", "multiple of that with all memory", time)
        },
    ];
    chart::draw(folder, NAME, &panels)
}
