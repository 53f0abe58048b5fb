//! Whether a pair is related, by depth-first searches with replacement that make assumptions (Jard,
//! Jéron, Fernandez & Mounier 1993, §4.2).
//!
//! The search looks for an answer to each challenge of a pair in turn. A pair that it meets on its
//! own path is *assumed* to be related. So a pair is left either
//!
//! * *unrelated*: some challenge has no answer but to unrelated pairs. This rests on no assumption
//!   and is true for ever;
//! * *related for certain*: nothing that it rests on was assumed of a pair below it on the path;
//! * *related if*: it rests on an assumption about a pair that is still on the path.
//!
//! When a pair that was assumed to be related is left unrelated, what rests on the assumption is
//! worth nothing. The paper goes on, calls the search unreliable, and repeats all of it with the
//! growing set of unrelated pairs. Here the pairs that are *related if* are listed in the order in
//! which they were left, as long as there is memory for the list: those behind the entry of the pair
//! are forgotten, all others stay, and nothing is repeated. When the store begins to replace, the
//! list is given up, and from then on the search does what the paper says; pairs that are related
//! for certain are kept from one search to the next, which the paper does not do.
//!
//! Printed wrong there: line (4) overwrites `unreliable`; and pairs found unrelated must not be taken
//! for visited ones.
//!
//! Unrelated pairs stay in memory with their challenge and a number. The answers to it have smaller
//! numbers: so the reasons of a pair are finite, and can be shown.
//!
//! One thread: an assumption is about the searcher's own path, and a pair that another worker is
//! about to leave unrelated must not be assumed to be related.

mod reasons;

use crate::control::{Counts, Cut, Observer, PATIENCE, Progress, Settings};
use crate::game::Game;
use ahash::AHashMap;
use pverify_semantics::fault::FaultKind;
use pverify_store::{
    Alive, Budget, Colour, Hand, Held, Insert, NoRoom, OutOfMemory, Root, Standing, Store,
};
pub use reasons::Reason;
use std::collections::VecDeque;

/// It was explored by an earlier search, or under an assumption that failed: as if it were new.
const STALE: Colour = Colour(0);
const CERTAIN: Colour = Colour(1);
const CONDITIONAL: Colour = Colour(2);

/// What was found.
#[derive(Debug)]
pub struct Found {
    /// What was counted, in all searches together.
    pub counts: Counts,
    /// How many searches there were.
    pub searches: u64,
    /// Why the first pair is not related, if it is not: the first reason is about it, and reasons
    /// refer to others by their places.
    pub reasons: Option<Vec<Reason>>,
    /// Why it is not known.
    pub cut: Option<(Cut, Option<FaultKind>)>,
}

/// Decides whether the first pair of a game is related. Reasons name challenges by their places, which
/// are those of this very game.
pub fn search<G: Game>(game: &mut G, settings: &Settings, observer: &mut dyn Observer) -> Found {
    let budget = Budget { bytes: settings.memory, states: settings.most_states };
    let mut search = Search {
        settings,
        store: Store::new(budget),
        hand: Hand::new(settings.seed),
        path: Alive::new(),
        frames: Vec::new(),
        turns: VecDeque::new(),
        turn_bytes: 0,
        unrelated: AHashMap::new(),
        listed: Some(Vec::new()),
        unreliable: false,
        counts: Counts::default(),
        searches: 1,
        words: Vec::new(),
        observer,
        patience: PATIENCE,
    };
    let answer = search.run(game);
    let mut counts = search.counts;
    counts.replacements = search.hand.replacements;
    counts.store_bytes = search.store.bytes() + search.outside();
    let searches = search.searches;
    let (reasons, cut) = match answer {
        Ok(true) => (None, None),
        Ok(false) => match search.reasons(game) {
            Ok(reasons) => (Some(reasons), None),
            Err(End(cut, fault)) => (None, Some((cut, fault))),
        },
        Err(End(cut, fault)) => (None, Some((cut, fault))),
    };
    counts.errors = u64::from(reasons.is_some());
    Found { counts, searches, reasons, cut }
}

