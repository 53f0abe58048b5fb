//! Jard & Jéron 1989, figure 8: generated states and time of connect-disconnect by the heap's size.

use super::chart::{self, Panel, Series};
use super::table::{Table, ratio};
use super::{median, ours};
use anyhow::{Result, ensure};
use pverify_model::load::load_text;
use pverify_semantics::Engine;
use std::path::Path;

const NAME: &str = "p89-figure-8";
const MODEL: &str = include_str!("../../../protocols/connect-disconnect.pml");
const CAPACITY: u64 = 60;
const SEEDS: u64 = 15;
const PATIENCE: u64 = 20;

/// Measures and draws.
pub(crate) fn draw(folder: &Path) -> Result<()> {
    let loaded = load_text(format!("#define N {CAPACITY}\n{MODEL}"));
    ensure!(!loaded.has_errors(), "the model has errors");
    let engine = Engine::new(&loaded.model);
    let states = CAPACITY * CAPACITY / 4 + 3 * (CAPACITY + 1);
    let (full, all) = ours::search(&engine, states + 1, u64::MAX, 0)?;
    ensure!((all.len() as u64, full.counts.states) == (states, states), "the formula is wrong");
    let about = format!(
        "Connect-disconnect (protocols/connect-disconnect.pml) with n = {CAPACITY}: D = {states} \
         states, paths of {} states with all memory.\npverify, one thread; medians over seeds 0 \
         to {}. NGS: states generated anew (insertions); transitions: successors\ncomputed; end: \
         searches that end, within {PATIENCE} D insertions. Every search that ends explores all \
         states and finds the deadlock.",
        full.counts.max_depth,
        SEEDS - 1
    );
    let columns =
        ["heap", "heap_over_D", "end", "NGS", "NGS_over_D", "transitions", "microseconds"];
    let mut table = Table::new(&about, &columns);
    let (mut generated, mut time) = (Vec::new(), Vec::new());
    let base = median(times(&engine, states + 1)?);
    eprintln!("  {NAME}");
    let least = full.counts.max_depth - 5;
    let coarse = (1..20).rev().map(|part| states * part / 20).filter(|heap| *heap > 160);
    let fine = (least..=160).rev().step_by(5);
    for heap in [states + 1].into_iter().chain(coarse).chain(fine) {
        let (mut insertions, mut transitions, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 0..SEEDS {
            let (found, explored) = ours::search(&engine, heap, states * PATIENCE, seed)?;
            if found.cut.is_none() {
                ensure!(explored == all, "heap {heap}, seed {seed}: not all states were explored");
                ensure!(found.fault == full.fault, "heap {heap}, seed {seed}: another verdict");
                insertions.push(found.counts.states as f64);
                transitions.push(found.counts.transitions as f64);
                seconds.push(found.seconds);
            }
        }
        let end = insertions.len();
        let insertions = median(insertions);
        let (part, seconds) = (heap as f64 / states as f64, median(seconds));
        table.row(&[
            &heap,
            &format!("{part:.3}"),
            &format!("{end}/{SEEDS}"),
            &insertions.map_or("-".to_owned(), |count| count.to_string()),
            &ratio(insertions.map(|count| count / states as f64)),
            &median(transitions).map_or("-".to_owned(), |count| count.to_string()),
            &seconds.map_or("-".to_owned(), |seconds| format!("{:.0}", seconds * 1e6)),
        ]);
        if end as u64 * 2 >= SEEDS {
            generated.extend(insertions.map(|count| (heap as f64, count / states as f64)));
            time.extend(seconds.zip(base).map(|(seconds, base)| (heap as f64, seconds / base)));
        }
    }
    table.write(folder, NAME)?;
    let panel = Panel {
        title: format!("Connect-disconnect, n = {CAPACITY}: {states} states"),
        x: "heap, states",
        y: "multiple of that with all memory",
        x_range: (0.0, 1150.0),
        y_range: (0.0, 6.0),
        logarithmic: false,
        series: vec![
            Series { name: "generated states".to_owned(), points: generated },
            Series { name: "time".to_owned(), points: time },
        ],
        marks: vec![full.counts.max_depth as f64, states as f64 / 10.0, states as f64],
        told: None,
    };
    chart::draw(folder, NAME, &[panel])
}

fn times(engine: &Engine<'_>, heap: u64) -> Result<Vec<f64>> {
    (0..SEEDS).map(|seed| Ok(ours::search(engine, heap, u64::MAX, seed)?.0.seconds)).collect()
}
