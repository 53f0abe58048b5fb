//! A companion that only looks whether some process stands at an `accept` label.

use super::{Asked, Companion, Move};
use pverify_model::machine::Expression;
use pverify_semantics::fault::FaultKind;
use pverify_temporal::automaton::Marks;

/// See the module. It has one state, and one acceptance set that marks the steps from states where
/// a process stands at such a label.
#[derive(Clone, Copy, Debug, Default)]
pub struct AcceptLabels;

impl Companion for AcceptLabels {
    fn questions(&self) -> &[Expression] {
        &[]
    }

    fn bits(&self) -> u32 {
        0
    }

    fn initial(&self) -> u32 {
        0
    }

    fn sets(&self) -> u32 {
        1
    }

    fn end(&self) -> FaultKind {
        FaultKind::ClaimEnded
    }

    fn moves(
        &mut self,
        state: u32,
        asked: &mut Asked<'_, '_>,
        moves: &mut Vec<Move>,
    ) -> Result<(), FaultKind> {
        let accepts = asked.any_stands(|location| location.accept);
        let marks = if accepts { Marks::one(0) } else { Marks::NONE };
        moves.push(Move { target: state, marks, ends: false, passes: false });
        Ok(())
    }

    fn fork(&self) -> Self {
        *self
    }
}
