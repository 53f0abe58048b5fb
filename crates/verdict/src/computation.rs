//! A finite computation that a formula over actions does not allow, confirmed.
//!
//! The steps are done again by the semantics alone, and the formula is asked what it says of their
//! actions by its definition; neither the automaton nor the search has a part in it.

use crate::trace::{NotConfirmed, Trace, perform};
use pverify_semantics::Engine;
use pverify_semantics::action::alphabet::{Alphabet, Letter};
use pverify_semantics::action::names::Names;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Step;
use pverify_temporal::finite::semantics::holds;
use pverify_temporal::formula::{FormulaId, Formulas};

/// A computation that a formula does not allow, though it allows every shorter beginning of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computation {
    /// Its steps.
    pub trace: Trace,
    /// The names of its actions.
    pub actions: Vec<String>,
}

/// Does steps again with an engine that listens, up to the first action among those of the last
/// `tail` steps at which the formula does not allow the computation. (Every beginning is a
/// computation, but to ask about each of a long one would take its length squared.) The atoms of
/// the formula are those of the alphabet.
///
/// # Errors
/// When a step is not possible, or the formula allows all of it.
pub fn confirm_computation(
    engine: &mut Engine<'_>,
    names: &Names<'_>,
    alphabet: &Alphabet,
    (formulas, formula): (&Formulas, FormulaId),
    (steps, tail): (&[Step], usize),
) -> Result<Computation, NotConfirmed> {
    let mut trace = perform(engine, &FaultKind::Rejected, steps)?;
    let mut letters: Vec<Letter> = Vec::new();
    let mut actions = Vec::new();
    let allows = |letters: &[Letter]| {
        holds(formulas, formula, letters.len(), |at, atom| letters[at].contains(atom.index()))
    };
    if steps.len() <= tail && !allows(&letters) {
        trace.steps.clear();
        return Ok(Computation { trace, actions });
    }
    let mut done = 0;
    for at in 0..trace.steps.len() {
        done += trace.steps[at].steps.len();
        for deed in &trace.steps[at].deeds {
            let action = deed.view();
            letters.push(alphabet.letter(&action));
            actions.push(names.name(&action));
            if done + tail > steps.len() && !allows(&letters) {
                trace.steps.truncate(at + 1);
                return Ok(Computation { trace, actions });
            }
        }
    }
    Err(NotConfirmed("the formula allows the computation".into()))
}
