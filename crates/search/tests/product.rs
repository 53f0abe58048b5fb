//! The product of a model and a companion, against a plain walk over pairs.

use pverify_model::load::load_text;
use pverify_model::machine::{Model, ProcessId, ProcessKind};
use pverify_search::companion::Companion;
use pverify_search::companion::claim::Claim;
use pverify_search::companion::formula::FormulaAutomaton;
use pverify_search::control::{Observer, Progress, Settings, Wanted};
use pverify_search::marked::{Marked, MarkedVisitor, Towards};
use pverify_search::product::{Product, Runs};
use pverify_search::system::System;
use pverify_search::{depth_first, emptiness};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use pverify_temporal::automaton::{Automaton, Marks, StateId};
use pverify_temporal::formula::Atom;
use pverify_temporal::formula::Formulas;
use pverify_temporal::formula::normal::negated;
use pverify_temporal::lasso::Valuation;
use pverify_temporal::property::Asking;
use pverify_temporal::translate::{on_the_fly, translate};
use std::collections::BTreeSet;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

fn states<C: Companion>(product: &mut Product<'_, C>) -> (u64, bool) {
    let settings = Settings { all_errors: true, ..Settings::new(Wanted::PROPERTY) };
    let outcome = depth_first::search(product, &settings, &mut Patient);
    assert_eq!(outcome.cut, None);
    (outcome.counts.states, outcome.violation.is_some())
}

#[derive(Default)]
struct Next(Vec<Vec<u64>>);

impl Visitor for Next {
    fn next(&mut self, words: &[u64], _: u32, _: Path<'_>) {
        self.0.push(words.to_vec());
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}

/// The pairs of model and automaton that can be reached, by the definition.
fn pairs(model: &Model, automaton: &Automaton, asking: &Asking) -> usize {
    let mut engine = Engine::new(model);
    let questions: Vec<_> =
        asking.propositions.iter().map(|e| engine.question(e).expect("compiles")).collect();
    let first = (engine.initial().to_vec(), automaton.initial[0]);
    let mut seen = BTreeSet::from([first.clone()]);
    let mut work = vec![first];
    while let Some((mut state, at)) = work.pop() {
        let mut letter = Valuation::default();
        for (atom, question) in questions.iter().enumerate() {
            if engine.ask(*question, &mut state).expect("an answer") {
                letter.insert(Atom(atom as u32));
            }
        }
        let mut next = Next::default();
        engine.successors(&state, &mut next);
        if next.0.is_empty() {
            next.0.push(state.clone());
        }
        for edge in automaton.edges_of(at).iter().filter(|edge| edge.label.holds(&letter)) {
            for state in &next.0 {
                let pair: (Vec<u64>, StateId) = (state.clone(), edge.target);
                if seen.insert(pair.clone()) {
                    work.push(pair);
                }
            }
        }
    }
    seen.len()
}

/// A model whose state has about `bits` bits, with a formula.
fn model(bits: usize, formula: &str, more: &str) -> String {
    let fill = (0..bits / 8).fold(String::new(), |text, at| format!("{text}int f{at} = {at};"));
    format!(
        "byte x; {fill} {more} chan c = [2] of {{ byte }};
        active proctype P() {{
            do :: x < 4 -> x++ :: c!x :: c?x :: x > 2 -> break od }}
        active proctype Q() {{ do :: x > 1 -> f0 = f0 ^ -1 :: x == 4 -> break od }}
        ltl {{ {formula} }}"
    )
}

#[test]
fn the_states_are_the_pairs() {
    for bits in (8..80).step_by(8) {
        for formula in
            ["[] (x < 3)", "[]<> (x == 1) -> <>[] (len(c) == 0)", "(x == 0) U (f0 != 0 U x)"]
        {
            let text = model(bits, formula, "");
            let loaded = load_text(text);
            assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
            let mut formulas = Formulas::default();
            let asking = Asking::of(&loaded.model.formulas[0], &mut formulas);
            let negation = negated(&mut formulas, asking.formula);
            let automaton = translate(&mut formulas, negation, &asking.vocabulary)
                .expect("small")
                .with_one_start();
            let expected = pairs(&loaded.model, &automaton, &asking) as u64;
            let propositions = asking.propositions.clone();
            let companion = FormulaAutomaton::built(automaton, None, propositions.clone());
            let engine = Engine::new(&loaded.model);
            let mut product = Product::new(engine, companion, Runs::ALL).expect("compiles");
            assert_eq!(states(&mut product), (expected, false), "{bits} {formula}");
            let tableau = on_the_fly(&mut formulas, negation, &asking.vocabulary).expect("small");
            let companion = FormulaAutomaton::expanded(tableau.clone(), propositions);
            let engine = Engine::new(&loaded.model);
            let mut product = Product::new(engine, companion, Runs::ALL).expect("compiles");
            let automaton = tableau.automaton().expect("small");
            let expected = pairs(&loaded.model, &automaton, &asking) as u64;
            assert_eq!(states(&mut product), (expected, false), "{bits} {formula}");
        }
    }
}

/// States and steps that a search for a run goes through on which each of these happens again and
/// again; there is none.
fn repeated(model: &str, wanted: &[String], fair: bool) -> (u64, u64) {
    let each: Vec<_> = wanted.iter().map(|what| format!("[]<> ({what})")).collect();
    let loaded = load_text(format!("{model} ltl {{ {} }}", each.join(" && ")));
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let mut formulas = Formulas::default();
    let asking = Asking::of(&loaded.model.formulas[0], &mut formulas);
    let automaton = translate(&mut formulas, asking.formula, &asking.vocabulary).expect("small");
    assert_eq!((automaton.size().states, automaton.sets as usize), (1, wanted.len()));
    let companion = FormulaAutomaton::built(automaton, None, asking.propositions);
    let runs = Runs { fair, stutter: true };
    let mut product = Product::new(Engine::new(&loaded.model), companion, runs).expect("compiles");
    let settings = Settings::new(Wanted::PROPERTY);
    let outcome = emptiness::search(&mut product, &settings, &mut Patient);
    assert!(outcome.cut.is_none() && outcome.found.is_none(), "{:?}", outcome.found);
    (outcome.counts.states, outcome.counts.transitions)
}

#[test]
fn ten_demands_and_fairness_cost_neither_states_nor_steps() {
    let model = "bit x[9]; bit idle; active [9] proctype P() {
        do :: atomic { x[_pid] == 0 -> x[_pid] = 1 } :: atomic { x[_pid] == 1 -> x[_pid] = 0 } od }";
    let one = vec!["idle".to_owned()];
    let mut ten: Vec<_> = (0..9).map(|at| format!("x[{at}]")).collect();
    ten.push("idle".to_owned());
    let expected = (1 << 9, 9 << 9);
    for wanted in [one, ten] {
        for fair in [false, true] {
            assert_eq!(repeated(model, &wanted, fair), expected, "{wanted:?} {fair}");
        }
    }
}

