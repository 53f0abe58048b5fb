//! Values: types and their limits, arithmetic, arrays and structures.

use crate::{check, check_fault};

#[test]
fn values_are_cut_to_their_types() {
    check(
        r"bit b; bool o; byte y; short s; int i; unsigned u : 3; mtype = { one }; mtype m; pid p;
             chan c;
         init { b = 2; assert(b == 0); b = 3; assert(b == 1); o = 2; assert(o == 0); y = 256;
             assert(y == 0); y = -1; assert(y == 255); s = 32768; assert(s == -32768);
             s = 65536 + 5; assert(s == 5); u = 9; assert(u == 1); u = -1; assert(u == 7);
             m = 257; assert(m == 1); p = 300; assert(p == 44); i = 2147483647; i = i + 1;
             assert(i < 0) }",
        27,
        26,
        &[],
    );
}

#[test]
fn increments_wrap() {
    check(
        r"byte y = 255; bit b = 1; short s = 32767; unsigned u : 4 = 15; byte z;
         init { y++; assert(y == 0); b++; assert(b == 0); s++; assert(s == -32768); u++;
             assert(u == 0); z--; assert(z == 255); s--; assert(s == 32767) }",
        14,
        13,
        &[],
    );
}

#[test]
fn arithmetic_is_that_of_c() {
    check(
        r"int a = -7; int b = 2;
         init { assert(a / b == -3); assert(a % b == -1); assert((a >> 1) == -4);
             assert((1 << 4) == 16); assert(~a == 6); assert((a & 3) == 1);
             assert((6 ^ 3) == 5); assert((6 | 3) == 7); assert(-a == 7); assert(!a == 0) }",
        12,
        11,
        &[],
    );
}

#[test]
fn overflow_wraps() {
    check(
        r"int a = 2147483647; int b;
         init { b = a * 2; assert(b == -2); b = a + a; assert(b == -2); b = -a - 2;
             assert(b == 2147483647) }",
        8,
        7,
        &[],
    );
}

#[test]
fn conditions_choose_values() {
    check(
        r"byte x = 3; byte y;
         init { y = (x > 2 -> 7 : 8); assert(y == 7); y = (x > 3 -> 7 : 8); assert(y == 8) }",
        6,
        5,
        &[],
    );
}

#[test]
fn and_and_or_stop_early() {
    check(
        r"byte a[2]; byte i = 5; byte n;
         init { assert(!(i < 2 && a[i] == 0)); assert(i > 2 || a[i] == 0);
             assert(n == 0 || 5 / n == 1) }",
        5,
        4,
        &[],
    );
}

#[test]
fn arrays_start_with_one_value() {
    check(
        r"byte a[3] = 7;
         init { byte b[3] = 4; assert(a[0] == 7 && a[1] == 7 && a[2] == 7); assert(b[2] == 4);
             a[1] = 2; b[a[1]] = 1; assert(b[2] == 1) }",
        7,
        6,
        &[],
    );
}

#[test]
fn short_lists_of_initial_values() {
    check(
        r"byte a[4] = { 1, 2 };
         init { byte b[4] = { 5, 6, 7 }; assert(a[0] == 1 && a[1] == 2); byte x;
             x = a[2] * 16 + a[3]; x = b[2] * 16 + b[3] }",
        6,
        5,
        &[],
    );
}

#[test]
fn full_lists_of_initial_values() {
    check(
        r"byte a[3] = { 1, 2, 3 }; short s[2] = { 4000, 300 };
         init { assert(a[0] == 1 && a[1] == 2 && a[2] == 3 && s[0] == 4000 && s[1] == 300) }",
        3,
        2,
        &[],
    );
}

#[test]
fn arrays_of_structures() {
    check(
        r"typedef T { byte a[2]; bool b }; T t[3]; byte i;
         init { i = 1; t[i].a[i] = 5; t[i + 1].b = true;
             assert(t[1].a[1] == 5 && t[2].b && !t[1].b); t[2].a[0] = t[1].a[1] + 1;
             assert(t[i * 2].a[i - 1] == 6) }",
        8,
        7,
        &[],
    );
}

#[test]
fn fields_have_initial_values() {
    check(
        r"typedef T { byte a = 3; short s[2] = 4; bit b }; T t; T u[2];
         init { assert(t.a == 3 && t.s[1] == 4 && t.b == 0 && u[1].a == 3) }",
        3,
        2,
        &[],
    );
}

#[test]
fn declarations_behind_statements_are_steps() {
    check(
        r"byte x;
         active proctype A() { x = 1; byte y = 3; x = y; y = 4; { byte z; z = 1 } }
         active proctype B() { x = 2 }",
        35,
        50,
        &[],
    );
}

#[test]
fn declarations_in_a_loop_start_again() {
    check(
        r"byte x;
         init { do :: x < 3 -> byte y = 5; y++; assert(y == 6); x++ :: else -> break od }",
        18,
        17,
        &[],
    );
}

#[test]
fn locals_with_initial_values() {
    check(
        r"byte g = 3;
         active proctype A() { byte a = g + 1; byte b = a * 2; assert(a == 4 && b == 8); g = 4 }
         active proctype B() { g = 9 }",
        13,
        15,
        &[],
    );
}

#[test]
fn mtypes_count_downwards() {
    check(
        r"mtype = { a, b, c }; mtype = { d }; mtype m = b;
         init { assert(a == 3 && b == 2 && c == 1 && d == 4 && m == 2) }",
        3,
        2,
        &[],
    );
}

#[test]
fn assertions_that_fail_go_on() {
    check(
        r"byte x;
         init { assert(x == 1); x = 1; assert(x == 1) }",
        5,
        4,
        &["assertion"],
    );
}

#[test]
fn printing_is_a_step() {
    check(
        r#"mtype = { a }; byte x;
         init { printf("%d %e\n", x, a); printm(a); x = 1 }"#,
        5,
        4,
        &[],
    );
}

#[test]
fn a_condition_of_a_number() {
    check(r"byte x; init { 5; x = 1; -1; x = 2; (x - 2) || x; 0; x = 3 }", 6, 5, &["deadlock"]);
}

#[test]
fn a_structure_is_not_copied_by_its_fields() {
    check(
        r"typedef T { byte a; byte b }; T t, u;
         init { t.a = 1; t.b = 2; u.a = t.a; u.b = t.b; assert(u.a == 1 && u.b == 2) }",
        7,
        6,
        &[],
    );
}

#[test]
fn parameters_of_active_processes_are_zero() {
    // Whatever was calculated before.
    let model = "byte h = 3; byte g = h + 2; active proctype P(byte x) { assert(x == 0) }";
    check(model, 3, 2, &[]);
}

#[test]
fn what_is_forgotten_is_calculated_all_the_same() {
    check(
        "byte x; init { if :: skip; _ = 1; x = 1 :: skip; skip; x = 2 fi; _ = 3 / x; x = 0 }",
        10,
        10,
        &[],
    );
    check(
        "byte x, y; proctype Q() { y = 1 } init { _ = run Q(); _ = run Q(); x = 1 }",
        19,
        30,
        &[],
    );
    check("byte x; init { do :: x < 2 -> x++ :: _ = x :: x == 2 -> break od }", 7, 9, &[]);
    check_fault("byte x; init { _ = 3 / x; x = 0 }", "division by zero");
    check_fault("byte a[2]; byte x; init { x = 2; _ = a[x]; x = 0 }", "array index");
}
