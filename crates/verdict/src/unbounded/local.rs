//! What each process does to channels, apart from everything else.

use pverify_model::channels::{constant, numbered};
use pverify_model::machine::{
    Action, ChannelShape, Edge, Expression, Initial, LocationId, Model, Owner, Pattern,
    Place as Variable, ProcessKind,
};
use pverify_model::walk;

/// What processes do to channels.
#[derive(Clone, Debug)]
pub struct Local {
    /// One a process type.
    pub(super) graphs: Vec<Graph>,
    /// The kinds of messages in each channel, by its number from 1; empty for rendezvous.
    pub(super) kinds: Vec<Vec<Option<i32>>>,
    /// Process types and how many run from the start.
    pub(super) active: Vec<(usize, u32)>,
    /// Process types that are started while the model runs.
    pub(super) started: Vec<bool>,
}

/// The graph of a process type.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    nodes: usize,
    pub(super) edges: Vec<LocalEdge>,
}

#[derive(Clone, Debug)]
pub(super) struct LocalEdge {
    pub(super) from: usize,
    pub(super) to: Option<usize>,
    pub(super) does: Does,
    pub(super) starts: Vec<usize>,
}

/// What an edge does to channels: one of these channels, one of these kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Nothing,
    Send { to: Vec<(u8, Option<i32>)>, in_order: bool },
    Receive { from: Vec<(u8, Option<i32>)>, in_order: bool },
}

impl Local {
    /// Looks at a model without capacities.
    ///
    /// # Errors
    /// Where channels are not known beforehand.
    pub fn of(model: &Model) -> Result<Self, &'static str> {
        if has_other_channels(model) {
            return Err("channels of processes and of structures have no weights");
        }
        let numbered = numbered(model, &model.globals, 0);
        let (shapes, first) = (numbered.shapes, numbered.first);
        let mut reader =
            Reader { model, shapes, first, constant: constant(model), kinds: Vec::new() };
        reader.find_kinds();
        let mut started = vec![false; model.processes.len()];
        let mut graphs = Vec::new();
        let mut active = Vec::new();
        for (at, process) in model.processes.iter().enumerate() {
            let runs = matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init);
            let graph = if runs { reader.graph(at) } else { Graph::default() };
            graph.edges.iter().flat_map(|edge| &edge.starts).for_each(|&at| started[at] = true);
            graphs.push(graph);
            if runs && process.active > 0 {
                active.push((at, process.active));
            }
        }
        Ok(Self { graphs, kinds: reader.kinds, active, started })
    }
}

/// Whether channels live anywhere but in global variables of type `chan`.
fn has_other_channels(model: &Model) -> bool {
    others(model).any(|shape| shape.capacity > 0)
}

/// The channels that live anywhere but in global variables of type `chan`.
fn others(model: &Model) -> impl Iterator<Item = &ChannelShape> {
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    let fields = model.structs.iter().flat_map(|structure| &structure.fields);
    locals.chain(fields).filter_map(|variable| match &variable.initial {
        Initial::Channel(shape) => Some(shape),
        _ => None,
    })
}

struct Reader<'m> {
    model: &'m Model,
    /// The global channels by number, and the number of the first of each variable.
    shapes: Vec<&'m ChannelShape>,
    first: Vec<usize>,
    constant: Vec<Vec<bool>>,
    kinds: Vec<Vec<Option<i32>>>,
}

