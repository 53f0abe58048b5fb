//! The fixpoint: facts flow along the control graphs until nothing new is learnt.
//!
//! The nodes are the start of the model, the start of each process type, every location, and every
//! point of a `d_step`. A node is looked at again when more can arrive there, or when the summary of
//! a cell that it has read grows.

use super::cells::{Cell, Cells};
use super::facts::Facts;
use super::instances::Instances;
use super::interval::Interval;
use super::widen::Thresholds;
use crate::channels;
use crate::machine::{Action, Edge, Model, ProcessKind};
use ahash::AHashSet;
use std::collections::VecDeque;

/// A summary grows so often by what is stored, before it is widened to thresholds.
const EXACT: u8 = 4;

/// A summary that grows more often than this becomes all that the type can hold.
const PATIENCE: u8 = 40;

/// The analysis is given up after so much work: facts copied from node to node, about half a second
/// of them. Twenty thousand lines of a usual model take far less.
const WORK: usize = 100_000_000;

/// Where facts are.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// The first values of the global variables.
    Globals,
    /// The first values of the variables of a process type.
    Start(usize),
    /// A location of a process type.
    Location(usize, usize),
    /// A point of the `d_step` that is an edge of a location.
    Point { process: usize, location: usize, edge: usize, point: usize },
}

/// The state of the analysis.
pub(super) struct Fixpoint<'m> {
    pub(super) model: &'m Model,
    pub(super) cells: Cells<'m>,
    pub(super) instances: Instances,
    pub(super) constant_channels: Vec<Vec<bool>>,
    thresholds: Thresholds,
    /// Everything a cell ever holds, as far as known; `None` if it never comes into being.
    summaries: Vec<Option<Interval>>,
    growths: Vec<u8>,
    /// The nodes that have read the summary of a cell.
    readers: Vec<Vec<u32>>,
    known_readers: AHashSet<(Cell, u32)>,
    nodes: Vec<Node>,
    /// The first node of the locations of each process type.
    locations: Vec<u32>,
    /// The first node of the points of each `d_step`, by process type, location and edge.
    points: Vec<((usize, usize, usize), u32)>,
    /// What is known at each node; `None` if control never gets there.
    facts: Vec<Option<Facts>>,
    rounds: Vec<u8>,
    waiting: VecDeque<u32>,
    is_waiting: Vec<bool>,
    /// How many facts were copied so far.
    work: usize,
    /// The node that is looked at, the process type it belongs to, and whether that comes into
    /// being.
    node: u32,
    pub(super) process: Option<usize>,
    pub(super) starting: bool,
}

impl<'m> Fixpoint<'m> {
    /// The summaries of all cells; `None` if it takes too long.
    pub(super) fn solve(
        model: &'m Model,
        cells: Cells<'m>,
    ) -> Option<(Cells<'m>, Vec<Option<Interval>>)> {
        let mut fixpoint = Self::new(model, cells);
        fixpoint.wake(0);
        for (kind, process) in model.processes.iter().enumerate() {
            let starts = match process.kind {
                ProcessKind::Proctype | ProcessKind::Init => process.active > 0,
                ProcessKind::Never => true,
                // They are not executed: they look on.
                ProcessKind::Trace | ProcessKind::Notrace => false,
            };
            if starts {
                fixpoint.start(kind, &[]);
            }
        }
        while let Some(node) = fixpoint.waiting.pop_front() {
            fixpoint.is_waiting[node as usize] = false;
            fixpoint.look(node);
            if fixpoint.work > WORK {
                return None;
            }
        }
        Some((fixpoint.cells, fixpoint.summaries))
    }

