//! A model together with an automaton over its actions, as one system.
//!
//! A state is one of the model with the automaton's behind it, in as many bits as that needs: so the
//! number of bits still follows from the lowest bits of the state. The automaton is stepped along
//! the elementary actions of a path, so that what happens inside an atomic block or a `d_step` is
//! judged too. All states of the automaton accept: a path that it cannot follow is the violation.
//!
//! Where a shortest computation is wanted, actions must count and not steps, and a path through an
//! atomic block has several. Such a path *delays*: behind the automaton's state lies how many
//! actions are still to come, and a state that delays leads only to itself with one less.

use pverify_search::system::System;
use pverify_semantics::Engine;
use pverify_semantics::action::alphabet::{Alphabet, Letter};
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use pverify_temporal::finite::dfa::{Action, Dfa, DfaState};
use std::sync::Arc;

/// What watches the actions.
#[derive(Debug)]
pub(super) struct Watcher {
    alphabet: Alphabet,
    dfa: Dfa,
    /// Bits of its state; one value more is for what it has rejected.
    width: u32,
}

impl Watcher {
    /// An automaton all of whose states accept, over the letters of an alphabet in their order.
    pub(super) fn new(alphabet: Alphabet, dfa: Dfa) -> Self {
        let width = usize::BITS - dfa.len().leading_zeros();
        Self { alphabet, dfa, width }
    }

    /// Where the automaton is behind a letter; `None` if it does not allow it.
    fn step(&self, state: DfaState, letter: Letter) -> Option<DfaState> {
        let at = self.alphabet.letters().binary_search(&letter).ok()?;
        self.dfa.step(state, Action(at as u32))
    }

    fn rejected(&self) -> DfaState {
        DfaState(self.dfa.len() as u32)
    }
}

/// Bits of the number of actions to come.
const DELAY_BITS: u32 = 32;

/// The product.
#[derive(Debug)]
pub(super) struct Product<'m> {
    engine: Engine<'m>,
    watcher: Arc<Watcher>,
    initial: DfaState,
    /// Whether actions count instead of steps.
    delays: bool,
    /// The state of the model alone.
    state: Vec<u64>,
    places: Vec<u32>,
    out: Vec<u64>,
}

impl<'m> Product<'m> {
    /// The product of an engine that listens with an automaton in a state.
    pub(super) fn new(
        engine: Engine<'m>,
        watcher: Arc<Watcher>,
        initial: DfaState,
        delays: bool,
    ) -> Self {
        let (state, places, out) = (Vec::new(), Vec::new(), Vec::new());
        Self { engine, watcher, initial, delays, state, places, out }
    }

    /// The engine.
    pub(super) fn into_engine(self) -> Engine<'m> {
        self.engine
    }

    /// Bytes of the largest state so far.
    pub(super) fn state_bytes(&self) -> usize {
        let model = self.engine.state_bytes() as u32 * 8;
        bits_with(model, self.extra(), self.engine.hidden).div_ceil(8) as usize
    }

    fn extra(&self) -> u32 {
        self.watcher.width + if self.delays { DELAY_BITS } else { 0 }
    }

    fn behind(&self, state: DfaState, delay: u64) -> [(u64, u32); 2] {
        behind(&self.watcher, self.delays, state, delay)
    }
}

impl System for Product<'_> {
    fn initial(&self) -> Vec<u64> {
        let mut engine = self.engine.fork();
        let state = engine.initial().to_vec();
        let bits = engine.bits(state[engine.hidden]);
        let mut out = Vec::new();
        join(&state, engine.hidden, bits, &self.behind(self.initial, 0), &mut out);
        out
    }

    fn bits(&mut self, first: u64) -> u32 {
        bits_with(self.engine.bits(first), self.extra(), self.engine.hidden)
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        let hidden = self.engine.hidden;
        let bits = self.engine.bits(words[0]);
        let width = self.watcher.width;
        let state = DfaState(field(words, bits, width) as u32);
        let delay = if self.delays { field(words, bits + width, DELAY_BITS) } else { 0 };
        split(words, hidden, bits, &mut self.state);
        if delay > 0 {
            join(&self.state, hidden, bits, &self.behind(state, delay - 1), &mut self.out);
            visitor.next(&self.out, bits_with(bits, self.extra(), hidden), Path::NONE);
            return;
        }
        if state == self.watcher.rejected() {
            visitor.fault(FaultKind::Rejected, Path::NONE);
            return;
        }
        let mut follower = Follower {
            visitor,
            watcher: &self.watcher,
            state,
            hidden,
            delays: self.delays,
            places: &mut self.places,
            out: &mut self.out,
        };
        self.engine.successors(&self.state, &mut follower);
    }

    fn fork(&self) -> Self {
        let watcher = Arc::clone(&self.watcher);
        Self::new(self.engine.fork(), watcher, self.initial, self.delays)
    }

    fn join(&mut self, other: Self) {
        self.engine.absorb(&other.engine);
    }
}

/// What lies behind a state of the model.
fn behind(watcher: &Watcher, delays: bool, state: DfaState, delay: u64) -> [(u64, u32); 2] {
    [(u64::from(state.0), watcher.width), (delay, if delays { DELAY_BITS } else { 0 })]
}

