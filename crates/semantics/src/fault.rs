//! What can go wrong while a model runs: verdicts, not crashes.

use std::fmt;

/// Something a model does wrong in some state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// An `assert` does not hold.
    Assertion,
    /// Nothing can move, and some process is not at a place where it may rest.
    InvalidEndState,
    /// An index is outside its array.
    ArrayIndex {
        /// The index.
        index: i32,
        /// The number of elements.
        length: u32,
    },
    /// A division by zero.
    DivisionByZero,
    /// More than 255 processes.
    TooManyProcesses,
    /// More than 255 channels.
    TooManyChannels,
    /// A `d_step` that cannot go on.
    BlockedDStep,
    /// A `d_step` that never ends.
    EndlessDStep,
    /// A send or receive with another number of fields than the channel has.
    MessageShape {
        /// How many fields the statement has.
        given: u32,
        /// How many the channel's messages have.
        wanted: u32,
    },
    /// A channel variable that holds no channel.
    NoChannel,
    /// A question about the contents of a rendezvous channel, which has none.
    PolledRendezvous,
    /// A priority outside 1 to 255.
    BadPriority(i32),
    /// `enabled(_pid)`
    EnabledOfItself,
    /// A reference to a process that does not live.
    NoProcess(i32),
    /// An atomic block that runs in a circle.
    AtomicCycle,
    /// A `D_proctype` that has a choice.
    Choice,
    /// An event that the `trace` does not allow.
    NoMatchingEvent,
    /// Events that the `notrace` forbids.
    TraceMatched,
    /// A `never` claim has come to its end.
    ClaimEnded,
    /// Whatever comes, a formula cannot hold any more.
    FormulaRefuted,
    /// A finite computation that a formula over actions does not allow.
    Rejected,
    /// An infinite run that an automaton does not accept.
    NotAccepted,
    /// An infinite run on which a formula does not hold.
    FormulaViolated,
    /// An infinite run that a `never` claim accepts.
    ClaimAccepted,
    /// A cycle through an `accept` label.
    AcceptanceCycle,
    /// A cycle without a `progress` label.
    NonProgressCycle,
    /// A pair of states of two models that are not related.
    Unrelated,
    /// A model that needs more of something than there is.
    Limit(&'static str),
    /// A value does not fit where the analysis of ranges says it does: no fault of the model, but a
    /// mistake of pverify.
    Misfit(i32),
}

