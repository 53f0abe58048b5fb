//! Inlines: definitions are taken out of the text, calls are replaced by the body.
//!
//! SPIN substitutes text, so this happens to words, before there is any grammar: a parameter may
//! stand for a channel, a label or half an expression. A call is replaced by [`Token::InlineBody`]
//! and the body with its braces, so that the grammar still sees where a call begins and ends.

use crate::codes;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Expansion, ExpansionKind, Sources, Span};
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

    /// A name that is an inline's.
    fn call(&mut self, word: &Word, number: usize) {
        let about = self.definitions[number].about.clone();
        let Some(frame) = self.frames.last() else { return };
        let words = Rc::clone(&frame.words);
        let rest = &words[frame.at..];
        if !rest.first().is_some_and(|next| next.is(Sign::LeftParen)) {
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::BAD_INLINE_USE,
                    word.span,
                    format!("`{}` is an inline, but is not called here", about.name),
                )
                .label(about.span, "defined here")
                .help("call it with its arguments in parentheses, or choose another name"),
            );
            self.output.push(word.clone());
            return;
        }
        let Some((arguments, length)) = arguments(rest) else {
            // The grammar complains about the parenthesis.
            self.output.push(word.clone());
            return;
        };
        let end = rest[length - 1].span;
        let call = self.sources.join(word.span, end);
        self.advance(length);
        self.definitions[number].about.calls += 1;
        if !self.may_call(word, call, number, &arguments) {
            // Something that is a statement, so that the grammar has nothing to add.
            self.output.push(Word { token: Token::Keyword(Keyword::Skip), ..word.clone() });
            return;
        }
        let definition = self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Inline,
            name: about.name,
            call,
            definition: about.span,
        });
        let Some(body) = self.substitute(number, definition, &arguments, word) else {
            self.output.push(Word { token: Token::Keyword(Keyword::Skip), ..word.clone() });
            return;
        };
        self.budget = self.budget.saturating_sub(body.len());
        if self.budget == 0 {
            self.stopped = true;
            return self.report(
                &codes::INLINES_TOO_LARGE,
                call,
                format!("calls of inlines make this model longer than {BUDGET} words"),
                "look for inlines that call each other several times",
            );
        }
        let span =
            Span { expansion: definition, ..body.first().map_or(word.span, |word| word.span) };
        self.output.push(Word {
            token: Token::InlineBody,
            span: Span { end: span.start, ..span },
            inlined: true,
            ..word.clone()
        });
        self.frames.push(Frame { words: body.into(), at: 0, definition: Some(number) });
    }

    /// Whether a call makes sense; says why it does not.
    fn may_call(&mut self, word: &Word, call: Span, number: usize, arguments: &[&[Word]]) -> bool {
        let Definition { about, parameters, .. } = &self.definitions[number];
        let (name, wanted) = (&about.name, parameters.len());
        let given = if arguments.iter().all(|words| words.is_empty()) && arguments.len() == 1 {
            0
        } else {
            arguments.len()
        };
        let diagnostic = if self.frames.iter().any(|frame| frame.definition == Some(number)) {
            Diagnostic::new(
                &codes::RECURSIVE_INLINE,
                word.span,
                format!("inline `{name}` calls itself"),
            )
            .help("an inline is copied to where it is called; use a proctype, or a loop")
        } else if self.frames.len() > DEPTH {
            Diagnostic::new(
                &codes::INLINES_TOO_LARGE,
                word.span,
                format!("inlines call each other more than {DEPTH} deep"),
            )
            .help("take some of them apart")
        } else if given != wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            Diagnostic::new(
                &codes::INLINE_ARGUMENTS,
                call,
                format!("inline `{name}` takes {wanted} argument{plural}, but got {given}"),
            )
            .help("give one argument for each parameter")
        } else if let Some(comma) =
            arguments.iter().copied().flatten().find(|word| word.is(Sign::Comma))
        {
            Diagnostic::new(
                &codes::INLINE_ARGUMENTS,
                comma.span,
                "an argument of an inline cannot contain a comma".to_owned(),
            )
            .help("compute it in a statement before the call (SPIN cuts it at the comma)")
        } else if let Some(inner) = arguments.iter().copied().flatten().find(
            |word| matches!(&word.token, Token::Name(name) if self.numbers.contains_key(name)),
        ) {
            Diagnostic::new(
                &codes::BAD_INLINE_USE,
                inner.span,
                format!("inline `{}` cannot be called in an argument", inner.token),
            )
            .help("call it first, in a statement of its own")
        } else {
            return true;
        };
        self.diagnostics.push(diagnostic.label(about.span, "defined here"));
        false
    }

    /// The body with its arguments put in.
    fn substitute(
        &mut self,
        number: usize,
        expansion: crate::source::ExpansionId,
        arguments: &[&[Word]],
        call: &Word,
    ) -> Option<Vec<Word>> {
        let definition = &self.definitions[number];
        let parameters = Rc::clone(&definition.parameters);
        let mut output = Vec::with_capacity(definition.body.len());
        let mut problem = None;
        for word in definition.body.iter() {
            let parameter = match &word.token {
                Token::Name(name) if !self.constants.contains(name) => {
                    parameters.iter().position(|parameter| parameter == name)
                }
                _ => None,
            };
            let Some(index) = parameter else {
                let span = Span { expansion, ..word.span };
                output.push(Word { span, inlined: true, ..word.clone() });
                continue;
            };
            problem = problem.or_else(|| clash(arguments[index], index, &parameters));
            for (at, argument) in arguments[index].iter().enumerate() {
                output.push(Word {
                    newline: at == 0 && word.newline,
                    space: at > 0 && argument.space || at == 0 && word.space,
                    inlined: true,
                    ..argument.clone()
                });
            }
            if output.len() > self.budget {
                break;
            }
        }
        let Some(index) = problem else { return Some(output) };
        let argument = arguments[index].first().map_or(call.span, |word| word.span);
        let span = definition.about.span;
        self.diagnostics.push(
            Diagnostic::new(
                &codes::INLINE_CLASH,
                argument,
                format!(
                    "this argument, for parameter `{}`, contains the name of a parameter",
                    parameters[index]
                ),
            )
            .label(span, "defined here")
            .help("give the parameters of the inline names that are used nowhere else"),
        );
        None
    }
}

