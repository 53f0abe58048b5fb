//! What can be said about a property.

use crate::trace::Trace;

/// For what a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// How many states were seen: all there are.
    pub states: u64,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds {
        /// For what.
        scope: Scope,
    },
    /// It does not.
    Violated {
        /// How to see it.
        trace: Box<Trace>,
    },
    /// It is not known.
    Inconclusive {
        /// Why, and what to try.
        reason: String,
    },
}

impl Verdict {
    /// The word for it in the output.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Holds { .. } => "holds",
            Self::Violated { .. } => "violated",
            Self::Inconclusive { .. } => "inconclusive",
        }
    }
}
