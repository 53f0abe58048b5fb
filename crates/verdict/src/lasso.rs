//! An infinite run that is not allowed: a way to a cycle, done again by the semantics, and judged by
//! the definition of what it must satisfy.

use crate::trace::{NotConfirmed, Trace, between, perform};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::replay::Choice;
use pverify_semantics::successors::Step;
use pverify_temporal::lasso::{Lasso, Valuation};

/// Does a run again whose states are given up to the end of its cycle, which begins at the state
/// `from` and leads back there. `letter` says what is true in a state, `allows` whether a run of
/// such letters is allowed, which this one must not be.
///
/// Where nothing can move, the last state is repeated for ever: such a run ends in it, and its
/// cycle has no steps.
///
/// # Errors
/// When a state does not follow from the one before, or the run is allowed.
pub fn confirm_lasso(
    engine: &mut Engine<'_>,
    states: &[Vec<u64>],
    from: usize,
    mut letter: impl FnMut(&mut Engine<'_>, &[u64]) -> Result<Valuation, FaultKind>,
    allows: impl Fn(&Lasso) -> bool,
) -> Result<Trace, NotConfirmed> {
    let refuse = |why: String| Err(NotConfirmed(why));
    let (Some(initial), Some(first)) = (states.first(), states.get(from)) else {
        return refuse("there is no cycle".into());
    };
    if initial != engine.initial() {
        return refuse("it does not begin in the initial state".into());
    }
    let mut steps: Vec<Step> = Vec::new();
    // For each state how many steps lead to it; then back to the first of the cycle.
    let mut ends = vec![0];
    for (at, next) in states.iter().skip(1).chain([first]).enumerate() {
        match between(engine, &states[at], next) {
            Some(path) => steps.extend(path),
            None if states[at] == *next && is_over(engine, next) => {}
            None => return refuse(format!("state {} does not follow", at + 1)),
        }
        ends.push(steps.len());
    }
    let mut trace = perform(engine, &FaultKind::NotAccepted, &steps)?;
    let mut done = 0;
    let mut reached = vec![0; steps.len() + 1]; // Elementary steps by single steps.
    for (at, step) in trace.steps.iter().enumerate() {
        done += step.steps.len();
        reached[done] = at + 1;
    }
    for (state, &end) in states.iter().chain([first]).zip(&ends) {
        let there = match reached[end] {
            0 => &trace.initial,
            count => &trace.steps[count - 1].state,
        };
        if there != state {
            return refuse("done again, it leads elsewhere".into());
        }
    }
    trace.cycle_from = Some(reached[ends[from]]);
    let mut letters = Vec::new();
    for state in states {
        match letter(engine, state) {
            Ok(valuation) => letters.push(valuation),
            Err(fault) => return refuse(fault.to_string()),
        }
    }
    let cycle = letters.split_off(from);
    match Lasso::new(letters, cycle) {
        Some(lasso) if !allows(&lasso) => Ok(trace),
        _ => refuse("the run is allowed".into()),
    }
}

/// Whether nothing can move.
fn is_over(engine: &mut Engine<'_>, state: &[u64]) -> bool {
    let moves = |choice: &Choice| choice.performed.words.is_some();
    !engine.choices(state, None).iter().any(moves)
}
