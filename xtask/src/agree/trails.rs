//! `agree trails`: our counterexamples as SPIN's trails, replayed by `spin -t` and `pan -r`.
//!
//! The models are those of the corpus that SPIN finds something wrong in, the gallery, and the
//! recorded random models. A trail names a step by the number of its edge, and the numbers
//! depend on merging, which a trail announces with a line `-4:-4:-4`; ours has none, and then
//! `spin -t` needs no option. `pan` must have been made with `-o3` to read it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::bail;
use clap::Args;

use super::answer;
use super::ends;
use super::expected;
use super::figures::Kind;
use super::known::{Difference, Known};
use super::pan::{self, Compiler};
use super::process;
use super::pverify::Pverify;
use super::spin::Opinion;
use super::{Corpus, Model, Shared, work};

const LIMIT: Duration = Duration::from_secs(30);
/// A longer trail says no more.
const MOST_STATES: u64 = 20_000;
/// What SPIN says when a trail does not belong to the model.
const LOST: [&str; 10] = [
    "no matching stmnt",
    "stop error",
    "no process",
    "invalid statement",
    "transition failed",
    "lost trail",
    "UNEXECUTABLE",
    "pan: Error",
    "cannot find",
    "search permutation",
];

/// Which models.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    shared: Shared,
}

/// What became of one model.
enum Outcome {
    /// Nothing is wrong with the model, or SPIN does not handle it.
    NoTrail,
    Replayed {
        kind: Kind,
        steps: usize,
        spin: Result<(), String>,
        pan: Result<(), String>,
    },
    /// pverify wrote no trail although there is something wrong.
    Missing(String),
}

/// Writes, replays and prints a table; fails if a trail does not lead to its violation.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let shared = &arguments.shared;
    let known = Known::read(&shared.known)?;
    let models = models(shared)?;
    let pverify = Pverify::find(shared.pverify.as_deref())?;
    let outcomes = work::in_parallel(&models, shared.threads, |directory, model| {
        examine(directory, model, &pverify)
    })?;
    let (mut good, mut bad, mut explained, mut none) = (0, 0, 0, 0);
    println!("{:22} {:>5}  {:8} {:8} model", "violation", "steps", "spin -t", "pan -r");
    for (model, outcome) in models.iter().zip(&outcomes) {
        let (line, problem) = match outcome {
            Outcome::NoTrail => {
                none += 1;
                continue;
            }
            Outcome::Missing(why) => {
                (format!("{:46} {}", "no trail", model.name), Some(why.clone()))
            }
            Outcome::Replayed { kind, steps, spin, pan } => {
                let word =
                    |replay: &Result<(), String>| if replay.is_ok() { "same" } else { "LOST" };
                let kind = kind.to_string();
                let line =
                    format!("{kind:22} {steps:5}  {:8} {:8} {}", word(spin), word(pan), model.name);
                let told = |who: &str, replay: &Result<(), String>| {
                    replay.as_ref().err().map(|why| format!("{who}: {why}"))
                };
                let problems: Vec<String> =
                    told("spin -t", spin).into_iter().chain(told("pan -r", pan)).collect();
                (line, (!problems.is_empty()).then(|| problems.join("; ")))
            }
        };
        println!("{line}");
        let Some(message) = problem else {
            good += 1;
            continue;
        };
        let difference = Difference {
            model: &model.name,
            rejected_by: "pverify",
            message: &message,
            warnings: &[],
        };
        if let Some(reason) = known.reason("trails", &difference) {
            explained += 1;
            println!("    known: {reason}");
        } else {
            bad += 1;
            println!("    {message}");
        }
    }
    println!(
        "agree trails: {good} trails lead SPIN to the same violation, {bad} do not, {explained} \
         do not with a reason; {none} models without a violation"
    );
    if bad > 0 {
        bail!("{bad} trails do not lead SPIN to the violation");
    }
    Ok(())
}

