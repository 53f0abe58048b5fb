//! `agree random`: thousands of small random models, their counts and verdicts against SPIN's.
//!
//! The models of seed N to N + count - 1 are searched by both. A difference is confirmed with
//! gcc (tcc may be wrong too), made as small as it goes, and saved with its seed.

mod record;
mod shrink;
mod tree;
mod words;
mod write;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::bail;
use clap::Args;

use super::answer;
use super::figures::{self, Figures};
use super::mend;
use super::pan::{self, Compiler};
use super::pverify::Pverify;
use super::spin::Opinion;
use super::work;
use tree::Model;

/// A bigger model says nothing that a smaller one does not.
const MOST_STATES: u64 = 50_000;
const PAN_LIMIT: Duration = Duration::from_secs(3);
const OUR_LIMIT: Duration = Duration::from_secs(30);

/// Which models, and what to do with them.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many models
    #[arg(long, value_name = "N", default_value_t = 2000)]
    count: u64,
    /// The seed of the first model; the others follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The pverify to ask; without it the release binary is built first
    #[arg(long, value_name = "PATH")]
    pverify: Option<PathBuf>,
    /// How many models are asked about at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Where models that differ are saved
    #[arg(long, value_name = "DIR", default_value = "target/agree-random")]
    save: PathBuf,
    /// Ask only SPIN, and write the most diverse models with its figures into this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// How many models to record
    #[arg(long, value_name = "N", default_value_t = 50, requires = "record")]
    keep: usize,
    /// How many of the models that differ are made smaller
    #[arg(long, value_name = "N", default_value_t = 5)]
    shrink: usize,
    /// Print the models instead of asking anybody
    #[arg(long)]
    print: bool,
}

/// What became of one model.
enum Outcome {
    /// By SPIN or by the C compiler.
    Rejected(String),
    /// SPIN did not finish, or found too many states.
    TooBig,
    Searched {
        spin: Figures,
        /// What differs, with both sides.
        difference: Option<String>,
    },
    /// What differs does so no more once a known mistake of SPIN is mended.
    Mistaken,
}

/// Searches and compares; fails if a model differs.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let seeds: Vec<u64> = (0..arguments.count).map(|index| arguments.seed + index).collect();
    if arguments.print {
        for seed in seeds {
            println!("// seed {seed}\n{}", write::model(seed).text());
        }
        return Ok(());
    }
    let pverify = match &arguments.record {
        Some(_) => None,
        None => Some(Pverify::find(arguments.pverify.as_deref())?),
    };
    let judge = Judge { pverify, compiler: Compiler::quickest() };
    let to_shrink = AtomicUsize::new(arguments.shrink);
    let outcomes = work::in_parallel(&seeds, arguments.threads, |directory, seed| {
        let outcome = judge.examine(directory, &write::model(*seed).text())?;
        if let Outcome::Searched { difference: Some(difference), .. } = &outcome {
            let (mut model, mut difference) = (write::model(*seed), difference.clone());
            let fewer = |left: usize| left.checked_sub(1);
            if to_shrink.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer).is_ok() {
                (model, difference) = shrink::shrink(&judge, directory, model, &difference)?;
            }
            save(&model, *seed, &difference, &arguments.save)?;
        }
        Ok(outcome)
    })?;
    // Nothing was compared, so that there is nothing to summarise.
    if let Some(folder) = &arguments.record {
        return record::write(folder, &seeds, &outcomes, arguments.keep);
    }
    let different = summarise(&seeds, &outcomes);
    if different > 0 {
        bail!("{different} models differ; see {}", arguments.save.display());
    }
    Ok(())
}

/// The text of the model of a seed.
pub(crate) fn text(seed: u64) -> String {
    write::model(seed).text()
}

