//! The words of a system of machines, and what is wrong where a rule of the grammar ends.

use super::Word;
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::token::Name;
use chumsky::prelude::*;
use std::fmt;

/// How deep brackets and braces may be nested; grammars recurse there and nowhere else.
const DEPTH: usize = 200;

/// A word or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Letters and digits; in machine files everything between spaces.
    Word(Name),
    /// A sign.
    Sign(char),
    /// The end of a line, where lines matter.
    Line,
}

impl fmt::Display for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(out, "`{word}`"),
            Self::Sign(sign) => write!(out, "`{sign}`"),
            Self::Line => out.write_str("the end of the line"),
        }
    }
}

/// The words of a text.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// The words.
    pub(super) tokens: Vec<Token>,
    spans: Vec<Span>,
    end: Span,
}

pub(super) type Failure<'a> = extra::Err<Rich<'a, Token>>;

/// How a text is cut into words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Words are letters, digits and `_`; comments as in C.
    Signs,
    /// The same, but comments begin with `--`.
    SignsAndDashes,
    /// Words are whatever stands between spaces, lines matter, comments begin with `--`.
    Spaces,
}

/// Cuts a text into words.
pub(super) fn cut(text: &str, file: FileId, cut: Cut) -> Words {
    let mut words = Words {
        end: place(file, text.trim_end().len(), text.trim_end().len()),
        ..Words::default()
    };
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let after = |found: Option<usize>, more: usize| found.map_or(rest.len(), |at| at + more);
        let line = || after(rest.find('\n'), 0);
        let mut add = |token: Token, length: usize| {
            words.tokens.push(token);
            words.spans.push(place(file, at, at + length));
            length
        };
        at += match cut {
            _ if letter == '\n' && cut == Cut::Spaces => add(Token::Line, 1),
            _ if letter.is_whitespace() => letter.len_utf8(),
            Cut::Signs if rest.starts_with("//") => line(),
            Cut::Signs if rest.starts_with("/*") => after(rest[2..].find("*/"), 4),
            Cut::SignsAndDashes | Cut::Spaces if rest.starts_with("--") => line(),
            Cut::Spaces => {
                let end = after(rest.find(char::is_whitespace), 0);
                match &rest[..end] {
                    "!" => add(Token::Sign('!'), 1),
                    "?" => add(Token::Sign('?'), 1),
                    word => add(Token::Word(word.into()), end),
                }
            }
            _ if is_letter(letter) => {
                let end = after(rest.find(|letter| !is_letter(letter)), 0);
                add(Token::Word(rest[..end].into()), end)
            }
            _ => add(Token::Sign(letter), letter.len_utf8()),
        };
    }
    words
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn place(file: FileId, start: usize, end: usize) -> Span {
    let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { file, start: narrow(start), end: narrow(end), ..Span::default() }
}

impl Words {
    /// Reads the words by a rule of a grammar; what is wrong is said.
    pub(super) fn parse<'a, T>(
        &'a self,
        rule: impl Parser<'a, &'a [Token], T, Failure<'a>>,
        help: &str,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<T> {
        if let Some(at) = self.too_deep() {
            let message = format!("brackets and braces are nested deeper than {DEPTH}");
            let wrong = Diagnostic::new(&codes::MACHINES_FORM, self.span(at), message);
            diagnostics.push(wrong.here("here").help("use states of a machine instead"));
            return None;
        }
        let (found, errors) = rule.parse(&self.tokens).into_output_errors();
        for error in errors.iter().take(1) {
            let span = self.span(error.span().start);
            let wrong = Diagnostic::new(&codes::MACHINES_FORM, span, message(error));
            diagnostics.push(wrong.here("here").help(help));
        }
        found.filter(|_| errors.is_empty())
    }

    fn too_deep(&self) -> Option<usize> {
        let mut depth = 0_usize;
        self.tokens.iter().position(|token| {
            match token {
                Token::Sign('{' | '(') => depth += 1,
                Token::Sign('}' | ')') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth > DEPTH
        })
    }

    /// The place of a word by its number.
    pub(super) fn span(&self, word: usize) -> Span {
        self.spans.get(word).copied().unwrap_or(self.end)
    }

    /// From one word to before another.
    pub(super) fn between(&self, words: std::ops::Range<usize>) -> Span {
        let first = self.span(words.start);
        let last = self.span(words.end.saturating_sub(1).max(words.start));
        Span { end: last.end.max(first.end), ..first }
    }

    /// A word that was read.
    pub(super) fn word(&self, (text, at): (Name, usize)) -> Word {
        Word { text, span: self.span(at) }
    }
}

fn message(error: &Rich<'_, Token>) -> String {
    let found = error.found().map_or_else(|| "the end of the file".to_owned(), ToString::to_string);
    let expected = error.expected().map(|one| one.to_string().trim_matches('\'').to_owned());
    let mut expected: Vec<String> = expected.collect();
    expected.sort_unstable();
    expected.dedup();
    match expected.split_last() {
        None => format!("{found} cannot stand here"),
        Some((last, [])) => format!("{last} is wanted here, not {found}"),
        Some((last, others)) => {
            format!("{} or {last} is wanted here, not {found}", others.join(", "))
        }
    }
}

/// Any word, with its number.
pub(super) fn word<'a>(
    what: &'static str,
) -> impl Parser<'a, &'a [Token], (Name, usize), Failure<'a>> + Clone {
    select! { Token::Word(word) = extra => (word, { let span: SimpleSpan = extra.span(); span.start }) }
        .labelled(what)
}

/// A certain word.
pub(super) fn keyword<'a>(
    wanted: &'static str,
) -> impl Parser<'a, &'a [Token], (), Failure<'a>> + Clone {
    any()
        .filter(move |token| matches!(token, Token::Word(word) if **word == *wanted))
        .ignored()
        .labelled(wanted)
}

/// A sign.
pub(super) fn sign<'a>(sign: char) -> impl Parser<'a, &'a [Token], (), Failure<'a>> + Clone {
    just(Token::Sign(sign)).ignored()
}
