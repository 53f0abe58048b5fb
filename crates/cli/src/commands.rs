//! The commands, one module each; each returns what the shell is told.

pub(crate) mod automaton;
mod channels;
mod check;
pub(crate) mod explain;
pub(crate) mod graph;
mod not_yet;
pub(crate) mod replay;
pub(crate) mod simulate;
pub(crate) mod verify;

use crate::arguments::{Command, Request};
use crate::exit::{self, Exit};
pub(crate) use not_yet::not_yet;

/// Does what was asked.
pub(crate) fn run(request: &Request) -> Exit {
    exit::of_command(match request {
        Request::Verify(arguments) => verify::run(arguments),
        Request::Command(Command::Simulate(arguments)) => simulate::run(arguments),
        Request::Command(Command::Replay(arguments)) => replay::run(arguments),
        Request::Command(Command::Automaton(arguments)) => automaton::run(arguments),
        Request::Command(Command::Graph(arguments)) => graph::run(arguments),
        Request::Command(Command::Explain(arguments)) => explain::run(arguments),
    })
}
