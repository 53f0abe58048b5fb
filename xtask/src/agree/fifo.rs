//! `agree fifo`: the lengths of channels, compared with what is known of public FIFO systems.
//!
//! `verdicts.tsv` says of each channel of each system whether it is bounded (and by how much) or
//! unbounded, and by which methods that was found. An exact length must be ours, an unbounded channel
//! must be unbounded; a bound may be any as long as it contradicts nothing. Where nobody knows,
//! knowing more is welcome. The models of `textbook/promela` say in their first line what to expect.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;

use super::process;
use super::pverify::Pverify;

/// Beside the project, not in it: the systems belong to others.
const DEFAULT_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/cfsm");

/// No system needs as long.
const LIMIT: Duration = Duration::from_secs(60);

/// Where the systems are.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder with verdicts.tsv
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    folder: PathBuf,
    /// The pverify to ask; without it the release binary is built first
    #[arg(long, value_name = "PATH")]
    pverify: Option<PathBuf>,
    /// Only systems whose path contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// How many states of a system are explored at most
    #[arg(long, value_name = "N", default_value_t = 30_000)]
    states: u64,
}

/// What is known of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Bounded, and this length is reached.
    Exactly(u64),
    /// Bounded by this; fewer may be reached.
    AtMost(u64),
    Bounded,
    Unbounded,
    Nothing,
}

