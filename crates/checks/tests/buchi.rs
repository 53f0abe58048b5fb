//! Deterministic Büchi acceptance of models: known cases, and random models and formulas beside the
//! automaton of the negation; all other routes of a formula must give the same answer.

use pverify_checks::buchi::{Property, Unusable, buchi};
use pverify_checks::cycles::Way;
use pverify_checks::ltl::ltl;
use pverify_model::load::{Loaded, load_text};
use pverify_search::control::{Observer, Progress, Settings, Visited, Wanted};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use pverify_temporal::automaton::components::components;
use pverify_temporal::automaton::{Automaton, Marks, StateId};
use pverify_temporal::classify::Class;
use pverify_temporal::formula::{Atom, Formulas};
use pverify_temporal::hoa;
use pverify_temporal::lasso::Valuation;
use pverify_temporal::property::Asking;
use pverify_temporal::translate::translate_both;
use pverify_verdict::Verdict;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::num::NonZeroUsize;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

fn load(model: &str) -> Loaded {
    let loaded = load_text(model);
    assert!(!loaded.has_errors(), "{model}\n{:?}", loaded.diagnostics);
    loaded
}

/// The verdict with some numbers of threads, and how often steps are taken before the cycle and in
/// it.
fn ask(loaded: &Loaded, property: &Property, what: &str) -> Result<(), (usize, usize)> {
    let mut answers = Vec::new();
    for (threads, shortest) in [(1, true), (1, false), (4, false)] {
        let mut engine = Engine::new(&loaded.model);
        let threads = NonZeroUsize::new(threads).expect("at least one");
        let settings = Settings { threads, alone: 0, ..Settings::new(Wanted::PROPERTY) };
        let found = buchi(&mut engine, property, &settings, shortest, &mut Patient);
        answers.push(match found.answer.verdict {
            Verdict::Holds { .. } => Ok(()),
            Verdict::Violated { trace } => {
                let from = trace.cycle_from.expect("a cycle");
                Err((from, trace.steps.len() - from))
            }
            Verdict::Inconclusive { reason } => panic!("{reason}: {what}"),
        });
    }
    assert!(answers.iter().all(|one| one.is_ok() == answers[0].is_ok()), "{answers:?}: {what}");
    answers.swap_remove(0)
}

/// A model with one formula.
fn check(model: &str, formula: &str, expected: Result<(), (usize, usize)>) {
    let loaded = load(&format!("{model} ltl {{ {formula} }}"));
    let mut formulas = Formulas::default();
    let asking = Asking::of(&loaded.model.formulas[0], &mut formulas);
    let property = Property::of_formula(formulas, asking).expect("a recurrence formula");
    assert_eq!(ask(&loaded, &property, formula), expected, "{formula} of {model}");
}

const TOGGLE: &str = "byte x; active proctype P() { do :: x = 1 - x od }";
const CHOICE: &str = "byte x; active proctype P() { do :: x = 1; x = 0 :: x = 2; x = 0 od }";

#[test]
fn cycles_without_acceptance_are_found() {
    check(TOGGLE, "[]<> (x == 1)", Ok(()));
    check(TOGGLE, "[]<> (x == 2)", Err((0, 2)));
    check(CHOICE, "[]<> (x == 0)", Ok(()));
    check(CHOICE, "[]<> (x == 1)", Err((0, 2)));
    check(CHOICE, "[]<> (x == 1) || []<> (x == 2)", Ok(()));
    check(CHOICE, "[] ((x == 1) -> <> (x == 0))", Ok(()));
    check(CHOICE, "[] ((x == 1) -> <> (x == 2))", Err((0, 2)));
    check(CHOICE, "[] (x < 2)", Err((0, 2)));
    check(CHOICE, "(x == 0) U (x == 1)", Err((0, 2)));
}

/// A run that ends repeats its last state.
#[test]
fn runs_that_end_stutter() {
    let model = "byte x; active proctype P() { x = 1; x = 2 }";
    check(model, "<> (x == 2)", Ok(()));
    check(model, "[]<> (x == 2)", Ok(()));
    check(model, "[]<> (x == 1)", Err((3, 0)));
    check(model, "[]<> (x == 0)", Err((3, 0)));
    check("byte x; active proctype P() { x == 1 }", "[]<> (x == 1)", Err((0, 0)));
}

