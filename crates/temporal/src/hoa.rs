//! The Hanoi Omega-Automata format, version 1 (Babiak et al., CAV 2015; adl.github.io/hoaf).
//!
//! A text holds any number of automata. Each is read by itself: words, grammar, then meaning; what
//! is wrong is said with line and column, and the next automaton is read nevertheless. One that its
//! writer gave up (`--ABORT--`) is left out, as the standard wants.
//!
//! What is read: labels on edges or states, implicit labels, aliases, acceptance on edges or states,
//! any number of initial states, every condition that is a conjunction of `Inf`. What is refused:
//! alternation, other conditions, and unknown headers with a capital letter, which may change the
//! meaning; those with a small letter are ignored.

mod grammar;
mod meaning;
mod words;
mod write;

pub use write::write;

use crate::automaton::Automaton;
use std::fmt;

/// An automaton and what else its text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hoa {
    /// `name:`
    pub name: Option<String>,
    /// `tool:`, with its version.
    pub tool: Option<(String, Option<String>)>,
    /// `properties:`, as written; nothing relies on them.
    pub properties: Vec<String>,
    /// The names of states, by number.
    pub state_names: Vec<Option<String>>,
    /// The automaton.
    pub automaton: Automaton,
}

impl Hoa {
    /// An automaton without a name.
    pub fn new(automaton: Automaton) -> Self {
        let state_names = vec![None; automaton.edges.len()];
        Self { name: None, tool: None, properties: Vec::new(), state_names, automaton }
    }
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The first byte of the word that is wrong.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
    /// What is wrong.
    pub message: String,
    /// Whether the text has another form than the standard wants; otherwise its form is right, but
    /// its parts contradict each other or mean what is not read here.
    pub is_malformed: bool,
}

impl fmt::Display for HoaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for HoaError {}

/// Every automaton of a text, in order; those given up by their writer are left out.
pub fn read(text: &str) -> Vec<Result<Hoa, HoaError>> {
    let mut results = Vec::new();
    for part in words::parts(text) {
        results.push(part.map_err(|problem| positioned(text, problem, true)).and_then(|words| {
            let wrong = |problem, malformed| positioned(text, words.place(problem), malformed);
            let document = grammar::parse(&words.tokens).map_err(|problem| wrong(problem, true))?;
            meaning::build(&document).map_err(|problem| wrong(problem, false))
        }));
    }
    if results.is_empty() && !words::has_parts(text) {
        results.push(Err(positioned(text, (0, "there is no automaton here".to_owned()), true)));
    }
    results
}

/// The one automaton of a text.
pub fn read_one(text: &str) -> Result<Hoa, HoaError> {
    let mut all = read(text);
    match all.len() {
        1 => all.remove(0),
        count => {
            let message = format!("one automaton is wanted here, not {count}");
            Err(positioned(text, (0, message), false))
        }
    }
}

/// A problem at a byte as one with line and column.
fn positioned(text: &str, (offset, message): words::Problem, is_malformed: bool) -> HoaError {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[start..].chars().count() + 1;
    let (start, end) = (before.len(), words::word_end(text, before.len()));
    HoaError { line, column, start, end, message, is_malformed }
}