fn summarise(seeds: &[u64], outcomes: &[Outcome]) -> usize {
    let (mut rejected, mut too_big, mut equal, mut verdict_only, mut different) = (0, 0, 0, 0, 0);
    let mut mistaken = 0;
    let mut kinds = std::collections::BTreeMap::<String, usize>::new();
    let mut reasons = std::collections::BTreeMap::<String, usize>::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Rejected(why) => {
                rejected += 1;
                *reasons.entry(without_place(why)).or_default() += 1;
            }
            Outcome::TooBig => too_big += 1,
            Outcome::Mistaken => mistaken += 1,
            Outcome::Searched { spin, difference } => {
                *kinds.entry(spin.verdict()).or_default() += 1;
                match difference {
                    Some(_) => different += 1,
                    None if spin.counts_mean_something() => equal += 1,
                    None => verdict_only += 1,
                }
            }
        }
    }
    println!("verdicts of SPIN: {kinds:?}");
    if !reasons.is_empty() {
        println!("rejected by SPIN: {reasons:?}");
    }
    println!(
        "agree random: seeds {} to {}: {equal} models equal, {verdict_only} more in verdict where \
         SPIN stopped early, {different} differ, {mistaken} differ until SPIN's offers are guarded, \
         {rejected} rejected by SPIN, {too_big} too big",
        seeds.first().copied().unwrap_or_default(),
        seeds.last().copied().unwrap_or_default(),
    );
    different
}

/// `spin: model.pml:3, Error: …` without the line, so that equal reasons are counted together.
fn without_place(message: &str) -> String {
    message.chars().filter(|character| !character.is_ascii_digit()).take(90).collect()
}

/// Prints a model that differs, and writes it into `folder`.
fn save(model: &Model, seed: u64, difference: &str, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    let file = folder.join(format!("seed-{seed}.pml"));
    let comment = difference.replace('\n', "\n// ");
    let text = model.text();
    std::fs::write(&file, format!("// seed {seed}: {comment}\n{text}"))?;
    println!("DIFFERENT  seed {seed} ({}): {difference}\n{text}", file.display());
    Ok(())
}

/// Both parties, ready to be asked.
pub(crate) struct Judge {
    /// `None` while only SPIN's figures are wanted.
    pverify: Option<Pverify>,
    compiler: Compiler,
}

impl Judge {
    /// Shows the text to both; a difference that tcc alone sees is none.
    fn examine(&self, directory: &Path, text: &str) -> anyhow::Result<Outcome> {
        let outcome = self.compare(directory, text, self.compiler)?;
        let differs = matches!(outcome, Outcome::Searched { difference: Some(_), .. });
        if differs && self.compiler == Compiler::Tcc {
            return self.compare(directory, text, Compiler::Gcc { level: "-O0" });
        }
        Ok(outcome)
    }

    /// Shows the text to both; if they differ, once more to SPIN without its known mistake.
    fn compare(&self, directory: &Path, text: &str, compiler: Compiler) -> anyhow::Result<Outcome> {
        let file = directory.join("model.pml");
        std::fs::write(&file, text)?;
        if let Err(Opinion::Rejects { by, message }) =
            pan::build(directory, &file, &[], compiler, &[])?
        {
            return Ok(Outcome::Rejected(format!("{by}: {message}")));
        }
        let outcome = self.search(directory, &file)?;
        if matches!(outcome, Outcome::Searched { difference: Some(_), .. })
            && mend::ask_for_offers(directory)?
            && pan::compile(directory, compiler, &pan::SAFETY)?.is_ok()
            && matches!(self.search(directory, &file)?, Outcome::Searched { difference: None, .. })
        {
            return Ok(Outcome::Mistaken);
        }
        Ok(outcome)
    }

    /// What `pan` as it was built and pverify say.
    fn search(&self, directory: &Path, file: &Path) -> anyhow::Result<Outcome> {
        let finished = pan::search(directory, &["-m100000", "-w18"], PAN_LIMIT)?;
        if finished.status.is_none() {
            return Ok(Outcome::TooBig);
        }
        let spin = match pan::figures(&finished) {
            Ok(spin) if spin.states > MOST_STATES => return Ok(Outcome::TooBig),
            Ok(spin) => spin,
            Err(error) => return Ok(Outcome::Rejected(format!("pan: {error:#}"))),
        };
        let Some(pverify) = &self.pverify else {
            return Ok(Outcome::Searched { spin, difference: None });
        };
        let ours = answer::ask(pverify, directory, file, &[], &answer::RAW, OUR_LIMIT)?;
        let difference = match ours {
            Ok(answer) => figures::difference(&spin, &answer.figures)
                .map(|what| format!("{what}\nSPIN:    {spin}\npverify: {}", answer.figures)),
            Err(why) => Some(format!("pverify {why}\nSPIN:    {spin}")),
        };
        Ok(Outcome::Searched { spin, difference })
    }
}
