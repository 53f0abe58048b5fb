//! What moves along with a worker: it compares the last state of the path with earlier ones.
//!
//! A pair of states with the same control and variables, in which every channel holds what it held
//! and then some, is a suspect if the way from the one to the other can be repeated for ever: that is
//! asked of [`check_round`] alone. Nothing is written down of what was sent on the way; it is found
//! out again for the few pairs that come so far.

use super::Shared;
use super::trail::{Lengths, Looks, Trail};
use crate::unbounded::channels::{ChannelId, is_longer_within};
use crate::unbounded::explore::ends_path;
use crate::unbounded::shorter::{Suspect, steps_between};
use ahash::{AHashSet, RandomState};
use pverify_model::layout::Field;
use pverify_model::machine::Action;
use pverify_search::hooks::{Hooks, Passing, Place, Sight};
use pverify_search::way::Way;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step};
use pverify_store::{Hand, Root, Store};
use pverify_verdict::unbounded::{Growth, check_round};
use std::sync::atomic::Ordering::Relaxed;

/// So many steps of loops are done again before a worker compares no more states.
const EFFORT: usize = 20_000;

/// See the module.
pub(super) struct Follower<'s, 'm> {
    shared: &'s Shared<'s>,
    engine: Engine<'m>,
    hand: Hand,
    /// The path whose turn it is, and the other.
    trail: Trail,
    resting: Trail,
    /// By the number of the shape.
    profiles: Vec<Option<Box<Profile>>>,
    /// So many states may be explored before leave must be asked for.
    leave: u64,
    greatest: Vec<u32>,
    /// Whether any step is several at once.
    has_blocks: bool,
    /// Steps in which channels may be longer than before and behind, and where they lead.
    within: Vec<(Vec<Step>, Vec<u64>)>,
    /// Pairs that were looked at closely.
    tried: AHashSet<u64>,
    hasher: RandomState,
    effort: usize,
    start: Vec<u64>,
}

/// What the states of a shape have in common.
struct Profile {
    control: Vec<u64>,
    shape: u64,
    lengths: Vec<(Field, Option<ChannelId>)>,
    /// For processes with cycles that only send: type and location.
    cyclic: Vec<(u32, Field)>,
}

impl Profile {
    fn of(engine: &Engine<'_>, shared: &Shared<'_>, words: &[u64]) -> Self {
        let outline = engine.outline(words);
        let lengths = outline.lengths.iter().enumerate();
        let lengths = lengths.filter_map(|(at, field)| {
            Some(((*field)?, shared.channels.id(engine, at as u8 + 1, words)))
        });
        let processes = (0..).map_while(|pid| engine.process(words, pid));
        let cyclic = processes.filter(|process| shared.cycles.any(process.kind));
        Self {
            control: outline.control,
            shape: u64::from(outline.shape),
            lengths: lengths.collect(),
            cyclic: cyclic.map(|process| (process.kind, process.location)).collect(),
        }
    }

    /// A hash of control and variables.
    #[inline]
    fn hash(&self, words: &[u64]) -> u64 {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut hash = self.shape;
        for (word, mask) in words.iter().zip(&self.control) {
            hash = (hash.rotate_left(23) ^ (word & mask)).wrapping_mul(FACTOR);
        }
        hash ^ hash >> 29
    }

    /// The lengths of channels; the greatest, too.
    #[inline]
    fn lengths(&self, words: &[u64], greatest: &mut [u32]) -> (Lengths, u32) {
        let (mut lengths, mut most) = (Lengths::default(), 0);
        for (at, &(field, id)) in self.lengths.iter().enumerate() {
            let length = field.get(words) as u32;
            lengths.add(at, length);
            most = most.max(length);
            if let Some(ChannelId(id)) = id {
                greatest[id] = greatest[id].max(length);
            }
        }
        (lengths, most)
    }
}

impl<'s, 'm> Follower<'s, 'm> {
    pub(super) fn new(engine: &Engine<'m>, shared: &'s Shared<'s>) -> Self {
        let locations = engine.model.processes.iter().flat_map(|one| &one.graph.locations);
        let mut edges = locations.flat_map(|location| &location.edges);
        Self {
            shared,
            engine: engine.fork(),
            hand: Hand::new(0),
            trail: Trail::default(),
            resting: Trail::default(),
            profiles: Vec::new(),
            leave: 0,
            greatest: vec![0; shared.channels.count()],
            has_blocks: edges.any(|edge| edge.atomic || matches!(edge.action, Action::DStep(_))),
            within: Vec::new(),
            tried: AHashSet::new(),
            hasher: RandomState::with_seeds(1, 2, 3, 4),
            effort: 0,
            start: Vec::new(),
        }
    }

