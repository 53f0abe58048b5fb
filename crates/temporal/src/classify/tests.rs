//! Recorded classes, and deterministic automata of random formulas against their meaning.

use super::*;
use crate::formula::Vocabulary;
use crate::formula::parse::parse;
use crate::testing::{check_formulas, random_lasso, vocabulary};
use crate::translate::translate_both;
use rand::SeedableRng as _;
use rand::rngs::StdRng;

/// The class by its letter, and whether stuttering cannot be told.
fn check(text: &str, class: char, stutter_invariant: bool) {
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::default());
    let formula = parse(text, &mut formulas, &mut names).expect("a formula");
    let both = translate_both(&mut formulas, formula, &names).expect("a small automaton");
    let classifier = Classifier::new(&both).expect("few letters");
    assert_eq!(classifier.class().map(Class::letter), Some(class), "{text}");
    let found = classifier.is_stutter_invariant(&mut formulas, formula);
    assert_eq!(found, Some(stutter_invariant), "{text}");
    let buchi = classifier.deterministic_buchi();
    assert_eq!(buchi.is_some(), !"PT".contains(class), "{text}");
    if let Some(buchi) = buchi {
        assert_eq!(classifier.is_equivalent(&buchi), Some(true), "{text}");
    }
}

#[test]
fn recorded_classes() {
    check("true", 'B', true);
    check("a & X b", 'B', false);
    check("G !p0", 'S', true);
    check("Fp0 -> (!p1 U p0)", 'S', true);
    check("p0 U p1", 'G', true);
    check("G!p0 | F(p0 & Fp1)", 'O', true);
    check("G(p0 -> Fp1)", 'R', true);
    check("G(p0 -> XFp1) & G(p1 -> X p0)", 'R', false);
    check("GFa & GFb", 'R', true);
    check("F p U G q", 'P', true);
    check("FGp0 | FGp1", 'P', true);
    check("GFp0 -> GFp1", 'T', true);
    check("G(p0 -> X(p0 | p1))", 'S', true);
    check("GF(!(p1 <-> Xp1) | !(p0 <-> Xp0))", 'R', true);
}

#[test]
fn deterministic_automata_accept_what_the_formula_says() {
    check_formulas(6, 600, 2, 8, |formulas, formula, seed| {
        let names = vocabulary(2);
        let both = translate_both(formulas, formula, &names).map_err(|error| error.to_string())?;
        let classifier = Classifier::new(&both).ok_or("too many letters")?;
        let class = classifier.class().ok_or("no class")?;
        let (Some(deterministic), Some(buchi)) =
            (classifier.deterministic(), classifier.deterministic_buchi())
        else {
            return if class.is_recurrence() {
                Err(format!("{class}, but no automaton"))
            } else {
                Ok(())
            };
        };
        if !class.is_recurrence() {
            return Err(format!("{class}, but there is an automaton"));
        }
        if !buchi.is_deterministic() || buchi.sets != 1 || buchi.state_marks().is_none() {
            return Err("one set on states of a deterministic automaton was promised".to_owned());
        }
        if classifier.is_equivalent(&buchi) != Some(true) {
            return Err("it is not equivalent".to_owned());
        }
        let mut random = StdRng::seed_from_u64(seed);
        for _ in 0..60 {
            let lasso = random_lasso(&mut random, 2);
            let holds = lasso.satisfies(formulas, formula);
            if deterministic.accepts(&lasso) != holds || buchi.accepts(&lasso) != holds {
                return Err(format!("it is wrong on {lasso:?}"));
            }
        }
        Ok(())
    });
}

/// Repeating a letter of a run must not matter where stuttering cannot be told, and the other way
/// round the answer «can be told» must have a witness among the repetitions of some run.
#[test]
fn stuttering_runs_are_judged_alike() {
    use crate::lasso::Lasso;
    let (mut told, mut shown) = (0, 0);
    check_formulas(7, 400, 2, 7, |formulas, formula, seed| {
        let names = vocabulary(2);
        let both = translate_both(formulas, formula, &names).map_err(|error| error.to_string())?;
        let classifier = Classifier::new(&both).ok_or("too many letters")?;
        let invariant = classifier.is_stutter_invariant(formulas, formula).ok_or("too large")?;
        let mut random = StdRng::seed_from_u64(seed);
        let mut differs = false;
        for _ in 0..200 {
            let lasso = random_lasso(&mut random, 2);
            let letters = |from: usize, to: usize| {
                (from..to).map(|at| lasso.letter(at).clone()).collect::<Vec<_>>()
            };
            let (mut stem, mut cycle) =
                (letters(0, lasso.cycle_from()), letters(lasso.cycle_from(), lasso.len()));
            use rand::RngExt as _;
            for word in [&mut stem, &mut cycle] {
                if !word.is_empty() {
                    let at = random.random_range(0..word.len());
                    word.insert(at, word[at].clone());
                }
            }
            let longer = Lasso::new(stem, cycle).ok_or("no cycle")?;
            differs |= lasso.satisfies(formulas, formula) != longer.satisfies(formulas, formula);
        }
        told += usize::from(!invariant);
        shown += usize::from(differs);
        if invariant && differs { Err("stuttering is told".to_owned()) } else { Ok(()) }
    });
    // Random runs do not find every witness, but nearly.
    assert!(shown * 10 >= told * 9, "{shown} witnesses for {told} formulas");
}
