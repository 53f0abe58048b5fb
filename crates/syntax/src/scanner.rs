//! Characters to lexemes: the words as a C preprocessor sees them, with comments removed.
//!
//! A lexeme is not yet a word of Promela. `1..N` is one lexeme, as it is for the C preprocessor
//! that SPIN calls (so a macro `N` is not replaced in it), and what is wrong with a lexeme is said
//! only when it turns out to be part of the model: a lone apostrophe inside `#if 0` is nobody's
//! problem.

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::interner::{Interner, Symbol};
use crate::source::{FileId, Span};
use crate::token::Sign;

/// What kind of lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a reserved word.
    Identifier,
    /// Something that begins like a number.
    Number,
    /// `"…"`
    Text,
    /// `'…'`
    Character,
    /// A `"` or `'` without its partner on the same line.
    Unterminated,
    /// A sign.
    Sign(Sign),
    /// `#`
    Hash,
    /// `##`
    HashHash,
    /// `...`
    Ellipsis,
    /// A character that means nothing.
    Stray,
}

/// A word as the preprocessor sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    /// Its kind.
    pub(crate) kind: Kind,
    /// Its spelling, quotes included; meaningless for signs.
    pub(crate) text: Symbol,
    /// Where it was typed.
    pub(crate) span: Span,
    /// Whether it begins a line in the sense of `#` directives.
    pub(crate) line_start: bool,
    /// Whether a line ended before it in the sense of optional semicolons.
    pub(crate) newline: bool,
    /// Whether white space stands before it.
    pub(crate) space: bool,
    /// Whether it is the name of a macro that must not be replaced any more.
    pub(crate) no_expand: bool,
}

