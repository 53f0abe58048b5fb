//! Two systems side by side: the game that decides a relation, and its pairs as a system.
//!
//! Jard, Jéron, Fernandez & Mounier (1993, definition 3.3) make a synchronous product with a state
//! `fail` for what one side can do and the other cannot. Here a step to `fail` is the fault
//! [`FaultKind::Unrelated`]. So is a pair in which an answer must be chosen: where none must be,
//! reachability decides, and that is found out pair by pair.
//!
//! In the preorder of safety a side that challenges does one action at a time, and a `tau` is answered
//! by staying: what can be done behind it could be done before. So only the side that answers needs
//! to look at everything that `tau` leads to, and the product has no more pairs than there are states
//! of the one and states of the other behind an action.

use super::closure::{Mover, Unit};
use super::pair;
use super::side::{Label, Labels, Moves};
use pverify_search::game::Game;
use pverify_search::system::System;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use pverify_verdict::distinguishing::Which;
use std::sync::Arc;

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    /// What counts as a challenge.
    pub(super) challenge: Unit,
    /// What counts as an answer.
    pub(super) answer: Unit,
    /// Whether the second system challenges too.
    pub(super) both: bool,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Product<'m> {
    movers: [Mover<'m>; 2],
    labels: Labels,
    rules: Rules,
    states: [Vec<u64>; 2],
    packed: Vec<u64>,
}

/// What can happen in a pair.
#[derive(Debug)]
pub(super) struct Turn {
    states: [Box<[u64]>; 2],
    challenges: [Arc<Moves>; 2],
    answers: [Arc<Moves>; 2],
    list: Vec<Challenge>,
}

#[derive(Clone, Copy, Debug)]
struct Challenge {
    by: Which,
    /// Its place among the moves of the side.
    at: u32,
    /// The moves of the other side that answer it: the first, and the one behind the last.
    answers: (u32, u32),
    /// The answer is to stay.
    stays: bool,
}

/// What a pair is for reachability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// One side can do what the other cannot.
    Fails,
    /// An answer must be chosen.
    Chooses,
    /// All pairs that it leads to must be related.
    Plain,
}

impl<'m> Product<'m> {
    /// The product of two systems by the rules of a game.
    pub(super) fn new(movers: [Mover<'m>; 2], rules: Rules) -> Self {
        let (labels, states, packed) = (Labels::default(), Default::default(), Vec::new());
        Self { movers, labels, rules, states, packed }
    }

    /// Bytes of the largest pair so far.
    pub(super) fn state_bytes(&mut self) -> usize {
        let [left, right] = &mut self.movers;
        left.side.engine().state_bytes() + right.side.engine().state_bytes() + 3
    }

    /// A side, and the names of the actions.
    pub(super) fn side(&mut self, which: Which) -> (&mut Mover<'m>, &mut Labels) {
        (&mut self.movers[which as usize], &mut self.labels)
    }

    /// The two states of a pair.
    pub(super) fn split(&mut self, words: &[u64]) -> [Vec<u64>; 2] {
        let mut states = [Vec::new(), Vec::new()];
        let ([left, right], [a, b]) = (&mut self.movers, &mut states);
        pair::read([&mut left.side, &mut right.side], words, [a, b]);
        states
    }

    /// What a pair is.
    pub(super) fn standing(&self, turn: &Turn) -> Standing {
        let count = |one: &Challenge| one.answers.1 - one.answers.0 + u32::from(one.stays);
        if turn.list.iter().any(|one| count(one) == 0) {
            return Standing::Fails;
        }
        // With the same moves on both sides of one action, those of one side may be many if the
        // other has one only: its challenges ask for all of them.
        let same = self.rules.both && self.rules.challenge == self.rules.answer;
        let free = |one: &Challenge| {
            let own = &turn.challenges[one.by as usize];
            count(one) == 1 || same && own.of(own.label(one.at as usize)).len() == 1
        };
        if turn.list.iter().all(free) { Standing::Plain } else { Standing::Chooses }
    }

    /// A challenge: who makes it, its action, the state it leads to.
    pub(super) fn challenge<'t>(&self, turn: &'t Turn, at: usize) -> (Which, Label, &'t [u64]) {
        let Challenge { by, at, .. } = turn.list[at];
        let moves = &turn.challenges[by as usize];
        (by, moves.label(at as usize), moves.target(at as usize))
    }

