//! Where a long search is saved, and taken up from.

use super::values::Duration;
use clap::Args;
use std::path::PathBuf;

/// Checkpoints.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Checkpoints")]
pub(crate) struct Checkpoints {
    /// Save the search in this file now and then, and when it ends early.
    ///
    /// A search that is killed can go on from there with --resume. The file is written beside and
    /// put in place as a whole. Once something wrong was found (--all-errors) it is not written any
    /// more.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// How often the search is saved, as in 90s or 10m [default: 10m].
    #[arg(long, value_name = "DURATION", requires = "checkpoint")]
    pub(crate) checkpoint_every: Option<Duration>,

    /// Go on with the search that was saved in this file.
    ///
    /// Model and check must be the same; --memory, --threads and limits of time may be others.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
}
