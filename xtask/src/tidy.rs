//! The house rules that no compiler checks: file length, first sentences, crate edges, and what
//! may stand where.
//!
//! A rule is a function from a file (or the manifests) to findings. Each has a test that shows
//! it can fail.

mod code;
mod edges;
mod files;
mod rust;
mod text;

use anyhow::{Result, bail};
use files::SourceFile;
use std::path::Path;

/// One thing to mend.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// The file, from the root of the project.
    path: String,
    /// The line, from 1; 0 where it is about the whole file.
    line: usize,
    /// What is wrong and what to do.
    text: String,
}

impl Finding {
    fn new(path: &str, line: usize, text: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, text: text.into() }
    }
}

/// Checks all files of the project.
pub(crate) fn run() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = files::read(&root)?;
    let mut findings: Vec<Finding> = files.iter().flat_map(check).collect();
    findings.extend(edges::check(&files));
    findings.sort();
    for Finding { path, line, text } in &findings {
        match line {
            0 => println!("{path}: {text}"),
            _ => println!("{path}:{line}: {text}"),
        }
    }
    match findings.len() {
        0 => {
            println!("tidy: {} files, nothing to mend", files.len());
            Ok(())
        }
        1 => bail!("tidy found 1 thing to mend"),
        count => bail!("tidy found {count} things to mend"),
    }
}

/// All rules about one file.
fn check(file: &SourceFile) -> Vec<Finding> {
    let mut findings = text::check(file);
    if file.path.ends_with(".rs") {
        findings.extend(rust::check(file));
    }
    findings
}
