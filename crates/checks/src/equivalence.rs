//! Two models side by side: does one do what the other does?
//!
//! A model is compared with another by the names of its actions alone, on the fly: neither graph is
//! built. The relations are those of Jard, Jéron, Fernandez & Mounier (1993, §3.1), and one more:
//!
//! | relation | a move is | who must match whom |
//! | --- | --- | --- |
//! | strong | one action, `tau` too | both each other, in the same pair |
//! | strong simulation | one action, `tau` too | the second the first |
//! | weak (their w-bisimulation) | `tau`* and one action that is seen | both each other, in the same pair |
//! | safety preorder | `tau`* and one action that is seen | the second the first |
//! | safety | the same | the preorder in both directions |
//! | observational (Milner's weak bisimulation) | one action; its answer may have `tau` around it | both each other, in the same pair |
//!
//! In reading order: `view`, what is seen of a model; `side`, a model as a labelled transition
//! system; `closure`, moves in which `tau` does not count; `pair`, two states as one; `product`, the
//! game of challenges and answers; `evidence`, from what was found to what can be confirmed.
//!
//! As long as no answer must be chosen, the pairs are searched as the states of any model are: by
//! several workers, in a store whose states give way. When a choice appears, [`related`] takes over,
//! by one.

pub mod closure;
mod evidence;
pub(crate) mod pair;
mod product;
pub mod side;
pub mod view;

use crate::safety::{Answer, reason};
use closure::{Mover, Unit};
use product::{Product, Rules};
use pverify_search::control::{Counts, Cut, Observer, Outcome, Settings, Visited, Wanted, Wrong};
use pverify_search::{breadth_first, depth_first, related};
use pverify_semantics::Engine;
use pverify_semantics::action::Elementary;
use pverify_semantics::fault::FaultKind;
use pverify_verdict::distinguishing::{Definition, Distinguishing, confirm_distinguishing};
use pverify_verdict::trace::{Trace, perform};
use pverify_verdict::{Scope, Verdict};
use side::Side;
use std::num::NonZeroUsize;
use view::View;

/// How two models must be related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Strong bisimulation.
    Strong,
    /// The second simulates the first.
    StrongSimulation,
    /// Bisimulation in which a move is `tau`* and one action that is seen.
    Weak,
    /// The safety preorder in both directions.
    Safety,
    /// The second simulates the first, where a move is `tau`* and one action that is seen.
    SafetyPreorder,
    /// Milner's weak bisimulation.
    Observational,
}

impl Relation {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::StrongSimulation => "strong-simulation",
            Self::Weak => "weak",
            Self::Safety => "safety",
            Self::SafetyPreorder => "safety-preorder",
            Self::Observational => "observational",
        }
    }

    fn rules(self) -> (Rules, Definition) {
        let (challenge, answer, both, definition) = match self {
            Self::Strong => (Unit::Action, Unit::Action, true, Definition::Strong),
            Self::StrongSimulation => (Unit::Action, Unit::Action, false, Definition::Strong),
            Self::Weak => (Unit::Visible, Unit::Visible, true, Definition::TauStar),
            Self::Safety | Self::SafetyPreorder => {
                (Unit::Action, Unit::Visible, false, Definition::TauStar)
            }
            Self::Observational => (Unit::Action, Unit::Weak, true, Definition::Observational),
        };
        (Rules { challenge, answer, both }, definition)
    }
}

/// An answer, and why two models are not related.
#[derive(Debug)]
pub struct EquivalenceAnswer {
    /// The answer; its trace is that of the first model.
    pub answer: Answer,
    /// Why they are not related.
    pub distinguishing: Option<Distinguishing>,
    /// What the second model does on the way.
    pub second: Option<Trace>,
    /// How it was found.
    pub route: Route,
    /// Bytes of the largest pair.
    pub state_bytes: usize,
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// Searches in which answers were chosen; none if none had to be.
    pub searches: u64,
    /// Threads that searched.
    pub threads: usize,
}

