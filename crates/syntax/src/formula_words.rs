//! The words of temporal logic: inside `ltl { … }` some names and signs mean something else.

use crate::token::{Keyword, Sign, Temporal, Token};
use crate::words::Word;

/// Rewrites the formulas of a model, and moves those that stand inside a body behind everything
/// else, where SPIN reads them too.
pub(crate) fn mark_formulas(words: Vec<Word>) -> Vec<Word> {
    if !words.iter().any(|word| word.token == Token::Keyword(Keyword::Ltl)) {
        return words;
    }
    let mut output = Vec::with_capacity(words.len());
    let mut behind = Vec::new();
    let mut depth = 0_usize;
    let mut rest = words.into_iter().peekable();
    while let Some(word) = rest.next() {
        match word.token {
            Token::Sign(Sign::LeftBrace) => depth += 1,
            Token::Sign(Sign::RightBrace) => depth = depth.saturating_sub(1),
            Token::Keyword(Keyword::Ltl) => {
                let target = if depth == 0 { &mut output } else { &mut behind };
                target.push(word);
                if let Some(name) = rest.next_if(|next| matches!(next.token, Token::Name(_))) {
                    target.push(name);
                }
                if rest.peek().is_some_and(|next| next.is(Sign::LeftBrace)) {
                    target.extend(formula(&block(&mut rest)));
                }
                continue;
            }
            _ => {}
        }
        output.push(word);
    }
    output.append(&mut behind);
    output
}

/// From an opening brace to the one that closes it.
fn block(rest: &mut impl Iterator<Item = Word>) -> Vec<Word> {
    let mut depth = 0_usize;
    let mut output = Vec::new();
    for word in rest {
        depth += usize::from(word.is(Sign::LeftBrace));
        depth -= usize::from(word.is(Sign::RightBrace));
        output.push(word);
        if depth == 0 {
            break;
        }
    }
    output
}

/// Rewrites the words of one formula.
pub(crate) fn formula(words: &[Word]) -> Vec<Word> {
    let mut output = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let glued = words.get(at).filter(|next| !next.space && !next.newline);
        let (operator, length) = match (&word.token, glued.map(|next| &next.token)) {
            (Token::Sign(Sign::LeftBracket), Some(Token::Sign(Sign::RightBracket))) => {
                (Temporal::Always, 2)
            }
            (Token::Sign(Sign::Less), Some(Token::Sign(Sign::Greater))) => {
                (Temporal::Eventually, 2)
            }
            (Token::Sign(Sign::Less), Some(Token::Sign(Sign::Arrow))) => (Temporal::Equivalent, 2),
            (Token::Sign(Sign::Arrow), _) => (Temporal::Implies, 1),
            (Token::Name(name), _) if temporal(name).is_some() => {
                (temporal(name).unwrap_or(Temporal::Next), 1)
            }
            _ => {
                output.push(word.clone());
                continue;
            }
        };
        let mut span = word.span;
        if let Some(next) = glued.filter(|_| length == 2) {
            at += 1;
            if next.span.expansion == span.expansion && next.span.start == span.end {
                span.end = next.span.end;
            }
        }
        output.push(Word { token: Token::Temporal(operator), span, ..word.clone() });
    }
    output
}

fn temporal(name: &str) -> Option<Temporal> {
    Some(match name {
        "U" | "until" | "stronguntil" => Temporal::Until,
        "V" | "release" => Temporal::Release,
        "W" | "weakuntil" => Temporal::WeakUntil,
        "X" | "next" => Temporal::Next,
        "always" => Temporal::Always,
        "eventually" => Temporal::Eventually,
        "implies" => Temporal::Implies,
        "equivalent" => Temporal::Equivalent,
        _ => return None,
    })
}
