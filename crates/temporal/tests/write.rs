//! What the writers write, and that `never` claims and drawings name every state.

use pverify_syntax::options::{MemoryLoader, Options};
use pverify_syntax::read::read;
use pverify_temporal::finite::derivative::minimal;
use pverify_temporal::formula::parse::parse;
use pverify_temporal::formula::{Formulas, Vocabulary};
use pverify_temporal::hoa::read_one;
use pverify_temporal::translate::translate;
use pverify_temporal::write::{dfa_dot, dfa_hoa, dfa_listing, dot, listing, never};

fn check_never(formula: &str, expected: &str) {
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::default());
    let parsed = parse(formula, &mut formulas, &mut names).expect("a formula");
    let automaton = translate(&mut formulas, parsed, &names).expect("a small automaton");
    assert_eq!(never(&automaton, formula).as_deref(), Ok(expected), "{formula}");
}

/// The front end must be able to read what is written.
#[test]
fn claims_are_promela() {
    for formula in ["GFp0 -> GFp1", "p0 U (p1 U p2)", "true", "false", "G p0", "F(p0 & XGp1)"] {
        let (mut formulas, mut names) = (Formulas::default(), Vocabulary::default());
        let parsed = parse(formula, &mut formulas, &mut names).expect("a formula");
        let automaton = translate(&mut formulas, parsed, &names).expect("a small automaton");
        let claim = never(&automaton, formula).expect("short labels");
        let text = format!("bool p0, p1, p2;\ninit {{ skip }}\n{claim}");
        let mut loader = MemoryLoader::default().with("model.pml", text);
        let problems = read("model.pml", &mut loader, &Options::default()).diagnostics;
        assert!(problems.is_empty(), "{formula}: {problems:?}\n{claim}");
    }
}

#[test]
fn claims() {
    check_never(
        "F(p & G !q)",
        "never { /* F(p & G !q) */
T0_init:
\tdo
\t:: (p && !q) -> goto accept_S1
\t:: (true) -> goto T0_init
\tod;
accept_S1:
\tdo
\t:: (!q) -> goto accept_S1
\tod;
}
",
    );
    check_never(
        "\"x > 1\" U q",
        "never { /* \"x > 1\" U q */
T0_init:
\tdo
\t:: ((x > 1) && !q) -> goto T0_init
\t:: (q) -> goto accept_all
\tod;
accept_all:
\tskip
}
",
    );
    check_never("false", "never { /* false */\nT0_init:\n\tfalse;\n}\n");
}

/// A claim begins in one place, whatever the automaton does.
#[test]
fn claims_of_automata_with_several_starts_or_none() {
    let text = |starts| {
        format!(
            "HOA: v1\nStates: 2\n{starts}AP: 1 \"p\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
             State: 0 {{0}}\n[0] 0\nState: 1 {{0}}\n[!0] 1\n--END--\n"
        )
    };
    let claim = |starts| {
        let hoa = read_one(&text(starts)).expect("an automaton");
        never(&hoa.automaton, "").expect("short labels")
    };
    let several = claim("Start: 0\nStart: 1\n");
    let begin = "T0_init:\n\tdo\n\t:: (p) -> goto accept_S0\n\t:: (!p) -> goto accept_S1\n\tod;\n";
    assert!(several.contains(begin), "{several}");
    let none = claim("");
    assert!(none.starts_with("never {\nT0_init:\n\tfalse;\n"), "{none}");
}

#[test]
fn listings() {
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::default());
    let formula = parse("G(\"x > 1\" -> Fb)", &mut formulas, &mut names).expect("a formula");
    let automaton = translate(&mut formulas, formula, &names).expect("a small automaton");
    let text = listing(&automaton);
    assert!(text.starts_with("state 0, initial"), "{text}");
    assert!(text.contains("!(x > 1)"), "{text}");
    let dfa = minimal(&mut formulas, formula, 2).expect("a small automaton");
    let text = dfa_listing(&dfa, &names);
    assert!(text.contains("  to 0: b\n  to 1: x > 1\n"), "{text}");
}

#[test]
fn drawings() {
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::default());
    let formula = parse("GFa & GFb", &mut formulas, &mut names).expect("a formula");
    let automaton = translate(&mut formulas, formula, &names).expect("a small automaton");
    let text = dot(&automaton);
    assert!(text.contains("0 -> 0 [label=\"a & b\\n{0,1}\"]"), "{text}");
    assert!(text.contains("0 -> 0 [label=\"!a & !b\"]"), "{text}");
}

#[test]
fn automata_of_finite_computations() {
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::new(["a", "b", "tau"]));
    let formula = parse("G(a -> X(!a U b))", &mut formulas, &mut names).expect("a formula");
    let dfa = minimal(&mut formulas, formula, 3).expect("a small automaton");
    let text = dfa_dot(&dfa, &names);
    assert!(text.contains("0 -> 0 [label=\"b, tau\"]"), "{text}");
    let hoa = read_one(&dfa_hoa(&dfa, &names)).expect("our own text");
    assert_eq!(hoa.automaton.size().states, 3);
    assert!(hoa.automaton.is_deterministic());
}
