//! Formulas as text that [`parse`](super::parse) reads back as the same formula.

use super::parse::is_plain_name;
use super::{FormulaId, Formulas, Node, Vocabulary};

/// The text of a formula, with no more brackets than it needs.
pub fn print(formulas: &Formulas, vocabulary: &Vocabulary, root: FormulaId) -> String {
    let mut text = String::new();
    // What is still to be written, last first; no recursion, however deep the formula.
    let mut work = vec![Piece::Formula(root, LOOSE)];
    while let Some(piece) = work.pop() {
        match piece {
            Piece::Text(word) => text.push_str(word),
            Piece::Name(name) => text.push_str(&name),
            Piece::Formula(formula, around) => {
                let (strength, pieces) = pieces(formulas, vocabulary, formula);
                if strength < around {
                    work.push(Piece::Text(")"));
                    work.extend(pieces.into_iter().rev());
                    work.push(Piece::Text("("));
                } else {
                    work.extend(pieces.into_iter().rev());
                }
            }
        }
    }
    text
}

enum Piece {
    Text(&'static str),
    Name(String),
    Formula(FormulaId, u8),
}

const LOOSE: u8 = 0;
const OR: u8 = 1;
const AND: u8 = 2;
const BINARY: u8 = 3;
const UNARY: u8 = 4;
const TIGHT: u8 = 5;

/// How tightly a formula holds together, and its text in pieces.
fn pieces(formulas: &Formulas, vocabulary: &Vocabulary, formula: FormulaId) -> (u8, Vec<Piece>) {
    let unary = |sign, inner| (UNARY, vec![Piece::Text(sign), Piece::Formula(inner, UNARY)]);
    let binary = |left, sign, right| {
        let pieces =
            vec![Piece::Formula(left, UNARY), Piece::Text(sign), Piece::Formula(right, UNARY)];
        (BINARY, pieces)
    };
    match formulas.node(formula) {
        Node::False => (TIGHT, vec![Piece::Text("false")]),
        Node::True => (TIGHT, vec![Piece::Text("true")]),
        Node::Atom(atom) => (TIGHT, vec![Piece::Name(quoted(vocabulary.name(*atom)))]),
        Node::Not(inner) => unary("!", *inner),
        Node::Next(inner) => unary("X ", *inner),
        Node::StrongNext(inner) => unary("X[!] ", *inner),
        Node::Until(FormulaId::TRUE, right) => unary("F ", *right),
        Node::Release(FormulaId::FALSE, right) => unary("G ", *right),
        Node::Until(left, right) => binary(*left, " U ", *right),
        Node::Release(left, right) => binary(*left, " R ", *right),
        Node::And(parts) => (AND, between(parts, " & ", BINARY)),
        Node::Or(parts) => (OR, between(parts, " | ", AND)),
    }
}

fn between(parts: &[FormulaId], sign: &'static str, around: u8) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(2 * parts.len());
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            pieces.push(Piece::Text(sign));
        }
        pieces.push(Piece::Formula(*part, around));
    }
    pieces
}

/// The name of an atom as it must be written in a formula.
pub fn quoted(name: &str) -> String {
    if is_plain_name(name) {
        return name.to_owned();
    }
    let mut text = String::from("\"");
    for letter in name.chars() {
        if matches!(letter, '"' | '\\') {
            text.push('\\');
        }
        text.push(letter);
    }
    text.push('"');
    text
}