    fn new(model: &'m Model, cells: Cells<'m>) -> Self {
        let mut nodes = vec![Node::Globals];
        nodes.extend((0..model.processes.len()).map(Node::Start));
        let (mut locations, mut points) = (Vec::new(), Vec::new());
        for (process, declared) in model.processes.iter().enumerate() {
            locations.push(nodes.len() as u32);
            let count = declared.graph.locations.len();
            nodes.extend((0..count).map(|location| Node::Location(process, location)));
            for (location, there) in declared.graph.locations.iter().enumerate() {
                for (edge, step) in there.edges.iter().enumerate() {
                    let Action::DStep(block) = &step.action else { continue };
                    points.push(((process, location, edge), nodes.len() as u32));
                    let count = block.points.len();
                    nodes.extend((0..count).map(|point| Node::Point {
                        process,
                        location,
                        edge,
                        point,
                    }));
                }
            }
        }
        let mut summaries = vec![None; cells.kinds.len()];
        for (cell, variable) in (0..model.globals.len()).flat_map(|variable| {
            let cells = cells.of(None, variable);
            cells.map(move |cell| (cell as usize, &model.globals[variable]))
        }) {
            // What a hidden variable holds is no function of the path to a state.
            if variable.visibility == Some(pverify_syntax::ast::Visibility::Hidden) {
                summaries[cell] = Some(Interval::of(cells.kinds[cell]));
            }
        }
        Self {
            model,
            instances: Instances::new(model),
            constant_channels: channels::constant(model),
            thresholds: Thresholds::new(model),
            growths: vec![0; summaries.len()],
            readers: vec![Vec::new(); summaries.len()],
            known_readers: AHashSet::new(),
            facts: vec![None; nodes.len()],
            rounds: vec![0; nodes.len()],
            is_waiting: vec![false; nodes.len()],
            waiting: VecDeque::new(),
            work: 0,
            summaries,
            cells,
            nodes,
            locations,
            points,
            node: 0,
            process: None,
            starting: false,
        }
    }

    /// A process of a type can be started with these values; parameters without one are zero.
    pub(super) fn start(&mut self, process: usize, values: &[Interval]) {
        let given = self.cells.parameters(process, values.len());
        for cell in self.cells.all_parameters(process) {
            if !given.contains(&cell) {
                self.learn(self.cells.argument(process, cell), Interval::ZERO);
            }
        }
        for (&parameter, &value) in given.iter().zip(values) {
            self.learn(self.cells.argument(process, parameter), value);
        }
        let node = 1 + process;
        if self.facts[node].is_none() {
            self.facts[node] = Some(Facts::default());
            self.wake(node as u32);
        }
    }

    /// What a cell ever holds; whoever asks is told when it grows.
    pub(super) fn summary(&mut self, cell: Cell) -> Option<Interval> {
        if self.known_readers.insert((cell, self.node)) {
            self.readers[cell as usize].push(self.node);
        }
        self.summaries[cell as usize]
    }

    /// A cell can be given one of these values.
    pub(super) fn learn(&mut self, cell: Cell, value: Interval) -> Interval {
        let at = cell as usize;
        let kind = self.cells.kinds[at];
        let value = value.stored_as(kind);
        let grown = match self.summaries[at] {
            None => value,
            Some(old) if value.is_within(old) => return value,
            Some(old) => {
                self.growths[at] = self.growths[at].saturating_add(1);
                match self.growths[at] {
                    ..EXACT => old.join(value),
                    EXACT..PATIENCE => self.thresholds.widen(old, old.join(value), kind),
                    _ => Interval::of(kind),
                }
            }
        };
        self.summaries[at] = Some(grown);
        for at in 0..self.readers[at].len() {
            self.wake(self.readers[cell as usize][at]);
        }
        value
    }

    fn wake(&mut self, node: u32) {
        if !std::mem::replace(&mut self.is_waiting[node as usize], true) {
            self.waiting.push_back(node);
        }
    }

    fn look(&mut self, node: u32) {
        self.node = node;
        self.work += 1;
        match self.nodes[node as usize] {
            Node::Globals => {
                self.process = None;
                self.first_values();
            }
            Node::Start(process) => {
                self.process = Some(process);
                if let Some(facts) = self.first_values()
                    && !self.model.processes[process].graph.locations.is_empty()
                {
                    self.arrive(self.locations[process], &facts);
                }
            }
            Node::Location(process, location) => self.look_at_location(process, location),
            Node::Point { process, location, edge, point } => {
                self.look_at_point(process, location, edge, point);
            }
        }
    }

