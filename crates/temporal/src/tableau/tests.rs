//! The tables of Couvreur (1999), and random formulas against their meaning on runs.

use super::*;
use crate::formula::parse::parse;
use crate::lasso::Lasso;
use crate::testing::{check_formulas, random_lasso, vocabulary};
use rand::SeedableRng as _;
use rand::rngs::StdRng;

/// Nodes and transitions of a formula, counted as the paper does.
fn check(text: &str, improved: bool, expected: (usize, usize)) {
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::default());
    let formula = parse(text, &mut formulas, &mut names).expect("a formula");
    let options = Options {
        merge_nodes: improved,
        repeated_identity: improved,
        promises_by_until: true,
        ..Options::default()
    };
    let tableau = Tableau::new(&mut formulas, formula, &names, options).expect("a small formula");
    let size = tableau.automaton().expect("a small automaton").size();
    assert_eq!((size.states, size.edges), expected, "{text}");
}

#[test]
fn table_1_is_reproduced() {
    check("p U q", false, (2, 3));
    check("p U (q U s)", false, (3, 6));
    // The paper prints 3 and 6, which is what merging gives.
    check("!(p U (q U s))", false, (4, 11));
    check("!(p U (q U s))", true, (3, 6));
    check("GFp -> GFq", false, (5, 11));
    check("Fp U Gq", false, (4, 10));
    check("Gp U q", false, (4, 6));
    check("!(FFp <-> Fp)", false, (3, 5));
}

#[test]
fn table_2_is_reproduced() {
    check("GFp -> GFq", true, (4, 9));
    check("!(FFp <-> Fp)", true, (2, 3));
}

#[test]
fn an_atom_without_a_name_never_holds() {
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::new(["p"]));
    let formula = parse("F p & G !q", &mut formulas, &mut names).expect("a formula");
    let known = Vocabulary::new(["p"]);
    let tableau = Tableau::new(&mut formulas, formula, &known, Options::default());
    let automaton = tableau.and_then(Tableau::automaton).expect("a small automaton");
    let lasso = Lasso::new(vec![], vec![Valuation::from_bits(1)]).expect("a cycle");
    assert!(automaton.accepts(&lasso));
}

#[test]
fn repeated_events_cost_no_node() {
    let text = (0..10).map(|at| format!("GFp{at}")).collect::<Vec<_>>().join(" && ");
    check(&text, true, (1, 1024));
}

/// All edges of such a node are far too many; those of one letter are one.
#[test]
fn expansion_for_a_letter_looks_at_nothing_else() {
    let (mut formulas, mut names) = (Formulas::default(), Vocabulary::default());
    let text = (0..60).map(|at| format!("GFp{at}")).collect::<Vec<_>>().join(" && ");
    let formula = parse(&text, &mut formulas, &mut names).expect("a formula");
    let tableau = Tableau::new(&mut formulas, formula, &names, Options::default());
    let mut tableau = tableau.expect("a small formula");
    let node = tableau.initial();
    let found = tableau.successors(node, &Valuation::from_bits(0b1011)).expect("one edge");
    assert!(
        matches!(found.as_slice(), [(marks, target)] if marks.iter().count() == 3 && *target == node)
    );
    assert_eq!(tableau.edges(node), Err(TooLarge::Demand));
}

/// Diagrams with these atoms first would be far too large; products are not.
#[test]
fn many_atoms_are_not_too_many() {
    let nested = (0..30).rev().fold("q".to_owned(), |rest, at| format!("p{at} U ({rest})"));
    check(&nested, true, (31, 31 * 32 / 2));
    let responses: Vec<_> = (0..20).map(|at| format!("G(p{at} -> F q{at})")).collect();
    check(&format!("!({})", responses.join(" & ")), true, (41, 100));
}

#[test]
fn the_automaton_accepts_what_the_formula_says() {
    check_formulas(3, 1_500, 3, 10, |formulas, formula, seed| {
        let mut random = StdRng::seed_from_u64(seed);
        for options in [
            Options::default(),
            Options { merge_nodes: false, repeated_identity: false, ..Options::default() },
            Options { promises_by_until: true, ..Options::default() },
            Options { products_only: true, ..Options::default() },
        ] {
            let names = vocabulary(3);
            let tableau = Tableau::new(formulas, formula, &names, options);
            let mut lazy = tableau.clone().map_err(|error| error.to_string())?;
            let automaton = tableau.and_then(Tableau::automaton);
            let automaton = automaton.map_err(|error| error.to_string())?;
            for _ in 0..20 {
                let lasso = random_lasso(&mut random, 3);
                if automaton.accepts(&lasso) != lasso.satisfies(formulas, formula) {
                    return Err(format!("{options:?} differs on {lasso:?}"));
                }
                let letter = lasso.letter(0);
                let node = lazy.initial();
                let mut demanded =
                    lazy.successors(node, letter).map_err(|error| error.to_string())?;
                let all = lazy.edges(node).map_err(|error| error.to_string())?;
                let mut expected: Vec<_> = all
                    .iter()
                    .filter(|edge| edge.label.holds(letter))
                    .map(|edge| (edge.marks, edge.target))
                    .collect();
                demanded.sort_unstable();
                expected.sort_unstable();
                // Products need not be minimal for each letter.
                let exact = !options.products_only;
                if exact && demanded != expected {
                    return Err(format!("expansion for {letter:?} differs"));
                }
            }
        }
        Ok(())
    });
}
