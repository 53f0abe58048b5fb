//! SPIN's own verifier: written by `spin -a`, compiled, run, and its printed figures read.
//!
//! The raw mode (`-o1 -o2 -o3`, `-DNOREDUCE`, `-c0`) is the one whose counts are the model's.
//! tcc compiles `pan.c` thirty times as fast as gcc does without optimisation, so small models
//! are left to it where it is installed.

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

use anyhow::Context;
use regex::Regex;

use super::figures::{Figures, Kind};
use super::process::{self, Cost, Finished};
use super::spin::{self, Opinion};

/// Without them SPIN merges statements and hides variables, and the counts are not the model's.
pub(crate) const RAW: [&str; 3] = ["-o1", "-o2", "-o3"];

/// Nothing but assertions, ends and faults is looked at.
pub(crate) const SAFETY: [&str; 2] = ["-DSAFETY", "-DNOCLAIM"];

const COMPILER_LIMIT: Duration = Duration::from_secs(300);

/// How `pan.c` becomes a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compiler {
    /// For thousands of small searches.
    Tcc,
    Gcc {
        /// `-O0`, `-O3`.
        level: &'static str,
    },
}

impl Compiler {
    /// The one that is done first.
    pub(crate) fn quickest() -> Compiler {
        let tcc = Command::new("tcc").arg("-v").output().is_ok_and(|out| out.status.success());
        if tcc { Compiler::Tcc } else { Compiler::Gcc { level: "-O0" } }
    }

    fn command(self) -> Command {
        match self {
            Compiler::Tcc => Command::new("tcc"),
            Compiler::Gcc { level } => {
                let mut command = Command::new("gcc");
                command.arg(level);
                command
            }
        }
    }
}

/// Writes `pan.c` of the model, raw and without its claims, and compiles it in `directory`.
///
/// The cost is that of both steps together.
pub(crate) fn build(
    directory: &Path,
    model: &Path,
    flags: &[String],
    compiler: Compiler,
    defines: &[&str],
) -> anyhow::Result<Result<Cost, Opinion>> {
    let defines = [&SAFETY, defines].concat();
    build_as(directory, model, flags, compiler, &defines)
}

/// The same for a search of any kind, which `defines` says.
pub(crate) fn build_as(
    directory: &Path,
    model: &Path,
    flags: &[String],
    compiler: Compiler,
    defines: &[&str],
) -> anyhow::Result<Result<Cost, Opinion>> {
    let one = match generate(directory, model, flags)? {
        Ok(cost) => cost,
        Err(opinion) => return Ok(Err(opinion)),
    };
    let two = match compile(directory, compiler, defines)? {
        Ok(cost) => cost,
        Err(opinion) => return Ok(Err(opinion)),
    };
    Ok(Ok(Cost {
        cpu: one.cpu + two.cpu,
        wall: one.wall + two.wall,
        peak_bytes: one.peak_bytes.max(two.peak_bytes),
    }))
}

/// Writes `pan.c` of the model, raw.
fn generate(
    directory: &Path,
    model: &Path,
    flags: &[String],
) -> anyhow::Result<Result<Cost, Opinion>> {
    let mut command = Command::new("spin");
    command.arg("-a").args(RAW).args(flags).arg(model);
    let generated = process::run(&mut command, directory, spin::PATIENT)?;
    if !generated.succeeded() || !directory.join("pan.c").is_file() {
        let message = spin::first_error(&format!("{}{}", generated.stdout, generated.stderr))
            .unwrap_or_else(|| generated.ending());
        return Ok(Err(Opinion::Rejects { by: "spin", message }));
    }
    Ok(Ok(generated.cost))
}

/// Compiles the `pan.c` that stands in `directory`.
pub(crate) fn compile(
    directory: &Path,
    compiler: Compiler,
    defines: &[&str],
) -> anyhow::Result<Result<Cost, Opinion>> {
    let mut command = compiler.command();
    command.args(["-w", "-DNOREDUCE"]).args(defines);
    command.args(["-o", "pan", "pan.c"]);
    let compiled = process::run(&mut command, directory, COMPILER_LIMIT)?;
    if !compiled.succeeded() {
        let message = spin::first_error(&compiled.stderr).unwrap_or_else(|| compiled.ending());
        return Ok(Err(Opinion::Rejects { by: "gcc", message }));
    }
    Ok(Ok(compiled.cost))
}

/// Searches everything; `options` are those of `pan` (`-m100000`, `-w18`).
pub(crate) fn search(
    directory: &Path,
    options: &[&str],
    limit: Duration,
) -> anyhow::Result<Finished> {
    let mut command = Command::new(directory.join("pan"));
    process::run(command.arg("-c0").args(options), directory, limit)
}

