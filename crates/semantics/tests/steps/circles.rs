//! Circles inside `atomic`, on which SPIN runs to its limit of depth: they are found at once.

use crate::{check, check_fault};

const FAULT: &str = "atomic cycle";

#[test]
fn a_circle_without_a_way_out() {
    check_fault("byte x; init { atomic { do :: x = 0 od } }", FAULT);
}

#[test]
fn a_circle_with_choices() {
    check_fault("byte x; init { atomic { do :: x = 0 :: x = 1 od } }", FAULT);
    check_fault("byte x; init { atomic { do :: x = 0 :: x = 1 :: x = 2 :: x = 3 od } }", FAULT);
}

#[test]
fn a_circle_with_a_way_out() {
    check_fault("byte x; init { atomic { do :: x = 0 :: x = 1 :: break od }; x = 2 }", FAULT);
}

#[test]
fn a_circle_of_many_states() {
    check_fault("byte x; init { atomic { do :: x++ :: x-- od } }", FAULT);
    check_fault("byte x, y; init { atomic { do :: x++ :: y++ od } }", FAULT);
    check_fault("int x, y, z; init { atomic { do :: x++ :: y++ :: z++ :: x = 0 od } }", FAULT);
}

#[test]
fn a_circle_behind_choices() {
    let choices = "if :: x = 0 :: x = 1 fi; ".repeat(8);
    check_fault(&format!("byte x; init {{ atomic {{ {choices} do :: x = 0 od }} }}"), FAULT);
}

#[test]
fn a_circle_of_jumps() {
    check_fault("byte x; init { atomic { x = 2; again: x = 1; x = 0; goto again } }", FAULT);
}

#[test]
fn a_circle_of_rendezvous_is_none() {
    // Whoever has control waits for the other, and the state counts.
    check(
        "chan c = [0] of { byte };
         active proctype A() { atomic { do :: c!1 od } }
         active proctype B() { byte v; atomic { do :: c?v od } }",
        2,
        2,
        &[],
    );
}

#[test]
fn a_long_way_is_no_circle() {
    check(
        "short x; init { atomic { do :: x < 2000 -> x++ :: else -> break od }; x = 0 }",
        4,
        3,
        &[],
    );
}
