//! Inlines: definitions are taken out of the text, calls are replaced by the body.
//!
//! SPIN substitutes text, so this happens to words, before there is any grammar: a parameter may
//! stand for a channel, a label or half an expression. A call is replaced by [`Token::InlineBody`]
//! and the body with its braces, so that the grammar still sees where a call begins and ends.

mod calls;

use crate::codes;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Sources, Span};
use crate::token::{Inline, Keyword, Name, Sign, Token};
use crate::words::Word;
use ahash::{AHashMap, AHashSet};
use std::rc::Rc;

/// Words that calls may bring in one model.
const BUDGET: usize = 4_000_000;
/// How deep calls may stand in bodies of other inlines.
const DEPTH: usize = 150;

/// Expands every call; `None` where there is nothing to go on with.
pub(crate) fn expand_inlines(
    words: Vec<Word>,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Vec<Word>, Vec<Inline>)> {
    if !words.iter().any(|word| word.token == Token::Keyword(Keyword::Inline)) {
        return Some((words, Vec::new()));
    }
    let mut expander = Expander {
        sources,
        diagnostics,
        output: Vec::with_capacity(words.len()),
        frames: vec![Frame { words: words.into(), at: 0, definition: None }],
        definitions: Vec::new(),
        numbers: AHashMap::new(),
        constants: AHashSet::new(),
        budget: BUDGET,
        depth: 0,
        stopped: false,
    };
    expander.run();
    let inlines = expander.definitions.iter().map(|definition| definition.about.clone()).collect();
    (!expander.stopped).then_some((expander.output, inlines))
}

/// An inline with its body, braces included.
struct Definition {
    about: Inline,
    parameters: Rc<[Name]>,
    body: Rc<[Word]>,
}

/// Words being read: the model itself, or the body of a call.
struct Frame {
    words: Rc<[Word]>,
    at: usize,
    /// The inline that was called.
    definition: Option<usize>,
}

struct Expander<'a> {
    sources: &'a mut Sources,
    diagnostics: &'a mut Vec<Diagnostic>,
    output: Vec<Word>,
    frames: Vec<Frame>,
    definitions: Vec<Definition>,
    /// The definition that counts for a name.
    numbers: AHashMap<Name, usize>,
    /// Constants of `mtype` declared so far: SPIN never replaces them.
    constants: AHashSet<Name>,
    budget: usize,
    /// Braces open in the output.
    depth: usize,
    stopped: bool,
}

