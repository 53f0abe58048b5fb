//! A formula over actions: every finite computation satisfies it (Jard & Jéron 1989).
//!
//! The model is searched together with the automaton of the formula, which derivatives give. Every
//! beginning of a computation is a computation, the empty one included: so the formula holds iff
//! every reachable pair of states is one in which the automaton accepts, and no action leads where
//! it has nothing to go on with. Of the automaton only the states that accept are kept; what leads
//! out of them is the violation, and it is found as soon as it happens.
//!
//! The paper pushes the first pair unchecked; here a formula that the empty computation does not
//! satisfy is violated before any step.

mod product;

use crate::safety::{Answer, reason};
use product::{Product, Watcher};
use pverify_model::machine::Model;
use pverify_search::control::{Counts, Observer, Outcome, Settings, Violation, Wanted};
use pverify_search::system::System;
use pverify_search::{breadth_first, depth_first};
use pverify_semantics::Engine;
use pverify_semantics::action::alphabet::Alphabet;
use pverify_semantics::action::names::Names;
use pverify_semantics::action::pattern::PatternError;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_temporal::finite::derivative::derive;
use pverify_temporal::finite::dfa::{Dfa, DfaState};
use pverify_temporal::finite::letters::over_letters;
use pverify_temporal::formula::{FormulaId, Formulas, Vocabulary};
use pverify_temporal::tableau::TooLarge;
use pverify_verdict::{Scope, Verdict, confirm_computation};
use std::sync::Arc;

/// A formula over the actions of a model, and its automaton.
#[derive(Debug)]
pub struct Property<'m> {
    names: Names<'m>,
    alphabet: Alphabet,
    formulas: Formulas,
    formula: FormulaId,
    dfa: Dfa,
}

/// Why a formula cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It names an action that the model has not.
    Pattern(PatternError),
    /// Its automaton is too large.
    TooLarge(TooLarge),
}

impl<'m> Property<'m> {
    /// A formula whose atoms are patterns of actions; what is observed and hidden, as
    /// [`Alphabet::new`] says.
    ///
    /// # Errors
    /// When a pattern is none of the model, or the automaton is too large.
    pub fn new(
        model: &'m Model,
        (formulas, formula): (Formulas, FormulaId),
        atoms: &Vocabulary,
        (observe, hide): (&[String], &[String]),
    ) -> Result<Self, Unusable> {
        let names = Names::new(model);
        let alphabet =
            Alphabet::new(&names, atoms.names(), observe, hide).map_err(Unusable::Pattern)?;
        let letters = alphabet.letters();
        let mut over = Formulas::default();
        let contains = |letter: usize, atom: pverify_temporal::formula::Atom| {
            letters[letter].contains(atom.index())
        };
        let lettered = over_letters(&formulas, formula, letters.len(), contains, &mut over);
        let dfa = derive(&mut over, lettered, letters.len()).map_err(Unusable::TooLarge)?;
        let dfa = dfa.with_all_prefixes();
        Ok(Self { names, alphabet, formulas, formula, dfa })
    }

    /// States of the automaton, and edges between them, one for each source and target.
    pub fn size(&self) -> (usize, usize) {
        let states = (0..self.dfa.len() as u32).map(DfaState);
        (self.dfa.len(), states.map(|state| self.dfa.arrows(state).len()).sum())
    }
}

/// An answer, and the actions of the computation that is not allowed.
#[derive(Clone, Debug)]
pub struct FiniteAnswer {
    /// The answer.
    pub answer: Answer,
    /// The names of its actions.
    pub actions: Vec<String>,
    /// Bytes of the largest state, the automaton's included.
    pub state_bytes: usize,
}

