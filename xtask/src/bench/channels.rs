//! `cargo xtask bench --channels`: the search for channels that grow, beside plain reachability.
//!
//! Three pairs of processes slide windows over two channels each: more than a million states, no loop
//! that could be repeated with a gain, and bounds that only the values of variables explain. So
//! `--check unbounded` must go through all states, and reachability goes through the same ones where
//! channels have so much room that none is ever full. CPU seconds are compared, each the least of all
//! rounds.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use serde_json::Value;

use super::Arguments;
use crate::agree::process::{self, Cost};
use crate::agree::pverify::{Pverify, first_message};

const MODEL: &str = "#define W 2
mtype = { data, ack };
chan there[3] = [8] of { mtype, byte };
chan back[3] = [8] of { mtype, byte };
active [3] proctype Sender() {
    byte sent, open;
    do
    :: open < W -> there[_pid]!data, sent; sent = (sent + 1) % 3; open++
    :: back[_pid]?ack, _ -> open--
    od
}
active [3] proctype Receiver() {
    byte seen;
    do
    :: there[_pid - 3]?data, seen -> back[_pid - 3]!ack, seen
    od
}
";

/// Measures; the words.
pub(super) fn run(arguments: &Arguments, pverify: &Pverify) -> anyhow::Result<String> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("windows.pml");
    std::fs::write(&file, MODEL)?;
    let threads = arguments.threads.to_string();
    let searches: [&[&str]; 3] = [
        &["--check", "safety", "--capacity", "9", "--threads", "1"],
        &["--check", "unbounded", "--states", "100000000", "--threads", "1"],
        &["--check", "unbounded", "--states", "100000000", "--threads", &threads],
    ];
    let mut best: [Option<(u64, Cost)>; 3] = [None; 3];
    for _ in 0..arguments.rounds.max(1) {
        for (options, best) in searches.iter().zip(&mut best) {
            let (states, cost) = search(arguments, pverify, &file, options)?;
            if best.is_none_or(|(_, before)| cost.cpu < before.cpu) {
                *best = Some((states, cost));
            }
        }
    }
    let [Some((plain, reach)), Some((states, alone)), Some((_, shared))] = best else {
        bail!("nothing was measured")
    };
    if plain != states {
        bail!("{plain} states without, {states} with the test for growth: no comparison");
    }
    let micro = |cost: Cost| cost.cpu.as_secs_f64() * 1e6 / states as f64;
    let mut text =
        format!("| search | states | CPU s | µs a state | wall s |\n{}|\n", "| --- ".repeat(5));
    for (name, cost) in [
        ("reachability".to_owned(), reach),
        ("unbounded".to_owned(), alone),
        (format!("unbounded, {threads} threads"), shared),
    ] {
        let (cpu, wall) = (cost.cpu.as_secs_f64(), cost.wall.as_secs_f64());
        let _ = writeln!(text, "| {name} | {states} | {cpu:.2} | {:.2} | {wall:.2} |", micro(cost));
    }
    let ratio = alone.cpu.as_secs_f64() / reach.cpu.as_secs_f64();
    let _ = writeln!(text, "\nUnbounded takes {ratio:.2} times as long a state as reachability.");
    Ok(text)
}

/// One search: its states, and what it took.
fn search(
    arguments: &Arguments,
    pverify: &Pverify,
    file: &Path,
    options: &[&str],
) -> anyhow::Result<(u64, Cost)> {
    let limit = Duration::from_secs(arguments.limit_seconds);
    let mut command = pverify.command(file, &[]);
    command.args(options).args(["--format", "json"]);
    let directory = file.parent().unwrap_or(file);
    let finished = process::run(&mut command, directory, limit)?;
    let answer: Option<Value> = serde_json::from_str(&finished.stdout).ok();
    let check = answer.as_ref().map(|answer| &answer["checks"][0]);
    match check.filter(|check| check["complete"] == true).and_then(|c| c["states"].as_u64()) {
        Some(states) => Ok((states, finished.cost)),
        None => bail!("{}: {}", finished.ending(), first_message(&finished.stderr)),
    }
}
