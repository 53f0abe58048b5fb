//! `cargo xtask memory`: whether `--memory` is a cap for the whole process.
//!
//! Three models are checked with a cap far below what they need: more states than have room, a path
//! of millions of states that ends in a fault, and both at once. The peak of the resident memory
//! must stay below eleven tenths of the cap, and the process must end by itself, with an answer.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::Args;

use crate::agree::process;
use crate::agree::pverify::Pverify;

/// What to measure.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The pverify to measure; without it the release binary is built first
    #[arg(long, value_name = "PATH")]
    pverify: Option<PathBuf>,
    /// The cap, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 200)]
    memory: u64,
    /// How many threads pverify uses
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Each search ends after this time
    #[arg(long, value_name = "S", default_value_t = 30)]
    seconds: u64,
}

/// Models by name, and the states that they have at least.
fn models() -> [(&'static str, u64, String); 3] {
    let process = "active [6] proctype P() { byte x; do :: x < 39 -> x++ :: x > 0 -> x-- od }";
    let counting = "active proctype P() { int x; do :: x < 4000000 -> x++ :: else -> break od; \
                    assert(false) }";
    let both = "int x; active proctype P() { do :: x < 3000000 -> x++ :: else -> break od; \
                assert(false) } active [3] proctype Q() { byte y; do :: y < 100 -> y++ od }";
    [
        // 79 states of a process, and 6 of them: 240 billion states.
        ("many states", 200_000_000, process.to_owned()),
        ("a long way", 8_000_000, counting.to_owned()),
        ("both", 200_000_000, both.to_owned()),
    ]
}

/// Measures, prints a table, and fails where the cap does not hold.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let pverify = Pverify::find(arguments.pverify.as_deref())?;
    let directory = tempfile::tempdir()?;
    println!("| model | states | exit status | peak MiB | of {} MiB |", arguments.memory);
    println!("| --- | --- | --- | --- | --- |");
    let mut broken = 0;
    for (name, states, text) in models() {
        let path = directory.path().join("model.pml");
        std::fs::write(&path, text)?;
        let (ending, peak) = measure(arguments, &pverify, &path)?;
        let percent = peak * 100 / (arguments.memory << 20);
        println!("| {name} | {states} | {ending} | {} | {percent} % |", peak >> 20);
        broken += usize::from(percent >= 110 || !["1", "3"].contains(&ending.as_str()));
    }
    if broken > 0 {
        bail!("{broken} searches took more than they may, or did not end by themselves");
    }
    Ok(())
}

/// How a search ended, and the most memory that it had.
fn measure(
    arguments: &Arguments,
    pverify: &Pverify,
    model: &Path,
) -> anyhow::Result<(String, u64)> {
    let mut command = pverify.command(model, &[]);
    command.args(["--check", "safety", "--memory", &format!("{}M", arguments.memory)]);
    command.args(["--threads", &arguments.threads.to_string()]);
    command.args(["--time-limit", &format!("{}s", arguments.seconds)]);
    // Confirming a long way takes its time too.
    let limit = Duration::from_secs(arguments.seconds * 10 + 60);
    let finished = process::run(&mut command, Path::new("."), limit)?;
    let code = finished.status.and_then(|status| status.code());
    Ok((code.map_or_else(|| finished.ending(), |code| code.to_string()), finished.cost.peak_bytes))
}
