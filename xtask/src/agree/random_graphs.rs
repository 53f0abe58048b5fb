//! `agree random-graphs`: control graphs of random bodies against `./pan -d`, edge for edge.
//!
//! Each body is first shown alone to `spin -a` and to pverify; those that both accept go together
//! into one model, because gcc takes a second for a model of any size. There other processes name
//! labels of the bodies, which makes places of jumps: what SPIN cannot write any more because of
//! that, pverify must say, and the bodies are compared once more without.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::graph;
use super::graphs::spin_graphs;
use super::known::{self, Known};
use super::pverify::Pverify;
use super::random_body::{self, Body, PREAMBLE};
use super::spin::{self, Opinion};
use super::syntax::difference;
use super::{Model, work};

/// Bodies in one model; SPIN's limit is 255.
const BATCH: usize = 60;

/// How many, from which seed, and where differences go.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many bodies
    #[arg(long, value_name = "N", default_value_t = 3000)]
    count: usize,
    /// The same seed writes the same bodies
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The pverify to ask; without it the release binary is built first
    #[arg(long, value_name = "PATH")]
    pverify: Option<PathBuf>,
    /// The list of differences that have a reason
    #[arg(long, value_name = "FILE", default_value = known::DEFAULT_FILE)]
    known: PathBuf,
    /// How many models are asked about at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Where to write the models on which the two differ
    #[arg(long, value_name = "DIR", default_value = "target/agree-random-graphs")]
    keep: PathBuf,
}

/// What became of one batch.
#[derive(Default)]
struct Outcome {
    accepted: usize,
    rejected: usize,
    /// How often each reason explained a difference.
    explained: BTreeMap<String, usize>,
    edges: usize,
    /// Models and what is different about them.
    differences: Vec<(String, String)>,
}

/// Compares batch by batch; fails if one differs.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    println!("seed {}", arguments.seed);
    let pverify = Pverify::find(arguments.pverify.as_deref())?;
    let known = Known::read(&arguments.known)?;
    let batches = arguments.count.div_ceil(BATCH) as u64;
    let seeds: Vec<u64> =
        (0..batches).map(|batch| arguments.seed.wrapping_mul(1_000_003) + batch).collect();
    let outcomes = work::in_parallel(&seeds, arguments.threads, |directory, &seed| {
        examine(directory, seed, &pverify, &known)
    })?;
    let mut total = Outcome::default();
    for outcome in outcomes {
        total.accepted += outcome.accepted;
        total.rejected += outcome.rejected;
        for (reason, count) in outcome.explained {
            *total.explained.entry(reason).or_default() += count;
        }
        total.edges += outcome.edges;
        total.differences.extend(outcome.differences);
    }
    std::fs::create_dir_all(&arguments.keep)?;
    for (index, (text, message)) in total.differences.iter().enumerate() {
        let file = arguments.keep.join(format!("{index:04}.pml"));
        println!("DIFFERENT {}: {message}", file.display());
        std::fs::write(file, text)?;
    }
    for (reason, count) in &total.explained {
        println!("known {count:>4} x {reason}");
    }
    println!(
        "agree random-graphs: seed {}, {} bodies accepted by both, {} rejected by both, {} differ with \
         a reason, {} edges, {} differences",
        arguments.seed,
        total.accepted,
        total.rejected,
        total.explained.values().sum::<usize>(),
        total.edges,
        total.differences.len()
    );
    if !total.differences.is_empty() {
        bail!("{} models differ", total.differences.len());
    }
    Ok(())
}

fn examine(
    directory: &Path,
    seed: u64,
    pverify: &Pverify,
    known: &Known,
) -> anyhow::Result<Outcome> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut outcome = Outcome::default();
    let file = directory.join("bodies.pml");
    let mut bodies = Vec::new();
    for _ in 0..BATCH {
        let body = random_body::body(&mut random, false);
        let text = format!("{PREAMBLE}{}", proctype(0, &body));
        if ask(directory, &file, &text, pverify, known, &mut outcome)? {
            bodies.push(body);
        }
    }
    let claim = random_body::body(&mut random, true);
    let claim = format!("never {{{}\n}}\n", claim.text);
    let text = format!("{PREAMBLE}{claim}init {{ skip }}\n");
    let claim = if ask(directory, &file, &text, pverify, known, &mut outcome)? {
        claim
    } else {
        String::new()
    };

    let model = Model { name: "random bodies".to_owned(), file, flags: Vec::new() };
    let text = together(&bodies, &claim, &mut random);
    if compare(directory, &model, &text, pverify, known, &mut outcome)? == Together::NotForSpin {
        // Without the eyes of the others the bodies are as they were alone.
        let text = together_alone(&bodies, &claim);
        compare(directory, &model, &text, pverify, known, &mut outcome)?;
    }
    Ok(outcome)
}

