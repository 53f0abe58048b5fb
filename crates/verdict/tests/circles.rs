//! Circles inside atomic blocks are shown as circles: closed, once round, and possible.

use pverify_model::load::load_text;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_verdict::{Trace, confirm};

/// The first circle of the initial state, with the number of steps, and where it begins.
fn check(model: &str, steps: usize, cycle_from: usize) {
    let trace = circle(model);
    assert_eq!((trace.steps.len(), trace.cycle_from), (steps, Some(cycle_from)), "{model}");
    let moves: usize = trace.steps.iter().map(|step| step.steps.len()).sum();
    assert_eq!(trace.moves.len(), moves, "{model}");
    let before = cycle_from.checked_sub(1).map(|at| &trace.steps[at].state);
    assert_eq!(before.unwrap_or(&trace.initial), &trace.steps[steps - 1].state, "{model}");
}

fn circle(model: &str) -> Trace {
    let loaded = load_text(model);
    let mut engine = Engine::new(&loaded.model);
    let initial = engine.initial().to_vec();
    let mut listener = Listener { steps: None };
    engine.successors(&initial, &mut listener);
    let steps = listener.steps.expect("a circle");
    confirm(&mut engine, &FaultKind::AtomicCycle, [initial], &steps).expect("a circle that closes")
}

struct Listener {
    steps: Option<Vec<Step>>,
}

impl Visitor for Listener {
    fn next(&mut self, _: &[u64], _: u32, _: Path<'_>) {}

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        if fault == FaultKind::AtomicCycle {
            self.steps.get_or_insert_with(|| path.steps());
        }
    }
}

#[test]
fn a_circle_that_the_way_has_gone_round_is_cut_after_once() {
    // Back where `x` was set for the first time, which is inside the block.
    check("byte x; init { atomic { do :: x = 1 od } }", 2, 1);
    check("byte x; init { atomic { x = 2; do :: x = 1; x = 0 od } }", 4, 2);
}

#[test]
fn a_circle_further_on_is_found() {
    // 256 different states before anything comes again.
    check(
        "byte x; short y; init { atomic { do :: y < 1000 -> y++ :: else -> x = 1 - x od } }",
        2004,
        2000,
    );
}

#[test]
fn a_way_that_closes_nowhere_is_no_circle() {
    let model = "byte x; init { atomic { x = 1; x = 2; x = 3 } }";
    let loaded = load_text(model);
    let mut engine = Engine::new(&loaded.model);
    let initial = engine.initial().to_vec();
    let first = engine.choices(&initial, None)[0].steps.clone();
    assert!(confirm(&mut engine, &FaultKind::AtomicCycle, [initial], &first).is_err());
}
