//! A `never` claim as a companion: it walks through its control graph as the text says.
//!
//! A claim accepts a run that goes for ever through states where the claim, or (as in SPIN) any
//! process, stands at an `accept` label, and a run on which it comes to its end or to an `end` label.
//! A step that ends inside `atomic` is followed by another before the system moves.

use super::{Asked, Companion, Move, bits_for};
use pverify_model::machine::{
    Action, Expression, Location as Located, Model, ProcessId, ProcessKind,
};
use pverify_semantics::fault::FaultKind;
use pverify_syntax::source::Span;
use pverify_temporal::automaton::Marks;
use pverify_temporal::automaton::components::components;
use std::sync::Arc;

/// A claim, ready to be asked.
#[derive(Clone, Debug)]
pub struct Claim {
    graph: Arc<Graph>,
    /// Whether some process has an `accept` label.
    labels: bool,
    /// Room that is used again.
    possible: Vec<(u32, bool, bool)>,
    passed: Vec<u32>,
    work: Vec<u32>,
}

#[derive(Debug)]
struct Graph {
    locations: Vec<Location>,
    questions: Vec<Expression>,
}

#[derive(Debug)]
struct Location {
    accept: bool,
    end: bool,
    /// No way from here and back leads through an accepting location.
    passed: bool,
    edges: Vec<Edge>,
}

#[derive(Debug)]
struct Edge {
    condition: Condition,
    target: u32,
    atomic: bool,
    escape: u32,
}

/// When an edge can be taken.
#[derive(Clone, Copy, Debug)]
enum Condition {
    Always,
    Else,
    /// Where this question is answered with yes.
    Holds(usize),
    /// Always; but where this question is answered with no, an assertion has failed.
    Asserts(usize),
}

/// A statement that a claim cannot have here, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsuitable(pub Span);

impl Claim {
    /// The claim of a model that is this process type.
    ///
    /// # Errors
    /// When it does more than look at states.
    pub fn new(model: &Model, id: ProcessId) -> Result<Self, Unsuitable> {
        let mut questions = Vec::new();
        let mut ask = |expression: &Expression| {
            questions.push(expression.clone());
            questions.len() - 1
        };
        let mut locations = Vec::new();
        for location in &model.processes[id.index()].graph.locations {
            let mut edges = Vec::new();
            for edge in &location.edges {
                let condition = match &edge.action {
                    // A step to the end is taken by getting there.
                    Action::End => continue,
                    Action::Skip
                    | Action::Jump
                    | Action::Discard(Expression::Constant(..))
                    | Action::Print(..)
                    | Action::PrintMtype(_) => Condition::Always,
                    Action::Else => Condition::Else,
                    Action::Condition(expression) => Condition::Holds(ask(expression)),
                    Action::Assert(expression) => Condition::Asserts(ask(expression)),
                    _ => return Err(Unsuitable(edge.span)),
                };
                let target = edge.target.ok_or(Unsuitable(edge.span))?.0;
                let (atomic, escape) = (edge.atomic, edge.escape.unwrap_or(0));
                edges.push(Edge { condition, target, atomic, escape });
            }
            let Located { accept, end, .. } = location;
            locations.push(Location { accept: *accept, end: *end, passed: false, edges });
        }
        let parts = components(locations.len(), |at, next| {
            locations[at].edges.get(next).map(|edge| edge.target as usize)
        });
        let accepting = |part: usize| {
            (0..locations.len()).any(|at| parts.of[at] == part && locations[at].accept)
        };
        let accepting: Vec<bool> = (0..parts.count).map(accepting).collect();
        let labels = model.processes.iter().any(|process| {
            process.kind != ProcessKind::Never
                && process.graph.locations.iter().any(|location| location.accept)
        });
        for (location, &part) in locations.iter_mut().zip(&parts.of) {
            location.passed = !labels && !accepting[part];
        }
        let graph = Arc::new(Graph { locations, questions });
        Ok(Self { graph, labels, possible: Vec::new(), passed: Vec::new(), work: Vec::new() })
    }

    /// Which edges of a location can be taken, each with whether an assertion fails in it.
    fn possible(
        location: &Location,
        asked: &mut Asked<'_, '_>,
        found: &mut Vec<(u32, bool, bool)>,
    ) -> Result<(), FaultKind> {
        let mut escape = None;
        let mut otherwise = None;
        for edge in &location.edges {
            // Edges behind an escape that can be taken are not tried.
            if escape.is_some_and(|taken| taken != edge.escape) {
                break;
            }
            let fails = match edge.condition {
                Condition::Always => false,
                Condition::Holds(question) if asked.holds(question)? => false,
                Condition::Holds(_) => continue,
                Condition::Asserts(question) => !asked.holds(question)?,
                Condition::Else => {
                    otherwise = Some(edge);
                    continue;
                }
            };
            found.push((edge.target, edge.atomic, fails));
            if edge.escape > 0 {
                escape = Some(edge.escape);
            }
        }
        if let (true, Some(edge)) = (found.is_empty(), otherwise) {
            found.push((edge.target, edge.atomic, false));
        }
        Ok(())
    }
}

impl Companion for Claim {
    fn questions(&self) -> &[Expression] {
        &self.graph.questions
    }

    fn bits(&self) -> u32 {
        bits_for(self.graph.locations.len())
    }

    fn initial(&self) -> u32 {
        0
    }

    fn sets(&self) -> u32 {
        1
    }

    fn passes(&self, state: u32) -> bool {
        self.graph.locations.get(state as usize).is_some_and(|location| location.passed)
    }

    fn end(&self) -> FaultKind {
        FaultKind::ClaimEnded
    }

    /// As in SPIN, which counts the states that follow.
    fn goes_on(&self) -> bool {
        true
    }

    fn moves(
        &mut self,
        state: u32,
        asked: &mut Asked<'_, '_>,
        moves: &mut Vec<Move>,
    ) -> Result<(), FaultKind> {
        let Some(start) = self.graph.locations.get(state as usize) else { return Ok(()) };
        let accepts = start.accept || self.labels && asked.any_stands(|location| location.accept);
        let marks = if accepts { Marks::one(0) } else { Marks::NONE };
        if start.end && state == self.initial() {
            moves.push(Move { target: state, marks, ends: true, passes: start.passed });
        }
        // Locations inside atomic blocks that were passed; round a circle leads nowhere.
        let Self { graph, possible, passed, work, .. } = self;
        passed.clear();
        work.clear();
        work.push(state);
        while let Some(at) = work.pop() {
            let Some(location) = graph.locations.get(at as usize) else { continue };
            possible.clear();
            Self::possible(location, asked, possible)?;
            for &(target, atomic, fails) in &*possible {
                let ends = fails || graph.locations.get(target as usize).is_some_and(|at| at.end);
                if atomic && !ends {
                    if !passed.contains(&target) {
                        passed.push(target);
                        work.push(target);
                    }
                    continue;
                }
                let passes = graph.locations.get(target as usize).is_some_and(|at| at.passed);
                let found = Move { target, marks, ends, passes };
                if !moves.contains(&found) {
                    moves.push(found);
                }
            }
        }
        Ok(())
    }

    fn fork(&self) -> Self {
        self.clone()
    }
}
