//! Watches a search: shows how far it has come, and ends it when its time is up or the person asks.

use crate::checkpoint::Keeper;
use crate::interrupt::Interrupt;
use crate::progress::Line;
use pverify_report::answers::grouped;
use pverify_search::control::{Counts, Observer, Progress};
use pverify_search::snapshot::Snapshot;
use std::time::{Duration, Instant};

/// See the module.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    pub(crate) started: Instant,
    pub(crate) limit: Option<Duration>,
    pub(crate) interrupt: &'a Interrupt,
    /// Where progress is shown, if it is.
    pub(crate) line: Option<Line>,
    /// Saves it now and then, if that was asked for.
    pub(crate) keeper: Option<Keeper>,
    /// Why it said stop, once it did.
    pub(crate) ending: Option<Ending>,
    /// Channels have no capacity, so there may be no end: when states give way, it is time to stop.
    pub(crate) endless: bool,
}

/// Why a search is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The person asked for it.
    Interrupted,
    /// The time is up.
    TimeLimit,
    /// There may be infinitely many states.
    Endless,
}

impl Observer for Watch<'_> {
    fn go_on(&mut self, progress: &Progress) -> bool {
        let now = Instant::now();
        if let Some(line) = &mut self.line {
            line.show(now, progress);
        }
        if self.interrupt.is_asked() {
            self.ending = Some(Ending::Interrupted);
        } else if self.limit.is_some_and(|limit| now - self.started >= limit) {
            self.ending = Some(Ending::TimeLimit);
        } else if self.endless && progress.counts.replacements > 0 {
            self.ending = Some(Ending::Endless);
        }
        self.ending.is_none()
    }

    fn wants_snapshot(&mut self) -> bool {
        self.keeper.as_ref().is_some_and(|keeper| keeper.is_due(Instant::now()))
    }

    fn save(&mut self, snapshot: &Snapshot<'_>) {
        if let Some(keeper) = &mut self.keeper {
            keeper.save(snapshot);
        }
    }

    fn reason(&self, counts: &Counts) -> Option<String> {
        self.ending.map(|ending| reason(ending, counts))
    }
}

/// An ending in words, and what it leaves unknown.
fn reason(ending: Ending, counts: &Counts) -> String {
    match ending {
        Ending::Interrupted => format!(
            "interrupted after {} {}; not all of them were explored, and nothing is known of what \
             comes after those that were not",
            grouped(counts.states),
            // States that gave way to others may have come again.
            if counts.replacements == 0 { "states" } else { "visits of states" },
        ),
        Ending::Endless => "the memory is used up, and channels without capacity may have no end; \
                            give them one with --capacity, or ask --check unbounded"
            .into(),
        Ending::TimeLimit => {
            "the time limit was reached first; try a larger --time-limit, or a smaller model".into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_words_of_its_own() {
        let counts = Counts { states: 12_345, ..Counts::default() };
        let check = |ending, part: &str| {
            let words = reason(ending, &counts);
            assert!(words.contains(part), "{words}");
        };
        check(Ending::Interrupted, "interrupted after 12,345 states;");
        check(Ending::TimeLimit, "--time-limit");
        check(Ending::Endless, "--capacity");
    }
}
