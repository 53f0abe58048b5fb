//! Formulas over actions: known cases, and random models and formulas against brute force.

mod brute_force;
mod random;

use brute_force::first_violation;
use pverify_checks::finite::{FiniteAnswer, Property, Unusable, finite};
use pverify_model::load::{Loaded, load_text};
use pverify_search::control::{Observer, Progress, Settings, Wanted};
use pverify_semantics::Engine;
use pverify_temporal::formula::parse::parse;
use pverify_temporal::formula::print::print;
use pverify_temporal::formula::{Formulas, Vocabulary};
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

fn load(text: &str) -> Loaded {
    let loaded = load_text(text);
    assert!(!loaded.has_errors(), "{text}\n{:?}", loaded.diagnostics);
    loaded
}

fn property<'m>(
    loaded: &'m Loaded,
    formula: &str,
    observe: &[&str],
    hide: &[&str],
) -> Result<Property<'m>, Unusable> {
    let (mut formulas, mut atoms) = (Formulas::default(), Vocabulary::default());
    let formula = parse(formula, &mut formulas, &mut atoms).expect("a formula");
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let (observe, hide) = (owned(observe), owned(hide));
    Property::new(&loaded.model, (formulas, formula), &atoms, (&observe, &hide))
}

fn ask(loaded: &Loaded, property: &Property<'_>, threads: usize, shortest: bool) -> FiniteAnswer {
    let mut engine = Engine::new(&loaded.model);
    let threads = NonZeroUsize::new(threads).expect("at least one");
    let wanted = Wanted { deadlocks: false, steps: false };
    let settings = Settings { threads, alone: 0, ..Settings::new(wanted) };
    finite(&mut engine, property, &settings, shortest, &mut Patient)
}

/// The actions of a shortest violation, separated by spaces; `holds`; or what is wrong.
fn check_with(model: &str, formula: &str, observe: &[&str], hide: &[&str], expected: &str) {
    let loaded = load(model);
    let found = match property(&loaded, formula, observe, hide) {
        Err(Unusable::Pattern(error)) => error.message,
        Err(Unusable::TooLarge(why)) => why.to_string(),
        Ok(property) => {
            let FiniteAnswer { answer, actions, .. } = ask(&loaded, &property, 1, true);
            let again = ask(&loaded, &property, 2, false);
            assert_eq!(answer.verdict.name(), again.answer.verdict.name(), "{formula}");
            match answer.verdict {
                Verdict::Holds { .. } => "holds".to_owned(),
                Verdict::Violated { .. } => actions.join(" "),
                Verdict::Inconclusive { reason } => reason,
            }
        }
    };
    assert_eq!(found, expected, "{formula} of {model}");
}

fn check(model: &str, formula: &str, expected: &str) {
    check_with(model, formula, &[], &[], expected);
}

const REQUESTS: &str = "mtype = { ask, tell }; chan c = [1] of { mtype, byte };
    chan d = [0] of { byte };
    active proctype P() { again: do :: c!ask,1 -> d?2 :: c!tell,1 -> break od; stop: skip }
    active proctype Q() { mtype m; byte x; do :: c?m,x -> if :: m == ask -> d!2 :: else -> break fi od }";

#[test]
fn messages_are_actions() {
    check(REQUESTS, "G (\"c!ask\" -> X (!\"c!_\" U \"d!2\" | G !\"d!2\"))", "holds");
    check(REQUESTS, "G !\"c!tell\"", "c!tell,1");
    check(REQUESTS, "G !\"c?tell,1\"", "c!tell,1 c?tell,1");
    check(REQUESTS, "G !\"c!tell(1)\"", "c!tell,1");
    check(REQUESTS, "G !\"c!tell,2\"", "holds");
}

/// A rendezvous is one action with two names.
#[test]
fn a_rendezvous_is_one_action() {
    check(REQUESTS, "G !\"d?2\"", "c!ask,1 c?ask,1 tau d!2");
    check(REQUESTS, "G (\"d?2\" <-> \"d!2\")", "holds");
    check(REQUESTS, "G (\"d!_\" -> \"d!2\")", "holds");
}

#[test]
fn labels_are_actions() {
    check(REQUESTS, "G !\"P:stop\"", "c!tell,1 P:stop");
    check(REQUESTS, "G !stop", "c!tell,1 P:stop");
    check(REQUESTS, "G (again -> \"c!_\")", "holds");
    check(REQUESTS, "G !\"P[1]:stop\"", "holds");
    check(
        "active [2] proctype P() { here: skip; there: skip }",
        "G !\"P[1]:there\"",
        "P[1]:here P[1]:there",
    );
}

#[test]
fn the_empty_computation_counts() {
    check(REQUESTS, "F \"c!tell\"", "");
    check(REQUESTS, "false", "");
    check(REQUESTS, "true", "holds");
    // Figure 5 of the paper pushes the first pair unchecked.
    check("chan a = [1] of { bit }; active proctype P() { a!1 }", "\"a!1\" U \"a?1\"", "");
}

/// The end of a process is a step too.
#[test]
fn weak_next_holds_at_the_end() {
    let model = "chan a = [1] of { bit }; active proctype P() { a!1 }";
    check(model, "X tau", "holds");
    check(model, "X false", "a!1 tau");
    check(model, "X X false", "holds");
    check("active proctype P() { do :: skip od }", "G tau", "holds");
}

