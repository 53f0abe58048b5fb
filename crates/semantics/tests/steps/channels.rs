//! Channels: order, patterns, questions, rendezvous, channels as values.

use crate::check;

#[test]
fn fifo_order() {
    check(
        r"chan c = [3] of { byte };
         active proctype A() { c!1; c!2; c!3 }
         active proctype B() { byte v; c?v; assert(v == 1); c?v; assert(v == 2); c?v;
             assert(v == 3) }",
        18,
        23,
        &[],
    );
}

#[test]
fn constants_must_match() {
    check(
        r"mtype = { one, two }; chan c = [2] of { mtype, byte };
         active proctype A() { c!one(1); c!two(2) }
         active proctype B() { byte v;
             do :: c?one(v) -> assert(v == 1) :: c?two, v -> assert(v == 2); break od }",
        11,
        12,
        &[],
    );
}

#[test]
fn eval_must_match() {
    check(
        r"chan c = [2] of { byte }; byte w = 2;
         active proctype A() { c!1; c!2 }
         active proctype B() { byte v; if :: c?eval(w) -> v = 1 :: c?eval(w - 1) -> v = 2 fi;
             assert(v == 2) }",
        12,
        15,
        &[],
    );
}

#[test]
fn eval_of_pid() {
    check(
        r"chan c = [2] of { pid, byte };
         active [2] proctype A() { byte v; c?eval(_pid), v; assert(v == _pid + 5) }
         active proctype B() { c!0,5; c!1,6; c!0,7 }",
        26,
        44,
        &[],
    );
}

#[test]
fn sent_values_are_cut_to_the_field() {
    check(
        r"chan c = [2] of { bit, byte, short };
         init { int a, b, d; c!3,300,70000; c?a,b,d; assert(a == 1); assert(b == 44);
             assert(d == 4464) }",
        7,
        6,
        &[],
    );
}

#[test]
fn received_values_are_cut_to_the_variable() {
    check(
        r"chan c = [2] of { int };
         init { byte a; bit b; c!300; c?a; assert(a == 44); c!3; c?b; assert(b == 1) }",
        8,
        7,
        &[],
    );
}

#[test]
fn sorted_send() {
    check(
        r"chan c = [4] of { byte };
         init { byte v; c!!3; c!!1; c!!2; c!!2; c?v; assert(v == 1); c?v; assert(v == 2); c?v;
             c?v; assert(v == 3) }",
        13,
        12,
        &[],
    );
}

#[test]
fn sorted_send_of_several_fields() {
    check(
        r"chan c = [4] of { byte, byte };
         init { byte v, w; c!!2,1; c!!1,9; c!!2,0; c!!1,3; c?v,w; assert(v == 1 && w == 3);
             c?v,w; assert(v == 1 && w == 9); c?v,w; assert(v == 2 && w == 0) }",
        12,
        11,
        &[],
    );
}

#[test]
fn sorted_send_compares_before_it_cuts() {
    check(
        r"chan c = [4] of { byte };
         init { byte v; c!!5; c!!257; c?v; assert(v == 5); c?v; assert(v == 1) }",
        8,
        7,
        &[],
    );
}

#[test]
fn sorted_send_of_negative_numbers() {
    check(
        r"chan c = [4] of { short, int };
         init { short v; int w; c!!1,1; c!!-1,2; c!!-1,-5; c?v,w; assert(v == -1 && w == -5) }",
        7,
        6,
        &[],
    );
}

#[test]
fn random_receive() {
    check(
        r"chan c = [4] of { byte, byte };
         init { byte v; c!1,5; c!2,6; c!1,7; c??2(v); assert(v == 6); c??1,v; assert(v == 5);
             assert(len(c) == 1) }",
        10,
        9,
        &[],
    );
}

#[test]
fn random_receive_blocks() {
    check(
        r"chan c = [4] of { byte };
         active proctype A() { c!1; c!2; c!3 }
         active proctype B() { c??3; c??1; c??2; assert(empty(c)) }",
        10,
        9,
        &[],
    );
}

#[test]
fn receive_that_keeps() {
    check(
        r"chan c = [2] of { byte, byte };
         init { byte v, w; c!1,2; c?<v,w>; assert(v == 1 && w == 2 && len(c) == 1); c!3,4;
             c??<3,w>; assert(w == 4 && len(c) == 2) }",
        8,
        7,
        &[],
    );
}

#[test]
fn polls() {
    check(
        r"chan c = [2] of { byte, byte };
         init { assert(!c?[1,2]); c!1,2; assert(c?[1,2]); assert(!c?[2,2]); c!5,6;
             assert(!c?[5,6]); assert(c??[5,6]); assert(c??[eval(4+1),_]) }",
        10,
        9,
        &[],
    );
}

#[test]
fn lengths() {
    check(
        r"chan c = [2] of { byte };
         active proctype A() { assert(empty(c) || len(c) > 0); nempty(c); assert(len(c) > 0);
             full(c); assert(len(c) == 2); nfull(c) }
         active proctype B() { byte v; c!1; c!2; c?v }",
        27,
        39,
        &["assertion", "deadlock"],
    );
}

