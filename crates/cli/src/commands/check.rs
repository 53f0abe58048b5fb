//! Runs one check and puts its answer into the words of the report.

pub(super) mod buchi;
pub(super) mod equivalence;
pub(super) mod finite;
pub(super) mod infinite;
mod safety;

use super::verify::Arguments;
use crate::charts::Wish;
use crate::front_end::Model;
use crate::interrupt::Interrupt;
use crate::memory;
use crate::options::search::Store;
use crate::progress::Line;
use crate::saving::Saved;
use crate::watch::Watch;
use pverify_checks::safety::Answer;
use pverify_model::load::Unchecked;
use pverify_report::answers::Answered;
use pverify_report::chart::Run;
use pverify_report::coverage;
use pverify_report::trace::story;
use pverify_search::control::{Settings, Visited, Wanted};
use pverify_semantics::Engine;
use pverify_semantics::tail::has_tail;
use pverify_verdict::{Omitted, Verdict};
pub(super) use safety::safety;
use std::num::NonZeroUsize;
use std::time::Instant;

/// An answer, and the way to what is wrong.
pub(super) struct Checked {
    pub(super) answer: Answered,
    pub(super) saved: Option<Saved>,
}

/// A search that is asked something: how it goes about it, and who watches.
pub(super) struct Asking<'a> {
    pub(super) settings: Settings,
    pub(super) watch: Watch<'a>,
    charts: Wish,
    started: Instant,
    interrupt: &'a Interrupt,
}

impl<'a> Asking<'a> {
    pub(super) fn new(
        arguments: &'a Arguments,
        interrupt: &'a Interrupt,
        engine: &Engine<'_>,
        wanted: Wanted,
    ) -> Self {
        let started = Instant::now();
        let threads = threads(arguments, engine, wanted);
        let limits = &arguments.limits;
        let settings = Settings {
            all_errors: arguments.search.all_errors,
            depth: limits.depth.map(|depth| depth.get() as u64),
            memory: memory::for_search(limits.memory.as_ref().map(|s| s.0), threads.get()),
            visited: visited(arguments),
            threads,
            seed: arguments.search.seed.unwrap_or(0),
            ..Settings::new(wanted)
        };
        let watch = Watch {
            started,
            limit: limits.time_limit.as_ref().map(|duration| duration.0),
            interrupt,
            line: Line::new(&arguments.output, started, settings.memory),
            keeper: None,
            ending: None,
            endless: has_tail(engine.model),
        };
        let charts = Wish::new(&arguments.charts, &arguments.output);
        Self { settings, watch, charts, started, interrupt }
    }

    /// Whether the person has asked to stop before it began.
    pub(super) fn is_too_late(&self) -> bool {
        self.interrupt.is_asked()
    }

    /// The answer in the words of the report.
    pub(super) fn answered(
        self,
        model: &Model,
        engine: &mut Engine<'_>,
        check: &str,
        property: Option<&str>,
        answer: Answer,
    ) -> Checked {
        drop(self.watch);
        let unreached = answer.complete.then(|| coverage::unreached(engine, &model.sources));
        let counts = answer.counts;
        let saved = match &answer.verdict {
            Verdict::Violated { trace } => Some(Saved::of(trace)),
            _ => None,
        };
        // Drawing executes statements once more: what was never executed is known by now.
        let chart = match &answer.verdict {
            Verdict::Violated { trace } => {
                self.charts.draw(engine, &model.sources, &Run::of(trace))
            }
            _ => None,
        };
        let (reason, fault, story) = match &answer.verdict {
            Verdict::Holds { scope } => (scope.omitted.map(unsure), None, None),
            Verdict::Inconclusive { reason } => (Some(reason.clone()), None, None),
            Verdict::Violated { trace } => {
                let told = story(engine, &model.sources, trace);
                (answer.ended_by, Some(trace.fault.name()), Some(told))
            }
        };
        let answered = Answered {
            check: check.to_owned(),
            property: property.map(str::to_owned),
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
            seconds: self.started.elapsed().as_secs_f64(),
            threads: self.settings.threads.get(),
            complete: answer.complete,
            omitted: answer.omitted.map(Omitted::states),
            unreached,
            story,
            chart,
            ..Answered::default()
        };
        Checked { answer: answered, saved }
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
/// (Products with a property have hidden variables in their states, so there it does not.)
fn threads(arguments: &Arguments, engine: &Engine<'_>, wanted: Wanted) -> NonZeroUsize {
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    if engine.hidden > 0 && wanted != Wanted::PROPERTY {
        NonZeroUsize::MIN
    } else {
        arguments.limits.threads.unwrap_or_else(all)
    }
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
