//! A formula holds on every infinite run.
//!
//! The automaton of its negation moves with the model; a run that it accepts is a counterexample. If
//! the formula is a safety formula, a violation shows after finitely many steps, where the smallest
//! deterministic automaton of the negation comes to a state that accepts everything: then it is
//! enough to reach that. (Every beginning of a run can go on fairly, so fairness does not matter.)
//! Otherwise cycles are looked for. An automaton that would be too large beforehand is expanded as
//! the search needs it.

use crate::cycles::{Infinite, Run, Way, accepting, cycles, reaching, scope, undecided};
use pverify_model::machine::Property;
use pverify_search::companion::formula::FormulaAutomaton;
use pverify_search::control::Counts;
use pverify_search::product::Runs;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_temporal::automaton::letters::{Alphabet, Dense};
use pverify_temporal::automaton::weak::minimal_weak;
use pverify_temporal::automaton::{Automaton, Size, StateId};
use pverify_temporal::classify::Classifier;
use pverify_temporal::formula::normal::negated;
use pverify_temporal::formula::{Atom, Formulas};
use pverify_temporal::lasso::{Lasso, Valuation};
use pverify_temporal::property::Asking;
use pverify_temporal::translate::{Translation, on_the_fly, translate, translate_both};

/// Whether the property of the model holds.
pub fn ltl(engine: &mut Engine<'_>, property: &Property, way: &mut Way<'_>) -> Infinite {
    let mut formulas = Formulas::default();
    let asking = Asking::of(property, &mut formulas);
    let mut judge = |engine: &mut Engine<'_>, run: &Run| refutes(engine, &formulas, &asking, run);
    let runs = Runs { fair: way.fair, stutter: true };
    let mut formulas = formulas.clone();
    let both = translate_both(&mut formulas, asking.formula, &asking.vocabulary).ok();
    if let Some((automaton, end)) = both.as_ref().and_then(refuting) {
        let size = automaton.size();
        let companion = FormulaAutomaton::built(automaton, Some(end), asking.propositions.clone());
        let answer = reaching(engine, companion, way, &mut judge);
        let route = format!(
            "a safety formula: reachability in the product with a deterministic automaton of {}; \
             {}",
            counted(size),
            scope(Runs::ALL)
        );
        return Infinite { answer, route, automaton: Some(size) };
    }
    let negation = negated(&mut formulas, asking.formula);
    let automaton = match both {
        Some(both) => Ok(both.negative),
        None => translate(&mut formulas, negation, &asking.vocabulary),
    };
    let (companion, size) = match automaton {
        Ok(automaton) => {
            let size = automaton.size();
            let propositions = asking.propositions.clone();
            (FormulaAutomaton::built(automaton, None, propositions), Some(size))
        }
        Err(_) => match on_the_fly(&mut formulas, negation, &asking.vocabulary) {
            Ok(tableau) => (FormulaAutomaton::expanded(tableau, asking.propositions.clone()), None),
            Err(why) => {
                let answer = undecided(why.to_string(), Counts::default());
                return Infinite { answer, route: String::new(), automaton: None };
            }
        },
    };
    let fault = FaultKind::FormulaViolated;
    let answer = accepting(engine, (companion, runs), &fault, way, &mut judge);
    let automaton = size.map_or_else(
        || "expanded as needed".to_owned(),
        |size| {
            let sets = if size.sets == 1 { "acceptance set" } else { "acceptance sets" };
            format!("of {} and {} {sets}", counted(size), size.sets)
        },
    );
    let route = format!(
        "{} of the product with an automaton of the negation, {automaton}; {}",
        cycles(way),
        scope(runs)
    );
    Infinite { answer, route, automaton: size }
}

fn counted(size: Size) -> String {
    format!("{} state{}", size.states, if size.states == 1 { "" } else { "s" })
}

/// For a safety formula: the smallest deterministic automaton of its negation, and the state from
/// which it accepts everything.
fn refuting(both: &Translation) -> Option<(Automaton, StateId)> {
    if !Classifier::new(both)?.class()?.is_safety() {
        return None;
    }
    let alphabet = Alphabet::of([&both.positive, &both.negative])?;
    let positive = Dense::new(&both.positive, &alphabet);
    let negative = Dense::new(&both.negative, &alphabet);
    let automaton = minimal_weak(&negative, &positive)?
        .to_automaton(&both.negative.vocabulary, &alphabet)
        .with_one_start();
    let accepts_all = |state: &StateId| {
        let edges = automaton.edges_of(*state).iter();
        edges.into_iter().any(|edge| {
            edge.target == *state
                && edge.label.is_true()
                && edge.marks.0.count_ones() == automaton.sets
        })
    };
    let end = automaton.states().find(accepts_all);
    match end {
        Some(end) => Some((automaton, end)),
        // A negation that no run satisfies: nothing can be reached.
        None if automaton.edges.iter().all(Vec::is_empty) => Some((automaton, StateId(u32::MAX))),
        None => None,
    }
}

/// Judges a run by the definition of the logic. Where the formula was refuted by a beginning, any
/// way to go on will do: the last state is repeated.
fn refutes(
    engine: &mut Engine<'_>,
    formulas: &Formulas,
    asking: &Asking,
    run: &Run,
) -> Result<(), String> {
    let mut questions = Vec::new();
    for expression in &asking.propositions {
        questions.push(engine.question(expression).map_err(|fault| fault.to_string())?);
    }
    let mut letters = |states: &[Vec<u64>]| -> Result<Vec<Valuation>, String> {
        let mut letters = Vec::new();
        for state in states {
            let (mut letter, mut state) = (Valuation::default(), state.clone());
            for (atom, &question) in questions.iter().enumerate() {
                if engine.ask(question, &mut state).map_err(|fault| fault.to_string())? {
                    letter.insert(Atom(atom as u32));
                }
            }
            letters.push(letter);
        }
        Ok(letters)
    };
    let (mut stem, mut cycle) = (letters(&run.stem)?, letters(&run.cycle)?);
    if cycle.is_empty() {
        cycle.extend(stem.pop());
    }
    let lasso = Lasso::new(stem, cycle).ok_or("there is no run")?;
    if lasso.satisfies(formulas, asking.formula) {
        return Err("the formula holds on the run that was found".into());
    }
    Ok(())
}
