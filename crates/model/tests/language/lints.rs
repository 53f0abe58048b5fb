//! Warnings before any search, and that they stay silent where they could be wrong.

use crate::says;

#[test]
fn a_channel_with_one_name_is_judged() {
    says(
        "mtype = { ack, nak }; chan c = [1] of { mtype };
         init { c!nak; c!ack; c?ack }",
        &[("W1101", "no receive from `c` takes this message")],
    );
    says("chan c = [1] of { byte }; init { c!1 }", &[("W1102", "nobody receives from `c`")]);
    says("chan c = [1] of { byte }; init { c?1 }", &[("W1108", "nobody sends to `c`")]);
}

#[test]
fn a_channel_with_a_second_name_is_not() {
    let handed_on = [
        "chan c = [1] of { byte }; chan d = c; init { c!1; d?_ }",
        "chan c = [1] of { byte }; init { chan d = c; c!1; d?_ }",
        "chan c = [1] of { byte }; init { chan d; d = c; c?_; d!1 }",
        "chan c = [1] of { byte }; proctype P(chan d) { d?_ } init { run P(c); c!1 }",
        "chan c = [1] of { byte }; chan all[2]; init { all[1] = c; c!1; all[1]?_ }",
        "chan c = [1] of { byte }; chan post = [1] of { chan };
         init { chan d; post!c; post?d; c!1; d?_ }",
        "mtype = { ack, nak }; chan c = [1] of { mtype }; chan d = c;
         init { c!nak; d?nak; c!ack; c?ack }",
        "typedef T { chan d }; T t; chan c = [1] of { byte }; init { t.d = c; c!1; t.d?_ }",
    ];
    for model in handed_on {
        says(model, &[]);
    }
}

#[test]
fn statements_behind_a_jump_or_an_endless_loop_are_unreachable() {
    let unreachable = [("W1104", "control never reaches this statement")];
    says("byte x; init { goto L; x = 1; L: x = 2 }", &unreachable);
    says("byte x; init { do :: x++ od; x = 0 }", &unreachable);
    says("byte x; init { goto L; skip; L: x = 2 }", &unreachable);
    says("byte x; init { do :: x++ od; skip }", &unreachable);
    says("byte x; init { goto L; x = 1; skip; x = 3; L: x = 2 }", &unreachable);
    says(
        "byte x; init { d_step { if :: x > 0 -> goto L; skip :: else fi; L: x = 1 } }",
        &unreachable,
    );
}

#[test]
fn skips_that_are_dropped_are_not_unreachable() {
    let silent = [
        "byte x; init { if :: x > 0 -> skip; skip; x = 1 :: else -> skip fi }",
        "byte x; init { do :: x == 0 -> skip; skip; skip; x = 1 :: x > 0 -> break od; skip }",
        "byte x; init { if :: x > 0 -> printf(\"one\"); skip; x = 1 :: else fi }",
        "byte i; init { for (i : 1 .. 3) { skip }; skip }",
        "byte i; init { select (i : 1 .. 3); skip }",
        "byte x; init { { skip; skip } unless { x > 0 -> skip } }",
    ];
    for model in silent {
        says(model, &[]);
    }
}

#[test]
fn a_copy_that_begins_a_d_step_is_nothing_for_spin() {
    let rendezvous = "chan r = [0] of { byte }; active proctype R() { r!1; r?_ }";
    let around = |body: &str| {
        format!("byte x; chan c = [1] of {{ byte }}; active proctype P() {{ c!1; c?1; {body} }}")
    };
    let warning = [("W1113", "SPIN cannot compile a `d_step` that begins with a copying receive")];
    for body in [
        "d_step { c?<x> }",
        "d_step { c??<1>; x = 1 }",
        "d_step { { c?<x> }; x = 1 }",
        "d_step { atomic { c?<x> } }",
        "d_step { if :: c?<x> :: x fi }",
        "d_step { if :: if :: c?<x> :: x fi :: x fi }",
        "d_step { if :: { if :: c?<x> fi } :: x fi }",
        "d_step { do :: c?<x> od }",
        "d_step { c?<x> } unless { x }",
    ] {
        says(&format!("{rendezvous} {}", around(body)), &warning);
        says(&around(body), &[]);
    }
    for body in [
        "d_step { x = 1; c?<x> }",
        "d_step { c?x }",
        "d_step { nempty(c) -> c?<x> }",
        "d_step { skip; if :: c?<x> :: x fi }",
        "d_step { do :: do :: c?<x> od :: x -> break od }",
        "d_step { if :: { c?<x> } :: x fi }",
        "atomic { c?<x> }",
    ] {
        says(&format!("{rendezvous} {}", around(body)), &[]);
    }
}

#[test]
fn a_way_out_of_a_d_step_may_be_too_much_for_spin() {
    let warning = [("W1114", "SPIN cannot write the C for this way out of a `d_step`")];
    let loops = "do :: x > 3 -> break :: else -> x++ od";
    for body in [
        format!("if :: d_step {{ x = 1; {{ {loops} }} }} :: y fi; y = 2"),
        format!("do :: d_step {{ x = 1; {{ {loops} }} }} :: y -> break od"),
    ] {
        says(&format!("byte x, y; init {{ {body} }}"), &warning);
    }
    for body in [
        format!("d_step {{ x = 1; {{ {loops} }} }}; y = 2"),
        format!("if :: d_step {{ x = 1; {loops} }} :: y fi; y = 2"),
        format!("if :: d_step {{ x = 1; {{ {loops} }}; skip }} :: y fi; y = 2"),
        format!("if :: d_step {{ {loops} }} :: d_step {{ x = 1; {loops} }} fi; y = 2"),
    ] {
        says(&format!("byte x, y; init {{ {body} }}"), &[]);
    }
}

#[test]
fn a_channel_that_only_a_typedef_has_is_nothing_for_spin() {
    let warning =
        [("W1115", "SPIN cannot compile a model in which no variable has this channel of `T`")];
    for rest in [
        "init { skip }",
        "typedef U { T t }; init { skip }",
        "active proctype P() { skip } proctype Q(T t) { skip }",
        "chan d = [2] of { T }; init { T u; d!u; d?u }",
    ] {
        let known = if rest.contains("T u") { &warning[1..] } else { &warning };
        says(&format!("typedef T {{ chan c = [1] of {{ byte }} }}; {rest}"), known);
    }
    for rest in
        ["T t; init { skip }", "init { T t; skip }", "typedef U { T t }; U u; init { skip }"]
    {
        says(&format!("typedef T {{ chan c = [1] of {{ byte }} }}; {rest}"), &[]);
    }
    says("typedef T { chan c }; init { skip }", &[]);
}