/// SPIN refuses an argument that is the name of another parameter, and one in which the
/// parameter's own name touches the dot of a structure reference.
fn clash(argument: &[Word], index: usize, parameters: &[Name]) -> Option<usize> {
    if let [Word { token: Token::Name(name), .. }] = argument {
        let taken = *name != parameters[index] && parameters.contains(name);
        return taken.then_some(index);
    }
    if !argument.iter().any(|word| word.is(Sign::Dot)) {
        return None;
    }
    let text: String = argument.iter().map(|word| word.token.to_string()).collect();
    let name: &str = &parameters[index];
    let touches = text
        .match_indices(name)
        .any(|(at, _)| text[..at].ends_with('.') || text[at + name.len()..].starts_with('.'));
    touches.then_some(index)
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

/// The arguments of a call, from its `(`, and how many words it has up to its `)`.
fn arguments(words: &[Word]) -> Option<(Vec<&[Word]>, usize)> {
    let mut arguments = Vec::new();
    let mut depth = 0_usize;
    let mut start = 1;
    for (at, word) in words.iter().enumerate() {
        match word.token {
            Token::Sign(Sign::LeftParen) => depth += 1,
            Token::Sign(Sign::RightParen) => {
                depth -= 1;
                if depth == 0 {
                    arguments.push(&words[start..at]);
                    return Some((arguments, at + 1));
                }
            }
            Token::Sign(Sign::Comma) if depth == 1 => {
                arguments.push(&words[start..at]);
                start = at + 1;
            }
            Token::Sign(Sign::LeftBrace | Sign::RightBrace) => return None,
            _ => {}
        }
    }
    None
}
