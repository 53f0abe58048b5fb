//! The conditions of `#if` and `#elif`: C's integer expressions over macros.

use super::Preprocessor;
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::scanner::{Kind, Lexeme};
use crate::source::Span;
use crate::token::Sign;

/// How deep parentheses and signs may be nested.
const DEPTH: usize = 200;

impl Preprocessor<'_> {
    /// Whether a condition holds; a wrong one does not.
    pub(super) fn condition(&mut self, span: Span, line: &[Lexeme]) -> bool {
        let result = self.without_defined(line).and_then(|line| {
            let lexemes = self.expand_alone(line);
            let mut evaluator =
                Evaluator { preprocessor: self, lexemes, at: 0, depth: 0, live: true };
            let value = evaluator.conditional()?;
            match evaluator.peek() {
                None => Ok(value),
                Some(_) => evaluator.expected("an operator"),
            }
        });
        match result {
            Ok(value) => value != 0,
            Err((place, message)) => {
                self.diagnostics.push(
                    Diagnostic::new(&codes::BAD_CONDITION, place.unwrap_or(span), message).help(
                        "a condition is made of numbers, macros, defined(NAME), and C's integer \
                         operators",
                    ),
                );
                false
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` by 1 or 0, before macros are replaced.
    fn without_defined(&mut self, line: &[Lexeme]) -> Result<Vec<Lexeme>, Problem> {
        let mut output = Vec::with_capacity(line.len());
        let mut rest = line.iter();
        while let Some(lexeme) = rest.next() {
            if lexeme.kind != Kind::Identifier || lexeme.text != self.known.defined {
                output.push(*lexeme);
                continue;
            }
            let mut name = rest.next();
            let parenthesised = name.is_some_and(|name| name.kind == Kind::Sign(Sign::LeftParen));
            if parenthesised {
                name = rest.next();
            }
            let name = name.filter(|name| name.kind == Kind::Identifier);
            let closed = !parenthesised
                || rest.next().is_some_and(|end| end.kind == Kind::Sign(Sign::RightParen));
            let Some(name) = name.filter(|_| closed) else {
                return Err((Some(lexeme.span), "`defined` needs the name of a macro".to_owned()));
            };
            let digit = if self.is_defined(name.text) { "1" } else { "0" };
            output.push(Lexeme { kind: Kind::Number, text: self.names.intern(digit), ..*lexeme });
        }
        Ok(output)
    }
}

/// What is wrong, and where if not at the directive itself.
type Problem = (Option<Span>, String);

struct Evaluator<'a, 'b> {
    preprocessor: &'a Preprocessor<'b>,
    lexemes: Vec<Lexeme>,
    at: usize,
    depth: usize,
    /// Whether the value is needed; `0 && 1/0` is no division by zero.
    live: bool,
}

impl Evaluator<'_, '_> {
    fn peek(&self) -> Option<Lexeme> {
        self.lexemes.get(self.at).copied()
    }

    fn accept(&mut self, sign: Sign) -> bool {
        let found = self.peek().is_some_and(|lexeme| lexeme.kind == Kind::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn expected<T>(&self, what: &str) -> Result<T, Problem> {
        match self.peek() {
            Some(lexeme) => Err((
                Some(lexeme.span),
                format!("expected {what}, found `{}`", self.preprocessor.spelling(&lexeme)),
            )),
            None => Err((None, format!("expected {what} before the end of the line"))),
        }
    }

    fn deeper<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self.depth >= DEPTH {
            let place = self.peek().map(|lexeme| lexeme.span);
            return Err((place, format!("this condition is nested more than {DEPTH} deep")));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn conditional(&mut self) -> Result<i64, Problem> {
        let condition = self.binary(0)?;
        if !self.accept(Sign::Question) {
            return Ok(condition);
        }
        let live = self.live;
        self.live = live && condition != 0;
        let yes = self.deeper(Self::conditional)?;
        if !self.accept(Sign::Colon) {
            return self.expected("`:`");
        }
        self.live = live && condition == 0;
        let no = self.deeper(Self::conditional)?;
        self.live = live;
        Ok(if condition != 0 { yes } else { no })
    }

    /// Operators of at least this precedence, left to right.
    fn binary(&mut self, least: u8) -> Result<i64, Problem> {
        let mut left = self.unary()?;
        while let Some(lexeme) = self.peek()
            && let Kind::Sign(sign) = lexeme.kind
            && let Some(precedence) = precedence(sign)
            && precedence >= least
        {
            self.at += 1;
            let live = self.live;
            self.live = live
                && match sign {
                    Sign::AndAnd => left != 0,
                    Sign::OrOr => left == 0,
                    _ => true,
                };
            let right = self.deeper(|inner| inner.binary(precedence + 1))?;
            let divides = matches!(sign, Sign::Slash | Sign::Percent);
            if divides && right == 0 && self.live {
                return Err((Some(lexeme.span), "division by zero".to_owned()));
            }
            self.live = live;
            left = apply(sign, left, right);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, Problem> {
        let Some(lexeme) = self.peek() else { return self.expected("a value") };
        let value = match lexeme.kind {
            Kind::Number => number(self.preprocessor.spelling(&lexeme)),
            Kind::Character => character(self.preprocessor.spelling(&lexeme)),
            // A name that is no macro counts as 0, as in C.
            Kind::Identifier => Some(0),
            Kind::Sign(sign) => return self.prefix(sign),
            _ => None,
        };
        match value {
            Some(value) => {
                self.at += 1;
                Ok(value)
            }
            None => self.expected("a value"),
        }
    }

    fn prefix(&mut self, sign: Sign) -> Result<i64, Problem> {
        let operation: fn(i64) -> i64 = match sign {
            Sign::LeftParen => {
                self.at += 1;
                let value = self.deeper(Self::conditional)?;
                return if self.accept(Sign::RightParen) {
                    Ok(value)
                } else {
                    self.expected("`)`")
                };
            }
            Sign::Minus => i64::wrapping_neg,
            Sign::Plus => |value| value,
            Sign::Tilde => |value| !value,
            Sign::Bang => |value| i64::from(value == 0),
            _ => return self.expected("a value"),
        };
        self.at += 1;
        Ok(operation(self.deeper(Self::unary)?))
    }
}

fn precedence(sign: Sign) -> Option<u8> {
    Some(match sign {
        Sign::OrOr => 1,
        Sign::AndAnd => 2,
        Sign::Pipe => 3,
        Sign::Caret => 4,
        Sign::Ampersand => 5,
        Sign::Equal | Sign::NotEqual => 6,
        Sign::Less | Sign::LessEqual | Sign::Greater | Sign::GreaterEqual => 7,
        Sign::ShiftLeft | Sign::ShiftRight => 8,
        Sign::Plus | Sign::Minus => 9,
        Sign::Star | Sign::Slash | Sign::Percent => 10,
        _ => return None,
    })
}

fn apply(sign: Sign, left: i64, right: i64) -> i64 {
    match sign {
        Sign::OrOr => i64::from(left != 0 || right != 0),
        Sign::AndAnd => i64::from(left != 0 && right != 0),
        Sign::Pipe => left | right,
        Sign::Caret => left ^ right,
        Sign::Ampersand => left & right,
        Sign::Equal => i64::from(left == right),
        Sign::NotEqual => i64::from(left != right),
        Sign::Less => i64::from(left < right),
        Sign::LessEqual => i64::from(left <= right),
        Sign::Greater => i64::from(left > right),
        Sign::GreaterEqual => i64::from(left >= right),
        Sign::ShiftLeft => left.wrapping_shl(right as u32),
        Sign::ShiftRight => left.wrapping_shr(right as u32),
        Sign::Plus => left.wrapping_add(right),
        Sign::Minus => left.wrapping_sub(right),
        Sign::Star => left.wrapping_mul(right),
        Sign::Slash => left.checked_div(right).unwrap_or(0),
        Sign::Percent => left.checked_rem(right).unwrap_or(0),
        _ => 0,
    }
}

/// A number in C's spelling: decimal, octal, hexadecimal or binary, with its suffix.
fn number(text: &str) -> Option<i64> {
    let text = text.to_ascii_lowercase();
    let (digits, radix) = if let Some(digits) = text.strip_prefix("0x") {
        (digits, 16)
    } else if let Some(digits) = text.strip_prefix("0b") {
        (digits, 2)
    } else if text.len() > 1 && text.starts_with('0') {
        (&text[1..], 8)
    } else {
        (text.as_str(), 10)
    };
    let digits = digits.trim_end_matches(['u', 'l']);
    if digits.is_empty() {
        return (radix == 8).then_some(0);
    }
    u64::from_str_radix(digits, radix).ok().map(|value| value as i64)
}

/// A character constant in C's spelling.
fn character(text: &str) -> Option<i64> {
    let inner: Vec<char> = text.strip_prefix('\'')?.strip_suffix('\'')?.chars().collect();
    Some(i64::from(match inner[..] {
        [one] => one as u32,
        ['\\', 'n'] => 10,
        ['\\', 'r'] => 13,
        ['\\', 't'] => 9,
        ['\\', 'f'] => 12,
        ['\\', '0'] => 0,
        ['\\', other] => other as u32,
        _ => return None,
    }))
}
