//! `pverify FILE`: checks a model.

use super::capacity;
use super::channels;
use super::check::equivalence::{self, Relation};
use super::check::infinite::{self, Question};
use super::check::{self, buchi, finite};
use super::left_out;
use crate::charts;
use crate::exit::Exit;
use crate::front_end::{self, Given};
use crate::interrupt::Interrupt;
use crate::options::channels::Channels as ChannelOptions;
use crate::options::charts::Charts;
use crate::options::checkpoints::Checkpoints;
use crate::options::limits::Limits;
use crate::options::output::{Format, Output};
use crate::options::reading::Reading;
use crate::options::search::{Fairness, Search, Store};
use crate::options::values::Rename;
use crate::output;
use crate::saving;
use anyhow::{Result, bail};
use clap::{Args, FromArgMatches as _, ValueEnum};
use pverify_report::answers::Answered;
use pverify_report::json::Answer;
use pverify_report::junit::to_junit;
use pverify_report::paint;
use pverify_report::sarif::to_sarif;
use std::path::PathBuf;

/// What to check, and how.
#[derive(Clone, Debug, Args)]
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

    /// Actions that are looked at; all others are tau [default: those that the formula names, or all
    /// that two models have].
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

    /// The second model for --check equivalence, in any language; its ending tells which.
    #[arg(long, value_name = "FILE2", help_heading = "Checks")]
    pub(crate) against: Option<String>,

    /// How the two models must be related for --check equivalence [default: safety].
    #[arg(long, value_name = "RELATION", help_heading = "Checks")]
    pub(crate) relation: Option<Relation>,

    /// Give actions another name for --check equivalence, after hiding.
    ///
    /// A `_` of the old name stands for any one field, and the same field takes the place of a `_`
    /// of the new name: 'accept?_=put?_'. Can be given several times; the first that fits counts.
    #[arg(long, value_name = "OLD=NEW", help_heading = "Checks")]
    pub(crate) rename: Vec<Rename>,

    #[command(flatten)]
    pub(crate) channels: ChannelOptions,

    #[command(flatten)]
    pub(crate) search: Search,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) checkpoints: Checkpoints,

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

    #[command(flatten)]
    pub(crate) charts: Charts,
}

impl Arguments {
    /// To verify a file, and nothing else said.
    pub(crate) fn of_file(file: &str) -> Result<Self> {
        let program = Self::augment_args(clap::Command::new("pverify"));
        Ok(Self::from_arg_matches(&program.try_get_matches_from(["pverify", "--", file])?)?)
    }
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
    /// No channel needs a larger capacity than it has; the least ones are found
    Capacity,
    /// The file and the one given by --against are related by --relation
    Equivalence,
}

