//! `never` claims: no run is one that the claim accepts, and none brings it to its end.

use crate::cycles::{Infinite, Run, Way, accepting, scope, undecided};
use pverify_model::machine::ProcessId;
use pverify_search::companion::claim::Claim;
use pverify_search::control::Counts;
use pverify_search::product::Runs;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;

/// The claim that is this process type cannot be matched.
pub fn never(engine: &mut Engine<'_>, id: ProcessId, way: &mut Way<'_>) -> Infinite {
    let runs = Runs { fair: way.fair, stutter: true };
    let route = format!("cycles of the product with the claim, and its end; {}", scope(runs));
    let Ok(companion) = Claim::new(engine.model, id) else {
        let reason = "the claim does more than look at the model, which pverify does not follow; \
                      use conditions, `skip`, `else`, `assert`, choices and jumps alone";
        let answer = undecided(reason.into(), Counts::default());
        return Infinite { answer, route, automaton: None };
    };
    // The claim itself has been followed step by step; that the run is one was done again.
    let mut judge = |_: &mut Engine<'_>, _: &Run| Ok(());
    let fault = FaultKind::ClaimAccepted;
    let answer = accepting(engine, (companion, runs), &fault, way, &mut judge);
    Infinite { answer, route, automaton: None }
}
