//! Any words at all: no panic, no endless loop.

use super::parse;
use crate::codes;
use crate::grammar::{parse_expression, parse_formula, parse_program};
use crate::print;
use crate::source::{Sources, Span};
use crate::token::{Keyword, Sign, Temporal, Token, Tokens};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn token() -> impl Strategy<Value = Token> {
    let keywords: Vec<_> = Keyword::ALL.iter().map(|&one| Token::Keyword(one)).collect();
    let signs: Vec<_> = Sign::ALL.iter().map(|&one| Token::Sign(one)).collect();
    let temporal: Vec<_> = Temporal::ALL.iter().map(|&one| Token::Temporal(one)).collect();
    let text = Token::Text("text".into());
    prop_oneof![
        3 => select(keywords),
        4 => select(signs),
        1 => select(temporal),
        3 => select(vec!["a", "b", "P"]).prop_map(|name| Token::Name(name.into())),
        1 => select(vec![Token::Number(1), Token::InlineBody, text]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_words_are_read_without_panic(tokens in vec(token(), 0..60)) {
        let mut sources = Sources::default();
        sources.add_file("words".into(), "", None);
        read(tokens, &sources);
    }
}

fn read(tokens: Vec<Token>, sources: &Sources) {
    let spans = vec![Span::default(); tokens.len()];
    let tokens = Tokens { tokens, spans, ..Tokens::default() };
    let (program, _) = parse_program(&tokens, sources);
    let _ = print::program(&program);
    let _ = parse_formula(&tokens, sources);
    let _ = parse_expression(&tokens, sources);
}

#[test]
fn errors_deep_inside_are_found_in_one_pass() {
    // Reading every level twice would take 2^90 steps.
    for text in ["a + b * (", "a[b + c * (", "run P(1, ", "(a -> b : (", "{ do :: x; ", "c?a(("] {
        for start in ["init { x = ", "init { "] {
            let (_, diagnostics) = parse(&format!("{start}{}", text.repeat(90)));
            assert!(!diagnostics.is_empty());
            let too_deep = diagnostics.iter().any(|one| one.code == &codes::TOO_DEEP);
            assert!(!too_deep, "the grammar never saw it");
        }
    }
}
