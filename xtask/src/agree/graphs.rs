//! `agree graphs`: control graphs of corpus models against `./pan -d`, edge for edge.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::bail;
use clap::Args;

use super::graph::{self, Comparison, Process};
use super::known::{Difference, Known};
use super::pan::RAW;
use super::pverify::Pverify;
use super::spin::{self, Opinion};
use super::{Corpus, Model, Shared, process, tables, work};

/// Which models.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    shared: Shared,
    /// At most this many models, spread evenly over the corpus
    #[arg(long, value_name = "N")]
    models: Option<usize>,
    /// Show the statements of equal edges that read differently
    #[arg(long)]
    texts: bool,
}

/// What became of one model.
enum Outcome {
    /// SPIN, gcc or pan do not handle it: nothing to compare.
    NotInSpin(String),
    /// pverify rejects it.
    Rejected(String),
    Compared(Comparison),
}

/// Compares model by model; fails if one differs without a reason.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let shared = &arguments.shared;
    let pverify = Pverify::find(shared.pverify.as_deref())?;
    let known = Known::read(&shared.known)?;
    let corpus = Corpus::read(&shared.corpus, shared.only.as_deref())?;
    let models = spread(&corpus.models, arguments.models);
    let outcomes = work::in_parallel(&models, shared.threads, |directory, model| {
        examine(directory, model, &pverify)
    })?;

    let (mut equal, mut edges, mut texts, mut without, mut explained) = (0, 0, 0, 0, 0);
    let mut different = 0;
    for (model, outcome) in models.iter().zip(&outcomes) {
        let name = &model.name;
        let message = match outcome {
            Outcome::NotInSpin(why) => {
                without += 1;
                println!("no tables  {name}: {why}");
                continue;
            }
            Outcome::Compared(Comparison { difference: None, texts: unlike, edges: count }) => {
                equal += 1;
                edges += count;
                texts += unlike.len();
                println!("ok         {name} ({count} edges, {} texts differ)", unlike.len());
                if arguments.texts {
                    for (spin, ours) in unlike {
                        println!("    SPIN:    {spin}\n    pverify: {ours}");
                    }
                }
                continue;
            }
            Outcome::Rejected(message) => format!("pverify rejects: {message}"),
            Outcome::Compared(Comparison { difference: Some(difference), .. }) => {
                difference.clone()
            }
        };
        let difference =
            Difference { model: name, rejected_by: "pverify", message: &message, warnings: &[] };
        if let Some(reason) = known.reason("graphs", &difference) {
            explained += 1;
            println!("known      {name}: {reason}");
        } else {
            different += 1;
            println!("DIFFERENT  {name}: {message}");
        }
    }
    println!(
        "agree graphs: {equal} of {} models equal ({edges} edges, {texts} texts differ), \
         {different} differ, {explained} differ with a reason, {without} not handled by SPIN",
        models.len()
    );
    if different > 0 {
        bail!("{different} models differ");
    }
    Ok(())
}

/// `count` of the models, at even distances, so that every part of the corpus has its share.
fn spread(models: &[Model], count: Option<usize>) -> Vec<Model> {
    let count = count.unwrap_or(models.len()).min(models.len());
    (0..count).map(|index| models[index * models.len() / count].clone()).collect()
}

fn examine(directory: &Path, model: &Model, pverify: &Pverify) -> anyhow::Result<Outcome> {
    let spin = match spin_graphs(directory, model)? {
        Ok(processes) => processes,
        Err((by, message)) => return Ok(Outcome::NotInSpin(format!("{by}: {message}"))),
    };
    let (opinion, json) = pverify.opinion(directory, &model.file, &model.flags)?;
    if let Opinion::Rejects { message, .. } = opinion {
        return Ok(Outcome::Rejected(message));
    }
    Ok(match graph::from_json(&json) {
        Ok(ours) => Outcome::Compared(graph::compare(&spin, &ours)),
        Err(error) => Outcome::Rejected(format!("unreadable output: {error:#}")),
    })
}

/// The tables of `./pan -d`, or who refuses and with which words.
pub(crate) fn spin_graphs(
    directory: &Path,
    model: &Model,
) -> anyhow::Result<Result<Vec<Process>, (&'static str, String)>> {
    let flags: Vec<String> =
        RAW.iter().map(|flag| (*flag).to_owned()).chain(model.flags.iter().cloned()).collect();
    let (opinion, output) = spin::generate(directory, &model.file, &flags, spin::PATIENT)?;
    if let Opinion::Rejects { by, message } = opinion {
        return Ok(Err((by, message)));
    }
    if let Opinion::Rejects { by, message } = spin::compile(directory)? {
        return Ok(Err((by, message)));
    }
    let mut command = Command::new(directory.join("pan"));
    let finished = process::run(command.arg("-d"), directory, Duration::from_secs(20))?;
    let mut processes = match tables::parse(&finished.stdout, &tables::ltl_names(&output)) {
        Ok(processes) => processes,
        Err(error) => return Ok(Err(("pan", format!("{error} ({})", finished.ending())))),
    };
    // Written by `spin -a` beside `pan.c`.
    let transitions = std::fs::read_to_string(directory.join("pan.t"))?;
    tables::refine_d_steps(&mut processes, &transitions);
    Ok(Ok(processes))
}