/// Checks that two models are related.
pub fn equivalence(
    engines: [&mut Engine<'_>; 2],
    views: [View<'_>; 2],
    relation: Relation,
    settings: &Settings,
    shortest: bool,
    observer: &mut dyn Observer,
) -> EquivalenceAnswer {
    let [left, right] = engines;
    for engine in [&mut *left, &mut *right] {
        engine.listen();
        if let Some(fault) = engine.initial_faults.first() {
            let reason = format!("a model has no initial state: {fault}");
            return open(Counts::default(), Route::default(), reason);
        }
    }
    let mut asking = Asking { relation, settings: *settings, shortest, observer };
    let first = asking.one_way([&mut *left, &mut *right], &views);
    let violated =
        |found: &EquivalenceAnswer| matches!(found.answer.verdict, Verdict::Violated { .. });
    if relation != Relation::Safety || violated(&first) {
        return first;
    }
    // One direction that fails is enough, whether or not the other is known.
    let [one, two] = views;
    let second = asking.one_way([right, left], &[two, one]);
    if matches!(first.answer.verdict, Verdict::Inconclusive { .. }) && !violated(&second) {
        return first;
    }
    both_ways(first, second)
}

/// The preorder in one direction and then in the other.
fn both_ways(first: EquivalenceAnswer, second: EquivalenceAnswer) -> EquivalenceAnswer {
    let mut all = second;
    let (sum, other) = (&mut all.answer.counts, first.answer.counts);
    sum.states += other.states;
    sum.transitions += other.transitions;
    sum.matched += other.matched;
    sum.replacements += other.replacements;
    sum.max_depth = sum.max_depth.max(other.max_depth);
    sum.store_bytes = sum.store_bytes.max(other.store_bytes);
    all.route.searches = all.route.searches.max(first.route.searches);
    all.route.threads = all.route.threads.max(first.route.threads);
    all.state_bytes = all.state_bytes.max(first.state_bytes);
    if let Verdict::Holds { scope } = &mut all.answer.verdict {
        scope.states = all.answer.counts.states;
    }
    all.distinguishing = all.distinguishing.map(Distinguishing::swapped);
    if let (Verdict::Violated { trace }, Some(other)) = (&mut all.answer.verdict, &mut all.second) {
        std::mem::swap(&mut **trace, other);
    }
    all
}

struct Asking<'o> {
    relation: Relation,
    settings: Settings,
    shortest: bool,
    observer: &'o mut dyn Observer,
}

/// What is known of the first pair.
enum Known {
    Related,
    Unrelated(Vec<related::Reason>),
    Open(String),
}

impl Asking<'_> {
    fn one_way(
        &mut self,
        engines: [&mut Engine<'_>; 2],
        views: &[View<'_>; 2],
    ) -> EquivalenceAnswer {
        let [left, right] = engines;
        let (rules, definition) = self.relation.rules();
        // An eighth of the memory is for what sides remember, an eighth for the rest.
        let share = self.settings.memory / 8 / self.settings.threads.get();
        let most = (share / 2 / size_of::<u64>()).max(1 << 12);
        let movers = [
            Mover::new(Side::new(left.fork(), views[0].clone()), most),
            Mover::new(Side::new(right.fork(), views[1].clone()), most),
        ];
        let mut product = Product::new(movers, rules);
        if let Err(fault) = product.begins() {
            return open(Counts::default(), Route::default(), goes_wrong(&fault));
        }
        let (known, counts, route) = self.search(&mut product);
        let state_bytes = product.state_bytes();
        let mut found = match known {
            Known::Open(reason) => open(counts, route, reason),
            Known::Related => {
                let scope = Scope { states: counts.states, omitted: None };
                answered(Verdict::Holds { scope }, counts, route)
            }
            Known::Unrelated(reasons) => {
                let claim = evidence::claim(&mut product, rules, &reasons);
                let names = [&views[0], &views[1]]
                    .map(|view| move |action: &Elementary<'_>| view.name(action));
                let confirmed = match claim {
                    None => Err("a step does not follow".to_owned()),
                    Some(claim) => confirm_distinguishing(
                        [&mut *left, &mut *right],
                        [&names[0], &names[1]],
                        (definition, rules.both),
                        &claim,
                    )
                    .map_err(|why| why.0),
                };
                match confirmed.and_then(|told| self.violated([left, right], told, counts, route)) {
                    Ok(found) => found,
                    Err(why) => not_confirmed(counts, route, &why),
                }
            }
        };
        found.state_bytes = state_bytes;
        found
    }

    fn violated(
        &self,
        engines: [&mut Engine<'_>; 2],
        told: Distinguishing,
        counts: Counts,
        route: Route,
    ) -> Result<EquivalenceAnswer, String> {
        let [left, right] = engines;
        let trace = |engine: &mut Engine<'_>, steps| {
            perform(engine, &FaultKind::Unrelated, steps).map_err(|why| why.0)
        };
        let first = trace(left, &told.steps[0])?;
        let second = trace(right, &told.steps[1])?;
        let verdict = Verdict::Violated { trace: Box::new(first) };
        let mut found = answered(verdict, counts, route);
        found.second = Some(second);
        found.distinguishing = Some(told);
        Ok(found)
    }

    /// Whether the first pair is related: by reachability, and by choosing where that must be.
    fn search(&mut self, product: &mut Product<'_>) -> (Known, Counts, Route) {
        let settings = Settings {
            wanted: Wanted { deadlocks: false, steps: true },
            visited: Visited::Exact,
            all_errors: false,
            memory: self.settings.memory / 4 * 3,
            ..self.settings
        };
        let route = Route { searches: 0, threads: settings.threads.get() };
        let outcome = if self.shortest {
            breadth_first::search(product, &settings, self.observer)
        } else {
            depth_first::search(product, &settings, self.observer)
        };
        let Outcome { counts, violation, cut, .. } = outcome;
        let stopped = self.observer.reason(&counts);
        let Some(violation) = violation else {
            let ended = stopped.or_else(|| cut.map(|cut| reason(cut, &settings)));
            return (ended.map_or(Known::Related, Known::Open), counts, route);
        };
        match violation.wrong {
            Wrong::Fault(FaultKind::Unrelated) => {}
            Wrong::Fault(fault) => return (Known::Open(goes_wrong(&fault)), counts, route),
            _ => return (Known::Open(reason(Cut::Stopped, &settings)), counts, route),
        }
        if let Some(mut reasons) = evidence::along(product, &violation.way) {
            if !self.shortest && reasons.len() > LONG {
                // A search that goes deep finds long ways; a broad one finds a short one.
                let found = breadth_first::search(product, &settings, self.observer).violation;
                let short = found.and_then(|found| evidence::along(product, &found.way));
                reasons = short.unwrap_or(reasons);
            }
            return (Known::Unrelated(reasons), counts, route);
        }
        match stopped {
            Some(reason) => (Known::Open(reason), counts, route),
            None => self.choose(product, &settings),
        }
    }

    fn choose(&mut self, product: &mut Product<'_>, settings: &Settings) -> (Known, Counts, Route) {
        let settings = Settings { threads: NonZeroUsize::MIN, ..*settings };
        let found = related::search(product, &settings, self.observer);
        let route = Route { searches: found.searches, threads: 1 };
        let stopped = self.observer.reason(&found.counts);
        let known = match (found.cut, found.reasons) {
            (None, None) => Known::Related,
            (None, Some(reasons)) => Known::Unrelated(reasons),
            (Some((_, Some(fault))), _) => Known::Open(goes_wrong(&fault)),
            (Some((cut, None)), _) => {
                Known::Open(stopped.unwrap_or_else(|| reason(cut, &settings)))
            }
        };
        (known, found.counts, route)
    }
}

/// Of a longer way a shorter one is looked for.
const LONG: usize = 16;

fn goes_wrong(fault: &FaultKind) -> String {
    if let FaultKind::Limit(what) = fault {
        return format!(
            "the limit of {what} was reached; try a larger --memory, or a smaller model"
        );
    }
    format!(
        "a step of one of the models goes wrong ({fault}), and what comes after it is not known; see \
         --check safety"
    )
}

fn answered(verdict: Verdict, counts: Counts, route: Route) -> EquivalenceAnswer {
    let complete = matches!(verdict, Verdict::Holds { .. });
    let answer = Answer { verdict, counts, complete, omitted: None, ended_by: None };
    EquivalenceAnswer { answer, distinguishing: None, second: None, route, state_bytes: 0 }
}

fn open(counts: Counts, route: Route, reason: String) -> EquivalenceAnswer {
    answered(Verdict::Inconclusive { reason }, counts, route)
}

fn not_confirmed(counts: Counts, route: Route, why: &str) -> EquivalenceAnswer {
    let reason = format!(
        "a difference was found but could not be confirmed ({why}); this is a mistake of pverify, \
         please report it"
    );
    open(counts, route, reason)
}
