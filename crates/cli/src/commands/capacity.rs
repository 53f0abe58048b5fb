//! `--check capacity`: how large the buffers must be.

use super::check::{Checked, open};
use super::verify::Arguments;
use crate::front_end::Model;
use crate::interrupt::Interrupt;
use crate::memory;
use crate::progress::Line;
use crate::saving::Saved;
use crate::watch::Watch;
use pverify_checks::capacity::{self, Answer, Buffer, Judgement, Place, Reference, Settings};
use pverify_model::describe;
use pverify_model::lift::with_each_capacity;
use pverify_model::machine::Model as Machines;
use pverify_report::answers::Answered;
use pverify_report::capacities::{BufferReport, CapacitiesReport, Least, Less};
use pverify_report::trace::{Story, story};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Step;
use pverify_verdict::trace::{Trace, perform};
use std::num::NonZeroUsize;
use std::time::Instant;

/// Without another limit, one search explores so many states.
const MOST_STATES: u64 = 2_000_000;

/// Asks how large channels must be.
pub(super) fn capacity(arguments: &Arguments, model: &Model, interrupt: &Interrupt) -> Checked {
    let started = Instant::now();
    if interrupt.is_asked() {
        let answer = open("capacity", None, "interrupted before it began");
        return Checked { answer, saved: None };
    }
    let limits = &arguments.limits;
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = limits.threads.unwrap_or_else(all);
    let settings = Settings {
        memory: memory::for_search(limits.memory.as_ref().map(|size| size.0), threads.get()),
        depth: limits.depth.map(|depth| depth.get() as u64),
        most_states: arguments.channels.states.map_or(MOST_STATES, |states| states.get() as u64),
        threads,
        seed: arguments.search.seed.unwrap_or(0),
    };
    let mut watch = Watch {
        started,
        limit: limits.time_limit.as_ref().map(|duration| duration.0),
        interrupt,
        line: Line::new(&arguments.output, started, settings.memory),
        keeper: None,
        ending: None,
        endless: false,
    };
    let answer = capacity::capacity(&model.machines, &settings, &mut watch);
    drop(watch);
    let found = trace_of_declared(&model.machines, &answer);
    let told = found.as_ref().map(|(engine, trace)| story(engine, &model.sources, trace));
    let saved = found.as_ref().map(|(_, trace)| Saved::of(trace));
    let (verdict, reason) = verdict(&answer);
    let fault = match answer.declared.as_deref() {
        Some(Judgement::Wrong { fault, .. }) => Some(fault.name()),
        Some(Judgement::Lost(_)) => Some("lost statement"),
        _ => None,
    };
    let counts = answer.counts;
    let answered = Answered {
        check: "capacity".to_owned(),
        verdict,
        reason,
        fault,
        states: counts.states,
        transitions: counts.transitions,
        matched: counts.matched,
        max_depth: counts.max_depth,
        state_bytes: answer.state_bytes,
        store_bytes: counts.store_bytes,
        peak_memory_bytes: memory::peak(),
        seconds: started.elapsed().as_secs_f64(),
        threads: threads.get(),
        complete: answer.ended_by.is_none() && answer.reference != Reference::Met,
        scope: (verdict == "holds" && answer.reference != Reference::Met).then_some(COMPARED),
        capacities: Some(report(model, &answer)),
        story: told,
        ..Answered::default()
    };
    Checked { answer: answered, saved }
}

/// What is compared, and what is not.
const COMPARED: &str = "deadlocks, statements, faults; orders of steps, values and endless runs are \
                        not compared";

/// About the declared capacities, if there are any; else, whether there are some that are enough.
fn verdict(answer: &Answer) -> (&'static str, Option<String>) {
    let more = answer.ended_by.clone();
    match (answer.declared.as_deref(), answer.together.as_deref()) {
        _ if answer.buffers.is_empty() && more.is_none() => ("holds", None),
        (Some(Judgement::Wrong { .. } | Judgement::Lost(_)), _) => ("violated", more),
        (Some(Judgement::Enough { .. }), _) => ("holds", more),
        (Some(Judgement::Undecided(reason)), _) => ("inconclusive", Some(reason.clone())),
        (None, Some(Judgement::Enough { never }))
            if answer.reference == Reference::Met && !never.is_empty() =>
        {
            let reason = format!(
                "of {} the part without capacities that was explored says nothing: a larger \
                 capacity may be needed for them",
                match never.len() {
                    1 => "1 statement that is never executed".to_owned(),
                    count => format!("{count} statements that are never executed"),
                }
            );
            ("inconclusive", Some(reason))
        }
        (None, Some(Judgement::Enough { .. })) => ("holds", more),
        (None, _) => ("inconclusive", more),
    }
}

