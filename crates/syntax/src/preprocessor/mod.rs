//! The C preprocessor: files and directives in, the lexemes that remain out.
//!
//! It follows gcc's, which SPIN calls, in what it accepts and where it sees the ends of lines,
//! because those decide about optional semicolons. Text is read through a stack: at its bottom the
//! open files, above them the expansions in progress. A macro is not replaced while its own
//! expansion is on the stack.

mod condition;
mod directives;
mod macros;

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::interner::{Interner, Symbol};
use crate::options::{LoadError, Loader, Options};
use crate::scanner::{Kind, Lexeme, scan};
use crate::source::{Sources, Span};
use ahash::AHashMap;
use directives::Conditional;
use macros::Macro;
use std::rc::Rc;

/// Lexemes that macros and included files may bring, and calls that may be made, in one run.
const BUDGET: usize = 4_000_000;
/// Files that may be open at the same time.
const INCLUDE_DEPTH: usize = 200;

/// Reads a file and everything it includes; `None` where there is nothing to go on with.
pub(crate) fn preprocess(
    path: &str,
    loader: &mut dyn Loader,
    options: &Options,
    sources: &mut Sources,
    names: &mut Interner,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Lexeme>> {
    let known = Known::new(names);
    let mut preprocessor = Preprocessor {
        loader,
        options,
        sources,
        names,
        diagnostics,
        known,
        macros: AHashMap::new(),
        files: Vec::new(),
        contexts: Vec::new(),
        floor: 0,
        isolated: false,
        pending_space: false,
        pending_newline: false,
        argument_depth: 0,
        budget: BUDGET,
        stopped: false,
    };
    let main = preprocessor.load(path)?;
    preprocessor.open(path.to_owned(), &main, None);
    preprocessor.define_options();
    let mut output = Vec::new();
    while let Some(lexeme) = preprocessor.next() {
        output.push(lexeme);
    }
    let given = options.formula.iter().map(|formula| ("--ltl", formula));
    let asked = options.propositions.iter().map(|asked| ("--automaton", asked));
    for (flag, formula) in given.chain(asked) {
        // A comment may reach to the end of its line.
        let end = if formula.contains("//") { "\n" } else { " " };
        let block = format!("ltl {{ {formula}{end}}}");
        preprocessor.open(flag.to_owned(), block.as_bytes(), None);
        while let Some(lexeme) = preprocessor.next() {
            output.push(lexeme);
        }
    }
    (!preprocessor.stopped).then_some(output)
}

/// Names the preprocessor itself knows.
struct Known {
    defined: Symbol,
    line: Symbol,
    file: Symbol,
    variadic: Symbol,
}

impl Known {
    fn new(names: &mut Interner) -> Self {
        Self {
            defined: names.intern("defined"),
            line: names.intern("__LINE__"),
            file: names.intern("__FILE__"),
            variadic: names.intern("__VA_ARGS__"),
        }
    }
}

/// A file being read.
struct OpenFile {
    path: String,
    lexemes: Rc<[Lexeme]>,
    at: usize,
    /// A macro call ended on a later line than it began; gcc starts a line behind it.
    call_ended_lower: bool,
    conditionals: Vec<Conditional>,
}

/// Lexemes waiting to be read again.
struct Context {
    lexemes: Vec<Lexeme>,
    at: usize,
    /// The macro they came from.
    source: Option<Rc<Macro>>,
}

struct Preprocessor<'a> {
    loader: &'a mut dyn Loader,
    options: &'a Options,
    sources: &'a mut Sources,
    names: &'a mut Interner,
    diagnostics: &'a mut Vec<Diagnostic>,
    known: Known,
    macros: AHashMap<Symbol, Rc<Macro>>,
    files: Vec<OpenFile>,
    contexts: Vec<Context>,
    /// Contexts below this one belong to somebody else.
    floor: usize,
    /// Whether reading ends with the contexts, without going on in the files.
    isolated: bool,
    /// White space, or the end of a line, before a macro that left nothing.
    pending_space: bool,
    pending_newline: bool,
    argument_depth: usize,
    budget: usize,
    stopped: bool,
}