/// Checks the model: what was asked for, or everything it declares.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit> {
    refuse_what_is_not_built(arguments)?;
    saving::prepare(arguments)?;
    let asks = |kind| arguments.check.contains(&kind);
    let mut formula = if asks(Kind::Finite) { finite::read(arguments)? } else { None };
    let mut wish = if asks(Kind::Buchi) { buchi::read(arguments)? } else { None };
    if asks(Kind::Finite) && formula.is_none() || asks(Kind::Buchi) && wish.is_none() {
        return Ok(Exit::NothingVerified);
    }
    // A formula over actions is not one over the states of the model.
    let given = match &wish {
        Some(wish) => wish.given(),
        None if formula.is_some() => Given::default(),
        None => Given { formula: arguments.ltl.clone(), ..Given::default() },
    };
    let mut model = front_end::read_with(&arguments.reading, given)?;
    if let Some(formula) = &formula {
        formula.use_labels(&mut model);
    }
    let mut against =
        if asks(Kind::Equivalence) { Some(equivalence::read(arguments)?) } else { None };
    if let Some(against) = &mut against {
        [&mut model, &mut against.model].into_iter().for_each(equivalence::use_labels);
    }
    let data = arguments.output.format != Format::Text;
    if model.has_errors() {
        if data {
            print_data(arguments, &model, &[], Some("the model has errors, nothing was verified"))?;
        } else {
            model.show_diagnostics(arguments.output.quiet, arguments.output.colors);
            output::note(&left_out::unknown_formula(arguments, &model));
        }
        return Ok(Exit::NothingVerified);
    }
    if let Some(against) = against.as_ref().filter(|against| against.model.has_errors()) {
        if data {
            let why = Some("the second model has errors, nothing was verified");
            print_data(arguments, &against.model, &[], why)?;
        } else {
            against.model.show_diagnostics(arguments.output.quiet, arguments.output.colors);
        }
        return Ok(Exit::NothingVerified);
    }
    model.machines = channels::prepared(&arguments.channels.room, &model.machines)?;
    let mut answers = Vec::new();
    let mut found = None;
    let interrupt = Interrupt::listen();
    for task in tasks(arguments, &model)? {
        let checked = match (task, formula.take(), wish.take()) {
            (Task::Finite, Some(formula), _) => {
                finite::run(arguments, &model, formula, &interrupt)?
            }
            (Task::Buchi, _, Some(wish)) => buchi::run(arguments, &model, wish, &interrupt)?,
            (task, kept, wished) => {
                (formula, wish) = (kept, wished);
                match task {
                    Task::Safety(kind) => check::safety(arguments, &model, kind, &interrupt)?,
                    Task::Infinite(question) => {
                        infinite::infinite(arguments, &model, question, &interrupt)
                    }
                    Task::Unbounded => channels::unbounded(arguments, &model, &interrupt)?,
                    Task::Capacity => capacity::capacity(arguments, &model, &interrupt),
                    Task::Equivalence => match &against {
                        Some(against) => equivalence::run(arguments, &model, against, &interrupt)?,
                        None => continue,
                    },
                    Task::Finite | Task::Buchi => continue,
                }
            }
        };
        found = found.or(checked.saved);
        answers.push(checked.answer);
    }
    drop(interrupt);
    if arguments.check.is_empty() || arguments.check.contains(&Kind::Safety) {
        answers.extend(check::unchecked(&model.unchecked));
    }
    charts::show(arguments, &mut answers);
    if data {
        print_data(arguments, &model, &answers, None)?;
    } else {
        let quiet = arguments.output.quiet;
        let painted = output::colored(arguments.output.colors);
        for answer in &answers {
            let text = if painted { paint::to_text(answer, quiet) } else { answer.to_text(quiet) };
            output::print(&text)?;
        }
        if !quiet {
            output::print(&left_out::told(arguments, &model))?;
        }
        // What a person must see is what is printed last.
        model.show_diagnostics(quiet, arguments.output.colors);
    }
    match found {
        Some(found) => saving::save(arguments, &model, &found),
        None => saving::say_nothing_was_saved(arguments, &answers),
    }
    charts::save(arguments, &model, &answers);
    Ok(exit(&answers))
}

/// One line of the answer.
enum Task {
    Safety(Kind),
    Infinite(Question),
    Finite,
    Buchi,
    Unbounded,
    Capacity,
    Equivalence,
}