#[test]
fn other_formulas_are_refused_with_their_class() {
    for (formula, class) in [
        ("<>[] (x == 1)", Class::Persistence),
        ("[]<> (x == 1) -> []<> (x == 2)", Class::Reactivity),
    ] {
        let loaded = load(&format!("{CHOICE} ltl {{ {formula} }}"));
        let mut formulas = Formulas::default();
        let asking = Asking::of(&loaded.model.formulas[0], &mut formulas);
        let refused = Property::of_formula(formulas, asking).err();
        assert_eq!(refused, Some(Unusable::Class(class)), "{formula}");
    }
}

/// Each proposition of an automaton is asked as a formula of its own.
fn check_automaton(
    model: &str,
    propositions: &[&str],
    text: &str,
    expected: Result<Result<(), (usize, usize)>, Unusable>,
) {
    let blocks: String =
        propositions.iter().map(|proposition| format!(" ltl {{ {proposition} }}")).collect();
    let loaded = load(&format!("{model}{blocks}"));
    let mut formulas = Formulas::default();
    let asked = loaded.model.formulas.iter().map(|property| {
        let asking = Asking::of(property, &mut formulas);
        asking.as_proposition(&formulas).expect("no temporal operator")
    });
    let asked = asked.collect();
    let automaton = hoa::read_one(text).expect("an automaton").automaton;
    let found =
        Property::of_automaton(automaton, asked).map(|property| ask(&loaded, &property, text));
    assert_eq!(found, expected, "{text}");
}

#[test]
fn automata_of_files_are_followed() {
    // Infinitely often the first, with acceptance on edges.
    let often = "HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0) --BODY-- \
        State: 0 [0] 0 {0} [!0] 0 --END--";
    check_automaton(TOGGLE, &["x == 1"], often, Ok(Ok(())));
    check_automaton(TOGGLE, &["x == 1 || x == 0 && x < 7"], often, Ok(Ok(())));
    check_automaton(TOGGLE, &["!(x == 1) && x == 1"], often, Ok(Err((0, 2))));
    // Two sets.
    let both = "HOA: v1 States: 1 Start: 0 AP: 2 \"p\" \"q\" Acceptance: 2 Inf(0) & Inf(1) --BODY-- \
        State: 0 [0&1] 0 {0 1} [0&!1] 0 {0} [!0&1] 0 {1} [!0&!1] 0 --END--";
    check_automaton(TOGGLE, &["x == 1", "x == 0"], both, Ok(Ok(())));
    check_automaton(CHOICE, &["x == 1", "x == 2"], both, Ok(Err((0, 2))));
    // One that is not complete: where it cannot go on, nothing is accepted.
    let twice = "HOA: v1 States: 2 Start: 0 AP: 1 \"p\" Acceptance: 0 t --BODY-- \
        State: 0 [!0] 1 State: 1 [0] 0 --END--";
    check_automaton(TOGGLE, &["x == 1"], twice, Ok(Ok(())));
    check_automaton(CHOICE, &["x == 1"], twice, Ok(Err((0, 2))));
    let guess = "HOA: v1 States: 2 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0) --BODY-- \
        State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1 --END--";
    check_automaton(TOGGLE, &["x == 1"], guess, Err(Unusable::NotDeterministic));
}

/// The next states with the processes that move there; those that can move; whether a step goes
/// wrong.
#[derive(Default)]
struct Next(Vec<(Vec<u64>, u64)>, u64, bool);

impl Visitor for Next {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        let (first, movers) = path.movers();
        self.0.push((words.to_vec(), movers));
        self.1 |= first;
    }

    fn fault(&mut self, fault: FaultKind, _: Path<'_>) {
        self.2 |= fault != FaultKind::InvalidEndState && !fault.is_survivable();
    }
}

