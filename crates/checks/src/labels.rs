//! Cycles through `accept` labels, and cycles without `progress` labels.

use crate::cycles::{Infinite, Run, Way, accepting, cycles, scope, undecided};
use pverify_model::machine::{Expression, Location};
use pverify_search::companion::formula::from_some_point_on;
use pverify_search::companion::labels::AcceptLabels;
use pverify_search::control::Counts;
use pverify_search::product::Runs;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;

/// No run passes by an `accept` label for ever. As in SPIN, one that ends at such a label does.
pub fn accept(engine: &mut Engine<'_>, way: &mut Way<'_>) -> Infinite {
    let runs = Runs { fair: way.fair, stutter: true };
    let fault = FaultKind::AcceptanceCycle;
    let mut judge = |engine: &mut Engine<'_>, run: &Run| {
        let any = run.cycle.iter().any(|state| stands(engine, state, |at| at.accept));
        if any { Ok(()) } else { Err("no process is at an accept label in the cycle".to_owned()) }
    };
    let answer = accepting(engine, (AcceptLabels, runs), &fault, way, &mut judge);
    let route = format!("{} of the model; {}", cycles(way), scope(runs));
    Infinite { answer, route, automaton: None }
}

/// No run goes on for ever without passing by a `progress` label again and again.
pub fn progress(engine: &mut Engine<'_>, way: &mut Way<'_>) -> Infinite {
    let runs = Runs { fair: way.fair, stutter: false };
    let route = format!("{} of the model; {}", cycles(way), scope(runs));
    let Some(companion) = from_some_point_on(Expression::NonProgress) else {
        let answer = undecided("the question cannot be asked".into(), Counts::default());
        return Infinite { answer, route, automaton: None };
    };
    let fault = FaultKind::NonProgressCycle;
    let mut judge = |engine: &mut Engine<'_>, run: &Run| {
        let any = run.cycle.iter().any(|state| stands(engine, state, |at| at.progress));
        if any { Err("a process is at a progress label in the cycle".to_owned()) } else { Ok(()) }
    };
    let answer = accepting(engine, (companion, runs), &fault, way, &mut judge);
    Infinite { answer, route, automaton: None }
}

fn stands(engine: &Engine<'_>, state: &[u64], kind: impl Fn(&Location) -> bool) -> bool {
    engine.any_stands(state, kind)
}
