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

/// A declaration of buffered channels: of one, or of all elements of an array, of all processes of a
/// type, or of all structures of one. They have one capacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name: `c`, `P.c` in a process type, `T.c` in a structure.
    pub name: String,
    /// Its capacity.
    pub capacity: u32,
}

/// The declarations of buffered channels, in the order in which [`with_each_capacity`] takes their
/// capacities.
pub fn declarations(model: &Model) -> Vec<Declared> {
    let global = model.globals.iter().map(|variable| (None, variable));
    let locals = model.processes.iter().flat_map(|process| {
        process.locals.iter().map(move |variable| (Some(&process.name), variable))
    });
    let fields = model.structs.iter().flat_map(|structure| {
        structure.fields.iter().map(move |variable| (Some(&structure.name), variable))
    });
    let buffered = global.chain(locals).chain(fields).filter_map(|(owner, variable)| {
        let Initial::Channel(shape) = &variable.initial else { return None };
        let name = match owner {
            None => variable.name.to_string(),
            Some(owner) => format!("{owner}.{}", variable.name),
        };
        (shape.capacity > 0).then_some(Declared { name, capacity: shape.capacity })
    });
    buffered.collect()
}

/// The model with a capacity for each declaration of buffered channels. Hidden variables are shown.
#[must_use]
pub fn with_each_capacity(model: &Model, capacities: &[u32]) -> Model {
    let mut capacities = capacities.iter();
    with_capacities(model, &mut |_, old| capacities.next().copied().unwrap_or(old))
}

/// Which declaration each channel belongs to, by its place among those of the globals and of each
/// process type; rendezvous channels to none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclarationOf {
    /// Of the channels that live from the start.
    pub globals: Vec<Option<usize>>,
    /// Of those that the processes of each type bring along.
    pub locals: Vec<Vec<Option<usize>>>,
}

/// Which declaration each channel belongs to.
pub fn declaration_of_each(model: &Model) -> DeclarationOf {
    let count = declarations(model).len() as u32;
    // Each is marked by a capacity of its own.
    let marked = with_each_capacity(model, &(1..=count).collect::<Vec<_>>());
    let of = |variables: &[Variable]| -> Vec<Option<usize>> {
        let shapes = numbered(&marked, variables, 0).shapes.into_iter();
        shapes.map(|shape| (shape.capacity as usize).checked_sub(1)).collect()
    };
    let locals = marked.processes.iter().map(|process| of(&process.locals)).collect();
    DeclarationOf { globals: of(&marked.globals), locals }
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
    fn each_declaration_has_its_capacity() {
        let text = MODEL.replace("{ c!1;", "{ chan own = [4] of { bit }; c!1;");
        let model = load_text(text).model;
        let named = |model: &Model| -> Vec<(String, u32)> {
            declarations(model).into_iter().map(|one| (one.name, one.capacity)).collect()
        };
        let all = |a, b, c| [("c".into(), a), ("P.own".into(), b), ("T.d".into(), c)];
        assert_eq!(named(&model), all(2, 4, 3));
        assert_eq!(named(&with_each_capacity(&model, &[7, 8, 9])), all(7, 8, 9));
        let found = declaration_of_each(&model);
        assert_eq!(found.globals, [Some(0), None, Some(2), Some(2)]);
        assert_eq!(found.locals, [vec![Some(1)]]);
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
