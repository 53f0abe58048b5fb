//! Questions about a state to instructions: propositions of formulas, conditions of claims.

use super::Compiler;
use crate::code::{Address, Op};
use crate::engine::Engine;
use crate::fault::FaultKind;
use pverify_model::machine::Expression;

/// Code that is done where the expression is not zero, and blocked where it is. Nobody asks: it
/// belongs to no process.
pub(crate) fn question(
    engine: &mut Engine<'_>,
    expression: &Expression,
) -> Result<Address, FaultKind> {
    let mut compiler = Compiler::new(engine, None);
    compiler.mark();
    let address = compiler.here();
    compiler.guard(expression)?;
    compiler.emit(Op::Done);
    Ok(address)
}
