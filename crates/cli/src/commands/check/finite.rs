//! `--check finite`: a formula over the actions of finite computations.

use super::{Asking, Checked, open};
use crate::commands::verify::Arguments;
use crate::front_end::Model;
use crate::interrupt::Interrupt;
use crate::output;
use anyhow::{Result, bail};
use pverify_checks::finite::{FiniteAnswer, Property, Unusable, finite};
use pverify_model::codes::UNUSED_LABEL;
use pverify_report::answers::Size;
use pverify_report::diagnostics;
use pverify_search::control::Wanted;
use pverify_semantics::Engine;
use pverify_syntax::source::Sources;
use pverify_temporal::diagnose;
use pverify_temporal::formula::parse::parse;
use pverify_temporal::formula::{FormulaId, Formulas, Vocabulary};
use pverify_verdict::Verdict;

const CHECK: &str = "finite";

/// A formula over actions as it was read.
pub(crate) struct Formula {
    text: String,
    formulas: Formulas,
    formula: FormulaId,
    atoms: Vocabulary,
}

/// Reads the formula; what is wrong with it is shown, and there is none then.
pub(crate) fn read(arguments: &Arguments) -> Result<Option<Formula>> {
    let Some(text) = arguments.ltl.clone() else {
        bail!(
            "--check finite needs a formula over actions\n\
             help: give one with --ltl, as in --ltl '[] (\"c!ask\" -> X (!\"c!ask\" U \"d!tell\"))'"
        );
    };
    let (mut formulas, mut atoms) = (Formulas::default(), Vocabulary::default());
    match parse(&text, &mut formulas, &mut atoms) {
        Ok(formula) => Ok(Some(Formula { text, formulas, formula, atoms })),
        Err(error) => {
            let mut sources = Sources::default();
            let file = sources.add_file("--ltl".to_owned(), text, None);
            let wrong = [diagnose::formula(&error, file)];
            let style = output::style(arguments.output.colors);
            output::note(&diagnostics::draw(&wrong, &sources, style));
            Ok(None)
        }
    }
}

impl Formula {
    /// Takes back what was said about labels that nothing uses, where the formula does.
    pub(crate) fn use_labels(&self, model: &mut Model) {
        let names: Vec<&str> = self
            .atoms
            .names()
            .iter()
            .map(|atom| atom.rsplit(':').next().unwrap_or(atom).trim())
            .collect();
        let sources = &model.sources;
        model.diagnostics.retain(|diagnostic| {
            diagnostic.code.id != UNUSED_LABEL.id || !names.contains(&sources.text(diagnostic.span))
        });
    }
}

/// Checks that every finite computation satisfies the formula.
pub(crate) fn run(
    arguments: &Arguments,
    model: &Model,
    formula: Formula,
    interrupt: &Interrupt,
) -> Result<Checked> {
    let Formula { text, formulas, formula, atoms } = formula;
    let chosen = (arguments.observe.as_slice(), arguments.hide.as_slice());
    let property = match Property::new(&model.machines, (formulas, formula), &atoms, chosen) {
        Ok(property) => property,
        Err(Unusable::Pattern(error)) => bail!("{}\nhelp: {}", error.message, error.help),
        Err(Unusable::TooLarge(why)) => {
            let answer = open(CHECK, Some(&text), &why.to_string());
            return Ok(Checked { answer, saved: None });
        }
    };
    let mut engine = Engine::new(&model.machines);
    let mut asking = Asking::new(arguments, interrupt, &engine, Wanted::PROPERTY);
    if asking.is_too_late() {
        let answer = open(CHECK, Some(&text), "interrupted before it began");
        return Ok(Checked { answer, saved: None });
    }
    let shortest = arguments.search.shortest;
    let found = finite(&mut engine, &property, &asking.settings, shortest, &mut asking.watch);
    let FiniteAnswer { answer, actions, state_bytes } = found;
    let is_violated = matches!(answer.verdict, Verdict::Violated { .. });
    let mut checked = asking.answered(model, &mut engine, CHECK, Some(&text), answer);
    let (states, letters) = property.size();
    checked.answer.automaton =
        Some(Size { states, edges: None, letters: Some(letters), ..Size::default() });
    checked.answer.actions = is_violated.then_some(actions);
    checked.answer.state_bytes = state_bytes;
    Ok(checked)
}
