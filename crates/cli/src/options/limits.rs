//! What a search may use up before it gives up.

use super::values::{Duration, Size, at_least_one};
use clap::Args;
use std::num::NonZeroUsize;

/// Limits; reaching one makes the answer inconclusive (exit status 3).
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
#[allow(dead_code, reason = "parsed and refused today, used by the search to come")]
pub(crate) struct Limits {
    /// Use this many threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Use no more memory than this, as in 512M or 1.5G [default: 80 % of what is free].
    ///
    /// A cap for the whole process. When the store is full, old states give way to new ones: the
    /// search gets slower, and never dies.
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<Size>,

    /// Follow no run for more than this many steps.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) depth: Option<NonZeroUsize>,

    /// Stop after this time, as in 90s, 5m or 1h30m.
    #[arg(long, value_name = "DURATION")]
    pub(crate) time_limit: Option<Duration>,
}
