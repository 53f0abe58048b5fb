//! A model and a companion that watches it, as one system.
//!
//! A state of the product is a state of the model with the companion's number behind its last bit:
//! how many bits there are still follows from the model's first field. In front of each step of the
//! model the companion moves, on the state the model is in. So the states of the product are the
//! pairs that SPIN stores for a claim.
//!
//! Where the model cannot move, its last state is repeated for ever and the companion goes on
//! (SPIN's *stutter extension*), unless that is switched off.
//!
//! *Weak fairness*: a process that can move from some point on without a break does move. Each
//! process has an acceptance set of its own, which marks the steps that it takes and the steps from
//! states where it cannot take any; whoever does not live cannot. So a fair run is one that meets
//! all these sets again and again, and the states are the same as without fairness (Couvreur 1999
//! §5; SPIN makes copies of the states). A process takes a step that it begins: in a rendezvous the
//! sender, as in SPIN.
//!
//! Hidden variables are part of the states of a product: what is true of a run may depend on them.

use crate::companion::{Asked, Companion, Move};
use crate::control::ends_path;
use crate::marked::{Marked, MarkedVisitor, Towards};
use crate::system::System;
use pverify_native::Native;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::question::Question;
use pverify_semantics::successors::{Path, Visitor};
use pverify_temporal::automaton::Marks;

/// Which runs of the model count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Only weakly fair ones.
    pub fair: bool,
    /// Those that end too: the last state is repeated for ever.
    pub stutter: bool,
}

impl Runs {
    /// All of them, with the last state repeated where they end.
    pub const ALL: Self = Self { fair: false, stutter: true };
}

/// See the module.
#[derive(Debug)]
pub struct Product<'m, C> {
    /// Answers questions by its engine, and gives the steps.
    fast: Native<'m>,
    companion: C,
    questions: Vec<Question>,
    runs: Runs,
    initial: Vec<u64>,
    /// The state of the model, for the engine.
    state: Vec<u64>,
    moves: Vec<Move>,
    packed: Vec<u64>,
}

/// A next state of the model that waits until all are known.
#[derive(Debug)]
struct Kept {
    words: Vec<u64>,
    movers: u64,
}

impl<'m, C: Companion> Product<'m, C> {
    /// The product.
    ///
    /// # Errors
    /// When a question of the companion cannot be compiled.
    pub fn new(mut engine: Engine<'m>, companion: C, runs: Runs) -> Result<Self, FaultKind> {
        let mut questions = Vec::new();
        for expression in companion.questions() {
            questions.push(engine.question(expression)?);
        }
        let mut initial = Vec::new();
        let state = engine.initial().to_vec();
        let first = engine.visible(&state)[0];
        let frame = Frame::new(&mut engine, first, companion.bits());
        frame.pack(&state, companion.initial(), &mut initial);
        let (fast, moves, packed) = (Native::new(engine), Vec::new(), Vec::new());
        Ok(Self { fast, companion, questions, runs, initial, state, moves, packed })
    }

    /// The engine of the model.
    pub fn engine(&mut self) -> &mut Engine<'m> {
        self.fast.engine_mut()
    }

    /// A state of the product as one of the model and one of the companion.
    pub fn parts(&mut self, words: &[u64]) -> (Vec<u64>, u32) {
        let mut state = Vec::new();
        let frame = Frame::new(self.fast.engine_mut(), words[0], self.companion.bits());
        let number = frame.unpack(words, &mut state);
        (state, number)
    }

    /// The companion's part of a state of the product.
    #[inline]
    pub fn number(&mut self, words: &[u64]) -> u32 {
        let frame = Frame::new(self.fast.engine_mut(), words[0], self.companion.bits());
        frame.number(words)
    }

    /// The companion's moves in a state of the product; nothing if a question goes wrong.
    pub fn companion_moves(&mut self, words: &[u64]) -> Vec<Move> {
        let (mut state, number) = self.parts(words);
        let (engine, questions) = (self.fast.engine_mut(), self.questions.as_slice());
        let mut moves = Vec::new();
        let mut asked = Asked { engine, questions, words: &mut state };
        match self.companion.moves(number, &mut asked, &mut moves) {
            Ok(()) => moves,
            Err(_) => Vec::new(),
        }
    }
}