    /// The greatest lengths met, by channel.
    pub(super) fn into_greatest(self) -> Vec<u32> {
        self.greatest
    }

    fn profile(&mut self, words: &[u64]) -> usize {
        // A shape that another worker met first must be built.
        self.engine.bits(words[0]);
        let shape = self.engine.shape_of(words).0 as usize;
        if self.profiles.len() <= shape {
            self.profiles.resize_with(shape + 1, || None);
        }
        if self.profiles[shape].is_none() {
            self.profiles[shape] = Some(Box::new(Profile::of(&self.engine, self.shared, words)));
        }
        shape
    }

    /// Goes on to a state; the greatest length of its channels.
    #[inline]
    fn push(&mut self, root: Root, words: &[u64]) -> Option<(u32, usize)> {
        let shape = self.profile(words);
        let profile = self.profiles[shape].as_ref()?;
        let (lengths, most) = profile.lengths(words, &mut self.greatest);
        self.trail.push(root, profile.hash(words), lengths);
        Some((most, shape))
    }

    /// Looks closely at the last state of the path and an earlier one.
    fn compare(&mut self, place: &Place<'_>, state: &[u64], before: usize) {
        self.start.clear();
        let Self { engine, hand, start, .. } = self;
        let root = self.trail.frames[before].root;
        place.store.unfold(hand, root, |first| engine.bits(first), start);
        if !self.is_prefix(state) {
            return;
        }
        let last = self.trail.frames.len() - 1;
        let frame = &self.trail.frames[before];
        let lengths = (self.trail.frames[last].lengths, frame.lengths);
        let like = self.hasher.hash_one((frame.hash, lengths, last - before));
        if self.effort > EFFORT || !self.tried.insert(like) {
            return;
        }
        self.effort += last - before;
        let Self { engine, hand, trail, .. } = self;
        let states = trail.frames[before..].iter().map(|frame| {
            let mut words = Vec::new();
            place.store.unfold(hand, frame.root, |first| engine.bits(first), &mut words);
            words
        });
        let states: Vec<Vec<u64>> = states.collect();
        let Some(round) = steps_between(&mut self.engine, &states) else { return };
        let start = std::mem::take(&mut self.start);
        self.suspect(place, before, &start, round);
        self.start = start;
    }

    /// Whether the state has the control and variables of that in `start`, its channels hold what
    /// they held there, and one of interest holds more.
    fn is_prefix(&self, state: &[u64]) -> bool {
        let (engine, start) = (&self.engine, &self.start);
        let (mut then, mut now) = (Vec::new(), Vec::new());
        engine.control_key(start, &mut then);
        engine.control_key(state, &mut now);
        if then != now {
            return false;
        }
        let mut grows = false;
        for number in 1..=engine.channel_count(start).min(255) as u8 {
            if !engine.is_unbounded(number, start) {
                continue;
            }
            then.clear();
            now.clear();
            engine.raw_messages(number, start, &mut then);
            engine.raw_messages(number, state, &mut now);
            if !now.starts_with(&then) {
                return false;
            }
            grows |= now.len() > then.len()
                && self
                    .shared
                    .channels
                    .id(engine, number, start)
                    .is_some_and(|id| self.shared.is_open(id));
        }
        grows
    }

    /// Says of a loop from a state of the path that it can be repeated, if it can.
    fn suspect(&mut self, place: &Place<'_>, at: usize, start: &[u64], round: Vec<Step>) {
        let Ok(growth) = check_round(&mut self.engine, start, &round) else { return };
        let id = |grows: &Growth| self.shared.channels.id(&self.engine, grows.channel, start);
        let ids: Vec<ChannelId> = growth.iter().filter_map(id).collect();
        if !ids.iter().any(|&id| self.shared.is_open(id)) {
            return;
        }
        let mut way = Way::default();
        let mut roots = place.before();
        roots.extend(self.trail.frames[self.trail.handed..].iter().map(|frame| frame.root));
        roots.truncate(roots.len() - (self.trail.frames.len() - 1 - at));
        for root in roots {
            let Self { engine, hand, .. } = self;
            let mut words = Vec::new();
            place.store.unfold(hand, root, |first| engine.bits(first), &mut words);
            way.push(&words);
        }
        let mut found = self.shared.found();
        ids.iter().for_each(|id| self.shared.open[id.0].store(false, Relaxed));
        found.suspects.push(Suspect { way, round });
    }

