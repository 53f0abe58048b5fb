//! `cargo xtask figures`: the papers' experiments with bounded memory, measured again and drawn.
//!
//! Each figure is a table (TSV) and a drawing of it (SVG) in docs/figures, whose README says what is
//! seen there. In reading order: `graphs` and `textbook`, an implementation of the papers that
//! shares nothing with the search of pverify; `ours`, that search; one module a figure; `table` and
//! `chart`, how they are written.

mod chart;
mod connect_disconnect;
mod extremes;
mod graphs;
mod models;
mod ours;
mod random_graph;
mod shrinking;
mod sizes;
mod table;
mod textbook;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::ValueEnum;

/// What to draw.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The figures; without any, all of them
    figures: Vec<Figure>,
    /// Where tables and drawings go; docs/figures unless told
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Figure {
    /// Jard et al. 1993, figure 1: a random graph in less and less memory
    P93Figure1,
    /// Jard et al. 1993, figure 2: short paths, and a very connected graph
    P93Figure2,
    /// For which random graphs the numbers of 1993 hold
    Sizes,
    /// Jard & Jéron 1989, figure 8: connect-disconnect with smaller and smaller heaps
    P89Figure8,
    /// Ten models of the gallery
    Models,
}

/// Measures and draws.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(debug_assertions) {
        println!(
            "the times will be those of a slow build: cargo run --release -p xtask -- figures"
        );
    }
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = arguments.folder.clone().unwrap_or_else(|| project.join("docs/figures"));
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let all = arguments.figures.is_empty();
    for &figure in Figure::value_variants() {
        if all || arguments.figures.contains(&figure) {
            match figure {
                Figure::P93Figure1 => random_graph::draw(&folder),
                Figure::P93Figure2 => extremes::draw(&folder),
                Figure::Sizes => sizes::draw(&folder),
                Figure::P89Figure8 => connect_disconnect::draw(&folder),
                Figure::Models => models::draw(&folder, &project.join("protocols")),
            }
            .with_context(|| format!("{figure:?}"))?;
        }
    }
    println!("written to {}", folder.display());
    Ok(())
}

/// The one in the middle; `None` of nothing.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
