//! The commands, one module each; each returns what the shell is told.

pub(crate) mod automaton;
mod capacity;
mod channels;
mod check;
pub(crate) mod explain;
pub(crate) mod graph;
mod left_out;
pub(crate) mod pages;
pub(crate) mod replay;
pub(crate) mod simulate;
pub(crate) mod test;
pub(crate) mod verify;

use crate::arguments::{Command, Request};
use crate::exit::{self, Exit};

/// Does what was asked.
pub(crate) fn run(request: &Request) -> Exit {
    exit::of_command(match request {
        Request::Verify(arguments) => verify::run(arguments),
        Request::Command(command) => match &**command {
            Command::Simulate(arguments) => simulate::run(arguments),
            Command::Replay(arguments) => replay::run(arguments),
            Command::Automaton(arguments) => automaton::run(arguments),
            Command::Graph(arguments) => graph::run(arguments),
            Command::Explain(arguments) => explain::run(arguments),
            Command::Test(arguments) => test::run(arguments),
            Command::Completions(arguments) => pages::completions(arguments),
            Command::Man(arguments) => pages::man(arguments),
        },
    })
}
