//! What a full safety search found, whoever searched, and where two searches differ.

use std::collections::BTreeSet;
use std::fmt;

/// Which kind of thing went wrong in a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Assertion,
    EndState,
    /// An index outside its array: SPIN goes on with whatever lies behind the array.
    Index,
    /// A `d_step` that cannot go on: SPIN stops searching.
    BlockedStep,
    /// A `trace` or `notrace` that does not allow an event.
    EventTrace,
    /// `D_proctype` with a choice.
    Choice,
    /// A channel that is none, or a message of the wrong shape.
    Message,
    Division,
    /// Anything else, in the words of the one who found it.
    Other(String),
}

impl Kind {
    /// The kind that a message of `pan`, a column of `expected.tsv` or a word of pverify names.
    pub(crate) fn of(message: &str) -> Kind {
        let message = message.trim().to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| message.contains(word));
        // The order matters: `assertion violated - invalid array index` is about the index.
        if has(&["array index", "array_index", "out of range", "out of bounds", "index"]) {
            Kind::Index
        } else if has(&["d_step", "d-step"]) {
            Kind::BlockedStep
        } else if has(&["d_proctype", "determinis"]) {
            Kind::Choice
        } else if has(&["event_trace", "notrace", "event"]) {
            Kind::EventTrace
        } else if has(&["assert"]) {
            Kind::Assertion
        } else if has(&["end state", "end_state", "end-state", "deadlock"]) {
            Kind::EndState
        } else if has(&["division", "divide", "zero", "modulo"]) {
            Kind::Division
        } else if has(&["chan", "parameters", "queue", "message", "rendezvous"]) {
            Kind::Message
        } else {
            Kind::Other(message)
        }
    }

    /// After this SPIN's counts mean nothing: it stops, or reads what is not the model's.
    fn spoils_counts(&self) -> bool {
        matches!(self, Kind::Index | Kind::BlockedStep | Kind::Division | Kind::Other(_))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Assertion => "assertion",
            Kind::EndState => "invalid end state",
            Kind::Index => "array index",
            Kind::BlockedStep => "blocked d_step",
            Kind::EventTrace => "event trace",
            Kind::Choice => "choice in D_proctype",
            Kind::Message => "channel or message",
            Kind::Division => "division by zero",
            Kind::Other(text) => text,
        })
    }
}

/// The outcome of a search of one model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) states: u64,
    /// Edges: the initial state is not one.
    pub(crate) transitions: u64,
    /// How often something went wrong, if it was counted.
    pub(crate) errors: Option<u64>,
    pub(crate) kinds: BTreeSet<Kind>,
    /// `kinds` has all of them, not just the first.
    pub(crate) all_kinds: bool,
    pub(crate) violated: bool,
    /// The search came to its end.
    pub(crate) complete: bool,
}

impl Figures {
    /// SPIN's counts are the model's.
    pub(crate) fn counts_mean_something(&self) -> bool {
        self.complete && !self.kinds.iter().any(Kind::spoils_counts)
    }

    /// The kinds, joined; `none` without any.
    pub(crate) fn verdict(&self) -> String {
        if self.kinds.is_empty() {
            return if self.violated { "violated" } else { "none" }.to_owned();
        }
        let kinds: Vec<String> = self.kinds.iter().map(ToString::to_string).collect();
        kinds.join("+")
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "states={} transitions={}", self.states, self.transitions)?;
        write!(f, " verdict={}", self.verdict())?;
        if let Some(errors) = self.errors {
            write!(f, " errors={errors}")?;
        }
        if !self.complete {
            f.write_str(" (incomplete)")?;
        }
        Ok(())
    }
}

/// What differs, in few words; `None` if nothing does.
///
/// Where SPIN stopped early only the verdict is compared, and only if it had found something:
/// what lies behind the place where it stopped is anybody's guess.
pub(crate) fn difference(spin: &Figures, ours: &Figures) -> Option<String> {
    let mut unlike = Vec::new();
    if spin.counts_mean_something() {
        if spin.violated != ours.violated || !kinds_agree(spin, ours) {
            unlike.push("verdict");
        }
        if spin.states != ours.states {
            unlike.push("states");
        }
        if spin.transitions != ours.transitions {
            unlike.push("transitions");
        }
        if ours.errors.is_some() && spin.errors.is_some() && spin.errors != ours.errors {
            unlike.push("errors");
        }
        if !ours.complete {
            unlike.push("complete");
        }
    } else if spin.violated && !ours.violated {
        unlike.push("verdict");
    }
    (!unlike.is_empty()).then(|| unlike.join(", "))
}

/// The same set, or a part of it if pverify told only the first.
fn kinds_agree(spin: &Figures, ours: &Figures) -> bool {
    if ours.all_kinds { spin.kinds == ours.kinds } else { ours.kinds.is_subset(&spin.kinds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(states: u64, kinds: &[Kind], complete: bool) -> Figures {
        Figures {
            states,
            transitions: states,
            errors: None,
            kinds: kinds.iter().cloned().collect(),
            all_kinds: true,
            violated: !kinds.is_empty(),
            complete,
        }
    }

    fn check(spin: &Figures, ours: &Figures, expected: Option<&str>) {
        assert_eq!(difference(spin, ours).as_deref(), expected);
    }

    #[test]
    fn messages_have_kinds() {
        assert_eq!(Kind::of("assertion violated - invalid array index"), Kind::Index);
        assert_eq!(Kind::of("assertion violated (x==0)"), Kind::Assertion);
        assert_eq!(Kind::of("invalid end state"), Kind::EndState);
        assert_eq!(Kind::of("deadlock"), Kind::EndState);
        assert_eq!(Kind::of("block in d_step seq"), Kind::BlockedStep);
        assert_eq!(Kind::of("non-determinism in D_proctype"), Kind::Choice);
        assert_eq!(Kind::of("event_trace error (no matching event)"), Kind::EventTrace);
        assert_eq!(Kind::of("too few parameters in send stmnt"), Kind::Message);
        assert_eq!(Kind::of("aborting"), Kind::Other("aborting".to_owned()));
    }

    #[test]
    fn complete_searches_are_compared_in_all() {
        let both = [Kind::Assertion, Kind::EndState];
        let spin = figures(3, &both, true);
        check(&spin, &figures(3, &both, true), None);
        check(&spin, &figures(4, &both, true), Some("states, transitions"));
        check(&spin, &figures(3, &both[..1], true), Some("verdict"));
        check(&spin, &Figures { all_kinds: false, ..figures(3, &both[..1], true) }, None);
        check(&spin, &figures(3, &[], true), Some("verdict"));
        check(&spin, &figures(3, &both, false), Some("complete"));
    }

    #[test]
    fn of_a_search_that_stopped_only_the_verdict_counts() {
        let spin = figures(3, &[Kind::BlockedStep], false);
        check(&spin, &figures(9, &[Kind::BlockedStep], true), None);
        check(&spin, &figures(9, &[], true), Some("verdict"));
        check(&figures(3, &[], false), &figures(9, &[Kind::Assertion], true), None);
    }
}
