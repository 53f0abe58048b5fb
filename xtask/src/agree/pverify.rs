//! pverify's opinion of a model, asked of the binary: status 0 accepts, 2 rejects.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, bail};

use super::process;
use super::spin::Opinion;

/// It promises a fifth of a second for 20,000 lines.
const LIMIT: Duration = Duration::from_secs(20);

/// The warnings that say: SPIN cannot run this, but the meaning is plain.
const NOT_FOR_SPIN: [&str; 4] = ["W1112", "W1113", "W1114", "W1115"];

/// The binary to ask.
pub(crate) struct Pverify {
    binary: PathBuf,
}

impl Pverify {
    /// The binary that was named, or else the release build of this project.
    pub(crate) fn find(named: Option<&Path>) -> anyhow::Result<Pverify> {
        let binary = match named {
            Some(path) => path.to_owned(),
            None => build()?,
        };
        let binary = std::path::absolute(&binary)?;
        if !binary.is_file() {
            bail!("no pverify at {} (choose with --pverify PATH)", binary.display());
        }
        Ok(Pverify { binary })
    }

    /// A command that asks about `model`; `flags` are SPIN's.
    pub(crate) fn command(&self, model: &Path, flags: &[String]) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg(model).args(translate(flags)).env("NO_COLOR", "1");
        command
    }

    /// `flags` are SPIN's; the JSON of the control graphs comes back with an acceptance.
    ///
    /// A status other than 0 and 2 is neither: a crash is a rejection with its own words, so
    /// that it shows as a difference wherever SPIN accepts.
    pub(crate) fn opinion(
        &self,
        directory: &Path,
        model: &Path,
        flags: &[String],
    ) -> anyhow::Result<(Opinion, String)> {
        let mut command = Command::new(&self.binary);
        command.arg("graph").arg(model).args(["--to", "json"]).args(translate(flags));
        command.env("NO_COLOR", "1");
        let finished = process::run(&mut command, directory, LIMIT)?;
        if finished.succeeded() {
            let warnings = not_for_spin(&finished.stderr);
            let opinion = if warnings.is_empty() {
                Opinion::Accepts
            } else {
                Opinion::AcceptsAlone { warnings }
            };
            return Ok((opinion, finished.stdout));
        }
        let message = match finished.status.and_then(|status| status.code()) {
            Some(2) => first_message(&finished.stderr),
            _ => format!("crash ({}): {}", finished.ending(), first_message(&finished.stderr)),
        };
        Ok((Opinion::Rejects { by: "pverify", message }, String::new()))
    }
}

/// Builds the release binary; asks cargo where it went.
fn build() -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", "pverify"])
        .args(["--message-format", "json"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .stderr(std::process::Stdio::inherit())
        .output()?;
    if !output.status.success() {
        bail!("pverify does not build");
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
        .context("cargo named no executable of pverify")
}

/// SPIN's options as pverify's; the optimisation switches mean nothing to a front end.
fn translate(flags: &[String]) -> Vec<String> {
    flags
        .iter()
        .filter_map(|flag| match flag.as_str() {
            "-o7" => Some("--old-semicolons".to_owned()),
            other if other.starts_with("-o") => None,
            // What SPIN hands to its preprocessor.
            other => Some(other.strip_prefix("-E").unwrap_or(other).to_owned()),
        })
        .collect()
}

/// Each of [`NOT_FOR_SPIN`] that was given.
fn not_for_spin(stderr: &str) -> Vec<String> {
    let plain: Vec<String> = stderr.lines().map(without_colours).collect();
    let given = |code: &&str| plain.iter().any(|line| line.starts_with(&format!("[{code}]")));
    NOT_FOR_SPIN.iter().copied().filter(given).map(str::to_owned).collect()
}

/// The first error, or else the first line that says something, without colours.
pub(crate) fn first_message(stderr: &str) -> String {
    let lines = || stderr.lines().map(without_colours).filter(|line| !line.trim().is_empty());
    let line = lines()
        .find(|line| line.contains("Error:"))
        .or_else(|| lines().next())
        .unwrap_or_else(|| "(no message)".to_owned());
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Drops the `ESC [ … m` sequences.
fn without_colours(line: &str) -> String {
    let mut plain = String::new();
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_translated() {
        let flags = ["-o7", "-o1", "-DN=3", "-E-I/a"].map(str::to_owned);
        assert_eq!(translate(&flags), ["--old-semicolons", "-DN=3", "-I/a"]);
    }

    #[test]
    fn the_first_message_is_plain() {
        assert_eq!(
            first_message("\n\u{1b}[31mError:\u{1b}[0m  no `od`\n  help\n"),
            "Error: no `od`"
        );
        assert_eq!(first_message("[W1106] Warning: a\n 1 | x\n[E1] Error: b\n"), "[E1] Error: b");
        assert_eq!(first_message(""), "(no message)");
    }
}
