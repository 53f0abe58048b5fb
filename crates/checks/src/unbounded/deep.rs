//! Depth first through everything, with the pumping test on the path.
//!
//! Round after round explores all states whose channels hold no more than k messages, for growing k:
//! each round ends, since there are finitely many such states, and one in which no channel wanted to
//! hold more has seen everything. The search is the one that all checks share, with all its workers,
//! and states that give way to others when memory is full; each worker has a `follower`, which
//! compares the states of its path.
//!
//! The path is indexed by control and variables (`trail`), so a new state is compared with those
//! states of the path only that it could pump with; never with the whole path. What is found is a
//! *suspect*: it is made short and confirmed when the round has ended.

mod follower;
mod trail;

use super::channels::{ChannelId, Channels};
use super::cycles::Cycles;
use super::explore::Explored;
use super::shorter::{self, Suspect};
use super::{Answer, Settings};
use follower::Follower;
use pverify_search::control::{self, Cut, Observer, Progress, Visited, Wanted};
use pverify_search::depth_first::search_with;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many states are explored before a bound without search is asked for.
pub(super) const FEW: u64 = 60_000;

/// The first round goes to channels of this length.
const LEAST: u32 = 8;

/// A worker takes leave to explore so many states at a time.
const PORTION: u64 = 256;

/// How the search ended.
pub(super) enum Ending {
    /// Everything was seen.
    Complete,
    /// Not everything: every channel is known, or why not.
    Stopped(Option<String>),
}

/// What the followers of all workers share.
struct Shared<'c> {
    channels: &'c Channels,
    /// Which channels nothing is known of, and nothing suspected.
    open: Vec<AtomicBool>,
    cycles: Cycles,
    /// Channels with more messages are not followed.
    longest: u32,
    /// So many states may still be explored.
    left: AtomicU64,
    /// There were more states than that.
    ran_out: AtomicBool,
    /// A channel wanted to hold more than is followed.
    longer: AtomicBool,
    /// The greatest length of some channel is not known.
    inexact: AtomicBool,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    suspects: Vec<Suspect>,
    /// A step that failed.
    fault: Option<FaultKind>,
}

impl Shared<'_> {
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leave to explore some states, fewer than the last time or none.
    fn portion(&self) -> u64 {
        let take = |left: u64| Some(left - left.min(PORTION));
        self.left.fetch_update(Relaxed, Relaxed, take).map_or(0, |left| left.min(PORTION))
    }

    fn is_open(&self, id: ChannelId) -> bool {
        self.open[id.0].load(Relaxed)
    }

    fn any_open(&self) -> bool {
        self.open.iter().any(|open| open.load(Relaxed))
    }
}

/// Searches until everything is known or a limit is reached.
pub(super) fn search(
    engine: &mut Engine<'_>,
    settings: &Settings,
    explored: &Explored,
    channels: &mut Channels,
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Ending {
    let mut longest = LEAST;
    let mut left = settings.most_states;
    loop {
        let (round, counts) = explore(engine, settings, (longest, left), channels, observer);
        left = left.saturating_sub(counts.states);
        let all = &mut answer.counts;
        let complete = matches!(round.ending, RoundEnding::Complete);
        if complete {
            *all = counts;
        } else {
            all.states += counts.states;
            all.transitions += counts.transitions;
            all.matched += counts.matched;
            all.max_depth = all.max_depth.max(counts.max_depth);
            all.replacements += counts.replacements;
            all.store_bytes = all.store_bytes.max(counts.store_bytes);
        }
        for suspect in round.suspects {
            let way = (settings, explored, &answer.counts);
            shorter::confirm(engine, way, &suspect, channels, &mut answer.pumps, observer);
        }
        if !channels.is_open() {
            return Ending::Stopped(None);
        }
        match round.ending {
            RoundEnding::Complete => return Ending::Complete,
            RoundEnding::Longer => longest = longest.saturating_mul(2),
            RoundEnding::Stopped(why) => {
                return Ending::Stopped(Some(observer.reason(&answer.counts).unwrap_or(why)));
            }
        }
    }
}

/// What a round has found.
struct Round {
    suspects: Vec<Suspect>,
    ending: RoundEnding,
}

enum RoundEnding {
    Complete,
    /// Some channel wanted to hold more.
    Longer,
    Stopped(String),
}

/// Explores the states whose channels hold so many messages, and so many states at most.
fn explore(
    engine: &mut Engine<'_>,
    settings: &Settings,
    (longest, left): (u32, u64),
    channels: &mut Channels,
    observer: &mut dyn Observer,
) -> (Round, control::Counts) {
    let shared = Shared {
        channels,
        open: (0..channels.count())
            .map(|id| AtomicBool::new(channels.is_unknown(ChannelId(id))))
            .collect(),
        cycles: Cycles::of(engine.model),
        longest,
        left: AtomicU64::new(left),
        ran_out: AtomicBool::new(false),
        longer: AtomicBool::new(false),
        inexact: AtomicBool::new(false),
        found: Mutex::default(),
    };
    let control = control::Settings {
        depth: settings.depth,
        memory: settings.memory,
        visited: Visited::Exact,
        threads: settings.threads,
        seed: settings.seed,
        ..control::Settings::new(Wanted::PROPERTY)
    };
    let mut system = engine.fork();
    let mut follower = Follower::new(engine, &shared);
    let mut carried = Carried(observer);
    let outcome = search_with(&mut system, &mut follower, &control, &mut carried);
    engine.absorb(&system);
    let greatest = follower.into_greatest();
    let Shared { open, ran_out, longer, inexact, found, .. } = shared;
    let Found { suspects, fault } = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let ending = match outcome.cut {
        // Everything is suspected, so the search was stopped.
        _ if !open.iter().any(|open| open.load(Relaxed)) => RoundEnding::Stopped(
            "loops were found that could not be confirmed; this is a mistake of pverify, please \
             report it"
                .to_owned(),
        ),
        _ if ran_out.into_inner() => RoundEnding::Stopped(format!(
            "{} states were explored without an answer; try a larger --states, or --time-limit",
            settings.most_states
        )),
        Some(cut) => RoundEnding::Stopped(words(cut, fault, settings)),
        None if longer.into_inner() => RoundEnding::Longer,
        None if inexact.into_inner() => {
            RoundEnding::Stopped("how long channels become inside a step is not known".to_owned())
        }
        None => RoundEnding::Complete,
    };
    for (id, length) in greatest.into_iter().enumerate() {
        channels.met(ChannelId(id), length);
    }
    (Round { suspects, ending }, outcome.counts)
}

/// Why a round stopped.
fn words(cut: Cut, fault: Option<FaultKind>, settings: &Settings) -> String {
    match (cut, fault) {
        (Cut::Memory, _) => "the memory limit was reached first; try a larger --memory".to_owned(),
        (Cut::Depth, _) => {
            let depth = settings.depth.unwrap_or(0);
            format!("paths longer than {depth} steps were not followed; try a larger --depth")
        }
        (Cut::Fault, Some(fault)) => {
            format!("a step goes wrong ({fault}), and what comes after it is not known")
        }
        (Cut::Stopped | Cut::Fault, _) => "the search was stopped".to_owned(),
    }
}

/// An observer as a check has it, for a search.
struct Carried<'o>(&'o mut dyn Observer);

impl Observer for Carried<'_> {
    fn go_on(&mut self, progress: &Progress) -> bool {
        self.0.go_on(progress)
    }
}
