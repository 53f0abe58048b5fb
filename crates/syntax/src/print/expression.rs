//! Expressions and formulas as text.

use super::Printer;
use crate::ast::{
    BinaryOperator, Expr, ExprKind, Formula, FormulaKind, FormulaOperator, Probe, ReceiveArgument,
    TemporalUnary, UnaryOperator, VarPart, VarRef,
};
use std::fmt::Write;

impl Printer {
    pub(super) fn expression(&mut self, expr: &Expr) {
        match &expr.node {
            ExprKind::Number(number) => self.number(*number),
            ExprKind::True => self.push("true"),
            ExprKind::False => self.push("false"),
            ExprKind::Skip => self.push("skip"),
            ExprKind::Timeout => self.push("timeout"),
            ExprKind::NonProgress => self.push("np_"),
            ExprKind::Variable(variable) => self.variable(variable),
            ExprKind::Unary(operator, operand) => {
                self.push(match operator {
                    UnaryOperator::Minus => "-",
                    UnaryOperator::Complement => "~",
                    UnaryOperator::Not => "!",
                });
                self.operand(operand);
            }
            ExprKind::Binary(operator, left, right) => {
                // A long sum leans to the left; parentheses would nest as deep as it is long.
                match &left.node {
                    ExprKind::Binary(inner, ..) if inner == operator => self.expression(left),
                    _ => self.operand(left),
                }
                self.push(binary(*operator));
                self.operand(right);
            }
            ExprKind::Conditional(parts) => {
                self.push("(");
                for (part, behind) in parts.iter().zip([" -> ", " : ", ")"]) {
                    self.operand(part);
                    self.push(behind);
                }
            }
            ExprKind::Run { process, arguments, priority } => {
                self.push("run ");
                self.push(&process.node);
                self.push("(");
                self.list(arguments, Self::expression);
                self.push(")");
                self.priority(priority.as_ref());
            }
            ExprKind::Probe(probe, channel) => {
                self.push(match probe {
                    Probe::Len => "len(",
                    Probe::Empty => "empty(",
                    Probe::Full => "full(",
                    Probe::Nempty => "nempty(",
                    Probe::Nfull => "nfull(",
                });
                self.variable(channel);
                self.push(")");
            }
            ExprKind::Enabled(pid) => self.call("enabled", pid),
            ExprKind::PcValue(pid) => self.call("pc_value", pid),
            ExprKind::GetPriority(pid) => self.call("get_priority", pid),
            ExprKind::Poll { channel, random, arguments } => {
                self.variable(channel);
                self.push(if *random { "??[" } else { "?[" });
                self.list(arguments, Self::receive_argument);
                self.push("]");
            }
            ExprKind::RemoteLabel { process, pid, label } => {
                self.process(&process.node, pid.as_deref());
                self.push("@");
                self.push(&label.node);
            }
            ExprKind::RemoteVariable { process, pid, variable } => {
                self.process(&process.node, pid.as_deref());
                self.push(":");
                self.part(variable);
            }
        }
    }

    pub(super) fn variable(&mut self, variable: &VarRef) {
        for (at, part) in variable.parts.iter().enumerate() {
            if at > 0 {
                self.push(".");
            }
            self.part(part);
        }
    }

    pub(super) fn receive_argument(&mut self, argument: &ReceiveArgument) {
        match argument {
            ReceiveArgument::Variable(variable) => self.variable(variable),
            ReceiveArgument::Eval(expr) => self.call("eval", expr),
            ReceiveArgument::Constant(expr) => self.expression(expr),
        }
    }

    pub(super) fn formula(&mut self, formula: &Formula) {
        match &formula.node {
            FormulaKind::Proposition(expr) => self.expression(expr),
            FormulaKind::Not(inner) => self.unary_formula("!", inner),
            FormulaKind::Unary(TemporalUnary::Always, inner) => self.unary_formula("[] ", inner),
            FormulaKind::Unary(TemporalUnary::Eventually, inner) => {
                self.unary_formula("<> ", inner);
            }
            FormulaKind::Unary(TemporalUnary::Next, inner) => self.unary_formula("X ", inner),
            FormulaKind::Binary(operator, left, right) => {
                match &left.node {
                    FormulaKind::Binary(inner, ..) if inner == operator => self.formula(left),
                    _ => self.unary_formula("", left),
                }
                self.push(match operator {
                    FormulaOperator::And => " && ",
                    FormulaOperator::Or => " || ",
                    FormulaOperator::Implies => " -> ",
                    FormulaOperator::Equivalent => " <-> ",
                    FormulaOperator::Until => " U ",
                    FormulaOperator::Release => " V ",
                    FormulaOperator::WeakUntil => " W ",
                });
                self.unary_formula("", right);
            }
        }
    }

    fn unary_formula(&mut self, operator: &str, inner: &Formula) {
        self.push(operator);
        self.push("(");
        self.formula(inner);
        self.push(")");
    }

    /// In parentheses where it has operators of its own.
    fn operand(&mut self, expr: &Expr) {
        if matches!(expr.node, ExprKind::Unary(..) | ExprKind::Binary(..)) {
            self.push("(");
            self.expression(expr);
            self.push(")");
        } else {
            self.expression(expr);
        }
    }

    /// There are no negative numbers in the language, and no tree that was read has any.
    fn number(&mut self, number: i32) {
        let _ = match number {
            i32::MIN => write!(self.text, "(-2147483647 - 1)"),
            number if number < 0 => write!(self.text, "({number})"),
            _ => write!(self.text, "{number}"),
        };
    }

    fn call(&mut self, name: &str, argument: &Expr) {
        self.push(name);
        self.push("(");
        self.expression(argument);
        self.push(")");
    }

    fn process(&mut self, name: &str, pid: Option<&Expr>) {
        self.push(name);
        self.index(pid);
    }

    fn part(&mut self, part: &VarPart) {
        self.push(&part.name.node);
        self.index(part.index.as_deref());
    }

    fn index(&mut self, index: Option<&Expr>) {
        if let Some(index) = index {
            self.push("[");
            self.expression(index);
            self.push("]");
        }
    }
}

fn binary(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => " + ",
        BinaryOperator::Subtract => " - ",
        BinaryOperator::Multiply => " * ",
        BinaryOperator::Divide => " / ",
        BinaryOperator::Remainder => " % ",
        BinaryOperator::BitAnd => " & ",
        BinaryOperator::BitXor => " ^ ",
        BinaryOperator::BitOr => " | ",
        BinaryOperator::ShiftLeft => " << ",
        BinaryOperator::ShiftRight => " >> ",
        BinaryOperator::Less => " < ",
        BinaryOperator::LessEqual => " <= ",
        BinaryOperator::Greater => " > ",
        BinaryOperator::GreaterEqual => " >= ",
        BinaryOperator::Equal => " == ",
        BinaryOperator::NotEqual => " != ",
        BinaryOperator::And => " && ",
        BinaryOperator::Or => " || ",
    }
}