/// Cuts a text into lexemes.
pub(crate) fn scan(
    text: &str,
    file: FileId,
    names: &mut Interner,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Lexeme> {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        at: if text.starts_with('\u{feff}') { 3 } else { 0 },
        file,
        names,
        diagnostics,
        lexemes: Vec::with_capacity(text.len() / 4),
        line_start: true,
        newline: false,
        spliced: false,
        space: false,
    };
    scanner.run();
    scanner.lexemes
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    file: FileId,
    names: &'a mut Interner,
    diagnostics: &'a mut Vec<Diagnostic>,
    lexemes: Vec<Lexeme>,
    line_start: bool,
    newline: bool,
    /// A line was continued with `\`; gcc writes a new line at the next white space.
    spliced: bool,
    space: bool,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn span(&self, start: usize) -> Span {
        Span {
            file: self.file,
            start: start as u32,
            end: self.at.min(self.bytes.len()) as u32,
            ..Span::default()
        }
    }

    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.line_start = true;
                    self.newline = true;
                    self.space = true;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.at += 1;
                    self.space = true;
                }
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                b'/' if self.peek(1) == b'/' => self.line_comment(),
                b'\\' if self.splice(self.at).is_some() => {
                    self.at = self.splice(self.at).unwrap_or(self.at + 1);
                    self.spliced = true;
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    self.word(Kind::Identifier, |_, byte| {
                        byte.is_ascii_alphanumeric() || byte == b'_'
                    });
                }
                b'0'..=b'9' => self.number(),
                b'.' if self.peek(1).is_ascii_digit() => self.number(),
                b'"' | b'\'' => self.quoted(byte),
                _ => self.sign(byte),
            }
        }
    }

    fn push(&mut self, kind: Kind, text: Symbol, start: usize) {
        let newline = self.newline || self.spliced && self.space;
        self.spliced &= !newline;
        self.lexemes.push(Lexeme {
            kind,
            text,
            span: self.span(start),
            line_start: self.line_start,
            newline,
            space: self.space,
            no_expand: false,
        });
        self.line_start = false;
        self.newline = false;
        self.space = false;
    }

    /// Where the text goes on behind a `\` at the end of a line.
    fn splice(&self, at: usize) -> Option<usize> {
        let rest = self.bytes.get(at + 1..)?;
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        (rest.get(blanks) == Some(&b'\n')).then_some(at + 2 + blanks)
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let comment = &self.bytes[start + 2..];
        match comment.windows(2).position(|pair| pair == b"*/") {
            Some(length) => {
                self.newline |= comment[..length].contains(&b'\n');
                self.at = start + length + 4;
            }
            None => {
                self.at = start + 2;
                let place = self.span(start);
                self.at = self.bytes.len();
                self.diagnostics.push(
                    Diagnostic::new(
                        &codes::UNTERMINATED_COMMENT,
                        place,
                        "this comment has no end: everything behind it was taken for comment",
                    )
                    .here("begins here")
                    .help("close it with `*/`"),
                );
            }
        }
        self.space = true;
    }

    fn line_comment(&mut self) {
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            match self.splice(self.at).filter(|_| self.peek(0) == b'\\') {
                Some(next) => self.at = next,
                None => self.at += 1,
            }
        }
        self.space = true;
    }

    /// A run of characters that belong together, with continued lines joined.
    fn word(&mut self, kind: Kind, belongs: impl Fn(u8, u8) -> bool) {
        let start = self.at;
        let mut joined: Option<String> = None;
        let mut piece = start;
        let mut previous = 0;
        loop {
            let byte = self.peek(0);
            if byte != 0 && belongs(previous, byte) {
                previous = byte;
                self.at += 1;
            } else if let Some(next) = self.splice(self.at).filter(|_| byte == b'\\') {
                joined.get_or_insert_default().push_str(&self.text[piece..self.at]);
                self.at = next;
                piece = next;
                self.spliced = true;
            } else {
                break;
            }
        }
        let symbol = match joined {
            None => self.names.intern(&self.text[start..self.at]),
            Some(mut text) => {
                text.push_str(&self.text[piece..self.at]);
                self.names.intern(&text)
            }
        };
        self.push(kind, symbol, start);
    }

    fn number(&mut self) {
        self.word(Kind::Number, |previous, byte| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'.')
                || matches!(byte, b'+' | b'-') && matches!(previous | 0x20, b'e' | b'p')
        });
    }

    fn quoted(&mut self, quote: u8) {
        let start = self.at;
        let mut text = String::new();
        let mut piece = start;
        self.at += 1;
        let closed = loop {
            match self.bytes.get(self.at) {
                None | Some(b'\n') => break false,
                Some(b'\\') => match self.splice(self.at) {
                    Some(next) => {
                        text.push_str(&self.text[piece..self.at]);
                        self.at = next;
                        piece = next;
                    }
                    None if self.peek(1) == b'\n' => self.at += 1,
                    None => self.at += 2,
                },
                Some(&byte) => {
                    self.at += 1;
                    if byte == quote {
                        break true;
                    }
                }
            }
        };
        self.at = self.at.min(self.bytes.len());
        text.push_str(self.text.get(piece..self.at).unwrap_or_default());
        let kind = match (closed, quote) {
            (false, _) => Kind::Unterminated,
            (true, b'"') => Kind::Text,
            (true, _) => Kind::Character,
        };
        let symbol = self.names.intern(&text);
        self.push(kind, symbol, start);
    }

    fn sign(&mut self, byte: u8) {
        use Sign::*;
        let start = self.at;
        let (kind, length) = match (byte, self.peek(1)) {
            (b'#', b'#') => (Kind::HashHash, 2),
            (b'#', _) => (Kind::Hash, 1),
            (b'.', b'.') if self.peek(2) == b'.' => (Kind::Ellipsis, 3),
            (b'-', b'>') => (Kind::Sign(Arrow), 2),
            (b'-', b'-') => (Kind::Sign(Decrement), 2),
            (b'+', b'+') => (Kind::Sign(Increment), 2),
            (b'<', b'<') => (Kind::Sign(ShiftLeft), 2),
            (b'<', b'=') => (Kind::Sign(LessEqual), 2),
            (b'>', b'>') => (Kind::Sign(ShiftRight), 2),
            (b'>', b'=') => (Kind::Sign(GreaterEqual), 2),
            (b'=', b'=') => (Kind::Sign(Equal), 2),
            (b'!', b'=') => (Kind::Sign(NotEqual), 2),
            (b'&', b'&') => (Kind::Sign(AndAnd), 2),
            (b'|', b'|') => (Kind::Sign(OrOr), 2),
            _ => match single(byte) {
                Some(sign) => (Kind::Sign(sign), 1),
                None => (Kind::Stray, self.text[start..].chars().next().map_or(1, char::len_utf8)),
            },
        };
        self.at += length;
        let symbol = match kind {
            Kind::Stray => self.names.intern(&self.text[start..self.at]),
            _ => Symbol::default(),
        };
        self.push(kind, symbol, start);
    }
}

