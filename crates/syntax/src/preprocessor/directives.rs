//! Directives: the lines that begin with `#`.

use super::macros::Macro;
use super::{INCLUDE_DEPTH, Preprocessor};
use crate::codes;
use crate::diagnostic::{Code, Diagnostic};
use crate::interner::Symbol;
use crate::options::LoadError;
use crate::scanner::{Kind, Lexeme};
use crate::source::Span;
use crate::token::Sign;
use std::cell::Cell;
use std::rc::Rc;

/// How often one file may be open at the same time before it counts as a cycle.
const REENTRIES: usize = 10;

/// An `#if` that waits for its `#endif`.
pub(super) struct Conditional {
    /// Where it begins.
    span: Span,
    /// Whether one of its branches has been taken.
    taken: bool,
    /// Its `#else`.
    otherwise: Option<Span>,
}

impl Preprocessor<'_> {
    /// Obeys the directive that the current file stands at.
    pub(super) fn directive(&mut self) {
        let Some((span, line)) = self.take_line() else { return };
        let Some(&word) = line.first() else { return };
        let rest = &line[1..];
        let name = self.spelling(&word).to_owned();
        let span = self.sources.join(span, word.span);
        match name.as_str() {
            "define" => self.define(span, rest),
            "undef" => {
                if let Some(name) = self.macro_name(span, rest) {
                    self.macros.remove(&name);
                }
            }
            "include" => self.include(span, rest),
            "if" => {
                let taken = self.condition(span, rest);
                self.begin(span, taken);
            }
            "ifdef" | "ifndef" => {
                let name = self.macro_name(span, rest);
                let defined = name.is_some_and(|name| self.is_defined(name));
                self.begin(span, name.is_some() && defined == (name_is(&word, self, "ifdef")));
            }
            "elif" | "elifdef" | "elifndef" | "else" | "endif" => self.branch(&name, span, rest),
            "error" | "warning" => {
                let text = self.line_text(rest);
                let code = if name == "error" {
                    &codes::ERROR_DIRECTIVE
                } else {
                    &codes::WARNING_DIRECTIVE
                };
                self.report(
                    code,
                    span,
                    format!("#{name}: {text}"),
                    "do what the author of the model asks for; -D NAME=VALUE gives a missing definition",
                );
            }
            "line" | "pragma" | "ident" | "sccs" => {}
            _ if word.kind == Kind::Number => {}
            _ => self.report(
                &codes::UNKNOWN_DIRECTIVE,
                span,
                format!("there is no directive `#{name}`"),
                "directives are #define, #undef, #include, #if, #ifdef, #ifndef, #elif, #else, \
                 #endif, #error, #warning, #line and #pragma",
            ),
        }
    }

    fn report(&mut self, code: &'static Code, span: Span, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::new(code, span, message).help(help));
    }

    /// The lexemes behind a `#` up to the end of the line, and the place of the `#`.
    fn take_line(&mut self) -> Option<(Span, Vec<Lexeme>)> {
        let file = self.files.last_mut()?;
        let hash = file.lexemes.get(file.at)?.span;
        let start = file.at + 1;
        let length = file.lexemes[start..].iter().take_while(|lexeme| !lexeme.line_start).count();
        file.at = start + length;
        Some((hash, file.lexemes[start..start + length].to_vec()))
    }

    fn line_text(&self, line: &[Lexeme]) -> String {
        match (line.first(), line.last()) {
            (Some(first), Some(last)) => {
                self.sources.text(self.sources.join(first.span, last.span)).to_owned()
            }
            _ => String::new(),
        }
    }

    pub(super) fn is_defined(&self, name: Symbol) -> bool {
        self.macros.contains_key(&name) || name == self.known.line || name == self.known.file
    }

    /// The name that a directive is about.
    fn macro_name(&mut self, span: Span, line: &[Lexeme]) -> Option<Symbol> {
        match line.first() {
            Some(name) if name.kind == Kind::Identifier && name.text != self.known.defined => {
                Some(name.text)
            }
            other => {
                let span = other.map_or(span, |lexeme| lexeme.span);
                self.report(
                    &codes::BAD_DIRECTIVE,
                    span,
                    "the name of a macro belongs here".to_owned(),
                    "a name begins with a letter and consists of letters, digits and `_`",
                );
                None
            }
        }
    }

    fn define(&mut self, span: Span, line: &[Lexeme]) {
        let Some(name) = self.macro_name(span, line) else { return };
        let definition = line[0].span;
        let mut body = &line[1..];
        let mut parameters = None;
        let mut variadic = false;
        if let Some(paren) = body.first()
            && paren.kind == Kind::Sign(Sign::LeftParen)
            && !paren.space
        {
            let Some(end) =
                body.iter().position(|lexeme| lexeme.kind == Kind::Sign(Sign::RightParen))
            else {
                self.report(
                    &codes::BAD_DIRECTIVE,
                    paren.span,
                    "the parameters of this macro have no end".to_owned(),
                    "close them with `)`, or put a space before `(` if it belongs to the text",
                );
                return;
            };
            let Some(list) = self.parameters(&body[1..end], &mut variadic) else { return };
            parameters = Some(list);
            body = &body[end + 1..];
        }
        let definition = Macro {
            name,
            parameters,
            variadic,
            body: body.to_vec(),
            definition,
            active: Cell::new(false),
        };
        if let Some(earlier) = self.macros.get(&name)
            && !self.same(earlier, &definition)
        {
            let text = self.names.name(name);
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::MACRO_REDEFINED,
                    definition.definition,
                    format!("macro `{text}` gets a second, different text"),
                )
                .here("from here on this one counts")
                .label(earlier.definition, "the first one")
                .help(format!("write `#undef {text}` before it, or use `#ifndef {text}`")),
            );
        }
        self.macros.insert(name, Rc::new(definition));
    }

    fn same(&self, first: &Macro, second: &Macro) -> bool {
        first.parameters == second.parameters
            && first.body.len() == second.body.len()
            && first
                .body
                .iter()
                .zip(&second.body)
                .all(|(a, b)| a.kind == b.kind && self.spelling(a) == self.spelling(b))
    }

    fn parameters(&mut self, list: &[Lexeme], variadic: &mut bool) -> Option<Vec<Symbol>> {
        let mut parameters = Vec::new();
        let mut rest = list.iter().peekable();
        while let Some(lexeme) = rest.next() {
            match lexeme.kind {
                Kind::Identifier if !parameters.contains(&lexeme.text) => {
                    parameters.push(lexeme.text);
                    // GNU: `rest...` names the further arguments.
                    *variadic = rest.next_if(|next| next.kind == Kind::Ellipsis).is_some();
                }
                Kind::Ellipsis => {
                    *variadic = true;
                    parameters.push(self.known.variadic);
                }
                _ => return self.bad_parameter(lexeme.span),
            }
            match rest.next() {
                None => break,
                Some(comma) if comma.kind == Kind::Sign(Sign::Comma) && !*variadic => {
                    if rest.peek().is_none() {
                        return self.bad_parameter(comma.span);
                    }
                }
                Some(other) => return self.bad_parameter(other.span),
            }
        }
        Some(parameters)
    }

    fn bad_parameter(&mut self, span: Span) -> Option<Vec<Symbol>> {
        self.report(
            &codes::BAD_DIRECTIVE,
            span,
            "this does not fit into a list of macro parameters".to_owned(),
            "parameters are different names, separated by commas",
        );
        None
    }

    fn include(&mut self, span: Span, line: &[Lexeme]) {
        let text = self.line_text(line);
        let (name, quoted) = match text.as_bytes() {
            [b'"', ..] => (text[1..].split('"').next(), true),
            [b'<', ..] if text.contains('>') => (text[1..].split('>').next(), false),
            _ => (None, false),
        };
        let Some(name) = name.filter(|name| !name.is_empty()).map(str::to_owned) else {
            self.report(
                &codes::BAD_DIRECTIVE,
                span,
                "#include needs the name of a file".to_owned(),
                "write #include \"file\"",
            );
            return;
        };
        let span = self.sources.join(span, line[0].span);
        let mut tried = Vec::new();
        if name.starts_with('/') {
            tried.push(name.clone());
        } else {
            if let Some(file) = self.files.last().filter(|_| quoted) {
                let folder = file.path.rfind('/').map_or("", |slash| &file.path[..=slash]);
                tried.push(format!("{folder}{name}"));
            }
            for folder in &self.options.include_directories {
                tried.push(format!("{}/{name}", folder.trim_end_matches('/')));
            }
        }
        for path in &tried {
            match self.loader.load(path) {
                Ok(bytes) => return self.enter(path.clone(), &bytes, span),
                Err(LoadError::NotFound | LoadError::IsDirectory) => {}
                Err(LoadError::Other(reason)) => {
                    let message = format!("`{path}` cannot be read: {reason}");
                    return self.report(
                        &codes::CANNOT_READ_FILE,
                        span,
                        message,
                        "check who may read it",
                    );
                }
            }
        }
        let help = if tried.is_empty() {
            "`<…>` looks into the folders given with -I only; for a file beside this one write \
             \"…\""
                .to_owned()
        } else {
            format!("looked for {}; name more folders with -I", tried.join(", "))
        };
        self.report(
            &codes::INCLUDE_NOT_FOUND,
            span,
            format!("there is no file `{name}` to include"),
            &help,
        );
    }

    fn enter(&mut self, path: String, bytes: &[u8], span: Span) {
        let again = self.files.iter().filter(|file| file.path == path).count();
        if again >= REENTRIES || self.files.len() >= INCLUDE_DEPTH {
            self.stopped = true;
            let message = if again >= REENTRIES {
                format!("`{path}` includes itself again and again")
            } else {
                format!("files include each other more than {INCLUDE_DEPTH} deep")
            };
            let help = "put `#ifndef NAME`, `#define NAME` … `#endif` around the included file";
            return self.report(&codes::INCLUDE_CYCLE, span, message, help);
        }
        self.open(path, bytes, Some(span));
    }

    /// Enters an `#if`.
    fn begin(&mut self, span: Span, taken: bool) {
        if let Some(file) = self.files.last_mut() {
            file.conditionals.push(Conditional { span, taken, otherwise: None });
        }
        if !taken {
            self.skip();
        }
    }

    /// `#elif`, `#else` and `#endif` at the end of a branch that was taken.
    fn branch(&mut self, name: &str, span: Span, rest: &[Lexeme]) {
        let Some(file) = self.files.last_mut() else { return };
        let Some(conditional) = file.conditionals.last_mut() else {
            return self.report(
                &codes::UNMATCHED_BRANCH,
                span,
                format!("`#{name}` without an `#if` before it"),
                "remove it, or look for an `#endif` too many above",
            );
        };
        if name == "endif" {
            file.conditionals.pop();
            return;
        }
        if let Some(earlier) = conditional.otherwise {
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::UNMATCHED_BRANCH,
                    span,
                    format!("`#{name}` behind the `#else` of the same `#if`"),
                )
                .label(earlier, "the `#else`")
                .help("only `#endif` can stand here"),
            );
        }
        let Some(conditional) = self.files.last_mut().and_then(|file| file.conditionals.last_mut())
        else {
            return;
        };
        if name == "else" {
            conditional.otherwise = Some(span);
        }
        if conditional.taken {
            return self.skip();
        }
        let take = match name {
            "else" => true,
            "elif" => self.condition(span, rest),
            _ => {
                let name_of = self.macro_name(span, rest);
                name_of.is_some_and(|symbol| self.is_defined(symbol) == (name == "elifdef"))
            }
        };
        if let Some(conditional) =
            self.files.last_mut().and_then(|file| file.conditionals.last_mut())
        {
            conditional.taken = take;
        }
        if !take {
            self.skip();
        }
    }

    /// Goes to the next directive that belongs to the current `#if`.
    fn skip(&mut self) {
        let Some(file) = self.files.last_mut() else { return };
        let mut depth = 0_usize;
        while let Some(lexeme) = file.lexemes.get(file.at) {
            if lexeme.line_start
                && lexeme.kind == Kind::Hash
                && let Some(word) = file.lexemes.get(file.at + 1).filter(|next| !next.line_start)
                && word.kind == Kind::Identifier
            {
                match self.names.name(word.text).as_ref() {
                    "if" | "ifdef" | "ifndef" => depth += 1,
                    "endif" if depth > 0 => depth -= 1,
                    "endif" | "else" | "elif" | "elifdef" | "elifndef" if depth == 0 => break,
                    _ => {}
                }
            }
            file.at += 1;
        }
        // The directive itself is read next and decides; `taken` tells it what has happened.
    }

    /// Complains about every `#if` that is open at the end of the file.
    pub(super) fn close_conditionals(&mut self) {
        let Some(file) = self.files.last_mut() else { return };
        for conditional in std::mem::take(&mut file.conditionals).into_iter().rev() {
            self.report(
                &codes::UNTERMINATED_IF,
                conditional.span,
                "this condition has no `#endif`".to_owned(),
                "add `#endif` where the conditional text ends",
            );
        }
    }
}

fn name_is(word: &Lexeme, preprocessor: &Preprocessor<'_>, text: &str) -> bool {
    preprocessor.spelling(word) == text
}
