//! What is refused, with which words, and what is found after it.

use super::{parse, refuses, refuses_steps};
use crate::diagnostic::Diagnostic;
use crate::grammar::parse_formula;
use crate::source::Sources;
use crate::tokenize::tokenize_formula;

#[test]
fn ends() {
    refuses("init { do :: x }", &[("E0303", "}")]);
    refuses("init { do :: x -> if :: y od }", &[("E0303", "od")]);
    refuses("init { do :: x fi }", &[("E0303", "fi")]);
    refuses("init { do :: x ", &[("E0303", "")]);
    refuses("proctype P() { x init { y = ; }", &[("E0303", "init"), ("E0301", "}")]);
    refuses("init { x } }", &[("E0304", "}")]);
    refuses_steps("x; od; y = ; z", &[("E0304", "od"), ("E0301", ";")]);
    refuses_steps(":: x", &[("E0304", "::")]);
}

#[test]
fn separators() {
    refuses_steps("x = 1 y = 2; z = ", &[("E0302", "y"), ("E0301", "}")]);
    refuses_steps("x y = 2; z = ", &[("E0302", "y"), ("E0301", "}")]);
    refuses_steps("; x", &[("E0301", ";")]);
    refuses_steps("do :: od", &[("E0309", "od")]);
    refuses_steps("atomic { }", &[("E0309", "}")]);
    refuses_steps("x )) y; z 3", &[("E0301", ")"), ("E0301", "3")]);
}

#[test]
fn several_errors_in_one_run() {
    refuses(
        "init { x = ; do :: y = + :: z ! od; if :: a fi } byte len; proctype { x } init { ) }",
        &[
            ("E0301", ";"),
            ("E0301", "+"),
            ("E0301", "od"),
            ("E0320", "len"),
            ("E0301", "{"),
            ("E0301", ")"),
        ],
    );
}

#[test]
fn probes() {
    refuses_steps("!full(c)", &[("E0305", "!")]);
    refuses_steps("x = full(c) + 1", &[("E0305", "full")]);
    refuses_steps("c!full(d)", &[("E0305", "full")]);
    refuses_steps("(nfull(c) -> 1 : 2)", &[("E0305", "nfull")]);
}

#[test]
fn habits_from_other_languages() {
    refuses_steps("x := 3", &[("E0321", "=")]);
    refuses_steps("x += 3", &[("E0321", "=")]);
    refuses_steps("if :: x => y fi", &[("E0321", ">")]);
    refuses_steps("if :: (x = 1) -> y fi", &[("E0323", "=")]);
    refuses_steps("while (x) { y }; z = ", &[("E0322", "while"), ("E0301", "}")]);
    refuses_steps("if (x) y = 1; z = ", &[("E0310", "if"), ("E0301", "}")]);
    refuses_steps("if (x) -> y = 1; fi; z", &[("E0310", "if")]);
    refuses_steps("foo(1)", &[("E0322", "foo")]);
    refuses_steps("x = y and z", &[("E0322", "and")]);
    refuses_steps("c!(x, y)", &[("E0321", ",")]);
    refuses_steps("y = x++", &[("E0321", "++")]);
    refuses("int main() { x = 1 } init { y }", &[("E0322", "main")]);
    refuses("proctype P { x = }", &[("E0318", "{"), ("E0301", "}")]);
    refuses("bit len; byte b", &[("E0320", "len")]);
    refuses("x = 1; init { y }", &[("E0319", "x")]);
}

#[test]
fn particulars() {
    refuses_steps("L: byte x; y", &[("E0308", "byte")]);
    refuses_steps("return 1", &[("E0311", "return")]);
    refuses("inline one() { return 1 } init { one() }", &[("E0311", "return")]);
    refuses_steps("(c)!1; x + 1 = 2", &[("E0312", "!"), ("E0312", "=")]);
    refuses_steps("mtype = { a }; x", &[("E0313", "mtype")]);
    refuses("int = { a }", &[("E0314", "int")]);
    refuses("chan c = [1] of { unsigned : 3 }", &[("E0315", "unsigned")]);
    refuses("proctype P(byte a = 1) { x }", &[("E0316", "byte")]);
    refuses("byte a[len(c)]; byte b[1 << 2]", &[("E0317", "len"), ("E0317", "1")]);
    refuses("unsigned a : 3[2]", &[("E0301", "[")]);
    refuses("byte a[2] = { 1, -1 }", &[("E0301", "-")]);
    refuses_steps("x unless y unless z", &[("E0301", "unless")]);
    refuses_steps("c!x(y),z", &[("E0301", ",")]);
    refuses_steps("c?(x),y", &[("E0301", ",")]);
    refuses("typedef T { } init { x }", &[("E0301", "}")]);
    refuses("typedef T { byte a;; } init { x }", &[("E0301", "}")]);
    refuses("ltl { ([] p) + 1 }", &[("E0306", "(")]);
    refuses("ltl { [] full(c) }", &[("E0305", "[]")]);
}

#[test]
fn height_is_limited() {
    let long = |operator: &str, count: usize| vec!["a"; count].join(operator);
    super::accepts(&format!("init {{ {} }}", long("+", 990)));
    super::accepts(&format!("ltl {{ {} }}", long(" U ", 990)));
    for text in [long("+", 100_000), format!("{}a", "- ".repeat(100_000)), long("||", 50_000)] {
        let (_, diagnostics) = parse(&format!("init {{ x = {text} }}"));
        let too_deep = |one: &Diagnostic| matches!(one.code.id, "E0010" | "E0307");
        assert!(diagnostics.iter().all(too_deep), "{}", diagnostics.len());
        assert!(!diagnostics.is_empty());
    }
    let labels = "L: ".repeat(100_000);
    assert!(!parse(&format!("init {{ {labels} x }}")).1.is_empty());
    let (mut sources, mut diagnostics) = (Sources::default(), Vec::new());
    let formula = format!("{}a", "[] ".repeat(100_000));
    let tokens = tokenize_formula(&formula, &mut sources, &mut diagnostics);
    diagnostics.extend(parse_formula(&tokens, &sources).1);
    assert!(!diagnostics.is_empty());
}
