//! How states are searched and stored.

use clap::{Args, ValueEnum};

/// How the state space is searched.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Search")]
#[allow(dead_code, reason = "parsed and refused today, used by the search to come")]
pub(crate) struct Search {
    /// How visited states are remembered.
    #[arg(long, value_name = "STORE", default_value = "exact")]
    pub(crate) store: Store,

    /// Whether runs that differ only in the order of independent steps are left out.
    #[arg(long, value_name = "REDUCTION", default_value = "auto")]
    pub(crate) reduction: Reduction,

    /// Which infinite runs count.
    #[arg(long, value_name = "FAIRNESS", default_value = "none")]
    pub(crate) fairness: Fairness,

    /// Search breadth first, for a shortest counterexample.
    #[arg(long)]
    pub(crate) shortest: bool,

    /// Go on after the first violation, and report how many there are.
    #[arg(long)]
    pub(crate) all_errors: bool,

    /// The seed of everything random; with one thread the same seed gives the same run.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

/// How visited states are remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Store {
    /// Every state, compressed without loss
    Exact,
    /// A few bits a state: much larger models, but states may be missed
    Bitstate,
}

/// Whether runs that differ only in the order of independent steps are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reduction {
    /// Wherever it keeps the answer; in this version nowhere
    Auto,
    /// Never: the counts are then those of SPIN without reduction
    None,
}

/// Which infinite runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fairness {
    /// All
    None,
    /// Those in which a process that can always take a step takes one
    Weak,
}
