//! What a search is told, and what it tells.

use crate::snapshot::Snapshot;
use crate::way::Way;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Step;
use pverify_store::Omission;
use std::num::NonZeroUsize;

/// Which faults a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Invalid end states.
    pub deadlocks: bool,
    /// Failing assertions, and everything else that can go wrong in a step.
    pub steps: bool,
}

impl Wanted {
    /// Nothing but what a product with a property looks for.
    pub const PROPERTY: Self = Self { deadlocks: false, steps: false };

    /// Whether a fault is one of them.
    pub fn includes(self, fault: &FaultKind) -> bool {
        match fault {
            FaultKind::InvalidEndState => self.deadlocks,
            // Only products with a property say so, and they are made for it.
            FaultKind::ClaimEnded
            | FaultKind::FormulaRefuted
            | FaultKind::Rejected
            | FaultKind::NotAccepted
            | FaultKind::Unrelated => true,
            _ => self.steps,
        }
    }
}

/// Whether the search cannot go on behind a fault, so that it does not see everything.
pub(crate) fn ends_path(fault: &FaultKind) -> bool {
    *fault != FaultKind::InvalidEndState && !fault.is_survivable()
}

/// How visited states are remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visited {
    /// Every one, compressed without loss.
    Exact,
    /// By bits of a filter: some may be taken for others. Only for searches that claim states; others
    /// are exact whatever is asked for.
    Bitstate {
        /// How many bits a state sets.
        hashes: u32,
    },
}

/// How a search goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What it looks for.
    pub wanted: Wanted,
    /// Whether it goes on after the first fault and counts them all.
    pub all_errors: bool,
    /// The longest path.
    pub depth: Option<u64>,
    /// The most memory for states and stacks, in bytes.
    pub memory: usize,
    /// How visited states are remembered.
    pub visited: Visited,
    /// The most states that are kept at a time; for experiments.
    pub most_states: Option<u64>,
    /// How many workers.
    pub threads: NonZeroUsize,
    /// So many states are left to one worker: on a small search the others would come too late, and
    /// alone it does the same each time.
    pub alone: u64,
    /// Where the random choices of the workers come from.
    pub seed: u64,
    /// Whether the observer may want snapshots ([`Observer::wants_snapshot`]).
    pub snapshots: bool,
}

impl Settings {
    /// One worker that stops at the first fault, in a gigabyte.
    pub fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            all_errors: false,
            depth: None,
            memory: 1 << 30,
            visited: Visited::Exact,
            most_states: None,
            threads: NonZeroUsize::MIN,
            alone: 1 << 14,
            seed: 0,
            snapshots: false,
        }
    }
}

/// Counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States inserted into the store: distinct ones, unless some gave way and came again.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// Steps that led to a known state.
    pub matched: u64,
    /// The longest path followed.
    pub max_depth: u64,
    /// Faults met.
    pub errors: u64,
    /// States that gave way to others.
    pub replacements: u64,
    /// Memory of the visited states.
    pub store_bytes: usize,
}

impl Counts {
    /// Adds what another worker has counted.
    pub(crate) fn add(&mut self, other: &Self) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.matched += other.matched;
        self.max_depth = self.max_depth.max(other.max_depth);
        self.errors += other.errors;
        self.replacements += other.replacements;
    }
}

/// Why a search stopped before it had seen everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Paths are longer than allowed.
    Depth,
    /// The memory is used up.
    Memory,
    /// Whoever watches said stop.
    Stopped,
    /// A step went wrong, so that nothing is known of what comes after it.
    Fault,
}

/// What was found wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The system reports a fault.
    Fault(FaultKind),
    /// The last state is what was looked for ([`crate::hooks::Hooks::enter`]).
    Reached,
    /// The last state is that of the way at this place, counted from 0: a cycle
    /// ([`crate::hooks::Hooks::close`]).
    Cycle(u64),
}

impl Wrong {
    /// The fault, if it is one.
    pub fn fault(&self) -> Option<&FaultKind> {
        if let Self::Fault(fault) = self { Some(fault) } else { None }
    }
}

/// Something wrong, and how to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong.
    pub wrong: Wrong,
    /// The states on the way, hidden words included: from the initial one on, or from a state that
    /// was put aside.
    pub way: Way,
    /// Steps from the last of these states to a fault.
    pub steps: Vec<Step>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its counts.
    pub counts: Counts,
    /// The first fault, if any.
    pub violation: Option<Violation>,
    /// Why it did not see everything; `None` for a complete search.
    pub cut: Option<Cut>,
    /// What was probably omitted, where states were remembered by bits only: then it is not known
    /// whether the search was complete.
    pub omission: Option<Omission>,
}

/// How far a search has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// All workers together.
    pub counts: Counts,
    /// Memory of store and stacks.
    pub bytes: usize,
    /// States in the store, and how many have room.
    pub stored: u64,
    /// How many have room.
    pub capacity: u64,
    /// States inserted by each worker.
    pub by_worker: Vec<u64>,
}

/// Watches a search from outside; asked now and then.
pub trait Observer {
    /// Told how far it has come; whether to go on.
    fn go_on(&mut self, progress: &Progress) -> bool;

    /// Whether it wants a snapshot now; asked as often as [`Observer::go_on`], if the settings say
    /// that it may.
    fn wants_snapshot(&mut self) -> bool {
        false
    }

    /// A snapshot: one that it wanted, or the last one of a search that ends early.
    fn save(&mut self, _snapshot: &Snapshot<'_>) {}

    /// If it did not let the search go on: why, for people. What was counted is given.
    fn reason(&self, _counts: &Counts) -> Option<String> {
        None
    }
}

/// How many states are explored between two questions to the observer.
pub(crate) const PATIENCE: u64 = 4096;
