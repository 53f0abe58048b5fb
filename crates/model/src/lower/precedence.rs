//! Formulas that may mean something else than they seem to: how far an operator in front reaches.

use super::Lowering;
use crate::codes;
use pverify_syntax::ast::{Formula, FormulaKind, FormulaOperator, TemporalUnary};
use pverify_syntax::diagnostic::Diagnostic;

impl Lowering {
    /// Warns where `[] p -> q` was written without brackets: the `[]` is about `p` alone.
    pub(super) fn precedence(&mut self, formula: &Formula) {
        let mut work = vec![formula];
        while let Some(formula) = work.pop() {
            match &formula.node {
                FormulaKind::Proposition(_) => {}
                FormulaKind::Not(inner) | FormulaKind::Unary(_, inner) => work.push(inner),
                FormulaKind::Binary(operator, left, right) => {
                    work.extend([&**right, &**left]);
                    if let Some(front) = misleading(formula, *operator, left, right) {
                        let between = sign(*operator);
                        self.report(
                            Diagnostic::new(
                                &codes::SHORT_REACH,
                                left.span,
                                format!("this `{front}` ends before `{between}`"),
                            )
                            .help(format!(
                                "write `{front} (… {between} …)` if all of it is meant, or brackets \
                                 around this part if not"
                            )),
                        );
                    }
                }
            }
        }
    }
}

/// The operator in front of the left side, where it seems to reach further. `[] p -> [] q` and
/// `[]<> p -> …` are what people write on purpose.
fn misleading(
    whole: &Formula,
    operator: FormulaOperator,
    left: &Formula,
    right: &Formula,
) -> Option<&'static str> {
    let FormulaKind::Unary(front, inner) = &left.node else { return None };
    // The place of what stands in brackets is inside them.
    if (left.span.file, left.span.expansion) != (whole.span.file, whole.span.expansion)
        || left.span.start != whole.span.start
    {
        return None;
    }
    let word = match front {
        TemporalUnary::Always => "[]",
        TemporalUnary::Eventually => "<>",
        TemporalUnary::Next => return None,
    };
    let is_meant = match operator {
        FormulaOperator::Implies | FormulaOperator::Equivalent => {
            let begins = matches!(right.node, FormulaKind::Unary(TemporalUnary::Always, _));
            *front != TemporalUnary::Always || is_temporal(inner) || begins
        }
        FormulaOperator::And | FormulaOperator::Or => is_temporal(inner) || is_temporal(right),
        FormulaOperator::Until | FormulaOperator::Release | FormulaOperator::WeakUntil => false,
    };
    (!is_meant).then_some(word)
}

fn is_temporal(formula: &Formula) -> bool {
    let mut work = vec![formula];
    while let Some(formula) = work.pop() {
        match &formula.node {
            FormulaKind::Proposition(_) => {}
            FormulaKind::Not(inner) => work.push(inner),
            FormulaKind::Unary(..) => return true,
            FormulaKind::Binary(operator, left, right) => match operator {
                FormulaOperator::Until | FormulaOperator::Release | FormulaOperator::WeakUntil => {
                    return true;
                }
                _ => work.extend([&**left, &**right]),
            },
        }
    }
    false
}

const fn sign(operator: FormulaOperator) -> &'static str {
    match operator {
        FormulaOperator::And => "&&",
        FormulaOperator::Or => "||",
        FormulaOperator::Implies => "->",
        FormulaOperator::Equivalent => "<->",
        FormulaOperator::Until => "U",
        FormulaOperator::Release => "V",
        FormulaOperator::WeakUntil => "W",
    }
}

#[cfg(test)]
mod tests {
    use crate::load::load_text;

    fn check(formula: &str, expected: bool) {
        let loaded = load_text(format!("bit p, q;\nltl {{ {formula} }}\ninit {{ p = 1; q = 1 }}"));
        let warned = loaded.diagnostics.iter().any(|one| one.code.id == "W1116");
        assert_eq!(warned, expected, "{formula}");
    }

    #[test]
    fn an_operator_that_ends_early_is_told() {
        for formula in [
            "[] p -> q",
            "[] p -> <> q",
            "[] !p -> (p U q)",
            "<> ([] p -> <> q)",
            "[] p && q",
            "<> p || q",
            "[] p U q",
            "always p implies q",
        ] {
            check(formula, true);
        }
    }

    #[test]
    fn what_is_meant_is_left_alone() {
        for formula in [
            "[] (p -> q)",
            "([] p) -> q",
            "([] p) && q",
            "[] p -> [] q",
            "[]<> p -> <> q",
            "[] p && [] q",
            "<> p -> <> q",
            "p -> [] q",
            "(p && q) U q",
        ] {
            check(formula, false);
        }
    }
}
