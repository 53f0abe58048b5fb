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

#[test]
fn an_element_is_not_found_through_its_own_array() {
    let itself = [("E1051", "the element to be assigned is found through the same array")];
    let before = "typedef T { byte b; byte a[2] }; T t[2]; byte a[3]; byte b[3];";
    for statement in [
        "a[a[0]] = 1",
        "a[(a[0])]++",
        "a[b[a[0]]] = 1",
        "t[1].a[t[0].a[1]] = 1",
        "d_step { a[a[0]] = 1; b[0] = 1 }",
    ] {
        says(&format!("{before} init {{ {statement} }}"), &itself);
    }
    for statement in
        ["b[0] = a[a[0]]", "a[1 + a[0]] = 1", "a[b[0]] = 1; b[a[0]] = 2", "t[t[0].b].b = 1"]
    {
        says(&format!("{before} init {{ {statement} }}"), &[]);
    }
}

#[test]
fn only_one_process_claims_a_channel() {
    let claimed = [("E1052", "two processes claim this channel for themselves")];
    let claims = |before: &str, first: &str, second: &str| {
        format!(
            "{before} active proctype P() {{ {first}; skip }} proctype Q() {{ {second}; skip }}"
        )
    };
    let one = "chan c = [1] of { byte };";
    let many = "chan c[2] = [1] of { byte };";
    let fields = "typedef T { chan c = [1] of { byte } }; T t; T u;";
    says(&claims(one, "xr c", "xr c"), &claimed);
    says(&claims(one, "xs c", "xs c"), &claimed);
    says(&claims(many, "xr c[0]", "xr c[1]"), &claimed);
    says(&claims(fields, "xr t.c", "xr u.c"), &claimed);
    says(&claims(one, "xr c", "xs c"), &[]);
    says(&claims(one, "xr c; xr c", "skip"), &[]);
}

#[test]
fn a_trace_is_made_of_plain_events() {
    let other = [("E1031", "an event is `c!…` or `c?…`, not one of the other forms")];
    let blocks = [("E1031", "a trace consists of events, choices and loops, without blocks")];
    let index = [("E1031", "the channel of an event is known beforehand")];
    let before = "chan c = [2] of { byte }; chan d[2] = [1] of { byte }; byte i;
                  init { c!1; c?1; d[0]!1; d[0]?1 }";
    for event in ["c!!1", "c??1", "c?<1>"] {
        says(&format!("{before} trace {{ {event} }}"), &other);
    }
    for body in ["atomic { c!1; c?1 }", "d_step { c!1; c?1 }", "{ c!1; c?1 }"] {
        says(&format!("{before} trace {{ {body} }}"), &blocks);
    }
    says(&format!("{before} notrace {{ d[i]!1 }}"), &index);
    says(&format!("{before} trace {{ do :: c!1 :: c?1; d[1]!_ :: goto L od; L: c!2 }}"), &[]);
    says(&format!("{before} trace {{ c!1 }} notrace {{ c?1 }}"), &[("E1002", "a second trace")]);
    says("never a { true } never a { true } init { skip }", &[("E1002", "a second claim `a`")]);
}

#[test]
fn a_loop_over_messages_takes_the_very_type_of_the_channel() {
    let wrong = "typedef M { byte a }; typedef N { byte a }; N n; byte x;";
    for channel in ["byte", "M", "N, byte"] {
        let text = format!(
            "{wrong} chan c = [2] of {{ {channel} }}; init {{ for (n in c) {{ x = n.a }} }}"
        );
        says(&text, &[("E1032", "the messages of this channel do not fit the loop's variable")]);
    }
    says(&format!("{wrong} chan c = [2] of {{ N }}; init {{ for (n in c) {{ x = n.a }} }}"), &[]);
}