/// What became of many bodies in one model.
#[derive(PartialEq, Eq)]
enum Together {
    /// Compared, or a difference.
    Settled,
    /// SPIN cannot write it, as pverify said.
    NotForSpin,
}

fn compare(
    directory: &Path,
    model: &Model,
    text: &str,
    pverify: &Pverify,
    known: &Known,
    outcome: &mut Outcome,
) -> anyhow::Result<Together> {
    std::fs::write(&model.file, text)?;
    let (ours, json) = pverify.opinion(directory, &model.file, &[])?;
    let spin = match spin_graphs(directory, model)? {
        Ok(processes) => processes,
        Err((by, message)) => {
            let rejects = Opinion::Rejects { by, message };
            let Some(difference) = difference(&model.name, &rejects, &ours, true) else {
                // Bodies that both accept one by one, and both refuse together.
                outcome.rejected += 1;
                return Ok(Together::NotForSpin);
            };
            if let Some(reason) = known.reason("random-graphs", &difference) {
                *outcome.explained.entry(reason.to_owned()).or_default() += 1;
                return Ok(Together::NotForSpin);
            }
            let message = format!("together: only {by} rejects: {}", difference.message);
            outcome.differences.push((text.to_owned(), message));
            return Ok(Together::Settled);
        }
    };
    if let Opinion::Rejects { message, .. } = ours {
        let message = format!("together: only pverify rejects: {message}");
        outcome.differences.push((text.to_owned(), message));
        return Ok(Together::Settled);
    }
    let comparison = graph::compare(&spin, &graph::from_json(&json)?);
    outcome.edges += comparison.edges;
    if let Some(difference) = comparison.difference {
        outcome.differences.push((text.to_owned(), difference));
    }
    Ok(Together::Settled)
}

/// Whether both accept the text; that only one does is a difference.
fn ask(
    directory: &Path,
    file: &Path,
    text: &str,
    pverify: &Pverify,
    known: &Known,
    outcome: &mut Outcome,
) -> anyhow::Result<bool> {
    std::fs::write(file, text)?;
    let (ours, _) = pverify.opinion(directory, file, &[])?;
    // Silent acceptance is judged by gcc for many at a time; everything else at once.
    let complete = ours != Opinion::Accepts;
    let spin = spin::opinion(directory, file, &[], spin::IMPATIENT, complete)?;
    let Some(difference) = difference("random body", &spin, &ours, complete) else {
        if spin.accepts() {
            outcome.accepted += 1;
        } else {
            outcome.rejected += 1;
        }
        return Ok(spin.accepts());
    };
    if let Some(reason) = known.reason("random-graphs", &difference) {
        *outcome.explained.entry(reason.to_owned()).or_default() += 1;
        // An idle loop keeps pan from searching, not from printing its tables.
        return Ok(difference.rejected_by == "pan" && ours.accepts());
    }
    let message = format!("only {} rejects: {}", difference.rejected_by, difference.message);
    outcome.differences.push((text.to_owned(), message));
    Ok(false)
}

fn proctype(index: usize, body: &Body) -> String {
    format!("active proctype P{index}() {{{}\n}}\n", body.text)
}

/// One model of all bodies.
fn together_alone(bodies: &[Body], claim: &str) -> String {
    let mut text = PREAMBLE.to_owned();
    for (index, body) in bodies.iter().enumerate() {
        text.push_str(&proctype(index, body));
    }
    text.push_str(claim);
    text.push_str("init { skip }\n");
    text
}

/// One model of all bodies, with a process that looks at some of their labels.
fn together(bodies: &[Body], claim: &str, random: &mut StdRng) -> String {
    let mut text = PREAMBLE.to_owned();
    for (index, body) in bodies.iter().enumerate() {
        text.push_str(&proctype(index, body));
    }
    text.push_str("active proctype Watch() {\n");
    for (index, body) in bodies.iter().enumerate() {
        for label in &body.labels {
            if random.random_range(0..3) == 0 {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  P{index}@{label};");
            }
        }
    }
    text.push_str("  skip\n}\n");
    text.push_str(claim);
    text
}
