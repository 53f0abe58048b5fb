//! Formulas are never answered from a filter: nobody reckons there what it omits.

use pverify_checks::cycles::Way;
use pverify_checks::ltl::ltl;
use pverify_model::load::load_text;
use pverify_search::control::{Observer, Progress, Settings, Visited, Wanted};
use pverify_semantics::Engine;
use pverify_verdict::Verdict;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

#[test]
fn a_safety_formula_sees_all_states_though_bits_were_asked_for() {
    let text = "byte x, y; ltl small { [] (x <= 200) }
        active proctype A() { do :: x < 200 -> x++ :: x = 0 od }
        active proctype B() { do :: y < 200 -> y++ :: y = 0 od }";
    let loaded = load_text(text.to_owned());
    let states = |visited| {
        let mut observer = Patient;
        // One bit a state, in little room: hundreds of these states would be omitted.
        let settings = Settings { visited, memory: 16 << 20, ..Settings::new(Wanted::PROPERTY) };
        let threads = settings.threads;
        let mut way =
            Way { settings, threads, shortest: false, fair: false, observer: &mut observer };
        let mut engine = Engine::new(&loaded.model);
        let answer = ltl(&mut engine, &loaded.model.formulas[0], &mut way).answer;
        assert!(matches!(answer.verdict, Verdict::Holds { .. }));
        answer.counts.states
    };
    assert_eq!(states(Visited::Bitstate { hashes: 1 }), states(Visited::Exact));
}
