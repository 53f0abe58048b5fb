//! From a path to a model: what every command that takes a FILE begins with.

use crate::files;
use crate::options::output::Colors;
use crate::options::reading::{Language, Reading};
use crate::output;
use anyhow::{Result, bail};
use pverify_model::load::{Loaded, Unchecked, load};
use pverify_model::machine::{Model as Machines, Property};
use pverify_model::machines::load_machines;
use pverify_model::transitions::load_transitions;
use pverify_report::declarations::Declarations;
use pverify_report::diagnostics;
use pverify_syntax::ast::Program;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::machines::Format;
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
    /// Formulas that are not in the file but were read as if they were.
    pub(crate) given: Vec<Property>,
    /// The text of the formula among them.
    pub(crate) formula: Option<String>,
    /// What it asks for and nobody checks.
    pub(crate) unchecked: Vec<Unchecked>,
}

/// Formulas to be read in the scope of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// A formula; the name of one of the file's is none.
    pub(crate) formula: Option<String>,
    /// Propositions of an automaton.
    pub(crate) propositions: Vec<String>,
}

/// Reads the file and runs all stages of the front end over it.
pub(crate) fn read(reading: &Reading) -> Result<Model> {
    read_with(reading, Given::default())
}

/// As [`read`], with formulas that the file does not declare, in which everything it declares has its
/// meaning.
pub(crate) fn read_with(reading: &Reading, extra: Given) -> Result<Model> {
    let mut given = files::read_given(&reading.file)?;
    let name = given.name.clone();
    let Given { formula, propositions } = extra;
    let language = reading.language();
    if language != Language::Promela && (formula.is_some() || !propositions.is_empty()) {
        bail!(
            "formulas are about the variables of Promela models, and machines have none\n\
             help: leave --ltl and --automaton out, or use --check finite, which is about actions"
        );
    }
    let mut machines = |format| Some(load_machines(&name, &mut given, format));
    let loaded = match language {
        Language::Promela => None,
        Language::Scm => machines(Format::Scm),
        Language::Fsa => machines(Format::Fsa),
        Language::Kmc => machines(Format::Kmc),
        Language::Aut => Some(load_transitions(&name, &mut given)),
    };
    if let Some(loaded) = loaded {
        let declarations = Declarations::of_machines(&loaded.model);
        let Loaded { sources, diagnostics, program, model: machines, unchecked } = loaded;
        let (given, formula) = (Vec::new(), None);
        return Ok(Model {
            sources,
            diagnostics,
            declarations,
            program,
            machines,
            given,
            formula,
            unchecked,
        });
    }
    let mut loaded = load(&name, &mut given, &reading.options());
    let known = |text: &String| loaded.model.formulas.iter().any(|known| *known.name == **text);
    let formula = formula.map(|text| text.trim().to_owned()).filter(|text| !known(text));
    let count = usize::from(formula.is_some()) + propositions.len();
    if count > 0 && !loaded.has_errors() {
        let before = loaded.program.items.len();
        let options = Options { formula: formula.clone(), propositions, ..reading.options() };
        loaded = load(&name, &mut given, &options);
        // A brace in it could have ended its block and begun something else.
        if !loaded.has_errors() && loaded.program.items.len() != before + count {
            bail!(
                "--ltl and the propositions of --automaton are one formula each\n\
                 help: leave out what is no part of the formula; `ltl` blocks belong into the file"
            );
        }
    }
    let Loaded { sources, diagnostics, mut program, model: mut machines, unchecked } = loaded;
    // They come last, and are no part of what the file says.
    let mut given = Vec::new();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        program.items.truncate(program.items.len().saturating_sub(count));
        given = machines.formulas.split_off(machines.formulas.len().saturating_sub(count));
    }
    let declarations = Declarations::of(&program);
    Ok(Model { sources, diagnostics, declarations, program, machines, given, formula, unchecked })
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
