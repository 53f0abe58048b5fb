//! Statements to instructions, for a process at a place of the layout.

mod action;
mod condition;
mod expression;
mod place;
mod start;

use crate::code::{Address, ChannelOperand, NO_REGISTER, Op, REGISTERS, Register};
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::guard::Guard;
use crate::shape::{EdgeCode, EdgeKind, Gate, InstanceId, Range, Slot};
use pverify_model::machine::{Action, Owner, Place, VariableId};

pub(crate) use start::globals;

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
    let ranges = compiler.engine.ranges.len() as u32;
    for location in &process.graph.locations {
        let mut codes = Vec::new();
        for (position, edge) in location.edges.iter().enumerate() {
            compiler.used = 0;
            let code = compiler.here();
            compiler.action(&edge.action)?;
            compiler.emit(Op::Done);
            let compiled = EdgeCode {
                code,
                effect: code,
                guards: (0, 0),
                kind: match edge.action {
                    Action::Else => EdgeKind::Else,
                    Action::End => EdgeKind::End,
                    _ => EdgeKind::Plain,
                },
                target: edge.target.map_or(0, |target| target.0),
                atomic: edge.atomic,
                escape: edge.escape.unwrap_or(0),
                receives: begins_with_receive(&edge.action),
                channel: compiler.receives_from(code, &edge.action),
                position: position as u16,
                d_step: matches!(edge.action, Action::DStep(_)),
            };
            codes.push(compiler.gate(compiled, &edge.action));
        }
        compiler.location(codes);
    }
    engine.executed.resize(engine.edges.len(), false);
    let instance = &mut engine.instances[id.0 as usize];
    instance.ranges = ranges;
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

    /// Takes the conditions that code begins with out of it, so that they can be asked first.
    fn gate(&mut self, mut edge: EdgeCode, action: &Action) -> (EdgeCode, Guard) {
        if self.waits_for_offer(&edge, action) {
            return (edge, Guard::NEVER);
        }
        let mut guards = Vec::new();
        while let Op::GuardCompare { operator, field, value } =
            self.engine.code[edge.effect as usize]
            && let Some(guard) = Guard::new(operator, field, value)
        {
            guards.push(guard);
            edge.effect += 1;
        }
        let Some((&first, rest)) = guards.split_first() else { return (edge, Guard::ALWAYS) };
        edge.guards = (self.engine.guards.len() as u32, rest.len() as u16);
        self.engine.guards.extend_from_slice(rest);
        (edge, first)
    }

    /// Adds the edges of the next location.
    fn location(&mut self, codes: Vec<(EdgeCode, Guard)>) {
        let first = self.engine.edges.len() as u32;
        for (at, &(edge, guard)) in codes.iter().enumerate() {
            let alike = codes[at..].iter().take_while(|(_, other)| *other == guard);
            let skip = alike.count().min(usize::from(u16::MAX)) as u16;
            self.engine.edges.push(edge);
            self.engine.gates.push(Gate { guard, skip });
        }
        let last = self.engine.edges.len() as u32;
        let receives = codes.iter().any(|(edge, _)| edge.receives);
        self.engine.ranges.push(Range { first, last, receives });
    }

    /// The only channel that an action can receive from, if that is known beforehand, or 0.
    fn receives_from(&self, code: Address, action: &Action) -> u8 {
        let Action::Receive { .. } = action else { return 0 };
        let channel = self.engine.code[code as usize..].iter().find_map(|op| match op {
            Op::Select { channel: ChannelOperand::Fixed(number), .. } => Some(*number),
            _ => None,
        });
        channel.unwrap_or(0)
    }

    /// Whether an edge only ever receives from a rendezvous channel that is known beforehand.
    fn waits_for_offer(&self, edge: &EdgeCode, action: &Action) -> bool {
        let Action::Receive { .. } = action else { return false };
        let globals = &self.engine.shapes[0].channels;
        // Only global channels have the same number in every shape.
        let channel = usize::from(edge.channel).checked_sub(1).and_then(|at| globals.get(at));
        self.instance.is_some() && channel.is_some_and(|frame| frame.capacity == 0)
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