/// What `pan` printed, as figures; a refusal to search is `Err` with its words.
pub(crate) fn figures(finished: &Finished) -> anyhow::Result<Figures> {
    let mut figures =
        parse(&finished.stdout).with_context(|| format!("pan ended with {}", finished.ending()))?;
    // A division by zero kills it with a signal, other faults with a status.
    if !finished.succeeded() {
        figures.complete = false;
    }
    Ok(figures)
}

static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*(?<number>[0-9.e+]+) (?<what>states, stored|transitions) ?").ok()
});
static VIOLATION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^pan:\d+: (?<message>.*) \(at depth -?\d+\)$").ok());
static ERRORS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"depth reached \d+, errors: (?<errors>\d+)").ok());
static DEPTH: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"depth reached (?<depth>\d+),").ok());
static VECTOR: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^State-vector (?<bytes>\d+) byte").ok());

/// Reads the figures from the output of `pan`.
pub(crate) fn parse(output: &str) -> anyhow::Result<Figures> {
    if let Some(refusal) = output.lines().find(|line| line.starts_with("error: proctype")) {
        anyhow::bail!("{refusal}");
    }
    let errors = ERRORS
        .as_ref()
        .and_then(|pattern| pattern.captures(output)?["errors"].parse().ok())
        .context("pan printed no figures")?;
    let kinds: std::collections::BTreeSet<Kind> = VIOLATION
        .iter()
        .flat_map(|pattern| pattern.captures_iter(output))
        .map(|found| Kind::of(&found["message"]))
        .collect();
    let stopped = output.contains("Search not completed")
        || output.contains("max search depth too small")
        || output.contains("reached DFS depth limit");
    Ok(Figures {
        states: count(output, "states, stored").context("pan printed no states")?,
        transitions: count(output, "transitions")
            .context("pan printed no transitions")?
            .saturating_sub(1),
        errors: Some(errors),
        kinds,
        all_kinds: true,
        violated: errors > 0,
        complete: !stopped,
    })
}

/// The length of a state in bytes, without SPIN's overhead.
pub(crate) fn vector_bytes(output: &str) -> Option<u64> {
    VECTOR.as_ref()?.captures(output)?["bytes"].parse().ok()
}

/// The longest path of the search: what `-m` must at least be.
pub(crate) fn depth(output: &str) -> Option<u64> {
    DEPTH.as_ref()?.captures(output)?["depth"].parse().ok()
}

/// From 1e8 on SPIN prints only eight digits and an exponent.
fn count(output: &str, what: &str) -> Option<u64> {
    let found = NUMBER.as_ref()?.captures_iter(output).find(|found| &found["what"] == what)?;
    let number = &found["number"];
    number.parse().ok().or_else(|| number.parse::<f64>().ok().map(|number| number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_KINDS: &str = "pan:1: assertion violated (x==0) (at depth 6)\n\
        pan:2: invalid end state (at depth 9)\n\n\
        (Spin Version 6.5.2 -- 6 December 2019)\n\n\
        State-vector 28 byte, depth reached 10, errors: 3\n\
        \x20      25 states, stored\n\
        \x20      12 states, matched\n\
        \x20      37 transitions (= stored+matched)\n\
        \x20       0 atomic steps\n\
        hash conflicts:         0 (resolved)\n";

    #[test]
    fn a_complete_search() {
        let figures = parse(TWO_KINDS).expect("figures");
        let expected = Figures {
            states: 25,
            transitions: 36,
            errors: Some(3),
            kinds: [Kind::Assertion, Kind::EndState].into(),
            all_kinds: true,
            violated: true,
            complete: true,
        };
        assert_eq!(figures, expected);
        assert_eq!(vector_bytes(TWO_KINDS), Some(28));
        assert_eq!(depth(TWO_KINDS), Some(10));
    }

    #[test]
    fn a_search_that_stopped() {
        let blocked = "pan:1: block in d_step seq (at depth 0)\n\
            Warning: Search not completed\n\
            State-vector 12 byte, depth reached 0, errors: 1\n\
            \x20       1 states, stored\n        1 transitions (= stored+matched)\n";
        let figures = parse(blocked).expect("figures");
        assert!(!figures.complete);
        assert_eq!(figures.verdict(), "blocked d_step");
        let deep = "error: max search depth too small\n\
            State-vector 12 byte, depth reached 99999, errors: 0\n\
            \x20       1 states, stored\n        2 transitions (= stored+matched)\n";
        let figures = parse(deep).expect("figures");
        assert!(!figures.complete && !figures.violated);
    }

    #[test]
    fn big_numbers_are_rounded() {
        let output = "State-vector 12 byte, depth reached 9, errors: 0\n\
            1.1845035e+08 states, stored\n 2.5e+08 transitions (= stored+matched)\n";
        let figures = parse(output).expect("figures");
        assert_eq!((figures.states, figures.transitions), (118_450_350, 249_999_999));
    }

    #[test]
    fn a_refusal_is_no_search() {
        assert!(
            parse("error: proctype 'A' line 3, state 1: has unconditional self-loop\n").is_err()
        );
        assert!(parse("").is_err());
    }
}
