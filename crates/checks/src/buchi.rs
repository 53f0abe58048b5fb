//! Deterministic Büchi acceptance: every infinite run of a model is accepted by an automaton.
//!
//! The automaton comes from a file, or from a formula whose class is recurrence or smaller: these
//! are the formulas that have one. It reads what is true in the states of a run; where it could not
//! go on it goes to a sink, in which nothing is accepted. Then the model and the automaton are
//! searched together for a cycle in which nothing accepts ([`pverify_search::partial`]).
//!
//! A run that ends repeats its last state for ever, as SPIN has it.

use crate::safety::{Answer, reason};
use pverify_model::machine::Expression;
use pverify_search::companion::formula::FormulaAutomaton;
use pverify_search::control::{Counts, Observer, Settings, Wanted};
use pverify_search::partial::{Acceptance, Found, NotAccepted, search};
use pverify_search::product::{Product, Runs};
use pverify_search::system::System as _;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::question::Question;
use pverify_temporal::automaton::degeneralize::degeneralize;
use pverify_temporal::automaton::{Automaton, Marks, Size};
use pverify_temporal::classify::{Class, Classifier};
use pverify_temporal::formula::{Atom, FormulaId, Formulas};
use pverify_temporal::lasso::{Lasso, Valuation};
use pverify_temporal::property::Asking;
use pverify_temporal::tableau::TooLarge;
use pverify_temporal::translate::translate_both;
use pverify_verdict::{Scope, Trace, Verdict, confirm_cycle_shortened};
use std::sync::Arc;

/// An automaton that every infinite run must be accepted by.
#[derive(Debug)]
pub struct Property {
    /// Deterministic and complete, with acceptance on states.
    automaton: Automaton,
    /// Which of its states accept.
    accepting: Arc<[bool]>,
    /// What its atoms ask.
    propositions: Vec<Expression>,
    judge: Judge,
}

/// What says of a run whether it is accepted, without the search.
#[derive(Debug)]
enum Judge {
    Formula(Formulas, FormulaId),
    /// The automaton as it was given.
    Automaton(Automaton),
}

/// Why there is nothing to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// The formula has no deterministic Büchi automaton, being of this class.
    Class(Class),
    /// Deciding the class of the formula, or making its automaton, takes too long.
    TooLong,
    /// The automaton of the formula is too large.
    TooLarge(TooLarge),
    /// The automaton has several ways to go on with one letter, or several initial states.
    NotDeterministic,
}

impl Property {
    /// The deterministic automaton of a formula.
    ///
    /// # Errors
    /// When there is none, or it is too large.
    pub fn of_formula(mut formulas: Formulas, asking: Asking) -> Result<Self, Unusable> {
        let both = translate_both(&mut formulas, asking.formula, &asking.vocabulary)
            .map_err(Unusable::TooLarge)?;
        let classifier = Classifier::new(&both).ok_or(Unusable::TooLong)?;
        let class = classifier.class().ok_or(Unusable::TooLong)?;
        if !class.is_recurrence() {
            return Err(Unusable::Class(class));
        }
        let automaton = classifier.deterministic_buchi().ok_or(Unusable::TooLong)?;
        Self::with(automaton, asking.propositions, Judge::Formula(formulas, asking.formula))
    }

    /// An automaton whose atoms ask these propositions.
    ///
    /// # Errors
    /// When it is not deterministic.
    pub fn of_automaton(
        automaton: Automaton,
        propositions: Vec<Expression>,
    ) -> Result<Self, Unusable> {
        if !automaton.is_deterministic() {
            return Err(Unusable::NotDeterministic);
        }
        let judge = Judge::Automaton(automaton.clone());
        Self::with(automaton, propositions, judge)
    }

    fn with(
        automaton: Automaton,
        propositions: Vec<Expression>,
        judge: Judge,
    ) -> Result<Self, Unusable> {
        let on_states = automaton.sets <= 1 && automaton.state_marks().is_some();
        let automaton = if on_states { automaton } else { degeneralize(&automaton) };
        if !automaton.is_deterministic() {
            return Err(Unusable::NotDeterministic);
        }
        let accepts = |marks: &Marks| automaton.sets == 0 || marks.contains(0);
        let marks = automaton.state_marks().ok_or(Unusable::NotDeterministic)?;
        let mut accepting: Vec<bool> = marks.iter().map(accepts).collect();
        let automaton = automaton.completed();
        accepting.resize(automaton.edges.len(), false);
        Ok(Self { automaton, accepting: accepting.into(), propositions, judge })
    }

    /// How large the automaton is that was searched with, the sink included.
    pub fn size(&self) -> Size {
        self.automaton.size()
    }

    /// Whether a run is accepted, by definition.
    fn allows(&self, run: &Lasso) -> bool {
        match &self.judge {
            Judge::Formula(formulas, formula) => run.satisfies(formulas, *formula),
            Judge::Automaton(automaton) => automaton.accepts(run),
        }
    }
}

/// An answer, and how large a state was.
#[derive(Clone, Debug)]
pub struct BuchiAnswer {
    /// The answer.
    pub answer: Answer,
    /// Bytes of the largest state, the automaton's included.
    pub state_bytes: usize,
}

