//! The pumping test on the path of the deep search.

use super::super::channels::Channels;
use super::super::cycles::is_of_use;
use super::super::rounds::try_pump;
use super::Round;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_verdict::unbounded::{Pump, check_round, growth};

/// So many loops that cannot be confirmed are enough.
const PATIENCE: usize = 500;

/// So many states of the path with the same hash are compared.
const NEAREST: usize = 16;

impl Round<'_> {
    /// Adds to the log what was sent on the way to the state in `words`; whether that is known.
    pub(super) fn log_sent(
        &mut self,
        engine: &mut Engine<'_>,
        lengths: usize,
        steps: Option<&[Step]>,
    ) -> bool {
        let Some(before) = self.path.last() else { return true };
        if let Some(steps) = steps {
            let mut words = Vec::new();
            let store = &self.store;
            store.unfold(&mut self.hand, before.root, |first| engine.bits(first), &mut words);
            let sent = engine.sent_along(&words, steps);
            let sent = sent.filter(|(_, reached)| *reached == self.words);
            let Some((sent, reached)) = sent else { return false };
            for one in sent {
                let number = usize::from(one.channel);
                let raw = if number <= engine.channel_count(&reached) {
                    engine.raw_message(one.channel, &one.message, &reached)
                } else {
                    0
                };
                self.log.push((one.channel, raw));
            }
            return true;
        }
        let (old, new) = self.lengths.split_at(lengths);
        let old = &old[before.lengths as usize..];
        for (at, (old, new)) in old.iter().zip(new).enumerate() {
            if new > old {
                let number = at as u8 + 1;
                let mut messages = Vec::new();
                engine.raw_messages(number, &self.words, &mut messages);
                self.log.push((number, messages.last().copied().unwrap_or(0)));
            }
        }
        true
    }

    /// Compares the last state of the path with those of the same control and variables; whether
    /// other states were unfolded.
    pub(super) fn look_for_loop(
        &mut self,
        engine: &mut Engine<'_>,
        channels: &mut Channels,
        pumps: &mut Vec<Pump>,
    ) -> bool {
        let last = self.path.len() - 1;
        let mut at = self.path[last].same;
        let mut disturbed = false;
        for _ in 0..NEAREST {
            let Some(before) = at.map(|at| at as usize) else { break };
            at = self.path[before].same;
            if !self.may_pump(engine, channels, before, last) {
                continue;
            }
            disturbed = true;
            let mut start = Vec::new();
            let (store, root) = (&self.store, self.path[before].root);
            store.unfold(&mut self.hand, root, |first| engine.bits(first), &mut start);
            if self.pumps(engine, channels, &start, before)
                && self.is_untried(before, last)
                && self.confirm(engine, channels, pumps, before, last)
            {
                break;
            }
        }
        disturbed
    }

    /// By lengths alone: no channel is shorter, and one of which nothing is known is longer.
    fn may_pump(
        &self,
        engine: &Engine<'_>,
        channels: &Channels,
        before: usize,
        last: usize,
    ) -> bool {
        let from = self.path[before].lengths as usize;
        let until = self.path[before + 1].lengths as usize;
        let new = &self.lengths[self.path[last].lengths as usize..];
        let old = &self.lengths[from..until];
        old.len() == new.len()
            && old.iter().zip(new).all(|(old, new)| old <= new)
            && old.iter().zip(new).enumerate().any(|(at, (old, new))| {
                old < new && channels.is_wanted(engine, at as u8 + 1, &self.words)
            })
    }

    fn pumps(
        &self,
        engine: &Engine<'_>,
        channels: &Channels,
        start: &[u64],
        before: usize,
    ) -> bool {
        let mut key = Vec::new();
        engine.control_key(start, &mut key);
        if key != self.key {
            return false;
        }
        let log = &self.log[self.path[before + 1].sent as usize..];
        if log.iter().any(|(channel, _)| *channel == 0) {
            return false;
        }
        let mut grows = false;
        for number in 1..=engine.channel_count(start).min(255) as u8 {
            if !engine.is_unbounded(number, start) {
                continue;
            }
            let (mut x, mut y) = (Vec::new(), Vec::new());
            engine.raw_messages(number, start, &mut x);
            engine.raw_messages(number, &self.words, &mut y);
            let sent = log.iter().filter(|(channel, _)| *channel == number);
            let sent: Vec<u64> = sent.map(|(_, message)| *message).collect();
            match growth(&x, &sent, &y) {
                None => return false,
                Some([]) => {}
                Some(_) => grows |= channels.is_wanted(engine, number, start),
            }
        }
        grows
    }

    /// Whether a loop like this has not been tried in vain before.
    fn is_untried(&mut self, before: usize, last: usize) -> bool {
        let sent = &self.log[self.path[before + 1].sent as usize..];
        let like = self.hasher.hash_one((self.path[last].hash, sent, last - before));
        self.tried.len() < PATIENCE && self.tried.insert(like)
    }

    fn confirm(
        &mut self,
        engine: &mut Engine<'_>,
        channels: &mut Channels,
        pumps: &mut Vec<Pump>,
        before: usize,
        last: usize,
    ) -> bool {
        let Some(round) = self.steps(engine, before, last) else { return false };
        // The loop alone first: most that fail do so whatever the way to them.
        let mut start = Vec::new();
        self.state(engine, before, &mut start);
        if check_round(engine, &start, &round).is_err() {
            return false;
        }
        // A short way to a state where the loop works as well.
        if self.works_early(engine, &round, channels, pumps) {
            return true;
        }
        let Some(prefix) = self.steps(engine, 0, before) else { return false };
        try_pump(engine, &prefix, &round, channels, pumps)
    }

    fn works_early(
        &self,
        engine: &mut Engine<'_>,
        round: &[Step],
        channels: &mut Channels,
        pumps: &mut Vec<Pump>,
    ) -> bool {
        let mut key = Vec::new();
        for (at, state) in self.explored.states.iter().enumerate() {
            key.clear();
            engine.control_key(state, &mut key);
            if key == self.key {
                let prefix = self.explored.way(at);
                if check_round(engine, state, round).is_ok() {
                    return try_pump(engine, &prefix, round, channels, pumps);
                }
            }
        }
        false
    }

    pub(super) fn look_for_cycle(
        &mut self,
        engine: &mut Engine<'_>,
        channels: &mut Channels,
        pumps: &mut Vec<Pump>,
    ) -> bool {
        let rounds = self.cycles.here(engine, &self.words);
        let mut disturbed = false;
        for round in rounds {
            let words = std::mem::take(&mut self.words);
            let useful = is_of_use(engine, channels, &words, &round);
            self.words = words;
            if useful && self.tried.len() < PATIENCE {
                disturbed = true;
                let like = self.hasher.hash_one((round.len(), round[0].location, round[0].kind));
                let last = self.path.len() - 1;
                if self.tried.insert(like)
                    && let Some(prefix) = self.steps(engine, 0, last)
                {
                    try_pump(engine, &prefix, &round, channels, pumps);
                }
            }
        }
        disturbed
    }

    /// The steps from one state of the path to another.
    fn steps(&mut self, engine: &mut Engine<'_>, from: usize, to: usize) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.state(engine, from, &mut before);
        for at in from + 1..=to {
            self.state(engine, at, &mut after);
            match &self.path[at].steps {
                Some(known) => steps.extend(known.iter().copied()),
                None => {
                    let mut finder = Finder { to: &after, found: None };
                    engine.successors(&before, &mut finder);
                    steps.push(finder.found?);
                }
            }
            std::mem::swap(&mut before, &mut after);
        }
        Some(steps)
    }

    fn state(&mut self, engine: &mut Engine<'_>, at: usize, words: &mut Vec<u64>) {
        words.clear();
        let (store, root) = (&self.store, self.path[at].root);
        store.unfold(&mut self.hand, root, |first| engine.bits(first), words);
    }
}

struct Finder<'a> {
    to: &'a [u64],
    found: Option<Step>,
}

impl Visitor for Finder<'_> {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        if self.found.is_none() && words == self.to {
            self.found = path.only();
        }
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}