    /// Looks at cycles that only send, where processes stand.
    fn look_at_cycles(&mut self, place: &Place<'_>, state: &[u64], shape: usize) {
        let Some(profile) = &self.profiles[shape] else { return };
        let cycles = &self.shared.cycles;
        let at = |&(kind, location): &(u32, Field)| cycles.any_at(kind, location.get(state) as u32);
        if !profile.cyclic.iter().any(at) {
            return;
        }
        let last = self.trail.frames.len() - 1;
        for round in cycles.here(&self.engine, state) {
            let like = self.hasher.hash_one((round.len(), round[0].location, round[0].kind));
            let like = like ^ self.trail.frames[last].hash;
            if self.effort > EFFORT || !self.tried.insert(like) {
                continue;
            }
            self.effort += round.len();
            self.suspect(place, last, state, round);
        }
    }
}

impl Hooks for Follower<'_, '_> {
    const PASSING: Passing = Passing::Claimed;

    const FOLLOWS: bool = true;

    fn fork(&self) -> Self {
        Self::new(&self.engine, self.shared)
    }

    fn join(&mut self, other: Self) {
        for (mine, other) in self.greatest.iter_mut().zip(other.greatest) {
            *mine = (*mine).max(other);
        }
    }

    fn begin(&mut self, store: &Store, recent: &[Root]) {
        self.trail.clear();
        for &root in recent {
            let Self { engine, hand, .. } = self;
            let mut words = Vec::new();
            store.unfold(hand, root, |first| engine.bits(first), &mut words);
            self.push(root, &words);
        }
        self.trail.handed = recent.len();
    }

    #[inline]
    fn follow(&mut self, place: &Place<'_>, state: &[u64]) -> Sight {
        if self.leave == 0 {
            self.leave = self.shared.portion();
            if self.leave == 0 {
                self.shared.ran_out.store(true, Relaxed);
                return Sight::Enough;
            }
        }
        self.leave -= 1;
        let Some((most, shape)) = self.push(place.root, state) else { return Sight::Enough };
        if most > self.shared.longest {
            self.shared.longer.store(true, Relaxed);
            return Sight::Prune;
        }
        if self.effort > EFFORT {
            return Sight::Nothing;
        }
        let suspects = self.tried.len();
        let mut looks = Looks::default();
        let mut at = self.trail.frames.len() - 1;
        while let Some(before) = self.trail.before(at, &mut looks) {
            self.compare(place, state, before);
            at = before;
        }
        if !self.profiles[shape].as_ref().is_none_or(|profile| profile.cyclic.is_empty()) {
            self.look_at_cycles(place, state, shape);
        }
        if self.tried.len() > suspects && !self.shared.any_open() {
            return Sight::Enough;
        }
        Sight::Nothing
    }

    #[inline]
    fn unfollow(&mut self) {
        self.trail.pop();
    }

    #[inline]
    fn change_paths(&mut self) {
        std::mem::swap(&mut self.trail, &mut self.resting);
    }

    #[inline]
    fn goes(&mut self, way: Path<'_>, next: &[u64]) {
        if self.has_blocks {
            let steps = way.steps();
            if is_longer_within(self.engine.model, &steps) {
                self.within.push((steps, next.to_vec()));
            }
        }
    }

    fn goes_wrong(&mut self, fault: &FaultKind) {
        if ends_path(fault) {
            self.shared.found().fault.get_or_insert_with(|| fault.clone());
        }
    }

    #[inline]
    fn went(&mut self, state: &[u64]) {
        for (steps, next) in std::mem::take(&mut self.within) {
            let channels = self.shared.channels;
            match channels.lengths_within(&mut self.engine, state, &steps, &next) {
                Some(lengths) => lengths.into_iter().for_each(|(ChannelId(id), length)| {
                    self.greatest[id] = self.greatest[id].max(length);
                }),
                None => self.shared.inexact.store(true, Relaxed),
            }
        }
    }

    fn bytes(&self) -> usize {
        self.trail.bytes() + self.resting.bytes()
    }
}
