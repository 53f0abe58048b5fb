//! A small text form of formulas, for tests, tools and other programs' lists of formulas.
//!
//! Both spellings are read, `[] <> U V R W M X F G ! & && | || -> <-> xor` and `always eventually
//! until release weakuntil strongrelease next implies equivalent`. `X[!]` is the strong next. From
//! the tightest: the operators in front; `U V R W M` (to the right); `&`; `|`; `xor -> <->` (to the
//! right). Like Spot, a word that begins with `F`, `G` or `X` begins with that operator (`GFp0`);
//! any other name may stand in quotes. Operators wait on a stack of their own, so that no text is
//! too deep.

use super::{FormulaId, Formulas, Vocabulary};
use std::fmt;

/// What is wrong with a text, and where (bytes from its beginning).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// The first byte of what is wrong.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}

impl fmt::Display for FormulaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "column {}: {}", self.start + 1, self.message)
    }
}

impl std::error::Error for FormulaError {}

const OPERANDS: &str = "an operand is a name, an expression in double quotes (\"x > 1\"), true, \
    false, or a formula in brackets";
const OPERATORS: &str = "between two operands stands one of && || -> <-> U V W M; an expression of \
    several words stands in double quotes, as in [] \"x > 1\"";

/// Reads a formula; names that are new get a number in the vocabulary.
pub fn parse(
    text: &str,
    formulas: &mut Formulas,
    vocabulary: &mut Vocabulary,
) -> Result<FormulaId, FormulaError> {
    let mut reader = Reader { formulas, operands: Vec::new(), waiting: Vec::new() };
    let mut wants_operand = true;
    for Word { token, start, end } in words(text)? {
        let wrong = |message: &str, help| {
            Err(FormulaError { start, end, message: message.to_owned(), help })
        };
        match token {
            Token::Name(name) if wants_operand => {
                let atom = vocabulary.atom(&name);
                let operand = reader.formulas.atom(atom);
                reader.operands.push(operand);
                wants_operand = false;
            }
            Token::Constant(value) if wants_operand => {
                reader.operands.push(reader.formulas.constant(value));
                wants_operand = false;
            }
            Token::Unary(operator) if wants_operand => {
                reader.waiting.push((Waiting::Unary(operator), start, end));
            }
            Token::Open if wants_operand => reader.waiting.push((Waiting::Bracket, start, end)),
            Token::Binary(operator) if !wants_operand => {
                reader.apply_tighter(operator);
                reader.waiting.push((Waiting::Binary(operator), start, end));
                wants_operand = true;
            }
            Token::Close if !wants_operand => {
                if !reader.close() {
                    return wrong("this bracket closes nothing", "remove it, or open one before");
                }
            }
            Token::End if !wants_operand => {
                while let Some((waiting, start, end)) = reader.waiting.pop() {
                    if matches!(waiting, Waiting::Bracket) {
                        let message = "this bracket is never closed".to_owned();
                        let help = "close it where its part of the formula ends";
                        return Err(FormulaError { start, end, message, help });
                    }
                    reader.apply(waiting);
                }
            }
            Token::End => {
                return wrong("the formula ends where an operand is missing", OPERANDS);
            }
            _ if wants_operand => return wrong("an operand is missing before this", OPERANDS),
            _ => return wrong("an operator is missing before this", OPERATORS),
        }
    }
    Ok(reader.operands.pop().unwrap_or(FormulaId::TRUE))
}

/// Whether a name can stand in a formula without quotes.
pub(super) fn is_plain_name(name: &str) -> bool {
    let first = name.chars().next().is_some_and(|one| {
        one == '_' || (one.is_ascii_alphabetic() && !matches!(one, 'F' | 'G' | 'X'))
    });
    first && name.chars().all(is_name_letter) && matches!(word(name), Token::Name(_))
}

fn is_name_letter(letter: char) -> bool {
    letter == '_' || letter.is_ascii_alphanumeric()
}

struct Word {
    token: Token,
    start: usize,
    end: usize,
}

#[derive(Clone)]
enum Token {
    Name(String),
    Constant(bool),
    Unary(Unary),
    Binary(Binary),
    Open,
    Close,
    End,
}

