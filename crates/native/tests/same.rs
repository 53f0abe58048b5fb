//! Machine code gives the next states of the engine: the same states by the same steps, the same
//! faults, in the same order, on every state that a walk through many models meets.

use pverify_model::load::load_text;
use pverify_native::compare::compare;
use std::path::PathBuf;

/// Compares the first states of a model; how many of them code has answered.
fn check(name: &str, text: &str, most: usize) -> u64 {
    match compare(&load_text(text.to_owned()).model, most) {
        Ok(compared) => compared.by_code,
        Err(difference) => panic!("{name}: {difference}"),
    }
}

fn folder(path: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "pml"));
    files.sort();
    files
}

#[test]
fn the_gallery() {
    let by_code = walk(folder("protocols"));
    assert!(by_code > 0.75, "code was made for {by_code} of the models only");
}

#[test]
fn random_models() {
    let by_code = walk(folder("tests/recorded"));
    assert!(by_code > 0.4, "code was made for {by_code} of the models only");
}

/// Compares the first states of many models; the share of them for which there was code.
fn walk(files: Vec<PathBuf>) -> f64 {
    let by_code = files.iter().filter(|file| {
        let text = std::fs::read_to_string(file).expect("a model");
        check(&file.display().to_string(), &text, 1_000) > 0
    });
    by_code.count() as f64 / files.len() as f64
}

