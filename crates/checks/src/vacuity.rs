//! Formulas that hold for an idle reason.
//!
//! An implication whose left side never comes about asks nothing of its right side, and the formula
//! holds though nobody has looked at what was meant. This is so if the formula still holds with
//! `false` in the place of the right side (Beer, Ben-David, Eisner & Rodeh 1997). Only implications
//! that are written as such count, and of these only where a stronger right side makes the formula
//! stronger.

use crate::cycles::Way;
use crate::ltl::ltl;
use pverify_model::machine::Property;
use pverify_search::control::{Observer, Progress, Settings, Visited};
use pverify_semantics::Engine;
use pverify_syntax::ast::{Expr, ExprKind, Formula, FormulaKind, FormulaOperator};
use pverify_syntax::print;
use pverify_temporal::formula::Formulas;
use pverify_temporal::property::Asking;
use pverify_temporal::translate::translate_both;
use pverify_verdict::Verdict;
use std::num::NonZeroUsize;

/// So many implications of a formula are looked at.
const MOST: usize = 4;

/// Why a formula that holds says less than it seems to, in words, if that is so; searches that see
/// more than so many states say nothing.
pub fn idle(
    engine: &mut Engine<'_>,
    property: &Property,
    (settings, fair): (Settings, bool),
    states: u64,
) -> Option<String> {
    let mut formulas = Formulas::default();
    let asking = Asking::of(property, &mut formulas);
    let both = translate_both(&mut formulas, asking.formula, &asking.vocabulary).ok();
    if both.is_some_and(|both| both.negative.edges.iter().all(Vec::is_empty)) {
        return Some("it holds whatever the model does".to_owned());
    }
    (0..MOST).map_while(|number| stronger(&property.formula, number)).find_map(|stronger| {
        let property = Property { formula: stronger.formula, ..property.clone() };
        let mut limit = Limit(states);
        let threads = NonZeroUsize::MIN;
        let settings = Settings { threads, visited: Visited::Exact, ..settings };
        let mut way = Way { settings, threads, shortest: false, fair, observer: &mut limit };
        let found = ltl(engine, &property, &mut way);
        matches!(found.answer.verdict, Verdict::Holds { .. }).then(|| {
            format!(
                "`{}` is never true where it is asked, so nothing is asked of `{}`",
                print::formula(&stronger.left),
                print::formula(&stronger.right),
            )
        })
    })
}

/// Gives up when there are too many states.
struct Limit(u64);

impl Observer for Limit {
    fn go_on(&mut self, progress: &Progress) -> bool {
        progress.counts.states <= self.0
    }
}

/// A formula in which the right side of an implication is `false`.
struct Stronger {
    formula: Formula,
    left: Formula,
    right: Formula,
}

/// The one for the implication with this number.
fn stronger(formula: &Formula, number: usize) -> Option<Stronger> {
    let mut changed = formula.clone();
    // Parts that are still to be looked at, each with whether it makes the formula stronger to make
    // it stronger.
    let mut work: Vec<(&mut Formula, bool)> = vec![(&mut changed, true)];
    let mut before = 0;
    let mut sides = None;
    while let Some((part, positive)) = work.pop() {
        match &mut part.node {
            FormulaKind::Proposition(_) => {}
            FormulaKind::Not(inner) => work.push((&mut **inner, !positive)),
            FormulaKind::Unary(_, inner) => work.push((&mut **inner, positive)),
            FormulaKind::Binary(FormulaOperator::Equivalent, ..) => {}
            FormulaKind::Binary(FormulaOperator::Implies, left, right) => {
                if positive && before == number {
                    sides = Some(((**left).clone(), (**right).clone()));
                    let never = Expr { node: ExprKind::False, span: right.span };
                    right.node = FormulaKind::Proposition(never);
                    break;
                }
                before += usize::from(positive);
                work.push((&mut **right, positive));
                work.push((&mut **left, !positive));
            }
            FormulaKind::Binary(_, left, right) => {
                work.push((&mut **right, positive));
                work.push((&mut **left, positive));
            }
        }
    }
    let (left, right) = sides?;
    Some(Stronger { formula: changed, left, right })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_model::load::load_text;
    use pverify_search::control::Wanted;

    /// What is said of a formula that holds of `x` going to and fro between 0 and 1.
    fn check(formula: &str, expected: Option<&str>) {
        let model = "byte x; active proctype P() { do :: x = 1 - x od }";
        let loaded = load_text(format!("{model} ltl {{ {formula} }}"));
        assert!(!loaded.has_errors(), "{formula}: {:?}", loaded.diagnostics);
        let mut engine = Engine::new(&loaded.model);
        let property = &loaded.model.formulas[0];
        let (settings, threads) = (Settings::new(Wanted::PROPERTY), NonZeroUsize::MIN);
        let mut limit = Limit(1000);
        let mut way = Way { settings, threads, shortest: false, fair: false, observer: &mut limit };
        let holds = ltl(&mut engine, property, &mut way).answer.verdict;
        assert!(matches!(holds, Verdict::Holds { .. }), "{formula}: {holds:?}");
        let found = idle(&mut engine, property, (settings, false), 1000);
        assert_eq!(found.as_deref(), expected, "{formula}");
    }

    fn check_idle(formula: &str, left: &str, right: &str) {
        let said =
            format!("`{left}` is never true where it is asked, so nothing is asked of `{right}`");
        check(formula, Some(&said));
    }

    #[test]
    fn implications_that_ask_nothing_are_found() {
        check_idle("[] (x == 7 -> <> (x == 1))", "x == 7", "<> (x == 1)");
        check_idle("(x == 1) -> [] (x == 1)", "x == 1", "[] (x == 1)");
        check_idle("[] ((x == 1) -> ((x == 0) -> (x == 5)))", "x == 0", "x == 5");
        check_idle("<> (x == 1) && [] (x > 1 -> x == 9)", "x > 1", "x == 9");
    }

    #[test]
    fn formulas_that_ask_something_are_left_alone() {
        check("[] (x == 1 -> <> (x == 0))", None);
        check("[] (x < 5)", None);
        check("[]<> (x == 1) -> []<> (x == 0)", None);
        // A stronger right side makes these weaker, or neither.
        check("! ((x == 0) -> (x == 1))", None);
        check("[] ((x == 7 -> x == 8) <-> true)", None);
    }

    #[test]
    fn what_holds_of_every_model_is_said() {
        check("(x == 1) || ! (x == 1)", Some("it holds whatever the model does"));
        check("[] (x == 1) -> <> (x == 1)", Some("it holds whatever the model does"));
    }
}
