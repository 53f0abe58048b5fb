//! From a path to a model: what every command that takes a FILE begins with.

use crate::commands::not_yet;
use crate::files;
use crate::options::output::Colors;
use crate::options::reading::{Language, Reading};
use crate::output;
use anyhow::{Result, bail};
use pverify_model::load::{Loaded, Unchecked, load};
use pverify_model::machine::Model as Machines;
use pverify_model::machines::load_machines;
use pverify_report::declarations::Declarations;
use pverify_report::diagnostics;
use pverify_syntax::ast::Program;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::machines::Format;
use pverify_syntax::source::Sources;

/// A model as far as it could be read, and everything that is wrong with it.
pub(crate) struct Model {
    /// Its files.
    pub(crate) sources: Sources,
    /// Errors and warnings of all stages.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What it declares.
    pub(crate) declarations: Declarations,
    /// Its tree.
    pub(crate) program: Program,
    /// Its machines.
    pub(crate) machines: Machines,
    /// What it asks for and nobody checks.
    pub(crate) unchecked: Vec<Unchecked>,
}

/// Reads the file and runs all stages of the front end over it.
pub(crate) fn read(reading: &Reading) -> Result<Model> {
    let format = match reading.language() {
        Language::Promela => None,
        Language::Scm => Some(Format::Scm),
        Language::Fsa => Some(Format::Fsa),
        Language::Kmc => Some(Format::Kmc),
        Language::Aut => bail!(not_yet("reading labelled transition systems (.aut)")),
    };
    let mut given = files::read_given(&reading.file)?;
    let name = given.name.clone();
    let loaded = match format {
        None => load(&name, &mut given, &reading.options()),
        Some(format) => load_machines(&name, &mut given, format),
    };
    let declarations = match format {
        None => Declarations::of(&loaded.program),
        Some(_) => Declarations::of_machines(&loaded.model),
    };
    let Loaded { sources, diagnostics, program, model: machines, unchecked } = loaded;
    Ok(Model { sources, diagnostics, declarations, program, machines, unchecked })
}

impl Model {
    /// Whether something keeps it from being verified.
    pub(crate) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Draws what is wrong on standard error; with `quiet`, the errors only.
    pub(crate) fn show_diagnostics(&self, quiet: bool, colors: Colors) {
        let shown: Vec<Diagnostic> = self
            .diagnostics
            .iter()
            .filter(|diagnostic| !quiet || diagnostic.is_error())
            .cloned()
            .collect();
        output::note(&diagnostics::draw(&shown, &self.sources, output::style(colors)));
    }
}
