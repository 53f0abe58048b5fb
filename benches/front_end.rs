//! How long a model of 20,000 lines takes from its text to its control graphs.
//!
//! `cargo bench --bench front_end`; the same seed gives the same model every time. The issue that
//! asked for the front end allows 0.2 s on one core. A plain harness: the figure is a time that a
//! person compares, not a statistic.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figure")]

#[path = "../xtask/src/generate/model.rs"]
mod generated;

use pverify_model::load::load_text;
use std::time::{Duration, Instant};

const LINES: usize = 20_000;
const SEED: u64 = 1;
const RUNS: usize = 15;

/// The work follows the nesting of the model; the program gives it as much.
const STACK: usize = 256 << 20;

fn main() -> std::io::Result<()> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(measure)?;
    let mut times = thread.join().unwrap_or_default();
    times.sort();
    if let (Some(best), Some(median)) = (times.first(), times.get(times.len() / 2)) {
        println!("front end, {LINES} lines, seed {SEED}: median {median:.1?}, best {best:.1?}");
    }
    Ok(())
}

fn measure() -> Vec<Duration> {
    let text = generated::model(LINES, SEED);
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let text = text.clone();
        let start = Instant::now();
        let loaded = load_text(text);
        times.push(start.elapsed());
        // Whoever measures the reading of a broken model measures nothing.
        assert!(!loaded.has_errors(), "the generated model has errors");
    }
    times
}
