//! Tests of the grammar through one helper per question.

mod errors;
mod language;
mod robust;
mod round_trip;
mod trees;

use super::{parse_expression, parse_formula, parse_program};
use crate::ast::Program;
use crate::diagnostic::Diagnostic;
use crate::options::{MemoryLoader, Options};
use crate::print;
use crate::source::Sources;
use crate::tokenize::{tokenize, tokenize_expression, tokenize_formula};

/// The whole way from text to tree, with what is wrong on it.
fn parse_with_sources(text: &str) -> (Program, Vec<Diagnostic>, Sources) {
    let mut loader = MemoryLoader::default().with("test.pml", text);
    let (mut sources, mut diagnostics) = (Sources::default(), Vec::new());
    let options = Options::default();
    let tokens = tokenize("test.pml", &mut loader, &options, &mut sources, &mut diagnostics);
    let (program, problems) = parse_program(&tokens, &sources);
    diagnostics.extend(problems);
    (program, diagnostics, sources)
}

fn parse(text: &str) -> (Program, Vec<Diagnostic>) {
    let (program, diagnostics, _) = parse_with_sources(text);
    (program, diagnostics)
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
    let (_, diagnostics, sources) = parse_with_sources(text);
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
    let (mut sources, mut diagnostics) = (Sources::default(), Vec::new());
    let tokens = tokenize_expression(text, &mut sources, &mut diagnostics);
    let (expr, problems) = parse_expression(&tokens, &sources);
    diagnostics.extend(problems);
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:#?}");
    assert_eq!(print::expression(&expr.expect("an expression")), expected);
}

/// A formula printed with all its parentheses.
fn reads_formula(text: &str, expected: &str) {
    let (mut sources, mut diagnostics) = (Sources::default(), Vec::new());
    let tokens = tokenize_formula(text, &mut sources, &mut diagnostics);
    let (formula, problems) = parse_formula(&tokens, &sources);
    diagnostics.extend(problems);
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:#?}");
    assert_eq!(print::formula(&formula.expect("a formula")), expected);
}