impl<C: Companion> Marked for Product<'_, C> {
    fn sets(&self) -> u32 {
        // Sets of processes that never live mark every step.
        if self.runs.fair { Marks::MOST } else { self.companion.sets() }
    }

    fn passes_initial(&self) -> bool {
        self.companion.passes(self.companion.initial())
    }

    fn marked_successors<V: MarkedVisitor>(&mut self, words: &[u64], visitor: &mut V) {
        let width = self.companion.bits();
        let frame = Frame::new(self.fast.engine_mut(), words[0], width);
        let number = frame.unpack(words, &mut self.state);
        self.moves.clear();
        let (engine, questions) = (self.fast.engine_mut(), self.questions.as_slice());
        let mut asked = Asked { engine, questions, words: &mut self.state };
        if let Err(fault) = self.companion.moves(number, &mut asked, &mut self.moves) {
            visitor.fault(fault, Path::NONE);
            return;
        }
        if self.moves.iter().any(|found| found.ends) {
            visitor.fault(self.companion.end(), Path::NONE);
            if !self.companion.goes_on() {
                self.moves.retain(|found| !found.ends);
            }
        }
        if self.moves.is_empty() {
            return;
        }
        let hidden = self.fast.engine_mut().hidden;
        let give = Give { moves: &self.moves, width, hidden, packed: &mut self.packed, visitor };
        if self.runs.fair {
            let sets = self.companion.sets();
            fair_successors((&mut self.fast, &self.state), give, sets, self.runs.stutter);
            return;
        }
        let mut taker = Taker { give, any: false, goes_wrong: false };
        self.fast.successors(&self.state, &mut taker);
        let Taker { mut give, any, goes_wrong } = taker;
        if !any && !goes_wrong && self.runs.stutter {
            let bits = self.fast.engine_mut().bits(self.state[hidden]);
            give.all(&self.state, bits, Marks::NONE);
        }
    }
}

/// The next states of a state under fairness: a step has the mark of everyone who takes part in it
/// or could take none. So all are known before the first is given away.
fn fair_successors<V: MarkedVisitor>(
    (fast, state): (&mut Native<'_>, &[u64]),
    give: Give<'_, V>,
    sets: u32,
    stutter: bool,
) {
    let engine = fast.engine_mut();
    let hidden = engine.hidden;
    if engine.shape(engine.shape_of(state)).processes.len() as u32 + sets > Marks::MOST {
        let fault = FaultKind::Limit("acceptance sets (one a process under --fairness weak)");
        give.visitor.fault(fault, Path::NONE);
        return;
    }
    let mut keeper = Keeper { give, kept: Vec::new(), enabled: 0, goes_wrong: false };
    fast.successors(state, &mut keeper);
    let Keeper { mut give, kept, enabled, goes_wrong } = keeper;
    let fair = |movers: u64| Marks((!enabled | movers).checked_shl(sets).unwrap_or(0));
    let any = !kept.is_empty();
    for Kept { words, movers } in kept {
        let bits = fast.engine_mut().bits(words[hidden]);
        give.all(&words, bits, fair(movers));
    }
    if !any && !goes_wrong && stutter {
        let bits = fast.engine_mut().bits(state[hidden]);
        give.all(state, bits, fair(0));
    }
}

impl<C: Companion> System for Product<'_, C> {
    fn initial(&self) -> Vec<u64> {
        self.initial.clone()
    }

    #[inline]
    fn bits(&mut self, first: u64) -> u32 {
        Frame::new(self.fast.engine_mut(), first, self.companion.bits()).bits()
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        self.marked_successors(words, &mut Unmarked(visitor));
    }

    fn fork(&self) -> Self {
        let mut fast = self.fast.fork();
        let engine = fast.engine_mut();
        // Compiled before by an engine of the same model, so nothing can be wrong with them.
        let compiled = |expression| engine.question(expression).ok();
        let questions = self.companion.questions().iter().filter_map(compiled).collect();
        Self {
            questions,
            fast,
            companion: self.companion.fork(),
            runs: self.runs,
            initial: self.initial.clone(),
            state: Vec::new(),
            moves: Vec::new(),
            packed: Vec::new(),
        }
    }

    fn join(&mut self, other: Self) {
        self.fast.engine_mut().absorb(other.fast.engine());
    }
}

/// Gives next states away without their marks.
struct Unmarked<'v, V>(&'v mut V);

impl<V: Visitor> MarkedVisitor for Unmarked<'_, V> {
    #[inline]
    fn next(&mut self, words: &[u64], bits: u32, _: Towards, path: Path<'_>) {
        self.0.next(words, bits, path);
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.0.fault(fault, path);
    }
}

/// Where the parts of a state of the product lie.
#[derive(Clone, Copy)]
struct Frame {
    /// Bits of the model's state, without hidden words.
    model: u32,
    /// Bits of the companion's number.
    width: u32,
    /// Hidden words, which come last and begin with a new word.
    hidden: usize,
}