#[derive(Clone, Copy)]
enum Unary {
    Not,
    Next,
    StrongNext,
    Always,
    Eventually,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Binary {
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    And,
    Or,
    Xor,
    Implies,
    Equivalent,
}

impl Binary {
    const fn strength(self) -> u8 {
        match self {
            Self::Until | Self::Release | Self::WeakUntil | Self::StrongRelease => 3,
            Self::And => 2,
            Self::Or => 1,
            Self::Xor | Self::Implies | Self::Equivalent => 0,
        }
    }
}

enum Waiting {
    Unary(Unary),
    Binary(Binary),
    Bracket,
}

struct Reader<'a> {
    formulas: &'a mut Formulas,
    operands: Vec<FormulaId>,
    waiting: Vec<(Waiting, usize, usize)>,
}

impl Reader<'_> {
    /// Applies what waits and binds tighter than a new operator; all but `&` and `|`, where it does
    /// not matter, group to the right.
    fn apply_tighter(&mut self, operator: Binary) {
        let left = matches!(operator, Binary::And | Binary::Or);
        while let Some((waiting, _, _)) = self.waiting.last() {
            let tighter = match waiting {
                Waiting::Unary(_) => true,
                Waiting::Binary(other) if left => other.strength() >= operator.strength(),
                Waiting::Binary(other) => other.strength() > operator.strength(),
                Waiting::Bracket => false,
            };
            if !tighter {
                break;
            }
            if let Some((waiting, _, _)) = self.waiting.pop() {
                self.apply(waiting);
            }
        }
    }

    fn close(&mut self) -> bool {
        while let Some((waiting, _, _)) = self.waiting.pop() {
            if matches!(waiting, Waiting::Bracket) {
                return true;
            }
            self.apply(waiting);
        }
        false
    }

    fn apply(&mut self, waiting: Waiting) {
        let Some(right) = self.operands.pop() else { return };
        let formulas = &mut *self.formulas;
        let result = match waiting {
            Waiting::Bracket => right,
            Waiting::Unary(Unary::Not) => formulas.not(right),
            Waiting::Unary(Unary::Next) => formulas.next(right),
            Waiting::Unary(Unary::StrongNext) => formulas.strong_next(right),
            Waiting::Unary(Unary::Always) => formulas.always(right),
            Waiting::Unary(Unary::Eventually) => formulas.eventually(right),
            Waiting::Binary(operator) => {
                let left = self.operands.pop().unwrap_or(FormulaId::TRUE);
                match operator {
                    Binary::Until => formulas.until(left, right),
                    Binary::Release => formulas.release(left, right),
                    Binary::WeakUntil => formulas.weak_until(left, right),
                    Binary::StrongRelease => formulas.strong_release(left, right),
                    Binary::And => formulas.and([left, right]),
                    Binary::Or => formulas.or([left, right]),
                    Binary::Implies => formulas.implies(left, right),
                    Binary::Equivalent => formulas.equivalent(left, right),
                    Binary::Xor => {
                        let equal = formulas.equivalent(left, right);
                        formulas.not(equal)
                    }
                }
            }
        };
        self.operands.push(result);
    }
}

/// The signs, longest first.
const SIGNS: &[(&str, Token)] = &[
    ("<->", Token::Binary(Binary::Equivalent)),
    ("<=>", Token::Binary(Binary::Equivalent)),
    ("X[!]", Token::Unary(Unary::StrongNext)),
    ("->", Token::Binary(Binary::Implies)),
    ("=>", Token::Binary(Binary::Implies)),
    ("&&", Token::Binary(Binary::And)),
    ("||", Token::Binary(Binary::Or)),
    ("/\\", Token::Binary(Binary::And)),
    ("\\/", Token::Binary(Binary::Or)),
    ("[]", Token::Unary(Unary::Always)),
    ("<>", Token::Unary(Unary::Eventually)),
    ("()", Token::Unary(Unary::Next)),
    ("&", Token::Binary(Binary::And)),
    ("|", Token::Binary(Binary::Or)),
    ("^", Token::Binary(Binary::Xor)),
    ("!", Token::Unary(Unary::Not)),
    ("~", Token::Unary(Unary::Not)),
    ("(", Token::Open),
    (")", Token::Close),
];

