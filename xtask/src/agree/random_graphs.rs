//! `agree random-graphs`: control graphs of random bodies against `./pan -d`, edge for edge.
//!
//! Each body is first shown alone to `spin -a` and to pverify; those that both accept go together
//! into one model, because gcc takes a second for a model of any size.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::graph;
use super::graphs::spin_graphs;
use super::known::{self, Difference, Known};
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
    explained: usize,
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
        total.explained += outcome.explained;
        total.edges += outcome.edges;
        total.differences.extend(outcome.differences);
    }
    std::fs::create_dir_all(&arguments.keep)?;
    for (index, (text, message)) in total.differences.iter().enumerate() {
        let file = arguments.keep.join(format!("{index:04}.pml"));
        println!("DIFFERENT {}: {message}", file.display());
        std::fs::write(file, text)?;
    }
    println!(
        "agree random-graphs: seed {}, {} bodies accepted by both, {} rejected by both, {} differ with \
         a reason, {} edges, {} differences",
        arguments.seed,
        total.accepted,
        total.rejected,
        total.explained,
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

    let text = together(&bodies, &claim, &mut random);
    std::fs::write(&file, &text)?;
    let model = Model { name: "bodies.pml".to_owned(), file: file.clone(), flags: Vec::new() };
    let spin = match spin_graphs(directory, &model)? {
        Ok(processes) => processes,
        Err(why) if known.reason("together", &refusal(&why)).is_some() => {
            outcome.explained += 1;
            return Ok(outcome);
        }
        Err(why) => {
            outcome.differences.push((text, format!("together: {why}")));
            return Ok(outcome);
        }
    };
    let (opinion, json) = pverify.opinion(directory, &file, &[])?;
    if let Opinion::Rejects { message, .. } = opinion {
        outcome.differences.push((text, format!("together: only pverify rejects: {message}")));
        return Ok(outcome);
    }
    let comparison = graph::compare(&spin, &graph::from_json(&json)?);
    outcome.edges += comparison.edges;
    if let Some(difference) = comparison.difference {
        outcome.differences.push((text, difference));
    }
    Ok(outcome)
}

/// SPIN refuses the model of all bodies, though it accepts each of them.
fn refusal(why: &str) -> Difference<'_> {
    Difference { model: "random bodies", rejected_by: "spin", message: why }
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
    // What pverify refuses may also be refused by pan, when it starts.
    let spin = spin::opinion(directory, file, &[], spin::IMPATIENT, !ours.accepts())?;
    if let Some((by, message)) = difference(&spin, &ours) {
        let difference = Difference { model: "random body", rejected_by: by, message };
        if known.reason("random-graphs", &difference).is_some() {
            outcome.explained += 1;
            return Ok(false);
        }
        outcome.differences.push((text.to_owned(), format!("only {by} rejects: {message}")));
        return Ok(false);
    }
    if spin.accepts() {
        outcome.accepted += 1;
    } else {
        outcome.rejected += 1;
    }
    Ok(spin.accepts())
}

fn proctype(index: usize, body: &Body) -> String {
    format!("active proctype P{index}() {{{}\n}}\n", body.text)
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