impl Frame {
    #[inline]
    fn new(engine: &mut Engine<'_>, first: u64, width: u32) -> Self {
        Self { model: engine.bits(first), width, hidden: engine.hidden }
    }

    #[inline]
    fn bits(self) -> u32 {
        let bits = self.model + self.width;
        if self.hidden == 0 { bits } else { bits.div_ceil(64) * 64 + self.hidden as u32 * 64 }
    }

    #[inline]
    fn pack(self, state: &[u64], number: u32, packed: &mut Vec<u64>) {
        packed.clear();
        packed.extend_from_slice(&state[self.hidden..]);
        if packed.len() < (self.model + self.width).div_ceil(64) as usize {
            packed.push(0);
        }
        self.flip(number, packed);
        if self.hidden > 0 {
            packed.extend_from_slice(&state[..self.hidden]);
        }
    }

    /// Changes bits of the companion's number.
    #[inline]
    fn flip(self, bits: u32, packed: &mut [u64]) {
        let (word, shift) = (self.model as usize / 64, self.model % 64);
        if self.width > 0 {
            packed[word] ^= u64::from(bits) << shift;
            if shift + self.width > 64 {
                packed[word + 1] ^= u64::from(bits) >> (64 - shift);
            }
        }
    }

    #[inline]
    fn unpack(self, packed: &[u64], state: &mut Vec<u64>) -> u32 {
        state.clear();
        state.extend_from_slice(&packed[packed.len() - self.hidden..]);
        state.extend_from_slice(&packed[..self.model.div_ceil(64) as usize]);
        let shift = self.model % 64;
        if shift > 0
            && let Some(last) = state.last_mut()
        {
            *last &= (1 << shift) - 1;
        }
        self.number(packed)
    }

    #[inline]
    fn number(self, packed: &[u64]) -> u32 {
        if self.width == 0 {
            return 0;
        }
        let (word, shift) = (self.model as usize / 64, self.model % 64);
        let mut number = packed[word] >> shift;
        if shift + self.width > 64 {
            number |= packed[word + 1] << (64 - shift);
        }
        (number & ((1 << self.width) - 1)) as u32
    }
}

/// Gives a next state of the model away with each move of the companion.
struct Give<'a, V> {
    moves: &'a [Move],
    width: u32,
    hidden: usize,
    packed: &'a mut Vec<u64>,
    visitor: &'a mut V,
}

impl<V: MarkedVisitor> Give<'_, V> {
    #[inline]
    fn all(&mut self, words: &[u64], bits: u32, marks: Marks) {
        let frame = Frame { model: bits, width: self.width, hidden: self.hidden };
        if self.width + self.hidden as u32 == 0 {
            let each = self.moves.iter().map(|found| found.towards(marks));
            each.for_each(|to| self.visitor.next(words, bits, to, Path::NONE));
            return;
        }
        let Some((first, others)) = self.moves.split_first() else { return };
        frame.pack(words, first.target, self.packed);
        self.visitor.next(self.packed, frame.bits(), first.towards(marks), Path::NONE);
        let mut before = first.target;
        for found in others {
            // The same but for the companion's number.
            frame.flip(before ^ found.target, self.packed);
            before = found.target;
            self.visitor.next(self.packed, frame.bits(), found.towards(marks), Path::NONE);
        }
    }
}

/// Takes the next states of the model. Nobody asks for the path to them, and making it costs a tenth
/// of the time.
struct Taker<'a, V> {
    give: Give<'a, V>,
    any: bool,
    goes_wrong: bool,
}

impl<V: MarkedVisitor> Visitor for Taker<'_, V> {
    #[inline]
    fn next(&mut self, words: &[u64], bits: u32, _: Path<'_>) {
        self.any = true;
        self.give.all(words, bits, Marks::NONE);
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.goes_wrong |= ends_path(&fault);
        self.give.visitor.fault(fault, path);
    }
}

/// Keeps the next states of the model until all are known.
struct Keeper<'a, V> {
    give: Give<'a, V>,
    kept: Vec<Kept>,
    /// The processes that can take a step.
    enabled: u64,
    goes_wrong: bool,
}

impl<V: MarkedVisitor> Visitor for Keeper<'_, V> {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        let (first, movers) = path.movers();
        self.enabled |= first;
        self.kept.push(Kept { words: words.to_vec(), movers });
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.goes_wrong |= ends_path(&fault);
        self.give.visitor.fault(fault, path);
    }
}
