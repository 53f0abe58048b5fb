//! `cargo xtask fuzz`: damaged models for the front end, and what makes it crash or hang.
//!
//! It needs nothing installed, unlike `fuzz/`, which is guided by coverage. The work is done by
//! child processes, a batch of inputs each, because a stack overflow or an endless loop cannot be
//! caught inside the process. A child writes every input to a file before it tries it, so that
//! the file holds the offender when the child does not come back.

mod damage;
mod target;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;

use crate::agree::{Corpus, Finished, run_process};
use damage::Damage;
use target::Target;

/// The input being tried, in a child's directory.
const CURRENT: &str = "current.pml";
/// How many inputs the child has begun, in the same directory.
const TRIED: &str = "tried";
/// Inputs that a child tries.
const BATCH: u64 = 200;
/// A single input that takes longer is reported.
const SLOW: Duration = Duration::from_secs(2);
/// A child that takes longer hangs.
const BATCH_LIMIT: Duration = Duration::from_secs(60);

/// How long, from which seed, and where offenders go.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How long to go on
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    minutes: f64,
    /// The same seed damages the same places
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The folder with models.tsv; without it, generated models are damaged
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Ask this binary (`pverify graph FILE --to json`) instead of the library
    #[arg(long, value_name = "PATH")]
    pverify: Option<PathBuf>,
    /// Where to write what crashes or hangs
    #[arg(long, value_name = "DIR", default_value = "target/fuzz-findings")]
    keep: PathBuf,
    /// A child of this command: one batch, in the current directory
    #[arg(long, hide = true)]
    batch: bool,
}

/// Goes on until the time is over; an error if anything was found.
pub(crate) fn run(arguments: Arguments) -> anyhow::Result<()> {
    if arguments.batch {
        return batch(&arguments);
    }
    Target::new(arguments.pverify.as_deref());
    let start = Instant::now();
    let limit = Duration::try_from_secs_f64(arguments.minutes * 60.0)?;
    let (mut batches, mut inputs, mut findings) = (0, 0, 0);
    println!("seed {}", arguments.seed);
    while start.elapsed() < limit {
        let seed = arguments.seed.wrapping_mul(1_000_003).wrapping_add(batches);
        let directory = tempfile::tempdir()?;
        let finished = run_process(&mut child(&arguments, seed)?, directory.path(), BATCH_LIMIT)?;
        if !finished.succeeded() {
            findings += 1;
            report(&arguments.keep, directory.path(), seed, &finished)?;
        }
        batches += 1;
        inputs += tried(directory.path());
    }
    if inputs == 0 {
        bail!("not a single input was tried");
    }
    println!(
        "fuzz: seed {}, {} inputs in {} batches, {findings} findings",
        arguments.seed, inputs, batches
    );
    if findings > 0 {
        bail!("{findings} inputs crash the front end or make it hang");
    }
    Ok(())
}

fn child(arguments: &Arguments, seed: u64) -> anyhow::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["fuzz", "--batch", "--seed", &seed.to_string()]);
    for (flag, path) in [("--corpus", &arguments.corpus), ("--pverify", &arguments.pverify)] {
        if let Some(path) = path {
            command.arg(flag).arg(std::path::absolute(path)?);
        }
    }
    Ok(command)
}

/// A child that found something has not finished its batch.
fn tried(directory: &Path) -> u64 {
    let text = std::fs::read_to_string(directory.join(TRIED)).unwrap_or_default();
    text.parse().unwrap_or(0)
}

fn report(keep: &Path, directory: &Path, seed: u64, finished: &Finished) -> anyhow::Result<()> {
    std::fs::create_dir_all(keep)?;
    let file = keep.join(format!("{seed}.pml"));
    let what = finished.ending();
    // Without an input the child itself is broken: its words say how.
    let place = match std::fs::copy(directory.join(CURRENT), &file) {
        Ok(_) => file.display().to_string(),
        Err(_) => "no input yet".to_owned(),
    };
    let words: Vec<&str> =
        finished.stderr.lines().filter(|line| !line.trim().is_empty()).take(3).collect();
    println!("FOUND {what}: {place}\n      {}", words.join("\n      "));
    Ok(())
}

/// What a child does: its first offender ends it.
fn batch(arguments: &Arguments) -> anyhow::Result<()> {
    let models = match &arguments.corpus {
        Some(folder) => {
            let corpus = Corpus::read(folder, None)?;
            corpus
                .models
                .iter()
                .map(crate::agree::Model::text)
                .collect::<anyhow::Result<Vec<_>>>()?
        }
        None => (0..20).map(|seed| crate::generate::model(300, seed)).collect(),
    };
    let target = Target::new(arguments.pverify.as_deref());
    let mut damage = Damage::new(models, arguments.seed);
    for number in 1..=BATCH {
        let input = damage.next_input();
        std::fs::write(TRIED, number.to_string())?;
        std::fs::write(CURRENT, &input)?;
        let start = Instant::now();
        target.run(&input, Path::new(CURRENT))?;
        if start.elapsed() > SLOW {
            bail!("slow: it took {:.1} s", start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}
