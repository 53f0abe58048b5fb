//! Reduced automata against the meaning of their formulas, and recorded sizes.

use super::*;
use crate::automaton::degeneralize::degeneralize;
use crate::formula::Atom;
use crate::formula::parse::parse;
use crate::hoa::{Hoa, read_one, write};
use crate::testing::{check_formulas, random_lasso, vocabulary};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

#[test]
fn reduced_automata_accept_what_the_formula_says() {
    check_formulas(4, 1_500, 3, 12, |formulas, formula, seed| {
        let names = vocabulary(3);
        let both = translate_both(formulas, formula, &names).map_err(|error| error.to_string())?;
        let single = degeneralize(&both.positive);
        if single.sets != 1 || single.state_marks().is_none() {
            return Err("one set on states was promised".to_owned());
        }
        if are_disjoint(&both.positive, &both.negative) != Some(true) {
            return Err("formula and negation share a run".to_owned());
        }
        for automaton in [&both.positive, &single] {
            let text = write(&Hoa::new(automaton.clone()));
            match read_one(&text) {
                Ok(again) if again.automaton == *automaton => {}
                other => return Err(format!("written and read: {other:?}")),
            }
        }
        let mut random = StdRng::seed_from_u64(seed);
        for case in 0..90 {
            // Half of the runs follow a path of an automaton, some of them but for one letter.
            let followed = match case % 6 {
                0 => both.positive.walk(|ways| random.random_range(0..ways)),
                1 | 2 => both.negative.walk(|ways| random.random_range(0..ways)),
                _ => None,
            };
            let mut lasso = followed.unwrap_or_else(|| random_lasso(&mut random, 3));
            if case % 4 == 0 {
                let position = random.random_range(0..lasso.len());
                lasso = lasso.flipped(position, Atom(random.random_range(0..3)));
            }
            let holds = lasso.satisfies(formulas, formula);
            for (name, automaton, expected) in [
                ("reduced", &both.positive, holds),
                ("negation's", &both.negative, !holds),
                ("degeneralized", &single, holds),
                ("completed", &both.positive.completed(), holds),
            ] {
                if automaton.accepts(&lasso) != expected {
                    return Err(format!("the {name} automaton is wrong on {lasso:?}"));
                }
            }
        }
        Ok(())
    });
}

/// States of the generalized automaton.
fn check(text: &str, states: usize) {
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::default());
    let formula = parse(text, &mut formulas, &mut names).expect("a formula");
    let automaton = translate(&mut formulas, formula, &names).expect("a small automaton");
    assert_eq!(automaton.size().states, states, "{text}");
}

/// As small as Spot 2.12.1 on these.
#[test]
fn recorded_sizes() {
    check("true", 1);
    check("false", 1);
    check("GFa && GFb && GFc && GFd && GFe && GFf && GFg0 && GFh && GFi && GFj", 1);
    check("!p0 W (p0 W (!p0 W (p0 W G!p0)))", 5);
    check("Fp0 -> (((p1 & X(!p0 U p2)) -> X(!p0 U (p2 & Fp3))) U p0)", 6);
    check("G(p0 & XF(p1 & XF(p2 & XFp3)))", 1);
    check("(GFp1 | FGp2) & (GFp2 | FGp3) & (GFp3 | FGp4)", 6);
    check("FGp0 | GFp1", 3);
    check("Fp0 U Gp1", 3);
    check("((p1 R p2) R p3) R p4", 4);
    check("(Fp1 | Gp2) & (Fp2 | Gp3) & (Fp3 | Gp4)", 18);
    check("(Xp0 U Xp1) | !X(p0 U p1)", 1);
    check("G(p1 -> (p1 U (p2 & (p2 U (p3 & (p3 U p4))))))", 5);
}
