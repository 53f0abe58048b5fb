//! What names mean: constants, structures, scopes; the graphs are those of `./pan -d`.

use crate::{check, says};

#[test]
fn mtype_constants_are_numbered_from_the_last() {
    check(
        "mtype = { a, b }; mtype = { c }; mtype m; init { m = a; m = c; assert(m == 3) }",
        "
        :init:
        1 -> 2 m = a
        2 -> 3 m = c
        3 -> 4 assert(m == 3)
        4. -> ended -end-",
    );
    check(
        "mtype:fruit = { apple, pear }; mtype:fruit f; init { f = apple; f = pear }",
        "
        :init:
        1 -> 2 f = apple
        2 -> 3 f = pear
        3. -> ended -end-",
    );
}

#[test]
fn structures_count_by_their_fields() {
    check(
        "typedef Pair { byte x; byte y }; Pair p; chan c = [1] of { Pair }; init { c!p; c?p }",
        "
        :init:
        1 -> 2 c!p.x,p.y
        2 -> 3 c?p.x,p.y
        3. -> ended -end-",
    );
    check(
        "typedef In { byte a[2] }; typedef Out { In i; bit b }; Out o; init { o.i.a[1] = 1; o.b = o.i.a[0] }",
        "
        :init:
        1 -> 2 o.i.a[1] = 1
        2 -> 3 o.b = o.i.a[0]
        3. -> ended -end-",
    );
}

#[test]
fn constants_are_folded_where_they_must_be() {
    check(
        "byte a[2 * 3 - 1]; init { a[4] = 2 + 3 }",
        "
        :init:
        1 -> 2 a[4] = 2 + 3
        2. -> ended -end-",
    );
}

#[test]
fn blocks_have_scopes_of_their_own() {
    check(
        "init { { byte x; x = 1 }; { byte x; x = 2 } }",
        "
        :init:
        3 -> 2 x = 0
        2 -> 6 x = 1
        6 -> 5 x = 0
        5 -> 7 x = 2
        7. -> ended -end-",
    );
    check(
        "inline f() { byte t; t = 1 } init { f(); f() }",
        "
        :init:
        3 -> 2 t = 0
        2 -> 6 t = 1
        6 -> 5 t = 0
        5 -> 7 t = 1
        7. -> ended -end-",
    );
    check(
        "active proctype P() { byte x; x = 1 } byte x; init { x = 1 }",
        "
        P
        1 -> 2 x = 1
        2. -> ended -end-
        :init:
        1 -> 2 x = 1
        2. -> ended -end-",
    );
}

#[test]
fn a_name_met_outside_is_no_variable_of_a_process() {
    says(
        "byte a = z; proctype P() { byte b; byte z; z = b } active proctype Q() { z = 1 }",
        &[("E1001", "`z` is not declared"), ("E1001", "`z` is not declared")],
    );
}
