//! `never` claims: counterexamples of every kind are confirmed, and the walk that confirms them says
//! of random runs and claims what the one that searches does.

use pverify_checks::claim::never;
use pverify_checks::cycles::Way;
use pverify_checks::ltl::ltl;
use pverify_model::load::{Loaded, load_text};
use pverify_model::machine::{Model, ProcessId, ProcessKind};
use pverify_search::companion::along;
use pverify_search::companion::claim::Claim;
use pverify_search::control::{Observer, Progress, Settings, Visited, Wanted};
use pverify_semantics::Engine;
use pverify_semantics::successors::{Path, Visitor};
use pverify_verdict::{ClaimWalk, Verdict};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::num::NonZeroUsize;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

fn load(text: &str) -> Loaded {
    let loaded = load_text(text);
    assert!(!loaded.has_errors(), "{text}\n{:?}", loaded.diagnostics);
    loaded
}

fn claim_of(model: &Model) -> ProcessId {
    let at = model.processes.iter().position(|process| process.kind == ProcessKind::Never);
    ProcessId(at.expect("a claim") as u32)
}

/// The only property of a model: the steps of the counterexample, and where its cycle begins.
fn check(text: &str, expected: Result<(), (usize, Option<usize>)>) {
    let loaded = load(text);
    for (threads, shortest, bits) in
        [(1, false, false), (1, true, false), (2, false, false), (1, false, true)]
    {
        let hashes = Visited::Bitstate { hashes: 3 };
        let settings = Settings {
            visited: if bits { hashes } else { Visited::Exact },
            memory: 1 << 22,
            alone: 0,
            ..Settings::new(Wanted::PROPERTY)
        };
        let threads = NonZeroUsize::new(threads).expect("at least one");
        let mut way = Way { settings, threads, shortest, fair: false, observer: &mut Patient };
        let mut engine = Engine::new(&loaded.model);
        let found = match loaded.model.formulas.first() {
            Some(formula) => ltl(&mut engine, formula, &mut way),
            None => never(&mut engine, claim_of(&loaded.model), &mut way),
        };
        let found = match found.answer.verdict {
            Verdict::Holds { .. } => Ok(()),
            Verdict::Violated { trace } => Err((trace.steps.len(), trace.cycle_from)),
            Verdict::Inconclusive { reason } => panic!("{reason}: {text}"),
        };
        assert_eq!(found, expected, "{text}");
    }
}

const ENDING: &str = "byte x; active proctype P() { x = 1; x = 2 }";

/// The model is at rest behind three steps; what watches it goes on.
#[test]
fn what_shows_while_the_last_state_is_repeated_is_confirmed() {
    let claim = "never { x == 0; x == 1; x == 2; x == 2; x == 2; x == 2 }";
    check(&format!("{ENDING} {claim}"), Err((3, Some(3))));
    let claim = "never { x == 0; x == 1; x == 2; x == 2; x == 2; x == 3 }";
    check(&format!("{ENDING} {claim}"), Ok(()));
    check(&format!("{ENDING} ltl {{ ! X X X X X X X (x == 2) }}"), Err((3, Some(3))));
    check(&format!("{ENDING} ltl {{ [] (x == 1 -> X X X X X (x == 1)) }}"), Err((3, Some(3))));
    check(&format!("{ENDING} ltl {{ ! X X X X X X X (x == 1) }}"), Ok(()));
    // Here the model goes on by a step that changes nothing.
    let going = "byte x; active proctype P() { x = 1; do :: skip od }";
    check(&format!("{going} never {{ x == 0; x == 1; x == 1; x == 1 }}"), Err((3, None)));
}

#[test]
fn a_claim_comes_to_its_end_in_many_ways() {
    let turning = "byte x; active proctype P() { do :: x = 1; x = 0 od }";
    check(&format!("{turning} never {{ do :: x == 1 -> break :: else od }}"), Err((1, None)));
    check(&format!("{turning} never {{ do :: assert(x == 0) od }}"), Err((1, None)));
    check(&format!("{turning} never {{ end: do :: x == 9 od }}"), Err((0, None)));
    check(&format!("{turning} never {{ accept: do :: x < 2 od }}"), Err((2, Some(0))));
    check(&format!("{turning} never {{ accept: do :: x == 1 od }}"), Ok(()));
    let escape = "{ do :: true od } unless { x == 1 }; accept: do :: true od";
    check(&format!("{turning} never {{ {escape} }}"), Err((2, Some(0))));
    check(&format!("{turning} never {{ {} }}", escape.replace("x == 1", "x == 7")), Ok(()));
}

const CONDITIONS: [&str; 8] =
    ["x == 0", "x == 1", "x != y", "true", "P@here", "timeout", "np_", "len(c) > 0"];

