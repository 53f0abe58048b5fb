//! Whether a `never` claim matches a run: its own walk, found again by the definition.
//!
//! The claim moves on each state of the run before the run does: it takes one step of its control
//! graph, and more as long as it stays inside `atomic`. It matches a run on which it comes to its
//! end, to an `end` label or to an assertion that fails, and one that repeats itself for ever while
//! the claim, or some process, comes by an `accept` label again and again. Nothing here is shared
//! with the searches: places of the run and of the claim are pairs, and what can be reached from
//! which is written out.

use ahash::{AHashMap, AHashSet};
use pverify_model::machine::{Action, Edge, Expression, ProcessId, ProcessKind};
use pverify_semantics::Engine;
use pverify_semantics::question::Question;

/// A claim, its conditions compiled for one engine.
#[derive(Debug)]
pub struct ClaimWalk {
    claim: ProcessId,
    /// By location and number of the edge.
    conditions: AHashMap<(u32, usize), Question>,
    /// Some process has an `accept` label.
    labels: bool,
}

/// A state of the run, by its place, and a location of the claim.
type Pair = (usize, u32);

/// What one move of the claim can come to.
#[derive(Default)]
struct Outcome {
    ends: bool,
    targets: AHashSet<u32>,
}

impl ClaimWalk {
    /// A claim of the engine's model.
    ///
    /// # Errors
    /// When one of its conditions cannot be asked.
    pub fn new(engine: &mut Engine<'_>, claim: ProcessId) -> Result<Self, String> {
        let model = engine.model;
        let mut conditions = AHashMap::new();
        for (at, location) in (0..).zip(&model.processes[claim.index()].graph.locations) {
            for (number, edge) in location.edges.iter().enumerate() {
                if let Action::Condition(asked) | Action::Assert(asked) = &edge.action {
                    let question = engine.question(asked).map_err(|fault| fault.to_string())?;
                    conditions.insert((at, number), question);
                }
            }
        }
        let labels = model.processes.iter().any(|process| {
            process.kind != ProcessKind::Never && process.graph.locations.iter().any(|at| at.accept)
        });
        Ok(Self { claim, conditions, labels })
    }

    /// Whether the claim matches the run that goes through the states of `stem` and then through
    /// those of `cycle`, again and again; without a cycle, a beginning after which it does whatever
    /// comes. The engine is that of [`ClaimWalk::new`].
    ///
    /// # Errors
    /// When a condition goes wrong, or the claim does something that is not followed.
    pub fn matches(
        &self,
        engine: &mut Engine<'_>,
        stem: &[Vec<u64>],
        cycle: &[Vec<u64>],
    ) -> Result<bool, String> {
        let states: Vec<&Vec<u64>> = stem.iter().chain(cycle).collect();
        let mut next: AHashMap<Pair, Vec<Pair>> = AHashMap::new();
        let mut open: Vec<Pair> = vec![(0, 0)];
        let graph = &engine.model.processes[self.claim.index()].graph;
        if graph.locations.first().is_some_and(|first| first.end) {
            return Ok(true);
        }
        while let Some(pair) = open.pop() {
            let Some(&state) = states.get(pair.0) else { continue };
            if next.contains_key(&pair) {
                continue;
            }
            let Outcome { ends, targets } = self.moves(engine, state, pair.1)?;
            if ends {
                return Ok(true);
            }
            let place = match pair.0 + 1 {
                place if place == states.len() && !cycle.is_empty() => stem.len(),
                place => place,
            };
            let targets: Vec<Pair> = targets.into_iter().map(|target| (place, target)).collect();
            open.extend(&targets);
            next.insert(pair, targets);
        }
        if cycle.is_empty() {
            return Ok(false);
        }
        let accepts = |engine: &Engine<'_>, (place, at): Pair| {
            graph.locations.get(at as usize).is_some_and(|location| location.accept)
                || self.labels && engine.any_stands(states[place], |location| location.accept)
        };
        let pairs: Vec<Pair> = next.keys().copied().filter(|pair| pair.0 >= stem.len()).collect();
        Ok(pairs.into_iter().any(|pair| accepts(engine, pair) && comes_back(&next, pair)))
    }

    /// One move of the claim in a state.
    fn moves(&self, engine: &mut Engine<'_>, state: &[u64], from: u32) -> Result<Outcome, String> {
        let model = engine.model;
        let locations = &model.processes[self.claim.index()].graph.locations;
        let mut outcome = Outcome::default();
        // Locations inside `atomic` that it comes by; each is left in one way or the other.
        let mut inside = vec![from];
        let mut been = AHashSet::new();
        while let Some(at) = inside.pop() {
            let Some(location) = locations.get(at as usize) else { continue };
            for (number, edge) in self.steps(engine, state, at, &location.edges)? {
                let target = edge.target.ok_or("the claim disappears")?;
                let fails = matches!(edge.action, Action::Assert(_))
                    && !self.holds(engine, state, (at, number))?;
                if fails || locations.get(target.index()).is_some_and(|target| target.end) {
                    outcome.ends = true;
                } else if !edge.atomic {
                    outcome.targets.insert(target.0);
                } else if been.insert(target) {
                    inside.push(target.0);
                }
            }
        }
        Ok(outcome)
    }

    /// The edges that can be taken. Where an escape can be, what stands behind it cannot; `else`
    /// can if nothing else can.
    fn steps<'g>(
        &self,
        engine: &mut Engine<'_>,
        state: &[u64],
        at: u32,
        edges: &'g [Edge],
    ) -> Result<Vec<(usize, &'g Edge)>, String> {
        let mut able: Vec<(usize, &Edge)> = Vec::new();
        for (number, edge) in edges.iter().enumerate() {
            let is_able = match &edge.action {
                Action::Condition(_) => self.holds(engine, state, (at, number))?,
                Action::Skip
                | Action::Jump
                | Action::Assert(_)
                | Action::Discard(Expression::Constant(..))
                | Action::Print(..)
                | Action::PrintMtype(_) => true,
                // `else` waits for the others; at its end the claim has been noticed already.
                Action::Else | Action::End => false,
                _ => return Err("the claim does more than look at the model".to_owned()),
            };
            if is_able {
                able.push((number, edge));
            }
        }
        // They stand in the order in which they are tried.
        let first = able.first().and_then(|(_, edge)| edge.escape);
        able.retain(|(_, edge)| edge.escape == first);
        if able.is_empty() {
            let others = edges.iter().enumerate();
            able.extend(others.filter(|(_, edge)| edge.action == Action::Else));
        }
        Ok(able)
    }

    fn holds(
        &self,
        engine: &mut Engine<'_>,
        state: &[u64],
        condition: (u32, usize),
    ) -> Result<bool, String> {
        let question = self.conditions.get(&condition).ok_or("a condition is not known")?;
        engine.ask(*question, &mut state.to_vec()).map_err(|fault| fault.to_string())
    }
}

/// Whether a pair can be reached from itself.
fn comes_back(next: &AHashMap<Pair, Vec<Pair>>, start: Pair) -> bool {
    let mut seen = AHashSet::new();
    let mut open = vec![start];
    while let Some(pair) = open.pop() {
        for &target in next.get(&pair).into_iter().flatten() {
            if target == start {
                return true;
            }
            if seen.insert(target) {
                open.push(target);
            }
        }
    }
    false
}