impl Preprocessor<'_> {
    /// Takes from the budget; when it is used up, everything stops.
    fn spend(&mut self, amount: usize, span: Span) {
        self.budget = self.budget.saturating_sub(amount);
        if self.budget == 0 && !self.stopped {
            self.stopped = true;
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::EXPANSION_TOO_LARGE,
                    span,
                    format!("macros and included files make this model longer than {BUDGET} words"),
                )
                .here("gave up here")
                .help("look for macros that use each other several times"),
            );
        }
    }

    /// The next lexeme, from expansions first; directives are obeyed on the way.
    fn read(&mut self) -> Option<Lexeme> {
        if self.stopped {
            return None;
        }
        while self.contexts.len() > self.floor {
            let top = self.contexts.last_mut()?;
            if let Some(&lexeme) = top.lexemes.get(top.at) {
                top.at += 1;
                return Some(lexeme);
            }
            if let Some(source) = self.contexts.pop().and_then(|context| context.source) {
                source.active.set(false);
            }
        }
        if self.isolated { None } else { self.read_file() }
    }

    fn read_file(&mut self) -> Option<Lexeme> {
        while let Some(file) = self.files.last_mut() {
            let Some(&lexeme) = file.lexemes.get(file.at) else {
                self.close_conditionals();
                self.files.pop();
                self.pending_newline = true;
                continue;
            };
            if lexeme.line_start && lexeme.kind == Kind::Hash {
                self.directive();
                if self.stopped {
                    return None;
                }
                continue;
            }
            file.at += 1;
            let mut lexeme = lexeme;
            lexeme.newline |= std::mem::take(&mut file.call_ended_lower);
            return Some(lexeme);
        }
        None
    }

    /// Puts a lexeme back, to be read next.
    fn unread(&mut self, lexeme: Lexeme) {
        self.contexts.push(Context { lexemes: vec![lexeme], at: 0, source: None });
    }

    fn define_options(&mut self) {
        let text: String = self
            .options
            .defines
            .iter()
            .map(|(name, value)| format!("#define {name} {}\n", value.replace(['\n', '\r'], " ")))
            .collect();
        if !text.is_empty() {
            self.open("<command line>".to_owned(), text.as_bytes(), None);
        }
    }

    /// Asks for the file the person named.
    fn load(&mut self, path: &str) -> Option<Vec<u8>> {
        let (message, help) = match self.loader.load(path) {
            Ok(bytes) if bytes.len() < u32::MAX as usize / 4 => return Some(bytes),
            Ok(_) => (format!("`{path}` is too large"), "models end at 1 GB"),
            Err(LoadError::NotFound) => {
                (format!("there is no file `{path}`"), "check the spelling of the path")
            }
            Err(LoadError::IsDirectory) => {
                (format!("`{path}` is a folder"), "name the file in it that holds the model")
            }
            Err(LoadError::Other(reason)) => {
                (format!("`{path}` cannot be read: {reason}"), "check who may read it")
            }
        };
        let file = self.sources.add_file(path.to_owned(), "", None);
        let span = Span { file, ..Span::default() };
        self.diagnostics.push(Diagnostic::new(&codes::CANNOT_READ_FILE, span, message).help(help));
        None
    }

    /// Begins to read a file.
    fn open(&mut self, path: String, bytes: &[u8], included_from: Option<Span>) {
        let text = String::from_utf8_lossy(bytes);
        let invalid = std::str::from_utf8(bytes).err().map(|error| error.valid_up_to() as u32);
        let file = self.sources.add_file(path.clone(), text.as_ref(), included_from);
        if let Some(start) = invalid {
            let span = Span { file, start, end: start + 3, ..Span::default() };
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::NOT_UTF8,
                    span,
                    format!("`{path}` is not UTF-8 text: byte {start} does not fit"),
                )
                .here("the first such byte")
                .help("save the file as UTF-8; in comments and strings it does no harm"),
            );
        }
        let lexemes = scan(&text, file, self.names, self.diagnostics);
        if let Some(span) = included_from {
            self.spend(lexemes.len() + text.len() / 8 + 1, span);
        }
        self.files.push(OpenFile {
            path,
            lexemes: lexemes.into(),
            at: 0,
            call_ended_lower: false,
            conditionals: Vec::new(),
        });
    }

    fn spelling(&self, lexeme: &Lexeme) -> &str {
        match lexeme.kind {
            Kind::Sign(sign) => sign.text(),
            Kind::Hash => "#",
            Kind::HashHash => "##",
            Kind::Ellipsis => "...",
            _ => self.names.name(lexeme.text),
        }
    }
}

#[cfg(test)]
mod tests;