fn words(text: &str) -> Result<Vec<Word>, FormulaError> {
    let mut words = Vec::new();
    let mut start = 0;
    while let Some(letter) = text[start..].chars().next() {
        let rest = &text[start..];
        let mut end = start + letter.len_utf8();
        if letter.is_whitespace() {
            start = end;
            continue;
        }
        let token =
            if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
                end = start + sign.len();
                token.clone()
            } else if is_name_letter(letter) {
                let length = rest.find(|one| !is_name_letter(one)).unwrap_or(rest.len());
                let token = word(&rest[..length]);
                // `GFp0`: the operator first, then the rest of the word.
                let operator = match letter {
                    'F' => Some(Unary::Eventually),
                    'G' => Some(Unary::Always),
                    'X' => Some(Unary::Next),
                    _ => None,
                };
                match (token, operator) {
                    (Token::Name(_), Some(operator)) => Token::Unary(operator),
                    (token, _) => {
                        end = start + length;
                        token
                    }
                }
            } else if letter == '"' {
                let (name, length) = quoted_name(rest).ok_or(FormulaError {
                    start,
                    end: text.len(),
                    message: "this quoted name never ends".to_owned(),
                    help: "end it with a second double quote",
                })?;
                end = start + length;
                Token::Name(name)
            } else {
                let message = format!("`{}` is no part of a formula", letter.escape_debug());
                let help = "an expression, and a name with other signs than letters, digits and \
                    `_`, stands in double quotes, as in [] \"x > 1\"";
                return Err(FormulaError { start, end, message, help });
            };
        words.push(Word { token, start, end });
        start = end;
    }
    words.push(Word { token: Token::End, start, end: start });
    Ok(words)
}

/// A name in quotes and its length in the text.
fn quoted_name(rest: &str) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((name, at + 1)),
            '\\' => name.push(letters.next()?.1),
            _ => name.push(letter),
        }
    }
    None
}

fn word(word: &str) -> Token {
    match word {
        "true" | "1" => Token::Constant(true),
        "false" | "0" => Token::Constant(false),
        "F" | "eventually" => Token::Unary(Unary::Eventually),
        "G" | "always" => Token::Unary(Unary::Always),
        "X" | "next" => Token::Unary(Unary::Next),
        "strongnext" => Token::Unary(Unary::StrongNext),
        "not" => Token::Unary(Unary::Not),
        "U" | "until" | "stronguntil" => Token::Binary(Binary::Until),
        "R" | "V" | "release" => Token::Binary(Binary::Release),
        "W" | "weakuntil" => Token::Binary(Binary::WeakUntil),
        "M" | "strongrelease" => Token::Binary(Binary::StrongRelease),
        "and" => Token::Binary(Binary::And),
        "or" => Token::Binary(Binary::Or),
        "xor" => Token::Binary(Binary::Xor),
        "implies" => Token::Binary(Binary::Implies),
        "equivalent" => Token::Binary(Binary::Equivalent),
        name => Token::Name(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::print::print;
    use super::*;

    fn check(text: &str, expected: &str) {
        let (mut formulas, mut vocabulary) = (Formulas::default(), Vocabulary::new(["a", "b"]));
        match parse(text, &mut formulas, &mut vocabulary) {
            Ok(formula) => {
                let printed = print(&formulas, &vocabulary, formula);
                assert_eq!(printed, expected, "of {text}");
                let again = parse(&printed, &mut formulas, &mut vocabulary);
                assert_eq!(again, Ok(formula), "{printed} read back");
            }
            Err(error) => assert_eq!(error.to_string(), expected, "of {text}"),
        }
    }

    #[test]
    fn both_spellings_are_read() {
        check("[] (a -> <> b)", "G (F b | !a)");
        check("always (a implies eventually b)", "G (F b | !a)");
        check("GFa & XXb", "G F a & X X b");
        check("a until b U c", "a U (b U c)");
        check("a W b", "b R (a | b)");
        check("a M b && !c || d", "b U (a & b) & !c | d");
        check("X[!] a | strongnext b", "X[!] a | X[!] b");
        check("a V b <-> 1", "a R b");
        check("\"F x\" U \"a\\\"b\"", "\"F x\" U \"a\\\"b\"");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_column() {
        check("a &", "column 4: the formula ends where an operand is missing");
        check("", "column 1: the formula ends where an operand is missing");
        check("(a U b", "column 1: this bracket is never closed");
        check("a) U b", "column 2: this bracket closes nothing");
        check("a b", "column 3: an operator is missing before this");
        check("a U & b", "column 5: an operand is missing before this");
        check("a U \u{7}", "column 5: `\\u{7}` is no part of a formula");
        check("\"a", "column 1: this quoted name never ends");
    }

    #[test]
    fn no_text_is_too_deep() {
        let (mut formulas, mut vocabulary) = (Formulas::default(), Vocabulary::default());
        let text = format!("{}a{}", "X(".repeat(100_000), ")".repeat(100_000));
        let formula = parse(&text, &mut formulas, &mut vocabulary);
        assert_eq!(formula.map(|formula| formulas.subformulas(formula).len()), Ok(100_001));
    }
}
