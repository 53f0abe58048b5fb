//! Ten models of the gallery, with room for fewer and fewer of their states.

use super::chart::{self, Panel, Series};
use super::ours;
use super::table::{Table, ratio};
use anyhow::{Context as _, Result, ensure};
use pverify_model::load::load_text;
use pverify_semantics::Engine;
use std::path::Path;

const NAME: &str = "models";
const MODELS: [&str; 10] = [
    "alternating-bit",
    "elevator",
    "go-back-n",
    "lamport-fast-mutex",
    "leader-chang-roberts",
    "leader-dolev-klawe-rodeh",
    "producer-consumer",
    "routing-table",
    "spawning-server",
    "two-phase-commit",
];
const PATIENCE: u64 = 10;

/// Measures and draws.
pub(crate) fn draw(folder: &Path, gallery: &Path) -> Result<()> {
    let about = format!(
        "Ten models of protocols/ with room for a part of their states; safety, all errors, one \
         thread, seed 0. states: there are;\nsuccessors: of a state, on the average; path: the longest path with all memory; explored: \
         distinct states that were explored;\ninsertions, computed and time as multiples of \
         those with all memory; a search is given up after {PATIENCE} times the states."
    );
    let columns = [
        "model",
        "states",
        "successors",
        "path",
        "memory_percent",
        "ending",
        "verdict",
        "explored",
        "insertions",
        "computed",
        "time",
        "seconds",
    ];
    let mut table = Table::new(&about, &columns);
    let mut series = Vec::new();
    for name in MODELS {
        let file = gallery.join(name).with_extension("pml");
        let text = std::fs::read(&file).with_context(|| file.display().to_string())?;
        let points = model(&mut table, name, text).with_context(|| name.to_owned())?;
        series.push(Series { name: name.to_owned(), points });
    }
    table.write(folder, NAME)?;
    let panel = Panel {
        title: "Ten models in less and less memory".to_owned(),
        x: "memory, % of the states",
        y: "insertions / states",
        x_range: (15.0, 150.0),
        y_range: (1.0, PATIENCE as f64),
        logarithmic: true,
        series,
        marks: vec![100.0],
        told: None,
    };
    chart::draw(folder, NAME, &[panel])
}

/// The rows of one model; its curve.
fn model(table: &mut Table, name: &str, text: Vec<u8>) -> Result<Vec<(f64, f64)>> {
    let loaded = load_text(text);
    ensure!(!loaded.has_errors(), "it has errors");
    let engine = Engine::new(&loaded.model);
    let (full, all) = ours::search(&engine, u64::MAX >> 8, u64::MAX, 0)?;
    ensure!(full.cut.is_none(), "the full search is not complete");
    let states = all.len() as u64;
    ensure!(full.counts.states == states, "a state was inserted twice, or never explored");
    let mut points = Vec::new();
    for percent in (20..=100).rev().step_by(10) {
        eprintln!("  {NAME}: {name}, {percent} %");
        // With exactly as much room as there are states, nothing must give way.
        let most = if percent == 100 { states + 1 } else { states * percent / 100 };
        let (found, explored) = ours::search(&engine, most, states * PATIENCE, 0)?;
        if found.cut.is_none() {
            ensure!(explored == all, "{percent} %: not all states were explored");
            ensure!(found.fault == full.fault, "{percent} %: {:?}", found.fault);
        }
        ensure!(explored.is_subset(&all), "{percent} %: a state that is not there");
        let of = |part: u64, whole: u64| part as f64 / whole as f64;
        let insertions = of(found.counts.states, states);
        let verdict = match (found.fault, found.cut) {
            (Some(fault), _) => fault,
            (None, None) => "holds",
            (None, Some(_)) => "inconclusive",
        };
        table.row(&[
            &name,
            &states,
            &ratio(Some(of(full.counts.transitions, states))),
            &full.counts.max_depth,
            &percent,
            &found.ending(),
            &verdict,
            &explored.len(),
            &ratio(Some(insertions)),
            &ratio(Some(of(found.counts.transitions, full.counts.transitions))),
            &ratio(Some(found.seconds / full.seconds)),
            &format!("{:.3}", found.seconds),
        ]);
        if found.cut.is_none() {
            points.push((percent as f64, insertions));
        }
    }
    Ok(points)
}
