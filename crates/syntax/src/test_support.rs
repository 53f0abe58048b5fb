//! A small lexer for tests of the grammar: plain text, no preprocessor, no inlines.
//!
//! `@inline` stands for [`Token::InlineBody`]; a line break never ends a statement.

use crate::source::{FileId, Sources, Span};
use crate::token::{Keyword, Sign, Temporal, Token, Tokens};

/// The words of a text; inside `ltl { … }`, or everywhere when `formula`, with temporal ones.
pub(crate) fn lex(text: &str, formula: bool) -> (Tokens, Sources) {
    let mut sources = Sources::default();
    let file = sources.add_file("test.pml".into(), text, None);
    let mut tokens = Tokens { end: span(file, text.len(), text.len()), ..Tokens::default() };
    let (mut at, mut in_formula, mut ltl) = (0, formula, false);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(char::is_whitespace) {
            at += 1;
            continue;
        }
        let (token, length) = word(rest, in_formula);
        ltl |= token == Token::Keyword(Keyword::Ltl);
        in_formula |= ltl && token == Token::Sign(Sign::LeftBrace);
        if ltl && token == Token::Sign(Sign::RightBrace) {
            (in_formula, ltl) = (false, false);
        }
        let semicolon = tokens.tokens.last() == Some(&Token::Sign(Sign::Semicolon));
        if semicolon && token == Token::Sign(Sign::RightBrace) {
            tokens.tokens.pop();
            tokens.spans.pop();
        }
        tokens.tokens.push(token);
        tokens.spans.push(span(file, at, at + length));
        at += length;
    }
    (tokens, sources)
}

fn span(file: FileId, start: usize, end: usize) -> Span {
    Span { file, start: start as u32, end: end as u32, ..Span::default() }
}

fn word(rest: &str, in_formula: bool) -> (Token, usize) {
    if rest.starts_with("@inline") {
        return (Token::InlineBody, "@inline".len());
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    if length > 0 {
        let word = &rest[..length];
        if let Ok(number) = word.parse() {
            return (Token::Number(number), length);
        }
        let temporal = Temporal::ALL.iter().find(|one| in_formula && one.text() == word);
        if let Some(temporal) = temporal {
            return (Token::Temporal(*temporal), length);
        }
        let keyword = Keyword::ALL.iter().find(|one| one.text() == word && word != "in");
        return (
            keyword.map_or_else(|| Token::Name(word.into()), |&one| Token::Keyword(one)),
            length,
        );
    }
    if let Some(text) = rest.strip_prefix('"') {
        let length = text.find('"').expect("a closing quote");
        return (Token::Text(text[..length].into()), length + 2);
    }
    if in_formula {
        let mut temporal: Vec<_> = Temporal::ALL.iter().collect();
        temporal.sort_by_key(|one| std::cmp::Reverse(one.text().len()));
        if let Some(one) = temporal.into_iter().find(|one| rest.starts_with(one.text())) {
            return (Token::Temporal(*one), one.text().len());
        }
    }
    let mut signs: Vec<_> = Sign::ALL.iter().collect();
    signs.sort_by_key(|one| std::cmp::Reverse(one.text().len()));
    let sign = signs.into_iter().find(|one| rest.starts_with(one.text()));
    let sign = sign.unwrap_or_else(|| panic!("no word begins {rest:?}"));
    (Token::Sign(*sign), sign.text().len())
}
