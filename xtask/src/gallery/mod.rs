//! Checks what the headers of the gallery promise, against SPIN or pverify.

mod pan;
mod pverify;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use pverify_verdict::expected::{self, Expectation};

use crate::agree::spin;

/// Check what the headers of the gallery promise against SPIN.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The models; without any, all of protocols/
    models: Vec<PathBuf>,
    /// Write the numbers of states and transitions that SPIN counts into the headers
    #[arg(long)]
    write: bool,
    /// Ask pverify instead of SPIN (run in release: `cargo run --release -p xtask -- …`)
    #[arg(long, conflicts_with = "write")]
    pverify: bool,
}

/// Compares every expectation of every model.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if !arguments.pverify && !spin::installed() {
        println!("spin or gcc is missing: the gallery is not checked");
        return Ok(());
    }
    let everything = arguments.models.is_empty();
    let models = if everything { gallery()? } else { arguments.models.clone() };
    let (mut expectations, mut differences) = (0, 0);
    for model in &models {
        let (asked, differing) = check(model, arguments)
            .with_context(|| format!("{} cannot be checked", model.display()))?;
        expectations += asked;
        differences += differing;
    }
    if everything {
        differences += missing_rows(&models)?;
    }
    println!("{} models, {expectations} expectations, {differences} wrong", models.len());
    if differences > 0 {
        let who = if arguments.pverify { "pverify" } else { "SPIN" };
        bail!("the gallery promises what {who} does not find, or its table is not up to date");
    }
    Ok(())
}

/// Every model of protocols/, by name.
fn gallery() -> Result<Vec<PathBuf>> {
    let mut models = Vec::new();
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            models.push(path);
        }
    }
    models.sort();
    Ok(models)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocols")
}

/// How many models the table of protocols/README.md lacks, or gives another number of states.
fn missing_rows(models: &[PathBuf]) -> Result<usize> {
    let readme = fs::read_to_string(folder().join("README.md"))?;
    let mut missing = 0;
    for model in models {
        let expectations = expected::read(&fs::read_to_string(model)?)?;
        let size = expectations.iter().find_map(|expectation| expectation.answer.size);
        let (states, _) = size.context("a model without `expect: safety`")?;
        let name = model.file_name().unwrap_or_default().to_string_lossy();
        let row = format!("| [{name}]({name}) | {states} |");
        if !readme.contains(&row) {
            println!("protocols/README.md: WRONG\n    there is no row that begins: {row}");
            missing += 1;
        }
    }
    Ok(missing)
}

/// How many expectations of a model were asked about, and how many of them are wrong.
fn check(model: &Path, arguments: &Arguments) -> Result<(usize, usize)> {
    let model = fs::canonicalize(model)?;
    let text = fs::read_to_string(&model)?;
    let mut expectations = expected::read(&text)?;
    if expectations.is_empty() {
        bail!("its header expects nothing");
    }
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    let scratch = tempfile::tempdir()?;
    let (mut asked, mut differences) = (0, 0);
    for expectation in &mut expectations {
        let answer = if arguments.pverify {
            pverify::answer(&model, expectation)?
        } else {
            pan::answer(scratch.path(), &model, expectation)?
        };
        asked += 1;
        if arguments.write {
            // Numbers are measured; a verdict is a promise, and stays.
            expectation.answer.size = answer.size;
        }
        if answer == expectation.answer {
            println!("{name}: {expectation}");
        } else {
            let found = Expectation { answer, ..expectation.clone() };
            println!("{name}: WRONG\n    promised: {expectation}\n    found:    {found}");
            differences += 1;
        }
    }
    if arguments.write {
        fs::write(&model, expected::rewrite(&text, &expectations))?;
    }
    Ok((asked, differences))
}
