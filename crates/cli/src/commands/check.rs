//! Runs one check and puts its answer into the words of the report.

use super::channels;
use super::verify::{Arguments, Kind};
use crate::front_end::Model;
use crate::interrupt::Interrupt;
use crate::memory;
use crate::progress::Line;
use crate::watch::Watch;
use anyhow::Result;
use pverify_checks::safety;
use pverify_model::load::Unchecked;
use pverify_report::answers::Answered;
use pverify_report::coverage;
use pverify_report::declarations::Declarations;
use pverify_report::trace::story;
use pverify_search::control::{Settings, Wanted};
use pverify_semantics::Engine;
use pverify_semantics::tail::has_tail;
use pverify_verdict::{Move, Verdict, moves};
use std::num::NonZeroUsize;
use std::time::Instant;

/// An answer, and the way to what is wrong.
pub(super) struct Checked {
    pub(super) answer: Answered,
    pub(super) moves: Option<Vec<Move>>,
}

/// Checks safety, or a half of it.
pub(super) fn safety(
    arguments: &Arguments,
    model: &Model,
    kind: Kind,
    interrupt: &Interrupt,
) -> Result<Checked> {
    let check = match kind {
        Kind::Assert => "assert",
        Kind::Deadlock => "deadlock",
        _ => "safety",
    };
    if interrupt.is_asked() {
        let answer = open(check, None, "interrupted before it began");
        return Ok(Checked { answer, moves: None });
    }
    let started = Instant::now();
    let machines = channels::prepared(&arguments.channels, &model.machines)?;
    let endless = has_tail(&machines);
    let mut engine = Engine::new(&machines);
    let threads = threads(arguments, &engine);
    let wanted = Wanted { deadlocks: kind != Kind::Assert, steps: kind != Kind::Deadlock };
    let settings = Settings {
        all_errors: arguments.search.all_errors,
        depth: arguments.limits.depth.map(|depth| depth.get() as u64),
        memory: memory::for_search(arguments.limits.memory.as_ref().map(|s| s.0), threads.get()),
        threads,
        seed: arguments.search.seed.unwrap_or(0),
        ..Settings::new(wanted)
    };
    let mut watch = Watch {
        started,
        limit: arguments.limits.time_limit.as_ref().map(|duration| duration.0),
        interrupt,
        line: Line::new(&arguments.output, started, settings.memory),
        ending: None,
        endless,
    };
    let shortest = arguments.search.shortest;
    let answer = safety::safety(&mut engine, &settings, shortest, &mut watch);
    drop(watch);
    let counts = answer.counts;
    let moves = match &answer.verdict {
        Verdict::Violated { trace } => Some(moves(&machines, trace)),
        _ => None,
    };
    let (reason, fault, story) = match &answer.verdict {
        Verdict::Holds { .. } => (None, None, None),
        Verdict::Inconclusive { reason } => {
            let likely = channels::likely_reason(arguments, &machines, interrupt);
            (Some(format!("{reason}{likely}")), None, None)
        }
        Verdict::Violated { trace } => {
            let told = story(&engine, &model.sources, trace);
            (answer.ended_by, Some(trace.fault.name()), Some(told))
        }
    };
    let answered = Answered {
        check: check.to_owned(),
        property: None,
        verdict: answer.verdict.name(),
        reason,
        fault,
        states: counts.states,
        transitions: counts.transitions,
        matched: counts.matched,
        max_depth: counts.max_depth,
        errors: counts.errors,
        replacements: counts.replacements,
        state_bytes: engine.state_bytes(),
        store_bytes: counts.store_bytes,
        peak_memory_bytes: memory::peak(),
        seconds: started.elapsed().as_secs_f64(),
        threads: threads.get(),
        complete: answer.complete,
        unreached: answer.complete.then(|| coverage::unreached(&engine, &model.sources)),
        story,
        channels: None,
    };
    Ok(Checked { answer: answered, moves })
}

/// As many threads as asked for, or as there are cores; one where the order of the search matters.
fn threads(arguments: &Arguments, engine: &Engine<'_>) -> NonZeroUsize {
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    if engine.hidden > 0 { NonZeroUsize::MIN } else { arguments.limits.threads.unwrap_or_else(all) }
}

/// What the file declares besides, which this version cannot check: said, not passed over.
pub(super) fn not_checked(declarations: &Declarations) -> Vec<Answered> {
    let mut answers = Vec::new();
    let mut add = |check: &str, property: Option<&str>| {
        answers.push(open(check, property, "this version of pverify does not check it yet"));
    };
    for formula in &declarations.formulas {
        add("ltl", Some(formula));
    }
    for claim in &declarations.never_claims {
        add("never", Some(claim));
    }
    if declarations.accept_labels > 0 {
        add("accept", None);
    }
    if declarations.progress_labels > 0 {
        add("progress", None);
    }
    answers
}

/// What a file asks for and nobody checks.
pub(super) fn unchecked(unchecked: &[Unchecked]) -> Vec<Answered> {
    unchecked.iter().map(|one| open(&one.check, Some(&one.property), &one.reason)).collect()
}

/// The answer to a check that was not made.
pub(super) fn open(check: &str, property: Option<&str>, reason: &str) -> Answered {
    Answered {
        check: check.to_owned(),
        property: property.map(str::to_owned),
        verdict: "inconclusive",
        reason: Some(reason.to_owned()),
        ..Answered::default()
    }
}