/// The oracle: whether the negation's automaton accepts some run of the model, and some weakly fair
/// run, by the components of the explicit product. None if a step goes wrong.
fn has_run(loaded: &Loaded, asking: &Asking, negation: &Automaton) -> Option<(bool, bool)> {
    let mut engine = Engine::new(&loaded.model);
    let questions: Vec<_> =
        asking.propositions.iter().map(|e| engine.question(e).expect("compiles")).collect();
    let start = engine.initial().to_vec();
    let mut pairs: Vec<(Vec<u64>, StateId)> =
        negation.initial.iter().map(|&state| (start.clone(), state)).collect();
    // Beside the marks: the processes that move, or cannot.
    let mut edges: Vec<Vec<(usize, Marks, u64)>> = Vec::new();
    while edges.len() < pairs.len() {
        let (mut state, at) = pairs[edges.len()].clone();
        let mut letter = Valuation::default();
        for (atom, &question) in questions.iter().enumerate() {
            if engine.ask(question, &mut state).expect("nothing goes wrong") {
                letter.insert(Atom(atom as u32));
            }
        }
        let mut next = Next::default();
        engine.successors(&state, &mut next);
        if next.2 {
            return None;
        }
        if next.0.is_empty() {
            next.0.push((state, 0));
        }
        let mut leaving = Vec::new();
        for edge in negation.edges_of(at).iter().filter(|edge| edge.label.holds(&letter)) {
            for (words, movers) in &next.0 {
                let pair = (words.clone(), edge.target);
                let known = pairs.iter().position(|known| *known == pair);
                let target = known.unwrap_or_else(|| {
                    pairs.push(pair);
                    pairs.len() - 1
                });
                leaving.push((target, edge.marks, !next.1 | movers));
            }
        }
        edges.push(leaving);
    }
    let parts = components(pairs.len(), |state, next| edges[state].get(next).map(|edge| edge.0));
    let mut marks = vec![None::<(Marks, u64)>; parts.count];
    for (state, leaving) in edges.iter().enumerate() {
        for (target, met, movers) in leaving {
            if parts.of[*target] == parts.of[state] {
                let (known, fair) = marks[parts.of[state]].unwrap_or_default();
                marks[parts.of[state]] = Some((known.union(*met), fair | movers));
            }
        }
    }
    let all = Marks::all(negation.sets);
    let accepting: Vec<u64> =
        marks.iter().flatten().filter(|(marks, _)| all.within(*marks)).map(|one| one.1).collect();
    Some((!accepting.is_empty(), accepting.contains(&u64::MAX)))
}

/// Whether a formula is violated, by every route but the deterministic one: one thread and two,
/// by bits, and the shortest first.
fn ask_ltl(loaded: &Loaded, fair: bool, expected: bool, what: &str) {
    let ways = [(1, false, false), (2, false, false), (1, true, false), (1, false, true)];
    for (threads, bits, shortest) in ways {
        let settings = Settings {
            visited: if bits { Visited::Bitstate { hashes: 3 } } else { Visited::Exact },
            memory: 1 << 22,
            alone: 0,
            ..Settings::new(Wanted::PROPERTY)
        };
        let threads = NonZeroUsize::new(threads).expect("at least one");
        let mut way = Way { settings, threads, shortest, fair, observer: &mut Patient };
        let mut engine = Engine::new(&loaded.model);
        let found = ltl(&mut engine, &loaded.model.formulas[0], &mut way);
        let violated = match found.answer.verdict {
            Verdict::Holds { .. } => false,
            Verdict::Violated { .. } => true,
            Verdict::Inconclusive { reason } => panic!("{reason}: {what}"),
        };
        let way = format!("{threads} threads, bits: {bits}, fair: {fair}, {}", found.route);
        assert_eq!(violated, expected, "{way}: {what}");
    }
}

/// A small model of one or two processes over two variables and a channel.
fn random_model(random: &mut StdRng) -> String {
    let mut text = "byte x; byte y; chan c = [1] of { byte };\n".to_owned();
    for name in ["P", "Q"].into_iter().take(random.random_range(1..3)) {
        let mut part = |count: usize| -> String {
            let statement = |random: &mut StdRng| match random.random_range(0..9) {
                0 => format!("x = {}", random.random_range(0..3)),
                1 => format!("y = {}", random.random_range(0..2)),
                2 => "x = 1 - y".to_owned(),
                3 => format!("y == {}", random.random_range(0..2)),
                4 => "x > 0".to_owned(),
                5 => "c!1".to_owned(),
                6 => "c?1".to_owned(),
                7 => "atomic { x = 0; y = 1 - y }".to_owned(),
                _ => "timeout -> x = 0".to_owned(),
            };
            (0..count).map(|_| statement(random)).collect::<Vec<_>>().join("; ")
        };
        let (before, one, two) = (part(1), part(2), part(2));
        text += &match random.random_range(0..3) {
            0 => format!("active proctype {name}() {{ {before}; do :: {one} :: {two} od }}\n"),
            1 => {
                format!("active proctype {name}() {{ {before}; do :: {one} :: {two}; break od }}\n")
            }
            _ => format!("active proctype {name}() {{ {before}; {one}; do :: {two} od }}\n"),
        };
    }
    text
}

