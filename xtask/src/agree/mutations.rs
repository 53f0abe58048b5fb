//! `agree mutations`: broken variants of corpus models are shown to SPIN and to pverify.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context, bail};
use clap::Args;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use regex::Regex;

use super::known::{Difference, Known};
use super::mutate::{Mutant, mutate};
use super::pverify::Pverify;
use super::spin::{self, Opinion};
use super::syntax::difference;
use super::{Corpus, Model, Shared, work};

/// How many, from which seed, and where differences go.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    shared: Shared,
    /// How many variants
    #[arg(long, value_name = "N", default_value_t = 2000)]
    count: usize,
    /// The same seed breaks the same tokens
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where to write the variants on which the two differ
    #[arg(long, value_name = "DIR", default_value = "target/agree-mutations")]
    keep: PathBuf,
    /// Where `spin -a` accepts, also ask gcc and pan: what they refuse SPIN cannot run
    #[arg(long)]
    gcc: bool,
}

/// One variant with its origin and both opinions.
struct Case<'a> {
    model: &'a Model,
    mutant: Mutant,
}

/// Asks about every variant; fails on a difference without a reason.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let shared = &arguments.shared;
    println!("seed {}", arguments.seed);
    let pverify = Pverify::find(shared.pverify.as_deref())?;
    let known = Known::read(&shared.known)?;
    let corpus = Corpus::read(&shared.corpus, shared.only.as_deref())?;
    let suitable = suitable(&corpus, &pverify, shared.threads)?;
    println!(
        "{} of {} models are without embedded C and soon accepted by both",
        suitable.iter().filter(|&&suitable| suitable).count(),
        corpus.models.len()
    );
    let cases = variants(&corpus.models, &suitable, arguments.count, arguments.seed)?;
    let opinions = work::in_parallel(&cases, shared.threads, |directory, case| {
        ask(directory, case.model, &case.mutant.text, &pverify, arguments.gcc)
    })?;

    let mut groups: BTreeMap<Heading, Group> = BTreeMap::new();
    let (mut both_accept, mut both_reject, mut only_spin, mut only_pverify) = (0, 0, 0, 0);
    for (index, (spin, ours)) in opinions.iter().enumerate() {
        match (spin.accepts(), ours.accepts()) {
            (true, true) => both_accept += 1,
            (false, false) => both_reject += 1,
            (true, false) => only_spin += 1,
            (false, true) => only_pverify += 1,
        }
        let model = &cases[index].model.name;
        let Some(difference) = difference(model, spin, ours, arguments.gcc) else { continue };
        let reason = known.reason("mutations", &difference);
        let Difference { rejected_by: by, message, .. } = difference;
        let heading = Heading {
            explained: reason.map(str::to_owned),
            rejected_by: by.to_owned(),
            words: first_words(message),
        };
        let group = groups.entry(heading).or_insert_with(|| Group { count: 0, example: index });
        group.count += 1;
        keep(&arguments.keep, index, &cases[index], by, message)?;
    }
    let unexplained = print(&groups, &cases, &opinions);
    println!(
        "agree mutations: seed {}, {} variants: both accept {both_accept}, both reject {both_reject}, \
         only SPIN accepts {only_spin}, only pverify accepts {only_pverify}; {unexplained} differences \
         without a reason, all kept in {}",
        arguments.seed,
        cases.len(),
        arguments.keep.display()
    );
    if unexplained > 0 {
        bail!("{unexplained} differences without a reason");
    }
    Ok(())
}

/// Differences with one cause: sorted with those first that have no reason.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Heading {
    explained: Option<String>,
    rejected_by: String,
    words: String,
}

struct Group {
    count: usize,
    example: usize,
}

