//! `pverify FILE`: checks a model.

use super::not_yet;
use crate::exit::Exit;
use crate::front_end;
use crate::options::limits::Limits;
use crate::options::output::{Format, Output};
use crate::options::reading::Reading;
use crate::options::search::Search;
use crate::output;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
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
    pub(crate) search: Search,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) output: Output,

    /// Save the counterexample for `pverify replay`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,

    /// Save the counterexample as SPIN's own trail.
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

/// Reads and checks the model, and says what it declares: so far does this version go.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit> {
    let model = front_end::read(&arguments.reading)?;
    let reason = if model.has_errors() {
        "the model has errors, nothing was verified".to_owned()
    } else {
        not_yet("verification")
    };
    if arguments.output.format == Format::Json {
        let answer = Answer {
            version: env!("CARGO_PKG_VERSION"),
            file: &arguments.reading.file,
            declares: Some(&model.declarations),
            diagnostics: Some((&model.diagnostics, &model.sources)),
            error: reason.lines().next(),
        };
        output::print(&answer.to_json())?;
        return Ok(Exit::NothingVerified);
    }
    model.show_diagnostics(arguments.output.quiet, arguments.output.colors);
    if model.has_errors() {
        return Ok(Exit::NothingVerified);
    }
    if !arguments.output.quiet {
        output::print(&model.declarations.to_text())?;
    }
    bail!(reason)
}
