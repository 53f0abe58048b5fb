//! What a person can do about a counterexample: only what follows from the counterexample itself.
//!
//! A deadlock may be a place where stopping is fine, and nobody said so; a channel that is full, or a
//! rendezvous to which only one came. An endless run may be one that no fair scheduler allows.

use crate::trace::line;
use pverify_model::describe;
use pverify_model::machine::Action;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_syntax::source::Sources;
use pverify_verdict::{Obstacle, Trace, Waiting, neglected};

/// What can be done about a deadlock.
pub(crate) fn of_deadlock(
    engine: &Engine<'_>,
    sources: &Sources,
    waiting: &[Waiting],
) -> Vec<String> {
    let mut help = Vec::new();
    let full = channels(engine, waiting, |one| matches!(one, Obstacle::Full { .. }));
    if !full.is_empty() {
        help.push(format!(
            "nobody receives from {} any more: let somebody do so, or see with --check unbounded \
             whether any capacity would do",
            full.join(", ")
        ));
    }
    let lonely = channels(engine, waiting, |one| *one == Obstacle::NoReceiver);
    if !lonely.is_empty() {
        help.push(format!(
            "a channel without room needs a sender and a receiver at the same time: change the order \
             on one side, or give {} room, as in `[1] of`",
            lonely.join(", ")
        ));
    }
    let mut places: Vec<u32> = waiting
        .iter()
        .filter(|one| !one.may_end && !is_over(one))
        .map(|one| {
            let graph = &engine.model.processes[one.kind as usize].graph;
            line(sources, graph.locations[one.location].span)
        })
        .collect();
    places.sort_unstable();
    places.dedup();
    let can_be_fine = full.is_empty() && lonely.is_empty() && !engine.model.foreign;
    if can_be_fine && !places.is_empty() {
        let plural = if places.len() == 1 { "" } else { "s" };
        let places: Vec<String> = places.iter().map(ToString::to_string).collect();
        help.push(format!(
            "if it is fine to wait for ever at line{plural} {}, put a label there that begins with \
             `end`, such as `end:`",
            places.join(", ")
        ));
    }
    help
}

/// What can be done about an endless run.
pub(crate) fn of_cycle(engine: &Engine<'_>, trace: &Trace) -> Vec<String> {
    let mut help = Vec::new();
    let is_formula = trace.fault == FaultKind::FormulaViolated;
    let is_fairness_known = is_formula
        || matches!(
            trace.fault,
            FaultKind::ClaimAccepted | FaultKind::AcceptanceCycle | FaultKind::NonProgressCycle
        );
    let goes_on = trace.cycle_from.is_some_and(|from| from < trace.steps.len());
    if !is_fairness_known || !goes_on {
        return help;
    }
    if trace.fault == FaultKind::NonProgressCycle && !has_progress_labels(engine) {
        help.push(
            "no statement of the model has a label that begins with `progress`, so every cycle is one \
             without: put such labels where something gets done"
                .to_owned(),
        );
        return help;
    }
    let mut engine = engine.fork();
    let idle = neglected(&mut engine, trace);
    if !idle.is_empty() {
        let state = trace.steps.last().map_or(&trace.initial, |step| &step.state);
        let name = |pid: &usize| {
            let kind = engine.process(state, *pid)?.kind;
            Some(format!("{}({pid})", engine.model.processes[kind as usize].name))
        };
        let idle: Vec<String> = idle.iter().filter_map(name).collect();
        help.push(format!(
            "{} could always move in this loop and never does: --fairness weak leaves such runs out",
            idle.join(", ")
        ));
    }
    if trace.fault == FaultKind::NonProgressCycle {
        help.push(
            "if this loop is what should go on, mark a statement of it by a label that begins with \
             `progress`"
                .to_owned(),
        );
    } else if is_formula && idle.is_empty() {
        help.push(
            "every process that could always move does so, and --fairness weak would not leave this \
             run out; if it cannot happen, put that into the formula: `[]<> … -> …`"
                .to_owned(),
        );
    }
    help
}

/// Whether the model says anywhere what progress is.
fn has_progress_labels(engine: &Engine<'_>) -> bool {
    let mut locations = engine.model.processes.iter().flat_map(|one| &one.graph.locations);
    locations.any(|location| location.progress)
}

/// The channels at which processes wait for a reason, each once.
fn channels(
    engine: &Engine<'_>,
    waiting: &[Waiting],
    reason: impl Fn(&Obstacle) -> bool,
) -> Vec<String> {
    let mut names = Vec::new();
    for one in waiting.iter().filter(|one| !one.may_end) {
        let process = &engine.model.processes[one.kind as usize];
        let edges = &process.graph.locations[one.location].edges;
        for (edge, obstacle) in edges.iter().zip(&one.obstacles) {
            if let Action::Send { channel, .. } = &edge.action
                && obstacle.as_ref().is_some_and(&reason)
            {
                let name = format!("`{}`", describe::place(engine.model, process, channel));
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    names
}

/// Whether a process has come to its end.
pub(crate) fn is_over(one: &Waiting) -> bool {
    matches!(one.obstacles.as_slice(), [Some(Obstacle::Younger)])
}
