//! The exit status, decided here and nowhere else.

use crate::output;
use clap::error::ErrorKind;
use std::process::ExitCode;

/// What the shell is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "the statuses of verdicts wait for the checks that reach them")]
pub(crate) enum Exit {
    /// All checks hold, or what was asked for was shown.
    Holds = 0,
    /// Some check is violated.
    Violated = 1,
    /// Bad usage or bad input: nothing was verified.
    NothingVerified = 2,
    /// A limit (memory, time, depth) was reached first, or the person interrupted the search.
    Inconclusive = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The status of a command; an error is shown first.
pub(crate) fn of_command(result: anyhow::Result<Exit>) -> Exit {
    result.unwrap_or_else(|error| {
        output::error(&error);
        Exit::NothingVerified
    })
}

/// The status when clap answers in our place: `--help` and `--version` are answers, all else is
/// bad usage.
pub(crate) fn of_refused_arguments(refused: &clap::Error) -> Exit {
    // Nobody is left to tell if even this cannot be written.
    let _ = refused.print();
    match refused.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Holds,
        _ => Exit::NothingVerified,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_those_of_the_contract() {
        let all = [Exit::Holds, Exit::Violated, Exit::NothingVerified, Exit::Inconclusive];
        assert_eq!(all.map(|exit| exit as u8), [0, 1, 2, 3]);
    }

    #[test]
    fn an_error_verifies_nothing() {
        assert_eq!(of_command(Err(anyhow::anyhow!("a test error"))), Exit::NothingVerified);
    }
}
