//! Turns models into inputs that nobody would write.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::agree::mutate::{mutate, tokens};

/// Words that lead deep into the front end when they come at the wrong place.
const DICTIONARY: [&str; 72] = [
    "proctype",
    "active",
    "init",
    "never",
    "trace",
    "notrace",
    "ltl",
    "inline",
    "typedef",
    "mtype",
    "chan",
    "of",
    "byte",
    "unsigned",
    "hidden",
    "show",
    "local",
    "if",
    "fi",
    "do",
    "od",
    "for",
    "select",
    "in",
    "..",
    "::",
    "->",
    ";",
    "else",
    "break",
    "goto",
    "atomic",
    "d_step",
    "unless",
    "timeout",
    "run",
    "len",
    "eval",
    "_",
    "_pid",
    "_last",
    "np_",
    "pc_value",
    "enabled",
    "provided",
    "priority",
    "return",
    "assert",
    "printf",
    "xr",
    "xs",
    "c_code {",
    "c_expr {",
    "@",
    "!!",
    "??",
    "?<",
    "[]",
    "<>",
    "U",
    "W",
    "always",
    "2147483648",
    "-1",
    "\"",
    "'",
    "/*",
    "\\\n",
    "\n#define a a(a\n",
    "\n#if 1/0\n",
    "\n#include \"current.pml\"\n",
    "\n#endif\n",
];

/// Pieces that are repeated to great depth or length.
const REPEATED: [&str; 14] = [
    "(",
    "{",
    "[",
    "!",
    "-",
    "if :: ",
    "do :: ",
    "atomic { ",
    "a[",
    "x.",
    "[] ",
    "<> ",
    "(a -> ",
    "1 + ",
];

/// A seeded source of inputs.
pub(super) struct Damage {
    models: Vec<String>,
    random: StdRng,
}

impl Damage {
    /// `models` must not be empty; an empty model is used otherwise.
    pub(super) fn new(mut models: Vec<String>, seed: u64) -> Damage {
        if models.is_empty() {
            models.push(String::new());
        }
        Damage { models, random: StdRng::seed_from_u64(seed) }
    }

    /// A model with one to eight injuries.
    pub(super) fn next_input(&mut self) -> String {
        let mut text = self.model().to_owned();
        for _ in 0..self.random.random_range(1..=8) {
            text = self.injure(text);
        }
        text
    }

    fn model(&mut self) -> &str {
        let index = self.random.random_range(0..self.models.len());
        &self.models[index]
    }

    fn injure(&mut self, text: String) -> String {
        match self.random.random_range(0..20) {
            0..=7 => mutate(&text, &mut self.random).map_or(text, |mutant| mutant.text),
            8..=11 => {
                let word = DICTIONARY[self.random.random_range(0..DICTIONARY.len())];
                self.insert(text, word)
            }
            12 => self.cut(text),
            13 => {
                let other = self.model().to_owned();
                let piece = self.piece(&other);
                self.insert(text, &piece)
            }
            14 => {
                let piece = self.piece(&text);
                self.insert(text, &piece)
            }
            15 => {
                let character =
                    char::from_u32(self.random.random_range(0..0x3000)).unwrap_or('\u{fffd}');
                self.insert(text, &character.to_string())
            }
            16 => self.bury(text),
            _ => self.two_tokens(text),
        }
    }

    /// A nesting or a chain far deeper than anybody's stack would like.
    fn bury(&mut self, text: String) -> String {
        let piece = REPEATED[self.random.random_range(0..REPEATED.len())];
        let count = 10_usize.pow(self.random.random_range(1..=4));
        self.insert(text, &piece.repeat(count))
    }

    fn insert(&mut self, mut text: String, piece: &str) -> String {
        let place = self.place(&text);
        text.insert_str(place, &format!(" {piece} "));
        text
    }

    /// Up to a tenth of the text is taken out.
    fn cut(&mut self, mut text: String) -> String {
        let start = self.place(&text);
        let end = (start + self.random.random_range(0..=text.len() / 10)).min(text.len());
        let end = (end..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
        text.replace_range(start..end, "");
        text
    }

    fn piece(&mut self, text: &str) -> String {
        let start = self.place(text);
        text[start..].chars().take(self.random.random_range(1..400)).collect()
    }

    fn place(&mut self, text: &str) -> usize {
        let place = self.random.random_range(0..=text.len());
        (0..=place).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
    }

    /// One token becomes another of the same text.
    fn two_tokens(&mut self, mut text: String) -> String {
        let tokens = tokens(&text);
        if tokens.is_empty() {
            return text;
        }
        let (start, end) = tokens[self.random.random_range(0..tokens.len())];
        let (other_start, other_end) = tokens[self.random.random_range(0..tokens.len())];
        let other = text[other_start..other_end].to_owned();
        text.replace_range(start..end, &other);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let model = "init { if :: x = 1 :: else fi } /* é */".to_owned();
        let mut one = Damage::new(vec![model.clone()], 5);
        let mut other = Damage::new(vec![model], 5);
        for _ in 0..300 {
            assert_eq!(one.next_input(), other.next_input());
        }
    }

    #[test]
    fn no_model_is_no_problem() {
        let mut damage = Damage::new(Vec::new(), 1);
        for _ in 0..100 {
            let _ = damage.next_input();
        }
    }
}
