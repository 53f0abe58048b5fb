//! `never` claims: no run is one that the claim accepts, and none brings it to its end.
//!
//! A run that is found is confirmed by another walk of the claim ([`pverify_verdict::claim`]).

use crate::cycles::{Infinite, Run, Way, accepting, cycles, scope, undecided};
use pverify_model::machine::ProcessId;
use pverify_search::companion::claim::Claim;
use pverify_search::control::Counts;
use pverify_search::product::Runs;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_verdict::ClaimWalk;

/// The claim that is this process type cannot be matched.
pub fn never(engine: &mut Engine<'_>, id: ProcessId, way: &mut Way<'_>) -> Infinite {
    let runs = Runs { fair: way.fair, stutter: true };
    let route =
        format!("{} of the product with the claim, and its end; {}", cycles(way), scope(runs));
    let Ok(companion) = Claim::new(engine.model, id) else {
        let reason = "the claim does more than look at the model, which pverify does not follow; \
                      use conditions, `skip`, `else`, `assert`, choices and jumps alone";
        let answer = undecided(reason.into(), Counts::default());
        return Infinite { answer, route, automaton: None };
    };
    let walk = match ClaimWalk::new(engine, id) {
        Ok(walk) => walk,
        Err(why) => {
            let answer = undecided(format!("the claim cannot be asked: {why}"), Counts::default());
            return Infinite { answer, route, automaton: None };
        }
    };
    let mut judge = |engine: &mut Engine<'_>, run: &Run| {
        if walk.matches(engine, &run.stem, &run.cycle)? {
            Ok(())
        } else {
            Err("the claim does not match the run that was found".to_owned())
        }
    };
    let fault = FaultKind::ClaimAccepted;
    let answer = accepting(engine, (companion, runs), &fault, way, &mut judge);
    Infinite { answer, route, automaton: None }
}
