//! Statements to instructions, for a process at a place of the layout.

mod action;
mod condition;
mod expression;
mod place;
mod question;
mod start;

use crate::code::{Address, ChannelOperand, NO_REGISTER, Op, REGISTERS, Register};
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::guard::Guard;
use crate::shape::{EdgeCode, EdgeKind, Gate, InstanceId, Range, Slot, channel_bit};
use pverify_model::layout::Field;
use pverify_model::machine::{Action, Owner, Place, VariableId};
use pverify_syntax::ast::BinaryOperator;

pub(crate) use question::question;
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
            compiler.mark();
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
            compiler.mark();
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
    /// No instruction before this one may still change: jumps lead here.
    marked: Address,
}

impl<'e, 'm> Compiler<'e, 'm> {
    fn new(engine: &'e mut Engine<'m>, instance: Option<InstanceId>) -> Self {
        Self { engine, instance, used: 0, marked: 0 }
    }

    fn here(&self) -> Address {
        self.engine.code.len() as Address
    }

    fn emit(&mut self, op: Op) {
        self.engine.code.push(op);
    }

    /// Jumps may lead here.
    fn mark(&mut self) {
        self.marked = self.here();
    }

    /// Stores a constant, together with the one before if that is in the same word.
    fn emit_patch(&mut self, field: Field, value: i32) {
        let (keep, set) = field.patch(value);
        let before = self.here().checked_sub(1).filter(|&before| before >= self.marked);
        if let Some(before) = before
            && let Op::Patch { word, keep: kept, set: was } = &mut self.engine.code[before as usize]
            && *word == field.word
        {
            *kept &= keep;
            *was = *was & keep | set;
            return;
        }
        self.emit(Op::Patch { word: field.word, keep, set });
    }

    /// Sets the target of a jump that was written before its target was known.
    fn patch(&mut self, at: Address) {
        self.mark();
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
            let needs = self.needs(&edge);
            self.engine.edges.push(edge);
            self.engine.gates.push(Gate { guard, needs, skip });
        }
        let last = self.engine.edges.len() as u32;
        let receivers = || codes.iter().map(|(edge, _)| edge).filter(|edge| edge.receives);
        let hears = receivers().fold(0, |heard, edge| match edge.channel {
            0 => u64::MAX,
            channel => heard | channel_bit(channel),
        });
        let receives = receivers().next().is_some();
        self.engine.ranges.push(Range { first, last, receives, hears });
    }

    /// The rendezvous channel that an edge sends to, if nothing else happens where nobody hears it:
    /// no fault in what is sent, no event that a trace follows, no choice to complain of.
    fn needs(&self, edge: &EdgeCode) -> u64 {
        let process = self.instance.map(|id| self.engine.instances[id.0 as usize].kind);
        let promises =
            process.is_some_and(|at| self.engine.model.processes[at as usize].deterministic);
        if edge.escape > 0 || edge.d_step || promises || self.engine.events.is_some() {
            return 0;
        }
        for op in &self.engine.code[edge.effect as usize..] {
            match *op {
                Op::Constant { .. } | Op::Load { .. } | Op::Unary { .. } | Op::Truth { .. } => {}
                Op::Binary { operator, .. } | Op::BinaryConstant { operator, .. }
                    if !matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder) => {}
                Op::Send { channel: ChannelOperand::Fixed(number), count, .. } => {
                    // Only global channels have the same number in every shape.
                    let globals = &self.engine.shapes[0].channels;
                    let frame = usize::from(number).checked_sub(1).and_then(|at| globals.get(at));
                    let plain = frame.is_some_and(|frame| {
                        frame.capacity == 0 && frame.fields.len() == usize::from(count)
                    });
                    return if plain { channel_bit(number) } else { 0 };
                }
                _ => return 0,
            }
        }
        0
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