fn print(
    groups: &BTreeMap<Heading, Group>,
    cases: &[Case<'_>],
    opinions: &[(Opinion, Opinion)],
) -> usize {
    let mut unexplained = 0;
    for (heading, group) in groups {
        let Heading { explained, rejected_by, words } = heading;
        let sign = if explained.is_some() { "known    " } else { "DIFFERENT" };
        println!("{sign} {:>4} x only {rejected_by} rejects: {words}", group.count);
        match explained {
            Some(reason) => println!("            {reason}"),
            None => unexplained += group.count,
        }
        let Case { model, mutant } = &cases[group.example];
        println!(
            "            e.g. {:05}.pml: {}, {}",
            group.example, model.name, mutant.description
        );
        let (spin, ours) = &opinions[group.example];
        if let Some(difference) = difference(&model.name, spin, ours, true) {
            println!("            {}: {}", difference.rejected_by, difference.message);
        }
    }
    unexplained
}

/// The models whose variants tell something: both sides accept them as they are.
///
/// They are asked about in the very way of the variants, so that a mistake in asking leaves no
/// model, instead of a variant that everybody seems to reject.
fn suitable(corpus: &Corpus, pverify: &Pverify, threads: usize) -> anyhow::Result<Vec<bool>> {
    work::in_parallel(&corpus.models, threads, |directory, model| {
        if model.has_embedded_c()? {
            return Ok(false);
        }
        let (spin, ours) = ask(directory, model, &model.text()?, pverify, false)?;
        Ok(spin.accepts() && ours.accepts())
    })
}

/// Each variant has its own stream of random numbers and draws from the whole corpus, so that a
/// model that takes too long on a busy day changes no variants but its own.
fn variants<'a>(
    corpus: &'a [Model],
    suitable: &[bool],
    count: usize,
    seed: u64,
) -> anyhow::Result<Vec<Case<'a>>> {
    if !suitable.contains(&true) {
        bail!("no model is accepted by both sides, so there is nothing to break");
    }
    let mut cases = Vec::with_capacity(count);
    for attempt in 0..count as u64 * 20 {
        if cases.len() == count {
            break;
        }
        let mut random = StdRng::seed_from_u64(seed.wrapping_mul(1_000_003) + attempt);
        let index = random.random_range(0..corpus.len());
        if !suitable[index] {
            continue;
        }
        if let Some(mutant) = mutate(&corpus[index].text()?, &mut random) {
            cases.push(Case { model: &corpus[index], mutant });
        }
    }
    Ok(cases)
}

/// The text lies in the worker's directory, so what it includes is looked for beside its model.
/// SPIN hands what follows `-E` to the preprocessor; its own `-I` prints the model and verifies nothing.
fn ask(
    directory: &Path,
    model: &Model,
    text: &str,
    pverify: &Pverify,
    gcc: bool,
) -> anyhow::Result<(Opinion, Opinion)> {
    let file = directory.join("variant.pml");
    std::fs::write(&file, text)?;
    let mut flags = model.flags.clone();
    let home = model.file.parent().context("a file is in a folder")?;
    flags.push(format!("-E-I{}", home.display()));
    let (ours, _) = pverify.opinion(directory, &file, &flags)?;
    let spin = spin::opinion(directory, &file, &flags, spin::IMPATIENT, gcc)?;
    Ok((spin, ours))
}

/// Two files: the variant, and what was done and said.
fn keep(
    folder: &Path,
    index: usize,
    case: &Case<'_>,
    by: &str,
    message: &str,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut note = String::new();
    writeln!(note, "model:     {}\nflags:     {}", case.model.name, case.model.flags.join(" "))?;
    writeln!(note, "mutation:  {}\nonly {by} rejects: {message}", case.mutant.description)?;
    std::fs::write(folder.join(format!("{index:05}.pml")), &case.mutant.text)?;
    std::fs::write(folder.join(format!("{index:05}.txt")), note)?;
    Ok(())
}

/// Where it is, and what cannot be part of the reason.
static PLACE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(spin: )?\S*:\d+(:\d+)?[,:] ?").ok());
static QUOTED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"'[^']*'|‘[^’]*’|`[^`]*`|«[^»]*»|"[^"]*"|\d+"#).ok());

/// The beginning of a message without places, names and numbers: equal for equal reasons.
fn first_words(message: &str) -> String {
    let (Some(place), Some(quoted)) = (PLACE.as_ref(), QUOTED.as_ref()) else {
        return message.to_owned();
    };
    let message = place.replace(message, "");
    // What SPIN's parser stumbled over is the only thing that its message tells.
    let (head, saw) = message.split_once(" saw ").unwrap_or((&message, ""));
    let head = quoted.replace_all(head, "_");
    let words: Vec<&str> = head.split_whitespace().take(8).collect();
    let saw = saw.split(" near ").next().unwrap_or_default();
    format!(
        "{} {}",
        words.join(" "),
        if saw.is_empty() { String::new() } else { format!("saw {saw}") }
    )
    .trim_end()
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &str, expected: &str) {
        assert_eq!(first_words(message), expected);
    }

    #[test]
    fn equal_reasons_have_equal_words() {
        check(
            "spin: v.pml:12, Error: undeclared variable: foo saw ''=' = 61' near 'foo'",
            "Error: undeclared variable: foo saw ''=' = 61'",
        );
        check("v.pml:3:14: error: ‘Q1’ undeclared (first use)", "error: _ undeclared (first use)");
        check("Error[P012]: `x` is not declared", "Error[P_]: _ is not declared");
    }
}