/// Steps the automaton along the paths of the model.
struct Follower<'p, V> {
    visitor: &'p mut V,
    watcher: &'p Watcher,
    state: DfaState,
    hidden: usize,
    delays: bool,
    places: &'p mut Vec<u32>,
    out: &'p mut Vec<u64>,
}

impl<V: Visitor> Follower<'_, V> {
    /// Where the automaton is behind a path, and after how many actions; `None` if it rejects the
    /// last of these.
    fn follow(&mut self, path: Path<'_>) -> (Option<DfaState>, u64) {
        let (mut state, mut count) = (Some(self.state), 0);
        let watcher = self.watcher;
        path.actions(self.places, |action| {
            if let Some(at) = state {
                count += 1;
                state = watcher.step(at, watcher.alphabet.letter(&action));
            }
        });
        (state, count)
    }

    fn give(&mut self, words: &[u64], bits: u32, state: DfaState, delay: u64, path: Path<'_>) {
        let delay = if self.delays { delay } else { 0 };
        let behind = behind(self.watcher, self.delays, state, delay);
        join(words, self.hidden, bits, &behind, self.out);
        let bits = bits_with(bits, behind[0].1 + behind[1].1, self.hidden);
        self.visitor.next(self.out, bits, path);
    }
}

impl<V: Visitor> Visitor for Follower<'_, V> {
    fn next(&mut self, words: &[u64], bits: u32, path: Path<'_>) {
        match self.follow(path) {
            (Some(state), count) => self.give(words, bits, state, count.max(1) - 1, path),
            (None, count) if self.delays && count > 1 => {
                self.give(words, bits, self.watcher.rejected(), count - 2, path);
            }
            (None, _) => self.visitor.fault(FaultKind::Rejected, path),
        }
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        if fault == FaultKind::InvalidEndState || fault.is_survivable() {
            return;
        }
        // What goes wrong ends the path, but the actions before it have happened.
        let before = path.before_last();
        if self.follow(before).0.is_none() {
            self.visitor.fault(FaultKind::Rejected, before);
        }
        self.visitor.fault(fault, path);
    }
}

/// A state of the model, fields behind its first bits, and its hidden words behind all of that:
/// what can happen may depend on them.
fn join(state: &[u64], hidden: usize, mut at: u32, fields: &[(u64, u32)], out: &mut Vec<u64>) {
    out.clear();
    out.extend_from_slice(&state[hidden..]);
    out.resize(
        bits_with(at, fields.iter().map(|(_, width)| width).sum(), 0).div_ceil(64) as usize,
        0,
    );
    for &(value, width) in fields {
        let (word, shift) = ((at / 64) as usize, at % 64);
        if width > 0 {
            out[word] |= value << shift;
        }
        if shift + width > 64 {
            out[word + 1] |= value >> (64 - shift);
        }
        at += width;
    }
    out.extend_from_slice(&state[..hidden]);
}

/// The bits of all that.
fn bits_with(model: u32, extra: u32, hidden: usize) -> u32 {
    let bits = model + extra;
    if hidden == 0 { bits } else { bits.next_multiple_of(64) + hidden as u32 * 64 }
}

/// A field of up to 64 bits.
fn field(words: &[u64], at: u32, width: u32) -> u64 {
    if width == 0 {
        return 0;
    }
    let (word, shift) = ((at / 64) as usize, at % 64);
    let low = words[word] >> shift;
    let high = if shift + width > 64 { words[word + 1] << (64 - shift) } else { 0 };
    (low | high) & (u64::MAX >> (64 - width))
}

/// The state of the model alone.
fn split(words: &[u64], hidden: usize, bits: u32, state: &mut Vec<u64>) {
    state.clear();
    state.extend_from_slice(&words[words.len() - hidden..]);
    state.extend_from_slice(&words[..bits.div_ceil(64) as usize]);
    if !bits.is_multiple_of(64)
        && let Some(last) = state.last_mut()
    {
        *last &= (1 << (bits % 64)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_is_split_again() {
        for (bits, hidden) in
            [1_u32, 20, 60, 63, 64, 65, 127, 128].into_iter().zip([0, 1, 2].into_iter().cycle())
        {
            let mut state = vec![u64::MAX; hidden + (bits as usize).div_ceil(64)];
            if !bits.is_multiple_of(64) {
                *state.last_mut().expect("a word") >>= 64 - bits % 64;
            }
            for (value, width) in [(0, 0), (1, 1), (5, 3), (0x3_ffff_fffe, 34)] {
                let (mut out, mut again) = (Vec::new(), Vec::new());
                join(&state, hidden, bits, &[(value, width), (7, 32)], &mut out);
                let all = bits_with(bits, width + 32, hidden);
                assert_eq!(out.len(), all.div_ceil(64) as usize);
                assert_eq!(field(&out, bits, width), value, "{bits} {width}");
                assert_eq!(field(&out, bits + width, 32), 7, "{bits} {width}");
                split(&out, hidden, bits, &mut again);
                assert_eq!(again, state, "{bits} {width}");
            }
        }
    }
}
