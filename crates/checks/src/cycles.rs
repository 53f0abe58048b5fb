//! What checks of infinite runs have in common: a product is searched for an accepting run, and
//! what is found is done again and judged by separate code.

use crate::safety::{Answer, TOO_MANY_OMITTED, reason};
use pverify_search::companion::{Companion, along};
use pverify_search::control::{
    Counts, Cut, Observer, Outcome, Settings, Violation, Visited, Wrong,
};
use pverify_search::emptiness::{self, Accepting, Emptiness};
use pverify_search::product::{Product, Runs};
use pverify_search::{breadth_first, depth_first, nested};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Step;
use pverify_store::Omission;
use pverify_temporal::automaton::Size;
use pverify_verdict::cycle::is_at_rest;
use pverify_verdict::trace::NotConfirmed;
use pverify_verdict::{Omitted, Scope, Trace, Verdict, confirm_cycle_shortened, confirm_shortened};
use std::num::NonZeroUsize;

/// An answer about infinite runs, and how it was come by.
#[derive(Clone, Debug)]
pub struct Infinite {
    /// The answer.
    pub answer: Answer,
    /// How it was looked for, in words.
    pub route: String,
    /// The automaton that moved with the model, for a formula.
    pub automaton: Option<Size>,
}

/// How a search goes about it.
pub struct Way<'o> {
    /// Threads, memory and the like.
    pub settings: Settings,
    /// How many threads look for cycles, which are those of the settings then; several find the same,
    /// but not sooner yet. With bits instead of states there is one.
    pub threads: NonZeroUsize,
    /// Breadth first, where that is possible.
    pub shortest: bool,
    /// Only weakly fair runs count.
    pub fair: bool,
    /// Who watches.
    pub observer: &'o mut dyn Observer,
}

/// A run of the model: states before the cycle, and the cycle; none for a run that was cut when
/// the answer was plain.
pub(crate) struct Run {
    pub(crate) stem: Vec<Vec<u64>>,
    pub(crate) cycle: Vec<Vec<u64>>,
}

type States = [Vec<u64>];

/// Says why a run is not what a search takes it for.
pub(crate) type Judge<'j> = dyn FnMut(&mut Engine<'_>, &Run) -> Result<(), String> + 'j;

/// Looks for an accepting run of the product, which is a violation of this kind.
pub(crate) fn accepting<C: Companion>(
    engine: &mut Engine<'_>,
    (companion, runs): (C, Runs),
    fault: &FaultKind,
    way: &mut Way<'_>,
    judge: &mut Judge<'_>,
) -> Answer {
    let mut witness = companion.fork();
    let mut product = match begin(engine, companion, runs) {
        Ok(product) => product,
        Err(answer) => return *answer,
    };
    let (Emptiness { counts, found, cut }, omission) = match way.settings.visited {
        Visited::Exact => {
            way.settings.threads = way.threads;
            (emptiness::search(&mut product, &way.settings, way.observer), None)
        }
        Visited::Bitstate { hashes } => {
            way.settings.threads = NonZeroUsize::MIN;
            nested::search(&mut product, &way.settings, hashes, way.observer)
        }
    };
    let violated = found.map(|found| match found {
        Accepting::Lasso { stem, cycle } => {
            let mut model = |states: Vec<Vec<u64>>| -> Vec<Vec<u64>> {
                states.iter().map(|words| product.parts(words).0).collect()
            };
            let run = Run { stem: model(stem), cycle: model(cycle) };
            engine.catch_up_with_all();
            judge(engine, &run).map_err(NotConfirmed).and_then(|()| {
                let mut is_wrong = |engine: &mut Engine<'_>, stem: &States, cycle: &States| {
                    let run = Run { stem: stem.to_vec(), cycle: cycle.to_vec() };
                    along::accepts(engine, &mut witness, stem, cycle) && judge(engine, &run).is_ok()
                };
                let found = (&*run.stem, &*run.cycle);
                confirm_cycle_shortened(engine, fault, found, runs.fair, &mut is_wrong)
            })
        }
        Accepting::Prefix { fault, states } => {
            let states: Vec<_> = states.iter().map(|words| product.parts(words).0).collect();
            engine.catch_up_with_all();
            confirm_beginning(engine, &fault, (states, &[]), &mut witness, judge)
        }
    });
    conclude(violated, counts, (cut, omission), way)
}

