//! `cargo xtask bench --ltl`: the search for accepting cycles beside SPIN's, and beside plain
//! reachability.
//!
//! Each model gets a formula that holds and whose claim follows every run without adding a state:
//! `<>[] (_nr_pr > 0)`. So `pan -a`, the emptiness check and reachability all go through the same
//! states, and their CPU seconds can be compared.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use serde_json::Value;

use super::Arguments;
use crate::agree::Model;
use crate::agree::pan::{self, Compiler};
use crate::agree::process::{self, Cost};
use crate::agree::pverify::{Pverify, first_message};
use crate::agree::spin::Opinion;

const FORMULA: &str = "ltl cycles { <>[] (_nr_pr > 0) }";

/// What one search took: states, and its cost.
type Measured = Result<(u64, Cost), String>;

/// Measures all models; the table.
pub(super) fn run(
    arguments: &Arguments,
    models: &[Model],
    pverify: &Pverify,
) -> anyhow::Result<String> {
    let mut text = format!(
        "| model | states | pan -a CPU s | reachability CPU s | cycles CPU s | to pan | to \
         reachability | {} threads CPU s | wall, 1 thread / {0} |\n{}|\n",
        arguments.threads,
        "| --- ".repeat(9)
    );
    let (mut to_pan, mut to_reachability) = (Vec::new(), Vec::new());
    for model in models {
        eprintln!("  {}", model.name);
        let name = model.name.rsplit('/').next().unwrap_or_default();
        let row = match Row::measure(arguments, model, pverify)? {
            Ok(row) => row,
            Err(why) => {
                let why = why.replace('|', "/");
                let _ = writeln!(text, "| {name} | not comparable: {why} |{}", " |".repeat(7));
                continue;
            }
        };
        let seconds = |cost: Cost| cost.cpu.as_secs_f64();
        let pan = seconds(row.pan) / seconds(row.cycles);
        let reachability = seconds(row.cycles) / seconds(row.reachability);
        to_pan.push(pan);
        to_reachability.push(reachability);
        let shared = row.shared.map_or_else(
            || " | ".to_owned(),
            |cost| {
                let (one, many) = (row.cycles.wall.as_secs_f64(), cost.wall.as_secs_f64());
                format!("{:.2} | {:.2}x", seconds(cost), one / many)
            },
        );
        let _ = writeln!(
            text,
            "| {name} | {} | {:.2} | {:.2} | {:.2} | {pan:.2}x | {reachability:.2} | {shared} |",
            row.states,
            seconds(row.pan),
            seconds(row.reachability),
            seconds(row.cycles),
        );
    }
    let _ = writeln!(
        text,
        "| **geometric mean** | | | | | {:.2}x | {:.2} | | |\n\nOne thread unless said otherwise, no \
         reduction. «To pan» above 1 favours pverify; «to reachability» is the time for cycles as \
         a multiple of that for reachability on the same states.",
        super::table::geometric_mean(&to_pan),
        super::table::geometric_mean(&to_reachability),
    );
    Ok(text)
}

struct Row {
    states: u64,
    pan: Cost,
    reachability: Cost,
    cycles: Cost,
    /// Cycles on several threads.
    shared: Option<Cost>,
}

impl Row {
    /// The least of all rounds; the words of who failed, or that they did not do the same work.
    fn measure(
        arguments: &Arguments,
        model: &Model,
        pverify: &Pverify,
    ) -> anyhow::Result<Result<Self, String>> {
        let limit = Duration::from_secs(arguments.limit_seconds);
        let directory = tempfile::tempdir()?;
        let file = with_formula(directory.path(), &model.file)?;
        let (compiler, defines) = (Compiler::Gcc { level: "-O3" }, ["-DMEMLIM=16000"]);
        let built = pan::build_as(directory.path(), &file, &model.flags, compiler, &defines)?;
        if let Err(opinion) = built {
            return Ok(Err(match opinion {
                Opinion::Rejects { by, message } => format!("{by}: {message}"),
                _ => "pan was not built".to_owned(),
            }));
        }
        let ask = |file: &Path, check: &str, threads: usize| {
            let mut command = pverify.command(file, &model.flags);
            command.args(["--check", check, "--reduction", "none", "--format", "json"]);
            command.args(["--threads", &threads.to_string()]);
            if check == "safety" {
                command.arg("--all-errors");
            }
            let finished = process::run(&mut command, directory.path(), limit)?;
            let said = || format!("{}: {}", finished.ending(), first_message(&finished.stderr));
            let states = states(&finished.stdout, check).ok_or_else(said);
            anyhow::Ok(states.map(|states| (states, finished.cost)))
        };
        let mut best: [Option<Measured>; 4] = [None, None, None, None];
        for _ in 0..arguments.rounds.max(1) {
            keep(&mut best[0], search_spin(directory.path(), limit));
            keep(&mut best[1], ask(&model.file, "safety", 1)?);
            keep(&mut best[2], ask(&file, "ltl", 1)?);
            if arguments.threads > 1 {
                keep(&mut best[3], ask(&file, "ltl", arguments.threads)?);
            }
        }
        let [pan, reachability, cycles, shared] = best;
        Ok(Self::of(pan, reachability, cycles, shared))
    }

