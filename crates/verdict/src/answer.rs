//! What can be said about a property.

use crate::trace::Trace;

/// For what a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// How many states were seen: all there are, unless some may have been omitted.
    pub states: u64,
    /// Where states were remembered by bits only: how many were probably taken for others and
    /// omitted.
    pub omitted: Option<Omitted>,
}

impl Scope {
    /// Every state there is.
    pub const fn all(states: u64) -> Self {
        Self { states, omitted: None }
    }
}

/// How many states were probably omitted; what comes after these was not seen either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// The estimate, in millionths of a state.
    pub millionths: u64,
}

impl Omitted {
    /// An estimate.
    pub fn expected(states: f64) -> Self {
        Self { millionths: (states * 1e6).ceil() as u64 }
    }

    /// The estimate.
    pub fn states(self) -> f64 {
        self.millionths as f64 / 1e6
    }

    /// Whether it is improbable that any state was omitted: the chance is less than one in a hundred.
    pub fn is_improbable(self) -> bool {
        self.states() < 0.01
    }
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
