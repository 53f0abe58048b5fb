//! Moves of a verifier that SPIN made with statements merged.
//!
//! SPIN glues a step to the steps behind it that concern the process alone, and its trail names
//! only the first of them. Here each step stands alone: after a move its process goes on by itself,
//! as long as there is one way to go, to the place where its next move begins. Behind the last move
//! nothing tells how far SPIN went; there a process goes on only if that leads to a fault.

use crate::follow::{Follower, Lost, Move, Run};
use pverify_model::machine::Action;
use pverify_semantics::Engine;
use pverify_semantics::replay::Choice;

/// No merged step is longer.
const LONGEST: usize = 1000;

/// Does moves again, and the steps that were merged with them.
///
/// # Errors
/// When one of the moves is not possible where its turn comes.
pub fn follow_merged(engine: &mut Engine<'_>, moves: &[Move]) -> Result<Run, Lost> {
    let mut follower = Follower::new(engine);
    let mut at = 0;
    while at < moves.len() {
        let length = match follower.take(&moves[at..]) {
            Some(length) => Some(length),
            None => follower.take_behind(moves, at),
        };
        let length = length.ok_or(Lost { number: at + 1, wanted: moves[at] })?;
        for moved in &moves[at..at + length] {
            let next = moves[at + length..].iter().find(|next| next.pid == moved.pid);
            if let Some(next) = next {
                follower.catch_up(*next);
            }
        }
        at += length;
    }
    follower.settle();
    Ok(follower.finish())
}

impl Follower<'_, '_> {
    /// A process goes on alone until its next move is at hand.
    fn catch_up(&mut self, next: Move) {
        for _ in 0..LONGEST {
            if self.is_at(next) || !self.go_on(next.pid) {
                return;
            }
        }
    }

    /// A move that becomes possible when the process before it has left its atomic block.
    fn take_behind(&mut self, moves: &[Move], at: usize) -> Option<usize> {
        let before = moves.get(at.checked_sub(1)?)?.pid;
        for _ in 0..LONGEST {
            if !self.go_on(before) {
                return None;
            }
            let taken = self.take(&moves[at..]);
            if taken.is_some() {
                return taken;
            }
        }
        None
    }

    /// Behind the last move: the process that moved last goes on, then all others do, if that
    /// leads to a fault.
    fn settle(&mut self) {
        let (position, run) = (self.position.clone(), self.run.clone());
        let last = run.steps.last().and_then(|taken| taken.steps.last()).map(|step| step.pid);
        let others = (0..=u8::MAX).filter(|pid| self.lives(*pid)).collect::<Vec<_>>();
        for pid in last.into_iter().chain(others) {
            for _ in 0..LONGEST {
                if !self.run.faults.is_empty() || self.position.is_stuck(self.engine) {
                    return;
                }
                if !self.go_on(pid) {
                    break;
                }
            }
        }
        if self.run.faults.is_empty() && !self.position.is_stuck(self.engine) {
            (self.position, self.run) = (position, run);
        }
    }

    /// One step of a process, if there is just one and nobody else has to do with it.
    fn go_on(&mut self, pid: u8) -> bool {
        let choices = self.position.choices(self.engine);
        let mut own =
            choices.into_iter().filter(|choice| choice.steps.iter().any(|s| s.pid == pid));
        match (own.next(), own.next()) {
            (Some(choice), None) if self.is_private(&choice) => {
                self.advance(choice);
                true
            }
            _ => false,
        }
    }

    fn is_private(&self, choice: &Choice) -> bool {
        let [step] = choice.steps.as_slice() else { return false };
        let graph = &self.engine.model.processes[step.kind as usize].graph;
        let edge = graph.locations[step.location as usize].edges.get(step.edge as usize);
        edge.is_some_and(|edge| {
            matches!(
                edge.action,
                Action::Skip
                    | Action::Jump
                    | Action::Discard(_)
                    | Action::Named(_)
                    | Action::Else
                    | Action::Condition(_)
                    | Action::Assign(..)
                    | Action::AssignList(..)
                    | Action::Declare(_)
                    | Action::Assert(_)
                    | Action::Print(..)
                    | Action::PrintMtype(_)
            )
        })
    }

    fn lives(&self, pid: u8) -> bool {
        self.engine.process(&self.position.state, usize::from(pid)).is_some()
    }

    /// Whether a move begins where its process stands.
    fn is_at(&self, asked: Move) -> bool {
        let state = &self.position.state;
        let process = self.engine.process(state, usize::from(asked.pid));
        process.is_some_and(|process| {
            let graph = &self.engine.model.processes[process.kind as usize].graph;
            let location = graph.locations.get(process.location.get(state) as usize);
            location.is_some_and(|location| location.edges.iter().any(|e| e.id == asked.edge))
        })
    }
}
