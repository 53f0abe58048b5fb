//! Deterministic Büchi acceptance by partial searches (Jard, Jéron, Fernandez & Mounier 1993, §3.2
//! and 4.1): no complement, and no strongly connected components.
//!
//! A system that moves along with a deterministic automaton has only accepted runs iff each of its
//! cycles goes through an accepting state: without these, what is reachable must be acyclic. Each
//! partial search has its root in the initial state or in an accepting one, and puts the accepting
//! states that it meets aside as later roots; a step to a state of its own path closes a cycle in
//! which nothing accepts. Roots are independent work for any number of workers, and stay in the
//! store for ever; all else may give way to others.
//!
//! (The printed algorithm forgets the last root that was put aside, and would pass `0 → 1 → 2 → 2`
//! with 1 accepting.)
//!
//! A search knows its path from the root on only. The way from the initial state to the root is
//! looked for afterwards, by another search: to remember how each root was reached would take
//! memory that is needed for roots, and most searches find nothing.

use crate::control::{Counts, Cut, Observer, Outcome, Settings, Violation, Wrong};
use crate::hooks::{Hooks, Passing, Sight, Stay, Target};
use crate::system::System;
use crate::way::Way;
use crate::{breadth_first, depth_first};
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use std::sync::Arc;

/// Says which states accept.
pub trait Acceptance: Send + Sized {
    /// Whether a state accepts.
    fn accepts(&mut self, state: &[u64]) -> bool;

    /// The same for another worker.
    fn fork(&self) -> Self;
}

/// What a search for runs that are not accepted found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its counts.
    pub counts: Counts,
    /// A run that is not accepted, if any.
    pub run: Option<NotAccepted>,
    /// Why it did not see everything; `None` for a complete search.
    pub cut: Option<Cut>,
}

/// A run that is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAccepted {
    /// The states from the initial one on; the last is the one at place `from`, counted from 0.
    Lasso {
        /// The states.
        way: Way,
        /// Where the cycle begins.
        from: u64,
    },
    /// There is one, but the search for the way to it came to no end.
    NoWay(Cut),
}

/// Looks for a run that is not accepted. With `shortest`, the way to its cycle is a shortest one.
pub fn search<S: System, A: Acceptance>(
    system: &mut S,
    acceptance: &A,
    settings: &Settings,
    shortest: bool,
    observer: &mut dyn Observer,
) -> Found {
    let mut hooks = Partial { acceptance: acceptance.fork() };
    let Outcome { counts, violation, cut, .. } =
        depth_first::search_with(system, &mut hooks, settings, observer);
    let run = violation.and_then(|Violation { wrong, way, .. }| match wrong {
        Wrong::Cycle(from) => Some(lasso(system, way, from, settings, shortest, observer)),
        _ => None,
    });
    Found { counts, run, cut }
}

/// The hooks of a partial search.
struct Partial<A> {
    acceptance: A,
}

impl<A: Acceptance> Hooks for Partial<A> {
    const PASSING: Passing = Passing::Left;
    const SETS_ASIDE: bool = true;

    fn fork(&self) -> Self {
        Self { acceptance: self.acceptance.fork() }
    }

    fn step(&mut self, to: &[u64]) -> Target {
        if self.acceptance.accepts(to) { Target::Aside } else { Target::Below }
    }

    fn close(&mut self, _: u64) -> Sight {
        Sight::Violation
    }

    fn leave(&mut self, depth: u64) -> Stay {
        // The root of an initial state that does not accept need not stay, but it is only one.
        if depth == 1 { Stay::Permanent } else { Stay::Replaceable }
    }
}

/// A cycle and the way to it.
fn lasso<S: System>(
    system: &mut S,
    part: Way,
    from: u64,
    settings: &Settings,
    shortest: bool,
    observer: &mut dyn Observer,
) -> NotAccepted {
    let initial = system.initial();
    // Where the way is to lead: to the cycle itself if it is to be short, or else to its root.
    let joint = if shortest { from } else { 0 };
    let Some(target) = part.states().nth(joint as usize) else {
        return NotAccepted::NoWay(Cut::Stopped);
    };
    let mut way = Way::default();
    if initial == target {
        way.push(&initial);
    } else {
        let settings = Settings { all_errors: false, depth: None, ..*settings };
        let mut toward = Toward { system: system.fork(), target: target.into() };
        let outcome = if shortest {
            breadth_first::search(&mut toward, &settings, observer)
        } else {
            depth_first::search(&mut toward, &settings, observer)
        };
        match outcome {
            Outcome { violation: Some(found), .. } => way = found.way,
            Outcome { cut, .. } => return NotAccepted::NoWay(cut.unwrap_or(Cut::Stopped)),
        }
    }
    let from = way.len() - 1 + (from - joint);
    part.states().skip(joint as usize + 1).for_each(|state| way.push(&state));
    NotAccepted::Lasso { way, from }
}

/// A system in which nothing is wrong but to have come to a state.
struct Toward<S> {
    system: S,
    target: Arc<[u64]>,
}

impl<S: System> System for Toward<S> {
    fn initial(&self) -> Vec<u64> {
        self.system.initial()
    }

    fn hidden(&self) -> usize {
        self.system.hidden()
    }

    fn bits(&mut self, first: u64) -> u32 {
        self.system.bits(first)
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        if *words == *self.target {
            visitor.fault(FaultKind::NotAccepted, Path::NONE);
        } else {
            self.system.successors(words, &mut Faultless(visitor));
        }
    }

    fn fork(&self) -> Self {
        Self { system: self.system.fork(), target: Arc::clone(&self.target) }
    }
}

struct Faultless<'v, V>(&'v mut V);

impl<V: Visitor> Visitor for Faultless<'_, V> {
    fn next(&mut self, words: &[u64], bits: u32, path: Path<'_>) {
        self.0.next(words, bits, path);
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}
