//! Calls of inlines: whether they make sense, and the body with its arguments put in.

use super::{BUDGET, DEPTH, Definition, Expander, Frame};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::grammar::parse_expression;
use crate::source::{Expansion, ExpansionId, ExpansionKind, Sources, Span};
use crate::token::{Keyword, Name, Sign, Token, Tokens};
use crate::words::Word;
use ahash::AHashMap;
use std::rc::Rc;

impl Expander<'_> {
    /// A name that is an inline's.
    pub(super) fn call(&mut self, word: &Word, number: usize) {
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
        } else if let Some(glued) = arguments.iter().find_map(|words| glued(words)) {
            let sign = &glued.token;
            Diagnostic::new(
                &codes::INLINE_ARGUMENTS,
                glued.span,
                format!(
                    "SPIN copies an argument without its blanks, so that this is `{sign}{sign}`"
                ),
            )
            .help(format!("put parentheses around the second: `{sign}({sign}x)`"))
        } else if let Some(problem) =
            arguments.iter().find_map(|words| not_an_expression(words, self.sources))
        {
            problem
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
        expansion: ExpansionId,
        arguments: &[&[Word]],
        call: &Word,
    ) -> Option<Vec<Word>> {
        let definition = &self.definitions[number];
        let parameters = Rc::clone(&definition.parameters);
        let (body, defined) = (Rc::clone(&definition.body), definition.about.span);
        let mut output = Vec::with_capacity(body.len());
        let mut problem = None;
        let mut moved = AHashMap::new();
        for word in body.iter() {
            let parameter = match &word.token {
                Token::Name(name) if !self.constants.contains(name) => {
                    parameters.iter().position(|parameter| parameter == name)
                }
                _ => None,
            };
            let Some(index) = parameter else {
                let expansion = self.move_expansion(word.span.expansion, expansion, &mut moved);
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
        self.diagnostics.push(
            Diagnostic::new(
                &codes::INLINE_CLASH,
                argument,
                format!(
                    "this argument, for parameter `{}`, contains the name of a parameter",
                    parameters[index]
                ),
            )
            .label(defined, "defined here")
            .help("give the parameters of the inline names that are used nowhere else"),
        );
        None
    }

    /// A macro used in the body of an inline, as used by one call of it.
    fn move_expansion(
        &mut self,
        old: ExpansionId,
        call: ExpansionId,
        moved: &mut AHashMap<ExpansionId, ExpansionId>,
    ) -> ExpansionId {
        let mut chain = Vec::new();
        let mut at = old;
        let mut around = loop {
            match (moved.get(&at), self.sources.expansion(at)) {
                (Some(&known), _) => break known,
                (None, None) => break call,
                (None, Some(expansion)) => {
                    chain.push(at);
                    at = expansion.call.expansion;
                }
            }
        };
        for old in chain.into_iter().rev() {
            if let Some(mut expansion) = self.sources.expansion(old).cloned() {
                expansion.call.expansion = around;
                around = self.sources.add_expansion(expansion);
                moved.insert(old, around);
            }
        }
        around
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

/// The arguments of a call, from its `(`, and how many words it has up to its `)`.
fn arguments(words: &[Word]) -> Option<(Vec<&[Word]>, usize)> {
    let mut arguments = Vec::new();
    let mut depth = 0_usize;
    let mut start = 1;
    for (at, word) in words.iter().enumerate() {
        match word.token {
            // What is deeper is refused later; looking for its end from every call is too slow.
            Token::Sign(Sign::LeftParen) if depth > DEPTH => return None,
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

/// The first of two signs that are another one when they stand side by side.
fn glued(words: &[Word]) -> Option<&Word> {
    let joins = |pair: &&[Word]| {
        let both = |sign| pair.iter().all(|word| word.is(sign));
        both(Sign::Minus) || both(Sign::Bang)
    };
    words.windows(2).find(joins).map(|pair| &pair[0])
}

/// SPIN reads each argument as an expression before it copies its text, so it must be one.
fn not_an_expression(words: &[Word], sources: &Sources) -> Option<Diagnostic> {
    if matches!(words, [] | [Word { token: Token::Name(_) | Token::Number(_), .. }]) {
        return None;
    }
    let tokens = Tokens {
        tokens: words.iter().map(|word| word.token.clone()).collect(),
        spans: words.iter().map(|word| word.span).collect(),
        end: words.last().map(|word| word.span)?,
        ..Tokens::default()
    };
    parse_expression(&tokens, sources).1.into_iter().next()
}