/// Looks for a state of the product where the companion comes to its end.
pub(crate) fn reaching<C: Companion>(
    engine: &mut Engine<'_>,
    companion: C,
    way: &mut Way<'_>,
    judge: &mut Judge<'_>,
) -> Answer {
    let mut witness = companion.fork();
    let mut product = match begin(engine, companion, Runs::ALL) {
        Ok(product) => product,
        Err(answer) => return *answer,
    };
    let search = if way.shortest { breadth_first::search } else { depth_first::search };
    let Outcome { counts, violation, cut, omission } =
        search(&mut product, &way.settings, way.observer);
    let violated = violation.map(|found| {
        let Violation { wrong: Wrong::Fault(fault), way, steps } = found else {
            return Err(NotConfirmed("nobody looked for what was found".to_owned()));
        };
        let states: Vec<_> = way.states().map(|words| product.parts(&words).0).collect();
        engine.catch_up_with_all();
        confirm_beginning(engine, &fault, (states, &steps), &mut witness, judge)
    });
    conclude(violated, counts, (cut, omission), way)
}

/// The beginning of a run that makes the answer plain. Where it goes on behind the last step of the
/// model, which is at rest, the run is one that ends, and is confirmed as such.
fn confirm_beginning<C: Companion>(
    engine: &mut Engine<'_>,
    fault: &FaultKind,
    (mut states, last): (Vec<Vec<u64>>, &[Step]),
    witness: &mut C,
    judge: &mut Judge<'_>,
) -> Result<Trace, NotConfirmed> {
    let run = Run { stem: states.clone(), cycle: Vec::new() };
    judge(engine, &run).map_err(NotConfirmed)?;
    let mut is_wrong = |engine: &mut Engine<'_>, stem: &States, cycle: &States| {
        let run = Run { stem: stem.to_vec(), cycle: cycle.to_vec() };
        along::comes_to_its_end(engine, witness, stem, cycle) && judge(engine, &run).is_ok()
    };
    let is_repeated = states.windows(2).last().is_some_and(|pair| pair[0] == pair[1]);
    match states.pop() {
        Some(end) if is_repeated && is_at_rest(engine, &end) => {
            while states.last() == Some(&end) {
                states.pop();
            }
            confirm_cycle_shortened(engine, fault, (&states, &[end]), false, &mut is_wrong)
        }
        end => {
            states.extend(end);
            confirm_shortened(engine, fault, states, last, Some(&mut is_wrong))
        }
    }
}

/// The product, unless there is no initial state.
fn begin<'m, C: Companion>(
    engine: &mut Engine<'m>,
    companion: C,
    runs: Runs,
) -> Result<Product<'m, C>, Box<Answer>> {
    let open = |reason: String| Box::new(undecided(reason, Counts::default()));
    if let Some(fault) = engine.initial_faults.first() {
        return Err(open(format!("the model has no initial state: {fault}")));
    }
    Product::new(engine.fork(), companion, runs)
        .map_err(|fault| open(format!("the property cannot be asked: {fault}")))
}

pub(crate) fn undecided(reason: String, counts: Counts) -> Answer {
    let verdict = Verdict::Inconclusive { reason };
    Answer { verdict, counts, complete: false, omitted: None, ended_by: None }
}

fn conclude(
    violated: Option<Result<Trace, NotConfirmed>>,
    counts: Counts,
    (cut, omission): (Option<Cut>, Option<Omission>),
    way: &Way<'_>,
) -> Answer {
    let omitted = omission.map(|omission| Omitted::expected(omission.expected));
    let complete = cut.is_none() && omitted.is_none() && violated.is_none();
    let open = |reason| Answer { omitted, ..undecided(reason, counts) };
    let verdict = match violated {
        Some(Ok(trace)) => Verdict::Violated { trace: Box::new(trace) },
        Some(Err(why)) => {
            return open(format!(
                "a counterexample was found but could not be confirmed ({}); this is a mistake of \
                 pverify, please report it",
                why.0
            ));
        }
        None => match cut {
            None if omitted.is_none_or(Omitted::is_improbable) => {
                Verdict::Holds { scope: Scope { states: counts.states, omitted } }
            }
            None => return open(TOO_MANY_OMITTED.to_owned()),
            Some(cut) => {
                let stopped = way.observer.reason(&counts);
                return open(stopped.unwrap_or_else(|| reason(cut, &way.settings)));
            }
        },
    };
    Answer { verdict, counts, complete, omitted, ended_by: None }
}

/// How cycles are looked for, for people.
pub(crate) fn cycles(way: &Way<'_>) -> &'static str {
    match way.settings.visited {
        Visited::Exact => "cycles",
        Visited::Bitstate { .. } => "nested depth-first search for cycles",
    }
}

/// Which runs count, for people.
pub(crate) fn scope(runs: Runs) -> String {
    let ends = if runs.stutter {
        "a run that ends repeats its last state for ever"
    } else {
        "runs that end do not count"
    };
    let fair = if runs.fair {
        "; weak fairness: a process that can always take a step takes one again and again"
    } else {
        ""
    };
    format!("{ends}{fair}")
}
