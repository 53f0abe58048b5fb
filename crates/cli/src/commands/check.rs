//! Runs one check and puts its answer into the words of the report.

pub(super) mod buchi;
pub(super) mod finite;

use super::verify::{Arguments, Kind};
use crate::front_end::Model;
use crate::interrupt::Interrupt;
use crate::memory;
use crate::options::search::Fairness;
use crate::progress::Line;
use crate::saving::Counterexample;
use crate::watch::Watch;
use pverify_checks::cycles::{Infinite, Way};
use pverify_checks::safety::Answer;
use pverify_checks::{claim, labels, ltl, safety};
use pverify_model::machine::{ProcessId, ProcessKind};
use pverify_report::answers::Answered;
use pverify_report::coverage;
use pverify_report::trace::story;
use pverify_search::control::{Settings, Wanted};
use pverify_semantics::Engine;
use pverify_verdict::{Verdict, moves};
use std::num::NonZeroUsize;
use std::time::Instant;

/// An answer, and the way to what is wrong.
pub(super) struct Checked {
    pub(super) answer: Answered,
    pub(super) found: Option<Counterexample>,
}

/// Checks safety, or a half of it.
pub(super) fn safety(
    arguments: &Arguments,
    model: &Model,
    kind: Kind,
    interrupt: &Interrupt,
) -> Checked {
    let check = match kind {
        Kind::Assert => "assert",
        Kind::Deadlock => "deadlock",
        _ => "safety",
    };
    if interrupt.is_asked() {
        return Checked { answer: open(check, None, "interrupted before it began"), found: None };
    }
    let started = Instant::now();
    let mut engine = Engine::new(&model.machines);
    let wanted = Wanted { deadlocks: kind != Kind::Assert, steps: kind != Kind::Deadlock };
    let settings = settings(arguments, &engine, wanted);
    let mut watch = watch(arguments, started, interrupt, &settings);
    let shortest = arguments.search.shortest;
    let answer = safety::safety(&mut engine, &settings, shortest, &mut watch);
    drop(watch);
    answered(model, check, &engine, answer, (started, settings.threads))
}

/// What a search is told.
fn settings(arguments: &Arguments, engine: &Engine<'_>, wanted: Wanted) -> Settings {
    let threads = threads(arguments, engine, wanted);
    Settings {
        all_errors: arguments.search.all_errors,
        depth: arguments.limits.depth.map(|depth| depth.get() as u64),
        memory: memory::for_search(arguments.limits.memory.as_ref().map(|s| s.0), threads.get()),
        threads,
        seed: arguments.search.seed.unwrap_or(0),
        ..Settings::new(wanted)
    }
}

/// Who watches it.
fn watch<'a>(
    arguments: &Arguments,
    started: Instant,
    interrupt: &'a Interrupt,
    settings: &Settings,
) -> Watch<'a> {
    Watch {
        started,
        limit: arguments.limits.time_limit.as_ref().map(|duration| duration.0),
        interrupt,
        line: Line::new(&arguments.output, started, settings.memory),
        ending: None,
    }
}

/// An answer in the words of the report.
fn answered(
    model: &Model,
    check: &str,
    engine: &Engine<'_>,
    answer: Answer,
    (started, threads): (Instant, NonZeroUsize),
) -> Checked {
    let counts = answer.counts;
    let (reason, found, story) = match &answer.verdict {
        Verdict::Holds { .. } => (None, None, None),
        Verdict::Inconclusive { reason } => (Some(reason.clone()), None, None),
        Verdict::Violated { trace } => {
            let told = story(engine, &model.sources, trace);
            let found = Counterexample {
                fault: trace.fault.name(),
                moves: moves(&model.machines, trace),
                cycle_from: trace.first_of_cycle(),
            };
            (answer.ended_by, Some(found), Some(told))
        }
    };
    let answered = Answered {
        check: check.to_owned(),
        property: None,
        verdict: answer.verdict.name(),
        reason,
        fault: found.as_ref().map(|found| found.fault),
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
        unreached: answer.complete.then(|| coverage::unreached(engine, &model.sources)),
        story,
        ..Answered::default()
    };
    Checked { answer: answered, found }
}

