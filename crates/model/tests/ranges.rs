//! The intervals that variables get: no smaller than what models do with them, and not much larger.

use pverify_model::load::load_text;
use pverify_model::machine::{Model, ProcessId, Variable, VariableId};
use pverify_model::ranges::Ranges;

/// The variable `x` of a model, global or of a process, lies between these numbers.
fn check(text: &str, low: i32, high: i32) {
    let loaded = load_text(text);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(errors.is_empty(), "{text}\n{errors:#?}");
    let range = range_of_x(&loaded.model, &Ranges::of(&loaded.model));
    assert_eq!(range, Some((low, high)), "{text}");
}

fn range_of_x(model: &Model, ranges: &Ranges) -> Option<(i32, i32)> {
    let find = |variables: &[Variable]| {
        let at = variables.iter().position(|variable| &*variable.name == "x")?;
        Some(VariableId(at as u32))
    };
    let local = |(kind, process): (usize, &pverify_model::machine::Process)| {
        Some(ranges.local(ProcessId(kind as u32), find(&process.locals)?))
    };
    let global = find(&model.globals).map(|at| ranges.global(at));
    let found = global.or_else(|| model.processes.iter().enumerate().find_map(local))?;
    Some((found.first()?.low, found.last()?.high))
}

#[test]
fn first_values_and_assignments_are_all_there_is() {
    check("byte x; active proctype P() { x = 3; x = 4 }", 0, 4);
    check("byte x = 2; active proctype P() { x = 3 }", 2, 3);
    check("byte x = 7; active proctype P() { assert(x == 7) }", 7, 7);
    check("int y = 3; int x = y + 2; active proctype P() { skip }", 5, 5);
    check("short x; active proctype P() { x = -3; x = x }", -3, 0);
    check("byte x[3]; active proctype P() { x[1] = 6 }", 0, 6);
    check("byte x[3] = {1, 2, 9}; active proctype P() { skip }", 1, 9);
    check("mtype = { a, b, c }; mtype x = a; active proctype P() { x = b }", 2, 3);
}

#[test]
fn what_does_not_fit_wraps_around() {
    check("byte x; active proctype P() { x = x - 1 }", 0, 255);
    check("byte x; active proctype P() { do :: x++ od }", 0, 255);
    check("bit x; active proctype P() { x = 2 }", 0, 1);
    check("bit x[2]; active proctype P() { x[0] = 2 }", 0, 2);
    check("unsigned x : 3; active proctype P() { do :: x++ od }", 0, 7);
    check("short x; active proctype P() { do :: x = x + 5 od }", -32768, 32767);
}

#[test]
fn conditions_on_the_way_bound_locals() {
    check("active proctype P() { byte x; do :: x < 5 -> x++ :: else -> break od }", 0, 5);
    check("active proctype P() { byte x; do :: x < 5 -> x++ :: x > 2 -> x = 0 od }", 0, 5);
    check("active proctype P() { byte x; do :: x = (x + 1) % 7 od }", 0, 6);
    check("active proctype P() { byte x; do :: x = (x < 5 -> x + 1 : 0) od }", 0, 5);
    check("active proctype P() { byte x; for (x : 1 .. 6) { skip } }", 0, 7);
    check("active proctype P() { byte x; select (x : 3 .. 5) }", 0, 5);
    check("active proctype P() { byte x; if :: x == 1 -> x = 99 :: else fi }", 0, 0);
    check("active proctype P() { int x; do :: !(x >= 3 || x < -3) -> x = x - 1 od }", -4, 0);
    check("active proctype P() { byte x; if :: x > 0 -> x = 9 :: else -> x = x + 2 fi }", 0, 2);
}

#[test]
fn conditions_bound_globals_only_while_nobody_else_moves() {
    let pair = |body: &str| format!("byte x; active [2] proctype P() {{ {body} }}");
    check(&pair("do :: d_step { x < 5; x++ } od"), 0, 5);
    check(&pair("do :: atomic { x < 5; x++ } od"), 0, 5);
    check(&pair("do :: x < 5 -> x++ od"), 0, 255);
    check("byte x; active proctype P() { do :: x < 5 -> x++ od }", 0, 5);
    check("byte x; proctype P() { do :: x < 5 -> x++ od } init { run P() }", 0, 5);
    check("byte x; proctype P() { do :: x < 5 -> x++ od } init { run P(); run P() }", 0, 255);
    check("byte x; proctype P() { x < 5; x++ } init { do :: run P() od }", 0, 255);
    // The process rests where the block cannot go on, and others move.
    check(&pair("bit go; do :: atomic { x < 5; go -> x++ } :: go = 1 od"), 0, 255);
    let rendezvous = "chan c = [0] of { bit };
        active proctype Q() { do :: c?_ -> x = 200 od }";
    check(
        &format!(
            "byte x; {rendezvous} active proctype P() {{ do :: atomic {{ x < 5; c!1; x++ }} od }}"
        ),
        0,
        255,
    );
    let provided = "byte x; bit y; active [2] proctype P() provided (y == 0) {
        do :: atomic { x < 5; x++ } od }";
    check(provided, 0, 255);
}

#[test]
fn messages_carry_what_is_sent() {
    let both = |send: &str, receive: &str| {
        format!(
            "chan c = [2] of {{ byte, byte }}; chan d = [2] of {{ byte, byte }};
             active proctype S() {{ {send} }} active proctype R() {{ byte x; {receive} }}"
        )
    };
    check(&both("c!3,1; c!5,77; d!9,9", "c?x,_"), 0, 5);
    check(&both("c!3,1; d!9,9", "chan e = c; if :: e = d :: skip fi; e?x,_"), 0, 9);
    check(&both("skip", "c?x,_; x = 88"), 0, 0);
    check(
        "proctype P(chan c; byte x) { c!x } init { chan d = [1] of { byte }; run P(d, 4) }",
        4,
        4,
    );
    check("active proctype P() { byte x; chan c = [1] of { bit }; c!2; c?x }", 0, 1);
}

#[test]
fn parameters_are_what_is_passed() {
    check("proctype P(byte x) { skip } init { run P(3); run P(6) }", 3, 6);
    check("proctype P(byte x) { if :: x < 5 -> run P(x + 1) :: else fi } init { run P(1) }", 1, 5);
    check("typedef T { byte a; byte b[2] } active proctype P() { T x; x.b[1] = 6; x.a = 1 }", 0, 6);
    check("active [3] proctype P() { byte x; x = _pid }", 0, 2);
    check("init { pid x; x = run P() } proctype P() { skip }", 0, 1);
}

#[test]
fn what_tells_nothing_bounds_nothing() {
    check("active proctype P() { byte x; do :: assert(x < 5); x++ od }", 0, 255);
    check("hidden byte x; active proctype P() { x = 1 }", 0, 255);
    // A condition that divides by zero is neither true nor false.
    check(
        "active proctype P() { byte x, y; x = 9; if :: x > 8 / y :: else -> x = x * 10 fi }",
        0,
        90,
    );
}