/// Checks that every finite computation satisfies a formula.
pub fn finite(
    engine: &mut Engine<'_>,
    property: &Property<'_>,
    settings: &Settings,
    shortest: bool,
    observer: &mut dyn Observer,
) -> FiniteAnswer {
    let settings = Settings { wanted: Wanted { deadlocks: false, steps: false }, ..*settings };
    engine.listen();
    if let Some(fault) = engine.initial_faults.first() {
        let reason = format!("the model has no initial state: {fault}");
        return open(Counts::default(), reason);
    }
    let Some(initial) = property.dfa.initial() else {
        // Not even the empty computation satisfies it.
        let counts = Counts { errors: 1, ..Counts::default() };
        return confirm(engine, property, (&[], 0), counts, None);
    };
    let watcher = Arc::new(Watcher::new(property.alphabet.clone(), property.dfa.clone()));
    let mut product = Product::new(engine.fork(), watcher, initial, shortest);
    let Outcome { counts, violation, cut } = if shortest {
        breadth_first::search(&mut product, &settings, observer)
    } else {
        depth_first::search(&mut product, &settings, observer)
    };
    let stopped = observer.reason(&counts);
    let state_bytes = product.state_bytes();
    let steps = violation.map(|found| steps(&mut product, &found));
    engine.absorb(&product.into_engine());
    let ended = stopped.or_else(|| cut.map(|cut| reason(cut, &settings)));
    let mut answer = match steps {
        Some(Some((steps, tail))) => {
            let ended = ended.clone().filter(|_| settings.all_errors);
            confirm(engine, property, (&steps, tail), counts, ended)
        }
        Some(None) => not_confirmed(counts, "a state does not follow"),
        None => match &ended {
            None => FiniteAnswer {
                answer: Answer {
                    verdict: Verdict::Holds { scope: Scope { states: counts.states } },
                    counts,
                    complete: true,
                    ended_by: None,
                },
                actions: Vec::new(),
                state_bytes,
            },
            Some(reason) => open(counts, reason.clone()),
        },
    };
    let violated = matches!(answer.answer.verdict, Verdict::Violated { .. });
    answer.answer.complete = ended.is_none() && (!violated || settings.all_errors);
    answer.state_bytes = state_bytes;
    answer
}

/// The steps of the model on the way of a violation, and how many of them belong to the last step
/// of the product.
fn steps(product: &mut Product<'_>, found: &Violation) -> Option<(Vec<Step>, usize)> {
    let mut steps = Vec::new();
    let mut tail = 0;
    let mut add = |more: Vec<Step>, steps: &mut Vec<Step>| {
        if !more.is_empty() {
            tail = more.len();
            steps.extend(more);
        }
    };
    let mut states = found.way.states();
    let mut before = states.next()?;
    for state in states {
        let mut finder = Finder { to: &state, found: None };
        product.successors(&before, &mut finder);
        add(finder.found?, &mut steps);
        before = state;
    }
    add(found.steps.clone(), &mut steps);
    Some((steps, tail))
}

struct Finder<'a> {
    to: &'a [u64],
    found: Option<Vec<Step>>,
}

impl Visitor for Finder<'_> {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        if self.found.is_none() && words == self.to {
            self.found = Some(path.steps());
        }
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}

fn confirm(
    engine: &mut Engine<'_>,
    property: &Property<'_>,
    steps: (&[Step], usize),
    counts: Counts,
    ended_by: Option<String>,
) -> FiniteAnswer {
    let Property { names, alphabet, formulas, formula, .. } = property;
    match confirm_computation(engine, names, alphabet, (formulas, *formula), steps) {
        Ok(computation) => {
            let verdict = Verdict::Violated { trace: Box::new(computation.trace) };
            let answer = Answer { verdict, counts, complete: false, ended_by };
            FiniteAnswer { answer, actions: computation.actions, state_bytes: 0 }
        }
        Err(why) => not_confirmed(counts, &why.0),
    }
}

fn not_confirmed(counts: Counts, why: &str) -> FiniteAnswer {
    open(
        counts,
        format!(
            "a counterexample was found but could not be confirmed ({why}); this is a mistake of \
             pverify, please report it"
        ),
    )
}

fn open(counts: Counts, reason: String) -> FiniteAnswer {
    let verdict = Verdict::Inconclusive { reason };
    let answer = Answer { verdict, counts, complete: false, ended_by: None };
    FiniteAnswer { answer, actions: Vec::new(), state_bytes: 0 }
}