    /// The state that an answer leads to.
    pub(super) fn answer<'t>(&self, turn: &'t Turn, challenge: usize, answer: usize) -> &'t [u64] {
        let Challenge { by, answers, stays, .. } = turn.list[challenge];
        let other = by.other() as usize;
        if stays {
            &turn.states[other]
        } else {
            turn.answers[other].target(answers.0 as usize + answer)
        }
    }

    /// Whether a store can keep the first pair.
    pub(super) fn begins(&mut self) -> Result<(), FaultKind> {
        let states = self.movers.each_ref().map(|mover| mover.side.initial());
        self.write([&states[0], &states[1]], &mut Vec::new()).map(|_| ())
    }

    fn write(&mut self, states: [&[u64]; 2], out: &mut Vec<u64>) -> Result<u32, FaultKind> {
        let [left, right] = &mut self.movers;
        let bits = pair::write([&mut left.side, &mut right.side], states, out);
        let fits = bits < 1 << pverify_store::LENGTH_BITS;
        if fits { Ok(bits) } else { Err(FaultKind::Limit("bits of a pair of states")) }
    }
}

impl Game for Product<'_> {
    type Turn = Turn;

    fn turn(&mut self, words: &[u64]) -> Result<Turn, FaultKind> {
        let Self { movers, labels, rules, states, .. } = self;
        let ([left, right], [a, b]) = (movers, states);
        pair::read([&mut left.side, &mut right.side], words, [a, b]);
        let nothing = || Ok(Arc::new(Moves::default()));
        let challenges = [
            left.moves(a, rules.challenge, labels)?,
            if rules.both { right.moves(b, rules.challenge, labels)? } else { nothing()? },
        ];
        let answers = [
            if rules.both { left.moves(a, rules.answer, labels)? } else { nothing()? },
            right.moves(b, rules.answer, labels)?,
        ];
        let mut list = Vec::new();
        for by in [Which::Left, Which::Right] {
            let own = &challenges[by as usize];
            let others = &answers[by.other() as usize];
            for at in 0..own.len() {
                let label = own.label(at);
                let stays = label == Label::TAU && rules.answer == Unit::Visible;
                let range = if stays { 0..0 } else { others.of(label) };
                let answers = (range.start as u32, range.end as u32);
                list.push(Challenge { by, at: at as u32, answers, stays });
            }
        }
        // Those with the fewest answers first: if one has none, that is the end of it.
        list.sort_by_key(|one| one.answers.1 - one.answers.0 + u32::from(one.stays));
        Ok(Turn { states: [a.as_slice().into(), b.as_slice().into()], challenges, answers, list })
    }

    fn challenges(&self, turn: &Turn) -> usize {
        turn.list.len()
    }

    fn answers(&self, turn: &Turn, challenge: usize) -> usize {
        let Challenge { answers, stays, .. } = turn.list[challenge];
        (answers.1 - answers.0 + u32::from(stays)) as usize
    }

    fn bytes(&self, turn: &Turn) -> usize {
        let moves =
            turn.challenges.iter().chain(&turn.answers).map(|moves| moves.size()).sum::<usize>();
        let states = turn.states.iter().map(|state| state.len()).sum::<usize>();
        (moves + states) * size_of::<u64>() + turn.list.len() * size_of::<Challenge>()
    }

    fn pair(
        &mut self,
        turn: &Turn,
        challenge: usize,
        answer: usize,
        out: &mut Vec<u64>,
    ) -> Result<u32, FaultKind> {
        let (by, _, own) = self.challenge(turn, challenge);
        let other = self.answer(turn, challenge, answer);
        let states = if by == Which::Left { [own, other] } else { [other, own] };
        self.write(states, out)
    }
}

impl System for Product<'_> {
    fn initial(&self) -> Vec<u64> {
        let mut sides = [self.movers[0].side.fork(), self.movers[1].side.fork()];
        let (a, b) = (sides[0].initial(), sides[1].initial());
        let mut out = Vec::new();
        let [left, right] = &mut sides;
        pair::write([left, right], [&a, &b], &mut out);
        out
    }

    fn bits(&mut self, first: u64) -> u32 {
        pair::bits(first)
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        let turn = match self.turn(words) {
            Ok(turn) => turn,
            Err(fault) => return visitor.fault(fault, Path::NONE),
        };
        if self.standing(&turn) != Standing::Plain {
            return visitor.fault(FaultKind::Unrelated, Path::NONE);
        }
        let mut packed = std::mem::take(&mut self.packed);
        for challenge in 0..turn.list.len() {
            // What the other side asks for too has been given.
            let same = self.rules.both && self.rules.challenge == self.rules.answer;
            if same && turn.list[challenge].by == Which::Right {
                continue;
            }
            for answer in 0..self.answers(&turn, challenge) {
                match self.pair(&turn, challenge, answer, &mut packed) {
                    Ok(bits) => visitor.next(&packed, bits, Path::NONE),
                    Err(fault) => visitor.fault(fault, Path::NONE),
                }
            }
        }
        self.packed = packed;
    }

    fn fork(&self) -> Self {
        let [left, right] = &self.movers;
        Self::new([left.fork(), right.fork()], self.rules)
    }
}