/// A formula over four propositions, as text.
fn random_formula(random: &mut StdRng, size: usize) -> String {
    if size == 0 {
        return ["(x == 0)", "(x == 1)", "(y == 1)", "(len(c) > 0)"][random.random_range(0..4)]
            .to_owned();
    }
    let kind = random.random_range(0..9);
    let left = random_formula(random, (size - 1) / 2);
    let right = random_formula(random, (size - 1) - (size - 1) / 2);
    match kind {
        0 | 1 => format!("[] ({right})"),
        2 | 3 => format!("<> ({right})"),
        4 => format!("! ({right})"),
        5 => format!("(({left}) && ({right}))"),
        6 => format!("(({left}) -> ({right}))"),
        7 => format!("(({left}) U ({right}))"),
        _ => format!("X ({right})"),
    }
}

/// Random models and formulas; what fails is printed with its seed.
#[test]
fn random_models_agree_with_the_negation() {
    // More if the compiler optimises.
    let cases: u64 = if cfg!(debug_assertions) { 150 } else { 1_500 };
    let (mut violated, mut held, mut refused, mut unfair) = (0, 0, 0, 0);
    for seed in 0..cases {
        let mut random = StdRng::seed_from_u64(seed);
        let model = random_model(&mut random);
        let size = random.random_range(1..7);
        let formula = random_formula(&mut random, size);
        let formula = if seed.is_multiple_of(2) { format!("[] ({formula})") } else { formula };
        let what = format!("seed {seed}\n{model}ltl {{ {formula} }}");
        let loaded = load(&format!("{model}ltl {{ {formula} }}"));
        let mut formulas = Formulas::default();
        let asking = Asking::of(&loaded.model.formulas[0], &mut formulas);
        let both = translate_both(&mut formulas, asking.formula, &asking.vocabulary)
            .expect("a small automaton");
        let Some((expected, fair)) = has_run(&loaded, &asking, &both.negative) else { continue };
        ask_ltl(&loaded, false, expected, &what);
        ask_ltl(&loaded, true, fair, &what);
        unfair += u64::from(expected && !fair);
        let property = match Property::of_formula(formulas, asking) {
            Ok(property) => property,
            Err(Unusable::Class(class)) => {
                assert!(!class.is_recurrence(), "{what}");
                refused += 1;
                continue;
            }
            Err(why) => panic!("{why:?}: {what}"),
        };
        assert_eq!(ask(&loaded, &property, &what).is_err(), expected, "{what}");
        if expected {
            violated += 1;
        } else {
            held += 1;
        }
    }
    let summary =
        format!("{violated} violated ({unfair} not fairly), {held} held, {refused} refused");
    assert!(violated > cases / 8 && held > cases / 8 && refused < cases / 4, "{summary}");
    assert!(unfair > cases / 300, "{summary}");
}

/// What the headers of the gallery promise of formulas that have a deterministic automaton.
#[test]
fn the_gallery_keeps_its_promises() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocols");
    let mut asked = 0;
    for file in std::fs::read_dir(folder).expect("the gallery").flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".pml") {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).expect("a model");
        let states = text.split("states=").nth(1).and_then(|rest| rest.split_whitespace().next());
        let promises: Vec<(String, bool)> = text
            .lines()
            .filter(|line| !line.contains("fairness"))
            .filter_map(|line| line.split_once("expect: ltl:")?.1.split_once(' '))
            .map(|(formula, rest)| (formula.to_owned(), rest.starts_with("holds")))
            .collect();
        if promises.is_empty() || states.is_none_or(|states| states.len() > 4) {
            continue;
        }
        let loaded = load(&text);
        for (formula, holds) in promises {
            let mut known = loaded.model.formulas.iter();
            let block = known.find(|block| *block.name == *formula).expect("the formula");
            let mut formulas = Formulas::default();
            let asking = Asking::of(block, &mut formulas);
            if let Ok(property) = Property::of_formula(formulas, asking) {
                let what = format!("{formula} of {name}");
                assert_eq!(ask(&loaded, &property, &what).is_ok(), holds, "{what}");
                asked += 1;
            }
        }
    }
    assert!(asked > 20, "{asked} formulas");
}
