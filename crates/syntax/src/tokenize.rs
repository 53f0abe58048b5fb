//! From a file, or a formula, to the words the grammar reads: all stages one after the other.

use crate::diagnostic::Diagnostic;
use crate::formula_words::{formula, mark_formulas};
use crate::inlines::expand_inlines;
use crate::interner::Interner;
use crate::nesting::is_shallow;
use crate::options::{Loader, Options};
use crate::preprocessor::preprocess;
use crate::scanner::scan;
use crate::semicolons::place_semicolons;
use crate::source::{FileId, Sources, Span};
use crate::token::{Inline, Tokens};
use crate::words::{Word, words};

/// The words of the model in a file.
///
/// What is wrong is added to `diagnostics`. Where that makes it pointless to look any further,
/// there are no words.
pub fn tokenize(
    path: &str,
    loader: &mut dyn Loader,
    options: &Options,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Tokens {
    let mut names = Interner::new();
    let first = FileId(sources.files().count() as u32);
    let lexemes = preprocess(path, loader, options, sources, &mut names, diagnostics);
    let end = end_of(sources, first);
    let Some(lexemes) = lexemes else { return Tokens { end, ..Tokens::default() } };
    let read = mark_formulas(words(&lexemes, &names, diagnostics));
    let Some((expanded, inlines)) = expand_inlines(read, sources, diagnostics) else {
        return Tokens { end, ..Tokens::default() };
    };
    finish(place_semicolons(expanded, options.optional_semicolons), inlines, end, diagnostics)
}

/// The words of a formula given on the command line.
pub fn tokenize_formula(
    text: &str,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Tokens {
    let (read, end) = tokenize_text("<formula>", text, sources, diagnostics);
    finish(formula(&read), Vec::new(), end, diagnostics)
}

/// The words of an expression given on the command line.
pub fn tokenize_expression(
    text: &str,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Tokens {
    let (read, end) = tokenize_text("<expression>", text, sources, diagnostics);
    finish(read, Vec::new(), end, diagnostics)
}

fn tokenize_text(
    name: &str,
    text: &str,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Word>, Span) {
    let mut names = Interner::new();
    let file = sources.add_file(name.to_owned(), text, None);
    let lexemes = scan(text, file, &mut names, diagnostics);
    (words(&lexemes, &names, diagnostics), end_of(sources, file))
}

fn end_of(sources: &Sources, file: FileId) -> Span {
    let end = sources.file(file).text.trim_end().len() as u32;
    Span { file, start: end, end, ..Span::default() }
}

fn finish(
    words: Vec<Word>,
    inlines: Vec<Inline>,
    end: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Tokens {
    if !is_shallow(&words, diagnostics) {
        return Tokens { end, ..Tokens::default() };
    }
    let (tokens, spans) = words.into_iter().map(|word| (word.token, word.span)).unzip();
    Tokens { tokens, spans, end, inlines }
}

#[cfg(test)]
mod tests;
