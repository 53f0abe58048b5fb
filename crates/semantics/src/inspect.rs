//! What a state holds, in words for people: variables, locations, channels and their messages.

use crate::engine::Engine;
use crate::shape::{ChannelFrame, Slot};
use pverify_model::layout::{Element, Field, Storage};
use pverify_model::machine::{ChannelShape, Variable};
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
                        let number = *first + at as u8;
                        values.push(Value { pid, name, value: self.contents(number, words) });
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
    fn contents(&self, number: u8, words: &[u64]) -> String {
        let messages = self.messages(number, words);
        let messages = messages.iter().map(|message| self.show_message(number, message, words));
        format!("[{}]", messages.collect::<Vec<_>>().join(" "))
    }

    /// A message of a channel as a person writes it.
    pub fn show_message(&self, number: u8, message: &[i32], words: &[u64]) -> String {
        let shape = self.shape(self.shape_of(words));
        let Some(frame) = shape.channels.get(usize::from(number).wrapping_sub(1)) else {
            return String::new();
        };
        let fields = frame.fields.iter().zip(message);
        let fields: Vec<String> =
            fields.map(|(&(_, _, kind), &value)| self.show(kind, value)).collect();
        if fields.len() == 1 { fields.join("") } else { format!("({})", fields.join(",")) }
    }

    /// The messages of a channel, by its number, oldest first.
    pub fn messages(&self, number: u8, words: &[u64]) -> Vec<Vec<i32>> {
        let id = self.shape_of(words);
        let channels = &self.shape(id).channels;
        let Some(frame) = channels.get(usize::from(number).wrapping_sub(1)) else {
            return Vec::new();
        };
        if frame.capacity == 0 {
            return Vec::new();
        }
        let base = match frame.capacity {
            ChannelShape::UNBOUNDED => self.tail_base(id.0, number, words),
            _ => frame.base,
        };
        let messages = (0..frame.length.get(words) as u32).map(|slot| {
            let at = |offset| base + slot * frame.stride + offset;
            let fields = frame.fields.iter();
            fields.map(|&(offset, bits, _)| Field::at(at(offset), bits).get(words)).collect()
        });
        messages.collect()
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