impl Expander<'_> {
    fn run(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            let Some(word) = frame.words.get(frame.at).cloned() else {
                self.frames.pop();
                continue;
            };
            frame.at += 1;
            match &word.token {
                Token::Keyword(Keyword::Inline) => self.define(&word),
                Token::Keyword(Keyword::Ltl) => self.copy_formula(word),
                Token::Keyword(Keyword::Mtype) => {
                    self.note_constants();
                    self.output.push(word);
                }
                Token::Name(name) => match self.numbers.get(name) {
                    Some(&number) => self.call(&word, number),
                    None => self.output.push(word),
                },
                token => {
                    match token {
                        Token::Sign(Sign::LeftBrace) => self.depth += 1,
                        Token::Sign(Sign::RightBrace) => self.depth = self.depth.saturating_sub(1),
                        _ => {}
                    }
                    self.output.push(word);
                }
            }
            if self.stopped {
                return;
            }
        }
    }

    /// The words of the current frame that have not been read.
    fn rest(&self) -> &[Word] {
        self.frames.last().map_or(&[], |frame| frame.words.get(frame.at..).unwrap_or_default())
    }

    fn advance(&mut self, count: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at += count;
        }
    }

    fn report(&mut self, code: &'static Code, span: Span, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::new(code, span, message).help(help));
    }

    /// Formulas know no inlines.
    fn copy_formula(&mut self, ltl: Word) {
        let rest = self.rest();
        let named =
            usize::from(matches!(rest.first().map(|word| &word.token), Some(Token::Name(_))));
        let length = named + braced(&rest[named..]).unwrap_or(0);
        let formula: Vec<Word> = rest[..length].to_vec();
        self.output.push(ltl);
        self.output.extend(formula);
        self.advance(length);
    }

    /// Remembers the names of an `mtype` declaration that follows.
    fn note_constants(&mut self) {
        let rest = self.rest();
        let mut at = 0;
        if rest.first().is_some_and(|word| word.is(Sign::Colon)) {
            at += 2;
        }
        at += usize::from(rest.get(at).is_some_and(|word| word.is(Sign::Assign)));
        if !rest.get(at).is_some_and(|word| word.is(Sign::LeftBrace)) {
            return;
        }
        let names: Vec<Name> = rest[at + 1..]
            .iter()
            .map_while(|word| match &word.token {
                Token::Name(name) => Some(Some(name.clone())),
                Token::Sign(Sign::Comma) => Some(None),
                _ => None,
            })
            .flatten()
            .collect();
        self.constants.extend(names);
    }

    /// `inline name(parameters) { body }`, behind its first word.
    fn define(&mut self, keyword: &Word) {
        let nested = self.depth > 0;
        match self.read_definition() {
            Ok((definition, length)) => {
                self.advance(length);
                if nested {
                    return self.report(
                        &codes::BAD_INLINE,
                        keyword.span,
                        "an inline cannot be defined inside a body".to_owned(),
                        "move the definition in front of the proctype that uses it",
                    );
                }
                let name = definition.about.name.clone();
                if let Some(&earlier) = self.numbers.get(&name) {
                    self.diagnostics.push(
                        Diagnostic::new(
                            &codes::INLINE_REDEFINED,
                            definition.about.span,
                            format!("there is already an inline `{name}`"),
                        )
                        .label(self.definitions[earlier].about.span, "the first one")
                        .help("give one of them another name"),
                    );
                }
                self.numbers.insert(name, self.definitions.len());
                self.definitions.push(definition);
            }
            Err((span, message)) => {
                self.report(
                    &codes::BAD_INLINE,
                    span.unwrap_or(keyword.span),
                    message,
                    "an inline looks like this: inline name(a, b) { … }",
                );
                // A second complaint about the rest of a definition would help nobody.
                let rest = self.rest();
                let head = rest.iter().position(|word| word.is(Sign::LeftBrace));
                let length = head.and_then(|head| Some(head + braced(&rest[head..])?));
                let length = length.unwrap_or(rest.len());
                self.advance(length);
            }
        }
    }

    /// Reads a definition and says how many words it has.
    fn read_definition(&self) -> Result<(Definition, usize), (Option<Span>, String)> {
        let rest = self.rest();
        let place = |at: usize| rest.get(at).map(|word| word.span);
        let Some(Word { token: Token::Name(name), span, .. }) = rest.first() else {
            return Err((place(0), "the name of the inline belongs here".to_owned()));
        };
        if !rest.get(1).is_some_and(|word| word.is(Sign::LeftParen)) {
            return Err((place(1), format!("`(` belongs behind `inline {name}`")));
        }
        let mut parameters: Vec<Name> = Vec::new();
        let mut at = 2;
        if rest.get(at).is_some_and(|word| word.is(Sign::RightParen)) {
            at += 1;
        } else {
            loop {
                match rest.get(at).map(|word| &word.token) {
                    Some(Token::Name(parameter)) if !self.numbers.contains_key(parameter) => {
                        parameters.push(parameter.clone());
                    }
                    _ => {
                        let message = "the parameters of an inline are names".to_owned();
                        return Err((place(at), message));
                    }
                }
                at += 2;
                match rest.get(at - 1) {
                    Some(word) if word.is(Sign::Comma) => {}
                    Some(word) if word.is(Sign::RightParen) => break,
                    _ => {
                        return Err((place(at - 1), "expected `,` or `)`".to_owned()));
                    }
                }
            }
        }
        if !rest.get(at).is_some_and(|word| word.is(Sign::LeftBrace)) {
            let message = "the body of the inline, in braces, belongs here".to_owned();
            return Err((place(at), message));
        }
        let Some(length) = braced(&rest[at..]) else {
            return Err((place(at), format!("the body of inline `{name}` has no end")));
        };
        let definition = Definition {
            about: Inline {
                name: name.clone(),
                span: *span,
                parameters: parameters.len(),
                calls: 0,
            },
            parameters: parameters.into(),
            body: rest[at..at + length].into(),
        };
        Ok((definition, at + length))
    }
}

/// The length of a piece that begins with `{`, with its `}`; `None` if it has none.
fn braced(words: &[Word]) -> Option<usize> {
    if !words.first()?.is(Sign::LeftBrace) {
        return None;
    }
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate() {
        match word.token {
            Token::Sign(Sign::LeftBrace) => depth += 1,
            Token::Sign(Sign::RightBrace) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}