/// Why a search came to no answer.
struct End(Cut, Option<FaultKind>);

impl End {
    fn fault(fault: FaultKind) -> Self {
        Self(Cut::Fault, Some(fault))
    }
}

/// A pair of the path.
struct Frame {
    challenge: u32,
    answer: u32,
    /// The lowest pair of the path that something here was assumed of.
    low: u32,
    /// Somebody has assumed that it is related.
    assumed: bool,
    /// How long the list was when it was entered.
    listed: usize,
    /// The lowest place that any pair listed since then rests on, used here or not.
    least: u32,
}

/// Of so many pairs at the end of the path it is kept what can happen there, if that does not take
/// more than this part of the memory.
const TURNS: usize = 4096;
const TURNS_SHARE: usize = 16;

/// A pair that is related if an assumption is right.
struct Conditional {
    root: Root,
    /// The lowest place of the path that it or one listed before it rests on.
    lowest: u32,
}

/// An unrelated pair: its number, and the challenge that has no answer.
#[derive(Clone, Copy)]
struct Refuted {
    number: u32,
    challenge: u32,
}

struct Search<'s, T> {
    settings: &'s Settings,
    /// Pairs that were left and are related, certainly or not.
    store: Store,
    hand: Hand,
    path: Alive,
    frames: Vec<Frame>,
    /// What can happen in the last pairs of the path and how many bytes that takes; made again where
    /// it was given up.
    turns: VecDeque<Option<(T, usize)>>,
    turn_bytes: usize,
    unrelated: AHashMap<u64, Refuted>,
    /// Pairs that are related if an assumption is right; `None` when there is no memory for them.
    listed: Option<Vec<Conditional>>,
    /// An assumption has failed, and what rests on it was not forgotten.
    unreliable: bool,
    counts: Counts,
    searches: u64,
    words: Vec<u64>,
    observer: &'s mut dyn Observer,
    patience: u64,
}

