//! The command line of pverify: flags in, answers and an exit status out.
//!
//! Only this crate prints, reads files, clocks and the environment. In reading order:
//!
//! 1. `arguments`, `options`: what can be asked, each flag documented where it is defined
//! 2. `commands`: one module a command
//! 3. `front_end`, `files`: from a path to a model and its diagnostics
//! 4. `output`: colours, and writing to a pipe that may close; `saving`: counterexamples in files;
//!    `charts`: as charts and pages
//! 5. `watch`: what is done while a search runs; `progress`, the line that shows it; `interrupt`,
//!    Ctrl-C; `memory`, how much there is
//! 6. `wrap`, `nearest`: prose for a terminal, and what was probably meant
//! 7. `exit`: what the shell is told

mod arguments;
mod charts;
mod checkpoint;
mod commands;
mod exit;
mod files;
mod front_end;
mod interrupt;
mod memory;
mod nearest;
mod options;
mod output;
mod progress;
mod saving;
mod watch;
mod wrap;

use arguments::Request;
use exit::Exit;
use std::process::ExitCode;

/// Runs pverify with the arguments of this process.
pub fn main() -> ExitCode {
    let exit = match Request::parse(std::env::args_os()) {
        Ok(request) => on_a_large_stack(|| commands::run(&request)),
        Err(refused) => exit::of_refused_arguments(&refused),
    };
    exit.into()
}

/// How much stack the work gets, in MiB; less where the machine does not give as much.
///
/// Parsing, and dropping what was parsed, follow the nesting of the model. The front end limits
/// how deep that is; the stack is large enough for the limit. Only what is used is ever committed.
const STACKS: [usize; 3] = [256, 64, 16];

fn on_a_large_stack(work: impl Fn() -> Exit + Sync) -> Exit {
    std::thread::scope(|scope| {
        for mebibytes in STACKS {
            let thread = std::thread::Builder::new()
                .name("pverify".to_owned())
                .stack_size(mebibytes << 20)
                .spawn_scoped(scope, &work);
            if let Ok(thread) = thread {
                // The panic hook has already said what happened and where.
                return thread.join().unwrap_or(Exit::NothingVerified);
            }
        }
        work()
    })
}
