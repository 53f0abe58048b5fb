//! What SPIN refuses is refused, with a message that says why.

use crate::says;

#[test]
fn a_visible_name_is_not_declared_again() {
    says("init { byte x; { byte x; x = 1 }; x = 2 }", &[("E1002", "`x` is declared twice")]);
    says("byte x; init { byte x; x = 1 }", &[("E1002", "`x` is declared twice")]);
    says(
        "proctype P(byte x) { byte x; x = 1 } init { run P(1) }",
        &[("E1002", "`x` is declared twice")],
    );
    says("init { { byte x; x = 1 }; x = 2 }", &[("E1001", "`x` is not declared")]);
    says("byte P; proctype P() { skip } init { skip }", &[("E1002", "`P` is declared twice")]);
}

#[test]
fn labels_and_variables_are_different_names() {
    says("init { byte x; x: x = 1 }", &[("E1003", "`x` cannot be a label: it is a variable")]);
    says("byte L; init { L: skip }", &[("E1003", "`L` cannot be a label: it is a variable")]);
    says(
        "init { L: skip; L: skip; goto L }",
        &[
            ("E1021", "the label `L` is set twice"),
            ("W1112", "this step does nothing and leads back to itself"),
        ],
    );
    says("init { goto L }", &[("E1020", "there is no label `L` in this process")]);
    says(
        "active proctype P() { L: skip } init { goto L }",
        &[("E1020", "there is no label `L` in this process")],
    );
}

#[test]
fn messages_name_types_and_fields() {
    says(
        "typedef T { byte a; byte b }; T t; init { t = 1 }",
        &[("E1010", "this is a whole `T`, but a single value is needed")],
    );
    says(
        "typedef T { byte a; byte b }; T t; init { t.c = 1 }",
        &[("E1013", "`T` has no field `c`")],
    );
    says(
        "typedef T { byte a }; proctype P(T t) { t.a = 1 } init { run P(1, 2) }",
        &[("E1018", "`P` takes 1 value, not 2")],
    );
    says("byte x; init { x.a = 1 }", &[("E1013", "`x` has no fields: it is of type byte")]);
    says("T t; init { skip }", &[("E1004", "there is no type `T`")]);
}

#[test]
fn constants_must_be_constant() {
    says("byte n = 0; byte a[n + 1]; init { a[0] = 1 }", &[("E1005", "`n` is not a constant")]);
    says(
        "byte a[1 / 0]; init { a[0] = 1 }",
        &[("E1005", "the value of this is not known: it divides by zero")],
    );
    says("byte a[0]; init { a[0] = 1 }", &[("E1006", "an array cannot have 0 elements")]);
}

#[test]
fn mtype_sets_are_kept_apart() {
    says(
        "mtype:f = { apple }; mtype:t = { saw }; mtype:f x; init { x = saw }",
        &[("E1039", "`saw` belongs to `mtype:t`, not to `mtype:f`")],
    );
    says("mtype = { a, a }; init { skip }", &[("E1002", "the constant `a` is declared twice")]);
}

#[test]
fn a_d_step_is_one_step() {
    says(
        "byte x; init { d_step { x = 1; goto L; x = 2 }; L: skip }",
        &[("E1024", "this jump leaves its `d_step` from the middle")],
    );
    says(
        "proctype P() { skip } init { d_step { skip; run P() } }",
        &[("E1027", "a `d_step` cannot contain `run`")],
    );
    says(
        "byte x; init { goto L; d_step { x = 1; L: x = 2 } }",
        &[("E1024", "this jump crosses the border of a `d_step`")],
    );
}

#[test]
fn references_need_what_they_name() {
    says(
        "proctype P() { skip } init { P@nowhere; run P() }",
        &[("E1020", "`P` has no label `nowhere`")],
    );
    says(
        "proctype P() { byte y; y = 1 } init { P:z == 1; run P() }",
        &[("E1001", "`P` has no variable `z`")],
    );
    says("init { Q@L }", &[("E1019", "there is no proctype `Q`")]);
}

#[test]
fn nothing_that_asks_for_one_process_stands_beside_a_rendezvous() {
    let priority = [("E1050", "priorities cannot be combined with rendezvous channels")];
    for uses in [
        "active proctype P() priority 2 { skip }",
        "active proctype P() priority 1 { skip }",
        "active proctype P() provided (_priority > 1) { skip }",
        "init { set_priority(0, 3) }",
        "init { _priority = 2 }",
        "init { get_priority(0) > 1 }",
        "proctype P() { skip } init { run P() priority 3 }",
        "init priority 4 { skip }",
    ] {
        says(&format!("chan c = [0] of {{ byte }}; {uses}"), &priority);
        says(&format!("proctype Q() {{ chan c = [1 - 1] of {{ byte }}; skip }} {uses}"), &priority);
        says(&format!("chan c = [1] of {{ byte }}; {uses}"), &[]);
    }
    says(
        "chan c = [0] of { byte }; init { enabled(0) }",
        &[("E1050", "`enabled()` cannot be combined with rendezvous channels")],
    );
    says("chan c = [0] of { byte }; init { pc_value(0) > 1 }", &[]);
}

#[test]
fn no_jump_leaves_a_d_step_from_a_block_inside() {
    let leaves = [("E1024", "this jump leaves its `d_step`")];
    for body in [
        "d_step { x = 1; { y = 1; goto L }; x = 3 }; x = 2; L: x = 4",
        "L: x = 0; d_step { x = 1; { goto L }; x = 2 }",
        "do :: d_step { x = 1; { break } } od",
        "do :: d_step { x = 1; { break }; x = 2 } od",
        // Nobody comes there, and SPIN writes it all the same.
        "goto M; d_step { x = 1; { y = 1; goto L }; x = 3 }; M: x = 2; L: x = 4",
        "d_step { x = 1; goto M; { goto L }; M: x = 2 }; x = 3; L: x = 4",
    ] {
        says(&format!("byte x, y; init {{ {body} }}"), &leaves);
    }
    says("byte x; init { d_step { x = 1; { goto L } }; L: x = 4 }", &[]);
}
