//! Optional semicolons: those that the end of a line stands for, and those nobody needs.
//!
//! SPIN has two layers, and both matter for what it accepts. The first sees white space: inside a
//! body and outside parentheses, the end of a line behind a word that can end a statement is a
//! semicolon (not with `-o7`). The second sees words only: it adds a semicolon behind `else` and
//! behind `}`, and drops one before `}`, `->` and `;`.

use crate::source::Span;
use crate::token::{Keyword, Name, Sign, Token};
use crate::words::Word;
use ahash::AHashSet;

/// Puts in and takes out semicolons.
pub(crate) fn place_semicolons(words: Vec<Word>, at_line_ends: bool) -> Vec<Word> {
    let mut layer =
        WordLayer { output: Vec::with_capacity(words.len()), last: Last::Other, waiting: None };
    let mut lines = LineLayer::default();
    let mut previous: Option<Span> = None;
    let mut formula: Option<usize> = None;
    for word in words {
        // Formulas have no statements.
        if let Some(depth) = &mut formula {
            match word.token {
                Token::Sign(Sign::LeftBrace) => *depth += 1,
                Token::Sign(Sign::RightBrace) => *depth = depth.saturating_sub(1),
                _ => {}
            }
            let ends = *depth == 0 && !matches!(word.token, Token::Name(_));
            if ends {
                formula = None;
                layer.last = Last::Other;
                lines.last = Last::Other;
            }
            layer.output.push(word);
            continue;
        }
        if word.token == Token::Keyword(Keyword::Ltl) {
            layer.flush();
            formula = Some(0);
            layer.output.push(word);
            continue;
        }
        if at_line_ends && lines.ends_statement(&word) {
            let place = previous.unwrap_or(word.span);
            layer.take(Word {
                token: Token::Sign(Sign::Semicolon),
                span: Span { start: place.end, ..place },
                newline: false,
                space: false,
                inlined: word.inlined,
            });
        }
        lines.advance(&word);
        previous = Some(word.span);
        layer.take(word);
    }
    layer.flush();
    layer.output
}

/// What stands before, as far as it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    /// A word that can end a statement.
    Ending,
    Brace,
    Else,
    #[default]
    Other,
}

/// The layer that sees the ends of lines.
#[derive(Debug, Default)]
struct LineLayer {
    last: Last,
    /// Braces open.
    braces: usize,
    /// Parentheses open.
    parentheses: usize,
    /// Whether the braces belong to a body.
    body: bool,
    /// Whether the next brace outside all others opens a body.
    body_follows: bool,
    /// Whether the next name is a proctype's or a type's.
    names_something: bool,
    /// Names of proctypes and types, which end no statement.
    not_variables: AHashSet<Name>,
}

impl LineLayer {
    /// Whether the end of a line before this word is a semicolon.
    fn ends_statement(&self, word: &Word) -> bool {
        word.newline
            && self.body
            && self.parentheses == 0
            && self.last != Last::Other
            && !(self.last == Last::Brace && word.token == Token::Keyword(Keyword::Unless))
    }

    fn advance(&mut self, word: &Word) {
        self.last = match &word.token {
            Token::Sign(sign) => {
                self.sign(*sign);
                match sign {
                    Sign::RightBrace => Last::Brace,
                    Sign::RightParen | Sign::RightBracket => Last::Ending,
                    Sign::Increment | Sign::Decrement => Last::Ending,
                    _ => Last::Other,
                }
            }
            Token::Keyword(keyword) => self.keyword(*keyword, word.inlined),
            Token::Number(_) => Last::Ending,
            Token::Name(name) => {
                if std::mem::take(&mut self.names_something) {
                    self.not_variables.insert(name.clone());
                }
                if self.not_variables.contains(name) { Last::Other } else { Last::Ending }
            }
            Token::Text(_) | Token::Temporal(_) | Token::InlineBody => Last::Other,
        };
    }

    fn sign(&mut self, sign: Sign) {
        match sign {
            Sign::LeftBrace => {
                if self.braces == 0 {
                    self.body = std::mem::take(&mut self.body_follows);
                }
                self.braces += 1;
            }
            Sign::RightBrace => {
                self.braces = self.braces.saturating_sub(1);
                self.body &= self.braces > 0;
            }
            Sign::LeftParen => self.parentheses += 1,
            Sign::RightParen => self.parentheses = self.parentheses.saturating_sub(1),
            _ => {}
        }
    }

    fn keyword(&mut self, keyword: Keyword, inlined: bool) -> Last {
        match keyword {
            Keyword::Proctype | Keyword::DProctype | Keyword::Typedef if self.braces == 0 => {
                self.body_follows = true;
                self.names_something = true;
                Last::Other
            }
            Keyword::Init | Keyword::Never | Keyword::Trace | Keyword::Notrace
                if self.braces == 0 =>
            {
                self.body_follows = true;
                Last::Other
            }
            Keyword::Else => Last::Else,
            Keyword::Od | Keyword::Fi | Keyword::Break => Last::Ending,
            Keyword::True | Keyword::False | Keyword::Skip => Last::Ending,
            // SPIN reads it as `(timeout)`, except in the body of an inline.
            Keyword::Timeout if !inlined => Last::Ending,
            _ => Last::Other,
        }
    }
}

/// The layer that sees words only.
struct WordLayer {
    output: Vec<Word>,
    /// The word given out last, where it is `else` or `}`.
    last: Last,
    /// A `;` or `->` that waits for the word behind it.
    waiting: Option<Word>,
}

impl WordLayer {
    fn take(&mut self, word: Word) {
        if let Some(separator) = self.waiting.take() {
            let dropped =
                matches!(word.token, Token::Sign(Sign::RightBrace | Sign::Arrow | Sign::Semicolon));
            if !dropped {
                self.output.push(separator);
            }
            // Only one word of look-ahead: a third separator in a row is looked at anew.
            self.give(word);
            return;
        }
        let before = self.last;
        if before == Last::Else && !follows_else(&word.token)
            || before == Last::Brace && !follows_brace(&word.token)
        {
            let place = self.output.last().map_or(word.span, |last| last.span);
            self.output.push(Word {
                token: Token::Sign(Sign::Semicolon),
                span: Span { start: place.end, ..place },
                newline: false,
                space: false,
                inlined: word.inlined,
            });
            self.give(word);
            return;
        }
        if matches!(word.token, Token::Sign(Sign::Semicolon | Sign::Arrow)) {
            self.last = Last::Other;
            self.waiting = Some(word);
            return;
        }
        self.give(word);
    }

    fn give(&mut self, word: Word) {
        self.last = match word.token {
            Token::Sign(Sign::RightBrace) => Last::Brace,
            Token::Keyword(Keyword::Else) => Last::Else,
            _ => Last::Other,
        };
        self.output.push(word);
    }

    fn flush(&mut self) {
        self.output.extend(self.waiting.take());
    }
}

fn follows_else(token: &Token) -> bool {
    matches!(token, Token::Sign(Sign::Semicolon | Sign::Arrow) | Token::Keyword(Keyword::Fi))
}

fn follows_brace(token: &Token) -> bool {
    matches!(
        token,
        Token::Sign(Sign::DoubleColon | Sign::RightBrace | Sign::Semicolon | Sign::Arrow)
            | Token::Keyword(
                Keyword::Proctype
                    | Keyword::Init
                    | Keyword::Never
                    | Keyword::Fi
                    | Keyword::Od
                    | Keyword::Unless
            )
    )
}
