//! What is asked of channels, and how they behave.

use super::values::at_least_one;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Channels.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Channels")]
pub(crate) struct Channels {
    /// Give every buffered channel this capacity.
    ///
    /// The channels of .scm and .fsa files have none: without this, a search may never end.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) capacity: Option<NonZeroUsize>,

    /// Let this channel lose messages. Can be given several times.
    #[arg(long, value_name = "CHANNEL")]
    pub(crate) lossy: Vec<String>,

    /// Explore no more states than this for --check unbounded.
    ///
    /// A system with an unbounded channel has no end. Without this, two million; with --time-limit,
    /// as many as there is time for.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) states: Option<NonZeroUsize>,

    /// Draw the greatest length of each channel against the depth, for --check unbounded.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}
