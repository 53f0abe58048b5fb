//! Short loops from early states: breadth first from a state, comparing with that state alone.

use super::channels::{ChannelId, Channels};
use super::explore::{Explored, Gather};
use ahash::AHashMap;
use pverify_search::control::{Observer, Progress};
use pverify_semantics::Engine;
use pverify_semantics::successors::Step;
use pverify_semantics::tail::Sent;
use pverify_verdict::unbounded::{Pump, check_round, confirm_pump, growth};

/// From how many states, and how many states far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) states: usize,
    pub(super) far: usize,
}

/// A first look.
pub(super) const SHORT: Reach = Reach { states: 24, far: 400 };

/// A longer one, for channels that nothing else decides.
pub(super) const LONG: Reach = Reach { states: 120, far: 1000 };

impl Reach {
    /// No farther than the search as a whole may go.
    pub(super) fn within(self, most_states: u64) -> Self {
        let most = usize::try_from(most_states).unwrap_or(usize::MAX);
        Self { states: self.states.min(most / 64 + 1), far: self.far.min(most / 4 + 1) }
    }
}

/// Looks for loops from the states that were explored first.
pub(super) fn find(
    engine: &mut Engine<'_>,
    explored: &Explored,
    reach: Reach,
    channels: &mut Channels,
    pumps: &mut Vec<Pump>,
    observer: &mut dyn Observer,
) {
    for at in 0..explored.states.len().min(reach.states) {
        let progress = Progress { counts: explored.counts, ..Progress::default() };
        if !channels.is_open() || !observer.go_on(&progress) {
            return;
        }
        let state = &explored.states[at];
        for round in loops(engine, state, reach.far, channels) {
            if check_round(engine, state, &round).is_err() {
                continue;
            }
            try_pump(engine, &explored.way(at), &round, channels, pumps);
        }
    }
}

/// Confirms a loop; whether something new is known by it.
pub(super) fn try_pump(
    engine: &mut Engine<'_>,
    prefix: &[Step],
    round: &[Step],
    channels: &mut Channels,
    pumps: &mut Vec<Pump>,
) -> bool {
    let Ok(pump) = confirm_pump(engine, prefix, round) else { return false };
    let end = pump.round.last().map_or(&pump.initial, |step| &step.state);
    let ids: Vec<ChannelId> =
        pump.growth.iter().filter_map(|grows| channels.id(engine, grows.channel, end)).collect();
    if !ids.iter().any(|&id| channels.is_unknown(id)) {
        return false;
    }
    for id in ids {
        channels.grows(id, pumps.len());
    }
    pumps.push(pump);
    true
}

/// A state near another one, and how it was reached.
struct Near {
    before: u32,
    steps: Box<[Step]>,
    sent: Vec<Sent>,
}

/// Loops from a state that pass the test and add to a channel of which nothing is known. For each
/// such channel the first one is enough, unless it cannot be confirmed: so a few are given.
pub(super) fn loops(
    engine: &mut Engine<'_>,
    start: &[u64],
    far: usize,
    channels: &Channels,
) -> Vec<Vec<Step>> {
    const ENOUGH: usize = 12;
    let control = |engine: &Engine<'_>, words: &[u64]| {
        let mut key = Vec::new();
        engine.control_key(words, &mut key);
        key
    };
    let wanted = control(engine, start);
    let mut known: AHashMap<Vec<u64>, ()> = AHashMap::new();
    known.insert(start.to_vec(), ());
    let mut states = vec![start.to_vec()];
    let mut near = vec![Near { before: 0, steps: Box::default(), sent: Vec::new() }];
    let mut found = Vec::new();
    let mut at = 0;
    while at < states.len() && states.len() < far {
        let mut gather = Gather::default();
        let words = std::mem::take(&mut states[at]);
        engine.successors(&words, &mut gather);
        for (next, steps) in gather.next {
            if known.contains_key(&next) {
                continue;
            }
            let Some((sent, reached)) = engine.sent_along(&words, &steps) else { continue };
            if reached != next {
                continue;
            }
            near.push(Near { before: at as u32, steps, sent });
            if control(engine, &next) == wanted {
                let way = way(&near);
                if pumps(engine, start, &way, &next, channels) {
                    found.push(way.iter().flat_map(|part| part.steps.iter().copied()).collect());
                }
            }
            known.insert(next.clone(), ());
            states.push(next);
        }
        states[at] = words;
        if found.len() >= ENOUGH {
            break;
        }
        at += 1;
    }
    found
}

/// The way to the last state.
fn way(near: &[Near]) -> Vec<&Near> {
    let mut way = Vec::new();
    let mut at = near.len() - 1;
    while at > 0 {
        way.push(&near[at]);
        at = near[at].before as usize;
    }
    way.reverse();
    way
}

/// Whether the test holds for all channels, and one of which nothing is known grows.
fn pumps(
    engine: &Engine<'_>,
    start: &[u64],
    way: &[&Near],
    end: &[u64],
    channels: &Channels,
) -> bool {
    let mut grows = false;
    for number in 1..=engine.channel_count(start).min(255) as u8 {
        if !engine.is_unbounded(number, start) {
            continue;
        }
        let sent = way.iter().flat_map(|part| &part.sent).filter(|sent| sent.channel == number);
        let sent: Vec<Vec<i32>> = sent.map(|sent| sent.message.clone()).collect();
        let (before, after) = (engine.messages(number, start), engine.messages(number, end));
        match growth(&before, &sent, &after) {
            None => return false,
            Some([]) => {}
            Some(_) => grows |= channels.is_wanted(engine, number, start),
        }
    }
    grows
}
