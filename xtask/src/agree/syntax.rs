//! `agree syntax`: every model of the corpus is shown to SPIN and to pverify.

use std::collections::BTreeMap;

use anyhow::bail;
use clap::Args;

use super::known::{Difference, Known};
use super::pverify::Pverify;
use super::spin::{self, Opinion};
use super::{Corpus, Shared, work};

/// Which models, and how far SPIN's opinion goes.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    shared: Shared,
    /// Also let gcc compile pan.c, and start pan: what they refuse SPIN cannot run
    #[arg(long)]
    gcc: bool,
}

/// Prints the table of agreements and every difference; fails on one without a reason.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let shared = &arguments.shared;
    let pverify = Pverify::find(shared.pverify.as_deref())?;
    let known = Known::read(&shared.known)?;
    let corpus = Corpus::read(&shared.corpus, shared.only.as_deref())?;
    let opinions = work::in_parallel(&corpus.models, shared.threads, |directory, model| {
        let spin =
            spin::opinion(directory, &model.file, &model.flags, spin::PATIENT, arguments.gcc)?;
        let (pverify, _) = pverify.opinion(directory, &model.file, &model.flags)?;
        Ok((spin, pverify))
    })?;

    let mut table: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let (mut explained, mut unexplained) = (0, 0);
    for (model, (spin, pverify)) in corpus.models.iter().zip(&opinions) {
        *table.entry((verdict(spin), verdict(pverify))).or_default() += 1;
        let Some((by, message)) = difference(spin, pverify) else { continue };
        let reason =
            known.reason("syntax", &Difference { model: &model.name, rejected_by: by, message });
        match reason {
            Some(reason) => {
                explained += 1;
                println!(
                    "known      {}\n           {by}: {message}\n           {reason}",
                    model.name
                );
            }
            None => {
                unexplained += 1;
                println!("DIFFERENT  {}\n           only {by} rejects: {message}", model.name);
            }
        }
    }
    for name in &corpus.missing {
        println!("missing    {name}");
    }
    println!("\n{:<12} {:<12} models", "SPIN", "pverify");
    for ((spin, pverify), count) in &table {
        println!("{spin:<12} {pverify:<12} {count}");
    }
    println!(
        "agree syntax: {} models, {} agree, {explained} differ with a reason, \
         {unexplained} without, {} not found",
        opinions.len(),
        opinions.len() - explained - unexplained,
        corpus.missing.len()
    );
    if unexplained > 0 {
        bail!("{unexplained} differences without a reason");
    }
    Ok(())
}

fn verdict(opinion: &Opinion) -> &'static str {
    match opinion {
        Opinion::Accepts => "accepts",
        Opinion::Rejects { by: "gcc", .. } => "gcc rejects",
        Opinion::Rejects { by: "pan", .. } => "pan rejects",
        Opinion::Rejects { .. } => "rejects",
    }
}

/// Who rejects alone, and the message; `None` if both accept or both reject.
pub(crate) fn difference<'a>(one: &'a Opinion, other: &'a Opinion) -> Option<(&'a str, &'a str)> {
    match (one, other) {
        (Opinion::Accepts, Opinion::Rejects { by, message })
        | (Opinion::Rejects { by, message }, Opinion::Accepts) => Some((by, message)),
        _ => None,
    }
}
