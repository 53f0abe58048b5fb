//! From the tree of the front end to a formula over numbered propositions.

use super::{Atom, FormulaId, Formulas, Vocabulary};
use pverify_syntax::ast::{Expr, ExprKind, Formula, FormulaKind, FormulaOperator, TemporalUnary};
use pverify_syntax::print;

/// The propositions of one or several formulas; equal expressions are one proposition.
#[derive(Clone, Debug, Default)]
pub struct Propositions {
    expressions: Vec<Expr>,
}

impl Propositions {
    /// The expression of each atom, by number.
    pub fn expressions(&self) -> &[Expr] {
        &self.expressions
    }

    /// The texts of the expressions as names, for automata that are shown.
    pub fn vocabulary(&self) -> Vocabulary {
        let texts: Vec<_> = self.expressions.iter().map(print::expression).collect();
        Vocabulary::new(texts.iter().map(String::as_str))
    }

    fn atom(&mut self, expression: &Expr) -> Atom {
        let known = self.expressions.iter().position(|known| known == expression);
        Atom(known.unwrap_or_else(|| {
            self.expressions.push(expression.clone());
            self.expressions.len() - 1
        }) as u32)
    }
}

/// The formula of a tree.
pub fn lower(
    tree: &Formula,
    formulas: &mut Formulas,
    propositions: &mut Propositions,
) -> FormulaId {
    enum Work<'a> {
        Read(&'a Formula),
        Build(&'a FormulaKind),
    }
    let mut work = vec![Work::Read(tree)];
    let mut done: Vec<FormulaId> = Vec::new();
    while let Some(step) = work.pop() {
        match step {
            Work::Read(formula) => match &formula.node {
                FormulaKind::Proposition(expression) => done.push(match expression.node {
                    ExprKind::True | ExprKind::Skip => FormulaId::TRUE,
                    ExprKind::False => FormulaId::FALSE,
                    ExprKind::Number(number) => formulas.constant(number != 0),
                    _ => formulas.atom(propositions.atom(expression)),
                }),
                kind @ (FormulaKind::Not(inner) | FormulaKind::Unary(_, inner)) => {
                    work.extend([Work::Build(kind), Work::Read(inner)]);
                }
                kind @ FormulaKind::Binary(_, left, right) => {
                    work.extend([Work::Build(kind), Work::Read(right), Work::Read(left)]);
                }
            },
            Work::Build(kind) => {
                let right = done.pop().unwrap_or(FormulaId::TRUE);
                let built = match kind {
                    FormulaKind::Proposition(_) => right,
                    FormulaKind::Not(_) => formulas.not(right),
                    FormulaKind::Unary(TemporalUnary::Always, _) => formulas.always(right),
                    FormulaKind::Unary(TemporalUnary::Eventually, _) => formulas.eventually(right),
                    FormulaKind::Unary(TemporalUnary::Next, _) => formulas.next(right),
                    FormulaKind::Binary(operator, _, _) => {
                        let left = done.pop().unwrap_or(FormulaId::TRUE);
                        match operator {
                            FormulaOperator::And => formulas.and([left, right]),
                            FormulaOperator::Or => formulas.or([left, right]),
                            FormulaOperator::Implies => formulas.implies(left, right),
                            FormulaOperator::Equivalent => formulas.equivalent(left, right),
                            FormulaOperator::Until => formulas.until(left, right),
                            FormulaOperator::Release => formulas.release(left, right),
                            FormulaOperator::WeakUntil => formulas.weak_until(left, right),
                        }
                    }
                };
                done.push(built);
            }
        }
    }
    done.pop().unwrap_or(FormulaId::TRUE)
}

#[cfg(test)]
mod tests {
    use super::super::print::print;
    use super::*;
    use pverify_syntax::ast::ItemKind;
    use pverify_syntax::options::{MemoryLoader, Options};
    use pverify_syntax::read::read;

    fn check(formula: &str, expected: &str, count: usize) {
        let text = format!("int a, b; ltl {{ {formula} }}");
        let mut loader = MemoryLoader::default().with("model.pml", text);
        let parsed = read("model.pml", &mut loader, &Options::default());
        let tree = parsed.program.items.iter().find_map(|item| match &item.node {
            ItemKind::Ltl { formula, .. } => Some(formula),
            _ => None,
        });
        let (mut formulas, mut propositions) = (Formulas::default(), Propositions::default());
        let formula = lower(tree.expect("a formula"), &mut formulas, &mut propositions);
        let names = Vocabulary::new(["p", "q", "r", "s"]);
        assert_eq!(print(&formulas, &names, formula), expected);
        assert_eq!(propositions.expressions().len(), count);
        // One name an atom: no two expressions have the same text.
        assert_eq!(propositions.vocabulary().len(), count);
    }

    #[test]
    fn equal_expressions_are_one_proposition() {
        check("[] (a == 1 -> <> (b > 2))", "G (F q | !p)", 2);
        check("(a == 1) U (b == 2 W a == 1)", "p U (p R (p | q))", 2);
        check("! (a == 1 && X b < 3) <-> true", "!(p & X q)", 2);
    }
}
