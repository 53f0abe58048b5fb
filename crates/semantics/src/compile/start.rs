//! First values: what the variables of a process, or of the model, hold when they come into being.

use super::Compiler;
use crate::code::{Address, Op, Register};
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::shape::{InstanceId, Slot};
use pverify_model::layout::{Element, Field, Storage};
use pverify_model::machine::{ChannelShape, Initial, Model, Variable};
use pverify_model::types::Type;

/// The channels that some variables bring along.
pub(crate) struct Numbered<'m> {
    /// The channels in the order of their numbers.
    pub(crate) shapes: Vec<&'m ChannelShape>,
    /// For each variable the number of its first channel.
    pub(crate) first: Vec<usize>,
}

/// Numbers channels as SPIN does: those of plain variables in the order of the text, then those
/// inside structures. The numbers matter: a model may send a channel where others send a constant.
pub(crate) fn channel_numbers<'m>(
    model: &'m Model,
    variables: &'m [Variable],
    before: usize,
) -> Numbered<'m> {
    let mut numbered = Numbered { shapes: Vec::new(), first: vec![0; variables.len()] };
    for plain in [true, false] {
        for (at, variable) in variables.iter().enumerate() {
            if (variable.kind == Type::Chan) == plain {
                numbered.first[at] = before + numbered.shapes.len() + 1;
                channels_of(model, variable, &mut numbered.shapes);
            }
        }
    }
    numbered
}

fn channels_of<'m>(model: &'m Model, variable: &'m Variable, channels: &mut Vec<&'m ChannelShape>) {
    for _ in 0..variable.length.unwrap_or(1) {
        match (&variable.initial, variable.kind) {
            (Initial::Channel(shape), _) => channels.push(shape),
            (Initial::Parameter, _) => {}
            (_, Type::Struct(id)) => {
                for field in &model.structs[id.index()].fields {
                    channels_of(model, field, channels);
                }
            }
            _ => {}
        }
    }
}

/// The code that starts the global variables.
pub(crate) fn globals(engine: &mut Engine<'_>) -> Result<Address, FaultKind> {
    let model = engine.model;
    let mut compiler = Compiler::new(engine, None);
    let start = compiler.here();
    let numbered = channel_numbers(model, &model.globals, 0);
    for (at, variable) in model.globals.iter().enumerate() {
        if let Slot::Stored(storage) = compiler.engine.globals[at].clone() {
            let mut channel = numbered.first[at] as i32 - 1;
            compiler.first_value(variable, &storage, 0, &mut channel)?;
        }
    }
    compiler.emit(Op::Done);
    Ok(start)
}

/// The code that starts the variables of a process; its parameters are in the first registers.
pub(super) fn process(
    engine: &mut Engine<'_>,
    id: InstanceId,
    channels_before: usize,
) -> Result<Address, FaultKind> {
    let kind = engine.instances[id.0 as usize].kind;
    let process = &engine.model.processes[kind as usize];
    let mut compiler = Compiler::new(engine, Some(id));
    let start = compiler.here();
    let locals = compiler.engine.instances[id.0 as usize].locals.clone();
    let mut parameter = 0usize;
    for slot in &locals[..process.parameters as usize] {
        if let Slot::Stored(storage) = slot {
            compiler.parameter(storage, 0, &mut parameter);
        }
    }
    let numbered = channel_numbers(compiler.engine.model, &process.locals, channels_before);
    for (at, variable) in process.locals.iter().enumerate().skip(process.parameters as usize) {
        if let Slot::Stored(storage) = &locals[at] {
            compiler.used = parameter;
            let mut channel = numbered.first[at] as i32 - 1;
            compiler.first_value(variable, storage, 0, &mut channel)?;
        }
    }
    compiler.emit(Op::Done);
    Ok(start)
}

impl Compiler<'_, '_> {
    /// Stores parameters, field by field.
    fn parameter(&mut self, storage: &Storage, offset: u32, next: &mut usize) {
        for element in 0..storage.length {
            let at = offset + storage.base + element * storage.stride;
            match &storage.element {
                Element::Scalar(bits) => {
                    let field = Field::at(at, *bits);
                    self.emit(Op::Store { field, from: *next as Register });
                    *next += 1;
                }
                Element::Structure(parts) => {
                    for part in parts {
                        self.parameter(part, at, next);
                    }
                }
            }
        }
    }

    fn first_value(
        &mut self,
        variable: &Variable,
        storage: &Storage,
        offset: u32,
        channel: &mut i32,
    ) -> Result<(), FaultKind> {
        let keep = self.used;
        let value = match &variable.initial {
            Initial::Value(expression) => Some(self.expression(expression)?),
            _ => None,
        };
        for element in 0..storage.length {
            let at = offset + storage.base + element * storage.stride;
            match (&storage.element, variable.kind) {
                (Element::Structure(parts), Type::Struct(id)) => {
                    let model = self.engine.model;
                    let fields = &model.structs[id.index()].fields;
                    for (part, field) in parts.iter().zip(fields) {
                        self.first_value(field, part, at, channel)?;
                    }
                }
                (Element::Scalar(bits), _) => {
                    let field = Field::at(at, *bits);
                    match (&variable.initial, value) {
                        (_, Some(from)) => self.emit(Op::Store { field, from }),
                        (Initial::List(values), _) => {
                            // As SPIN: the last value goes to the elements that are left.
                            let value = values.get(element as usize).or(values.last());
                            let value = value.copied().unwrap_or(0);
                            self.store_constant(field, value);
                        }
                        (Initial::Channel(_), _) => {
                            *channel += 1;
                            self.store_constant(field, *channel);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        self.used = keep;
        Ok(())
    }
}
