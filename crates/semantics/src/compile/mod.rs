//! Statements to instructions, for a process at a place of the layout.

mod action;
mod condition;
mod expression;
mod place;
mod start;

use crate::code::{Address, ChannelOperand, NO_REGISTER, Op, REGISTERS, Register};
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::shape::{Condition, EdgeCode, EdgeKind, InstanceId, Slot};
use pverify_model::machine::{Action, Owner, Place, VariableId};

pub(crate) use start::{channel_numbers, globals};

/// Compiles the edges, the `provided` clause and the start of an instance.
pub(crate) fn instance(
    engine: &mut Engine<'_>,
    id: InstanceId,
    channels_before: usize,
) -> Result<(), FaultKind> {
    let kind = engine.instances[id.0 as usize].kind;
    let process = &engine.model.processes[kind as usize];
    let start = start::process(engine, id, channels_before)?;
    let mut compiler = Compiler::new(engine, Some(id));
    let provided = match &process.provided {
        Some(condition) => {
            let address = compiler.here();
            compiler.guard(condition)?;
            compiler.emit(Op::Done);
            Some(address)
        }
        None => None,
    };
    let mut edges = Vec::new();
    for location in &process.graph.locations {
        let mut codes = Vec::new();
        for (position, edge) in location.edges.iter().enumerate() {
            compiler.used = 0;
            let code = compiler.here();
            compiler.action(&edge.action)?;
            compiler.emit(Op::Done);
            codes.push(EdgeCode {
                code,
                kind: match edge.action {
                    Action::Else => EdgeKind::Else,
                    Action::End => EdgeKind::End,
                    _ => EdgeKind::Plain,
                },
                target: edge.target.map_or(0, |target| target.0),
                atomic: edge.atomic,
                escape: edge.escape.unwrap_or(0),
                receives: begins_with_receive(&edge.action),
                position: position as u16,
                first: compiler.first_condition(code),
                waits_for_offer: compiler.waits_for_offer(code, &edge.action),
                d_step: matches!(edge.action, Action::DStep(_)),
            });
        }
        let first = compiler.engine.edges.len() as u32;
        compiler.engine.edges.extend(codes);
        edges.push((first, compiler.engine.edges.len() as u32));
    }
    engine.executed.resize(engine.edges.len(), false);
    let instance = &mut engine.instances[id.0 as usize];
    instance.edges = edges;
    instance.provided = provided;
    instance.start = start;
    Ok(())
}

fn begins_with_receive(action: &Action) -> bool {
    match action {
        Action::Receive { .. } => true,
        Action::DStep(block) => block
            .points
            .first()
            .is_some_and(|steps| steps.iter().any(|s| matches!(s.action, Action::Receive { .. }))),
        _ => false,
    }
}

/// Writes instructions for one instance (or for the globals, without one).
pub(crate) struct Compiler<'e, 'm> {
    pub(crate) engine: &'e mut Engine<'m>,
    instance: Option<InstanceId>,
    /// Registers in use; expressions take them like a stack.
    used: usize,
}

impl<'e, 'm> Compiler<'e, 'm> {
    fn new(engine: &'e mut Engine<'m>, instance: Option<InstanceId>) -> Self {
        Self { engine, instance, used: 0 }
    }

    fn here(&self) -> Address {
        self.engine.code.len() as Address
    }

    fn emit(&mut self, op: Op) {
        self.engine.code.push(op);
    }

    /// Sets the target of a jump that was written before its target was known.
    fn patch(&mut self, at: Address) {
        let target = self.here();
        match &mut self.engine.code[at as usize] {
            Op::Jump { to }
            | Op::JumpIfZero { to, .. }
            | Op::JumpIfNotZero { to, .. }
            | Op::JumpIfCompare { to, .. }
            | Op::Attempt { otherwise: Some(to) } => *to = target,
            _ => {}
        }
    }

    /// The condition that code begins with, if it is a plain one.
    fn first_condition(&self, code: Address) -> Option<Condition> {
        match self.engine.code[code as usize] {
            Op::GuardCompare { operator, field, value } => {
                Some(Condition { operator, field, value })
            }
            _ => None,
        }
    }

    /// Whether code only ever receives from a rendezvous channel that is known beforehand.
    fn waits_for_offer(&self, code: Address, action: &Action) -> bool {
        let Action::Receive { .. } = action else { return false };
        let rest = self.engine.code[code as usize..].iter();
        let channel = rest.into_iter().find_map(|op| match op {
            Op::Select { channel: ChannelOperand::Fixed(number), .. } => Some(*number as usize),
            _ => None,
        });
        let own = self.instance.map(|id| &self.engine.instances[id.0 as usize]);
        let globals = &self.engine.shapes[0].channels;
        // Only global channels have the same number in every shape.
        own.is_some()
            && channel.and_then(|number| globals.get(number - 1)).is_some_and(|f| f.capacity == 0)
    }

    fn register(&mut self) -> Result<Register, FaultKind> {
        if self.used + 1 >= REGISTERS {
            return Err(FaultKind::Limit("registers for one statement"));
        }
        self.used += 1;
        Ok((self.used - 1) as Register)
    }

    fn slot(&self, owner: Owner, variable: VariableId) -> &Slot {
        match (owner, self.instance) {
            (Owner::Local, Some(id)) => {
                &self.engine.instances[id.0 as usize].locals[variable.index()]
            }
            _ => &self.engine.globals[variable.index()],
        }
    }

    /// The number of the process this code belongs to.
    fn pid(&self) -> i32 {
        self.instance.map_or(0, |id| i32::from(self.engine.instances[id.0 as usize].pid))
    }

    fn place_slot(&self, place: &Place) -> Slot {
        self.slot(place.owner, place.variable).clone()
    }

    fn optional(&mut self, register: Option<Register>) -> Register {
        register.unwrap_or(NO_REGISTER)
    }
}