/// As many threads as asked for, or as there are cores; one where the order of the search matters.
/// (Products with a property have hidden variables in their states, so there it does not.)
fn threads(arguments: &Arguments, engine: &Engine<'_>, wanted: Wanted) -> NonZeroUsize {
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    if engine.hidden > 0 && wanted != Wanted::PROPERTY {
        NonZeroUsize::MIN
    } else {
        arguments.limits.threads.unwrap_or_else(all)
    }
}

/// A question about infinite runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// A formula, by its number.
    Formula(usize),
    /// A claim.
    Claim(ProcessId),
    /// Cycles through `accept` labels.
    Accept,
    /// Cycles without `progress` labels.
    Progress,
}

/// The questions of a kind that there are in a model.
pub(super) fn questions(model: &Model, kind: Kind, ltl: Option<&str>) -> Vec<Question> {
    let processes = &model.machines.processes;
    match kind {
        Kind::Ltl => {
            let formulas = &model.machines.formulas;
            let chosen = |at: &usize| match (&model.formula, ltl) {
                // It was read behind those of the file.
                (Some(_), _) => *at + 1 == formulas.len(),
                (None, Some(name)) => *formulas[*at].name == *name.trim(),
                (None, None) => true,
            };
            (0..formulas.len()).filter(chosen).map(Question::Formula).collect()
        }
        Kind::Never => {
            let claims = processes.iter().enumerate();
            let claims = claims.filter(|(_, process)| process.kind == ProcessKind::Never);
            claims.map(|(at, _)| Question::Claim(ProcessId(at as u32))).collect()
        }
        Kind::Accept => vec![Question::Accept],
        Kind::Progress => vec![Question::Progress],
        _ => Vec::new(),
    }
}

/// The questions about infinite runs that the file itself declares.
pub(super) fn declared(model: &Model, ltl: Option<&str>) -> Vec<Question> {
    let any = |kind: fn(&pverify_model::machine::Location) -> bool| {
        let processes = model.machines.processes.iter();
        let mut processes = processes.filter(|process| process.kind != ProcessKind::Never);
        processes.any(|process| process.graph.locations.iter().any(kind))
    };
    let mut found = questions(model, Kind::Ltl, ltl);
    found.extend(questions(model, Kind::Never, ltl));
    if any(|location| location.accept) {
        found.push(Question::Accept);
    }
    if any(|location| location.progress) {
        found.push(Question::Progress);
    }
    found
}

/// Answers a question about infinite runs.
pub(super) fn infinite(
    arguments: &Arguments,
    model: &Model,
    question: Question,
    interrupt: &Interrupt,
) -> Checked {
    let machines = &model.machines;
    let (check, property) = match question {
        Question::Formula(at) => {
            let name = match &model.formula {
                Some(formula) => formula.clone(),
                None => machines.formulas[at].name.to_string(),
            };
            ("ltl", Some(name))
        }
        Question::Claim(id) => ("never", Some(machines.processes[id.index()].name.to_string())),
        Question::Accept => ("accept", None),
        Question::Progress => ("progress", None),
    };
    if interrupt.is_asked() {
        let answer = open(check, property.as_deref(), "interrupted before it began");
        return Checked { answer, found: None };
    }
    let started = Instant::now();
    let mut engine = Engine::new(machines);
    let settings = settings(arguments, &engine, Wanted::PROPERTY);
    let mut watch = watch(arguments, started, interrupt, &settings);
    let mut way = Way {
        settings,
        shortest: arguments.search.shortest,
        fair: arguments.search.fairness == Fairness::Weak,
        observer: &mut watch,
    };
    let Infinite { answer, route, automaton } = match question {
        Question::Formula(at) => ltl::ltl(&mut engine, &machines.formulas[at], &mut way),
        Question::Claim(id) => claim::never(&mut engine, id, &mut way),
        Question::Accept => labels::accept(&mut engine, &mut way),
        Question::Progress => labels::progress(&mut engine, &mut way),
    };
    drop(watch);
    let mut checked = answered(model, check, &engine, answer, (started, settings.threads));
    checked.answer.property = property;
    checked.answer.route = Some(route);
    checked.answer.automaton = automaton.map(|size| (size.states, size.edges, size.sets));
    // The searches of products do not know which statements of the model were executed.
    checked.answer.unreached = None;
    checked
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
