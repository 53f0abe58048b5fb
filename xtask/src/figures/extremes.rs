//! Jard et al. 1993, figure 2: a graph with short paths, and a very connected one.

use super::chart::{self, Panel, Series};
use super::graphs::{self, Graph};
use super::shrinking::{PATIENCE, Row, measure};
use super::table::Table;
use anyhow::{Context as _, Result};
use std::path::Path;

const NAME: &str = "p93-figure-2";
const SEEDS: u64 = 10;

/// Measures and draws.
pub(crate) fn draw(folder: &Path) -> Result<()> {
    let about = format!(
        "Depth-first search with replacement on {SEEDS} graphs of each kind (seeds 0 to {}). One \
         thread.\nshort: d_max = 6, R_max = 4000, every successor that is not new is the initial \
         node.\nconnected: as Jard et al. 1993, section 2.3, with d_max = 30, R_max = 2000.\n\
         Medians, as multiples of the value with memory for all states; - where less than half \
         of the searches\nend within {PATIENCE} R insertions. The paths are parts of R.",
        SEEDS - 1
    );
    let mut table = Table::new(&about, &[&["graph"][..], &Row::COLUMNS].concat());
    let short = graphs(|seed| graphs::short_paths(6, 4000, seed))?;
    let short = rows("short", &short, [100, 80, 60, 50, 40, 30, 20, 15, 10, 7, 5, 3, 2, 1])?;
    let connected = graphs(|seed| graphs::random(30, 2000, 80..=100, seed))?;
    let percents = [100, 99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 88, 86, 84];
    let connected = rows("connected", &connected, percents)?;
    for (name, rows) in [("short", &short), ("connected", &connected)] {
        for row in rows {
            table.ratios(&[&name, &row.percent], &row.values());
        }
    }
    table.write(folder, NAME)?;
    let panels = [
        Panel { told: Some((10.0, 1.11)), ..panel("Short paths", &short, (0.0, 105.0), 2.0) },
        panel("Very connected", &connected, (80.0, 101.0), 8.0),
    ];
    chart::draw(folder, NAME, &panels)
}

fn graphs(make: impl Fn(u64) -> Option<Graph>) -> Result<Vec<Graph>> {
    (0..SEEDS).map(|seed| make(seed).context("no such graph")).collect()
}

fn rows(name: &str, graphs: &[Graph], percents: [u32; 14]) -> Result<Vec<Row>> {
    percents
        .into_iter()
        .map(|percent| {
            eprintln!("  {NAME}: {name}, {percent} %");
            measure(graphs, f64::from(percent))
        })
        .collect()
}

fn panel(title: &str, rows: &[Row], x_range: (f64, f64), most: f64) -> Panel {
    let series = |name: &str, value: fn(&Row) -> Option<f64>| Series {
        name: name.to_owned(),
        points: rows.iter().filter_map(|row| Some((row.percent, value(row)?))).collect(),
    };
    let least = rows.iter().filter(|row| row.our_insertions.is_some()).map(|row| row.percent);
    Panel {
        title: title.to_owned(),
        x: "memory, % of the states",
        y: "multiple of that with all memory",
        x_range,
        y_range: (0.0, most),
        logarithmic: false,
        series: vec![
            series("textbook: insertions", |row| row.textbook_insertions),
            series("pverify: insertions", |row| row.our_insertions),
            series("pverify: time", |row| row.our_time),
        ],
        marks: vec![least.fold(100.0, f64::min), 100.0],
        told: None,
    }
}
