//! Channels: the numbers they get, and the variables that always hold the same one.

use crate::machine::{ChannelShape, Initial, Model, Owner, Variable};
use crate::types::Type;
use crate::walk;

/// The channels that some variables bring along.
#[derive(Debug)]
pub struct Numbered<'m> {
    /// The channels in the order of their numbers.
    pub shapes: Vec<&'m ChannelShape>,
    /// For each variable the number of its first channel.
    pub first: Vec<usize>,
}

/// Numbers channels as SPIN does: those of plain variables in the order of the text, then those
/// inside structures. The numbers matter: a model may send a channel where others send a constant.
pub fn numbered<'m>(model: &'m Model, variables: &'m [Variable], before: usize) -> Numbered<'m> {
    let mut found = Numbered { shapes: Vec::new(), first: vec![0; variables.len()] };
    for plain in [true, false] {
        for (at, variable) in variables.iter().enumerate() {
            if (variable.kind == Type::Chan) == plain {
                found.first[at] = before + found.shapes.len() + 1;
                channels_of(model, variable, &mut found.shapes);
            }
        }
    }
    found
}

/// The names of the channels that some variables bring along, in the order of their numbers: `c`,
/// `c[2]`, `record.c`.
pub fn names(model: &Model, variables: &[Variable]) -> Vec<String> {
    let mut names = Vec::new();
    for plain in [true, false] {
        for variable in variables.iter().filter(|v| (v.kind == Type::Chan) == plain) {
            names_of(model, variable, "", &mut names);
        }
    }
    names
}

/// As deep as structures are nested, which no structure is in itself.
fn names_of(model: &Model, variable: &Variable, before: &str, names: &mut Vec<String>) {
    for at in 0..variable.length.unwrap_or(1) {
        let index = variable.length.map_or_else(String::new, |_| format!("[{at}]"));
        let name = format!("{before}{}{index}", variable.name);
        match (&variable.initial, variable.kind) {
            (Initial::Channel(_), _) => names.push(name),
            (Initial::Parameter, _) => {}
            (_, Type::Struct(id)) => {
                for field in &model.structs[id.index()].fields {
                    names_of(model, field, &format!("{name}."), names);
                }
            }
            _ => {}
        }
    }
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

/// Which variables of type `chan` always hold the channels they start with: first those of the
/// model, then those of each process type.
pub fn constant(model: &Model) -> Vec<Vec<bool>> {
    let starts_as_channel = |variables: &[Variable]| -> Vec<bool> {
        let starts =
            |v: &Variable| v.kind == Type::Chan && matches!(v.initial, Initial::Channel(_));
        variables.iter().map(starts).collect()
    };
    let mut constant = vec![starts_as_channel(&model.globals)];
    constant.extend(model.processes.iter().map(|process| starts_as_channel(&process.locals)));
    for (kind, process) in model.processes.iter().enumerate() {
        for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
            walk::written_places(&edge.action, &mut |place| {
                let owner = if place.owner == Owner::Global { 0 } else { kind + 1 };
                constant[owner][place.variable.index()] = false;
            });
        }
    }
    constant
}