impl<T> Search<'_, T> {
    /// Whether the first pair is related.
    fn run<G: Game<Turn = T>>(&mut self, game: &mut G) -> Result<bool, End> {
        loop {
            let initial = game.initial();
            let bits = game.bits(initial[0]);
            let root = self.fold(&initial, bits)?;
            self.enter(root)?;
            let related = loop {
                if let Some(related) = self.step(game)? {
                    break related;
                }
            };
            if !related || !self.unreliable {
                return Ok(related);
            }
            self.unreliable = false;
            self.searches += 1;
            self.store.recolour(CONDITIONAL, STALE);
        }
    }

    /// One look at the last pair of the path; whether the first is related, if that is known.
    fn step<G: Game<Turn = T>>(&mut self, game: &mut G) -> Result<Option<bool>, End> {
        self.patience -= 1;
        if self.patience == 0 || self.store.needs_room() {
            self.pause()?;
        }
        let at = self.frames.len() - 1;
        if !matches!(self.turns.back(), Some(Some(_))) {
            self.turn(game, at)?;
        }
        let frame = &self.frames[at];
        let (challenge, answer) = (frame.challenge as usize, frame.answer as usize);
        let Some(Some((turn, _))) = self.turns.back() else { return Ok(None) };
        if challenge == game.challenges(turn) {
            return self.leave_related();
        }
        if answer == game.answers(turn, challenge) {
            return Ok(self.leave_unrelated(challenge as u32));
        }
        let mut words = std::mem::take(&mut self.words);
        let bits = game.pair(turn, challenge, answer, &mut words).map_err(End::fault)?;
        let root = self.fold(&words, bits);
        self.words = words;
        let root = root?;
        self.counts.transitions += 1;
        if self.unrelated.contains_key(&root.to_bits()) {
            self.counts.matched += 1;
            self.frames[at].answer += 1;
        } else if let Some(number) = self.path.number(root) {
            self.counts.matched += 1;
            self.frames[number as usize].assumed = true;
            self.answered(at, number);
        } else {
            match self.store.get(root).map(|(_, colour)| colour) {
                Some(CERTAIN) => {
                    self.counts.matched += 1;
                    self.answered(at, u32::MAX);
                }
                Some(CONDITIONAL) => {
                    self.counts.matched += 1;
                    let lowest = self.lowest();
                    self.answered(at, lowest);
                }
                _ => self.enter(root)?,
            }
        }
        Ok(None)
    }

    /// A challenge of a pair has an answer, which rests on a place of the path.
    fn answered(&mut self, at: usize, low: u32) {
        let frame = &mut self.frames[at];
        frame.low = frame.low.min(low);
        frame.challenge += 1;
        frame.answer = 0;
    }

    /// The lowest place of the path that any pair of the list rests on; where there is none, the
    /// lowest there is.
    fn lowest(&self) -> u32 {
        self.listed.as_ref().map_or(0, |list| list.last().map_or(0, |last| last.lowest))
    }

    fn enter(&mut self, root: Root) -> Result<(), End> {
        if self.settings.depth.is_some_and(|most| self.frames.len() as u64 > most) {
            return Err(End(Cut::Depth, None));
        }
        self.path.push(root).map_err(|NoRoom| End(Cut::Memory, None))?;
        // One whose assumption has failed was counted before.
        self.counts.states += u64::from(self.store.get(root).is_none());
        self.counts.max_depth = self.counts.max_depth.max(self.frames.len() as u64);
        let listed = self.listed.as_ref().map_or(0, Vec::len);
        let (challenge, answer, low) = (0, 0, u32::MAX);
        let (assumed, least) = (false, u32::MAX);
        self.frames.push(Frame { challenge, answer, low, assumed, listed, least });
        self.turns.push_back(None);
        Ok(())
    }

    /// Finds out what can happen in the last pair of the path.
    fn turn<G: Game<Turn = T>>(&mut self, game: &mut G, at: usize) -> Result<(), End> {
        let root = self.path.order()[at];
        self.words.clear();
        self.store.unfold(&mut self.hand, root, |first| game.bits(first), &mut self.words);
        let turn = game.turn(&self.words).map_err(End::fault)?;
        let bytes = game.bytes(&turn);
        self.turn_bytes += bytes;
        self.turns.pop_back();
        self.turns.push_back(Some((turn, bytes)));
        let most = self.settings.memory / TURNS_SHARE;
        while self.turns.len() > 1 && (self.turns.len() > TURNS || self.turn_bytes > most) {
            let given_up = self.turns.pop_front().flatten();
            self.turn_bytes -= given_up.map_or(0, |(_, bytes)| bytes);
        }
        Ok(())
    }

    /// The last pair of the path is left.
    fn leave(&mut self) -> Option<(Frame, Root)> {
        let left = (self.frames.pop()?, self.path.pop()?);
        let turn = self.turns.pop_back().flatten();
        self.turn_bytes -= turn.map_or(0, |(_, bytes)| bytes);
        Some(left)
    }

    /// The last pair of the path is related, as far as its assumptions go.
    fn leave_related(&mut self) -> Result<Option<bool>, End> {
        let Some((frame, root)) = self.leave() else { return Ok(None) };
        let at = self.frames.len();
        let certain = frame.low as usize >= at;
        let mut least = frame.least;
        if certain
            && least as usize >= at
            && let Some(list) = &mut self.listed
        {
            // All that was left above it rests on nothing else.
            least = u32::MAX;
            for one in list.drain(frame.listed.min(list.len())..) {
                self.store.change(one.root, |standing, colour| {
                    (standing, if colour == CONDITIONAL { CERTAIN } else { colour })
                });
            }
        }
        if !certain && let Some(list) = &mut self.listed {
            let before = list.last().map_or(u32::MAX, |last| last.lowest);
            list.push(Conditional { root, lowest: before.min(frame.low) });
        }
        let Some(below) = at.checked_sub(1) else { return Ok(Some(true)) };
        let rests = if certain { least } else { least.min(frame.low) };
        self.frames[below].least = self.frames[below].least.min(rests);
        let colour = if certain { CERTAIN } else { CONDITIONAL };
        match self.store.insert(&mut self.hand, root, Standing::Replaceable, colour) {
            Insert::Known(..) => {
                self.store.change(root, |standing, _| (standing, colour));
            }
            // One that finds no room is explored again where it is met again.
            Insert::New | Insert::Replaced | Insert::NoRoom => {}
        }
        self.answered(below, if certain { u32::MAX } else { frame.low });
        Ok(None)
    }

    /// The last pair of the path is not related.
    fn leave_unrelated(&mut self, challenge: u32) -> Option<bool> {
        let (frame, root) = self.leave()?;
        let number = self.unrelated.len() as u32;
        self.unrelated.insert(root.to_bits(), Refuted { number, challenge });
        let mut least = frame.least;
        if frame.assumed {
            match &mut self.listed {
                Some(list) => {
                    least = u32::MAX;
                    for one in list.drain(frame.listed.min(list.len())..) {
                        self.store.change(one.root, |standing, colour| {
                            (standing, if colour == CONDITIONAL { STALE } else { colour })
                        });
                    }
                }
                None => self.unreliable = true,
            }
        }
        let Some(below) = self.frames.last_mut() else { return Some(false) };
        below.least = below.least.min(least);
        below.answer += 1;
        None
    }

    /// Folds a pair, and makes room for it if need be.
    fn fold(&mut self, words: &[u64], bits: u32) -> Result<Root, End> {
        loop {
            match self.store.fold(&mut self.hand, words, bits) {
                Ok(root) => return Ok(root),
                Err(NoRoom) => self.make_room(true)?,
            }
        }
    }

    fn make_room(&mut self, stuck: bool) -> Result<(), End> {
        let outside = self.outside();
        let Self { store, path, unrelated, listed, .. } = self;
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            path.order().iter().for_each(|&root| visit(root, Held::Folded));
            unrelated.keys().for_each(|&bits| visit(Root::from_bits(bits), Held::Folded));
            let list = listed.iter().flatten();
            list.for_each(|one| visit(one.root, Held::Folded));
        };
        let room =
            if stuck { store.force_room(outside, &live) } else { store.make_room(outside, &live) };
        if self.store.is_replacing() {
            self.listed = None;
        }
        room.map_err(|OutOfMemory| End(Cut::Memory, None))
    }

    /// What it holds beside the store.
    fn outside(&self) -> usize {
        self.path.bytes()
            + self.frames.capacity() * size_of::<Frame>()
            + self.turn_bytes
            + self.unrelated.capacity() * (size_of::<(u64, Refuted)>() + 1)
            + self.listed.as_ref().map_or(0, |list| list.capacity() * size_of::<Conditional>())
    }

    /// Makes room if that is needed, and asks whether to go on.
    fn pause(&mut self) -> Result<(), End> {
        let bytes = self.store.bytes() + self.outside();
        if self.store.needs_room() || bytes > self.settings.memory {
            self.make_room(false)?;
        }
        if self.patience > 0 {
            return Ok(());
        }
        self.patience = PATIENCE;
        let counts = Counts { replacements: self.hand.replacements, ..self.counts };
        let progress = Progress {
            counts,
            bytes: self.store.bytes() + self.outside(),
            stored: self.store.len(),
            capacity: self.store.capacity(),
            by_worker: vec![counts.states],
        };
        if self.observer.go_on(&progress) { Ok(()) } else { Err(End(Cut::Stopped, None)) }
    }
}