/// One model a construct, with values at the borders.
#[test]
fn single_constructs() {
    for (name, text) in [
        (
            "arithmetic",
            "int a = -7, b; byte c; short s; active proctype P() {
            do :: a < 9 -> a = a + 3 :: b = a * 77777; c = b; s = b :: b = a / 2 - b % 5 :: c++
               :: s = (s << 3) ^ (a >> 1) :: c = ~c & 15 | b :: b = -a :: a = -7; b = !b od }",
        ),
        (
            "division",
            "int a = 3, b; active proctype P() {
            do :: a > -3 -> b = 100 / a; a-- :: b = 5 % (a + 3) od }",
        ),
        (
            "least number",
            "int a = -2147483647, b = -1, c; active proctype P() {
            a = a - 1; c = a / b; c = a % b; b = c + 1 }",
        ),
        (
            "arrays",
            "byte a[5]; byte i; int s[3]; active proctype P() {
            do :: i < 4 -> i++; a[i] = a[i-1] + 1 :: s[i % 3] = a[i] * i :: i > 0 -> i--
               :: a[i] = i od }",
        ),
        ("index", "byte a[3]; byte i; active proctype P() { do :: a[i]++; i = a[i] :: i-- od }"),
        (
            "narrow",
            "byte x; unsigned u : 3; active proctype P() {
            do :: x < 5 -> x++ :: x > 0 -> x-- :: u++ :: x == 3 -> x = 0 od }",
        ),
        (
            "buffered",
            "mtype = { m, n }; chan c = [3] of { mtype, byte, bit }; byte x;
            active proctype S() { do :: c!m(x, 1) :: c!n, 7, 0 :: x = (x + 1) % 3 od }
            active proctype R() { byte y; do :: c?m(y, _) :: c?n, 7, 0 :: c?<n, y, 0> -> x = y
               :: len(c) == 2 -> x = 0 :: full(c) -> x = 1 :: empty(c) -> x = 2 od }",
        ),
        (
            "long messages",
            "chan c = [4] of { int, int, short, byte }; int x; active proctype S() {
            do :: c!x, 1, -2, 3 :: c!0, x, x, x :: x = (x * 3 + 1) % 7 od }
            active proctype R() { int y; short z; do :: c?y, x, z, _ :: c?0, x, z, _ od }",
        ),
        (
            "many messages",
            "chan c = [9] of { byte, bit }; byte x; active proctype S() {
            do :: c!x, 1 :: x = (x + 1) % 5 od } active proctype R() { do :: c?x, _ od }",
        ),
        (
            "words of messages",
            "chan c = [3] of { int, int }; int x; active proctype S() {
            do :: c!x, x + 1 :: x = (x + 1) % 5 - 2 od } active proctype R() { do :: c?x, _ od }",
        ),
        (
            "rendezvous",
            "mtype = { m, n }; chan c = [0] of { mtype, byte }; chan d = [0] of { short };
            byte x; active [2] proctype S() { do :: c!m(x) :: c!n(300) :: d!70000 :: x = 1 - x od }
            active [2] proctype R() { byte y; short z; do :: c?m(y) :: c?n(y) -> x = y % 2
               :: c?m(eval(x)) :: d?z od }",
        ),
        (
            "rendezvous and else",
            "chan c = [0] of { bit }; byte x; active proctype S() {
            do :: c!1 :: else -> x = (x + 1) % 4 od }
            active proctype R() { do :: x > 1 -> c?1 :: x = 0 od }",
        ),
        (
            "atomic",
            "chan c = [0] of { bit }; byte x, y; active proctype A() {
            do :: atomic { x < 3; x++; if :: y = 0 :: y++ fi; y < 3; x-- }
               :: atomic { c!1; x = 0 } od }
            active proctype B() { do :: atomic { c?1; y = 2; y-- } :: y > 0 -> y = 0 od }",
        ),
        (
            "d_step",
            "byte x, y, i; active proctype A() {
            do :: d_step { x < 4; x++; if :: y > 2 -> y = 0 :: else -> y++ fi }
               :: d_step { i = 0; do :: i < x -> i++ :: else -> break od; y = i % 3 }
               :: d_step { if :: x > 2 -> x = 0 :: x == 1 -> y = 1 fi; x = x + 0 } od }",
        ),
        (
            "endless d_step",
            "byte x; active proctype A() {
            x = 1; d_step { do :: x > 0 -> x = 3 - x od } }",
        ),
        (
            "blocked d_step",
            "byte x; active proctype A() { do :: x = 0 :: x = 1
            :: d_step { x < 2; x++; x == 1; x = 0 } od }",
        ),
        ("assertions", "byte x; active proctype A() { do :: x++; assert(x != 5) :: x = 0 od }"),
        ("timeout", "byte x; active proctype A() { do :: x < 3 -> x++ :: timeout -> x = 0 od }"),
        (
            "processes",
            "byte x; proctype P(byte n) { chan c = [1] of { byte }; c!n; c?x }
            init { byte i; do :: i < 3 -> run P(i); i++ :: i > 0 && _nr_pr < 3 -> i = 0 od }",
        ),
        (
            "escapes",
            "byte x; active proctype A() {
            do :: { x = 1; x = 2 } unless { x == 2 -> x = 0 } od }
            active proctype B() { do :: x = 2 :: x = 0 od }",
        ),
        (
            "conditions",
            "byte x, y; bool b; active proctype A() { do :: x < 3 && (y > 1 || !b) -> x++
            :: !(x == 2 && y == 2) -> y = (y + 1) % 4 :: b = !b :: (b -> x : y) > 1 -> x = 0 od }",
        ),
        (
            "channels in registers",
            "chan a = [2] of { byte }; chan b = [0] of { byte }; byte x;
            proctype P(chan c) { do :: c!x :: x = 1 - x od }
            proctype Q(chan c) { do :: c?x od }
            init { run P(a); run P(b); run Q(a); run Q(b) }",
        ),
        (
            "polls",
            "chan c = [2] of { byte, byte }; byte x; active proctype A() {
            do :: c!x, 1 :: c?[0, x] -> c?_, _ :: c??1, x :: c!!x, 2 :: x = 1 - x od }",
        ),
        (
            "remote",
            "byte x; active proctype A() { byte y; do :: y = 1 - y :: L: x = 2 od }
            active proctype B() { do :: A[0]:y == 1 -> x = 0 :: A@L -> x = 1 od }",
        ),
    ] {
        check(name, text, 3_000);
    }
}
