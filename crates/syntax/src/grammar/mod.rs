//! The grammar of Promela and of its formulas: tokens to tree.
//!
//! Written with chumsky over a slice of tokens, so that a chumsky span is a range of token numbers.
//! Most rules are combinators. Where one token decides which rule applies, a `custom` parser looks
//! at it and goes there at once: nothing is parsed twice, and a failure is always the failure of
//! the rule the reader had in mind.
//!
//! Recovery follows one principle: after its first word (`do`, `{`, `proctype P`) a construct that
//! holds other constructs never fails as a whole. It reports what is missing and goes on, so that
//! the errors found inside it are kept. Only a step or a top-level unit is ever skipped.

mod action;
mod declaration;
mod expression;
mod formula;
mod item;
mod operand;
mod problem;
mod reference;
mod remedy;
mod repetition;
mod report;
mod sequence;
mod statement;
mod word;

use crate::ast::{Expr, Formula, Ident, Program, VarRef};
use crate::diagnostic::Diagnostic;
use crate::source::{Sources, Span};
use crate::token::{Token, Tokens};
use ahash::{AHashMap, AHashSet};
use chumsky::Boxed;
use chumsky::extra::Full;
use chumsky::input::InputRef;
use chumsky::inspector::SimpleState;
use chumsky::prelude::*;
use problem::Problem;

/// Reads a whole model; what could not be understood is left out of the tree and reported.
pub fn parse_program(tokens: &Tokens, sources: &Sources) -> (Program, Vec<Diagnostic>) {
    let declared = Declared::collect(tokens);
    let environment = Environment { tokens, sources, declared: &declared };
    let (program, diagnostics) = run(environment, item::program(environment));
    (program.unwrap_or_default(), diagnostics)
}

/// Reads one formula, as it stands between the braces of `ltl { … }`.
pub fn parse_formula(tokens: &Tokens, sources: &Sources) -> (Option<Formula>, Vec<Diagnostic>) {
    let declared = Declared::default();
    let environment = Environment { tokens, sources, declared: &declared };
    run(environment, formula::formula(environment).then_ignore(word::end()))
}

/// Reads one expression.
pub fn parse_expression(tokens: &Tokens, sources: &Sources) -> (Option<Expr>, Vec<Diagnostic>) {
    let declared = Declared::default();
    let environment = Environment { tokens, sources, declared: &declared };
    let operand = operand::operand(environment, Place::Step);
    run(environment, expression::condition(environment, operand).then_ignore(word::end()))
}

/// The input: words, addressed by their number.
type Words<'a> = &'a [Token];
/// What every rule carries: its error and its notes.
type Extra<'a> = Full<Problem, SimpleState<Notes>, ()>;
/// A rule that gives an `O`.
type Rule<'a, O> = Boxed<'a, 'a, Words<'a>, O, Extra<'a>>;
/// The input of a `custom` rule.
type Reader<'a, 'parse> = InputRef<'a, 'parse, Words<'a>, Extra<'a>>;

/// What the rules know besides the words in front of them.
#[derive(Clone, Copy)]
struct Environment<'a> {
    tokens: &'a Tokens,
    sources: &'a Sources,
    declared: &'a Declared<'a>,
}

/// Names that SPIN's lexer tells from others, collected before the rules run.
#[derive(Default)]
struct Declared<'a> {
    /// The names declared by `proctype`, and the number of the word that first does.
    proctypes: AHashMap<&'a str, usize>,
    /// The names declared by `typedef`, anywhere.
    types: AHashSet<&'a str>,
}

/// Where an expression stands; SPIN reads formulas last, when it knows every proctype.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Step,
    Formula,
}

/// What is open while the rules run.
#[derive(Debug, Default)]
struct Notes {
    /// The `{`, `if` and `do` around the current word, outermost first.
    open: Vec<sequence::Open>,
    /// For each inline body around the current word: the variable that takes its `return`.
    returns: Vec<Option<VarRef>>,
    /// How many labels stand before the statements around the current word.
    labels: usize,
    /// The word at which a missing end was last reported: the constructs around stay silent.
    unclosed_at: Option<usize>,
}

impl<'a> Environment<'a> {
    /// The place of a range of words.
    fn span(self, start: usize, end: usize) -> Span {
        self.tokens.span(self.sources, start..end)
    }

    /// The word `ahead` of the next one.
    fn peek(self, reader: &Reader<'a, '_>, ahead: usize) -> Option<&'a Token> {
        self.tokens.tokens.get(position(reader) + ahead)
    }

    /// Whether a name is that of a process at this word: SPIN knows those declared before.
    fn is_proctype(self, name: &str, at: usize, place: Place) -> bool {
        self.declared
            .proctypes
            .get(name)
            .is_some_and(|&declared| place == Place::Formula || declared < at)
    }
}

/// The number of the next word.
fn position(reader: &Reader<'_, '_>) -> usize {
    *reader.cursor().inner()
}

impl<'a> Declared<'a> {
    fn collect(tokens: &'a Tokens) -> Self {
        use crate::token::Keyword::{DProctype, Proctype, Typedef};
        let mut declared = Self::default();
        for (at, pair) in tokens.tokens.windows(2).enumerate() {
            match pair {
                [Token::Keyword(Proctype | DProctype), Token::Name(name)] => {
                    declared.proctypes.entry(name).or_insert(at + 1);
                }
                [Token::Keyword(Typedef), Token::Name(name)] => {
                    declared.types.insert(name);
                }
                _ => {}
            }
        }
        declared
    }
}

fn run<'a, O>(
    environment: Environment<'a>,
    rule: impl Parser<'a, Words<'a>, O, Extra<'a>>,
) -> (Option<O>, Vec<Diagnostic>) {
    let mut notes = SimpleState(Notes::default());
    let words = environment.tokens.tokens.as_slice();
    let (output, problems) = rule.parse_with_state(words, &mut notes).into_output_errors();
    (output, report::diagnostics(environment, problems))
}

fn ident(environment: Environment<'_>, name: &crate::token::Name, at: usize) -> Ident {
    Ident::new(name.clone(), environment.span(at, at + 1))
}

#[cfg(test)]
mod tests;
