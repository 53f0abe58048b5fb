//! A formula that is answered from a filter says what it omits, or is not answered.

use pverify_checks::cycles::Way;
use pverify_checks::ltl::ltl;
use pverify_model::load::load_text;
use pverify_search::control::{Observer, Progress, Settings, Visited, Wanted};
use pverify_semantics::Engine;
use pverify_verdict::{Scope, Verdict};

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

#[test]
fn a_formula_never_holds_for_all_states_when_bits_were_asked_for() {
    let text = "byte x, y; ltl small { [] (x <= 200) } ltl often { [] <> (x <= 200) }
        active proctype A() { do :: x < 200 -> x++ :: x = 0 od }
        active proctype B() { do :: y < 200 -> y++ :: y = 0 od }";
    let loaded = load_text(text.to_owned());
    for formula in &loaded.model.formulas {
        let ask = |visited, memory: usize| {
            let mut observer = Patient;
            let settings = Settings { visited, memory, ..Settings::new(Wanted::PROPERTY) };
            let threads = settings.threads;
            let mut way =
                Way { settings, threads, shortest: false, fair: false, observer: &mut observer };
            ltl(&mut Engine::new(&loaded.model), formula, &mut way).answer
        };
        let exact = ask(Visited::Exact, 16 << 20);
        let all = exact.counts.states;
        assert_eq!(exact.verdict, Verdict::Holds { scope: Scope::all(all) }, "{}", formula.name);
        // One bit a state, in little room: hundreds of these states are probably omitted.
        let small = ask(Visited::Bitstate { hashes: 1 }, 16 << 20);
        assert!(matches!(small.verdict, Verdict::Inconclusive { .. }), "{:?}", small.verdict);
        assert!(!small.complete && small.counts.states <= all, "{}", formula.name);
        // Three bits a state in much room: it holds, but for what was probably omitted.
        let large = ask(Visited::Bitstate { hashes: 3 }, 1 << 28);
        let omitted = match large.verdict {
            Verdict::Holds { scope } => scope.omitted,
            other => panic!("{}: {other:?}", formula.name),
        };
        assert!(omitted.is_some() && !large.complete, "{}", formula.name);
    }
}
