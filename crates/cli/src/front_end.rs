//! From a path to a model: what every command that takes a FILE begins with.

use crate::commands::not_yet;
use crate::files;
use crate::options::output::Colors;
use crate::options::reading::{Language, Reading};
use crate::output;
use anyhow::{Result, bail};
use pverify_model::load::{Loaded, load};
use pverify_model::machine::{Model as Machines, Property};
use pverify_report::declarations::Declarations;
use pverify_report::diagnostics;
use pverify_syntax::ast::Program;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::options::Options;
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
    /// The formula that was given beside it: its last one.
    pub(crate) formula: Option<String>,
    /// Propositions that were read in its scope, and are no part of it.
    pub(crate) propositions: Vec<Property>,
}

/// Reads the file and runs all stages of the front end over it.
pub(crate) fn read(reading: &Reading) -> Result<Model> {
    read_with(reading, None, &[])
}

/// The same with a formula beside it, in which everything the file declares has its meaning; the
/// name of one of its formulas is no formula. So have the propositions of an automaton.
pub(crate) fn read_with(
    reading: &Reading,
    formula: Option<&str>,
    propositions: &[String],
) -> Result<Model> {
    match reading.language() {
        Language::Promela => {}
        Language::Scm => bail!(not_yet("reading communicating machines (.scm)")),
        Language::Aut => bail!(not_yet("reading labelled transition systems (.aut)")),
    }
    let mut given = files::read_given(&reading.file)?;
    let name = given.name.clone();
    let mut loaded = load(&name, &mut given, &reading.options());
    let declarations = Declarations::of(&loaded.program);
    let known = |text: &&str| loaded.model.formulas.iter().any(|known| *known.name == **text);
    let formula = formula.map(str::trim).filter(|text| !known(text)).map(str::to_owned);
    if (formula.is_some() || !propositions.is_empty()) && !loaded.has_errors() {
        let (formula, propositions) = (formula.clone(), propositions.to_vec());
        let options = Options { formula, propositions, ..reading.options() };
        loaded = load(&name, &mut given, &options);
    }
    let mut asked = Vec::new();
    if !loaded.has_errors() {
        let last = |count: usize| count.saturating_sub(propositions.len());
        let (items, formulas) = (&mut loaded.program.items, &mut loaded.model.formulas);
        items.truncate(last(items.len()));
        asked = formulas.split_off(last(formulas.len()));
    }
    let Loaded { sources, diagnostics, program, model: machines } = loaded;
    let propositions = asked;
    Ok(Model { sources, diagnostics, declarations, program, machines, formula, propositions })
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
