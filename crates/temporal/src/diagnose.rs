//! What is wrong with the text of a formula or of an automaton, as a diagnostic that can be drawn.

use crate::codes;
use crate::formula::parse::FormulaError;
use crate::hoa::HoaError;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::{FileId, Span};

/// What is wrong with a formula, whose text is a file of its own.
pub fn formula(error: &FormulaError, file: FileId) -> Diagnostic {
    let span = span(file, error.start, error.end);
    Diagnostic::new(&codes::FORMULA, span, &error.message).here("here").help(error.help)
}

/// What is wrong with an automaton in the Hanoi format.
pub fn automaton(error: &HoaError, file: FileId) -> Diagnostic {
    let (code, help) = if error.is_malformed {
        (
            &codes::AUTOMATON_FORM,
            "an automaton is `HOA: v1`, headers, `--BODY--`, states with their edges, `--END--` \
             (https://adl.github.io/hoaf)",
        )
    } else {
        (
            &codes::AUTOMATON_MEANING,
            "numbers and names must fit the headers, and the acceptance must be a conjunction of \
             `Inf(…)`, without alternation; other tools turn other automata into such ones",
        )
    };
    let span = span(file, error.start, error.end);
    Diagnostic::new(code, span, &error.message).here("here").help(help)
}

/// Places are counted in 32 bits; a text that is longer was refused when it was read.
fn span(file: FileId, start: usize, end: usize) -> Span {
    let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { file, start: narrow(start), end: narrow(end), ..Span::default() }
}
