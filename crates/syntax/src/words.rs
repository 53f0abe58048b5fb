//! Lexemes to words of Promela: signs glued together, numbers read, wrong characters refused.

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::interner::Interner;
use crate::scanner::{Kind, Lexeme};
use crate::source::Span;
use crate::token::{Keyword, Sign, Token};

/// After so many wrong characters the file is something else than a model.
const MOST_STRAY: usize = 20;

/// A word of Promela with what the later stages need to know of its surroundings.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// The word.
    pub(crate) token: Token,
    /// Its place.
    pub(crate) span: Span,
    /// Whether a line ended before it.
    pub(crate) newline: bool,
    /// Whether white space stands before it.
    pub(crate) space: bool,
    /// Whether the expansion of an inline brought it.
    pub(crate) inlined: bool,
}

impl Word {
    /// Whether it is this sign.
    pub(crate) fn is(&self, sign: Sign) -> bool {
        self.token == Token::Sign(sign)
    }
}

/// Turns lexemes into words.
pub(crate) fn words(
    lexemes: &[Lexeme],
    names: &Interner,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Word> {
    let output = Vec::with_capacity(lexemes.len());
    let mut splitter =
        Splitter { lexemes, names, diagnostics, output, at: 0, stray: 0, head: None };
    while let Some(lexeme) = lexemes.get(splitter.at) {
        splitter.at += 1;
        splitter.lexeme(lexeme);
        if splitter.stray > MOST_STRAY {
            return Vec::new();
        }
    }
    splitter.output
}

pub(crate) struct Splitter<'a> {
    pub(crate) lexemes: &'a [Lexeme],
    pub(crate) names: &'a Interner,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    pub(crate) output: Vec<Word>,
    /// The lexeme to read next.
    pub(crate) at: usize,
    stray: usize,
    /// Inside the head of a `for`, where `in` is reserved: how many parentheses are open.
    head: Option<u32>,
}

