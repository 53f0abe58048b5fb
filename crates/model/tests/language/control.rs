//! The control graphs of statements, as `spin -a -o1 -o2 -o3` and `./pan -d` have them.

use crate::check;

#[test]
fn declarations_behind_the_first_statement_are_steps() {
    check(
        "init { byte x = 1; x = 2 }",
        "
        :init:
        1 -> 2 x = 2
        2. -> ended -end-",
    );
    check(
        "init { skip; byte x = 1; x = 2 }",
        "
        :init:
        1 -> 2 skip
        2 -> 3 x = 1
        3 -> 4 x = 2
        4. -> ended -end-",
    );
    check(
        "init { skip; byte x; x = 2 }",
        "
        :init:
        1 -> 2 skip
        2 -> 3 x = 0
        3 -> 4 x = 2
        4. -> ended -end-",
    );
}

#[test]
fn loops_are_written_out() {
    check(
        "byte i; init { for (i : 1 .. 3) { skip } }",
        "
        :init:
        1 -> 7 i = 1
        7 -> 3 i <= 3
        7 -> 10 else
        3 -> 4 skip
        4 -> 7 i = i + 1
        10. -> ended -end-",
    );
    check(
        "byte i, a[3]; init { for (i in a) { a[i] = 1 } }",
        "
        :init:
        1 -> 7 i = 0
        7 -> 3 i <= 2
        7 -> 10 else
        3 -> 4 a[i] = 1
        4 -> 7 i = i + 1
        10. -> ended -end-",
    );
    check(
        "byte i; init { select (i : 1 .. 3); i++ }",
        "
        :init:
        4 -> 6 i = 1
        4 -> 6 i = 2
        4 -> 6 i = 3
        6 -> 7 i = i + 1
        7. -> ended -end-",
    );
    check(
        "byte i, n; init { select (i : 1 .. n); i++ }",
        "
        :init:
        1 -> 5 i = 1
        5 -> 8 goto
        5 -> 3 i < n
        8 -> 9 i = i + 1
        9. -> ended -end-
        3 -> 5 i = i + 1",
    );
}

#[test]
fn choices_and_jumps() {
    check(
        "byte x; init { if :: x > 0 -> x = 1 :: else -> x = 2 fi; x = 3 }",
        "
        :init:
        5 -> 2 x > 0
        5 -> 4 else
        2 -> 7 x = 1
        7 -> 8 x = 3
        8. -> ended -end-
        4 -> 7 x = 2",
    );
    check(
        "byte x; init { do :: x < 3 -> x++ :: else -> break od }",
        "
        :init:
        5 -> 2 x < 3
        5 -> 8 else
        2 -> 5 x = x + 1
        8. -> ended -end-",
    );
    check(
        "byte x; init { again: x++; goto again }",
        "
        :init:
        1 again: -> 1 x = x + 1",
    );
    check(
        "byte x; init { goto L; L: x = 1 }",
        "
        :init:
        2 L: -> 3 x = 1
        3. -> ended -end-",
    );
    check(
        "byte x; init { x = 1; L: goto M; M: x = 2; goto L }",
        "
        :init:
        1 -> 3 x = 1
        3 M: -> 3 x = 2",
    );
    check(
        "byte x; init { do :: x > 0 -> do :: x = 1 :: break od :: break od; x = 2 }",
        "
        :init:
        8 -> 4 x > 0
        8 -> 11 goto
        4 -> 4 x = 1
        4 -> 8 goto
        11 -> 12 x = 2
        12. -> ended -end-",
    );
}

#[test]
fn escapes_come_first() {
    check(
        "byte x; init { { x = 1; x = 2 } unless { x == 5 -> x = 6 } }",
        "
        :init:
        1 -> 4 x == 5 | escape
        1 -> 2 x = 1
        4 -> 7 x = 6
        7. -> ended -end-
        2 -> 4 x == 5 | escape
        2 -> 7 x = 2",
    );
    check(
        "byte x; init { x = 1 unless x == 2; x = 3 }",
        "
        :init:
        2 -> 5 x == 2 | escape
        2 -> 5 x = 1
        5 -> 6 x = 3
        6. -> ended -end-",
    );
}

#[test]
fn atomic_and_d_step() {
    check(
        "byte x; init { atomic { x = 1; x = 2 }; x = 3 }",
        "
        :init:
        3 -> 2 x = 1 | atomic
        2 -> 4 x = 2
        4 -> 5 x = 3
        5. -> ended -end-",
    );
    check(
        "byte x; init { d_step { x = 1; x = 2; x = 3 }; x = 4 }",
        "
        :init:
        4 -> 5 d_step | d_step
        5 -> 6 x = 4
        6. -> ended -end-",
    );
    check(
        "byte x; init { d_step { do :: x < 3 -> x++ :: else -> break od } }",
        "
        :init:
        8 -> 9 d_step | d_step
        9. -> ended -end-",
    );
    check(
        "byte x; init { L: d_step { x = 1; x = 2 }; x = 3 }",
        "
        :init:
        3 L: -> 4 d_step | d_step
        4 -> 5 x = 3
        5. -> ended -end-",
    );
}

#[test]
fn labels_that_mean_something() {
    check(
        "chan c = [0] of { byte }; active proctype P() { end: do :: c?_ -> progress: skip od } active proctype Q() { c!1 }",
        "
        P
        3 end:. -> 2 c?_
        2 progress: -> 3 skip
        Q
        1 -> 2 c!1
        2. -> ended -end-",
    );
}

#[test]
fn references_to_other_processes() {
    check(
        "byte x; active proctype P() { byte y; there: y = 1 } init { P@there -> x = 1; P:y == 1 }",
        "
        P
        1 there: -> 2 y = 1
        2. -> ended -end-
        :init:
        1 -> 2 P@there
        2 -> 3 x = 1
        3 -> 4 P:y == 1
        4. -> ended -end-",
    );
    check(
        "active proctype P() { goto there; there: skip } init { P[0]@there }",
        "
        P
        2 there: -> 3 skip
        3. -> ended -end-
        :init:
        1 -> 2 P[0]@there
        2. -> ended -end-",
    );
}

#[test]
fn claims() {
    check(
        "byte x; init { x = 1 } never { do :: x == 1 -> break :: else od; accept: skip }",
        "
        :init:
        1 -> 2 x = 1
        2. -> ended -end-
        never_0
        4 -> 7 x == 1
        4 -> 4 else
        7 accept: -> 8 skip
        8. -> ended -end-",
    );
}