/// Models of the corpus with something wrong, then our own.
fn models(shared: &Shared) -> anyhow::Result<Vec<Model>> {
    let mut models = Vec::new();
    if shared.corpus.join("models.tsv").is_file() {
        let recorded = expected::read(&shared.corpus)?;
        let wrong = |model: &Model| {
            recorded.get(&model.name).is_some_and(|recorded| {
                recorded.figures.violated && recorded.figures.states <= MOST_STATES
            })
        };
        if let Ok(corpus) = Corpus::read(&shared.corpus, shared.only.as_deref()) {
            models.extend(corpus.models.iter().filter(|model| wrong(model)).cloned());
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for folder in ["protocols", "tests/recorded"] {
        let mut files: Vec<PathBuf> = std::fs::read_dir(root.join(folder))
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == "pml"))
            .collect();
        files.sort();
        for file in files {
            let stem = file.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{folder}/{stem}");
            if shared.only.as_ref().is_none_or(|part| name.contains(part.as_str())) {
                models.push(Model { name, file: std::path::absolute(&file)?, flags: vec![] });
            }
        }
    }
    if models.is_empty() {
        bail!("no model matches");
    }
    Ok(models)
}

fn examine(directory: &Path, model: &Model, pverify: &Pverify) -> anyhow::Result<Outcome> {
    let trail = directory.join("out.trail");
    let options =
        ["--check", "safety", "--threads", "1", "--format", "json", "--trail", "out.trail"];
    let answer = answer::ask(pverify, directory, &model.file, &model.flags, &options, LIMIT)?;
    let figures = match answer {
        Ok(answer) if !answer.figures.violated => return Ok(Outcome::NoTrail),
        Ok(answer) => answer.figures,
        Err(why) => return Ok(Outcome::Missing(why)),
    };
    let Some(kind) = figures.kinds.into_iter().next() else {
        return Ok(Outcome::Missing("no kind of violation named".to_owned()));
    };
    let Ok(text) = std::fs::read_to_string(&trail) else {
        return Ok(Outcome::Missing("no file written".to_owned()));
    };
    let mut command = Command::new("spin");
    command.args(["-t", "-p", "-k"]).arg(&trail).args(&model.flags).arg(&model.file);
    let spin = process::run(&mut command, directory, LIMIT)?;
    let spin = judge(&format!("{}{}", spin.stdout, spin.stderr), &kind);
    let pan = pan_replay(directory, model, &trail, &kind)?;
    Ok(Outcome::Replayed { kind, steps: steps(&text), spin, pan })
}

fn pan_replay(
    directory: &Path,
    model: &Model,
    trail: &Path,
    kind: &Kind,
) -> anyhow::Result<Result<(), String>> {
    let compiler = Compiler::quickest();
    // A trail of a model with a claim counts the claim as process 0, so `pan` must have it.
    let claim = std::fs::read_to_string(trail)?.starts_with("-2:");
    let defines: &[&str] =
        if claim { &["-DVECTORSZ=8192", "-UNOCLAIM"] } else { &["-DVECTORSZ=8192"] };
    if let Err(Opinion::Rejects { by, message }) =
        pan::build(directory, &model.file, &model.flags, compiler, defines)?
    {
        return Ok(Err(format!("{by}: {message}")));
    }
    let mut command = Command::new(directory.join("pan"));
    let finished = process::run(command.arg("-r").arg(trail), directory, LIMIT)?;
    let judgement = judge(&format!("{}{}", finished.stdout, finished.stderr), kind);
    // With the claim SPIN searches another state space, whose ends are not ours.
    if judgement.is_err() || claim {
        return Ok(judgement);
    }
    // Where SPIN's trails are too many to look through, the judgement above has to do.
    let end = ends::end(&finished.stdout).unwrap_or_default();
    let known = says_so(&finished.stdout, kind)
        || ends::of_spin(directory)?.is_none_or(|ends| ends.contains(&end));
    Ok(if known { Ok(()) } else { Err("SPIN finds no violation in the last state".to_owned()) })
}

