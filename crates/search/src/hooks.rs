//! The holes of the depth-first kernel (Jard, Jéron, Fernandez & Mounier 1993, §2): a check is a
//! small struct that fills some of them.
//!
//! The kernel follows paths and keeps the four sets of the paper in one store: the path, V (states
//! that were left, which may give way to others), N (states put aside as later roots) and P (states
//! that stay). A check says
//!
//! * when a worker may pass a known state by ([`Passing`]): whoever looks for states may do so as
//!   soon as somebody has claimed it; whoever looks for cycles, only when somebody has left it.
//!   With claims, a cycle that goes across the paths of two workers would be missed;
//! * where a step leads ([`Hooks::step`]): on along the path, or to a state that is put aside. Such a
//!   state is never on a path but as its root, stays in the store for ever, and is explored once, by
//!   anybody, with a path that begins in it;
//! * what it means that a state is entered, known, on the path already, or left.
//!
//! Why passing only left states finds every cycle, with any number of workers and however often
//! states give way: take the state of the cycle that is the first to be left. When its successor on
//! the cycle was met, that had not been left; so it was on the path of the worker, and is reported,
//! or the worker explored it and left it first, which contradicts the choice. A state of which a
//! branch was given to another worker is left when that branch is done too.
//!
//! A check that compares the states of a path with each other *follows* it ([`Hooks::FOLLOWS`]): it is
//! told of each state where the path goes on to and of each that is left, may look at earlier ones in
//! the store, and may say that what comes behind a state is of no interest, or that it has seen
//! enough. A worker has two paths in turn, and says so.
//!
//! Everything is monomorphised: a hole that is not filled costs nothing.

use crate::ancestry::Segment;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Path;
use pverify_store::{Root, Store};
use std::sync::Arc;

/// Which known states are passed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Those that somebody has claimed: whoever inserts a state explores it. For reachability.
    Claimed,
    /// Those that somebody has left: everything behind them has been explored. Workers then
    /// recognise the states of their own paths, and what several of them meet at a time is explored
    /// by each. For cycles.
    Left,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To a state that the path goes on to.
    Below,
    /// To a state that is put aside as a later root (only where [`Hooks::SETS_ASIDE`]).
    Aside,
}

/// Whether something that was met is what the check looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// It is nothing.
    Nothing,
    /// It is a violation: the path that leads there is the evidence.
    Violation,
    /// What comes behind this state is of no interest (only [`Hooks::follow`] says so).
    Prune,
    /// The check knows enough: the search ends (only [`Hooks::follow`] says so).
    Enough,
}

/// Where a path has come to.
pub struct Place<'p> {
    /// The states.
    pub store: &'p Store,
    /// The last of the path.
    pub root: Root,
    pub(crate) before: Option<&'p Arc<Segment>>,
}

impl Place<'_> {
    /// The path that was handed over, first to last, before what [`Hooks::follow`] was told of.
    pub fn before(&self) -> Vec<Root> {
        Segment::path(self.before)
    }
}

/// Whether a state that was left may give way to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stay {
    /// It may: it belongs to V.
    Replaceable,
    /// It stays for ever: it belongs to P.
    Permanent,
}

/// A filling of the holes; each worker has one.
///
/// States are given in words, hidden ones included.
pub trait Hooks: Send + Sized {
    /// Which known states are passed by.
    const PASSING: Passing;

    /// Whether [`Hooks::step`] puts states aside.
    const SETS_ASIDE: bool = false;

    /// Whether it follows the path; the functions for that are not called otherwise.
    const FOLLOWS: bool = false;

    /// The same filling for another worker.
    fn fork(&self) -> Self;

    /// Another worker is done with what [`Hooks::fork`] gave it.
    fn join(&mut self, _other: Self) {}

    /// A step leads to a state (the first leads to the initial one). Asked at least once for each
    /// step; the answer must depend on the state alone.
    #[inline]
    fn step(&mut self, _to: &[u64]) -> Target {
        Target::Below
    }

    /// The path goes on to a state, whose next states come now.
    #[inline]
    fn enter(&mut self, _state: &[u64]) -> Sight {
        Sight::Nothing
    }

    /// A step leads to a state of this worker's own path, counted from 0 at its beginning. Only
    /// with [`Passing::Left`]: otherwise such a state is one of the known ones.
    #[inline]
    fn close(&mut self, _at: u64) -> Sight {
        Sight::Nothing
    }

    /// A step leads to a state that is passed by.
    #[inline]
    fn known(&mut self) {}

    /// A state has been left: the path had so many states, it among them. (Counted from the root of
    /// the path, so the root itself is left with a depth of 1.)
    #[inline]
    fn leave(&mut self, _depth: u64) -> Stay {
        Stay::Replaceable
    }

    /// A path begins, behind one that was handed over: the last states of that, first to last.
    fn begin(&mut self, _store: &Store, _recent: &[Root]) {}

    /// The path goes on to a state.
    #[inline]
    fn follow(&mut self, _place: &Place<'_>, _state: &[u64]) -> Sight {
        Sight::Nothing
    }

    /// The path goes back from its last state.
    #[inline]
    fn unfollow(&mut self) {}

    /// The worker's other path has its turn.
    #[inline]
    fn change_paths(&mut self) {}

    /// A way from the last state of the path to a next one.
    #[inline]
    fn goes(&mut self, _way: Path<'_>, _next: &[u64]) {}

    /// A step from the last state of the path goes wrong.
    fn goes_wrong(&mut self, _fault: &FaultKind) {}

    /// All ways from the last state of the path have been told.
    #[inline]
    fn went(&mut self, _state: &[u64]) {}

    /// The memory it takes, in bytes.
    fn bytes(&self) -> usize {
        0
    }
}

/// The filling that looks for faults only: those the system itself reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reachability;

impl Hooks for Reachability {
    const PASSING: Passing = Passing::Claimed;

    fn fork(&self) -> Self {
        *self
    }
}
