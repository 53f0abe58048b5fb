//! What watches a system: an automaton that moves with it, and asks about the state it is in.
//!
//! A companion moves first, on the state that the system is in, and then the system does, as SPIN's
//! claims do; where the companion cannot move, the run is of no interest. [`formula`] is the automaton
//! of a formula, [`claim`] a `never` claim, [`labels`] no more than a look at labels; [`along`] asks one
//! about a run that is given.

pub mod along;
pub mod claim;
pub mod formula;
pub mod labels;

use crate::marked::Towards;
use pverify_model::machine::{Expression, Location};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::question::Question;
use pverify_temporal::automaton::Marks;

/// An automaton beside a system.
pub trait Companion: Send + Sized {
    /// What it asks about a state; later questions go by the number in this list.
    fn questions(&self) -> &[Expression];

    /// How many bits its states need.
    fn bits(&self) -> u32;

    /// The state it starts in.
    fn initial(&self) -> u32;

    /// How many acceptance sets it has.
    fn sets(&self) -> u32;

    /// What it means when it has come to its end.
    fn end(&self) -> FaultKind;

    /// Whether it is known that it cannot come back to a state through all its acceptance sets:
    /// no accepting cycle of a product goes through the state then.
    fn passes(&self, state: u32) -> bool {
        let _ = state;
        false
    }

    /// Whether it is of interest what comes behind its end.
    fn goes_on(&self) -> bool {
        false
    }

    /// Its moves from a state, in the state of the system that can be asked.
    ///
    /// # Errors
    /// When a question goes wrong.
    fn moves(
        &mut self,
        state: u32,
        asked: &mut Asked<'_, '_>,
        moves: &mut Vec<Move>,
    ) -> Result<(), FaultKind>;

    /// The same for another worker.
    fn fork(&self) -> Self;
}

/// A move of a companion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The state it leads to.
    pub target: u32,
    /// The acceptance sets that mark it.
    pub marks: Marks,
    /// With it the companion has come to its end: what it looks for was found.
    pub ends: bool,
    /// Whether it [passes](Companion::passes) the state.
    pub passes: bool,
}

impl Move {
    /// What a step with it means, if the system marks it too.
    #[inline]
    pub(crate) fn towards(&self, marks: Marks) -> Towards {
        Towards { marks: self.marks.union(marks), passes: self.passes }
    }
}

/// A state of the system, to ask about.
#[derive(Debug)]
pub struct Asked<'a, 'm> {
    pub(crate) engine: &'a mut Engine<'m>,
    pub(crate) questions: &'a [Question],
    pub(crate) words: &'a mut Vec<u64>,
}

impl Asked<'_, '_> {
    /// The answer to a question by its number.
    ///
    /// # Errors
    /// When it goes wrong.
    #[inline]
    pub fn holds(&mut self, question: usize) -> Result<bool, FaultKind> {
        match self.questions.get(question) {
            Some(&question) => self.engine.ask(question, self.words),
            None => Ok(false),
        }
    }

    /// Whether some process stands at a location of a kind.
    pub fn any_stands(&self, kind: impl Fn(&Location) -> bool) -> bool {
        self.engine.any_stands(self.words, kind)
    }
}

/// Bits for the numbers below `count`.
pub(crate) fn bits_for(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}
