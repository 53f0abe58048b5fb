//! The same model with channels of another capacity, or with channels that lose messages.
//!
//! Capacities are lifted to ask whether a channel can grow without bound, and set to ask how large
//! it must be. Rendezvous channels stay what they are: they hold nothing. Hidden variables become
//! part of the state, because what a loop can do again depends on them too.
//!
//! A channel that loses messages loses them when they are sent. As far as anybody can see that is
//! the same as losing them later: a lost message is one that is never received.

use crate::channels::numbered;
use crate::machine::{
    Action, ChannelShape, Edge, Initial, Model, Owner, Place, ProcessKind, Variable, VariableId,
};
use crate::machines::MONITOR;
use crate::types::Type;
use pverify_syntax::ast::Visibility;
use pverify_syntax::source::Span;

/// The model without capacities, and without the process that watches for bad states.
#[must_use]
pub fn lifted(model: &Model) -> Model {
    let mut model = with_capacities(model, &mut |_, _| ChannelShape::UNBOUNDED);
    if model.processes.last().is_some_and(|process| *process.name == *MONITOR) {
        model.processes.pop();
    }
    model
}

/// The model with capacities of its buffered channels as `capacity` says: it is given the name of
/// the variable and the capacity it has. Hidden variables are shown.
#[must_use]
pub fn with_capacities(model: &Model, capacity: &mut dyn FnMut(&str, u32) -> u32) -> Model {
    let mut model = model.clone();
    let structs = model.structs.iter_mut().flat_map(|structure| &mut structure.fields);
    let locals = model.processes.iter_mut().flat_map(|process| &mut process.locals);
    for variable in model.globals.iter_mut().chain(locals).chain(structs) {
        if let Initial::Channel(shape) = &mut variable.initial
            && shape.capacity > 0
        {
            shape.capacity = capacity(&variable.name, shape.capacity).max(1);
        }
        if variable.visibility == Some(Visibility::Hidden) {
            variable.visibility = None;
        }
    }
    model
}

/// Why a channel cannot lose messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotLossy {
    /// No global channel has this name.
    Unknown,
    /// It is a rendezvous channel, which has no messages to lose.
    Rendezvous,
    /// A `d_step`, which has no choices, sends to it.
    DStep(Span),
    /// A channel that is not known beforehand may be it.
    Variable(Span),
}

/// Makes a global channel lose messages: beside each step that sends to it there is one that does
/// the same without sending.
///
/// # Errors
/// Where losing messages cannot be said in the model.
pub fn make_lossy(model: &mut Model, name: &str) -> Result<(), NotLossy> {
    let position = model.globals.iter().position(|variable| *variable.name == *name);
    let variable = VariableId(position.ok_or(NotLossy::Unknown)? as u32);
    match &model.globals[variable.index()] {
        Variable { initial: Initial::Channel(ChannelShape { capacity: 0, .. }), .. } => {
            return Err(NotLossy::Rendezvous);
        }
        Variable { initial: Initial::Channel(_), kind: Type::Chan, .. } => {}
        _ => return Err(NotLossy::Unknown),
    }
    let lossy = |place: &Place| place.owner == Owner::Global && place.variable == variable;
    let constant = crate::channels::constant(model);
    let fixed = |kind: usize, place: &Place| {
        let owner = if place.owner == Owner::Global { 0 } else { kind + 1 };
        constant[owner][place.variable.index()]
    };
    for (kind, process) in model.processes.iter().enumerate() {
        for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
            let mut problem = None;
            crate::walk::actions(&edge.action, edge.span, &mut |action, span| {
                if let Action::Send { channel, .. } = action {
                    if !fixed(kind, channel) {
                        problem = Some(NotLossy::Variable(span));
                    } else if lossy(channel) && matches!(edge.action, Action::DStep(_)) {
                        problem = Some(NotLossy::DStep(span));
                    }
                }
            });
            if let Some(problem) = problem {
                return Err(problem);
            }
        }
    }
    let mut next = greatest_edge(model) + 1;
    for process in &mut model.processes {
        if !matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init) {
            continue;
        }
        for location in &mut process.graph.locations {
            let mut edges = Vec::with_capacity(location.edges.len());
            for edge in location.edges.drain(..) {
                let loses = matches!(&edge.action, Action::Send { channel, .. } if lossy(channel));
                let lost = Edge { id: next, action: Action::Skip, ..edge.clone() };
                edges.push(edge);
                if loses {
                    next += 1;
                    edges.push(lost);
                }
            }
            location.edges = edges;
        }
    }
    Ok(())
}

