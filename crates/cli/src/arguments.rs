//! What can be asked of pverify: a file to verify, or one of the commands.

use crate::commands::{automaton, explain, graph, pages, replay, simulate, test, verify};
use clap::{Args as _, FromArgMatches as _, Parser, Subcommand};
use std::ffi::OsString;

const EXAMPLES: &str = "\
Examples:
  pverify protocol.pml                    check everything the file declares
  pverify protocol.pml --check deadlock   check one thing
  pverify protocol.pml -D N=3 -I include  with a macro and a folder of includes
  pverify graph protocol.pml --to dot     draw the control graphs
  pverify explain E0301                   what an error code means
  pverify test protocols                  whether models answer as their heads say
  pverify ./graph                         a file that has the name of a command

Exit status:
  0  all checks hold
  1  some check is violated
  2  bad usage or bad input, nothing was verified
  3  inconclusive: a limit (memory, time, depth) was reached first";

/// What one run of pverify is asked to do.
#[derive(Debug)]
pub(crate) enum Request {
    /// `pverify FILE`
    Verify(Box<verify::Arguments>),
    /// `pverify COMMAND …`
    Command(Box<Command>),
}

impl Request {
    /// What the words of a command line ask for, the program's name first.
    pub(crate) fn parse(
        words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let matches = program().try_get_matches_from(words)?;
        if matches.subcommand_name().is_some() {
            Command::from_arg_matches(&matches).map(|one| Self::Command(Box::new(one)))
        } else {
            verify::Arguments::from_arg_matches(&matches).map(|one| Self::Verify(Box::new(one)))
        }
    }
}

/// The whole command line: the arguments of verifying, beside the commands.
pub(crate) fn program() -> clap::Command {
    // The texts of `Program` come last, so that they stand.
    Program::augment_args(verify::Arguments::augment_args(clap::Command::new("pverify")))
}

/// Verifies protocols: communicating processes with FIFO channels, written in Promela.
///
/// Give a FILE to verify it, or one of the commands. Without --check, everything that the file
/// itself declares is checked: assertions, invalid end states, every ltl block, never claim,
/// acceptance and progress labels.
#[derive(Debug, Parser)]
#[command(name = "pverify", version, after_help = EXAMPLES, arg_required_else_help = true)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(override_usage = "pverify [OPTIONS] <FILE>\n       pverify <COMMAND> …")]
#[command(max_term_width = 100)]
struct Program {
    #[command(subcommand)]
    _command: Option<Command>,
}

/// The commands beside verifying.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Simulate(simulate::Arguments),
    Replay(replay::Arguments),
    Automaton(automaton::Arguments),
    Graph(graph::Arguments),
    Explain(explain::Arguments),
    Test(test::Arguments),
    Completions(pages::Completions),
    Man(pages::Man),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Request, clap::Error> {
        Request::parse(line.split_whitespace())
    }

    #[test]
    fn clap_finds_no_fault_with_the_flags() {
        program().debug_assert();
    }

    #[test]
    fn every_flag_is_documented() {
        let mut commands = vec![program()];
        commands.extend(program().get_subcommands().cloned());
        for command in commands {
            for argument in command.get_arguments() {
                let (command, argument) = (command.get_name(), argument);
                assert!(
                    argument.get_help().is_some(),
                    "{command}: {} has no help",
                    argument.get_id()
                );
            }
        }
    }

    #[test]
    fn a_file_stands_beside_commands() {
        for (line, file) in [
            ("pverify a.pml", "a.pml"),
            ("pverify ./simulate", "./simulate"),
            ("pverify -", "-"),
            ("pverify --check ltl a.pml --quiet", "a.pml"),
            ("pverify -DN=3 -D M -I inc a.pml", "a.pml"),
            ("pverify -- -odd.pml", "-odd.pml"),
            ("pverify -- simulate", "simulate"),
        ] {
            let parsed = parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            match parsed {
                Request::Verify(arguments) => assert_eq!(arguments.reading.file, file, "{line}"),
                Request::Command(_) => panic!("{line}: taken for a command"),
            }
        }
    }

    #[test]
    fn commands_are_commands() {
        for line in [
            "pverify simulate a.pml --seed 3 --steps 10",
            "pverify replay a.pml a.trace",
            "pverify automaton []p --finite --to never",
            "pverify graph a.pml --to json",
            "pverify explain e0301",
            "pverify explain",
            "pverify test protocols a.pml --threads 2 --format junit",
            "pverify completions zsh",
            "pverify man replay",
        ] {
            let parsed = parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(matches!(parsed, Request::Command(_)), "{line}");
        }
    }

    #[test]
    fn every_option_of_the_contract_is_there() {
        parse(
            "pverify a.pml --check safety --check equivalence --threads 2 --memory 1.5G \
             --store bitstate --reduction none --fairness weak --shortest --depth 10 \
             --time-limit 1h30m --all-errors --seed 7 --format json --trace t --trail t.trail \
             --msc m.svg --quiet --ltl p --automaton a.hoa --against b.pml --relation safety \
             --language promela --color never",
        )
        .unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn bad_usage_is_refused() {
        for line in [
            "pverify",
            "pverify --check",
            "pverify a.pml --check everything",
            "pverify a.pml b.pml",
            "pverify a.pml --threads 0",
            "pverify a.pml --memory lots",
            "pverify a.pml --time-limit 3",
            "pverify a.pml -D 3=4",
            "pverify --quiet simulate a.pml",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
