//! Second opinions: the same models are shown to SPIN and to pverify.
//!
//! * `cargo xtask agree syntax`: do both accept and reject the same models of the corpus?
//! * `cargo xtask agree mutations`: and the same broken variants of them?
//! * `cargo xtask agree graphs`: are the control graphs the very ones of `./pan -d`?
//! * `cargo xtask agree random-graphs`: and those of bodies that nobody would write?
//! * `cargo xtask agree counts`: has a full search the same states, transitions and verdict?
//! * `cargo xtask agree threads`: and with any number of threads, time after time?
//! * `cargo xtask agree native`: does machine code find the next states that the engine finds?
//! * `cargo xtask agree random`: and on thousands of small random models?
//! * `cargo xtask agree ltl`: have formulas, claims and labels of the corpus the recorded verdict?
//! * `cargo xtask agree random-ltl`: and random formulas on small random models that of `pan -a`?
//! * `cargo xtask agree fifo`: are channels as long as is known of public FIFO systems?
//! * `cargo xtask agree trails`: do our counterexamples lead `spin -t` and `pan -r` to the same end?
//!
//! pverify is a black box here: the binary is asked, as a person would. Differences that have
//! a reason are listed in `xtask/agree-known.tsv`; a command fails only on those that have none.
//! Where SPIN is not installed every command says so and succeeds.
//!
//! How to tell that SPIN rejects a model is told in [`spin`], what `./pan -d` prints in [`tables`].

pub(crate) mod answer;
mod corpus;
mod counts;
mod ends;
mod expected;
mod fifo;
pub(crate) mod figures;
mod graph;
mod graphs;
mod known;
mod ltl;
mod mend;
pub(crate) mod mutate;
mod mutations;
mod native;
pub(crate) mod pan;
pub(crate) mod process;
pub(crate) mod pverify;
mod random;
mod random_body;
mod random_graphs;
mod random_ltl;
pub(crate) mod spin;
mod syntax;
mod tables;
mod threads;
mod trails;
mod work;

pub(crate) use corpus::{Corpus, DEFAULT_FOLDER, Model};
pub(crate) use process::{Finished, run as run_process};

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What to compare, and where the parties are.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// Compare states, transitions and verdict of the corpus with SPIN's raw search
    Counts(counts::Arguments),
    /// Compare the lengths of channels with what is known of public FIFO systems
    Fifo(fifo::Arguments),
    /// Compare the control graphs with those of ./pan -d, edge for edge
    Graphs(graphs::Arguments),
    /// Compare the control graphs of random bodies with those of ./pan -d
    RandomGraphs(random_graphs::Arguments),
    /// Compare the verdicts of formulas, claims and labels of the corpus with the recorded ones
    Ltl(ltl::Arguments),
    /// Compare the verdicts of random formulas on small random models with those of pan -a
    RandomLtl(random_ltl::Arguments),
    /// Compare states, transitions and verdict of small random models
    Random(random::Arguments),
    /// Compare the next states that machine code finds with those of the engine
    Native(native::Arguments),
    /// Compare which models of the corpus are accepted
    Syntax(syntax::Arguments),
    /// Compare states, transitions and verdict with 1, 2 and 8 threads, many times
    Threads(threads::Arguments),
    /// Replay our counterexamples with spin -t and pan -r
    Trails(trails::Arguments),
    /// Compare which of many seeded, broken variants of the corpus are accepted
    Mutations(mutations::Arguments),
}

/// Options that every comparison shares.
#[derive(Args)]
pub(crate) struct Shared {
    /// The folder with models.tsv
    #[arg(long, value_name = "DIR", default_value = corpus::DEFAULT_FOLDER)]
    corpus: PathBuf,
    /// The pverify to ask; without it the release binary is built first
    #[arg(long, value_name = "PATH")]
    pverify: Option<PathBuf>,
    /// The list of differences that have a reason
    #[arg(long, value_name = "FILE", default_value = known::DEFAULT_FILE)]
    known: PathBuf,
    /// How many models are asked about at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Only models whose path contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// Runs the comparison that was asked for; an error if there is a difference without a reason.
pub(crate) fn run(arguments: Arguments) -> anyhow::Result<()> {
    // The recorded figures need no SPIN.
    match arguments.question {
        Question::Native(arguments) => return native::run(&arguments),
        Question::Counts(arguments) => return counts::run(&arguments),
        Question::Threads(arguments) => return threads::run(&arguments),
        Question::Ltl(arguments) => return ltl::run(&arguments),
        Question::Fifo(arguments) => return fifo::run(&arguments),
        _ => {}
    }
    if !spin::installed() {
        println!("skipped: spin is not installed (Debian: apt install spin gcc)");
        return Ok(());
    }
    match arguments.question {
        Question::Native(arguments) => native::run(&arguments),
        Question::Counts(arguments) => counts::run(&arguments),
        Question::Threads(arguments) => threads::run(&arguments),
        Question::Ltl(arguments) => ltl::run(&arguments),
        Question::RandomLtl(arguments) => random_ltl::run(&arguments),
        Question::Fifo(arguments) => fifo::run(&arguments),
        Question::Graphs(arguments) => graphs::run(&arguments),
        Question::RandomGraphs(arguments) => random_graphs::run(&arguments),
        Question::Random(arguments) => random::run(&arguments),
        Question::Syntax(arguments) => syntax::run(&arguments),
        Question::Trails(arguments) => trails::run(&arguments),
        Question::Mutations(arguments) => mutations::run(&arguments),
    }
}
