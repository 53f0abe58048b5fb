//! The papers' formulas and random ones: automata against the inductive semantics.

use super::derivative::{derive, minimal};
use super::dfa::{Action, Dfa};
use super::semantics::satisfies;
use crate::formula::parse::parse;
use crate::formula::{FormulaId, Formulas, Vocabulary};
use crate::testing::check_formulas;

const ACTIONS: usize = 3;

/// Every computation of up to `length` actions must be judged alike.
fn compare(
    formulas: &Formulas,
    formula: FormulaId,
    dfa: &Dfa,
    length: usize,
) -> Result<(), String> {
    let mut work: Vec<Vec<Action>> = vec![Vec::new()];
    while let Some(computation) = work.pop() {
        let expected = satisfies(formulas, formula, &computation);
        if dfa.accepts(&computation) != expected {
            return Err(format!("{computation:?} should give {expected}"));
        }
        if computation.len() < length {
            for action in 0..ACTIONS as u32 {
                let mut longer = computation.clone();
                longer.push(Action(action));
                work.push(longer);
            }
        }
    }
    Ok(())
}

/// The states by derivatives and after minimisation; `a`, `b` and τ are the actions.
fn check(text: &str, derived: usize, smallest: usize) -> Dfa {
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::new(["a", "b", "tau"]));
    let formula = parse(text, &mut formulas, &mut names).expect("a formula");
    let dfa = derive(&mut formulas, formula, ACTIONS).expect("a small automaton");
    assert_eq!(dfa.len(), derived, "{text} by derivatives");
    assert_eq!(dfa.minimized().len(), smallest, "{text} minimised");
    for automaton in [&dfa, &dfa.minimized()] {
        assert_eq!(compare(&formulas, formula, automaton, 8), Ok(()), "{text}");
    }
    dfa.minimized()
}

#[test]
fn the_formulas_of_the_papers() {
    check("G(a -> X(!a U b))", 3, 3);
    check("F a U G b", 4, 3);
    check("a U b", 2, 2);
}

/// The language of the first formula, as corrected: (b∪τ)* (aτ*b(b∪τ)*)* (λ ∪ a).
#[test]
fn the_first_language_is_the_corrected_one() {
    let dfa = check("G(a -> X(!a U b))", 3, 3);
    let (a, b, tau) = (Action(0), Action(1), Action(2));
    assert!(dfa.accepts(&[]) && dfa.accepts(&[b, tau, a]) && dfa.accepts(&[a, tau, b, a]));
    assert!(!dfa.accepts(&[a, tau]) && !dfa.accepts(&[a, a]));
}

#[test]
fn the_empty_computation_is_judged() {
    for (text, expected) in [
        ("true", true),
        ("false", false),
        ("a", false),
        ("!a", true),
        ("X a", true),
        ("X[!] a", false),
        ("F true", false),
        ("G a", true),
        ("a U b", false),
        ("X false", true),
    ] {
        let (mut formulas, mut names) = (Formulas::default(), Vocabulary::new(["a", "b"]));
        let formula = parse(text, &mut formulas, &mut names).expect("a formula");
        assert_eq!(satisfies(&formulas, formula, &[]), expected, "{text}");
        let dfa = minimal(&mut formulas, formula, 2).expect("a small automaton");
        assert_eq!(dfa.accepts(&[]), expected, "the automaton of {text}");
    }
}

#[test]
fn random_formulas_agree_with_the_semantics() {
    check_formulas(5, 2_000, ACTIONS as u32, 10, |formulas, formula, seed| {
        let dfa = derive(formulas, formula, ACTIONS).map_err(|error| error.to_string())?;
        let smallest = dfa.minimized();
        if smallest.minimized() != smallest {
            return Err("minimised twice it differs".to_owned());
        }
        // All computations up to length 8 take 20 s, if the compiler optimises.
        let length = if !cfg!(debug_assertions) || seed % 100 == 0 { 8 } else { 4 };
        compare(formulas, formula, &dfa, length)?;
        compare(formulas, formula, &smallest, length)
    });
}

/// Several orders and responses over three actions, as properties of protocols are written.
#[test]
fn fifty_temporal_operators_are_not_too_many() {
    let actions = ["a", "b", "tau"];
    let mut parts = Vec::new();
    for at in 0..10 {
        let (one, two) = (actions[at % 3], actions[(at + 1) % 3]);
        let steps = "X ".repeat(1 + at % 3);
        parts.push(format!("G({one} -> {steps}(!{one} U {two} | G({one} | X {two})))"));
    }
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::new(actions));
    let text = parts.join(" & ");
    assert!(text.matches(['G', 'U', 'F', 'X']).count() >= 50);
    let formula = parse(&text, &mut formulas, &mut names).expect("a formula");
    let dfa = minimal(&mut formulas, formula, ACTIONS).expect("a small automaton");
    assert!(dfa.len() > 3, "{} states", dfa.len());
    assert_eq!(compare(&formulas, formula, &dfa, 7), Ok(()));
}
