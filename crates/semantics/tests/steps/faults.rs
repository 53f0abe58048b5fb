//! Faults: what goes wrong is named. SPIN finds the same, or dies of it (division by zero), or
//! never comes back (a `d_step` without end); what it counts behind them means nothing.

use crate::check_fault;

#[test]
fn an_invalid_end_state() {
    check_fault(r"byte x; init { x == 1 }", "deadlock");
}

#[test]
fn an_assertion() {
    check_fault(r"byte x; init { assert(x == 1) }", "assertion");
}

#[test]
fn a_division_by_zero() {
    check_fault(r"byte x, y; init { y = 5 / x }", "division by zero");
}

#[test]
fn a_remainder_by_zero() {
    check_fault(r"byte x, y; init { y = 5 % x }", "division by zero");
}

#[test]
fn an_index_too_big() {
    check_fault(r"byte a[3]; byte i = 3; init { a[i] = 1 }", "array index");
}

#[test]
fn a_negative_index() {
    check_fault(r"byte a[3]; short i = -1; byte x; init { x = a[i] }", "array index");
}

#[test]
fn an_index_in_a_structure() {
    check_fault(
        r"typedef T { byte a[2] }; T t[2]; byte i = 2; init { t[i].a[1] = 1 }",
        "array index",
    );
}

#[test]
fn an_index_of_channels() {
    check_fault(r"chan c[2] = [1] of { byte }; byte i = 2; init { c[i]!1 }", "array index");
}

#[test]
fn a_channel_without_initialiser() {
    check_fault(r"chan c; byte x; init { c?x }", "no channel");
}

#[test]
fn too_few_fields() {
    check_fault(r"chan c = [1] of { byte, byte }; chan d; init { d = c; d!1 }", "message shape");
}

#[test]
fn too_many_fields() {
    check_fault(
        r"chan c = [1] of { byte }; chan wide = [1] of { byte, byte };
          proctype P(chan d) { d!1,2 } init { run P(c) }",
        "message shape",
    );
}

#[test]
fn a_poll_of_a_rendezvous_channel() {
    check_fault(
        r"chan c = [0] of { byte }; init { byte v; if :: c?[1] -> v = 1 :: else -> v = 2 fi }",
        "polled rendezvous",
    );
}

#[test]
fn a_poll_of_a_rendezvous_channel_that_everything_waits_for() {
    let model = r"chan c = [0] of { byte }; init { c?[1] }";
    check_fault(model, "polled rendezvous");
    check_fault(model, "deadlock");
}

#[test]
fn the_256th_process() {
    check_fault(r"proctype P() { false } init { do :: run P() od }", "too many processes");
}

#[test]
fn a_d_step_that_blocks() {
    check_fault(r"byte x; init { d_step { x = 1; x == 2; x = 3 } }", "blocked d_step");
}

#[test]
fn a_d_step_without_a_choice_left() {
    check_fault(
        r"byte x; init { d_step { x = 1; if :: x == 2 -> x = 3 :: x == 4 -> x = 5 fi } }",
        "blocked d_step",
    );
}

#[test]
fn a_d_step_that_receives_from_an_empty_channel() {
    check_fault(
        r"chan c = [1] of { byte }; byte v; init { d_step { v = 1; c?v } }",
        "blocked d_step",
    );
}

#[test]
fn a_d_step_that_never_ends() {
    check_fault(r"byte x; init { d_step { do :: x < 5 -> x = 1 - x od } }", "endless d_step");
}

#[test]
fn a_priority_of_zero() {
    check_fault(r"active proctype A() priority 2 { set_priority(0, 0) }", "bad priority");
}

#[test]
fn enabled_of_itself() {
    check_fault(
        r"byte x;
             active proctype A() { if :: enabled(0) -> x = 1 :: else -> x = 2 fi } active proctype B() { x = 3 }",
        "enabled of itself",
    );
}
