//! What a state holds, in words for people: variables, locations, channels and their messages.

use crate::engine::Engine;
use crate::shape::{ChannelFrame, Slot};
use pverify_model::layout::{Element, Field, Storage};
use pverify_model::machine::Variable;
use pverify_model::types::Type;

/// A named value of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The process it belongs to; `None` for globals and channels.
    pub pid: Option<usize>,
    /// Its name, with index and field.
    pub name: String,
    /// Its value as a person writes it.
    pub value: String,
}

impl Engine<'_> {
    /// Every variable and channel of a state.
    pub fn values(&self, words: &[u64]) -> Vec<Value> {
        let shape = self.shape(self.shape_of(words));
        let mut values = Vec::new();
        for (variable, slot) in self.model.globals.iter().zip(&self.globals) {
            self.variable(None, variable, slot, words, &shape.channels, &mut values);
        }
        for (pid, id) in shape.processes.iter().enumerate() {
            let process = &self.instances[id.0 as usize];
            let locals = &self.model.processes[process.kind as usize].locals;
            for (variable, slot) in locals.iter().zip(&process.locals) {
                self.variable(Some(pid), variable, slot, words, &shape.channels, &mut values);
            }
        }
        values
    }

    fn variable(
        &self,
        pid: Option<usize>,
        variable: &Variable,
        slot: &Slot,
        words: &[u64],
        channels: &[ChannelFrame],
        values: &mut Vec<Value>,
    ) {
        match slot {
            Slot::Channels { first, length } => {
                for at in 0..*length {
                    let Some(frame) = channels.get(*first as usize + at as usize - 1) else {
                        continue;
                    };
                    if frame.capacity > 0 {
                        let name = indexed(&variable.name, variable.length.map(|_| at));
                        values.push(Value { pid, name, value: self.contents(frame, words) });
                    }
                }
            }
            Slot::Stored(storage) => {
                let name = variable.name.to_string();
                self.stored(pid, &name, variable, storage, 0, words, values);
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a walk over a structure")]
    fn stored(
        &self,
        pid: Option<usize>,
        name: &str,
        variable: &Variable,
        storage: &Storage,
        offset: u32,
        words: &[u64],
        values: &mut Vec<Value>,
    ) {
        for at in 0..storage.length {
            let name = indexed(name, variable.length.map(|_| at));
            let address = offset + storage.base + at * storage.stride;
            match (&storage.element, variable.kind) {
                (Element::Scalar(bits), kind) => {
                    let value = Field::at(address, *bits).get(words);
                    values.push(Value { pid, name, value: self.show(kind, value) });
                }
                (Element::Constant(value), kind) => {
                    values.push(Value { pid, name, value: self.show(kind, *value) });
                }
                (Element::Structure(parts), Type::Struct(id)) => {
                    let fields = &self.model.structs[id.index()].fields;
                    for (part, field) in parts.iter().zip(fields) {
                        let name = format!("{name}.{}", field.name);
                        self.stored(pid, &name, field, part, address, words, values);
                    }
                }
                _ => {}
            }
        }
    }

    /// The messages of a channel, oldest first.
    fn contents(&self, frame: &ChannelFrame, words: &[u64]) -> String {
        let messages = (0..frame.length.get(words) as u32).map(|slot| {
            let fields = frame.fields.iter().map(|&(offset, bits, kind)| {
                let at = frame.base + slot * frame.stride + offset;
                self.show(kind, Field::at(at, bits).get(words))
            });
            let fields: Vec<String> = fields.collect();
            if fields.len() == 1 { fields.join("") } else { format!("({})", fields.join(",")) }
        });
        format!("[{}]", messages.collect::<Vec<_>>().join(" "))
    }

    /// A value as a person writes it.
    pub fn show(&self, kind: Type, value: i32) -> String {
        let name = match kind {
            Type::Mtype(subtype) => self.model.mtypes.name(subtype, value),
            _ => None,
        };
        name.map_or_else(|| value.to_string(), ToString::to_string)
    }
}

fn indexed(name: &str, index: Option<u32>) -> String {
    match index {
        Some(index) => format!("{name}[{index}]"),
        None => name.to_owned(),
    }
}
