//! The names of a model's actions, as a person writes and reads them.

use super::{ChannelName, Elementary, Way};
use crate::successors::Step;
use pverify_model::channels;
use pverify_model::machine::{Action, Expression, LocationId, Model, ProcessKind, Variable};
use pverify_model::types::Type;
use pverify_model::walk;
use pverify_syntax::token::Name;

/// The name of every action that is nothing else.
pub const TAU: &str = "tau";

/// What the names of a model's actions are made of.
#[derive(Debug)]
pub struct Names<'m> {
    pub(super) model: &'m Model,
    /// The channels of the model.
    pub(super) globals: Vec<Channel>,
    /// The channels that each process type brings along.
    pub(super) locals: Vec<Vec<Channel>>,
    /// Of which types there can be several processes.
    several: Vec<bool>,
    /// Edges have names of their own.
    labels: bool,
}

/// A channel, and what it holds.
#[derive(Debug)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) fields: Vec<Type>,
    pub(super) is_rendezvous: bool,
}

impl<'m> Names<'m> {
    /// The names of a model.
    pub fn new(model: &'m Model) -> Self {
        let of = |variables: &'m [Variable]| -> Vec<Channel> {
            let shapes = channels::numbered(model, variables, 0).shapes;
            let named = channels::names(model, variables).into_iter().zip(shapes);
            named
                .map(|(name, shape)| Channel {
                    name,
                    fields: shape.fields.clone(),
                    is_rendezvous: shape.capacity == 0,
                })
                .collect()
        };
        let mut several: Vec<bool> = model.processes.iter().map(|one| one.active > 1).collect();
        for process in &model.processes {
            for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
                walk::action_expressions(&edge.action, &mut |expression| {
                    if let Expression::Run { process, .. } = expression {
                        several[process.index()] = true;
                    }
                });
            }
        }
        Self {
            model,
            globals: of(&model.globals),
            locals: model.processes.iter().map(|process| of(&process.locals)).collect(),
            several,
            labels: has_labels(model),
        }
    }

    /// The name of an action; a pattern of this name matches it.
    pub fn name(&self, action: &Elementary<'_>) -> String {
        if let Some((channel, way, message)) = action.message {
            let sign = if way == Way::Receive { '?' } else { '!' };
            let fields = self.channel(channel).map_or(&[][..], |channel| &channel.fields);
            let shown = message.iter().enumerate().map(|(at, &value)| {
                let kind = fields.get(at).copied().unwrap_or(Type::Int);
                self.value(kind, value)
            });
            let shown: Vec<String> = shown.collect();
            return format!("{}{sign}{}", self.channel_name(channel), shown.join(","));
        }
        if let Some(name) = self.named(&action.step) {
            return name.to_string();
        }
        let steps = [Some(action.step), action.partner];
        let label = steps.iter().flatten().find_map(|step| {
            let label = self.labels(step).next()?;
            Some(format!("{}:{label}", self.process(step)))
        });
        label.filter(|_| action.labelled).unwrap_or_else(|| TAU.to_owned())
    }

    /// The name that an edge has by itself: the label of a transition.
    pub(super) fn named(&self, step: &Step) -> Option<&Name> {
        let graph = &self.model.processes[step.kind as usize].graph;
        let edge = graph.locations.get(step.location as usize)?.edges.get(step.edge as usize)?;
        if let Action::Named(name) = &edge.action { Some(name) } else { None }
    }

    /// Whether actions are the labels of transitions.
    pub fn are_labels(&self) -> bool {
        self.labels
    }

    /// Shows each edge that has a name of its own: process type, location, place among the edges.
    pub(super) fn each_named<'s>(&'s self, mut show: impl FnMut((u32, u32, u16), &'s str)) {
        for (kind, process) in self.model.processes.iter().enumerate() {
            for (location, here) in process.graph.locations.iter().enumerate() {
                for (edge, one) in here.edges.iter().enumerate() {
                    if let Action::Named(name) = &one.action {
                        show((kind as u32, location as u32, edge as u16), name);
                    }
                }
            }
        }
    }

    /// The labels of the place that a step starts from.
    pub(super) fn labels(&self, step: &Step) -> impl Iterator<Item = &str> {
        let graph = &self.model.processes[step.kind as usize].graph;
        let here = Some(LocationId(step.location));
        graph.labels.iter().filter(move |label| label.location == here).map(|label| &*label.name)
    }

    fn process(&self, step: &Step) -> String {
        let name = self.type_name(step.kind);
        if self.several[step.kind as usize] {
            format!("{name}[{}]", step.pid)
        } else {
            name.to_owned()
        }
    }

    /// The name of a process type, as one can write it.
    pub(super) fn type_name(&self, kind: u32) -> &str {
        let process = &self.model.processes[kind as usize];
        if process.kind == ProcessKind::Init { "init" } else { &process.name }
    }

    pub(super) fn channel(&self, name: ChannelName) -> Option<&Channel> {
        match name.owner {
            None => self.globals.get(name.at as usize),
            Some((_, kind)) => self.locals.get(kind as usize)?.get(name.at as usize),
        }
    }

    fn channel_name(&self, channel: ChannelName) -> String {
        let name = self.channel(channel).map_or("?", |channel| &channel.name);
        match channel.owner {
            None => name.to_owned(),
            Some((pid, kind)) => format!("{}[{pid}]:{name}", self.type_name(kind)),
        }
    }

    fn value(&self, kind: Type, value: i32) -> String {
        let name = match kind {
            Type::Mtype(subtype) => self.model.mtypes.name(subtype, value),
            _ => None,
        };
        name.map_or_else(|| value.to_string(), ToString::to_string)
    }
}

fn has_labels(model: &Model) -> bool {
    let locations = model.processes.iter().flat_map(|process| &process.graph.locations);
    let mut edges = locations.flat_map(|location| &location.edges);
    edges.any(|edge| matches!(edge.action, Action::Named(_)))
}