/// A model of two small processes, and a claim of a few labelled places.
fn random_text(random: &mut StdRng) -> String {
    let mut one = |from: &[&str]| from[random.random_range(0..from.len())].to_owned();
    let statements = ["x = 1 - x", "y = x", "c!x", "c?x", "x == 1 -> y = 0", "timeout -> x = 0"];
    let mut text = "bit x, y; chan c = [1] of { bit };\n".to_owned();
    for name in ["P", "Q"] {
        let label = one(&["here:", "accept: here:", "progress: here:", "here:"]);
        let (first, second, third) = (one(&statements), one(&statements), one(&statements));
        let turns = one(&["od", "; break od", "od"]);
        text += &format!(
            "active proctype {name}() {{ {first}; do :: {second} :: {third}; {label} skip {turns} }}\n"
        );
    }
    let count = random.random_range(2..5);
    let name = |random: &mut StdRng| {
        let place = random.random_range(0..count);
        let kinds = ["S", "accept_", "S", "S"];
        format!("{}{place}", kinds[place % kinds.len()])
    };
    text += "never {\n";
    for place in 0..count {
        let label = ["S", "accept_", "S", "S"][place % 4];
        let mut condition = || CONDITIONS[random.random_range(0..CONDITIONS.len())];
        let (first, second, third) = (condition(), condition(), condition());
        let (to, other) = (name(random), name(random));
        text += &match random.random_range(0..9) {
            0 => format!("{label}{place}: if :: {first} -> goto {to} :: else -> goto {other} fi;"),
            1 => format!(
                "{label}{place}: if :: atomic {{ {first} -> {second} -> goto {to} }} \
                 :: {third} -> goto {other} fi;"
            ),
            2 => {
                format!("{label}{place}: {{ {first}; {second} }} unless {{ {third} }}; goto {to};")
            }
            3 => format!("{label}{place}: assert({first} || {second}); goto {to};"),
            4 => format!("{label}{place}: do :: {first} :: {second} -> break od; goto {other};"),
            5 => format!("{label}{place}: {first};"),
            _ => format!(
                "{label}{place}: if :: {first} -> goto {to} :: {second} -> goto {other} fi;"
            ),
        };
        text.push('\n');
    }
    text + "}\n"
}

#[derive(Default)]
struct Next(Vec<Vec<u64>>);

impl Visitor for Next {
    fn next(&mut self, words: &[u64], _: u32, _: Path<'_>) {
        self.0.push(words.to_vec());
    }

    fn fault(&mut self, _: pverify_semantics::fault::FaultKind, _: Path<'_>) {}
}

/// A random run that repeats itself, if there is one among so many steps, or else its beginning.
fn random_run(engine: &mut Engine<'_>, random: &mut StdRng) -> (Vec<Vec<u64>>, Vec<Vec<u64>>) {
    let mut states = vec![engine.initial().to_vec()];
    for _ in 0..40 {
        let mut next = Next::default();
        let last = states[states.len() - 1].clone();
        engine.successors(&last, &mut next);
        let state = match next.0.len() {
            0 => last,
            count => next.0.swap_remove(random.random_range(0..count)),
        };
        let known = states.iter().position(|known| *known == state);
        match known {
            Some(from) if random.random_range(0..3) == 0 => {
                let cycle = states.split_off(from);
                return (states, cycle);
            }
            _ => states.push(state),
        }
    }
    (states, Vec::new())
}

/// Random models, claims and runs; what fails is printed with its seed.
#[test]
fn two_walks_of_a_claim_agree() {
    let cases: u64 = if cfg!(debug_assertions) { 300 } else { 3_000 };
    let (mut matched, mut missed, mut ended) = (0, 0, 0);
    for seed in 0..cases {
        let mut random = StdRng::seed_from_u64(seed);
        let text = random_text(&mut random);
        let loaded = load(&text);
        let id = claim_of(&loaded.model);
        let mut engine = Engine::new(&loaded.model);
        let mut companion = Claim::new(&loaded.model, id).expect("it only looks");
        let walk = ClaimWalk::new(&mut engine, id).expect("conditions that can be asked");
        for _ in 0..5 {
            let (stem, cycle) = random_run(&mut engine, &mut random);
            let ends = along::comes_to_its_end(&mut engine, &mut companion, &stem, &cycle);
            let accepts =
                !cycle.is_empty() && along::accepts(&mut engine, &mut companion, &stem, &cycle);
            let found = walk.matches(&mut engine, &stem, &cycle);
            assert_eq!(found, Ok(ends || accepts), "seed {seed}, {ends} {accepts}\n{text}");
            matched += u64::from(accepts);
            ended += u64::from(ends);
            missed += u64::from(!accepts && !ends);
        }
    }
    let summary = format!("{matched} accepted, {ended} ended, {missed} neither");
    assert!(matched > cases / 5 && ended > cases / 5 && missed > cases / 5, "{summary}");
}

/// Every counterexample of a random claim is confirmed, and a search by bits finds one where an
/// exact search does.
#[test]
fn random_claims_have_an_answer() {
    let cases: u64 = if cfg!(debug_assertions) { 100 } else { 1_000 };
    let mut violated = 0;
    for seed in 0..cases {
        let mut random = StdRng::seed_from_u64(seed);
        let text = random_text(&mut random);
        let loaded = load(&text);
        let mut answers = Vec::new();
        for (bits, fair) in [(false, false), (true, false), (false, true), (true, true)] {
            let hashes = Visited::Bitstate { hashes: 3 };
            let settings = Settings {
                visited: if bits { hashes } else { Visited::Exact },
                memory: 1 << 22,
                ..Settings::new(Wanted::PROPERTY)
            };
            let threads = NonZeroUsize::MIN;
            let mut way = Way { settings, threads, shortest: false, fair, observer: &mut Patient };
            let mut engine = Engine::new(&loaded.model);
            let found = never(&mut engine, claim_of(&loaded.model), &mut way);
            match found.answer.verdict {
                Verdict::Inconclusive { reason } => panic!("seed {seed}: {reason}\n{text}"),
                verdict => answers.push(verdict.name()),
            }
        }
        assert_eq!(answers[0], answers[1], "seed {seed}\n{text}");
        assert_eq!(answers[2], answers[3], "seed {seed}, fair\n{text}");
        assert!(answers[0] == "violated" || answers[2] == "holds", "seed {seed}\n{text}");
        violated += u64::from(answers[0] == "violated");
    }
    assert!(violated > cases / 5 && violated < cases * 4 / 5, "{violated} of {cases}");
}
