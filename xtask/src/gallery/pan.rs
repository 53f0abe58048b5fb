//! SPIN's answer to a check of the gallery, by the verifier that it generates.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use pverify_verdict::expected::{Answer, Check, Expectation};

use crate::agree::process;

const LIMIT: Duration = Duration::from_secs(300);

/// What pan calls a violation, and what the gallery calls it. The first that fits counts.
const KINDS: &[(&str, &str)] = &[
    ("assertion violated", "assertion"),
    ("invalid end state", "deadlock"),
    ("event_trace", "trace"),
];

/// Asks SPIN about `model`; `directory` is scratch space of this model alone.
pub(crate) fn answer(directory: &Path, model: &Path, question: &Expectation) -> Result<Answer> {
    let pan = compiled(directory, model, &question.check)?;
    let mut command = Command::new(pan);
    command.arg("-m1000000");
    match &question.check {
        // All of them, for the sake of the counts. The others stop at the first: a claim that SPIN
        // makes of a formula loops in an atomic block once it is violated.
        Check::Safety => drop(command.arg("-c0")),
        Check::Deadlock => drop(command.arg("-A")),
        Check::Never => drop(command.arg("-a")),
        Check::Ltl(name) => drop(command.args(["-a", "-N", name])),
        Check::Accept => drop(command.args(["-a", "-A", "-E"])),
        Check::Progress => drop(command.args(["-l", "-A", "-E"])),
    }
    if question.fair {
        command.arg("-f");
    }
    let finished = process::run(&mut command, directory, LIMIT)?;
    if finished.status.is_none() {
        bail!("pan gave no answer in {} s", LIMIT.as_secs());
    }
    read(&finished.stdout, question.check == Check::Safety)
}

/// The verifier for a kind of check, made unless an earlier check of the same kind made it.
fn compiled(directory: &Path, model: &Path, check: &Check) -> Result<PathBuf> {
    // NOCOMP: otherwise pan takes bytes of processes for padding that it has miscounted in models
    // with priorities, and different states for one.
    // NFAIR: words for the flags of weak fairness; the default is too small for many processes.
    let (name, flags): (_, &[&str]) = match check {
        Check::Safety | Check::Deadlock => ("pan-safety", &["-DSAFETY", "-DNOCLAIM", "-DNOCOMP"]),
        Check::Never | Check::Ltl(_) => ("pan-claim", &["-DNFAIR=8"]),
        Check::Accept => ("pan-accept", &["-DNFAIR=8", "-DNOCLAIM"]),
        Check::Progress => ("pan-progress", &["-DNFAIR=8", "-DNP", "-DNOCLAIM"]),
    };
    let pan = directory.join(name);
    if !pan.is_file() {
        let mut spin = Command::new("spin");
        succeed(spin.args(["-a", "-o1", "-o2", "-o3"]).arg(model), directory)?;
        let mut gcc = Command::new("gcc");
        gcc.args(["-O2", "-w", "-DNOREDUCE"]).args(flags).arg("-o").arg(&pan).arg("pan.c");
        succeed(&mut gcc, directory)?;
    }
    Ok(pan)
}

fn succeed(command: &mut Command, directory: &Path) -> Result<()> {
    let finished = process::run(command, directory, LIMIT)?;
    if !finished.succeeded() {
        let program = command.get_program().to_string_lossy().into_owned();
        bail!("{program}: {}\n{}{}", finished.ending(), finished.stdout, finished.stderr);
    }
    Ok(())
}

/// What pan printed at the end of a search. Its violations are named for `safety` only: the other
/// checks ask for one kind each.
fn read(output: &str, safety: bool) -> Result<Answer> {
    if output.contains("max search depth too small") {
        bail!("the search is deeper than pan's limit");
    }
    let number_before = |words: &str| {
        let line = output.lines().find(|line| line.contains(words))?;
        line[..line.find(words)?].split_whitespace().next_back()?.parse::<u64>().ok()
    };
    let states = number_before(" states, stored").context("pan did not finish its search")?;
    let transitions = number_before(" transitions (=").context("pan counts no transitions")?;
    let errors: u64 = output
        .split_once("errors: ")
        .and_then(|(_, rest)| rest.lines().next()?.trim().parse().ok())
        .context("pan counts no errors")?;
    let mut answer = Answer { violated: errors > 0, ..Answer::default() };
    if safety {
        // pan counts the step into the initial state.
        answer.size = Some((states, transitions - 1));
        for line in output.lines().filter(|line| is_violation(line)) {
            let kind = KINDS.iter().find(|(words, _)| line.contains(words));
            answer.kinds.push(kind.map_or("other", |(_, kind)| kind).to_owned());
        }
        answer.kinds.sort();
        answer.kinds.dedup();
    }
    Ok(answer)
}

/// `pan:1: assertion violated …`, unlike `pan: wrote …`.
fn is_violation(line: &str) -> bool {
    let number = line.strip_prefix("pan:").and_then(|rest| rest.split(':').next());
    number.is_some_and(|number| number.parse::<u64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "pan:1: invalid end state (at depth 3)\n\
        pan: wrote a.pml.trail\n\
        State-vector 28 byte, depth reached 9, errors: 2\n\
        \x20      19 states, stored\n\
        \x20       9 states, matched\n\
        \x20      28 transitions (= stored+matched)\n";

    #[test]
    fn the_end_of_a_search_is_read() {
        let expected =
            Answer { violated: true, kinds: vec!["deadlock".to_owned()], size: Some((19, 27)) };
        assert_eq!(read(OUTPUT, true).expect("an answer"), expected);
        let expected = Answer { violated: true, ..Answer::default() };
        assert_eq!(read(OUTPUT, false).expect("an answer"), expected);
    }

    #[test]
    fn an_unfinished_search_is_an_error() {
        assert!(read("pan: out of memory\n", true).is_err());
        assert!(read(&format!("error: max search depth too small\n{OUTPUT}"), true).is_err());
    }
}
