//! `cargo xtask service`: a protocol beside its service, on the fly and by building both graphs.
//!
//! In one run, each question is asked three times: of pverify with all the memory it wants; with a
//! fifth of what that took, where the verdict must be the same; and by writing the graphs of all
//! states of both models, reading them, and minimising them together (`minimise`). Times are of the
//! wall clock, from the text of the models to the verdict.

mod minimise;

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;

use crate::agree::process;
use crate::agree::pverify::Pverify;

/// What to measure.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The pverify to measure; without it the release binary is built first
    #[arg(long, value_name = "PATH")]
    pverify: Option<PathBuf>,
    /// The folder with the models
    #[arg(long, value_name = "DIR", default_value = "protocols")]
    protocols: PathBuf,
    /// How many threads pverify uses
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// The bounded memory, in hundredths of what the question takes without a bound
    #[arg(long, value_name = "PERCENT", default_value_t = 20)]
    percent: u64,
    /// Each search ends after this time
    #[arg(long, value_name = "S", default_value_t = 600)]
    seconds: u64,
}

/// A question: the protocol, what both models are compiled with, and the relation.
struct Question {
    name: &'static str,
    defines: &'static [&'static str],
    relation: &'static str,
}

const PROTOCOL: &str = "transfer-go-back-n.pml";
const SERVICE: &str = "buffer.pml";
const SEEN: [&str; 4] = ["--observe", "put!_", "--observe", "get!_"];
const WIDE: &[&str] = &["-DPLACES=2", "-DCAPACITY=3", "-DNUMBERS=4"];
const NARROW: &[&str] = &["-DPLACES=2"];
const BROKEN: &[&str] = &["-DPLACES=2", "-DCAPACITY=3", "-DNUMBERS=2"];
const QUESTIONS: [Question; 4] = [
    Question { name: "a window of two", defines: WIDE, relation: "safety" },
    // With more messages under way, what is behind `tau` is too much to be found for every pair.
    Question { name: "one message under way", defines: NARROW, relation: "weak" },
    Question { name: "too few numbers", defines: BROKEN, relation: "safety" },
    Question { name: "too few numbers", defines: BROKEN, relation: "weak" },
];

/// The program itself takes some memory: with less than this, in MiB, nothing can be searched.
const LEAST: u64 = 24;

/// What pverify said, and what it took.
struct Answer {
    verdict: String,
    pairs: u64,
    peak: u64,
    wall: Duration,
}

/// Measures, prints the table, and fails where verdicts differ.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let pverify = Pverify::find(arguments.pverify.as_deref())?;
    let mut text = format!(
        "| question | relation | verdict | pairs | s | MiB | s with {0} % | MiB with {0} % | visits \
         with {0} % | states of both | transitions | s to build | s to minimise | on the fly is \
         faster |\n{1}|\n",
        arguments.percent,
        "| --- ".repeat(14)
    );
    let mut wrong = 0;
    for question in QUESTIONS {
        let free = ask(arguments, &pverify, &question, None)?;
        let cap = ((free.peak * arguments.percent / 100) >> 20).max(LEAST);
        let bounded = ask(arguments, &pverify, &question, Some(cap))?;
        let peer = Peer::measure(arguments, &pverify, &question)?;
        // Bisimilar models have the same safety service; the converse happens to be true here.
        let equal = if peer.related { "holds" } else { "violated" };
        wrong += usize::from(free.verdict != bounded.verdict || free.verdict != equal);
        let seconds = |time: Duration| time.as_secs_f64();
        let _ = writeln!(
            text,
            "| {} | {} | {} / {} / {equal} | {} | {:.1} | {} | {:.1} | {} | {} | {} | {} | {:.1} | \
             {:.1} | {:.1}x |",
            question.name,
            question.relation,
            free.verdict,
            bounded.verdict,
            free.pairs,
            seconds(free.wall),
            free.peak >> 20,
            seconds(bounded.wall),
            bounded.peak >> 20,
            bounded.pairs,
            peer.states,
            peer.transitions,
            seconds(peer.build),
            seconds(peer.minimise),
            (seconds(peer.build) + seconds(peer.minimise)) / seconds(free.wall),
        );
    }
    print!("{text}");
    if wrong > 0 {
        bail!("{wrong} verdicts differ");
    }
    Ok(())
}

fn ask(
    arguments: &Arguments,
    pverify: &Pverify,
    question: &Question,
    memory: Option<u64>,
) -> anyhow::Result<Answer> {
    let protocol = std::path::absolute(arguments.protocols.join(PROTOCOL))?;
    let mut command = pverify.command(&protocol, &[]);
    command.args(question.defines).args(["--check", "equivalence", "--against"]);
    command.arg(protocol.with_file_name(SERVICE)).args(SEEN);
    command.args(["--relation", question.relation, "--format", "json"]);
    command.args(["--threads", &arguments.threads.to_string()]);
    command.args(["--time-limit", &format!("{}s", arguments.seconds)]);
    if let Some(memory) = memory {
        command.args(["--memory", &format!("{memory}M")]);
    }
    let limit = Duration::from_secs(arguments.seconds + 60);
    let finished = process::run(&mut command, Path::new("."), limit)?;
    let json: Value = serde_json::from_str(&finished.stdout)
        .with_context(|| format!("{}: {}", finished.ending(), finished.stderr))?;
    let check = &json["checks"][0];
    let verdict = check["verdict"].as_str().unwrap_or_default().to_owned();
    let pairs = check["insertions"].as_u64().unwrap_or_default();
    // Its own figure: what the system counts begins with the memory of whoever started it.
    let peak = check["peak_memory_bytes"].as_u64().unwrap_or_default();
    let wall = finished.cost.wall;
    Ok(Answer { verdict, pairs, peak, wall })
}

/// The same question by building both graphs.
struct Peer {
    related: bool,
    states: usize,
    transitions: usize,
    build: Duration,
    minimise: Duration,
}

impl Peer {
    fn measure(
        arguments: &Arguments,
        pverify: &Pverify,
        question: &Question,
    ) -> anyhow::Result<Self> {
        let directory = tempfile::tempdir()?;
        let begun = Instant::now();
        let mut files = Vec::new();
        for model in [PROTOCOL, SERVICE] {
            let file = directory.path().join(model).with_extension("aut");
            // The subcommand comes first.
            let named = pverify.command(Path::new("graph"), &[]);
            let mut command = Command::new(named.get_program());
            command.arg("graph").arg(arguments.protocols.join(model)).args(question.defines);
            command.args(["--states", "--to", "aut"]).args(SEEN);
            command.stdout(File::create(&file)?).stderr(Stdio::null());
            if !command.status()?.success() {
                bail!("the graph of {model} was not written");
            }
            files.push(std::fs::read_to_string(&file)?);
        }
        let build = begun.elapsed();
        let begun = Instant::now();
        let systems = minimise::read(&files)?;
        let (states, transitions) = systems.size();
        let related = systems.related();
        Ok(Self { related, states, transitions, build, minimise: begun.elapsed() })
    }
}