fn single(byte: u8) -> Option<Sign> {
    use Sign::*;
    Some(match byte {
        b'(' => LeftParen,
        b')' => RightParen,
        b'[' => LeftBracket,
        b']' => RightBracket,
        b'{' => LeftBrace,
        b'}' => RightBrace,
        b';' => Semicolon,
        b':' => Colon,
        b',' => Comma,
        b'.' => Dot,
        b'@' => At,
        b'=' => Assign,
        b'+' => Plus,
        b'-' => Minus,
        b'*' => Star,
        b'/' => Slash,
        b'%' => Percent,
        b'&' => Ampersand,
        b'|' => Pipe,
        b'^' => Caret,
        b'~' => Tilde,
        b'<' => Less,
        b'>' => Greater,
        b'!' => Bang,
        b'?' => Question,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lexemes separated by spaces; `\n` before one that begins a line, `_` before one glued to
    /// the one before it.
    fn check(text: &str, expected: &str) {
        let mut names = Interner::new();
        let mut diagnostics = Vec::new();
        let lexemes = scan(text, FileId(0), &mut names, &mut diagnostics);
        let rendered: Vec<String> = lexemes
            .iter()
            .map(|lexeme| {
                let mark = match lexeme {
                    Lexeme { newline: true, .. } => "\\n",
                    Lexeme { space: false, .. } => "_",
                    _ => "",
                };
                let text = match lexeme.kind {
                    Kind::Sign(sign) => sign.text().to_owned(),
                    Kind::Hash => "#".to_owned(),
                    Kind::HashHash => "##".to_owned(),
                    Kind::Ellipsis => "...".to_owned(),
                    Kind::Stray => format!("stray:{}", names.name(lexeme.text)),
                    Kind::Unterminated => format!("open:{}", names.name(lexeme.text)),
                    _ => names.name(lexeme.text).to_string(),
                };
                mark.to_owned() + &text
            })
            .collect();
        assert_eq!(rendered.join(" "), expected, "for {text:?}");
    }

    #[test]
    fn lexemes_of_c() {
        check("a->b--c", "_a _-> _b _-- _c");
        check("x !! y", "_x ! _! y");
        check("1..N 0x1F 1e-3 .5", "_1..N 0x1F 1e-3 .5");
        check("\"a\\\"b\" 'x' '\\''", "_\"a\\\"b\" 'x' '\\''");
        check("a $ é", "_a stray:$ stray:é");
    }

    #[test]
    fn comments_are_white_space() {
        check("a/* b */c // d\ne", "_a c \\ne");
        check("a /* b\n */ c", "_a \\nc");
        check("a // b \\\n c\nd", "_a \\nd");
    }

    #[test]
    fn continued_lines_are_joined() {
        check("ab\\\ncd", "_abcd");
        check("ab \\\n cd", "_ab \\ncd");
        check("ab\\  \r\n+cd", "_ab _+ _cd");
        check("\"a\\\nb\"", "_\"ab\"");
    }

    #[test]
    fn quotes_end_with_their_line() {
        check("\"abc\nd", "_open:\"abc \\nd");
        check("'", "_open:'");
        check("\"\\", "_open:\"\\");
    }
}
