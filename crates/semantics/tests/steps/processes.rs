//! Processes: birth, death, `provided`, priorities, and what one knows of another.

use crate::check;

#[test]
fn processes_die_youngest_first() {
    check(
        r"byte x;
         active proctype A() { skip }
         active proctype B() { x = 1 }
         active proctype C() { x = 2; x = 3 }",
        28,
        43,
        &[],
    );
}

#[test]
fn a_dead_number_is_used_again() {
    check(
        r"byte x;
         proctype P() { x = _pid }
         init { pid p; p = run P(); assert(p == 1); _nr_pr == 1; p = run P(); assert(p == 1);
             run P(); _nr_pr == 1; assert(x == 1 || x == 2) }",
        31,
        37,
        &[],
    );
}

#[test]
fn parameters_are_cut_to_their_types() {
    check(
        r"byte r; short q;
         proctype P(byte a; bit b; short s; int i) { assert(a == 1); assert(b == 1);
             assert(s == -1); assert(i == -70000); r = a; q = s }
         init { run P(257, 3, 65535, -70000) }",
        10,
        9,
        &[],
    );
}

#[test]
fn processes_bring_channels_along() {
    check(
        r"chan w = [2] of { chan };
         proctype P(byte n) { chan c = [1] of { byte }; byte v; w!c; c?v; assert(v == n + 1) }
         init { chan d, e; atomic { run P(1); run P(2) }; w?d; w?e;
             if :: d == e -> assert(false) :: d!2; e!3 :: d!3; e!2 fi }",
        77,
        115,
        &["assertion"],
    );
}

#[test]
fn channels_die_with_their_process() {
    check(
        r"byte x;
         proctype P() { chan c = [2] of { byte }; c!1; c!2; x++ }
         init { run P(); _nr_pr == 1; run P(); _nr_pr == 1; assert(x == 2) }",
        15,
        14,
        &[],
    );
}

#[test]
fn run_within_run() {
    check(
        r"byte x;
         proctype P(byte n) { if :: n > 0 -> run P(n - 1) :: else -> x = 1 fi }
         init { run P(3) }",
        15,
        14,
        &[],
    );
}

#[test]
fn a_run_in_an_expression() {
    check(
        r"byte x;
         proctype P() { x++ }
         init { byte p; p = run P() + 10; assert(p == 11) }",
        8,
        9,
        &[],
    );
}

#[test]
fn provided_stops_a_process() {
    check(
        r"byte turn; byte x;
         active proctype A() provided (turn == 0) { x = 1; x = 2; turn = 1; x = 3 }
         active proctype B() provided (turn == 1) { x = 4; x = 5; turn = 0 }",
        8,
        7,
        &[],
    );
}

#[test]
fn provided_within_atomic() {
    check(
        r"byte turn; byte x;
         active proctype A() provided (turn == 0) { atomic { x = 1; turn = 1; x = 2 }; x = 3 }
         active proctype B() { turn == 1; x = 7; turn = 0 }",
        11,
        12,
        &[],
    );
}

#[test]
fn provided_and_rendezvous() {
    check(
        r"chan c = [0] of { byte }; bool go;
         active proctype A() provided (go) { byte v; c?v }
         active proctype B() { c!1 }
         active proctype C() { go = true }",
        7,
        7,
        &[],
    );
}

#[test]
fn provided_and_pid() {
    check(
        r"byte turn;
         active [3] proctype A() provided (turn == _pid) { do :: turn = (turn + 1) % 3 od }",
        3,
        3,
        &[],
    );
}

#[test]
fn the_higher_priority_moves() {
    check(
        r"byte x;
         active proctype A() priority 1 { x = 1; x = 2 }
         active proctype B() priority 3 { x = 3; x = 4 }
         active proctype C() priority 3 { x = 5 }",
        18,
        22,
        &[],
    );
}

#[test]
fn a_blocked_process_of_higher_priority_waits() {
    check(
        r"byte x;
         active proctype A() priority 1 { x = 1; x = 2; x = 3 }
         active proctype B() priority 5 { x == 2; x = 4; x = 5 }",
        9,
        8,
        &[],
    );
}

