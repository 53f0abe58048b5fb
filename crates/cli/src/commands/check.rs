//! Runs one check and puts its answer into the words of the report.

use super::verify::{Arguments, Kind};
use crate::checkpoint::{self, Belonging, Keeper};
use crate::front_end::Model;
use crate::interrupt::Interrupt;
use crate::memory;
use crate::options::search::Store;
use crate::output;
use crate::progress::Line;
use crate::watch::Watch;
use anyhow::{Result, bail};
use pverify_checks::safety;
use pverify_report::answers::Answered;
use pverify_report::coverage;
use pverify_report::declarations::Declarations;
use pverify_report::trace::story;
use pverify_report::trace_file::fingerprint;
use pverify_search::control::{Settings, Visited, Wanted};
use pverify_search::snapshot::Unusable;
use pverify_semantics::Engine;
use pverify_verdict::{Move, Omitted, Verdict};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

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
    let mut engine = Engine::new(&model.machines);
    let threads = threads(arguments, &engine);
    let wanted = Wanted { deadlocks: kind != Kind::Assert, steps: kind != Kind::Deadlock };
    let settings = Settings {
        all_errors: arguments.search.all_errors,
        depth: arguments.limits.depth.map(|depth| depth.get() as u64),
        memory: memory::for_search(arguments.limits.memory.as_ref().map(|s| s.0), threads.get()),
        visited: visited(arguments),
        threads,
        seed: arguments.search.seed.unwrap_or(0),
        snapshots: arguments.checkpoints.checkpoint.is_some(),
        ..Settings::new(wanted)
    };
    let belonging = belonging(check, model, &settings);
    let mut watch = Watch {
        started,
        limit: arguments.limits.time_limit.as_ref().map(|duration| duration.0),
        interrupt,
        line: Line::new(&arguments.output, started, settings.memory),
        keeper: keeper(arguments, &belonging),
        ending: None,
    };
    let shortest = arguments.search.shortest;
    let answer = match &arguments.checkpoints.resume {
        None => safety::safety(&mut engine, &settings, shortest, &mut watch),
        Some(path) => {
            let mut numbers = checkpoint::open(path, &belonging)?;
            let mut take = || numbers.take();
            match safety::resume(&mut engine, &settings, &mut take, &mut watch) {
                Ok(answer) => answer,
                Err(why) => bail!(cannot_go_on(path, why)),
            }
        }
    };
    if let Some(problem) = watch.keeper.take().and_then(|keeper| keeper.problem) {
        output::error(&anyhow::anyhow!(problem));
    }
    drop(watch);
    let (counts, verdict) = (answer.counts, answer.verdict.name());
    let mut moves = None;
    let (reason, fault, story) = match answer.verdict {
        Verdict::Holds { scope } => (scope.omitted.map(unsure), None, None),
        Verdict::Inconclusive { reason } => (Some(reason), None, None),
        Verdict::Violated { trace } => {
            let told = story(&engine, &model.sources, &trace);
            moves = Some(trace.moves);
            (answer.ended_by, Some(trace.fault.name()), Some(told))
        }
    };
    let answered = Answered {
        check: check.to_owned(),
        property: None,
        verdict,
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
        omitted: answer.omitted.map(Omitted::states),
        unreached: answer.complete.then(|| coverage::unreached(&engine, &model.sources)),
        story,
    };
    Ok(Checked { answer: answered, moves })
}

/// What a checkpoint of this search belongs to.
fn belonging(check: &str, model: &Model, settings: &Settings) -> Belonging {
    let store = match settings.visited {
        Visited::Exact => "exact".to_owned(),
        Visited::Bitstate { hashes } => format!("bitstate {hashes}"),
    };
    let depth = settings.depth.map_or_else(|| "any".to_owned(), |depth| depth.to_string());
    let all_errors = settings.all_errors;
    Belonging {
        model: fingerprint(&model.program),
        settings: format!("check {check}, depth {depth}, all errors {all_errors}, store {store}"),
    }
}

fn keeper(arguments: &Arguments, belonging: &Belonging) -> Option<Keeper> {
    const EVERY: Duration = Duration::from_secs(600);
    let path = arguments.checkpoints.checkpoint.clone()?;
    let every = arguments.checkpoints.checkpoint_every.as_ref().map_or(EVERY, |every| every.0);
    Some(Keeper::new(path, belonging.clone(), every))
}

fn cannot_go_on(path: &Path, why: Unusable) -> String {
    let path = path.display();
    match why {
        Unusable::Memory => format!(
            "--resume: there is too little memory for `{path}`\nhelp: give a larger --memory"
        ),
        Unusable::Foreign => {
            format!("--resume: `{path}` does not fit this model\nhelp: begin anew")
        }
    }
}

/// How visited states are remembered. Three bits a state, as with SPIN: more omit fewer states as
/// long as the filter is nearly empty, and more when it is not.
fn visited(arguments: &Arguments) -> Visited {
    match arguments.search.store {
        Store::Exact => Visited::Exact,
        Store::Bitstate => Visited::Bitstate { hashes: 3 },
    }
}

/// What an answer is worth that rests on bits.
fn unsure(omitted: Omitted) -> String {
    format!(
        "states were remembered by bits only, and {:.6} of them were probably taken for others and \
         omitted, with what comes after them; use --store exact to be sure",
        omitted.states()
    )
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

/// The answer to a check that was not made.
fn open(check: &str, property: Option<&str>, reason: &str) -> Answered {
    Answered {
        check: check.to_owned(),
        property: property.map(str::to_owned),
        verdict: "inconclusive",
        reason: Some(reason.to_owned()),
        ..Answered::default()
    }
}
