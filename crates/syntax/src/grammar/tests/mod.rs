//! Tests of the grammar through one helper per question.

mod errors;
mod language;
mod robust;
mod round_trip;
mod trees;

use super::{parse_expression, parse_formula, parse_program};
use crate::ast::Program;
use crate::diagnostic::Diagnostic;
use crate::print;
use crate::test_support::lex;

fn parse(text: &str) -> (Program, Vec<Diagnostic>) {
    let (tokens, sources) = lex(text, false);
    parse_program(&tokens, &sources)
}

/// The text is accepted, and its tree survives being printed and read again.
fn accepts(text: &str) -> Program {
    let (program, diagnostics) = parse(text);
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:#?}");
    let printed = print::program(&program);
    let (again, diagnostics) = parse(&printed);
    assert!(diagnostics.is_empty(), "{printed}\n{diagnostics:#?}");
    assert_eq!(program, again, "{printed}");
    program
}

/// The text is refused with these codes, each at the characters that follow it.
fn refuses(text: &str, expected: &[(&str, &str)]) {
    let (tokens, sources) = lex(text, false);
    let (_, diagnostics) = parse_program(&tokens, &sources);
    let found: Vec<_> =
        diagnostics.iter().map(|one| (one.code.id, sources.text(one.span))).collect();
    assert_eq!(found, expected, "{text}\n{diagnostics:#?}");
    assert!(diagnostics.iter().all(|one| one.help.is_some()), "{diagnostics:#?}");
}

/// The same for steps inside a process.
fn refuses_steps(steps: &str, expected: &[(&str, &str)]) {
    refuses(&format!("init {{ {steps} }}"), expected);
}

/// An expression printed with all its parentheses.
fn reads_expression(text: &str, expected: &str) {
    let (tokens, sources) = lex(text, false);
    let (expr, diagnostics) = parse_expression(&tokens, &sources);
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:#?}");
    assert_eq!(print::expression(&expr.expect("an expression")), expected);
}

/// A formula printed with all its parentheses.
fn reads_formula(text: &str, expected: &str) {
    let (tokens, sources) = lex(text, true);
    let (formula, diagnostics) = parse_formula(&tokens, &sources);
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:#?}");
    assert_eq!(print::formula(&formula.expect("a formula")), expected);
}
