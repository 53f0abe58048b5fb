//! Whether given capacities are enough: one search for each choice of them.
//!
//! A way to a deadlock is remembered and tried first with the next capacities: it is found again at
//! once where it is possible, and only if the semantics say that it is.

use super::watched::{Judge, Watched, Wrong};
use super::{Place, Settings};
use ahash::{AHashMap, AHashSet};
use pverify_model::lift::{DeclarationOf, declaration_of_each, with_each_capacity};
use pverify_model::machine::{Action, Expression, Model};
use pverify_search::breadth_first;
use pverify_search::control::{self, Counts, Cut, Observer, Progress, Wanted};
use pverify_semantics::Engine;
use pverify_semantics::coverage::Executed;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Step;
use pverify_verdict::trace::{Trace, confirm, perform};
use std::rc::Rc;
use std::sync::Arc;

/// What some capacities are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// They are enough; these statements are executed neither with them nor with the reference.
    Enough {
        /// The statements.
        never: Vec<Place>,
    },
    /// Something goes wrong that does not with the reference.
    Wrong {
        /// What; a deadlock is one that is there because a channel is full, or one where the
        /// reference has none.
        fault: FaultKind,
        /// The way to it; a rendezvous is two steps.
        steps: Vec<Step>,
        /// Its length.
        length: usize,
    },
    /// Statements are never executed that are with the reference.
    Lost(Vec<Place>),
    /// It is not known, for this reason.
    Undecided(String),
}

impl Judgement {
    /// Whether they are enough.
    pub const fn is_enough(&self) -> bool {
        matches!(self, Self::Enough { .. })
    }
}

/// So many ways to deadlocks are remembered.
const REMEMBERED: usize = 32;

/// The most choices that are tried.
const MOST: u64 = 20_000;

/// All searches together explore no more states than one may, times this.
const SEARCHES: u64 = 20;

/// What one search has shown.
pub(super) struct Explored {
    pub(super) executed: Executed,
    pub(super) met: AHashSet<Wrong>,
    pub(super) longest: Vec<u32>,
    /// A deadlock because a channel is full was met.
    pub(super) added: bool,
    violation: Option<Trace>,
    /// Why it is not complete.
    pub(super) ended_by: Option<String>,
}

/// Tries capacities.
pub(super) struct Attempts<'a> {
    model: &'a Model,
    settings: Settings,
    observer: &'a mut dyn Observer,
    of: Arc<DeclarationOf>,
    /// What is executed with the reference.
    pub(super) needed: Executed,
    /// What goes wrong with it; `None` if that is not known.
    pub(super) known: Option<Arc<AHashSet<Wrong>>>,
    judged: AHashMap<Vec<u32>, Rc<Judgement>>,
    remembered: Vec<(FaultKind, Vec<Step>)>,
    pub(super) counts: Counts,
    pub(super) state_bytes: usize,
    /// How many choices were tried.
    pub(super) tried: u64,
}

impl<'a> Attempts<'a> {
    pub(super) fn new(
        model: &'a Model,
        settings: Settings,
        observer: &'a mut dyn Observer,
        counts: Counts,
    ) -> Self {
        Self {
            model,
            settings,
            observer,
            of: Arc::new(declaration_of_each(model)),
            needed: Vec::new(),
            known: None,
            judged: AHashMap::new(),
            remembered: Vec::new(),
            counts,
            state_bytes: 0,
            tried: 0,
        }
    }

    /// What these capacities are worth.
    pub(super) fn judge(&mut self, capacities: &[u32]) -> Rc<Judgement> {
        if let Some(known) = self.judged.get(capacities) {
            return Rc::clone(known);
        }
        let judgement = Rc::new(self.judge_anew(capacities));
        // What was not decided for want of time will not be later.
        self.judged.insert(capacities.to_vec(), Rc::clone(&judgement));
        judgement
    }

    fn judge_anew(&mut self, capacities: &[u32]) -> Judgement {
        if let Some(reason) = self.used_up() {
            return Judgement::Undecided(reason);
        }
        self.tried += 1;
        let model = with_each_capacity(self.model, capacities);
        let mut engine = Engine::new(&model);
        if let Some(fault) = engine.initial_faults.first() {
            return Judgement::Undecided(format!("the model has no initial state: {fault}"));
        }
        for at in (0..self.remembered.len()).rev() {
            let (fault, steps) = &self.remembered[at];
            if let Ok(trace) = perform(&mut engine, fault, steps)
                && is_full_to_blame(&mut engine, &trace)
            {
                // What serves often stays.
                let one = self.remembered.remove(at);
                self.remembered.push(one);
                return wrong(trace);
            }
        }
        let judge = match &self.known {
            Some(known) => Judge::Compares(Arc::clone(known)),
            None => Judge::Deadlocks,
        };
        let explored = self.explore(&mut engine, judge);
        if let Some(trace) = explored.violation {
            if is_full_to_blame(&mut engine, &trace) {
                self.remembered.push((trace.fault.clone(), steps_of(&trace)));
                if self.remembered.len() > REMEMBERED {
                    self.remembered.remove(0);
                }
            }
            return wrong(trace);
        }
        if let Some(reason) = explored.ended_by {
            return Judgement::Undecided(reason);
        }
        let lost = places(&self.needed, |needed, at| needed && !executed(&explored.executed, at));
        if lost.is_empty() {
            let never = places(&explored.executed, |executed, at| {
                !executed && is_meant_to_be_executed(self.model, at)
            });
            Judgement::Enough { never }
        } else {
            Judgement::Lost(lost)
        }
    }

