//! How many processes of each type there can ever be, and which numbers they can have.

use super::interval::Interval;
use crate::machine::{ControlGraph, Expression, LocationId, Model, Owner, ProcessKind};
use crate::walk;

/// A 256th process is a fault, so the greatest number is 254.
const MOST: u32 = 255;

/// What is known of the processes of a model before anything else.
#[derive(Debug)]
pub(super) struct Instances {
    /// The most processes of each type in one run; [`MOST`] stands for any number.
    counts: Vec<u32>,
    /// The numbers that processes of each type can have.
    pub(super) pids: Vec<Interval>,
    /// Who writes each global variable.
    writers: Vec<Writers>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writers {
    Nobody,
    One(usize),
    Several,
}

impl Instances {
    pub(super) fn new(model: &Model) -> Self {
        let runs = runs(model);
        let actives: Vec<u32> = model.processes.iter().map(|p| p.active.min(MOST)).collect();
        let mut counts = actives.clone();
        // A process type that can start itself grows by one each time, to the limit.
        for _ in 0..=MOST {
            let mut next = actives.clone();
            for run in &runs {
                let more = if run.again { MOST } else { counts[run.by] };
                next[run.process] = (next[run.process] + more).min(MOST);
            }
            if next == counts {
                break;
            }
            counts = next;
        }
        let all = counts.iter().sum::<u32>().clamp(1, MOST);
        let mut pids = Vec::new();
        let mut first = 0;
        for (kind, process) in model.processes.iter().enumerate() {
            let started = runs.iter().any(|run| run.process == kind);
            let moves = matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init);
            let active = if moves { actives[kind] } else { 0 };
            pids.push(if started || active == 0 {
                Interval::new(0, all as i32 - 1)
            } else {
                let last = first.max(first + active as i32 - 1).min(MOST as i32 - 1);
                Interval::new(first.min(last), last)
            });
            first += active as i32;
        }
        Self { counts, pids, writers: writers(model) }
    }

    /// Whether nobody but one process of this type, the only one there ever is, writes a global
    /// variable.
    pub(super) fn owns(&self, process: usize, variable: usize) -> bool {
        match self.writers[variable] {
            Writers::Nobody => true,
            Writers::One(writer) => writer == process && self.counts[process] <= 1,
            Writers::Several => false,
        }
    }

    /// The numbers that any process can have.
    pub(super) fn any_pid(&self) -> Interval {
        self.pids.iter().copied().fold(Interval::ZERO, Interval::join)
    }
}

/// A `run` in the model.
struct Run {
    /// The type of who says it.
    by: usize,
    /// The type it starts.
    process: usize,
    /// Whether one process can come to it more than once.
    again: bool,
}

fn runs(model: &Model) -> Vec<Run> {
    let mut found = Vec::new();
    for (by, process) in model.processes.iter().enumerate() {
        for (from, location) in process.graph.locations.iter().enumerate() {
            for edge in &location.edges {
                let mut started = Vec::new();
                walk::action_expressions(&edge.action, &mut |expression| {
                    if let Expression::Run { process, .. } = expression {
                        started.push(process.index());
                    }
                });
                if started.is_empty() {
                    continue;
                }
                let again = leads_to(&process.graph, edge.target, from);
                found.extend(started.into_iter().map(|process| Run { by, process, again }));
            }
        }
    }
    found
}

/// Whether control can come from one location to the other.
fn leads_to(graph: &ControlGraph, from: Option<LocationId>, to: usize) -> bool {
    let mut known = vec![false; graph.locations.len()];
    let mut waiting: Vec<usize> = from.map(LocationId::index).into_iter().collect();
    while let Some(at) = waiting.pop() {
        if at == to {
            return true;
        }
        if !std::mem::replace(&mut known[at], true) {
            let edges = &graph.locations[at].edges;
            waiting.extend(edges.iter().filter_map(|edge| edge.target).map(LocationId::index));
        }
    }
    false
}

fn writers(model: &Model) -> Vec<Writers> {
    let mut writers = vec![Writers::Nobody; model.globals.len()];
    for (kind, process) in model.processes.iter().enumerate() {
        for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
            walk::written_places(&edge.action, &mut |place| {
                if place.owner == Owner::Global {
                    let writer = &mut writers[place.variable.index()];
                    *writer = match *writer {
                        Writers::Nobody => Writers::One(kind),
                        Writers::One(other) if other == kind => Writers::One(kind),
                        _ => Writers::Several,
                    };
                }
            });
        }
    }
    writers
}