impl FaultKind {
    /// The kind as the JSON output and the headers of the gallery name it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::InvalidEndState => "deadlock",
            Self::ArrayIndex { .. } => "array index",
            Self::DivisionByZero => "division by zero",
            Self::TooManyProcesses => "too many processes",
            Self::TooManyChannels => "too many channels",
            Self::BlockedDStep => "blocked d_step",
            Self::EndlessDStep => "endless d_step",
            Self::MessageShape { .. } => "message shape",
            Self::NoChannel => "no channel",
            Self::PolledRendezvous => "polled rendezvous",
            Self::BadPriority(_) => "bad priority",
            Self::EnabledOfItself => "enabled of itself",
            Self::NoProcess(_) => "no such process",
            Self::AtomicCycle => "atomic cycle",
            Self::Choice => "choice in D_proctype",
            Self::NoMatchingEvent => "event trace (no matching event)",
            Self::TraceMatched => "event trace (all events matched)",
            Self::ClaimEnded => "end of claim",
            Self::FormulaRefuted => "refuted formula",
            Self::Rejected => "rejected computation",
            Self::NotAccepted => "run not accepted",
            Self::FormulaViolated => "violated formula",
            Self::ClaimAccepted => "accepted claim",
            Self::AcceptanceCycle => "acceptance cycle",
            Self::NonProgressCycle => "non-progress cycle",
            Self::Unrelated => "not related",
            Self::Limit(_) => "limit",
            Self::Misfit(_) => "misfit",
        }
    }

    /// Whether it is a matter of a property, which replaying the steps alone cannot show.
    pub const fn is_of_property(&self) -> bool {
        matches!(
            self,
            Self::ClaimEnded
                | Self::Rejected
                | Self::NotAccepted
                | Self::FormulaRefuted
                | Self::FormulaViolated
                | Self::ClaimAccepted
                | Self::AcceptanceCycle
                | Self::NonProgressCycle
                | Self::Unrelated
        )
    }

    /// The kind of property that is violated, by its [`FaultKind::name`].
    pub fn property_named(name: &str) -> Option<Self> {
        [
            Self::ClaimEnded,
            Self::Rejected,
            Self::NotAccepted,
            Self::FormulaRefuted,
            Self::FormulaViolated,
            Self::ClaimAccepted,
            Self::AcceptanceCycle,
            Self::NonProgressCycle,
            Self::Unrelated,
        ]
        .into_iter()
        .find(|fault| fault.name() == name)
    }

    /// Whether the step it happens in goes on as if nothing had happened, as SPIN's `-c0` does.
    pub const fn is_survivable(&self) -> bool {
        matches!(
            self,
            Self::Assertion
                | Self::MessageShape { .. }
                | Self::PolledRendezvous
                | Self::Choice
                | Self::NoMatchingEvent
                | Self::TraceMatched
                | Self::ClaimEnded
                | Self::FormulaRefuted
                | Self::Rejected
                | Self::NotAccepted
                | Self::Unrelated
        )
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assertion => f.write_str("an assertion fails"),
            Self::InvalidEndState => f.write_str("nothing can move (deadlock)"),
            Self::ArrayIndex { index, length } => {
                write!(f, "index {index} is outside an array of {length}")
            }
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::TooManyProcesses => f.write_str("a 256th process is started"),
            Self::TooManyChannels => f.write_str("a 256th channel is made"),
            Self::BlockedDStep => f.write_str("a `d_step` cannot go on"),
            Self::EndlessDStep => f.write_str("a `d_step` never ends"),
            Self::MessageShape { given, wanted } => {
                write!(f, "a message of {given} fields for a channel of {wanted}")
            }
            Self::NoChannel => f.write_str("a channel variable that holds no channel is used"),
            Self::PolledRendezvous => {
                f.write_str("a rendezvous channel is asked for its contents; it has none")
            }
            Self::BadPriority(value) => write!(f, "{value} is no priority (1 to 255)"),
            Self::EnabledOfItself => f.write_str("a process asks whether it is enabled itself"),
            Self::NoProcess(pid) => write!(f, "there is no process {pid}"),
            Self::AtomicCycle => f.write_str("an atomic block runs in a circle for ever"),
            Self::NoMatchingEvent => f.write_str("an event that the `trace` does not allow"),
            Self::TraceMatched => f.write_str("the events that the `notrace` forbids"),
            Self::Choice => f.write_str("a `D_proctype` has more than one possible step"),
            Self::ClaimEnded => f.write_str("the `never` claim has come to its end"),
            Self::FormulaRefuted => f.write_str("the formula cannot hold any more"),
            Self::Rejected => f.write_str("the formula does not allow this computation"),
            Self::NotAccepted => f.write_str("this run goes on for ever and is not accepted"),
            Self::FormulaViolated => f.write_str("the formula does not hold on this run"),
            Self::ClaimAccepted => f.write_str("the `never` claim accepts this run"),
            Self::AcceptanceCycle => f.write_str("a cycle through an `accept` label"),
            Self::NonProgressCycle => f.write_str("a cycle without a `progress` label"),
            Self::Unrelated => f.write_str("one can do what the other cannot"),
            Self::Limit(what) => write!(f, "the model needs more {what} than there are"),
            Self::Misfit(value) => {
                write!(f, "the value {value} does not fit the range computed for its variable")
            }
        }
    }
}
