//! `pverify automaton`: the automaton of a formula, its class, and automata in files.

mod file;
mod finite;
mod infinite;

use crate::exit::Exit;
use crate::options::output::{Format, Output};
use crate::output;
use anyhow::Result;
use clap::{Args, ValueEnum};
use pverify_report::automaton::{Answer, Described, Given, clean};
use pverify_report::diagnostics;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Sources;
use pverify_temporal::diagnose;
use pverify_temporal::formula::parse::FormulaError;
use pverify_temporal::tableau::TooLarge;
use std::fmt::Display;
use std::io::{IsTerminal as _, stdout};

const EXAMPLES: &str = "\
Formulas:
  in signs  ! && || -> <-> [] <> X U V W M, or in words  not and or implies
  equivalent always eventually next until release weakuntil strongrelease.
  A word that begins with F, G or X begins with that operator: GFp is []<>p.
  Expressions and other names stand in double quotes: [] \"x > 1\".

Actions (--finite):
  a name for each action, such as \"c!msg\", \"c?msg\" or \"P:label\"; tau stands
  for all actions that the formula does not name. X is true at the end of a
  computation, X[!] (strongnext) is not.

Examples:
  pverify automaton '[](request -> <> answer)'
  pverify automaton 'always (p implies eventually q)' --to dot | dot -Tsvg
  pverify automaton '!([](p -> <> q))' --to never   the claim that checks []…
  pverify automaton '<>[] p' --classify
  pverify automaton '[](a -> X(!a U b))' --finite --to hoa
  pverify automaton other.hoa --to never            convert an automaton";

/// Show the automaton of a formula of temporal logic, or say of which class the formula is.
///
/// The automaton accepts the infinite runs on which the formula holds: a small generalized Büchi
/// automaton with acceptance on edges. A name that ends in .hoa, or `-` for standard input, is not
/// a formula but a file with automata in the Hanoi format, which are read, checked and written
/// again.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The formula, in signs ([] <> U V W X ! && || -> <->) or in words (always eventually …), or
    /// a FILE.hoa.
    #[arg(value_name = "FORMULA")]
    formula: String,

    /// Read the formula over finite sequences of actions: the smallest deterministic automaton.
    #[arg(long, conflicts_with_all = ["classify", "deterministic"])]
    finite: bool,

    /// A deterministic Büchi automaton with acceptance on states, where the formula has one.
    ///
    /// It has one if its class is recurrence or smaller; otherwise that is said, with the class.
    #[arg(long)]
    deterministic: bool,

    /// Only the class of the formula, and which check suits it.
    ///
    /// The classes of Manna and Pnueli: safety, guarantee, obligation, recurrence, persistence,
    /// reactivity.
    #[arg(long, conflicts_with_all = ["to", "deterministic"])]
    classify: bool,

    /// The form of the automaton [default: text].
    ///
    /// In all forms but text, a line about its size and class goes to standard error.
    #[arg(long, value_name = "FORM", help_heading = "Output")]
    to: Option<Form>,

    #[command(flatten)]
    output: Output,
}

/// The form of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// State by state, for people
    Text,
    /// Hanoi omega-automata format
    Hoa,
    /// Graphviz
    Dot,
    /// A never claim of Promela, with one acceptance set
    Never,
}

impl Form {
    const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Hoa => "hoa",
            Self::Dot => "dot",
            Self::Never => "never",
        }
    }
}

impl Arguments {
    /// The form to write; none if the automaton itself is not wanted.
    fn form(&self) -> Option<Form> {
        let default = (self.output.format == Format::Text && !self.classify).then_some(Form::Text);
        self.to.or(default)
    }

    /// Whether the class will be shown.
    fn wants_class(&self) -> bool {
        self.classify || self.output.format == Format::Json || !self.output.quiet
    }

    fn names_a_file(&self) -> bool {
        self.formula == "-" || self.formula.ends_with(".hoa")
    }
}

/// What came of the text that was given.
#[derive(Default)]
struct Made {
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    automata: Vec<Described>,
}

/// Why there is no automaton, and what the shell is told.
struct Refusal {
    exit: Exit,
    why: String,
    help: String,
}

impl Refusal {
    /// It cannot be, whatever the effort.
    fn impossible(why: impl Into<String>, help: impl Into<String>) -> Self {
        Self { exit: Exit::NothingVerified, why: why.into(), help: help.into() }
    }

    /// A limit was reached first.
    fn too_large(why: impl Display) -> Self {
        let help = "split it: a conjunction can be checked part by part".to_owned();
        Self { exit: Exit::Inconclusive, why: why.to_string(), help }
    }
}

impl From<TooLarge> for Refusal {
    fn from(why: TooLarge) -> Self {
        Self::too_large(why)
    }
}

/// Makes and shows the automaton.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit> {
    arguments.output.refuse_junit()?;
    let (given, result) = if arguments.names_a_file() {
        (Given::File(&arguments.formula), file::make(arguments))
    } else if arguments.finite {
        (Given::Formula(&arguments.formula), finite::make(arguments))
    } else {
        (Given::Formula(&arguments.formula), infinite::make(arguments))
    };
    let (made, refusal) = match result {
        Ok(made) => (made, None),
        Err(refusal) => (Made::default(), Some(refusal)),
    };
    if arguments.output.format == Format::Json {
        let answer = Answer {
            version: env!("CARGO_PKG_VERSION"),
            given,
            automata: &made.automata,
            diagnostics: &made.diagnostics,
            sources: &made.sources,
            error: match &refusal {
                Some(refusal) => Some(&refusal.why),
                None if made.diagnostics.is_empty() => None,
                None => Some("what was given has errors"),
            },
            help: refusal.as_ref().map(|refusal| refusal.help.as_str()),
        };
        output::print(&answer.to_json())?;
    } else {
        show(arguments, &made)?;
        if let Some(refusal) = &refusal {
            output::note(&format!("pverify: {}\nhelp: {}\n", refusal.why, refusal.help));
        }
    }
    Ok(match refusal {
        Some(refusal) => refusal.exit,
        None if made.diagnostics.is_empty() => Exit::Holds,
        None => Exit::NothingVerified,
    })
}

/// The automata on standard output; what is said about them beside it, unless they are for people.
fn show(arguments: &Arguments, made: &Made) -> Result<()> {
    let style = output::style(arguments.output.colors);
    output::note(&diagnostics::draw(&made.diagnostics, &made.sources, style));
    for described in &made.automata {
        match (&described.text, arguments.form()) {
            (Some((_, text)), Some(Form::Text)) if arguments.output.quiet => {
                output::print(&clean(text))?;
            }
            (Some((_, text)), Some(Form::Text)) => {
                output::print(&format!("{}\n{}", described.to_text(), clean(text)))?;
            }
            (Some((_, text)), _) => {
                // For programs as it is; names in it may hold anything, so not so for a terminal.
                output::print(&if stdout().is_terminal() { clean(text) } else { text.clone() })?;
                if !arguments.output.quiet {
                    output::note(&described.summary());
                }
            }
            (None, _) => output::print(&described.to_text())?,
        }
    }
    Ok(())
}

/// What is wrong with the formula, in a text of its own.
fn malformed(arguments: &Arguments, error: &FormulaError) -> Made {
    let mut sources = Sources::default();
    let file = sources.add_file("formula".to_owned(), arguments.formula.as_str(), None);
    let diagnostics = vec![diagnose::formula(error, file)];
    Made { sources, diagnostics, automata: Vec::new() }
}
