//! `pverify simulate`: one run of a model.

use super::not_yet;
use crate::exit::Exit;
use crate::options::output::Output;
use crate::options::reading::Reading;
use anyhow::{Result, bail};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  pverify simulate protocol.pml --seed 7 --steps 100
  pverify simulate protocol.pml --interactive";

/// Show one run of a model: random, or you pick each step.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
#[allow(dead_code, reason = "parsed and refused today, used by the simulator to come")]
pub(crate) struct Arguments {
    #[command(flatten)]
    reading: Reading,

    /// The seed of the random choices; the same seed gives the same run.
    #[arg(long, value_name = "N", help_heading = "Run")]
    seed: Option<u64>,

    /// Stop after this many steps.
    #[arg(long, value_name = "N", help_heading = "Run")]
    steps: Option<u64>,

    /// Ask which step to take whenever there is a choice.
    #[arg(long, short, conflicts_with = "seed", help_heading = "Run")]
    interactive: bool,

    #[command(flatten)]
    output: Output,
}

/// Says that there is no simulator yet.
pub(crate) fn run(_: &Arguments) -> Result<Exit> {
    bail!(not_yet("simulation"))
}
