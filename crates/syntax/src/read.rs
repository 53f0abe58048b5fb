//! A file to a tree: all stages of this crate in a row.

use crate::ast::Program;
use crate::diagnostic::Diagnostic;
use crate::grammar::parse_program;
use crate::options::{Loader, Options};
use crate::source::Sources;
use crate::token::Inline;
use crate::tokenize::tokenize;

/// A file that has been read, and everything that is wrong with its text.
#[derive(Debug)]
pub struct Parsed {
    /// The file, those it includes, and their expansions.
    pub sources: Sources,
    /// The tree; incomplete where there are errors.
    pub program: Program,
    /// The inlines it defines.
    pub inlines: Vec<Inline>,
    /// Errors and warnings, in the order of the stages.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file and what it includes.
pub fn read(path: &str, loader: &mut dyn Loader, options: &Options) -> Parsed {
    let mut sources = Sources::default();
    let mut diagnostics = Vec::new();
    let tokens = tokenize(path, loader, options, &mut sources, &mut diagnostics);
    // Words that are missing or broken would only make the grammar complain a second time.
    if diagnostics.iter().any(Diagnostic::is_error) && tokens.tokens.is_empty() {
        let program = Program::default();
        return Parsed { sources, program, inlines: tokens.inlines, diagnostics };
    }
    let (program, problems) = parse_program(&tokens, &sources);
    diagnostics.extend(problems);
    Parsed { sources, program, inlines: tokens.inlines, diagnostics }
}
