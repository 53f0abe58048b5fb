//! A run, step by step: what is possible where it stands, and the moves of a file done again.

use crate::trace::TraceStep;
use pverify_model::machine::Model;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::replay::Choice;
use pverify_semantics::successors::Step;

/// A step as files name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The process's number.
    pub pid: u8,
    /// SPIN's number of the edge.
    pub edge: u32,
}

impl Move {
    /// The name of a step.
    pub fn of(model: &Model, step: &Step) -> Self {
        let location = &model.processes[step.kind as usize].graph.locations[step.location as usize];
        let edge = location.edges.get(step.edge as usize).map_or(u32::MAX, |edge| edge.id);
        Self { pid: step.pid, edge }
    }
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The state.
    pub state: Vec<u64>,
    /// The process inside an atomic block, if any.
    exclusive: Option<usize>,
}

impl Position {
    /// Where every run begins.
    pub fn initial(engine: &Engine<'_>) -> Self {
        Self { state: engine.initial().to_vec(), exclusive: None }
    }

    /// In a state where everybody may move.
    pub(crate) fn at(state: &[u64]) -> Self {
        Self { state: state.to_vec(), exclusive: None }
    }

    /// The process inside an atomic block, if any.
    pub(crate) fn exclusive(&self) -> Option<usize> {
        self.exclusive
    }

    /// Everything that can be done here.
    pub fn choices(&self, engine: &mut Engine<'_>) -> Vec<Choice> {
        engine.choices(&self.state, self.exclusive)
    }

    /// Goes on by one step; what is wrong on the way comes back with it.
    pub fn advance(&mut self, choice: Choice) -> (TraceStep, Vec<FaultKind>) {
        let Choice { steps, performed, deeds } = choice;
        let moved = steps.last().map(|step| step.pid as usize);
        self.exclusive = moved.filter(|_| performed.atomic);
        if let Some(words) = performed.words {
            self.state = words;
        }
        let (state, atomic) = (self.state.clone(), performed.atomic);
        let step = TraceStep { steps, state, atomic, deeds };
        (step, performed.faults)
    }

    /// Whether nothing can move although some process may not rest where it is.
    pub fn is_stuck(&self, engine: &mut Engine<'_>) -> bool {
        let moves = |choice: &Choice| choice.performed.words.is_some();
        !engine.may_rest(&self.state) && !self.choices(engine).iter().any(moves)
    }
}

/// A run that was done again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The initial state.
    pub initial: Vec<u64>,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// What is wrong at its end.
    pub faults: Vec<FaultKind>,
}

/// Why moves cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The move, counted from 1.
    pub number: usize,
    /// What it asks for.
    pub wanted: Move,
}

/// Does moves again.
///
/// # Errors
/// When one of them is not possible where its turn comes.
pub fn follow(engine: &mut Engine<'_>, moves: &[Move]) -> Result<Run, Lost> {
    let mut follower = Follower::new(engine);
    let mut at = 0;
    while at < moves.len() {
        at += follower.take(&moves[at..]).ok_or(Lost { number: at + 1, wanted: moves[at] })?;
    }
    Ok(follower.finish())
}

/// A run as far as it has been done.
pub(crate) struct Follower<'e, 'm> {
    pub(crate) engine: &'e mut Engine<'m>,
    pub(crate) position: Position,
    pub(crate) run: Run,
}

impl<'e, 'm> Follower<'e, 'm> {
    pub(crate) fn new(engine: &'e mut Engine<'m>) -> Self {
        let position = Position::initial(engine);
        let initial = position.state.clone();
        Self { engine, position, run: Run { initial, steps: Vec::new(), faults: Vec::new() } }
    }

    /// Takes the step that the first of these moves names, or the first two as a rendezvous; how
    /// many they are.
    pub(crate) fn take(&mut self, moves: &[Move]) -> Option<usize> {
        let choices = self.position.choices(self.engine);
        let model = self.engine.model;
        let fits = |choice: &Choice| {
            choice.steps.len() <= moves.len()
                && moves
                    .iter()
                    .zip(&choice.steps)
                    .all(|(asked, step)| *asked == Move::of(model, step))
        };
        let choice = choices.into_iter().find(fits)?;
        let length = choice.steps.len();
        self.advance(choice);
        Some(length)
    }

    pub(crate) fn advance(&mut self, choice: Choice) {
        let (step, faults) = self.position.advance(choice);
        self.run.steps.push(step);
        self.run.faults = faults;
    }

    pub(crate) fn finish(mut self) -> Run {
        if self.run.faults.is_empty() && self.position.is_stuck(self.engine) {
            self.run.faults.push(FaultKind::InvalidEndState);
        }
        self.run
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merged::follow_merged;
    use pverify_model::load::load_text;

    const MODEL: &str = "byte x; active proctype P() { x = 1; x = 2; assert(x == 1); x == 3 }";

    /// Moves of process 0, and the faults at the end or the number of the move that is lost.
    fn check(merged: bool, edges: &[u32], expected: Result<&[FaultKind], usize>) {
        let loaded = load_text(MODEL);
        let mut engine = Engine::new(&loaded.model);
        let moves: Vec<_> = edges.iter().map(|&edge| Move { pid: 0, edge }).collect();
        let follow = if merged { follow_merged } else { follow };
        let run = follow(&mut engine, &moves);
        let faults = run.map(|run| run.faults).map_err(|lost| lost.number);
        assert_eq!(faults, expected.map(<[FaultKind]>::to_vec), "{edges:?}");
    }

    #[test]
    fn moves_are_done_in_their_order() {
        check(false, &[], Ok(&[]));
        check(false, &[0, 1], Ok(&[]));
        check(false, &[0, 1, 2], Ok(&[FaultKind::Assertion]));
        check(false, &[1], Err(1));
        check(false, &[0, 2], Err(2));
        check(false, &[0, 1, 2, 3], Err(4));
    }

    #[test]
    fn merged_moves_bring_the_steps_behind_them() {
        check(true, &[0, 2], Ok(&[FaultKind::Assertion]));
        check(true, &[0], Ok(&[FaultKind::Assertion]));
        check(true, &[0, 9], Err(2));
    }
}
