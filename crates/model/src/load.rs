//! A file to machines: what every use of a model begins with.

use crate::codes;
use crate::lower::lower;
use crate::machine::Model;
use pverify_syntax::ast::Program;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::options::{Loader, MemoryLoader, Options};
use pverify_syntax::read::{Parsed, read};
use pverify_syntax::source::Sources;

/// A model as far as it could be read, and everything that is wrong with it.
#[derive(Debug)]
pub struct Loaded {
    /// Its files.
    pub sources: Sources,
    /// Its tree.
    pub program: Program,
    /// Its machines; empty where the text itself has errors.
    pub model: Model,
    /// What it asks for and nobody checks.
    pub unchecked: Vec<Unchecked>,
    /// Errors and warnings of all stages.
    pub diagnostics: Vec<Diagnostic>,
}

/// A property that is not checked: said, not passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchecked {
    /// The kind of check.
    pub check: String,
    /// Which of them.
    pub property: String,
    /// Why not.
    pub reason: String,
}

impl Loaded {
    /// Whether something keeps the model from being verified.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Reads a file, what it includes, and makes its machines.
pub fn load(path: &str, loader: &mut dyn Loader, options: &Options) -> Loaded {
    let Parsed { sources, program, inlines, mut diagnostics } = read(path, loader, options);
    let mut model = Model::default();
    // What is said about names in a text with holes would mostly be consequences of the holes.
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let (machines, problems) = lower(&program);
        model = machines;
        diagnostics.extend(problems);
    }
    if !diagnostics.iter().any(Diagnostic::is_error) {
        for inline in inlines.iter().filter(|inline| inline.calls == 0) {
            let message = format!("nothing calls the inline `{}`", inline.name);
            let warning = Diagnostic::new(&codes::UNUSED_INLINE, inline.span, message);
            diagnostics.push(warning.help("its text is not even looked at; remove it or call it"));
        }
    }
    Loaded { sources, program, model, unchecked: Vec::new(), diagnostics }
}

/// As [`load`], for a text that stands in no file.
pub fn load_text(text: impl Into<Vec<u8>>) -> Loaded {
    let mut loader = MemoryLoader::default().with("model.pml", text);
    load("model.pml", &mut loader, &Options::default())
}