impl Reader<'_> {
    /// The kinds of messages that are sent to each channel.
    fn find_kinds(&mut self) {
        let mut kinds: Vec<Vec<Option<i32>>> = vec![Vec::new(); self.shapes.len() + 1];
        let locations = self.model.processes.iter().flat_map(|process| &process.graph.locations);
        for edge in locations.flat_map(|location| &location.edges) {
            walk::actions(&edge.action, edge.span, &mut |action, _| {
                let Action::Send { channel, message, .. } = action else { return };
                for number in self.numbers(channel) {
                    if self.shapes[usize::from(number) - 1].capacity == 0 {
                        continue;
                    }
                    let value = match message.first() {
                        Some(&Expression::Constant(value, _)) => {
                            Some(self.truncated(number, value))
                        }
                        _ => None,
                    };
                    let known = &mut kinds[usize::from(number)];
                    if !known.contains(&value) {
                        known.push(value);
                    }
                }
            });
        }
        for known in &mut kinds {
            if known.contains(&None) {
                *known = vec![None];
            }
        }
        self.kinds = kinds;
    }

    /// The numbers of the channels that a place may be.
    fn numbers(&self, place: &Variable) -> Vec<u8> {
        let variable = place.variable.index();
        if !self.is_global(place) {
            return (1..=self.shapes.len().min(255) as u8).collect();
        }
        let first = self.first[variable];
        let length = self.model.globals[variable].length.unwrap_or(1) as usize;
        match place.index.as_deref() {
            None => vec![first as u8],
            Some(&Expression::Constant(index, _)) if (0..length as i32).contains(&index) => {
                vec![(first + index as usize) as u8]
            }
            Some(_) => (first..first + length).map(|at| at as u8).collect(),
        }
    }

    /// Whether a place is always a global channel, or an element of a global array of them.
    fn is_global(&self, place: &Variable) -> bool {
        let variable = place.variable.index();
        place.owner == Owner::Global && self.constant[0][variable] && place.fields.is_empty()
    }

    fn graph(&self, kind: usize) -> Graph {
        let locations = &self.model.processes[kind].graph.locations;
        let mut graph = Graph { nodes: locations.len(), edges: Vec::new() };
        for (from, location) in locations.iter().enumerate() {
            for edge in &location.edges {
                self.edge(from, edge, &mut graph);
            }
        }
        graph
    }

    fn edge(&self, from: usize, edge: &Edge, graph: &mut Graph) {
        let to = edge.target.map(LocationId::index).filter(|_| edge.action != Action::End);
        let Action::DStep(block) = &edge.action else {
            return self.action(from, to, &edge.action, graph);
        };
        let first = graph.nodes;
        graph.nodes += block.points.len();
        let (does, starts) = (Does::Nothing, Vec::new());
        graph.edges.push(LocalEdge { from, to: Some(first), does, starts });
        for (point, steps) in block.points.iter().enumerate() {
            for step in steps {
                let next = step.next.map(|next| first + next as usize).or(to);
                self.action(first + point, next, &step.action, graph);
            }
        }
    }

    fn action(&self, from: usize, to: Option<usize>, action: &Action, graph: &mut Graph) {
        let mut starts = Vec::new();
        walk::action_expressions(action, &mut |expression| {
            if let Expression::Run { process, .. } = expression {
                starts.push(process.index());
            }
        });
        let mut add = |does| graph.edges.push(LocalEdge { from, to, does, starts: starts.clone() });
        match action {
            Action::Send { channel, message, sorted } => {
                let (to, _) = self.meant(channel, &|kind, number| match message.first() {
                    Some(&Expression::Constant(value, _)) => self.truncated(number, value) == kind,
                    _ => true,
                });
                // To a rendezvous channel it sends nothing that stays.
                let in_order = !sorted;
                add(if to.is_empty() { Does::Nothing } else { Does::Send { to, in_order } });
            }
            // One that takes nothing is a step like any other.
            Action::Receive { channel, random, keep: false, pattern } => {
                let (from, rendezvous) = self.meant(channel, &|kind, _| match pattern.first() {
                    Some(Pattern::Match(Expression::Constant(value, _))) => *value == kind,
                    _ => true,
                });
                // Where nobody ever sends what it waits for, it is no step at all.
                if !from.is_empty() {
                    add(Does::Receive { from, in_order: !random });
                }
                if rendezvous {
                    add(Does::Nothing);
                }
            }
            _ => add(Does::Nothing),
        }
    }

    fn truncated(&self, number: u8, value: i32) -> i32 {
        let shape = self.shapes.get(usize::from(number) - 1);
        shape.and_then(|shape| shape.fields.first()).map_or(value, |field| field.truncate(value))
    }

    /// The buffered channels that a place may be, with the kinds of messages wanted, and whether it
    /// may be a rendezvous channel. Those of processes have no numbers here: what is not a global
    /// channel for sure may be one of them.
    fn meant(
        &self,
        channel: &Variable,
        wanted: &dyn Fn(i32, u8) -> bool,
    ) -> (Vec<(u8, Option<i32>)>, bool) {
        let mut found = Vec::new();
        let mut rendezvous = !self.is_global(channel) && others(self.model).next().is_some();
        for number in self.numbers(channel) {
            if self.shapes[usize::from(number) - 1].capacity == 0 {
                rendezvous = true;
                continue;
            }
            let kinds = self.kinds[usize::from(number)].iter();
            let fits = kinds.filter(|kind| kind.is_none_or(|kind| wanted(kind, number)));
            found.extend(fits.map(|kind| (number, *kind)));
        }
        (found, rendezvous)
    }
}
