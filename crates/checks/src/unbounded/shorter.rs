//! A loop that was found deep, with a short way to it, and short itself.
//!
//! First the loop: the nearest states behind its first one are looked through for a shorter way round.
//! Then the way: breadth first from the beginning, until a state has the loop's control and variables
//! and the loop can be repeated from there. Where that takes too long, the way that the search went is
//! taken as it is. Nothing is believed: what comes out is confirmed.

use super::Settings;
use super::channels::Channels;
use super::explore::{Explored, Gather};
use super::rounds::{loops, try_pump};
use ahash::AHashMap;
use pverify_search::control::{Counts, Observer, Progress};
use pverify_search::way::Way;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_verdict::unbounded::{Pump, check_round};

/// A loop that can be repeated from the end of a way.
pub(super) struct Suspect {
    pub(super) way: Way,
    pub(super) round: Vec<Step>,
}

/// So many states behind the first one of a loop are looked through.
const AROUND: usize = 4000;

/// At least so many states are looked through for a short way; more if the search saw more.
const LEAST: u64 = 50_000;

/// A loop is tried at no more states than this.
const PATIENCE: usize = 10_000;

/// Makes a loop and the way to it short, and confirms them; whether something new is known.
pub(super) fn confirm(
    engine: &mut Engine<'_>,
    (settings, explored, counts): (&Settings, &Explored, &Counts),
    suspect: &Suspect,
    channels: &mut Channels,
    pumps: &mut Vec<Pump>,
    observer: &mut dyn Observer,
) -> bool {
    let Some(start) = suspect.way.last() else { return false };
    engine.bits(start[0]);
    let near = loops(engine, start, AROUND, channels);
    let shorter = near.into_iter().filter(|round| round.len() < suspect.round.len());
    let round = shorter.into_iter().find(|round| check_round(engine, start, round).is_ok());
    let round = round.unwrap_or_else(|| suspect.round.clone());
    let mut wanted = Vec::new();
    engine.control_key(start, &mut wanted);
    let (mut key, mut patience) = (Vec::new(), PATIENCE);
    let mut fits = |engine: &mut Engine<'_>, state: &[u64]| {
        key.clear();
        engine.control_key(state, &mut key);
        if key != wanted || patience == 0 {
            return false;
        }
        patience -= 1;
        check_round(engine, state, &round).is_ok()
    };
    let early = (0..explored.states.len()).find(|&at| fits(engine, &explored.states[at]));
    let most = counts.states.max(LEAST).min(settings.most_states);
    let prefix = match early {
        Some(at) => Some(explored.way(at)),
        None if suspect.way.len() <= 2 => None,
        None => way_to(engine, (most, settings.memory), &mut fits, (counts, observer)),
    };
    if let Some(prefix) = prefix
        && try_pump(engine, &prefix, &round, channels, pumps)
    {
        return true;
    }
    let states: Vec<Vec<u64>> = suspect.way.states().collect();
    let Some(prefix) = steps_between(engine, &states) else { return false };
    try_pump(engine, &prefix, &round, channels, pumps)
}

/// The steps of a shortest way to a state that fits, if it is among the first so many, and these take
/// no more than so much memory.
fn way_to(
    engine: &mut Engine<'_>,
    (most, memory): (u64, usize),
    fits: &mut dyn FnMut(&mut Engine<'_>, &[u64]) -> bool,
    (counts, observer): (&Counts, &mut dyn Observer),
) -> Option<Vec<Step>> {
    let progress = Progress { counts: *counts, ..Progress::default() };
    let initial = engine.initial().to_vec();
    let mut known: AHashMap<Vec<u64>, ()> = AHashMap::from([(initial.clone(), ())]);
    let mut states = vec![(initial, 0_u32)];
    let mut bytes = 0;
    let mut at = 0;
    while at < states.len() {
        let state = states[at].0.clone();
        if fits(engine, &state) {
            let mut way = Vec::new();
            while at > 0 {
                way.push(states[at].0.clone());
                at = states[at].1 as usize;
            }
            way.push(states[0].0.clone());
            way.reverse();
            return steps_between(engine, &way);
        }
        if at.is_multiple_of(1024) && !observer.go_on(&progress) {
            return None;
        }
        if (states.len() as u64) < most && bytes < memory {
            let mut gather = Gather::default();
            engine.successors(&state, &mut gather);
            for (next, _) in gather.next {
                if known.insert(next.clone(), ()).is_none() {
                    // In the table and in the list.
                    bytes += 2 * (next.len() * 8 + 48);
                    states.push((next, at as u32));
                }
            }
        }
        at += 1;
    }
    None
}

/// The steps from each of these states to the next.
pub(super) fn steps_between(engine: &mut Engine<'_>, states: &[Vec<u64>]) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for pair in states.windows(2) {
        let mut finder = Finder { to: &pair[1], found: None };
        engine.successors(&pair[0], &mut finder);
        steps.extend(finder.found?);
    }
    Some(steps)
}

struct Finder<'a> {
    to: &'a [u64],
    found: Option<Vec<Step>>,
}

impl Visitor for Finder<'_> {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        if self.found.is_none() && words == self.to {
            self.found = Some(path.steps());
        }
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}