/// Every beginning of a path through an atomic block or a `d_step` is a computation.
#[test]
fn atomic_blocks_have_all_their_actions() {
    let model = "chan c = [6] of { byte }; byte x;
        active proctype P() { atomic { c!1; c!2; x = 1; c!3 } }
        active proctype Q() { x = 1; d_step { c!4; c!5 } }";
    check(model, "G !\"c!3\"", "c!1 c!2 tau c!3");
    check(model, "G (\"c!1\" -> X \"c!2\")", "holds");
    check(model, "G (\"c!1\" -> X[!] \"c!2\")", "c!1");
    check(model, "G !\"c!5\"", "tau c!4 c!5");
    check(model, "G (\"c!4\" -> X \"c!5\")", "holds");
}

/// A step that fails is none, but those before it in its block are.
#[test]
fn what_happens_before_a_fault_counts() {
    let model = "chan c = [3] of { byte }; byte x;
        active proctype P() { atomic { c!1; x = 1 / x } }";
    check(model, "G !\"c!1\"", "c!1");
    check(
        model,
        "G !\"c!2\"",
        "a step goes wrong, or a proposition does, and what comes after it is not known; see --check safety",
    );
}

#[test]
fn channels_are_called_as_where_they_are_declared() {
    let model = "chan q[2] = [1] of { byte };
        proctype S(chan out; byte v) { chan own = [1] of { bit }; out!v; own!1 }
        init { run S(q[0], 3); run S(q[1], 4) }";
    check(model, "G !\"q[1]!4\"", "tau tau q[1]!4");
    check(model, "G !\"q[_]!3\"", "tau q[0]!3");
    check(model, "G !\"S:own!1\"", "tau q[0]!3 S[1]:own!1");
    check(model, "G !\"S[2]:own!1\"", "tau tau q[1]!4 S[2]:own!1");
}

/// Two states that differ in a hidden variable only lead to different actions.
#[test]
fn hidden_variables_are_not_forgotten() {
    let model = "hidden byte h; chan c = [1] of { byte };
        active proctype P() { if :: h = 0 :: h = 1 fi; if :: h == 1 -> c!1 :: h == 0 -> c!2 fi }";
    check(model, "G !\"c!1\"", "tau tau c!1");
    check(model, "G !\"c!2\"", "tau tau c!2");
}

#[test]
fn what_is_hidden_is_tau() {
    let formula = "G (tau | \"c!tell\")";
    check_with(REQUESTS, formula, &[], &[], "holds");
    check_with(REQUESTS, formula, &["c!_"], &[], "c!ask,1");
    check_with(REQUESTS, formula, &["c!_"], &["c!ask"], "holds");
    check_with(REQUESTS, formula, &[], &["c!tell"], "holds");
    check_with(REQUESTS, "G !\"c!tell\"", &[], &["c!_"], "holds");
}

#[test]
fn what_the_model_has_not_is_said() {
    check(REQUESTS, "\"e!1\"", "there is no channel `e`");
    check(REQUESTS, "\"c!1,2,3\"", "`c!1,2,3` has more fields than messages of `c`");
    check(REQUESTS, "\"c!asked\"", "`asked` is not a value that a message can hold");
    check(REQUESTS, "\"c!ask,256\"", "a field never holds 256");
    check(REQUESTS, "\"R:stop\"", "there is no process type `R`");
    check(REQUESTS, "\"P[x]:stop\"", "`P[x]` does not name a process");
    check(REQUESTS, "asking", "`asking` is no action of the model: there is no such label");
}

/// All computations of up to this length are tried by brute force.
const LONGEST: usize = 8;

/// Random models and formulas; what fails is printed with its seed.
#[test]
fn random_models_agree_with_brute_force() {
    // All cases if the compiler optimises; without that they would take minutes.
    let cases: u64 = if cfg!(debug_assertions) { 150 } else { 1_000 };
    let (mut violated, mut open, mut decided) = (0, 0, 0);
    for seed in 0.. {
        if decided == cases {
            break;
        }
        let mut random = StdRng::seed_from_u64(seed);
        let text = random::model(&mut random);
        let loaded = load(&text);
        let mut formulas = Formulas::default();
        let atoms = Vocabulary::new(random::ATOMS);
        let size = random.random_range(1..9);
        let formula = random::formula(&mut random, &mut formulas, atoms.len() as u32, size);
        let what = format!("seed {seed}: {} of\n{text}", print(&formulas, &atoms, formula));
        let expected = first_violation(&loaded.model, &formulas, formula, LONGEST);
        let property = Property::new(&loaded.model, (formulas, formula), &atoms, (&[], &[]))
            .unwrap_or_else(|why| panic!("{why:?}: {what}"));
        let shortest = ask(&loaded, &property, 1, true);
        let deep = ask(&loaded, &property, 1 + seed as usize % 3, false);
        match (&shortest.answer.verdict, expected) {
            (Verdict::Holds { .. }, None) => {}
            (Verdict::Violated { .. }, Some(length)) => {
                assert_eq!(shortest.actions.len(), length, "{what}");
                violated += 1;
            }
            (Verdict::Violated { .. }, None) => {
                assert!(shortest.actions.len() > LONGEST, "{:?} {what}", shortest.actions);
            }
            // A step goes wrong: such a case counts for nothing.
            (Verdict::Inconclusive { reason }, None) if reason.starts_with("a step") => open += 1,
            (found, expected) => panic!("{found:?} but {expected:?}: {what}"),
        }
        decided += u64::from(!matches!(shortest.answer.verdict, Verdict::Inconclusive { .. }));
        let names = (shortest.answer.verdict.name(), deep.answer.verdict.name());
        assert_eq!(names.0, names.1, "{what}");
    }
    assert!(violated > cases / 5 && open < cases / 5, "{violated} violated, {open} open");
}