/// Does `pan` itself say in its replay what is wrong?
///
/// Then its last state says no more: outside of an array SPIN goes on with whatever lies there.
fn says_so(replay: &str, kind: &Kind) -> bool {
    match kind {
        Kind::Assertion => replay.contains("assertion violated"),
        Kind::Index => replay.contains("invalid array index"),
        _ => false,
    }
}

/// Lines that are steps; negative numbers are remarks to `spin`.
fn steps(trail: &str) -> usize {
    trail.lines().filter(|line| line.contains(':') && !line.starts_with('-')).count()
}

/// Does a replay that printed `output` end in a violation of this kind?
fn judge(output: &str, kind: &Kind) -> Result<(), String> {
    if let Some(line) = output.lines().find(|line| LOST.iter().any(|lost| line.contains(lost))) {
        return Err(line.trim().to_owned());
    }
    if !output.contains("trail ends after") {
        let last = output.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("(nothing)");
        return Err(format!("the trail has no end: {}", last.trim()));
    }
    let asserted = output.contains("assertion violated");
    match kind {
        Kind::Assertion if !asserted => Err("no assertion is violated".to_owned()),
        Kind::EndState if asserted => Err("an assertion is violated on the way".to_owned()),
        Kind::EndState if !stuck(output) => Err("all processes stand at valid ends".to_owned()),
        _ => Ok(()),
    }
}

/// In the list of processes after the last step, one is not at an end that is valid.
///
/// `spin -t` marks valid ends, `pan -r` invalid ones.
fn stuck(output: &str) -> bool {
    let list = output.split("trail ends after").nth(1).unwrap_or_default();
    let mut processes = list.lines().filter(|line| line.contains(":\tproc "));
    if list.contains("#processes:") {
        processes.any(|line| !line.contains("valid end state"))
    } else {
        processes.any(|line| line.contains("(invalid end state)"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPIN_END: &str = "spin: trail ends after 7 steps\n#processes: 2\n  \
        7:\tproc  1 (B:1) a.pml:3 (state 6)\n  \
        7:\tproc  0 (A:1) a.pml:2 (state 8) <valid end state>\n2 processes created\n";
    const PAN_END: &str = "spin: trail ends after 7 steps\n#processes 2:\n  \
        7:\tproc 0 (A)  a.pml:2 (state  7) (invalid end state)\n\t\tassert((x==0))\n";

    fn check(output: &str, kind: &Kind, expected: Result<(), &str>) {
        assert_eq!(judge(output, kind), expected.map_err(str::to_owned));
    }

    #[test]
    fn replays_are_judged() {
        let asserted = format!("spin: a.pml:2, Error: assertion violated\n{SPIN_END}");
        check(&asserted, &Kind::Assertion, Ok(()));
        check(&asserted, &Kind::EndState, Err("an assertion is violated on the way"));
        check(SPIN_END, &Kind::Assertion, Err("no assertion is violated"));
        check(SPIN_END, &Kind::EndState, Ok(()));
        check(PAN_END, &Kind::EndState, Ok(()));
        let valid = SPIN_END.replace("(state 6)", "(state 6) <valid end state>");
        check(&valid, &Kind::EndState, Err("all processes stand at valid ends"));
        check(
            "  3: proc 1, no matching stmnt 4\n",
            &Kind::EndState,
            Err("3: proc 1, no matching stmnt 4"),
        );
    }

    #[test]
    fn a_replay_that_names_the_violation_needs_no_second_look() {
        let index =
            format!("pan:1: assertion violated - invalid array index (at depth 2)\n{PAN_END}");
        assert!(says_so(&index, &Kind::Index));
        assert!(!says_so(PAN_END, &Kind::Index));
        assert!(!says_so(&index, &Kind::EndState));
    }

    #[test]
    fn remarks_are_no_steps() {
        assert_eq!(steps("-2:1:-2\n-4:-4:-4\n1:0:3\n2:1:4\n"), 2);
    }
}
