//! First values: what the variables of a process, or of the model, hold when they come into being.

use super::Compiler;
use crate::code::{Address, Op, Register};
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::shape::{InstanceId, Slot};
use pverify_model::channels::numbered;
use pverify_model::layout::{Element, Field, Storage};
use pverify_model::machine::{Initial, Variable};
use pverify_model::types::Type;

/// The code that starts the global variables.
pub(crate) fn globals(engine: &mut Engine<'_>) -> Result<Address, FaultKind> {
    let model = engine.model;
    let mut compiler = Compiler::new(engine, None);
    let start = compiler.here();
    let numbered = numbered(model, &model.globals, 0);
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
    let numbered = numbered(compiler.engine.model, &process.locals, channels_before);
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
                    self.store_field(Field::at(at, *bits), *next as Register);
                    *next += 1;
                }
                Element::Constant(value) => {
                    self.emit(Op::Expect { from: *next as Register, value: *value });
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
                    match (value, first_constant(variable, element, channel)) {
                        (Some(from), _) => self.store_field(field, from),
                        (None, 0) => {} // A state is zero before.
                        (None, first) => self.store_constant(field, first)?,
                    }
                }
                (Element::Constant(always), _) => {
                    match (value, first_constant(variable, element, channel)) {
                        (Some(from), _) => self.emit(Op::Expect { from, value: *always }),
                        (None, first) if first == *always => {}
                        (None, first) => return Err(FaultKind::Misfit(first)),
                    }
                }
                _ => {}
            }
        }
        self.used = keep;
        Ok(())
    }
}

/// What an element starts with, unless it is calculated.
fn first_constant(variable: &Variable, element: u32, channel: &mut i32) -> i32 {
    match &variable.initial {
        Initial::List(values) => {
            // As SPIN: the last value goes to the elements that are left.
            values.get(element as usize).or(values.last()).copied().unwrap_or(0)
        }
        Initial::Channel(_) => {
            *channel += 1;
            *channel
        }
        Initial::Zero | Initial::Value(_) | Initial::Parameter => 0,
    }
}
