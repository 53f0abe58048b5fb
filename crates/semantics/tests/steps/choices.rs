//! Choices: `else`, `unless`, `timeout`, loops and ends.

use crate::check;

#[test]
fn else_beside_a_rendezvous() {
    check(
        r"chan c = [0] of { byte }; byte x;
         active proctype A() { if :: c!1 -> x = 1 :: else -> x = 2 fi }
         active proctype B() { byte v; if :: c?v :: x == 2 -> skip fi }",
        6,
        6,
        &[],
    );
}

#[test]
fn else_beside_a_rendezvous_that_is_taken() {
    check(
        r"chan c = [0] of { byte }; byte x;
         active proctype A() { do :: c!1 -> x = 1 :: else -> x = 2; break od }
         active proctype B() { byte v; do :: c?v :: x == 2 -> break od }",
        4,
        4,
        &[],
    );
}

#[test]
fn else_beside_a_rendezvous_receive() {
    check(
        r"chan c = [0] of { byte }; byte x;
         active proctype A() { byte v; if :: c?v -> x = 1 :: else -> x = 2 fi }
         active proctype B() { if :: c!1 :: x == 2 -> skip fi }",
        12,
        12,
        &[],
    );
}

#[test]
fn else_beside_a_buffered_receive() {
    check(
        r"chan c = [1] of { byte }; byte x;
         active proctype A() { byte v; do :: c?v -> x = v; break :: else -> x = 9 od }
         active proctype B() { c!3 }",
        19,
        28,
        &[],
    );
}

#[test]
fn else_beside_an_offer_that_nobody_takes() {
    check(
        r"chan c = [0] of { byte }; byte x;
         active proctype A() { if :: c!1 -> x = 1 :: else -> x = 2 fi }
         active proctype B() { x == 2 }",
        6,
        5,
        &[],
    );
}

#[test]
fn else_beside_two_offers() {
    check(
        r"chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
         active proctype A() { do :: c!1 -> x = 1 :: d!1 :: else -> x = 2; break od }
         active proctype B() { byte v; c?v }",
        10,
        12,
        &[],
    );
}

#[test]
fn choices_flatten() {
    check(
        r"byte x;
         init { if :: if :: x = 1 :: x = 2 fi :: do :: x = 3; break :: x == 0 -> x = 4;
             break od fi; assert(x > 0) }",
        14,
        13,
        &[],
    );
}

#[test]
fn escapes_go_first() {
    check(
        r"byte x; bool f;
         active proctype A() { { x = 1; x = 2; x = 3 } unless { f -> x = 9 } ; x = 10 }
         active proctype B() { f = true }",
        24,
        35,
        &[],
    );
}

#[test]
fn inner_escapes_before_outer_ones() {
    check(
        r"byte x; bool f, g;
         active proctype A() { { { x = 1; x = 2 } unless { f -> x = 7 } ;
             x = 3 } unless { g -> x = 8 } }
         active proctype B() { f = true; g = true }
         active proctype C() { g = true; f = true }",
        133,
        279,
        &[],
    );
}

#[test]
fn an_escape_with_choices() {
    check(
        r"byte x; bool f, g;
         active proctype A() { do :: x < 2 -> x++ od unless { if :: f -> x = 7 :: g -> x = 8 fi } }
         active proctype B() { f = true; g = true }",
        42,
        73,
        &[],
    );
}

#[test]
fn an_escape_by_rendezvous() {
    check(
        r"chan c = [0] of { byte }; byte x;
         active proctype A() { byte v;
             do :: x < 3 -> x++ :: x == 3 -> x = 0 od unless { c?v -> x = v } }
         active proctype B() { c!9 }",
        19,
        30,
        &[],
    );
}

#[test]
fn an_offer_beside_an_escape() {
    check(
        r"chan c = [0] of { byte }; byte x; bool f;
         active proctype A() { { c!1; x = 1 } unless { f -> x = 2 } }
         active proctype B() { byte v; if :: c?v :: f = true fi }",
        13,
        15,
        &[],
    );
}

#[test]
fn an_escape_inside_atomic() {
    check(
        r"byte x; bool f;
         active proctype A() { atomic { x = 1; x = 2; x = 3 } unless { f -> x = 9 } }
         active proctype B() { f = true }",
        12,
        13,
        &[],
    );
}

#[test]
fn an_escape_with_else() {
    check(
        r"byte x; bool f;
         active proctype A() { { x = 1; x = 2 } unless { if :: f -> x = 7 fi } ;
             if :: x == 2 -> x = 3 :: else -> x = 4 fi }
         active proctype B() { f = true }",
        27,
        37,
        &[],
    );
}

#[test]
fn timeout_is_the_last_resort() {
    check(
        r"chan c = [1] of { byte }; byte x;
         active proctype A() { byte v; do :: c?v -> x++ :: timeout -> break od }
         active proctype B() { c!1; c!2 }",
        14,
        17,
        &[],
    );
}

#[test]
fn timeout_of_two_processes() {
    check(
        r"byte x;
         active [2] proctype A() { timeout -> x++; timeout -> x++ }",
        25,
        28,
        &[],
    );
}

#[test]
fn timeout_in_a_condition() {
    check(
        r"byte x;
         active proctype A() { do :: timeout && x < 2 -> x++ :: x == 2 -> break od }
         active proctype B() { x == 1; x = 2 }",
        9,
        9,
        &[],
    );
}

#[test]
fn a_loop_over_a_range() {
    check(
        r"byte i, x;
         init { for (i : 1 .. 3) { x = x + i } assert(x == 6) }",
        14,
        13,
        &[],
    );
}

#[test]
fn a_selected_number() {
    check(r"byte i; init { select (i : 2 .. 5); assert(i >= 2 && i <= 5) }", 13, 12, &[]);
}

#[test]
fn labels_for_ends() {
    check(
        r"byte x;
         active proctype A() { end: do :: x == 1 -> x = 0 od }
         active proctype B() { x = 1; endless: false }",
        4,
        3,
        &[],
    );
}