/// The kinds that were asked for, each once.
fn kinds(arguments: &Arguments) -> Vec<Kind> {
    let mut kinds = Vec::new();
    for &kind in &arguments.check {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// What to check: what was asked for, each once, or everything the file declares.
fn tasks(arguments: &Arguments, model: &front_end::Model) -> Result<Vec<Task>> {
    let ltl = arguments.ltl.as_deref();
    let mut tasks = Vec::new();
    for kind in kinds(arguments) {
        let task = match kind {
            Kind::Safety | Kind::Assert | Kind::Deadlock => Some(Task::Safety(kind)),
            Kind::Finite => Some(Task::Finite),
            Kind::Buchi => Some(Task::Buchi),
            Kind::Unbounded => Some(Task::Unbounded),
            Kind::Capacity => Some(Task::Capacity),
            Kind::Equivalence => Some(Task::Equivalence),
            _ => None,
        };
        if let Some(task) = task {
            tasks.push(task);
            continue;
        }
        let questions = infinite::questions(model, kind, ltl);
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
        tasks.extend(infinite::declared(model, ltl).into_iter().map(Task::Infinite));
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
    if asks(Kind::Finite) && (asks(Kind::Buchi) || asks(Kind::Ltl)) {
        bail!(
            "--check finite reads formulas differently than --check ltl and --check buchi: over \
             actions, not over states\nhelp: ask one of them at a time"
        );
    }
    let (finite, buchi) = (asks(Kind::Finite), asks(Kind::Buchi));
    let equivalence = asks(Kind::Equivalence);
    let actions = finite || equivalence;
    let formulas = finite || buchi || asks(Kind::Ltl) || arguments.check.is_empty();
    let idle = [
        (arguments.ltl.is_some() && !formulas, "--ltl", "--check ltl"),
        (!arguments.observe.is_empty() && !actions, "--observe", "--check finite"),
        (!arguments.hide.is_empty() && !actions, "--hide", "--check finite"),
        (!arguments.rename.is_empty() && !equivalence, "--rename", "--check equivalence"),
        (arguments.against.is_some() && !equivalence, "--against", "--check equivalence"),
        (arguments.relation.is_some() && !equivalence, "--relation", "--check equivalence"),
        (arguments.automaton.is_some() && !buchi, "--automaton", "--check buchi"),
    ];
    if let Some((_, flag, check)) = idle.iter().find(|(given, _, _)| *given) {
        bail!(
            "{flag} is about {check}, which is not asked for\nhelp: add {check}, or leave it out"
        );
    }
    refuse_what_does_not_go_together(arguments)
}

fn refuse_what_does_not_go_together(arguments: &Arguments) -> Result<()> {
    let plain = |kind: &Kind| matches!(kind, Kind::Safety | Kind::Assert | Kind::Deadlock);
    let by_bits = |kind: &Kind| {
        plain(kind) || matches!(kind, Kind::Ltl | Kind::Never | Kind::Accept | Kind::Progress)
    };
    let name =
        |kind: Kind| kind.to_possible_value().map_or_else(String::new, |v| v.get_name().into());
    let other = |may: &dyn Fn(&Kind) -> bool| kinds(arguments).into_iter().find(|kind| !may(kind));
    if let (Store::Bitstate, Some(other)) = (arguments.search.store, other(&by_bits)) {
        bail!(
            "--store bitstate is for --check safety, assert, deadlock, ltl, never, accept and \
             progress, not for --check {}\nhelp: leave one of them out",
            name(other)
        );
    }
    if let Some(other) = other(&plain) {
        let Checkpoints { checkpoint, resume, .. } = &arguments.checkpoints;
        let asked = [(checkpoint.is_some(), "--checkpoint"), (resume.is_some(), "--resume")];
        if let Some((_, flag)) = asked.iter().find(|(given, _)| *given) {
            bail!(
                "{flag} is for --check safety, assert and deadlock, not for --check {}\n\
                   help: leave one of them out",
                name(other)
            );
        }
    }
    if kinds(arguments).contains(&Kind::Buchi) && arguments.search.fairness == Fairness::Weak {
        bail!(
            "--fairness weak does not go with --check buchi, which looks at all runs\n\
             help: use --check ltl, or leave one of them out"
        );
    }
    if arguments.search.store == Store::Bitstate && arguments.search.shortest {
        bail!(
            "--store bitstate does not go with --shortest: the way to a fault is found among whole \
             states, level by level\nhelp: leave one of them out"
        );
    }
    let Checkpoints { checkpoint, resume, .. } = &arguments.checkpoints;
    let asked = [(checkpoint.is_some(), "--checkpoint"), (resume.is_some(), "--resume")];
    if let Some((_, flag)) = asked.iter().find(|(given, _)| *given) {
        if arguments.search.shortest {
            bail!(
                "{flag} does not go with --shortest: only searches that go deep are saved\n\
                 help: leave one of them out"
            );
        }
        if kinds(arguments).len() > 1 {
            bail!("{flag} goes with one check at a time\nhelp: give --check once");
        }
    }
    Ok(())
}

/// Answers for programs.
fn print_data(
    arguments: &Arguments,
    model: &front_end::Model,
    checks: &[Answered],
    error: Option<&str>,
) -> Result<()> {
    if arguments.output.format == Format::Junit {
        model.show_diagnostics(arguments.output.quiet, arguments.output.colors);
        return output::print(&to_junit(&arguments.reading.file, checks, error));
    }
    let answer = Answer {
        version: env!("CARGO_PKG_VERSION"),
        file: &arguments.reading.file,
        declares: Some(&model.declarations),
        checks,
        diagnostics: Some((&model.diagnostics, &model.sources)),
        error,
    };
    let sarif = arguments.output.format == Format::Sarif;
    output::print(&if sarif { to_sarif(&answer) } else { answer.to_json() })
}
