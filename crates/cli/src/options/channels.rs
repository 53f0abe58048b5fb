//! What is asked of channels, and how they behave.

use super::values::{Capacity, at_least_one};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Channels.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Channels")]
pub(crate) struct Channels {
    #[command(flatten)]
    pub(crate) room: Room,

    /// Explore no more states than this for --check unbounded, and in each search of --check capacity.
    ///
    /// A system with an unbounded channel has no end. Without this, two million; with --time-limit,
    /// --check unbounded explores as many as there is time for.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) states: Option<NonZeroUsize>,

    /// Draw the greatest length of each channel against the depth, for --check unbounded.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

/// How much room channels have, and whether what is in them is safe: this makes another model.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Channels")]
pub(crate) struct Room {
    /// Give every buffered channel this capacity, or the one with this name.
    ///
    /// The channels of .scm and .fsa files have none: without this, a search may never end. A channel
    /// of a process is named P.c. Can be given several times.
    #[arg(long, value_name = "[CHANNEL=]N")]
    pub(crate) capacity: Vec<Capacity>,

    /// Let this channel lose messages. Can be given several times.
    #[arg(long, value_name = "CHANNEL")]
    pub(crate) lossy: Vec<String>,
}
