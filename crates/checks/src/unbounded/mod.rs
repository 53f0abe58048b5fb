//! Unbounded: can a channel grow without bound if its capacity is lifted?
//!
//! The question is undecidable, and many protocols have plain answers all the same. They are looked
//! for in this order, cheap ones first, until every channel has one or a limit is reached:
//!
//! 1. `explore`: the first few thousand states, breadth first. If these are all, every channel is
//!    bounded, and its greatest length known. They give the trend otherwise.
//! 2. `cycles`: a process at a local cycle that only sends can go round it for ever.
//! 3. `rounds`: from early states, short loops that can be repeated for ever and add something each
//!    time. These give short witnesses.
//! 4. `weights`: a bound from a linear program, without looking at states.
//! 5. `deep`: depth first through everything, by all workers, on the store with replacement; on their
//!    paths they look for states with the same control and variables, where the pumping test is made.
//!    It goes on to longer and longer channels, and ends with exact lengths, if it ends. What it finds
//!    is made short (`shorter`).
//!
//! Every loop is confirmed by [`pverify_verdict::unbounded::confirm_pump`], every weight by
//! [`pverify_verdict::unbounded::weights`]; nothing else makes an answer.

mod channels;
mod cycles;
mod deep;
mod explore;
mod rounds;
mod shorter;
mod weights;

pub use channels::{Channel, ChannelId};

use channels::Channels;
use deep::Ending;
use explore::Explored;
use pverify_model::machine::Model;
use pverify_search::control::{Counts, Observer};
use pverify_semantics::Engine;
use pverify_verdict::unbounded::{Pump, Weights};
use std::num::NonZeroUsize;

/// What the search may use.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The most memory for states and stacks, in bytes.
    pub memory: usize,
    /// The longest path.
    pub depth: Option<u64>,
    /// How many states are explored at most, over all rounds of the deep search; a system with an
    /// unbounded channel has no end.
    pub most_states: u64,
    /// How many workers the deep search has.
    pub threads: NonZeroUsize,
    /// Where random choices come from.
    pub seed: u64,
}

/// What is known of a channel.
#[derive(Clone, Debug)]
pub enum Known {
    /// It can grow without bound.
    Unbounded {
        /// A loop that adds to it, among [`Answer::pumps`].
        pump: usize,
    },
    /// It never holds more messages than this.
    Bounded {
        /// The most.
        most: u64,
        /// Why.
        evidence: Evidence,
    },
    /// Nothing.
    Unknown,
}

/// Why a channel is bounded.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Every state was seen; the bound is reached.
    Exhaustion,
    /// Weights that no step increases.
    Weights(Weights),
}

/// The answer about all channels.
#[derive(Debug)]
pub struct Answer {
    /// The channels and what is known of them.
    pub channels: Vec<(Channel, Known)>,
    /// Loops that can be repeated for ever.
    pub pumps: Vec<Pump>,
    /// What was counted on the way.
    pub counts: Counts,
    /// Whether every state was seen.
    pub complete: bool,
    /// Why it ended before everything was known.
    pub ended_by: Option<String>,
    /// Why there are no weights for some channels.
    pub no_weights: Option<&'static str>,
}

/// Asks about every buffered channel of a model without capacities. States in the answer are those
/// of the engine.
pub fn unbounded(
    engine: &mut Engine<'_>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Answer {
    let mut answer = Answer {
        channels: Vec::new(),
        pumps: Vec::new(),
        counts: Counts::default(),
        complete: false,
        ended_by: None,
        no_weights: None,
    };
    if let Some(fault) = engine.initial_faults.first() {
        answer.ended_by = Some(format!("the model has no initial state: {fault}"));
        return answer;
    }
    let mut channels = Channels::of(engine.model);
    let first = explore::FIRST.min(usize::try_from(settings.most_states).unwrap_or(usize::MAX));
    let explored = explore::explore(engine, first, settings, &mut channels, observer);
    answer.counts = explored.counts;
    if explored.complete {
        channels.exhausted();
        answer.complete = true;
    } else {
        search(engine, settings, &explored, &mut channels, &mut answer, observer);
    }
    if channels.is_open() && answer.ended_by.is_none() {
        answer.ended_by = observer.reason(&answer.counts);
    }
    answer.channels = channels.into_known();
    answer
}

/// The same with little effort: for a word about the likely reason why another search did not end.
pub fn suspects(model: &Model, settings: &Settings, observer: &mut dyn Observer) -> Vec<String> {
    let mut engine = Engine::new(model);
    let mut channels = Channels::of(model);
    if !engine.initial_faults.is_empty() {
        return Vec::new();
    }
    let explored = explore::explore(&mut engine, explore::FIRST, settings, &mut channels, observer);
    let mut pumps = Vec::new();
    if !explored.complete {
        cycles::find(&mut engine, &explored, &mut channels, &mut pumps);
        rounds::find(&mut engine, &explored, rounds::SHORT, &mut channels, &mut pumps, observer);
    }
    let known = channels.into_known().into_iter();
    let grows = known.filter(|(_, known)| matches!(known, Known::Unbounded { .. }));
    grows.map(|(channel, _)| channel.name).collect()
}

fn search(
    engine: &mut Engine<'_>,
    settings: &Settings,
    explored: &Explored,
    channels: &mut Channels,
    answer: &mut Answer,
    observer: &mut dyn Observer,
) {
    cycles::find(engine, explored, channels, &mut answer.pumps);
    rounds::find(engine, explored, rounds::SHORT, channels, &mut answer.pumps, observer);
    if !channels.is_open() {
        return;
    }
    // Exact lengths are better than bounds, where everything can be seen soon.
    let few = Settings { most_states: settings.most_states.min(deep::FEW), ..*settings };
    let nothing_grows = answer.pumps.is_empty();
    let mut ending = Ending::Stopped(None);
    if nothing_grows {
        ending = deep::search(engine, &few, explored, channels, answer, observer);
    }
    if !matches!(ending, Ending::Complete) {
        answer.no_weights = weights::find(engine.model, channels);
        let reach = rounds::LONG.within(settings.most_states);
        rounds::find(engine, explored, reach, channels, &mut answer.pumps, observer);
        if channels.is_open() && observer.reason(&answer.counts).is_none() {
            ending = deep::search(engine, settings, explored, channels, answer, observer);
        }
    }
    match ending {
        Ending::Complete => {
            channels.exhausted();
            answer.complete = true;
        }
        Ending::Stopped(reason) => {
            if channels.is_open() {
                answer.ended_by = reason;
            }
        }
    }
}