impl Splitter<'_> {
    fn lexeme(&mut self, lexeme: &Lexeme) {
        match lexeme.kind {
            Kind::Identifier => match Interner::keyword(lexeme.text) {
                Some(Keyword::In) if self.head.is_none() => {
                    self.push(lexeme, Token::Name(self.names.name(lexeme.text).clone()));
                }
                Some(keyword) if is_embedded_c(keyword) => self.embedded_c(lexeme, keyword),
                Some(keyword) => {
                    if keyword == Keyword::For {
                        self.head = Some(0);
                    }
                    self.push(lexeme, Token::Keyword(keyword));
                }
                None => self.name(lexeme),
            },
            Kind::Sign(sign) => self.sign(lexeme, sign),
            Kind::Number => self.number(lexeme),
            Kind::Text => {
                let text = self.names.name(lexeme.text);
                let inner = text.get(1..text.len() - 1).unwrap_or_default();
                self.push(lexeme, Token::Text(inner.into()));
            }
            Kind::Character => self.character(lexeme),
            Kind::Ellipsis => {
                self.push(lexeme, Token::Sign(Sign::DotDot));
                self.push(lexeme, Token::Sign(Sign::Dot));
            }
            Kind::Unterminated => self.unterminated(lexeme),
            Kind::Stray | Kind::Hash | Kind::HashHash => self.stray(lexeme),
        }
    }

    /// Adds a word that stands where the lexeme stands.
    pub(crate) fn push(&mut self, lexeme: &Lexeme, token: Token) {
        self.output.push(Word {
            token,
            span: lexeme.span,
            newline: lexeme.newline,
            space: lexeme.space,
            inlined: false,
        });
    }

    fn name(&mut self, lexeme: &Lexeme) {
        let name = self.names.name(lexeme.text);
        let receives = || {
            let next = self.lexemes.get(self.at);
            next.is_some_and(|next| next.kind == Kind::Sign(Sign::Question))
        };
        if name.as_ref() == "STDIN" && receives() {
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::STDIN,
                    lexeme.span,
                    "a model that reads from the keyboard cannot be verified",
                )
                .here("`STDIN` is the person at the keyboard")
                .help("let a process send every input that matters on a channel of the model"),
            );
        }
        self.push(lexeme, Token::Name(name.clone()));
    }

    fn sign(&mut self, lexeme: &Lexeme, sign: Sign) {
        match (sign, self.head) {
            (Sign::LeftParen, Some(open)) => self.head = Some(open + 1),
            (Sign::RightParen, Some(open)) => self.head = (open > 1).then(|| open - 1),
            (Sign::LeftBrace | Sign::Semicolon, _) => self.head = None,
            _ => {}
        }
        if !lexeme.space
            && !lexeme.newline
            && let Some(last) = self.output.last_mut()
            && let Token::Sign(first) = last.token
            && last.span.file == lexeme.span.file
            && let Some(glued) = glue(first, sign)
        {
            last.token = Token::Sign(glued);
            if last.span.expansion == lexeme.span.expansion && last.span.end == lexeme.span.start {
                last.span.end = lexeme.span.end;
            }
            return;
        }
        let after = self.lexemes.get(self.at);
        if sign == Sign::Star
            && after.is_some_and(|next| next.kind == Kind::Sign(Sign::Slash) && !next.space)
        {
            self.at += 1;
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::COMMENT_END,
                    lexeme.span,
                    "this `*/` ends no comment and is ignored",
                )
                .help("comments do not nest: the first `*/` has ended it already"),
            );
            return;
        }
        self.push(lexeme, Token::Sign(sign));
    }

    /// `12`, but also `1..N`, which is one lexeme to the preprocessor.
    fn number(&mut self, lexeme: &Lexeme) {
        let text = self.names.name(lexeme.text).clone();
        // The parts have places of their own unless the text was put together.
        let typed = (lexeme.span.end - lexeme.span.start) as usize == text.len();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            let class = |byte: &u8| byte.is_ascii_digit();
            let letters = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let kind = if class(&bytes[at]) {
                at += bytes[at..].iter().take_while(|byte| class(byte)).count();
                Kind::Number
            } else if letters(&bytes[at]) {
                at += bytes[at..].iter().take_while(|byte| letters(byte)).count();
                Kind::Identifier
            } else {
                at += 1;
                Kind::Sign(match bytes[start] {
                    b'+' => Sign::Plus,
                    b'-' => Sign::Minus,
                    _ => Sign::Dot,
                })
            };
            let mut part = *lexeme;
            if typed {
                part.span.start = lexeme.span.start + start as u32;
                part.span.end = lexeme.span.start + at as u32;
            }
            part.newline &= start == 0;
            part.space &= start == 0;
            let piece = &text[start..at];
            match kind {
                Kind::Number => {
                    let value = self.value(&part, piece);
                    self.push(&part, Token::Number(value));
                }
                Kind::Sign(sign) => self.sign(&part, sign),
                _ if start > 0 && bytes[start - 1].is_ascii_digit() => {
                    self.letters_in_number(lexeme, &text);
                }
                _ => match Keyword::ALL.iter().find(|keyword| keyword.text() == piece) {
                    Some(&keyword) => self.push(&part, Token::Keyword(keyword)),
                    None => self.push(&part, Token::Name(piece.into())),
                },
            }
        }
    }

    /// The value of decimal digits, as a 32-bit `int`.
    fn value(&mut self, part: &Lexeme, digits: &str) -> i32 {
        let value = digits.parse::<u64>().unwrap_or(u64::MAX);
        if let Ok(value) = i32::try_from(value) {
            return value;
        }
        let negated =
            self.output.last().is_some_and(|last| last.is(Sign::Minus)) && value == 1 << 31;
        let Ok(wrapped) = u32::try_from(value) else {
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::NUMBER_TOO_LARGE,
                    part.span,
                    format!("`{digits}` does not fit into 32 bits"),
                )
                .help("the largest number is 2147483647"),
            );
            return i32::MAX;
        };
        let wrapped = wrapped as i32;
        if !negated {
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::NUMBER_WRAPS,
                    part.span,
                    format!("`{digits}` is read as {wrapped}: numbers are 32-bit integers"),
                )
                .help(format!("write {wrapped} if that is meant")),
            );
        }
        wrapped
    }

    fn letters_in_number(&mut self, lexeme: &Lexeme, text: &str) {
        let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let help = match hexadecimal.and_then(|digits| i64::from_str_radix(digits, 16).ok()) {
            Some(value) => format!("Promela has decimal numbers only: write {value}"),
            None => "put a space between the number and the name, or begin the name with a letter"
                .to_owned(),
        };
        self.diagnostics.push(
            Diagnostic::new(
                &codes::LETTERS_IN_NUMBER,
                lexeme.span,
                format!("`{text}` is neither a number nor a name"),
            )
            .help(help),
        );
    }

    fn character(&mut self, lexeme: &Lexeme) {
        let text = self.names.name(lexeme.text);
        let value = match text.as_bytes() {
            [_, b'\\', escaped, _] => match escaped {
                b'n' => 10,
                b'r' => 13,
                b't' => 9,
                b'f' => 12,
                &other => i32::from(other),
            },
            &[_, one, _] if one != b'\\' => i32::from(one),
            _ => {
                self.diagnostics.push(
                    Diagnostic::new(
                        &codes::BAD_CHARACTER,
                        lexeme.span,
                        format!("{text} is not one character"),
                    )
                    .help("write one ASCII character, or one of '\\n' '\\t' '\\r' '\\f' '\\\\'"),
                );
                0
            }
        };
        self.push(lexeme, Token::Number(value));
    }

    fn unterminated(&mut self, lexeme: &Lexeme) {
        let text = self.names.name(lexeme.text);
        let (what, quote) = match text.starts_with('"') {
            true => ("text", '"'),
            false => ("character", '\''),
        };
        self.diagnostics.push(
            Diagnostic::new(
                &codes::UNTERMINATED_TEXT,
                lexeme.span,
                format!("this {what} has no end on its line"),
            )
            .help(format!("close it with {quote}")),
        );
        let token = match quote {
            '"' => Token::Text(text[1..].into()),
            _ => Token::Number(0),
        };
        self.push(lexeme, token);
    }

    fn stray(&mut self, lexeme: &Lexeme) {
        self.stray += 1;
        let text: &str = match lexeme.kind {
            Kind::Hash => "#",
            Kind::HashHash => "##",
            _ => self.names.name(lexeme.text),
        };
        let (message, help) = match text {
            "#" | "##" => (
                format!("`{text}` has no meaning here"),
                "a directive such as #define must be the first thing on its line",
            ),
            "\u{fffd}" => ("this byte is no text".to_owned(), "save the file as UTF-8"),
            "\\" => (
                "`\\` has no meaning here".to_owned(),
                "it continues a line only as the very last character of the line",
            ),
            _ if text.starts_with(|first: char| first.is_control()) => {
                (format!("the control character {text:?} has no meaning in Promela"), "remove it")
            }
            _ => (
                format!("the character `{text}` has no meaning in Promela"),
                "names consist of the letters a-z and A-Z, digits and `_`",
            ),
        };
        self.diagnostics
            .push(Diagnostic::new(&codes::STRAY_CHARACTER, lexeme.span, message).help(help));
    }
}

/// The sign that two signs make when nothing stands between them. The last four are SPIN's
/// reading of spellings that make no sense otherwise.
fn glue(first: Sign, second: Sign) -> Option<Sign> {
    Some(match (first, second) {
        (Sign::Bang, Sign::Bang) => Sign::BangBang,
        (Sign::Question, Sign::Question) => Sign::QuestionQuestion,
        (Sign::Colon, Sign::Colon) => Sign::DoubleColon,
        (Sign::Dot, Sign::Dot) => Sign::DotDot,
        (Sign::Decrement, Sign::Greater) => Sign::Arrow,
        (Sign::ShiftLeft, Sign::Assign) => Sign::LessEqual,
        (Sign::ShiftRight, Sign::Assign) => Sign::GreaterEqual,
        (Sign::Bang, Sign::NotEqual) => Sign::NotEqual,
        _ => return None,
    })
}

/// Whether C text follows the keyword.
fn is_embedded_c(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::CCode | Keyword::CExpr | Keyword::CDecl | Keyword::CState | Keyword::CTrack
    )
}