/// The way to what goes wrong with the declared capacities.
fn trace_of_declared<'m>(machines: &'m Machines, answer: &Answer) -> Option<(Engine<'m>, Trace)> {
    let Judgement::Wrong { fault, steps, .. } = answer.declared.as_deref()? else { return None };
    let mut engine = Engine::new(machines);
    let trace = perform(&mut engine, fault, steps).ok()?;
    Some((engine, trace))
}

fn report(model: &Model, answer: &Answer) -> CapacitiesReport {
    let values = |of: &dyn Fn(&Buffer) -> Option<u32>| -> Vec<u32> {
        answer.buffers.iter().map(|one| of(one).unwrap_or(1)).collect()
    };
    let reference = values(&|one| one.reference);
    let together = values(&|one| one.together.as_ref().map(|least| least.capacity));
    let buffers = answer.buffers.iter().enumerate().map(|(at, one)| {
        let least = |least: &Option<capacity::Least>, others: &[u32]| {
            least.as_ref().map(|least| {
                let less = least.less.as_ref().map(|judgement| {
                    let mut capacities = others.to_vec();
                    capacities[at] = least.capacity - 1;
                    let (why, story) = why(model, &capacities, judgement);
                    Less { capacity: least.capacity - 1, why, story }
                });
                Least { capacity: least.capacity, proven: least.proven, less }
            })
        };
        BufferReport {
            name: one.name.clone(),
            declared: one.declared,
            most: one.most,
            grows: one.grows,
            reference: one.reference,
            alone: least(&one.alone, &reference),
            together: least(&one.together, &together),
        }
    });
    let declared = answer.declared.as_deref().map(|judgement| match judgement {
        Judgement::Enough { .. } => "the declared capacities are enough".to_owned(),
        Judgement::Undecided(_) => "the declared capacities were not decided about".to_owned(),
        other => format!("with the declared capacities: {}", in_words(model, other)),
    });
    let lost = match answer.declared.as_deref() {
        Some(Judgement::Lost(places)) => places.iter().map(|&at| statement(model, at)).collect(),
        _ => Vec::new(),
    };
    let reference = match answer.reference {
        Reference::Unlimited => {
            "the system without capacities, all of it: deadlocks, statements, faults"
        }
        Reference::Declared => {
            "the model as it is declared (without capacities no end was found): deadlocks, \
             statements, faults"
        }
        Reference::Met => {
            "the part of the system without capacities that was explored: deadlocks, statements"
        }
        Reference::Nothing => "",
    };
    let failed = answer.failed.as_ref().map(|(capacities, judgement)| {
        let (why, story) = why(model, capacities, judgement);
        let capacity = capacities.iter().copied().max().unwrap_or(0);
        (capacities.clone(), Less { capacity, why, story })
    });
    CapacitiesReport { failed, buffers: buffers.collect(), declared, reference, lost }
}

/// Why capacities are not enough, and the way to what goes wrong.
fn why(model: &Model, capacities: &[u32], judgement: &Judgement) -> (String, Option<Story>) {
    let told = match judgement {
        Judgement::Wrong { fault, steps, .. } => tell(model, capacities, fault, steps),
        _ => None,
    };
    (in_words(model, judgement), told)
}

fn tell(model: &Model, capacities: &[u32], fault: &FaultKind, steps: &[Step]) -> Option<Story> {
    let machines = with_each_capacity(&model.machines, capacities);
    let mut engine = Engine::new(&machines);
    let trace = perform(&mut engine, fault, steps).ok()?;
    Some(story(&engine, &model.sources, &trace))
}

fn in_words(model: &Model, judgement: &Judgement) -> String {
    match judgement {
        Judgement::Wrong { fault, length, .. } => {
            let plural = if *length == 1 { "" } else { "s" };
            match fault {
                FaultKind::InvalidEndState => format!("a deadlock after {length} step{plural}"),
                fault => format!("{fault} after {length} step{plural}"),
            }
        }
        Judgement::Lost(places) => match places.as_slice() {
            [first, rest @ ..] => {
                let more = match rest.len() {
                    0 => String::new(),
                    count => format!(" and {count} more"),
                };
                format!("never executed: {}{more}", statement(model, *first))
            }
            [] => "nothing".to_owned(),
        },
        Judgement::Undecided(reason) => format!("not known: {reason}"),
        Judgement::Enough { .. } => "enough".to_owned(),
    }
}

/// `P line 12: c?1`
fn statement(model: &Model, at: Place) -> String {
    let process = &model.machines.processes[at.kind];
    let edge = &process.graph.locations[at.location].edges[at.edge];
    let line = model.sources.position(model.sources.outermost(edge.span)).line;
    let action = describe::action(&model.machines, process, &edge.action);
    format!("{} line {line}: {action}", process.name)
}
