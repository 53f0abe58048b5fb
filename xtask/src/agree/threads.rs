//! `agree threads`: the same figures with 1, 2 and 8 threads on the corpus, time after time.
//!
//! The figures that were recorded with the corpus are asked for with every number of threads, on
//! small models many times: a race shows seldom. No SPIN is needed.

use std::time::Duration;

use anyhow::bail;
use clap::Args;

use super::answer::{self, Answer};
use super::expected;
use super::figures::{self, Figures};
use super::known::{Difference, Known};
use super::pverify::Pverify;
use super::{Corpus, Model, Shared, work};

/// Models with no more states than this are asked about many times.
const SMALL: u64 = 200_000;

/// How often, and with how many threads.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    shared: Shared,
    /// The numbers of threads
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [1, 2, 8])]
    with: Vec<usize>,
    /// How often small models are asked about, with each number of threads
    #[arg(long, value_name = "N", default_value_t = 20)]
    runs: u32,
    /// Leave out models that took SPIN longer than this
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    most_seconds: f64,
    /// Give up on a model after this time
    #[arg(long, value_name = "S", default_value_t = 120)]
    limit_seconds: u64,
}

/// What a search with so many threads said, if that is wrong.
type Wrong = (usize, String);

/// Asks about model by model; fails if one answer differs without a reason.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let shared = &arguments.shared;
    let known = Known::read(&shared.known)?;
    let corpus = Corpus::read(&shared.corpus, shared.only.as_deref())?;
    let recorded = expected::read(&shared.corpus)?;
    let seconds = |model: &Model| recorded.get(&model.name).map(|recorded| recorded.seconds);
    let models: Vec<&Model> = corpus
        .models
        .iter()
        .filter(|model| seconds(model).is_some_and(|seconds| seconds <= arguments.most_seconds))
        .collect();
    let pverify = Pverify::find(shared.pverify.as_deref())?;
    let limit = Duration::from_secs(arguments.limit_seconds);
    let answers = work::in_parallel(&models, shared.threads, |directory, model| {
        let recorded = &recorded[&model.name];
        let runs = if recorded.figures.states <= SMALL { arguments.runs } else { 1 };
        let mut wrong: Vec<Wrong> = Vec::new();
        for &threads in &arguments.with {
            let number = threads.to_string();
            let mut options = answer::RAW;
            if let Some(at) = options.iter().position(|option| *option == "--threads") {
                options[at + 1] = &number;
            }
            for _ in 0..runs {
                let ours =
                    answer::ask(&pverify, directory, &model.file, &model.flags, &options, limit)?;
                wrong.extend(difference(&recorded.figures, ours).map(|what| (threads, what)));
            }
        }
        Ok((runs * arguments.with.len() as u32, wrong))
    })?;

    let (mut searches, mut different, mut explained) = (0, 0, 0);
    for (model, (runs, wrong)) in models.iter().zip(answers) {
        searches += runs;
        let Some((threads, message)) = wrong.first() else { continue };
        let difference =
            Difference { model: &model.name, rejected_by: "pverify", message, warnings: &[] };
        // With every number of threads alike, it is no matter of threads.
        let always = wrong.len() == runs as usize;
        if always && known.reason("counts", &difference).is_some() {
            explained += 1;
        } else {
            different += 1;
            let count = wrong.len();
            println!(
                "DIFFERENT  {}: {count} of {runs}, first with {threads}: {message}",
                model.name
            );
        }
    }
    println!(
        "agree threads: {searches} searches of {} models, {different} models differ, {explained} \
         differ with a reason",
        models.len()
    );
    if different > 0 {
        bail!("{different} models differ");
    }
    Ok(())
}

fn difference(recorded: &Figures, ours: Result<Answer, String>) -> Option<String> {
    match ours {
        Ok(answer) => figures::difference(recorded, &answer.figures)
            .map(|what| format!("{what}: {recorded}, not {}", answer.figures)),
        Err(why) => Some(format!("pverify {why}")),
    }
}