/// Checks that every infinite run of a model is accepted.
pub fn buchi(
    engine: &mut Engine<'_>,
    property: &Property,
    settings: &Settings,
    shortest: bool,
    observer: &mut dyn Observer,
) -> BuchiAnswer {
    let settings = Settings { wanted: Wanted::PROPERTY, ..*settings };
    if let Some(fault) = engine.initial_faults.first() {
        return open(Counts::default(), format!("the model has no initial state: {fault}"));
    }
    let propositions: Arc<[Expression]> = property.propositions.clone().into();
    let companion = FormulaAutomaton::built(property.automaton.clone(), None, propositions);
    let mut product = match Product::new(engine.fork(), companion, Runs::ALL) {
        Ok(product) => product,
        Err(fault) => return open(Counts::default(), fault.to_string()),
    };
    let acceptance =
        OnStates { product: product.fork(), accepting: Arc::clone(&property.accepting) };
    let Found { counts, run, cut } =
        search(&mut product, &acceptance, &settings, shortest, observer);
    let stopped = observer.reason(&counts);
    let ended = stopped.or_else(|| cut.map(|cut| reason(cut, &settings)));
    let verdict = match run {
        Some(NotAccepted::Lasso { way, from }) => {
            let mut states: Vec<Vec<u64>> =
                way.states().map(|state| product.parts(&state).0).collect();
            states.pop();
            violated(engine, property, &states, from as usize)
        }
        Some(NotAccepted::NoWay(cut)) => Verdict::Inconclusive {
            reason: format!(
                "there is a run that is not accepted, but the way to it was not found: {}",
                ended.clone().unwrap_or_else(|| reason(cut, &settings))
            ),
        },
        None => match &ended {
            None => Verdict::Holds { scope: Scope { states: counts.states, omitted: None } },
            Some(reason) => Verdict::Inconclusive { reason: reason.clone() },
        },
    };
    engine.absorb(product.engine());
    let is_violated = matches!(verdict, Verdict::Violated { .. });
    let answer = Answer {
        counts,
        complete: ended.is_none() && (!is_violated || settings.all_errors),
        omitted: None,
        ended_by: ended.filter(|_| is_violated && settings.all_errors),
        verdict,
    };
    let extra = usize::BITS - property.accepting.len().leading_zeros();
    let state_bytes = engine.state_bytes() + engine.hidden * 8 + (extra as usize).div_ceil(8);
    BuchiAnswer { answer, state_bytes }
}

/// A run that is not accepted, done again.
fn violated(
    engine: &mut Engine<'_>,
    property: &Property,
    states: &[Vec<u64>],
    from: usize,
) -> Verdict {
    match confirm(engine, property, states, from) {
        Ok(trace) => Verdict::Violated { trace: Box::new(trace) },
        Err(why) => Verdict::Inconclusive {
            reason: format!(
                "a counterexample was found but could not be confirmed ({why}); this is a mistake \
                 of pverify, please report it"
            ),
        },
    }
}

fn confirm(
    engine: &mut Engine<'_>,
    property: &Property,
    states: &[Vec<u64>],
    from: usize,
) -> Result<Trace, String> {
    let mut questions: Vec<Question> = Vec::new();
    for proposition in &property.propositions {
        questions.push(engine.question(proposition).map_err(|fault| fault.to_string())?);
    }
    let letter = |engine: &mut Engine<'_>, state: &[u64]| -> Result<Valuation, FaultKind> {
        let (mut valuation, mut state) = (Valuation::default(), state.to_vec());
        for (at, &question) in questions.iter().enumerate() {
            if engine.ask(question, &mut state)? {
                valuation.insert(Atom(at as u32));
            }
        }
        Ok(valuation)
    };
    let (stem, cycle) = states.split_at(from.min(states.len()));
    let mut is_wrong = |engine: &mut Engine<'_>, stem: &[Vec<u64>], cycle: &[Vec<u64>]| {
        let mut letters = |states: &[Vec<u64>]| -> Option<Vec<Valuation>> {
            states.iter().map(|state| letter(engine, state).ok()).collect()
        };
        let run =
            letters(stem).zip(letters(cycle)).and_then(|(stem, cycle)| Lasso::new(stem, cycle));
        run.is_some_and(|run| !property.allows(&run))
    };
    if !is_wrong(engine, stem, cycle) {
        return Err("the run is accepted".to_owned());
    }
    let fault = FaultKind::NotAccepted;
    confirm_cycle_shortened(engine, &fault, (stem, cycle), false, &mut is_wrong)
        .map_err(|why| why.0)
}

/// Acceptance by the state of the automaton.
struct OnStates<'m> {
    /// Knows where the automaton's part of a state lies.
    product: Product<'m, FormulaAutomaton>,
    accepting: Arc<[bool]>,
}

impl Acceptance for OnStates<'_> {
    fn accepts(&mut self, state: &[u64]) -> bool {
        let number = self.product.number(state) as usize;
        self.accepting.get(number).copied().unwrap_or(false)
    }

    fn fork(&self) -> Self {
        Self { product: self.product.fork(), accepting: Arc::clone(&self.accepting) }
    }
}

fn open(counts: Counts, reason: String) -> BuchiAnswer {
    let verdict = Verdict::Inconclusive { reason };
    let answer = Answer { verdict, counts, complete: false, omitted: None, ended_by: None };
    BuchiAnswer { answer, state_bytes: 0 }
}
