//! Small models on which the front end once differed from SPIN, with SPIN's verdict.
//!
//! The verdicts are those of `spin -a`, of gcc on `pan.c`, and of `pan` at its start.

use pverify_model::load::load_text;

/// Whether SPIN runs the model is what the front end must say of it.
fn check(model: &str, accepted: bool) {
    let loaded = load_text(model);
    let errors: Vec<String> = loaded
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| format!("{} {}", diagnostic.code.id, diagnostic.message))
        .collect();
    assert_eq!(errors.is_empty(), accepted, "{model}\n{errors:#?}");
}

#[test]
fn claims_have_no_variables() {
    check("never { byte a; do :: true od } init { skip }", false);
    check("never { do :: true -> byte a = 1; skip od } init { skip }", false);
    check("never { true; { byte a; skip } } init { skip }", false);
    check("byte a; never { do :: a == 0 od } init { skip }", true);
}

#[test]
fn fields_lose_their_name_to_a_proctype() {
    let structure = "typedef T { byte s }; T t;";
    check(&format!("{structure} active proctype s() {{ t.s = 1 }}"), false);
    check(&format!("{structure} active proctype s() {{ skip }} init {{ t.s = 1 }}"), false);
    check(&format!("{structure} init {{ t.s = 1 }} proctype s() {{ skip }}"), true);
}

#[test]
fn a_d_step_is_not_interrupted() {
    let block = |inside: &str| format!("byte x, y; bool f; init {{ {inside} }}");
    check(&block("d_step { { y = 1 } unless { f } }"), false);
    check(&block("L: d_step { y = 1 } unless { f }"), false);
    check(&block("d_step { y = 1 } unless { f }"), true);
    check(&block("atomic { { y = 1 } unless { f } }"), true);
}

#[test]
fn jumps_in_a_circle_never_rest() {
    check("init { d_step { if :: do :: L: goto L od fi } }", false);
    check("init { d_step { do :: L: goto L od } }", false);
    check("init { L: goto L }", false);
}

#[test]
fn loops_at_the_end_of_a_d_step() {
    check("byte w; init { d_step { do :: w > 3 -> break :: w++ od } }", true);
    check("byte w; init { do :: d_step { w++; break } od }", false);
}

#[test]
fn only_constants_are_passed_as_mtype() {
    let run = |parameter: &str, actual: &str| {
        format!(
            "mtype = {{ a, b }}; mtype v; byte x; proctype P({parameter} z) {{ skip }} \
             init {{ run P({actual}) }}"
        )
    };
    check(&run("mtype", "b"), true);
    check(&run("mtype", "v"), false);
    check(&run("mtype", "x"), false);
    check(&run("mtype", "1"), true);
    check(&run("mtype", "v + 0"), true);
    check(&run("byte", "v"), true);
}

#[test]
fn macros_without_parameters_take_no_argument() {
    check("#define g() (_pid)\nbyte y; init { y = g() }", true);
    check("#define g() (_pid)\nbyte y; init { y = g( ) }", true);
    check("#define g() (_pid)\nbyte y; init { y = g(\n) }", true);
    check("#define g() (_pid)\nbyte y; init { y = g(_pid) }", false);
    check("#define g() (_pid)\nbyte y; init { y = g(,) }", false);
    check("#define g() (_pid)\n#define R(x) y = x;\nbyte y; init { R(g g()) }", false);
}

#[test]
fn jumps_do_not_cross_the_end_of_an_inner_d_step() {
    let outer = |inside: &str| format!("byte x; init {{ d_step {{ {inside} }}; L: skip }}");
    check(&outer("do :: x = 1; break :: x = 2; d_step { x = 3 } od; x = 4"), false);
    check(&outer("do :: x = 1; break :: x = 2; { x = 3 } od; x = 4"), true);
    check(&outer("d_step { x = 1 }; if :: x = 2; goto L; x = 3 :: x = 4 fi; x = 5"), false);
}

#[test]
fn channels_are_as_long_as_one_likes() {
    let channel = |length: u32| format!("chan c = [{length}] of {{ byte }}; init {{ c!1; c?1 }}");
    check(&channel(0), true);
    check(&channel(256), true);
    check(&channel(1000), true);
}
