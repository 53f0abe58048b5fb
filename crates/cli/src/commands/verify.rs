//! `pverify FILE`: checks a model.

use super::check::{self, Question, buchi, finite};
use super::not_yet;
use crate::exit::Exit;
use crate::front_end;
use crate::interrupt::Interrupt;
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
    ///
    /// For --check finite it is a formula over actions, such as "c!msg" and "P:label".
    #[arg(long, value_name = "NAME|FORMULA", help_heading = "Checks")]
    pub(crate) ltl: Option<String>,

    /// The deterministic Büchi automaton for --check buchi.
    #[arg(long, value_name = "FILE.hoa", help_heading = "Checks")]
    pub(crate) automaton: Option<PathBuf>,

    /// Actions that are looked at; all others are tau [default: those that the formula names].
    ///
    /// A pattern is c!msg or c?msg (fields may be `_` or left out), P:label, P[2]:label or a label.
    /// Can be given several times.
    #[arg(long, value_name = "PATTERN", help_heading = "Checks")]
    pub(crate) observe: Vec<String>,

    /// Actions that are tau, whatever their names.
    ///
    /// Can be given several times.
    #[arg(long, value_name = "PATTERN", help_heading = "Checks")]
    pub(crate) hide: Vec<String>,

    /// The second model for --check equivalence.
    #[arg(long, value_name = "FILE2", help_heading = "Checks")]
    pub(crate) against: Option<String>,

    /// How the two models must be related for --check equivalence.
    #[arg(long, value_name = "RELATION", help_heading = "Checks")]
    pub(crate) relation: Option<String>,

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
    let asks = |kind| arguments.check.contains(&kind);
    let mut over_actions = if asks(Kind::Finite) { finite::read(arguments)? } else { None };
    let mut wish = if asks(Kind::Buchi) { buchi::read(arguments)? } else { None };
    if asks(Kind::Finite) && over_actions.is_none() || asks(Kind::Buchi) && wish.is_none() {
        return Ok(Exit::NothingVerified);
    }
    // A formula over actions is not about the names of the model.
    let formula = arguments.ltl.as_deref().filter(|_| over_actions.is_none());
    let propositions = wish.as_ref().map_or(&[][..], buchi::Wish::propositions);
    let mut model = front_end::read_with(&arguments.reading, formula, propositions)?;
    if let Some(formula) = &over_actions {
        formula.use_labels(&mut model);
    }
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
    for what in tasks(arguments, &model)? {
        let checked = match what {
            Task::Safety(kind) => check::safety(arguments, &model, kind, &interrupt),
            Task::Infinite(question) => check::infinite(arguments, &model, question, &interrupt),
            Task::Finite => match over_actions.take() {
                Some(formula) => finite::run(arguments, &model, formula, &interrupt)?,
                None => continue,
            },
            Task::Buchi => match wish.take() {
                Some(wish) => buchi::run(arguments, &model, wish, &interrupt)?,
                None => continue,
            },
        };
        found = found.or(checked.found);
        answers.push(checked.answer);
    }
    drop(interrupt);
    if json {
        print_json(arguments, &model, &answers, None)?;
    } else {
        model.show_diagnostics(arguments.output.quiet, arguments.output.colors);
        for answer in &answers {
            output::print(&answer.to_text())?;
        }
    }
    if let Some(found) = found {
        saving::save(arguments, &model, &found);
    }
    Ok(exit(&answers))
}

/// One line of the answer.
enum Task {
    Safety(Kind),
    Infinite(Question),
    Finite,
    Buchi,
}

/// What to check: what was asked for, each once, or everything the file declares.
fn tasks(arguments: &Arguments, model: &front_end::Model) -> Result<Vec<Task>> {
    let ltl = arguments.ltl.as_deref();
    let mut kinds = Vec::new();
    for &kind in &arguments.check {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let mut tasks = Vec::new();
    for kind in kinds {
        if matches!(kind, Kind::Safety | Kind::Assert | Kind::Deadlock) {
            tasks.push(Task::Safety(kind));
            continue;
        }
        if matches!(kind, Kind::Finite | Kind::Buchi) {
            tasks.push(if kind == Kind::Finite { Task::Finite } else { Task::Buchi });
            continue;
        }
        let questions = check::questions(model, kind, ltl);
        if questions.is_empty() {
            let (check, what, help) = match kind {
                Kind::Never => ("never", "`never` claim", "write one, or use --check ltl"),
                _ => ("ltl", "formula", "write `ltl name { … }`, or give one with --ltl"),
            };
            bail!("--check {check}: the file has no {what}\nhelp: {help}");
        }
        tasks.extend(questions.into_iter().map(Task::Infinite));
    }
    if arguments.check.is_empty() {
        tasks.push(Task::Safety(Kind::Safety));
        tasks.extend(check::declared(model, ltl).into_iter().map(Task::Infinite));
    }
    Ok(tasks)
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

/// What was asked for and is not there yet is refused, rather than passed over; so is what would
/// mean nothing.
fn refuse_what_is_not_built(arguments: &Arguments) -> Result<()> {
    let asks = |kind| arguments.check.contains(&kind);
    for kind in &arguments.check {
        if matches!(kind, Kind::Unbounded | Kind::Equivalence) {
            let name = kind.to_possible_value().map_or_else(String::new, |v| v.get_name().into());
            bail!(not_yet(&format!("--check {name}")));
        }
    }
    let (finite, buchi) = (asks(Kind::Finite), asks(Kind::Buchi));
    if finite && (buchi || asks(Kind::Ltl)) {
        bail!(
            "--check finite reads the formula over actions, --check ltl and --check buchi over \
             states\nhelp: ask them one at a time"
        );
    }
    let idle = [
        (!arguments.observe.is_empty() && !finite, "--observe", "--check finite"),
        (!arguments.hide.is_empty() && !finite, "--hide", "--check finite"),
        (arguments.automaton.is_some() && !buchi, "--automaton", "--check buchi"),
    ];
    if let Some((_, flag, check)) = idle.iter().find(|(given, _, _)| *given) {
        bail!(
            "{flag} is about {check}, which is not asked for\nhelp: add {check}, or leave it out"
        );
    }
    if arguments.search.fairness != Fairness::None && (finite || buchi) {
        bail!(
            "--fairness is about --check ltl, accept and progress: --check finite and --check buchi \
             look at all runs\nhelp: leave it out, or use --check ltl"
        );
    }
    let asked = [
        (arguments.against.is_some(), "--against"),
        (arguments.search.store != Store::Exact, "--store bitstate"),
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
