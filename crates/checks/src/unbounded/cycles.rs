//! Local cycles that only send: a process that reaches one can go round it for ever, whatever others
//! do, and the channels it sends to grow.

use super::channels::Channels;
use super::explore::Explored;
use super::rounds::try_pump;
use pverify_model::machine::{Action, Edge, Location, LocationId, Model, Place};
use pverify_semantics::Engine;
use pverify_semantics::successors::Step;
use pverify_verdict::unbounded::{Pump, check_round};

/// The cycles of a model that only send.
#[derive(Debug)]
pub(super) struct Cycles {
    /// By process type and location: cycles that begin there, as locations and edges.
    by_location: Vec<Vec<Vec<Cycle>>>,
}

/// A cycle: locations and the positions of edges there.
pub(super) type Cycle = Vec<(u32, u16)>;

impl Cycles {
    /// Finds for each location and each channel that can be sent to on a cycle one such cycle.
    pub(super) fn of(model: &Model) -> Self {
        let by_location = model.processes.iter().map(|process| {
            let locations = &process.graph.locations;
            (0..locations.len()).map(|at| cycles_from(locations, at)).collect()
        });
        Self { by_location: by_location.collect() }
    }

    /// The cycles that processes could go round in a state.
    pub(super) fn here(&self, engine: &Engine<'_>, words: &[u64]) -> Vec<Vec<Step>> {
        let mut found = Vec::new();
        for pid in 0.. {
            let Some(process) = engine.process(words, pid) else { break };
            let location = process.location.get(words) as usize;
            for cycle in &self.by_location[process.kind as usize][location] {
                let step = |&(location, edge): &(u32, u16)| Step {
                    pid: pid as u8,
                    kind: process.kind,
                    location,
                    edge,
                    offers: false,
                };
                found.push(cycle.iter().map(step).collect());
            }
        }
        found
    }

    /// Whether any begin in a process of a type.
    pub(super) fn any(&self, kind: u32) -> bool {
        self.by_location[kind as usize].iter().any(|cycles| !cycles.is_empty())
    }

    /// Whether any begin at a location.
    pub(super) fn any_at(&self, kind: u32, location: u32) -> bool {
        let locations = &self.by_location[kind as usize];
        locations.get(location as usize).is_some_and(|cycles| !cycles.is_empty())
    }

    /// Whether there are any.
    pub(super) fn is_empty(&self) -> bool {
        self.by_location.iter().flatten().all(Vec::is_empty)
    }
}

/// Tries the cycles at the states that were explored.
pub(super) fn find(
    engine: &mut Engine<'_>,
    explored: &Explored,
    channels: &mut Channels,
    pumps: &mut Vec<Pump>,
) {
    let cycles = Cycles::of(engine.model);
    if cycles.is_empty() {
        return;
    }
    for (at, state) in explored.states.iter().enumerate() {
        for round in cycles.here(engine, state) {
            if is_of_use(engine, channels, state, &round)
                && check_round(engine, state, &round).is_ok()
            {
                try_pump(engine, &explored.way(at), &round, channels, pumps);
            }
        }
    }
}

/// Whether a cycle sends to a channel of which nothing is known.
fn is_of_use(engine: &mut Engine<'_>, channels: &Channels, state: &[u64], round: &[Step]) -> bool {
    let Some((sent, _)) = engine.sent_along(state, round) else { return false };
    sent.iter().any(|sent| channels.is_wanted(engine, sent.channel, state))
}

/// For each channel that a cycle through a location can send to, a shortest such cycle.
fn cycles_from(locations: &[Location], start: usize) -> Vec<Cycle> {
    let mut covered: Vec<&Place> = Vec::new();
    let mut found = Vec::new();
    let there = ways(locations, start, true);
    let back = ways(locations, start, false);
    for (at, location) in locations.iter().enumerate() {
        for (position, edge) in free(location) {
            let Action::Send { channel, .. } = &edge.action else { continue };
            let Some(target) = edge.target else { continue };
            if covered.iter().any(|known| same(known, channel)) {
                continue;
            }
            if let (Some(there), Some(back)) = (&there[at], &back[target.index()]) {
                let mut cycle: Cycle = there.clone();
                cycle.push((at as u32, position));
                cycle.extend(back);
                covered.push(channel);
                found.push(cycle);
            }
        }
    }
    found
}

fn same(a: &Place, b: &Place) -> bool {
    a.owner == b.owner && a.variable == b.variable && a.index == b.index && a.fields == b.fields
}

/// The edges that nobody can hinder: they send or do nothing.
fn free(location: &Location) -> impl Iterator<Item = (u16, &Edge)> {
    let escapes = location.edges.iter().any(|edge| edge.escape.is_some());
    let edges = location.edges.iter().enumerate().filter(move |(_, edge)| {
        let free =
            matches!(edge.action, Action::Send { sorted: false, .. } | Action::Skip | Action::Jump);
        !escapes && free && edge.target.is_some()
    });
    edges.map(|(at, edge)| (at as u16, edge))
}

/// Shortest ways over free edges from a location to all, or from all to it.
fn ways(locations: &[Location], start: usize, forwards: bool) -> Vec<Option<Cycle>> {
    let mut found: Vec<Option<Cycle>> = vec![None; locations.len()];
    found[start] = Some(Vec::new());
    let mut level = vec![start];
    while !level.is_empty() {
        let mut next = Vec::new();
        for (from, location) in locations.iter().enumerate() {
            for (position, edge) in free(location) {
                let Some(to) = edge.target.map(LocationId::index) else { continue };
                let (near, far) = if forwards { (from, to) } else { (to, from) };
                if !level.contains(&near) || found[far].is_some() {
                    continue;
                }
                let mut way = found[near].clone().unwrap_or_default();
                let step = (from as u32, position);
                if forwards {
                    way.push(step);
                } else {
                    way.insert(0, step);
                }
                found[far] = Some(way);
                next.push(far);
            }
        }
        level = next;
    }
    found
}