/// Asks about system by system; fails if one answer is missed or contradicted.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let table = arguments.folder.join("verdicts.tsv");
    if !table.exists() {
        println!("skipped: there is no {}", table.display());
        return Ok(());
    }
    let pverify = Pverify::find(arguments.pverify.as_deref())?;
    let started = Instant::now();
    let text = std::fs::read_to_string(&table)?;
    let (mut systems, mut channels, mut more, mut wrong) = (0, 0, 0, 0);
    let mut slowest = (Duration::ZERO, String::new());
    let mut ask = |name: &str, states: Option<u64>, expected: &[(String, Expected)]| {
        if arguments.only.as_deref().is_some_and(|only| !name.contains(only)) {
            return anyhow::Ok(());
        }
        let begun = Instant::now();
        let answer = question(&pverify, &arguments.folder.join(name), arguments.states)
            .with_context(|| name.to_owned())?;
        slowest = std::mem::take(&mut slowest).max((begun.elapsed(), name.to_owned()));
        systems += 1;
        if let (Some(states), true) = (states, answer["complete"] == true)
            && answer["states"] != states
        {
            wrong += 1;
            println!("DIFFERENT  {name}: {states} states, not {}", answer["states"]);
        }
        for (channel, expected) in expected {
            channels += 1;
            let ours = answer["channels"].as_array().and_then(|all| {
                all.iter().find(|one| one["name"].as_str() == Some(channel.as_str()))
            });
            match ours.map_or(Err("not there".to_owned()), |ours| compare(*expected, ours)) {
                Ok(known_more) => more += u32::from(known_more),
                Err(what) => {
                    wrong += 1;
                    println!("DIFFERENT  {name}: {channel}: {expected:?}, but {what}");
                }
            }
        }
        Ok(())
    };
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, _, states, verdicts] = columns.as_slice() else { bail!("not a row: {line}") };
        let states = states.strip_prefix("states=").and_then(|count| count.parse().ok());
        let verdicts = verdicts.split_whitespace().map(verdict).collect::<Result<Vec<_>, _>>()?;
        ask(name, states, &verdicts)?;
    }
    let mut promela: Vec<PathBuf> = std::fs::read_dir(arguments.folder.join("textbook/promela"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    promela.sort();
    for path in &promela {
        let text = std::fs::read_to_string(path)?;
        let name = path.strip_prefix(&arguments.folder)?.to_string_lossy().into_owned();
        ask(&name, None, &promised(text.lines().next().unwrap_or_default()))?;
    }
    println!(
        "agree fifo: {systems} systems, {channels} channels, {wrong} different, {more} known besides; \
         {:.1} s, the slowest {} with {:.1} s",
        started.elapsed().as_secs_f64(),
        slowest.1,
        slowest.0.as_secs_f64()
    );
    if wrong > 0 {
        bail!("{wrong} answers differ");
    }
    Ok(())
}

/// pverify's answer about a system.
fn question(pverify: &Pverify, file: &Path, states: u64) -> anyhow::Result<Value> {
    let mut command = pverify.command(file, &[]);
    command.args(["--check", "unbounded", "--format", "json", "--states", &states.to_string()]);
    if file.extension().is_some_and(|ending| ending == "txt") {
        command.args(["--language", "kmc"]);
    }
    let finished = process::run(&mut command, &std::env::temp_dir(), LIMIT)?;
    let answer: Value = serde_json::from_str(&finished.stdout)
        .with_context(|| format!("{}: {}", finished.ending(), finished.stderr))?;
    Ok(answer["checks"][0].clone())
}

/// Whether more is known than was; or what contradicts.
fn compare(expected: Expected, ours: &Value) -> Result<bool, String> {
    let bound = ours["bound"].as_u64();
    let greatest = ours["greatest_length"].as_u64().unwrap_or(0);
    let exact = ours["evidence"].as_str().is_some_and(|evidence| evidence.contains("all states"));
    let verdict = ours["verdict"].as_str().unwrap_or_default();
    let said = || format!("{verdict} {bound:?}, greatest length {greatest}");
    let fits = match (expected, verdict) {
        (Expected::Nothing, _) | (Expected::Unbounded, "unbounded") => true,
        (Expected::Bounded, "bounded") => true,
        (Expected::Exactly(length), "bounded") => {
            bound >= Some(length) && greatest <= length && (!exact || bound == Some(length))
        }
        (Expected::AtMost(most), "bounded") => greatest <= most && (!exact || bound <= Some(most)),
        _ => false,
    };
    let more = expected == Expected::Nothing && verdict != "unknown";
    if fits { Ok(more) } else { Err(said()) }
}

/// `A->B:B3E`, `0:UJL`, `2:?1`
fn verdict(text: &str) -> anyhow::Result<(String, Expected)> {
    let (channel, known) = text.rsplit_once(':').context("a verdict without a channel")?;
    let digits: String = known.chars().filter(char::is_ascii_digit).collect();
    let expected = match known.chars().next() {
        Some('U') => Expected::Unbounded,
        Some('B') if known.contains('E') => Expected::Exactly(digits.parse()?),
        Some('B') => Expected::AtMost(digits.parse()?),
        _ => Expected::Nothing,
    };
    Ok((channel.to_owned(), expected))
}

/// What the first line of a model promises: `expect: BOUNDED (1)`, `expect: UNBOUNDED on d, BOUNDED
/// on c`.
fn promised(line: &str) -> Vec<(String, Expected)> {
    let Some((_, promise)) = line.split_once("expect:") else { return Vec::new() };
    let promise = promise.split('.').next().unwrap_or_default();
    let mut all = Vec::new();
    for part in promise.split(',').filter(|part| part.contains("BOUNDED")) {
        // «BOUNDED (1) with priorities, UNBOUNDED without»: these have them.
        if part.contains("without") {
            continue;
        }
        let channel = part.split(" on ").nth(1).unwrap_or("c").split(':').next().unwrap_or("c");
        let length = part.split(['(', ')']).nth(1).and_then(|length| length.parse().ok());
        let expected = match (part.contains("UNBOUNDED"), length) {
            (true, _) => Expected::Unbounded,
            (false, Some(length)) => Expected::Exactly(length),
            (false, None) => Expected::Bounded,
        };
        all.push((channel.trim().to_owned(), expected));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read() {
        let read = |text| verdict(text).expect("a verdict");
        assert_eq!(read("A->B:B12E"), ("A->B".to_owned(), Expected::Exactly(12)));
        assert_eq!(read("1:B3Q"), ("1".to_owned(), Expected::AtMost(3)));
        assert_eq!(read("0:UJL"), ("0".to_owned(), Expected::Unbounded));
        assert_eq!(read("2:?1"), ("2".to_owned(), Expected::Nothing));
    }

    #[test]
    fn promises_are_read() {
        let one = |text| promised(text);
        let on = |channel: &str, expected| (channel.to_owned(), expected);
        assert_eq!(one("/* expect: BOUNDED (3). why"), [on("c", Expected::Exactly(3))]);
        assert_eq!(one("/* expect: UNBOUNDED. why"), [on("c", Expected::Unbounded)]);
        assert_eq!(
            one("/* expect: UNBOUNDED on d, BOUNDED on c: why"),
            [on("d", Expected::Unbounded), on("c", Expected::Bounded)]
        );
        assert_eq!(
            one("/* expect: BOUNDED (1) with priorities (spin 6), UNBOUNDED without. */"),
            [on("c", Expected::Exactly(1))]
        );
    }
}
