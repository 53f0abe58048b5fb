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
        let Some(difference) = difference(&model.name, spin, pverify, arguments.gcc) else {
            continue;
        };
        let reason = known.reason("syntax", &difference);
        let Difference { rejected_by: by, message, .. } = difference;
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
        Opinion::Accepts | Opinion::AcceptsAlone { .. } => "accepts",
        Opinion::Rejects { by: "gcc", .. } => "gcc rejects",
        Opinion::Rejects { by: "pan", .. } => "pan rejects",
        Opinion::Rejects { .. } => "rejects",
    }
}

/// Who rejects alone, or a warning that is wrong; `None` if there is nothing to explain.
///
/// If SPIN's opinion is `complete` (gcc and pan were asked, too), a model of which pverify says that
/// SPIN cannot run it must have been rejected.
pub(crate) fn difference<'a>(
    model: &'a str,
    spin: &'a Opinion,
    pverify: &'a Opinion,
    complete: bool,
) -> Option<Difference<'a>> {
    let warnings: &[String] = match pverify {
        Opinion::AcceptsAlone { warnings } => warnings,
        _ => &[],
    };
    let (rejected_by, message) = match (spin, pverify) {
        (Opinion::Rejects { .. }, Opinion::Rejects { .. }) => return None,
        (Opinion::Rejects { by, message }, _) | (_, Opinion::Rejects { by, message }) => {
            (*by, message.as_str())
        }
        _ if complete && !warnings.is_empty() => {
            ("pverify", "warns that SPIN cannot run it, but SPIN can")
        }
        _ => return None,
    };
    Some(Difference { model, rejected_by, message, warnings })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(spin: &Opinion, pverify: &Opinion, complete: bool, expected: Option<&str>) {
        let found = difference("m", spin, pverify, complete);
        assert_eq!(found.map(|found| found.rejected_by), expected);
    }

    #[test]
    fn a_warning_about_spin_is_held_against_spin() {
        let rejects = |by| Opinion::Rejects { by, message: String::new() };
        let alone = Opinion::AcceptsAlone { warnings: vec!["W1112".to_owned()] };
        check(&Opinion::Accepts, &Opinion::Accepts, true, None);
        check(&rejects("gcc"), &rejects("pverify"), true, None);
        check(&rejects("gcc"), &Opinion::Accepts, true, Some("gcc"));
        check(&Opinion::Accepts, &rejects("pverify"), true, Some("pverify"));
        check(&rejects("pan"), &alone, true, Some("pan"));
        check(&Opinion::Accepts, &alone, true, Some("pverify"));
        check(&Opinion::Accepts, &alone, false, None);
    }
}
