//! The words of a text, cut into automata.

use std::fmt;

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `States:`
    Header(String),
    /// `deterministic`, and `t` and `f`
    Identifier(String),
    /// `@name`
    Alias(String),
    Number(u32),
    Text(String),
    Sign(char),
    /// `--BODY--`
    Body,
}

impl fmt::Display for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(name) => write!(out, "{name}:"),
            Self::Identifier(name) => out.write_str(name),
            Self::Alias(name) => write!(out, "@{name}"),
            Self::Number(number) => write!(out, "{number}"),
            Self::Text(text) => write!(out, "\"{text}\""),
            Self::Sign(sign) => write!(out, "{sign}"),
            Self::Body => out.write_str("--BODY--"),
        }
    }
}

/// The words of one automaton, up to its `--END--`.
pub(super) struct Words {
    /// The words.
    pub(super) tokens: Vec<Token>,
    starts: Vec<usize>,
    end: usize,
}

/// A problem at a place: a byte of the text or the number of a word.
pub(super) type Problem = (usize, String);

impl Words {
    /// A problem at a word as one at a byte.
    pub(super) fn place(&self, (word, message): Problem) -> Problem {
        (self.starts.get(word).copied().unwrap_or(self.end), message)
    }
}

/// Whether anything but space and comments is there.
pub(super) fn has_parts(text: &str) -> bool {
    !matches!(lexeme(text, 0), Ok(None))
}

/// Where the word ends that begins at a byte; at the end of its line at the latest.
pub(super) fn word_end(text: &str, start: usize) -> usize {
    let line =
        text.get(start..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| start + at);
    let end = match lexeme(text, start) {
        Ok(Some((_, _, end))) | Err((_, _, end)) => end,
        Ok(None) => start,
    };
    end.min(line).max(start)
}

/// The words of every automaton that is not given up by `--ABORT--`.
pub(super) fn parts(text: &str) -> Vec<Result<Words, Problem>> {
    let mut parts = Vec::new();
    let mut at = 0;
    loop {
        let mut words = Words { tokens: Vec::new(), starts: Vec::new(), end: at };
        let mut problem = None;
        loop {
            match lexeme(text, at) {
                Ok(None) => {
                    if let Some(problem) = problem {
                        parts.push(Err(problem));
                    } else if !words.tokens.is_empty() {
                        let message = "the automaton does not end with --END--".to_owned();
                        parts.push(Err((text.len(), message)));
                    }
                    return parts;
                }
                Ok(Some((Lexeme::Abort, _, end))) => {
                    at = end;
                    break;
                }
                Ok(Some((Lexeme::End, start, end))) => {
                    words.end = start;
                    at = end;
                    parts.push(problem.map_or(Ok(words), Err));
                    break;
                }
                Ok(Some((Lexeme::Token(token), start, end))) => {
                    words.tokens.push(token);
                    words.starts.push(start);
                    at = end;
                }
                Err((start, message, end)) => {
                    problem.get_or_insert((start, message));
                    at = end;
                }
            }
        }
    }
}

enum Lexeme {
    Token(Token),
    End,
    Abort,
}

type Failure = (usize, String, usize);

/// The next word behind a byte, where it starts and ends.
fn lexeme(text: &str, from: usize) -> Result<Option<(Lexeme, usize, usize)>, Failure> {
    let start = skip(text, from)?;
    let rest = &text[start..];
    let Some(letter) = rest.chars().next() else { return Ok(None) };
    for (sign, make) in [
        ("--BODY--", Lexeme::Token(Token::Body)),
        ("--END--", Lexeme::End),
        ("--ABORT--", Lexeme::Abort),
    ] {
        if rest.starts_with(sign) {
            return Ok(Some((make, start, start + sign.len())));
        }
    }
    let word = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '-');
    let length = |rest: &str| rest.find(|one| !word(one)).unwrap_or(rest.len());
    let fail = |message: String, length: usize| Err((start, message, start + length));
    let (token, length) = match letter {
        '"' => match text_end(rest) {
            Some((content, length)) => (Token::Text(content), length),
            None => return fail("this string never ends".to_owned(), rest.len()),
        },
        '0'..='9' => {
            let length = rest.find(|one: char| !one.is_ascii_digit()).unwrap_or(rest.len());
            match rest[..length].parse() {
                Ok(number) => (Token::Number(number), length),
                Err(_) => return fail("this number is too large".to_owned(), length),
            }
        }
        '@' if length(&rest[1..]) > 0 => {
            let length = 1 + length(&rest[1..]);
            (Token::Alias(rest[1..length].to_owned()), length)
        }
        'a'..='z' | 'A'..='Z' | '_' => {
            let length = length(rest);
            let name = rest[..length].to_owned();
            if rest[length..].starts_with(':') {
                (Token::Header(name), length + 1)
            } else {
                (Token::Identifier(name), length)
            }
        }
        '[' | ']' | '{' | '}' | '(' | ')' | '!' | '&' | '|' => (Token::Sign(letter), 1),
        _ => {
            let message = format!("`{}` is no part of an automaton", letter.escape_debug());
            return fail(message, letter.len_utf8());
        }
    };
    Ok(Some((Lexeme::Token(token), start, start + length)))
}

/// The content of a string and its length with quotes.
fn text_end(rest: &str) -> Option<(String, usize)> {
    let mut content = String::new();
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((content, at + 1)),
            '\\' => content.push(letters.next()?.1),
            _ => content.push(letter),
        }
    }
    None
}

/// Behind space and comments, which nest.
fn skip(text: &str, from: usize) -> Result<usize, Failure> {
    let bytes = text.as_bytes();
    let mut at = from;
    let (mut depth, mut opened) = (0_usize, from);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            if depth == 0 {
                opened = at;
            }
            depth += 1;
            at += 2;
        } else if depth > 0 && bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
        } else if depth > 0 || bytes[at].is_ascii_whitespace() {
            at += 1;
        } else {
            break;
        }
    }
    if depth > 0 {
        return Err((opened, "this comment never ends".to_owned(), text.len()));
    }
    Ok(at)
}
