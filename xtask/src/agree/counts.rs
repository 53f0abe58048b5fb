//! `agree counts`: states, transitions and verdict of the corpus against SPIN's raw search.
//!
//! The figures that were recorded with the corpus are the default; they need no SPIN. Time is
//! measured on both sides, but a recorded time comes from another machine: a ratio that is
//! worth quoting comes from `cargo xtask bench`.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use clap::Args;

use super::answer::{self, Answer};
use super::expected::{self, Recorded};
use super::figures;
use super::known::{Difference, Known};
use super::pan::{self, Compiler};
use super::pverify::Pverify;
use super::spin::{self, Opinion};
use super::{Corpus, Model, Shared, work};

/// A search that is done sooner says more about starting a program than about searching.
const WORTH_TIMING: f64 = 0.5;

/// Whom to compare with.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    shared: Shared,
    /// Compare with the recorded figures (the default)
    #[arg(long, conflicts_with = "ask_spin")]
    recorded: bool,
    /// Run SPIN again instead of trusting the recorded figures
    #[arg(long)]
    ask_spin: bool,
    /// Give up on a model after this time
    #[arg(long, value_name = "S", default_value_t = 60)]
    limit_seconds: u64,
}

struct Outcome {
    spin: Recorded,
    ours: Result<Answer, String>,
}

/// Compares model by model; fails if one differs without a reason.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let shared = &arguments.shared;
    if arguments.ask_spin && !spin::installed() {
        println!("skipped: spin is not installed (without --ask-spin none is needed)");
        return Ok(());
    }
    let known = Known::read(&shared.known)?;
    let corpus = Corpus::read(&shared.corpus, shared.only.as_deref())?;
    let recorded = expected::read(&shared.corpus)?;
    let models: Vec<&Model> =
        corpus.models.iter().filter(|model| recorded.contains_key(&model.name)).collect();
    let pverify = Pverify::find(shared.pverify.as_deref())?;
    let limit = Duration::from_secs(arguments.limit_seconds);
    let outcomes = work::in_parallel(&models, shared.threads, |directory, model| {
        let spin = if arguments.ask_spin {
            ask_spin(directory, model, limit)
        } else {
            recorded.get(&model.name).cloned().ok_or_else(|| anyhow::anyhow!("not recorded"))
        };
        let ours =
            answer::ask(&pverify, directory, &model.file, &model.flags, &answer::RAW, limit)?;
        Ok((spin.map_err(|error| format!("{error:#}")), ours))
    })?;

    let mut summary = Summary::default();
    for (model, (spin, ours)) in models.iter().zip(outcomes) {
        match spin {
            Ok(spin) => summary.add(&model.name, &Outcome { spin, ours }, &known),
            Err(why) => {
                summary.without += 1;
                println!("no figures {}: {why}", model.name);
            }
        }
    }
    summary.print(models.len());
    if !corpus.missing.is_empty() {
        println!("{} models of the corpus are not on this machine", corpus.missing.len());
    }
    if summary.different > 0 {
        bail!("{} models differ", summary.different);
    }
    Ok(())
}

fn ask_spin(directory: &Path, model: &Model, limit: Duration) -> anyhow::Result<Recorded> {
    let compiler = Compiler::Gcc { level: "-O2" };
    let defines = ["-DVECTORSZ=8192", "-DMEMLIM=8000"];
    if let Err(Opinion::Rejects { by, message }) =
        pan::build(directory, &model.file, &model.flags, compiler, &defines)?
    {
        bail!("{by}: {message}");
    }
    let finished = pan::search(directory, &["-m1000000", "-w22"], limit)?;
    let seconds = finished.cost.cpu.as_secs_f64();
    Ok(Recorded { figures: pan::figures(&finished)?, seconds })
}

/// How many of each, and the ratios of speed.
#[derive(Default)]
struct Summary {
    equal: usize,
    /// Equal in verdict, where SPIN's counts mean nothing.
    verdict_only: usize,
    explained: usize,
    different: usize,
    without: usize,
    /// Natural logarithms of our transitions per second over SPIN's.
    ratios: Vec<f64>,
    spin_seconds: f64,
    our_seconds: f64,
}

impl Summary {
    fn add(&mut self, name: &str, outcome: &Outcome, known: &Known) {
        let spin = &outcome.spin.figures;
        let message = match &outcome.ours {
            Ok(answer) => {
                self.time(outcome.spin.seconds, answer);
                match figures::difference(spin, &answer.figures) {
                    None if spin.counts_mean_something() => {
                        self.equal += 1;
                        println!("ok         {name} ({spin})");
                        return;
                    }
                    None => {
                        self.verdict_only += 1;
                        println!("verdict ok {name} ({})", answer.figures.verdict());
                        return;
                    }
                    Some(what) => {
                        format!("{what}\n    SPIN:    {spin}\n    pverify: {}", answer.figures)
                    }
                }
            }
            Err(why) => format!("pverify {why}\n    SPIN:    {spin}"),
        };
        let difference =
            Difference { model: name, rejected_by: "pverify", message: &message, warnings: &[] };
        if let Some(reason) = known.reason("counts", &difference) {
            self.explained += 1;
            println!("known      {name}: {reason}\n           {message}");
        } else {
            self.different += 1;
            println!("DIFFERENT  {name}: {message}");
        }
    }

    fn time(&mut self, spin_seconds: f64, answer: &Answer) {
        let our_seconds = answer.cost.cpu.as_secs_f64();
        self.spin_seconds += spin_seconds;
        self.our_seconds += our_seconds;
        if spin_seconds >= WORTH_TIMING && our_seconds > 0.0 {
            self.ratios.push((spin_seconds / our_seconds).ln());
        }
    }

    fn print(&self, models: usize) {
        println!(
            "agree counts: {} of {models} models equal, {} more in verdict where SPIN stopped \
             early, {} differ, {} differ with a reason, {} without figures",
            self.equal, self.verdict_only, self.different, self.explained, self.without
        );
        println!("CPU time: SPIN {:.1} s, pverify {:.1} s", self.spin_seconds, self.our_seconds);
        if !self.ratios.is_empty() {
            let mean = self.ratios.iter().sum::<f64>() / self.ratios.len() as f64;
            println!(
                "transitions per second: {:.2} times SPIN's (geometric mean of {} models that \
                 take SPIN {WORTH_TIMING} s or more)",
                mean.exp(),
                self.ratios.len()
            );
        }
    }
}
