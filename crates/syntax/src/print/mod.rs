//! A tree as text that reads back as an equal tree.
//!
//! Every operand that has other operators of its own is put in parentheses, every separator is written,
//! and a statement that SPIN reads differently when it stands on one line is broken over two.

mod expression;
mod item;
mod statement;

use crate::ast::{Expr, Formula, Program, Statement};

/// A whole model.
pub fn program(program: &Program) -> String {
    let mut printer = Printer::default();
    for item in &program.items {
        printer.item(&item.node);
    }
    printer.text
}

/// One statement.
pub fn statement(statement: &Statement) -> String {
    let mut printer = Printer::default();
    printer.statement(&statement.node);
    printer.text
}

/// One expression.
pub fn expression(expr: &Expr) -> String {
    let mut printer = Printer::default();
    printer.expression(expr);
    printer.text
}

/// One formula, without the braces of `ltl`.
pub fn formula(formula: &Formula) -> String {
    let mut printer = Printer::default();
    printer.formula(formula);
    printer.text
}

/// The text so far.
#[derive(Default)]
struct Printer {
    text: String,
    /// How far lines are indented, in steps.
    depth: usize,
}

impl Printer {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
    }

    /// Things with commas between them.
    fn list<T>(&mut self, things: &[T], mut one: impl FnMut(&mut Self, &T)) {
        for (at, thing) in things.iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            one(self, thing);
        }
    }
}
