//! Random formulas and runs for the tests; what fails is made small and printed with its seed.

use crate::formula::print::print;
use crate::formula::{Atom, FormulaId, Formulas, Node, Vocabulary};
use crate::lasso::{Lasso, Valuation};
use rand::rngs::StdRng;
use rand::{Rng as _, RngExt as _, SeedableRng as _};

/// The names that random formulas use.
pub(crate) fn vocabulary(count: usize) -> Vocabulary {
    let names: Vec<_> = (0..count).map(|at| format!("p{at}")).collect();
    Vocabulary::new(names.iter().map(String::as_str))
}

/// A random formula with about `size` operators over `atoms` atoms.
pub(crate) fn random_formula(
    random: &mut StdRng,
    formulas: &mut Formulas,
    atoms: u32,
    size: usize,
) -> FormulaId {
    let mut pool: Vec<FormulaId> =
        (0..=size / 2 + 1).map(|_| formulas.atom(Atom(random.random_range(0..atoms)))).collect();
    if random.random_range(0..8) == 0 {
        pool.push(formulas.constant(random.random()));
    }
    for _ in 0..size {
        let left = pool.swap_remove(random.random_range(0..pool.len()));
        let unary = pool.is_empty() || random.random_range(0..2) == 0;
        let made = if unary {
            match random.random_range(0..6) {
                0 | 1 => formulas.not(left),
                2 => formulas.next(left),
                3 => formulas.strong_next(left),
                4 => formulas.eventually(left),
                _ => formulas.always(left),
            }
        } else {
            let right = pool.swap_remove(random.random_range(0..pool.len()));
            match random.random_range(0..8) {
                0 | 1 => formulas.and([left, right]),
                2 | 3 => formulas.or([left, right]),
                4 => formulas.until(left, right),
                5 => formulas.release(left, right),
                6 => formulas.weak_until(left, right),
                _ => formulas.strong_release(left, right),
            }
        };
        pool.push(made);
    }
    pool[random.random_range(0..pool.len())]
}

/// A random run over `atoms` atoms, stem and cycle of up to six positions.
pub(crate) fn random_lasso(random: &mut StdRng, atoms: u32) -> Lasso {
    let mut letters = |least: usize| -> Vec<Valuation> {
        let length = random.random_range(least..6);
        (0..length).map(|_| Valuation::from_bits(random.next_u64() & ((1 << atoms) - 1))).collect()
    };
    let (stem, cycle) = (letters(0), letters(1));
    Lasso::new(stem, cycle).expect("a cycle that is not empty")
}

/// Tries `count` random formulas; the first that fails is replaced by its smallest part that fails.
pub(crate) fn check_formulas(
    seed: u64,
    count: usize,
    atoms: u32,
    largest: usize,
    mut check: impl FnMut(&mut Formulas, FormulaId, u64) -> Result<(), String>,
) {
    // All cases if the compiler optimises; without that they would take a minute.
    let count = if cfg!(debug_assertions) { count / 5 } else { count };
    for case in 0..count as u64 {
        let case_seed = seed.wrapping_mul(1_000_003).wrapping_add(case);
        let mut random = StdRng::seed_from_u64(case_seed);
        let mut formulas = Formulas::default();
        let size = random.random_range(1..=largest);
        let formula = random_formula(&mut random, &mut formulas, atoms, size);
        let Err(first) = check(&mut formulas, formula, case_seed) else { continue };
        let (mut smallest, mut problem) = (formula, first);
        while let Some((smaller, message)) = candidates(&mut formulas, smallest)
            .into_iter()
            .find_map(|part| check(&mut formulas, part, case_seed).err().map(|text| (part, text)))
        {
            (smallest, problem) = (smaller, message);
        }
        let text = print(&formulas, &vocabulary(atoms as usize), smallest);
        panic!("seed {seed}, case {case} (random seed {case_seed}): {text}: {problem}");
    }
}

/// Smaller formulas than this one: its parts, and itself with one part replaced by a part of that.
fn candidates(formulas: &mut Formulas, formula: FormulaId) -> Vec<FormulaId> {
    let node = formulas.node(formula).clone();
    let mut smaller = node.parts();
    let parts = node.parts();
    for (at, part) in parts.iter().enumerate() {
        let mut instead = formulas.node(*part).parts();
        instead.extend([FormulaId::TRUE, FormulaId::FALSE]);
        for inner in instead.into_iter().filter(|inner| inner != part) {
            let mut changed = parts.clone();
            changed[at] = inner;
            smaller.push(match &node {
                Node::And(_) => formulas.and(changed),
                Node::Or(_) => formulas.or(changed),
                Node::Not(_) => formulas.not(changed[0]),
                Node::Next(_) => formulas.next(changed[0]),
                Node::StrongNext(_) => formulas.strong_next(changed[0]),
                Node::Until(..) => formulas.until(changed[0], changed[1]),
                Node::Release(..) => formulas.release(changed[0], changed[1]),
                Node::False | Node::True | Node::Atom(_) => continue,
            });
        }
    }
    smaller.retain(|one| *one < formula);
    smaller
}

#[test]
fn printed_formulas_are_read_back_as_themselves() {
    check_formulas(1, 3_000, 4, 12, |formulas, formula, _| {
        let mut names = vocabulary(4);
        let text = print(formulas, &names, formula);
        let again = crate::formula::parse::parse(&text, formulas, &mut names);
        if again == Ok(formula) { Ok(()) } else { Err(format!("`{text}` gives {again:?}")) }
    });
}

#[test]
fn normal_forms_and_simplified_formulas_hold_on_the_same_runs() {
    use crate::formula::implication::Implications;
    use crate::formula::normal::{negated, negation_normal_form};
    use crate::formula::simplify::simplify;
    check_formulas(2, 5_000, 3, 14, |formulas, formula, seed| {
        let mut random = StdRng::seed_from_u64(seed);
        let mut implications = Implications::default();
        let normal = negation_normal_form(formulas, formula);
        let negation = negated(formulas, formula);
        let simple = simplify(formulas, &mut implications, formula);
        for _ in 0..40 {
            let lasso = random_lasso(&mut random, 3);
            let expected = lasso.satisfies(formulas, formula);
            for (name, other, want) in [
                ("normal form", normal, expected),
                ("negation", negation, !expected),
                ("simplified", simple, expected),
            ] {
                if lasso.satisfies(formulas, other) != want {
                    let text = print(formulas, &vocabulary(3), other);
                    return Err(format!("its {name} {text} differs on {lasso:?}"));
                }
            }
        }
        Ok(())
    });
}