    /// Explores the model with capacities and collects what there is to compare with.
    pub(super) fn refer_to(&mut self, capacities: &[u32]) -> Explored {
        let model = with_each_capacity(self.model, capacities);
        let mut engine = Engine::new(&model);
        self.explore(&mut engine, Judge::Collects)
    }

    fn explore(&mut self, engine: &mut Engine<'_>, judge: Judge) -> Explored {
        let left = (self.settings.most_states.saturating_mul(SEARCHES))
            .saturating_sub(self.counts.states)
            .min(self.settings.most_states);
        let settings = control::Settings {
            depth: self.settings.depth,
            memory: self.settings.memory,
            threads: self.settings.threads,
            seed: self.settings.seed,
            ..control::Settings::new(Wanted { deadlocks: true, steps: true })
        };
        let mut watched = Watched::new(engine.fork(), judge, Arc::clone(&self.of));
        let mut patience = Patience { inner: &mut *self.observer, left, passed: false };
        let outcome = breadth_first::search(&mut watched, &settings, &mut patience);
        let passed = patience.passed;
        engine.absorb(watched.engine());
        self.state_bytes = self.state_bytes.max(engine.state_bytes());
        let found = outcome.counts;
        self.counts.states += found.states;
        self.counts.transitions += found.transitions;
        self.counts.matched += found.matched;
        self.counts.max_depth = self.counts.max_depth.max(found.max_depth);
        self.counts.store_bytes = self.counts.store_bytes.max(found.store_bytes);
        let mut ended_by = outcome.cut.map(|cut| match cut {
            _ if passed => format!(
                "some capacities make more than {left} states; try a larger --states, or \
                 --time-limit"
            ),
            cut => match (self.observer.reason(&self.counts), cut) {
                (Some(reason), _) => reason,
                (None, Cut::Stopped) => "the search was stopped".to_owned(),
                (None, cut) => crate::safety::reason(cut, &settings),
            },
        });
        let mut trace = None;
        if let Some(violation) = outcome.violation {
            let control::Violation { wrong, way, steps } = violation;
            match wrong.fault() {
                Some(FaultKind::Limit(_) | FaultKind::Misfit(_)) | None => {
                    let what = wrong.fault().map_or_else(String::new, ToString::to_string);
                    ended_by = Some(format!("a limit of pverify was reached first: {what}"));
                }
                Some(fault) => match confirm(engine, fault, way.states(), &steps) {
                    Ok(found) => trace = Some(found),
                    Err(why) => {
                        ended_by = Some(format!(
                            "a deadlock was found but could not be confirmed ({}); this is a \
                             mistake of pverify, please report it",
                            why.0
                        ));
                    }
                },
            }
        }
        Explored {
            executed: engine.executed(),
            met: watched.met,
            longest: watched.longest,
            added: watched.added,
            violation: trace,
            ended_by,
        }
    }

    /// Why no more capacities are tried, if so.
    pub(super) fn used_up(&self) -> Option<String> {
        if let Some(reason) = self.observer.reason(&self.counts) {
            return Some(reason);
        }
        let states = self.counts.states >= self.settings.most_states.saturating_mul(SEARCHES);
        let reason = match (states, self.tried >= MOST) {
            (true, _) => "many states were explored with other capacities; try a larger --states",
            (false, true) => "too many capacities would have to be tried",
            (false, false) => return None,
        };
        Some(reason.to_owned())
    }
}

/// Whether a trace ends in a deadlock that is there because a channel is full.
fn is_full_to_blame(engine: &mut Engine<'_>, trace: &Trace) -> bool {
    let last = trace.steps.last().map_or(&trace.initial, |step| &step.state);
    trace.fault == FaultKind::InvalidEndState && engine.moves_with_room(last)
}

fn steps_of(trace: &Trace) -> Vec<Step> {
    trace.steps.iter().flat_map(|step| step.steps.iter().copied()).collect()
}

fn wrong(trace: Trace) -> Judgement {
    let steps = steps_of(&trace);
    Judgement::Wrong { fault: trace.fault, steps, length: trace.steps.len() }
}

/// The places of edges of which `wanted` is true, given whether each is marked.
pub(super) fn places(marked: &Executed, mut wanted: impl FnMut(bool, Place) -> bool) -> Vec<Place> {
    let mut found = Vec::new();
    for (kind, locations) in marked.iter().enumerate() {
        for (location, edges) in locations.iter().enumerate() {
            for (edge, &marked) in edges.iter().enumerate() {
                let place = Place { kind, location, edge };
                if wanted(marked, place) {
                    found.push(place);
                }
            }
        }
    }
    found
}

fn executed(executed: &Executed, at: Place) -> bool {
    let edges = executed.get(at.kind).and_then(|locations| locations.get(at.location));
    edges.and_then(|edges| edges.get(at.edge)).copied().unwrap_or(false)
}

/// Processes may go on for ever and never end, or wait for ever with `false`.
fn is_meant_to_be_executed(model: &Model, at: Place) -> bool {
    let action = &model.processes[at.kind].graph.locations[at.location].edges[at.edge].action;
    !matches!(action, Action::End | Action::Condition(Expression::Constant(0, _)))
}

/// Ends a search after so many states.
struct Patience<'o> {
    inner: &'o mut dyn Observer,
    left: u64,
    passed: bool,
}

impl Observer for Patience<'_> {
    fn go_on(&mut self, progress: &Progress) -> bool {
        self.passed = progress.counts.states > self.left;
        self.inner.go_on(progress) && !self.passed
    }

    fn reason(&self, counts: &Counts) -> Option<String> {
        self.inner.reason(counts)
    }
}
