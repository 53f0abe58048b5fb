//! What is fuzzed: the front end as a function, or the binary.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;

use crate::agree::run_process;

/// The front end, to be tried in this very process: it must come back, whatever the text.
///
/// `None` until the library has such a function: trying nothing must not look like a success.
const FRONT_END: Option<fn(&str)> = None;

/// The one to be tried.
pub(super) enum Target {
    Library(fn(&str)),
    Binary(PathBuf),
}

impl Target {
    pub(super) fn new(binary: Option<&Path>) -> anyhow::Result<Target> {
        match (binary, FRONT_END) {
            (Some(path), _) => Ok(Target::Binary(path.to_owned())),
            (None, Some(front_end)) => Ok(Target::Library(front_end)),
            (None, None) => bail!("the library is not connected yet: name a binary with --pverify"),
        }
    }

    /// Tries `text`, which is also in `file`. A crash of the binary is an error; one of the library
    /// ends this process.
    pub(super) fn run(&self, text: &str, file: &Path) -> anyhow::Result<()> {
        let binary = match self {
            Target::Library(front_end) => {
                front_end(text);
                return Ok(());
            }
            Target::Binary(binary) => binary,
        };
        let mut command = std::process::Command::new(binary);
        command.arg("graph").arg(file).args(["--to", "json"]);
        let finished = run_process(&mut command, Path::new("."), Duration::from_secs(20))?;
        match finished.status.and_then(|status| status.code()) {
            Some(0 | 2) => Ok(()),
            _ => bail!("{}: {}", finished.ending(), finished.stderr.lines().next().unwrap_or("")),
        }
    }
}
