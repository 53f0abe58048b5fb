//! Macros: their definitions and their expansion.
//!
//! The standard's rules: arguments are expanded on their own before they are put in, except beside
//! `#` and `##`; the result is read again together with the text behind it; a macro's name inside
//! its own expansion stays as it is, for good.

use super::{Context, Preprocessor};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::interner::Symbol;
use crate::scanner::{Kind, Lexeme, scan};
use crate::source::{Expansion, ExpansionId, ExpansionKind, Span};
use crate::token::Sign;
use std::cell::Cell;
use std::rc::Rc;

/// How deep macro calls may stand in the arguments of macro calls.
const ARGUMENT_DEPTH: usize = 100;

/// A `#define`.
pub(super) struct Macro {
    pub(super) name: Symbol,
    /// The parameters; `None` for a macro that is used without parentheses.
    pub(super) parameters: Option<Vec<Symbol>>,
    /// Whether the last parameter takes all further arguments.
    pub(super) variadic: bool,
    pub(super) body: Vec<Lexeme>,
    pub(super) definition: Span,
    /// Whether its expansion is being read.
    pub(super) active: Cell<bool>,
}

impl Preprocessor<'_> {
    /// The next lexeme after macro expansion.
    pub(super) fn next(&mut self) -> Option<Lexeme> {
        loop {
            let mut lexeme = self.read()?;
            lexeme.space |= std::mem::take(&mut self.pending_space);
            lexeme.newline |= std::mem::take(&mut self.pending_newline);
            if lexeme.kind == Kind::Identifier && !lexeme.no_expand {
                if let Some(definition) = self.macros.get(&lexeme.text).cloned() {
                    if definition.active.get() {
                        lexeme.no_expand = true;
                    } else if self.expand(&lexeme, &definition) {
                        continue;
                    }
                } else if lexeme.text == self.known.line || lexeme.text == self.known.file {
                    lexeme = self.place(lexeme);
                }
            }
            return Some(lexeme);
        }
    }

    /// Expands lexemes on their own.
    pub(super) fn expand_alone(&mut self, lexemes: Vec<Lexeme>) -> Vec<Lexeme> {
        let floor = std::mem::replace(&mut self.floor, self.contexts.len());
        let isolated = std::mem::replace(&mut self.isolated, true);
        let pending = (self.pending_space, self.pending_newline);
        (self.pending_space, self.pending_newline) = (false, false);
        self.contexts.push(Context { lexemes, at: 0, source: None });
        let mut output = Vec::new();
        while let Some(lexeme) = self.next() {
            output.push(lexeme);
        }
        (self.pending_space, self.pending_newline) = pending;
        self.floor = floor;
        self.isolated = isolated;
        output
    }

    /// `__LINE__` and `__FILE__`.
    fn place(&mut self, mut lexeme: Lexeme) -> Lexeme {
        let place = self.sources.outermost(lexeme.span);
        let (kind, text) = if lexeme.text == self.known.line {
            (Kind::Number, self.sources.position(place).line.to_string())
        } else {
            (Kind::Text, format!("{:?}", self.sources.file(place.file).name))
        };
        lexeme.kind = kind;
        lexeme.text = self.names.intern(&text);
        lexeme
    }

    /// Replaces a use of a macro; `false` where it is none after all.
    fn expand(&mut self, name: &Lexeme, definition: &Rc<Macro>) -> bool {
        let mut call = name.span;
        let arguments = match &definition.parameters {
            None => Vec::new(),
            Some(parameters) => {
                match self.read() {
                    Some(next) if next.kind == Kind::Sign(Sign::LeftParen) => {}
                    Some(next) => {
                        self.unread(next);
                        return false;
                    }
                    None => return false,
                }
                let Some((arguments, end)) = self.arguments(name, definition) else {
                    return true;
                };
                call = self.sources.join(call, end);
                // `F()` gives one empty argument, which is none for a macro without parameters.
                let empty =
                    parameters.is_empty() && matches!(&arguments[..], [only] if only.is_empty());
                let given = if empty { 0 } else { arguments.len() };
                if !self.arguments_fit(name, call, definition, given, parameters.len()) {
                    return true;
                }
                arguments
            }
        };
        let expansion = self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            name: self.names.name(definition.name).clone(),
            call,
            definition: definition.definition,
        });
        let mut lexemes = self.substitute(definition, arguments, expansion);
        self.spend(lexemes.len() + 1, name.span);
        match lexemes.first_mut() {
            Some(first) => {
                first.space = name.space;
                first.newline = name.newline;
            }
            None => {
                self.pending_space |= name.space;
                self.pending_newline |= name.newline;
            }
        }
        definition.active.set(true);
        self.contexts.push(Context { lexemes, at: 0, source: Some(Rc::clone(definition)) });
        true
    }

    /// The arguments of a call, behind its `(`, and the place of its `)`.
    fn arguments(&mut self, name: &Lexeme, definition: &Macro) -> Option<(Vec<Vec<Lexeme>>, Span)> {
        let parameters = definition.parameters.as_ref().map_or(0, Vec::len);
        let mut arguments: Vec<Vec<Lexeme>> = vec![Vec::new()];
        let mut depth = 0_usize;
        let mut lower = false;
        let files = self.files.len();
        loop {
            let next = self.read();
            let Some(mut lexeme) = next.filter(|_| self.files.len() == files) else {
                if !self.stopped {
                    let text = self.names.name(name.text);
                    self.diagnostics.push(
                        Diagnostic::new(
                            &codes::UNTERMINATED_CALL,
                            name.span,
                            format!("the arguments of macro `{text}` have no end"),
                        )
                        .here("`)` is missing")
                        .label(definition.definition, "defined here")
                        .help("close the call with `)`"),
                    );
                }
                if let Some(lexeme) = next {
                    self.unread(lexeme);
                }
                return None;
            };
            lower |= lexeme.newline;
            lexeme.newline = false;
            lexeme.line_start = false;
            match lexeme.kind {
                Kind::Sign(Sign::LeftParen) => depth += 1,
                Kind::Sign(Sign::RightParen) if depth == 0 => {
                    if let Some(file) = self.files.last_mut().filter(|_| lower) {
                        file.call_ended_lower = true;
                    }
                    return Some((arguments, lexeme.span));
                }
                Kind::Sign(Sign::RightParen) => depth -= 1,
                Kind::Sign(Sign::Comma)
                    if depth == 0 && !(definition.variadic && arguments.len() >= parameters) =>
                {
                    arguments.push(Vec::new());
                    continue;
                }
                Kind::Identifier => {
                    let disabled =
                        self.macros.get(&lexeme.text).is_some_and(|known| known.active.get());
                    lexeme.no_expand |= disabled;
                }
                _ => {}
            }
            if let Some(argument) = arguments.last_mut() {
                argument.push(lexeme);
            }
        }
    }

    fn arguments_fit(
        &mut self,
        name: &Lexeme,
        call: Span,
        definition: &Macro,
        given: usize,
        wanted: usize,
    ) -> bool {
        if given == wanted || definition.variadic && given + 1 == wanted {
            return true;
        }
        let text = self.names.name(name.text);
        let plural = if wanted == 1 { "" } else { "s" };
        self.diagnostics.push(
            Diagnostic::new(
                &codes::MACRO_ARGUMENTS,
                call,
                format!("macro `{text}` takes {wanted} argument{plural}, but got {given}"),
            )
            .label(definition.definition, "defined here")
            .help("an argument that contains a comma needs parentheses around it"),
        );
        false
    }

    /// The body with its arguments.
    fn substitute(
        &mut self,
        definition: &Macro,
        mut arguments: Vec<Vec<Lexeme>>,
        expansion: ExpansionId,
    ) -> Vec<Lexeme> {
        let parameters = definition.parameters.as_deref().unwrap_or_default();
        arguments.resize(parameters.len(), Vec::new());
        let mut expanded: Vec<Option<Vec<Lexeme>>> = vec![None; parameters.len()];
        let parameter = |lexeme: &Lexeme| match lexeme.kind {
            Kind::Identifier => parameters.iter().position(|&name| name == lexeme.text),
            _ => None,
        };
        let body = &definition.body;
        let mut output: Vec<Lexeme> = Vec::with_capacity(body.len());
        let mut at = 0;
        // Whether the next operand is to be glued to what stands last in the output.
        let mut pasting = false;
        // Whether the operand left of `##` was empty.
        let mut left_empty = false;
        while let Some(lexeme) = body.get(at) {
            at += 1;
            if lexeme.kind == Kind::HashHash && at > 1 && at < body.len() {
                pasting = true;
                continue;
            }
            let paste_next =
                body.get(at).is_some_and(|next| next.kind == Kind::HashHash) && at + 1 < body.len();
            let mut piece = match (lexeme.kind, body.get(at).and_then(&parameter)) {
                (Kind::Hash, Some(index)) if definition.parameters.is_some() => {
                    at += 1;
                    vec![self.stringify(from_body(*lexeme, expansion), &arguments[index])]
                }
                _ => match parameter(lexeme) {
                    Some(index) if pasting || paste_next => arguments[index].clone(),
                    Some(index) => {
                        if expanded[index].is_none() {
                            expanded[index] = Some(self.expand_argument(&arguments[index]));
                        }
                        expanded[index].clone().unwrap_or_default()
                    }
                    None => vec![from_body(*lexeme, expansion)],
                },
            };
            if let Some(first) = piece.first_mut() {
                first.space = lexeme.space;
                first.newline = false;
            }
            let empty = piece.is_empty();
            let mut rest = piece.into_iter();
            if std::mem::take(&mut pasting) && !left_empty {
                // GNU: `, ## __VA_ARGS__` drops the comma where there are no arguments.
                let comma = definition.variadic
                    && parameter(lexeme) == Some(parameters.len() - 1)
                    && output.last().is_some_and(|last| last.kind == Kind::Sign(Sign::Comma));
                if comma && empty {
                    output.pop();
                } else if !comma
                    && let Some(right) = rest.next()
                    && let Some(left) = output.pop()
                {
                    self.paste(left, right, &mut output);
                }
                left_empty = false;
            } else {
                left_empty = empty;
            }
            output.extend(rest);
            if self.stopped || output.len() > self.budget {
                break;
            }
        }
        output
    }

    fn expand_argument(&mut self, argument: &[Lexeme]) -> Vec<Lexeme> {
        if !argument.iter().any(|lexeme| lexeme.kind == Kind::Identifier) {
            return argument.to_vec();
        }
        if self.argument_depth >= ARGUMENT_DEPTH {
            let span = argument[0].span;
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::EXPANSION_TOO_LARGE,
                    span,
                    format!("macro calls are nested more than {ARGUMENT_DEPTH} deep"),
                )
                .help("take some of them apart"),
            );
            self.stopped = true;
            return Vec::new();
        }
        self.argument_depth += 1;
        let output = self.expand_alone(argument.to_vec());
        self.argument_depth -= 1;
        output
    }

    fn stringify(&mut self, hash: Lexeme, argument: &[Lexeme]) -> Lexeme {
        let mut text = String::from("\"");
        for (index, lexeme) in argument.iter().enumerate() {
            if lexeme.space && index > 0 {
                text.push(' ');
            }
            let quoted = matches!(lexeme.kind, Kind::Text | Kind::Character);
            for character in self.spelling(lexeme).chars() {
                if quoted && matches!(character, '"' | '\\') {
                    text.push('\\');
                }
                text.push(character);
            }
        }
        text.push('"');
        self.spend(text.len() / 8, hash.span);
        let text = self.names.intern(&text);
        Lexeme { kind: Kind::Text, text, ..hash }
    }

    /// Glues two lexemes to one, or says why that does not work and leaves both.
    fn paste(&mut self, left: Lexeme, right: Lexeme, output: &mut Vec<Lexeme>) {
        let text = format!("{}{}", self.spelling(&left), self.spelling(&right));
        // Names that double again and again are a bomb too.
        self.spend(text.len() / 8, left.span);
        let glued = scan(&text, left.span.file, self.names, &mut Vec::new());
        match glued[..] {
            [one] if !text.contains("/*") && !text.contains("//") => {
                output.push(Lexeme {
                    span: left.span,
                    space: left.space,
                    newline: left.newline,
                    line_start: false,
                    ..one
                });
            }
            _ => {
                self.diagnostics.push(
                    Diagnostic::new(
                        &codes::BAD_PASTE,
                        left.span,
                        format!("`##` gives `{text}`, which is not one word"),
                    )
                    .help("use `##` only to build names and numbers; leave it out elsewhere"),
                );
                output.extend([left, right]);
            }
        }
    }
}

fn from_body(mut lexeme: Lexeme, expansion: ExpansionId) -> Lexeme {
    lexeme.span.expansion = expansion;
    lexeme.line_start = false;
    lexeme.newline = false;
    lexeme
}