#[test]
fn hidden_variables_are_part_of_a_product() {
    let text = "hidden byte h; byte x;
        active proctype P() { do :: h = 1 - h :: x = 1 - x od } ltl { []<> (h == 1) }";
    let loaded = load_text(text);
    let mut formulas = Formulas::default();
    let asking = Asking::of(&loaded.model.formulas[0], &mut formulas);
    let automaton = translate(&mut formulas, asking.formula, &asking.vocabulary).expect("small");
    let companion = FormulaAutomaton::built(automaton, None, asking.propositions);
    let engine = Engine::new(&loaded.model);
    let mut product = Product::new(engine, companion, Runs::ALL).expect("compiles");
    assert_eq!(states(&mut product), (4, false));
}

/// States stored and whether the claim comes to its end; the figures are SPIN's (`pan -c0` with
/// `-DNOREDUCE -DSAFETY`).
fn check_claim(text: &str, expected: (u64, bool)) {
    let loaded = load_text(text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let kinds = loaded.model.processes.iter();
    let claim = kinds.into_iter().position(|process| process.kind == ProcessKind::Never);
    let id = ProcessId(claim.expect("a claim") as u32);
    let companion = Claim::new(&loaded.model, id).expect("it only looks");
    let engine = Engine::new(&loaded.model);
    let mut product = Product::new(engine, companion, Runs::ALL).expect("compiles");
    assert_eq!(states(&mut product), expected, "{text}");
}

#[test]
fn claims_have_the_states_of_spin() {
    let system = "byte x; active [2] proctype P() { do :: x < 3 -> x++ :: x > 0 -> x-- od }";
    check_claim(
        &format!(
            "{system} never {{ T: if :: x == 2 -> goto accept_A :: true -> goto T fi;
            accept_A: if :: x > 0 -> goto accept_A fi }}"
        ),
        (2085, false),
    );
    check_claim(&format!("{system} never {{ do :: x == 3 -> break :: else od }}"), (2054, true));
}

struct Gather(Vec<Marks>);

impl MarkedVisitor for Gather {
    fn next(&mut self, _: &[u64], _: u32, to: Towards, _: Path<'_>) {
        self.0.push(to.marks);
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}

#[test]
fn under_fairness_a_step_marks_who_moves_and_who_cannot() {
    let text = "byte x; active proctype A() { do :: x = 1 - x od }
        active proctype B() { x == 7; skip } active proctype C() { do :: x = 1 - x od }";
    let loaded = load_text(text);
    let companion = pverify_search::companion::labels::AcceptLabels;
    let runs = Runs { fair: true, stutter: true };
    let mut product = Product::new(Engine::new(&loaded.model), companion, runs).expect("compiles");
    let mut gather = Gather(Vec::new());
    let initial = product.initial();
    product.marked_successors(&initial, &mut gather);
    // The first set is that of the labels; youngest process first.
    let told: Vec<u64> = gather.0.iter().map(|marks| marks.0 & 0b11111).collect();
    assert_eq!(told, [0b11100, 0b10110]);
    assert_eq!(product.sets(), 64);
}
