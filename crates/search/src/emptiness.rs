//! Whether a system has an accepting run: a way to a cycle that meets every acceptance set.
//!
//! One thread follows Couvreur's algorithm (`couvreur`), several share a union-find of partial
//! components (`sharing`). States of components that are finished are *dead*: nothing leads from
//! them to an accepting cycle, and if one gives way to others and is met again, it is explored again.
//! The others must stay: one thread keeps them apart by numbers in the store, several in a table of
//! their own beside it. So the store may replace the dead, and the answer is the same.
//!
//! A small search is left to one thread, which does the same each time.

use crate::control::{Counts, Cut, Observer, Settings};
use crate::marked::Marked;
use crate::{couvreur, sharing};
use pverify_semantics::fault::FaultKind;

/// What a search for accepting runs found.
#[derive(Clone, Debug)]
pub struct Emptiness {
    /// Its counts.
    pub counts: Counts,
    /// An accepting run, if any.
    pub found: Option<Accepting>,
    /// Why it did not see everything; `None` for a complete search.
    pub cut: Option<Cut>,
}

/// An accepting run, as states of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepting {
    /// The stem from the initial state on, then the cycle for ever; the stem may be empty, and the
    /// last state of the cycle leads to its first.
    Lasso {
        /// Before the cycle.
        stem: Vec<Vec<u64>>,
        /// The cycle.
        cycle: Vec<Vec<u64>>,
    },
    /// In the last of these states a companion has come to its end: however it goes on.
    Prefix {
        /// Which end it is.
        fault: FaultKind,
        /// The states, from the initial one on.
        states: Vec<Vec<u64>>,
    },
}

/// Looks for an accepting run.
pub fn search<S: Marked>(
    system: &mut S,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Emptiness {
    if settings.threads.get() == 1 {
        return couvreur::search(system, settings, observer, None).unwrap_or_else(nothing);
    }
    let alone = (settings.alone > 0).then_some(settings.alone);
    if let Some(most) = alone
        && let Some(outcome) = couvreur::search(system, settings, observer, Some(most))
    {
        return outcome;
    }
    sharing::search(system, settings, observer)
}

/// A search without a limit of states always has an outcome.
fn nothing() -> Emptiness {
    Emptiness { counts: Counts::default(), found: None, cut: Some(Cut::Stopped) }
}

#[cfg(test)]
mod tests;
