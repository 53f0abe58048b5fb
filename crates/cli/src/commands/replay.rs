//! `pverify replay`: a saved counterexample, step by step.

use super::not_yet;
use crate::exit::Exit;
use crate::options::output::Output;
use crate::options::reading::Reading;
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  pverify protocol.pml --trace failure.trace
  pverify replay protocol.pml failure.trace";

/// Show a saved counterexample again, step by step.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
#[allow(dead_code, reason = "parsed and refused today, used by the replay to come")]
pub(crate) struct Arguments {
    #[command(flatten)]
    reading: Reading,

    /// The counterexample, as `pverify FILE --trace TRACE` saved it.
    #[arg(value_name = "TRACE")]
    trace: PathBuf,

    #[command(flatten)]
    output: Output,
}

/// Says that nothing can be replayed yet.
pub(crate) fn run(_: &Arguments) -> Result<Exit> {
    bail!(not_yet("replaying counterexamples"))
}