#[test]
fn priorities_change() {
    check(
        r"byte x;
         active proctype A() priority 2 { x = 1; set_priority(_pid, 9); x = 2;
             assert(get_priority(_pid) == 9); set_priority(1, 10); x = 3 }
         active proctype B() priority 3 { x == 1 || x == 2; x = 4; _priority = 1; x = 5 }",
        13,
        12,
        &[],
    );
}

#[test]
fn run_with_a_priority() {
    check(
        r"byte x;
         proctype P(byte n) { x = n; x = n + 10 }
         init { atomic { run P(1) priority 2; run P(2) priority 7 }; x = 50 }",
        11,
        10,
        &[],
    );
}

#[test]
fn enabled_asks_another_process() {
    check(
        r"byte x;
         active proctype A() { x == 2; x = 9 }
         active proctype B() { if :: enabled(0) -> x = 3 :: !enabled(0) -> x = 4 fi }
         active proctype C() { x = 1; x = 2 }",
        55,
        83,
        &["deadlock"],
    );
}

#[test]
fn enabled_of_the_dead() {
    check(
        r"byte x;
         active proctype A() { assert(!enabled(7));
             if :: enabled(1) -> x = 1 :: else -> x = 2 fi }
         active proctype B() { x = 5 }",
        19,
        22,
        &[],
    );
}

#[test]
fn pc_value_is_a_number_of_spin() {
    check(
        r"byte x;
         active proctype A() { x = 1; x = 2; x = 3 }
         active proctype B() { byte p; p = pc_value(0); assert(p > 0) }",
        29,
        43,
        &[],
    );
}

#[test]
fn remote_labels() {
    check(
        r"byte x;
         active [2] proctype P() { x = 1; here: x = 2; x = 3 }
         active proctype Q() { P[0]@here && P[1]@here; assert(x == 1) }",
        60,
        105,
        &["assertion", "deadlock"],
    );
}

#[test]
fn remote_labels_without_a_number() {
    check(
        r"byte x;
         active proctype P() { x = 1; here: x = 2; x = 3 }
         active proctype Q() { P@here; x = 7 }",
        19,
        22,
        &["deadlock"],
    );
}

#[test]
fn remote_variables() {
    check(
        r"byte x;
         active proctype P() { byte v = 1; byte a[3]; v = 2; a[1] = 4; x = 1 }
         active proctype Q() { x == 1; assert(P:v == 2); assert(P[0]:v == 2);
             assert(P[0]:a[1] == 4) }",
        10,
        9,
        &[],
    );
}

#[test]
fn last_is_part_of_the_state() {
    check(
        r"byte x;
         active proctype A() { x = 1; x = 1 }
         active proctype B() { if :: _last == 0 -> x = 2 :: _last == 1 -> x = 3 :: _last == 2 -> x = 4 fi }
         active proctype C() { x = 1 }",
        92,
        162,
        &[],
    );
}

#[test]
fn last_within_atomic() {
    check(
        r"byte x;
         active proctype A() { atomic { x = 1; x = 2; assert(_last == 0) } ;
             assert(_last == 0 || _last == 1) }
         active proctype B() { x = 3 }",
        19,
        22,
        &[],
    );
}

#[test]
fn number_of_processes() {
    check(
        r"byte n;
         active proctype A() { n = _nr_pr }
         active proctype B() { n = _nr_pr; run C() }
         proctype C() { n = _nr_pr }",
        19,
        21,
        &[],
    );
}

#[test]
fn hidden_variables_are_not_in_the_state() {
    check(
        r"hidden byte h; byte x;
         active [2] proctype A() { h++; x = 1; h = 0; x = 2 }",
        37,
        58,
        &[],
    );
}

#[test]
fn show_and_local_variables() {
    check(
        r"show byte s; local byte l;
         active proctype A() { s = 1; l = 1; s = 2; l = 2 }",
        6,
        5,
        &[],
    );
}