    fn look_at_location(&mut self, process: usize, location: usize) {
        self.process = Some(process);
        let Some(facts) = self.facts[self.node as usize].clone() else { return };
        let model = self.model;
        let edges = &model.processes[process].graph.locations[location].edges;
        for (at, edge) in edges.iter().enumerate() {
            if let Action::DStep(_) = edge.action {
                let key = (process, location, at);
                if let Ok(found) = self.points.binary_search_by_key(&key, |&(key, _)| key) {
                    self.arrive(self.points[found].1, &facts);
                }
                continue;
            }
            let before = edges[..at].iter().map(|edge| &edge.action);
            if let Some(facts) = self.act(&edge.action, before, facts.clone()) {
                self.leave(process, edge, facts);
            }
        }
    }

    fn look_at_point(&mut self, process: usize, location: usize, edge: usize, point: usize) {
        self.process = Some(process);
        let Some(facts) = self.facts[self.node as usize].clone() else { return };
        let model = self.model;
        let edge = &model.processes[process].graph.locations[location].edges[edge];
        let Action::DStep(block) = &edge.action else { return };
        let first = self.node - point as u32;
        let steps = &block.points[point];
        for (at, step) in steps.iter().enumerate() {
            let before = steps[..at].iter().map(|step| &step.action);
            let Some(facts) = self.act(&step.action, before, facts.clone()) else { continue };
            match step.next {
                Some(next) => self.arrive(first + next, &facts),
                None => self.leave(process, edge, facts),
            }
        }
    }

    /// A step ends: whatever others can write before the next one is forgotten.
    fn leave(&mut self, process: usize, edge: &Edge, mut facts: Facts) {
        let Some(target) = edge.target else { return };
        if !self.keeps_control(process, edge) {
            facts.forget(|cell| self.is_shared(process, cell));
        }
        self.arrive(self.locations[process] + target.0, &facts);
    }

    fn is_shared(&self, process: usize, cell: Cell) -> bool {
        self.cells.is_global(cell) && !self.instances.owns(process, self.cells.global_of(cell))
    }

    /// Whether nobody else can move between an edge and the next one.
    fn keeps_control(&self, process: usize, edge: &Edge) -> bool {
        let declared = &self.model.processes[process];
        // A rendezvous hands control over.
        if !edge.atomic
            || matches!(edge.action, Action::Send { .. })
            || declared.provided.is_some()
            || self.model.uses.priorities
        {
            return false;
        }
        let target = edge.target.and_then(|target| declared.graph.locations.get(target.index()));
        target.is_some_and(|target| target.edges.iter().any(|edge| always_moves(&edge.action)))
    }

    fn arrive(&mut self, node: u32, facts: &Facts) {
        let at = node as usize;
        self.work += 1 + facts.len();
        match &mut self.facts[at] {
            None => self.facts[at] = Some(facts.clone()),
            Some(known) => {
                if !known.absorb(facts, self.rounds[at], &self.thresholds, &self.cells.kinds) {
                    return;
                }
                self.rounds[at] = self.rounds[at].saturating_add(1);
            }
        }
        self.wake(node);
    }
}

/// Whether an edge makes sure that control does not rest at its location: it is always possible, or
/// it is when no other edge is. A step that fails ends the path, so that nobody moves after it.
fn always_moves(action: &Action) -> bool {
    matches!(
        action,
        Action::Skip
            | Action::Jump
            | Action::Discard(_)
            | Action::Named(_)
            | Action::Else
            | Action::Assign(..)
            | Action::AssignList(..)
            | Action::Declare(_)
            | Action::Assert(_)
            | Action::Print(..)
            | Action::PrintMtype(_)
    )
}
