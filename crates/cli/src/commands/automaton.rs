//! `pverify automaton`: the automaton of a formula.

use super::not_yet;
use crate::exit::Exit;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  pverify automaton '[](request -> <> answer)'
  pverify automaton 'always (p implies eventually q)' --to dot
  pverify automaton '!a U b' --finite --to hoa";

/// Show the automaton of a formula of temporal logic.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
#[allow(dead_code, reason = "parsed and refused today, used by the translation to come")]
pub(crate) struct Arguments {
    /// The formula, in signs ([] <> U V W X ! && || -> <->) or in words (always eventually …).
    #[arg(value_name = "FORMULA", allow_hyphen_values = true)]
    formula: String,

    /// Read the formula over finite sequences of actions.
    #[arg(long)]
    finite: bool,

    /// The form of the automaton.
    #[arg(long, value_name = "FORM", default_value = "hoa")]
    to: Form,
}

/// The form of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Hanoi omega-automata format
    Hoa,
    /// Graphviz
    Dot,
    /// A never claim of Promela
    Never,
}

/// Says that formulas are not translated yet.
pub(crate) fn run(_: &Arguments) -> Result<Exit> {
    bail!(not_yet("translating formulas to automata"))
}