#[test]
fn a_wildcard() {
    check(
        r"chan c = [2] of { byte, byte };
         init { byte v; c!1,2; c?_,v; assert(v == 2); c!3,4; c?v,_; assert(v == 3) }",
        8,
        7,
        &[],
    );
}

#[test]
fn structures_in_messages() {
    check(
        r"typedef T { byte a[2]; bool b; short s };
         chan c = [1] of { byte, T };
         active proctype A() { T t; t.a[0] = 1; t.a[1] = 2; t.b = true; t.s = -3; c!7,t }
         active proctype B() { T u; byte n; c?n,u;
             assert(n == 7 && u.a[0] == 1 && u.a[1] == 2 && u.b && u.s == -3) }",
        10,
        9,
        &[],
    );
}

#[test]
fn structures_in_structures_in_messages() {
    check(
        r"typedef I { byte p; byte q[2] }; typedef T { I i; byte z };
         chan c = [0] of { T };
         active proctype A() { T t; t.i.q[1] = 5; t.i.p = 4; t.z = 3; c!t }
         active proctype B() { T u; c?u; assert(u.i.q[1] == 5 && u.i.p == 4 && u.z == 3) }",
        8,
        7,
        &[],
    );
}

#[test]
fn arrays_of_channels() {
    check(
        r"chan c[3] = [1] of { byte }; byte i;
         active proctype A() { c[0]!5; c[2]!7; i = 2 }
         active proctype B() { byte v; i == 2; c[i]?v; assert(v == 7); c[i - 2]?v;
             assert(v == 5); assert(len(c[1]) == 0) }",
        12,
        11,
        &[],
    );
}

#[test]
fn channels_in_messages() {
    check(
        r"chan b = [1] of { chan, byte }; chan r[2] = [1] of { byte };
         active [2] proctype A() { byte v; b!r[_pid],_pid; r[_pid]?v; assert(v == _pid * 2) }
         active proctype S() { chan d; byte n; do :: b?d,n -> d!(n * 2) :: timeout -> break od }",
        48,
        70,
        &[],
    );
}

#[test]
fn channels_compare() {
    check(
        r"chan c = [1] of { byte }; chan d = [1] of { byte }; chan e;
         init { assert(c != d); e = c; assert(e == c); e!1; assert(len(c) == 1 && len(d) == 0) }",
        7,
        6,
        &[],
    );
}

#[test]
fn local_channels_in_messages() {
    check(
        r"chan b = [0] of { chan };
         active proctype A() { chan own = [0] of { byte }; byte v; b!own; own?v; assert(v == 3) }
         active proctype B() { chan d; b?d; d!3 }",
        7,
        7,
        &[],
    );
}

#[test]
fn rendezvous_of_constants() {
    check(
        r"chan c = [0] of { byte, byte }; byte x;
         active proctype A() { do :: c!1,5 :: c!2,6; break od }
         active proctype B() { byte v; do :: c?1,v -> x = v :: c?2,v -> x = v; break od }",
        9,
        10,
        &[],
    );
}

#[test]
fn rendezvous_within_one_process_is_none() {
    check(
        r"chan c = [0] of { byte };
         init { byte v; if :: c!1 :: c?v fi }",
        1,
        0,
        &["deadlock"],
    );
}

#[test]
fn rendezvous_values_are_cut() {
    check(
        r"chan c = [0] of { byte };
         active proctype A() { c!300 }
         active proctype B() { int v; c?v; assert(v == 44) }",
        5,
        4,
        &[],
    );
}

#[test]
fn exclusive_channels() {
    check(
        r"chan c = [1] of { byte };
         active proctype A() { xs c; c!1; c!2 }
         active proctype B() { xr c; byte v; c?v; c?v }",
        7,
        6,
        &[],
    );
}

#[test]
fn a_capacity_of_255() {
    check(
        r"chan c = [255] of { bit }; byte n;
         init { do :: n < 255 -> c!1; n++ :: else -> break od; assert(full(c) && len(c) == 255) }",
        769,
        768,
        &[],
    );
}

#[test]
fn mtype_messages() {
    check(
        r"mtype = { a, b, c }; mtype:x = { d, e }; chan k = [2] of { mtype, mtype:x };
         init { mtype m; mtype:x n; k!a,e; k?m,n; assert(m == a && n == e);
             assert(m == 3 && n == 1) }",
        6,
        5,
        &[],
    );
}

#[test]
fn send_expressions_are_taken_before() {
    check(
        r"chan c = [2] of { byte, byte }; byte x = 3;
         init { byte a, b; c!x + 1, x * 2; x = 0; c?a,b; assert(a == 4 && b == 6) }",
        6,
        5,
        &[],
    );
}

#[test]
fn receive_into_an_element_whose_index_is_received() {
    check(
        r"chan c = [2] of { byte, byte };
         init { byte i; byte a[4]; c!2,9; c?i,a[i]; assert(a[2] == 9 || a[0] == 9);
             if :: a[2] == 9 :: a[0] == 9 -> assert(i == 2) fi }",
        6,
        5,
        &[],
    );
}
