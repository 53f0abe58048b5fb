//! Runs what the continuous integration runs, so that there is one list of checks.

use anyhow::{Context as _, Result, bail};
use std::path::Path;
use std::process::Command;

/// Runs `.ci/run` from the root of the project.
pub(crate) fn run() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let script = root.join(".ci/run");
    let status = Command::new(&script)
        .current_dir(&root)
        .status()
        .with_context(|| format!("{} cannot be run", script.display()))?;
    if !status.success() {
        bail!(".ci/run found something to mend");
    }
    Ok(())
}
