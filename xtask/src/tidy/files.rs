//! The files that tidy looks at: text files that git tracks or would track.

use anyhow::{Context as _, Result, bail};
use std::path::Path;
use std::process::Command;

/// A file and its text.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    /// From the root of the project, with forward slashes.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

/// Endings of files that are written by hand; others (snapshots, data) may look as they like.
const ENDINGS: [&str; 8] = [".rs", ".toml", ".md", ".pml", ".yml", ".sh", ".scm", "/run"];

/// Reads every such file that is tracked, or new and not ignored.
pub(crate) fn read(root: &Path) -> Result<Vec<SourceFile>> {
    let list = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("git cannot be run")?;
    if !list.status.success() {
        bail!("git ls-files failed: {}", String::from_utf8_lossy(&list.stderr).trim());
    }
    let names = String::from_utf8_lossy(&list.stdout).into_owned();
    let mut files = Vec::new();
    for path in names.split('\0').filter(|path| ENDINGS.iter().any(|end| path.ends_with(end))) {
        let full = root.join(path);
        // A file that is deleted but not yet committed is still listed.
        if full.is_file() {
            let text = std::fs::read_to_string(&full)
                .with_context(|| format!("{path} cannot be read as text"))?;
            files.push(SourceFile { path: path.to_owned(), text });
        }
    }
    if files.is_empty() {
        bail!("git lists no files: tidy would check nothing");
    }
    Ok(files)
}

#[cfg(test)]
pub(crate) fn file(path: &str, text: &str) -> SourceFile {
    SourceFile { path: path.to_owned(), text: text.to_owned() }
}
