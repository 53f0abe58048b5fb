//! What the language has, and how it is read.

use super::{accepts, reads_expression, reads_formula};
use crate::ast::{ItemKind, Program, StatementKind, StepKind};
use crate::print;

#[test]
fn units() {
    accepts("mtype = { a b, c, }; mtype:fruit = { apple }; mtype { d }; hidden mtype = { e }");
    accepts("byte a byte b init { skip }");
    accepts("typedef T { byte a; int b[2]; }; T x, y[3]; hidden T z");
    accepts("hidden byte h; show int s; local bit l; unsigned u : 5 = 3; mtype:fruit f");
    accepts("chan c = [2] of { mtype, byte, T, mtype:fruit, chan }; chan d[3] = [0] of { bit }");
    accepts("int a[3] = { 1, 2, true }; byte b[(2 + 1) * -N % 3]; pid p = 1 + 2; short s; bool t");
    accepts("active [2 + 1] proctype P() { skip } active proctype Q() { skip }");
    accepts("D_proctype P(byte a, b; chan c) priority 3 provided (x > 0 && nfull(c)) { skip }");
    accepts(
        "init priority 2 { skip } never { skip } never n { skip } trace { c!1 } notrace { c?x }",
    );
    accepts(
        "proctype P() { l: skip } ltl { [] p } ltl named { <> (x == 1) U q; } ; ; ltl other { P@l -> P[1]:x == 2 }",
    );
}

#[test]
fn statements() {
    let steps = |text: &str| accepts(&format!("typedef T {{ byte b }}; proctype P() {{ {text} }}"));
    steps("x = 1; x++; y[2].z--; a.b[i].c = full(c) && x; skip; 1; x -> y -> -> z;; w");
    steps("byte x, y = 3; T t; xr c, d[1]; xs e; mtype m; local byte b");
    steps("L: M: x = 1; N: ; O: unless { x = 2 }; in = 1; goto L; break; else");
    steps("if :: x -> y :: else -> skip fi; do :: a; b; :: break od unless L: { c }");
    steps("for (i : 1 .. n + 1) { x++ }; for (i in a.b) { x++ } ; for (a[1] : 0 .. 1) ; { x }");
    steps("select (i : 1 .. 3); select (i_j : 1 .. 3); select (i : x .. 3); select (i :\n1 .. 3)");
    steps("atomic { x; y }; d_step { x }; { x; { y } }");
    steps(
        "c!1; c!1,x,y; c!m(x,y); c!!m(x); c?x; c?x,y; c?m(x,_); c?(x,y); c??m,x(y,(z)); d[1].e!1",
    );
    steps("c?<x>; c??<x,y>; c?[x]; c??[m,eval(x),-1,true]; c?[x] && c?[y]; c?eval(x+1),-3,4,false");
    steps(
        "printf(\"a %d\\n\", x, y + 1); printf(\"b\"); printm(x); printm(3); assert(x); assert x > 1",
    );
    steps("set_priority(1, 2 + 3); run P(1, x) priority 4; x = run P(); run Q()");
    steps("timeout; np_; enabled(1) && pc_value(_pid) > get_priority(2); (x -> y : z)");
    steps("P:x > 1; P[1]:y[2] == 3; P@L; P[x]@L; (x -> P:y : z); (c -> x : y)");
    steps("len(c) > 1 && (full(c) || empty(d[1])) && nempty(c); nfull(c) || !x");
}

/// The only statement of a process.
fn one(program: &Program) -> &StatementKind {
    let Some(ItemKind::Init { body, .. }) = program.items.last().map(|item| &item.node) else {
        panic!("no init")
    };
    match &body.steps[0].node {
        StepKind::Statement(statement) => statement,
        other => panic!("{other:?}"),
    }
}

#[test]
fn select_is_written_out_as_spin_does() {
    let literal = |text: &str| {
        let program = accepts(&format!("init {{ {text} }}"));
        let StatementKind::Select { literal, .. } = one(&program) else { panic!("{text}") };
        *literal
    };
    assert!(literal("select (i : 1 .. 3)"));
    assert!(literal("select\n(i9 :1..3)"));
    assert!(!literal("select (i : 1 ..\n 3)"));
    assert!(!literal("select (i_ : 1 .. 3)"));
    assert!(!literal("select (i : 1 .. n)"));
    assert!(!literal("select (i : 1 .. -3)"));
    assert!(!literal("select (a[1] : 1 .. 3)"));
}

#[test]
fn returns_assign_to_the_variable_of_their_own_call() {
    let program = accepts(
        "inline two() { return 2 } inline one() { if :: a -> return 1 :: else -> y = two() fi } \
         init { x = one() }",
    );
    let text = print::program(&program);
    assert!(text.contains("x = 1") && text.contains("y = 2") && !text.contains("return"), "{text}");
    accepts("inline f(x) { x = 1 } init { f(a); L: f(b) unless f(c) }");
}

#[test]
fn precedence_is_that_of_spin() {
    reads_expression("a + b * c - d", "(a + (b * c)) - d");
    reads_expression(
        "a || b && c | d ^ e & f == g < h << i + j",
        "a || (b && (c | (d ^ (e & (f == (g < (h << (i + j))))))))",
    );
    reads_expression("!a == b", "(!a) == b");
    reads_expression("-a + ~b", "(-a) + (~b)");
    reads_expression("a - b - c", "a - b - c");
    reads_expression("- - a", "-(-a)");
    reads_expression("((a))", "a");
    reads_expression("(a -> b : c) + 1", "(a -> b : c) + 1");
}

#[test]
fn formulas() {
    reads_formula("[] p U q", "([] (p)) U (q)");
    reads_formula("a U b U c", "(a) U (b) U (c)");
    reads_formula("a -> b -> c <-> d", "((a) -> (b) -> (c)) <-> (d)");
    reads_formula("a && b U c || d", "((a) && ((b) U (c))) || (d)");
    reads_formula("!a && x == 1", "(!(a)) && (x == 1)");
    reads_formula("[] <> X !(a || b)", "[] (<> (X (!((a) || (b)))))");
    reads_formula("a + 1 > b W c V d", "(((a + 1) > b) W (c)) V (d)");
    reads_formula("full(q) && a", "(full(q)) && (a)");
}
