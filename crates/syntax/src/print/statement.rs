//! Statements as text.

use super::Printer;
use crate::ast::{Sequence, StatementKind, StepKind};

impl Printer {
    /// `{ … }` over several lines.
    pub(super) fn block(&mut self, body: &Sequence) {
        self.push("{");
        self.steps(body);
        self.line();
        self.push("}");
    }

    pub(super) fn statement(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::Labelled { label, statement } => {
                self.push(&label.node);
                self.push(":");
                if let Some(statement) = statement {
                    self.push(" ");
                    self.statement(&statement.node);
                }
            }
            StatementKind::Assign { target, value } => {
                self.variable(target);
                self.push(" = ");
                self.expression(value);
            }
            StatementKind::Increment(variable) => {
                self.variable(variable);
                self.push("++");
            }
            StatementKind::Decrement(variable) => {
                self.variable(variable);
                self.push("--");
            }
            StatementKind::SetPriority { process, priority } => {
                self.push("set_priority(");
                self.expression(process);
                self.push(", ");
                self.expression(priority);
                self.push(")");
            }
            StatementKind::Printf { format, arguments } => {
                self.push("printf(\"");
                self.push(&format.node);
                self.push("\"");
                for argument in arguments {
                    self.push(", ");
                    self.expression(argument);
                }
                self.push(")");
            }
            StatementKind::Printm(shown) => {
                self.push("printm(");
                self.expression(shown);
                self.push(")");
            }
            StatementKind::Assert(condition) => {
                self.push("assert(");
                self.expression(condition);
                self.push(")");
            }
            StatementKind::Send { channel, sorted, arguments } => {
                self.variable(channel);
                // With blanks: a message that begins with `!` would make another sign of it.
                self.push(if *sorted { " !! " } else { " ! " });
                self.list(arguments, Self::expression);
            }
            StatementKind::Receive { channel, random, keep, arguments } => {
                self.variable(channel);
                self.push(if *random { "??" } else { "?" });
                self.push(if *keep { "<" } else { "" });
                self.list(arguments, Self::receive_argument);
                self.push(if *keep { ">" } else { "" });
            }
            StatementKind::Expression(expr) => self.expression(expr),
            StatementKind::Else => self.push("else"),
            StatementKind::If(options) => self.options("if", options, "fi"),
            StatementKind::Do(options) => self.options("do", options, "od"),
            StatementKind::ForRange { variable, from, to, body } => {
                self.push("for (");
                self.variable(variable);
                self.push(" : ");
                self.expression(from);
                self.push(" .. ");
                self.expression(to);
                self.push(") ");
                self.block(body);
            }
            StatementKind::ForIn { variable, container, body } => {
                self.push("for (");
                self.variable(variable);
                self.push(" in ");
                self.variable(container);
                self.push(") ");
                self.block(body);
            }
            StatementKind::Select { variable, from, to, literal } => {
                self.push("select (");
                self.variable(variable);
                self.push(" :");
                // On two lines it is never written out.
                self.push(if *literal { " " } else { "\n" });
                self.expression(from);
                self.push(" .. ");
                self.expression(to);
                self.push(")");
            }
            StatementKind::Break => self.push("break"),
            StatementKind::Goto(label) => {
                self.push("goto ");
                self.push(&label.node);
            }
            StatementKind::Atomic(body) => {
                self.push("atomic ");
                self.block(body);
            }
            StatementKind::DStep(body) => {
                self.push("d_step ");
                self.block(body);
            }
            StatementKind::Block(body) => self.block(body),
            StatementKind::Return(value) => {
                self.push("return ");
                self.expression(value);
            }
        }
    }

    fn options(&mut self, opening: &str, options: &[Sequence], closing: &str) {
        self.push(opening);
        for option in options {
            self.line();
            self.push("::");
            self.steps(option);
        }
        self.line();
        self.push(closing);
    }

    fn steps(&mut self, sequence: &Sequence) {
        self.depth += 1;
        for (at, step) in sequence.steps.iter().enumerate() {
            if at > 0 {
                self.push(";");
            }
            self.line();
            self.step(&step.node);
        }
        self.depth -= 1;
    }

    fn step(&mut self, step: &StepKind) {
        match step {
            StepKind::Declaration(declaration) => self.declaration(declaration),
            StepKind::Exclusive { sends, channels } => {
                self.push(if *sends { "xs " } else { "xr " });
                self.list(channels, Self::variable);
            }
            StepKind::Statement(statement) => self.statement(statement),
            StepKind::Unless { main, escape } => {
                self.statement(&main.node);
                self.push(" unless ");
                self.statement(&escape.node);
            }
        }
    }
}
