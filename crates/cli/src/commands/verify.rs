//! `pverify FILE`: checks a model.

use super::channels;
use super::check::{self, Checked};
use super::not_yet;
use crate::exit::Exit;
use crate::front_end;
use crate::interrupt::Interrupt;
use crate::options::channels::Channels as ChannelOptions;
use crate::options::limits::Limits;
use crate::options::output::{Format, Output};
use crate::options::reading::Reading;
use crate::options::search::{Fairness, Search, Store};
use crate::output;
use crate::saving;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use pverify_report::answers::Answered;
use pverify_report::json::Answer;
use std::path::PathBuf;

/// What to check, and how.
#[derive(Clone, Debug, Args)]
#[allow(dead_code, reason = "parsed and refused today, used by the checks to come")]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) reading: Reading,

    /// What to check [default: everything the file declares].
    ///
    /// Can be given several times.
    #[arg(long, value_name = "KIND", help_heading = "Checks")]
    pub(crate) check: Vec<Kind>,

    /// The ltl block with this name, or this formula, instead of every ltl block.
    #[arg(long, value_name = "NAME|FORMULA", help_heading = "Checks")]
    pub(crate) ltl: Option<String>,

    /// The deterministic Büchi automaton for --check buchi.
    #[arg(long, value_name = "FILE.hoa", help_heading = "Checks")]
    pub(crate) automaton: Option<PathBuf>,

    /// The second model for --check equivalence.
    #[arg(long, value_name = "FILE2", help_heading = "Checks")]
    pub(crate) against: Option<String>,

    /// How the two models must be related for --check equivalence.
    #[arg(long, value_name = "RELATION", help_heading = "Checks")]
    pub(crate) relation: Option<String>,

    #[command(flatten)]
    pub(crate) channels: ChannelOptions,

    #[command(flatten)]
    pub(crate) search: Search,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) output: Output,

    /// Save the counterexample for `pverify replay`.
    ///
    /// The file is written only where a check is violated; of several, for the first.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,

    /// Save the counterexample as SPIN's own trail.
    ///
    /// `spin -t -k FILE` replays it, and so does `pan -r FILE` of a verifier made with
    /// `spin -a -o3`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trail: Option<PathBuf>,

    /// Draw the counterexample as a message sequence chart.
    #[arg(long, value_name = "FILE.svg|FILE.html", help_heading = "Output")]
    pub(crate) msc: Option<PathBuf>,
}

/// A kind of check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// No assertion fails, no invalid end state (deadlock), no run-time error
    Safety,
    /// No assertion fails
    Assert,
    /// No invalid end state
    Deadlock,
    /// Every ltl block, or the one given by --ltl, holds on every infinite run
    Ltl,
    /// The never claim of the file cannot be matched
    Never,
    /// There is no cycle through an accept label
    Accept,
    /// There is no cycle without a progress label
    Progress,
    /// Every infinite run is accepted by the automaton given by --automaton
    Buchi,
    /// Every finite computation satisfies --ltl, read over actions and finite sequences
    Finite,
    /// No channel can grow without bound; capacities are lifted
    Unbounded,
    /// The file and the one given by --against are related by --relation
    Equivalence,
}

/// Checks the model: what was asked for, or everything it declares.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit> {
    refuse_what_is_not_built(arguments)?;
    saving::prepare(arguments)?;
    let model = front_end::read(&arguments.reading)?;
    let json = arguments.output.format == Format::Json;
    if model.has_errors() {
        if json {
            print_json(arguments, &model, &[], Some("the model has errors, nothing was verified"))?;
        } else {
            model.show_diagnostics(arguments.output.quiet, arguments.output.colors);
        }
        return Ok(Exit::NothingVerified);
    }
    let mut answers = Vec::new();
    let mut found = None;
    let interrupt = Interrupt::listen();
    for kind in kinds(arguments) {
        let Checked { answer, moves } = match kind {
            Kind::Unbounded => channels::unbounded(arguments, &model, &interrupt)?,
            _ => check::safety(arguments, &model, kind, &interrupt)?,
        };
        if let (None, Some(moves), Some(fault)) = (&found, moves, answer.fault) {
            found = Some((fault, moves));
        }
        answers.push(answer);
    }
    drop(interrupt);
    if arguments.check.is_empty() {
        answers.extend(check::not_checked(&model.declarations));
    }
    if arguments.check.is_empty() || arguments.check.contains(&Kind::Safety) {
        answers.extend(check::unchecked(&model.unchecked));
    }
    if json {
        print_json(arguments, &model, &answers, None)?;
    } else {
        model.show_diagnostics(arguments.output.quiet, arguments.output.colors);
        for answer in &answers {
            output::print(&answer.to_text())?;
        }
    }
    if let Some((fault, moves)) = found {
        saving::save(arguments, &model, fault, &moves);
    }
    Ok(exit(&answers))
}

/// The kinds to check: those asked for, each once.
fn kinds(arguments: &Arguments) -> Vec<Kind> {
    let mut kinds = Vec::new();
    for &kind in &arguments.check {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if kinds.is_empty() { vec![Kind::Safety] } else { kinds }
}

/// Violated before inconclusive before holds.
fn exit(answers: &[Answered]) -> Exit {
    let any = |verdict| answers.iter().any(|answer| answer.verdict == verdict);
    if any("violated") {
        Exit::Violated
    } else if any("inconclusive") {
        Exit::Inconclusive
    } else {
        Exit::Holds
    }
}

/// What was asked for and is not there yet is refused, rather than passed over.
fn refuse_what_is_not_built(arguments: &Arguments) -> Result<()> {
    for kind in &arguments.check {
        if !matches!(kind, Kind::Safety | Kind::Assert | Kind::Deadlock | Kind::Unbounded) {
            let name = kind.to_possible_value().map_or_else(String::new, |v| v.get_name().into());
            bail!(not_yet(&format!("--check {name}")));
        }
    }
    let asked = [
        (arguments.ltl.is_some(), "--ltl"),
        (arguments.automaton.is_some(), "--automaton"),
        (arguments.against.is_some(), "--against"),
        (arguments.search.store != Store::Exact, "--store bitstate"),
        (arguments.search.fairness != Fairness::None, "--fairness"),
        (arguments.msc.is_some(), "--msc"),
    ];
    match asked.iter().find(|(given, _)| *given) {
        Some((_, what)) => bail!(not_yet(what)),
        None => Ok(()),
    }
}

fn print_json(
    arguments: &Arguments,
    model: &front_end::Model,
    checks: &[Answered],
    error: Option<&str>,
) -> Result<()> {
    let answer = Answer {
        version: env!("CARGO_PKG_VERSION"),
        file: &arguments.reading.file,
        declares: Some(&model.declarations),
        checks,
        diagnostics: Some((&model.diagnostics, &model.sources)),
        error,
    };
    output::print(&answer.to_json())
}
