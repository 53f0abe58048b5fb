//! One step at a time: what a trace claims is done again.

use crate::action::Deed;
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::successors::{Path, Step, Visitor};

/// What a step, or the two halves of a rendezvous, lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Performed {
    /// The state afterwards; `None` when the step fails.
    pub words: Option<Vec<u64>>,
    /// Whether the process that moved last keeps control.
    pub atomic: bool,
    /// What is wrong on the way.
    pub faults: Vec<FaultKind>,
}

/// Something a process can do in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The step, or both halves of a rendezvous.
    pub steps: Vec<Step>,
    /// What it leads to.
    pub performed: Performed,
    /// Its actions, if the engine listens.
    pub deeds: Vec<Deed>,
}

impl Engine<'_> {
    /// Everything that can be done next, one elementary step each. `exclusive` is the process
    /// inside an atomic block, if any: the others wait unless it cannot move.
    pub fn choices(&mut self, words: &[u64], exclusive: Option<usize>) -> Vec<Choice> {
        if let Some(pid) = exclusive {
            let own = self.elementary(words, &[pid], false);
            if own.iter().any(|choice| choice.performed.words.is_some()) {
                return own;
            }
        }
        let count = self.shape(self.shape_of(words)).processes.len();
        let all: Vec<usize> = (0..count).rev().collect();
        let mut choices = self.elementary(words, &all, false);
        // A step that fails is what is wrong, not that nothing can move.
        let moves = |choice: &Choice| {
            let performed = &choice.performed;
            performed.words.is_some() || performed.faults.iter().any(|f| !f.is_survivable())
        };
        if !choices.iter().any(moves) && self.uses_timeout {
            for choice in self.elementary(words, &all, true) {
                if !choices.iter().any(|known| known.steps == choice.steps) {
                    choices.push(choice);
                }
            }
        }
        choices
    }

    fn elementary(&mut self, words: &[u64], pids: &[usize], timeout: bool) -> Vec<Choice> {
        let mut gatherer = Gatherer::default();
        self.begin_walk(timeout);
        for &pid in pids {
            self.each_move(words, pid, &mut gatherer);
        }
        for (words, path) in self.take_pending() {
            gatherer.add(path, Some(words), true);
        }
        self.begin_walk(false);
        gatherer.choices
    }
}

#[derive(Default)]
struct Gatherer {
    choices: Vec<Choice>,
}

impl Gatherer {
    /// The choice with these steps, which is made if it is new.
    fn add(&mut self, path: Path<'_>, words: Option<Vec<u64>>, atomic: bool) -> &mut Choice {
        let steps = path.steps();
        let at = self.choices.iter().position(|c| c.steps == steps).unwrap_or_else(|| {
            let performed = Performed { words: None, atomic: false, faults: Vec::new() };
            let mut deeds = Vec::new();
            path.actions(&mut Vec::new(), |action| deeds.push(action.to_deed()));
            self.choices.push(Choice { steps, performed, deeds });
            self.choices.len() - 1
        });
        let choice = &mut self.choices[at];
        if words.is_some() {
            choice.performed.words = words;
            choice.performed.atomic = atomic;
        }
        choice
    }
}

impl Visitor for Gatherer {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        self.add(path, Some(words.to_vec()), false);
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.add(path, None, false).performed.faults.push(fault);
    }
}