    fn of(
        pan: Option<Measured>,
        reachability: Option<Measured>,
        cycles: Option<Measured>,
        shared: Option<Measured>,
    ) -> Result<Self, String> {
        let asked = |measured: Option<Measured>, who: &str| {
            let measured = measured.unwrap_or_else(|| Err("not asked".to_owned()));
            measured.map_err(|why| format!("{who}: {why}"))
        };
        let (by_pan, pan) = asked(pan, "SPIN")?;
        let (by_reachability, reachability) = asked(reachability, "reachability")?;
        let (states, cycles) = asked(cycles, "cycles")?;
        let shared = shared.map(|shared| asked(Some(shared), "threads")).transpose()?;
        let by_shared = shared.map_or(states, |(states, _)| states);
        if [by_pan, by_reachability, by_shared] != [states; 3] {
            return Err(format!(
                "states: SPIN {by_pan}, reachability {by_reachability}, cycles {states}, several \
                 threads {by_shared}"
            ));
        }
        let shared = shared.map(|(_, cost)| cost);
        Ok(Self { states, pan, reachability, cycles, shared })
    }
}

/// The model with the formula behind it, in a file of its own.
fn with_formula(directory: &Path, model: &Path) -> anyhow::Result<PathBuf> {
    let model = std::path::absolute(model)?;
    let file = directory.join("with_formula.pml");
    let text = format!("#include \"{}\"\n{FORMULA}\n", model.display());
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

fn search_spin(directory: &Path, limit: Duration) -> Measured {
    let told = |error: anyhow::Error| format!("{error:#}");
    let options = ["-a", "-m10000000", "-w26"];
    let finished = pan::search(directory, &options, limit).map_err(told)?;
    let figures = pan::figures(&finished).map_err(told)?;
    if !figures.complete || figures.violated {
        return Err("the search was not completed".to_owned());
    }
    Ok((figures.states, finished.cost))
}

/// The states of a check that went through all of them.
fn states(json: &str, kind: &str) -> Option<u64> {
    let answer: Value = serde_json::from_str(json).ok()?;
    let check = answer["checks"].as_array()?.iter().find(|check| check["check"] == kind)?;
    // What reachability finds wrong on the way does not matter, if it goes on.
    let all = check["verdict"] == "holds" || kind == "safety" && check["complete"] == true;
    if all { check["states"].as_u64() } else { None }
}

/// The one that took less CPU time; noise only ever adds.
fn keep(best: &mut Option<Measured>, new: Measured) {
    let better = match (&*best, &new) {
        (Some(Ok((_, old))), Ok((_, new))) => new.cpu < old.cpu,
        (Some(Ok(_)), Err(_)) => false,
        _ => true,
    };
    if better {
        *best = Some(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(seconds: u64) -> Cost {
        Cost { cpu: Duration::from_secs(seconds), ..Cost::default() }
    }

    #[test]
    fn different_work_is_not_compared() {
        let (three, four) = (Some(Ok((3, cost(1)))), Some(Ok((4, cost(1)))));
        assert!(Row::of(three.clone(), three.clone(), three.clone(), None).is_ok());
        assert!(Row::of(four, three.clone(), three.clone(), None).is_err());
        assert!(Row::of(three.clone(), None, three, None).is_err());
    }

    #[test]
    fn the_least_time_counts_and_a_failure_only_before_it() {
        let mut best = None;
        let mut seen = Vec::new();
        for new in [Err("no".to_owned()), Ok((1, cost(5))), Err("no".to_owned()), Ok((1, cost(4)))]
        {
            keep(&mut best, new);
            let cpu = best.clone().and_then(Result::ok).map(|(_, cost)| cost.cpu.as_secs());
            seen.push(cpu);
        }
        assert_eq!(seen, [None, Some(5), Some(5), Some(4)]);
    }

    #[test]
    fn only_a_complete_search_has_states() {
        let json = |verdict: &str, complete: bool| {
            format!(
                r#"{{"checks":[{{"check":"safety","verdict":"{verdict}","complete":{complete},"states":7}},
                {{"check":"ltl","verdict":"{verdict}","complete":{complete},"states":8}}]}}"#
            )
        };
        assert_eq!(states(&json("violated", true), "safety"), Some(7));
        assert_eq!(states(&json("violated", false), "safety"), None);
        assert_eq!(states(&json("holds", true), "ltl"), Some(8));
        assert_eq!(states(&json("inconclusive", false), "ltl"), None);
    }
}