fn greatest_edge(model: &Model) -> u32 {
    let locations = model.processes.iter().flat_map(|process| &process.graph.locations);
    locations.flat_map(|location| &location.edges).map(|edge| edge.id).max().unwrap_or(0)
}

/// The names of the channels that exist from the start, in the order of their numbers: the variable
/// and, where it is an array or a structure, which part of it.
pub fn channel_names(model: &Model) -> Vec<String> {
    names_of(model, &model.globals, 0)
}

/// The names of the channels that some variables bring along, in the order of their numbers.
pub fn names_of(model: &Model, variables: &[Variable], before: usize) -> Vec<String> {
    let numbered = numbered(model, variables, before);
    let mut names = vec![String::new(); numbered.shapes.len()];
    for (at, variable) in variables.iter().enumerate() {
        let first = numbered.first[at] - before - 1;
        let mut found = Vec::new();
        parts(model, variable, &variable.name, &mut found);
        for (name, slot) in found.into_iter().zip(names.iter_mut().skip(first)) {
            *slot = name;
        }
    }
    names
}

fn parts(model: &Model, variable: &Variable, name: &str, found: &mut Vec<String>) {
    for index in 0..variable.length.unwrap_or(1) {
        let name = match variable.length {
            Some(_) => format!("{name}[{index}]"),
            None => name.to_owned(),
        };
        match (&variable.initial, variable.kind) {
            (Initial::Channel(_), _) => found.push(name),
            (Initial::Parameter, _) => {}
            (_, Type::Struct(id)) => {
                for field in &model.structs[id.index()].fields {
                    parts(model, field, &format!("{name}.{}", field.name), found);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::load_text;

    const MODEL: &str = "chan c = [2] of { byte }; chan r = [0] of { byte }; hidden byte h;
        typedef T { chan d[2] = [3] of { byte } }; T t;
        active proctype P() { c!1; if :: d_step { c!2; h = 1 } :: r!1 fi; t.d[1]!4 }";

    #[test]
    fn buffered_channels_lose_their_capacity() {
        let model = lifted(&load_text(MODEL).model);
        let shapes = numbered(&model, &model.globals, 0).shapes;
        let capacities: Vec<_> = shapes.iter().map(|shape| shape.capacity).collect();
        let any = ChannelShape::UNBOUNDED;
        assert_eq!(capacities, [any, 0, any, any]);
        assert_eq!(channel_names(&model), ["c", "r", "t.d[0]", "t.d[1]"]);
        assert!(model.globals.iter().all(|variable| variable.visibility.is_none()));
    }

    #[test]
    fn what_cannot_be_lost_is_refused() {
        let model = load_text(MODEL).model;
        let refused = |name: &str| make_lossy(&mut model.clone(), name);
        assert_eq!(refused("x"), Err(NotLossy::Unknown));
        assert_eq!(refused("r"), Err(NotLossy::Rendezvous));
        assert!(matches!(refused("c"), Err(NotLossy::DStep(_))));
        let mut model = load_text("chan c = [2] of { byte }; init { c!1; c?1 }").model;
        let edges = |model: &Model| model.processes[0].graph.locations[0].edges.len();
        assert_eq!(edges(&model), 1);
        assert_eq!(make_lossy(&mut model, "c"), Ok(()));
        assert_eq!(edges(&model), 2);
    }
}
