//! Counterexamples that were once found and not confirmed: replay and search must agree on steps.

use pverify_checks::safety::safety;
use pverify_model::load::load_text;
use pverify_search::control::{Observer, Progress, Settings, Wanted};
use pverify_semantics::Engine;
use pverify_verdict::Verdict;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

fn check(model: &str, fault: &str) {
    let loaded = load_text(model);
    assert!(!loaded.has_errors(), "{model}");
    let mut engine = Engine::new(&loaded.model);
    let settings = Settings::new(Wanted { deadlocks: true, steps: true });
    match safety(&mut engine, &settings, false, &mut Patient).verdict {
        Verdict::Violated { trace } => assert_eq!(trace.fault.name(), fault, "{model}"),
        other => panic!("{model}\n{other:?}"),
    }
}

#[test]
fn a_d_step_that_offers_where_time_may_run_out() {
    check(
        "chan c = [0] of { byte }; byte x;
         active proctype A() { { d_step { c!x } } unless { timeout } }",
        "blocked d_step",
    );
}
