//! The jumps in the C that SPIN writes for the inside of a `d_step`, and those it cannot write.
//!
//! SPIN writes a `d_step` as C with a label for each element and a `goto` for each jump (its
//! functions `putcode`, `putCode`, `Sourced`, `Dested` and `Mopup` in `dstep.c`). What jumps to an
//! element that got no label is refused: by `spin -a` (`goto S_… breaks from d_step seq`) or, where
//! it takes the element for a known exit, by gcc. Most such jumps leave the block, and no model may
//! do that. Some do not: at the end of the block SPIN follows them beyond the place where it puts
//! its last label. We go the same way, so that both are told apart, and the second is known exactly.

use super::flow::{ElementId, Flow, Node, SequenceId};
use super::jumps::JumpError;
use ahash::{AHashMap, AHashSet};

/// SPIN follows at most this many jumps here.
const LONGEST_CHAIN: usize = 32;

/// What SPIN has written for the `d_step`s of one process so far.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Elements that were visited (`DONE2`).
    done: AHashSet<ElementId>,
    /// Exits of `d_step`s before this one: they have had their label.
    exits: AHashSet<ElementId>,
    /// Elements with a label inside this `d_step`, and exits (`Tojump`).
    sources: AHashSet<ElementId>,
    /// Jumps of this `d_step` to elements without one as yet, and who jumps (`Jumpto`).
    wanted: Vec<(ElementId, ElementId)>,
    /// Whether the last thing written was a jump.
    jumped: bool,
    /// The labels of all, with how often they were set.
    labels: AHashMap<ElementId, usize>,
    /// All jumps: target and who jumps.
    jumps: Vec<(ElementId, ElementId)>,
}

impl Written {
    /// Writes the `d_step` `id`, whose sequence has been tied to what follows.
    pub(super) fn d_step(
        &mut self,
        flow: &Flow,
        id: ElementId,
        inner: SequenceId,
    ) -> Vec<JumpError> {
        let mut errors = Vec::new();
        let Some(exit) = flow.get(id).next else { return errors };
        if let Err(error) = self.block(flow, id, inner, exit, &mut errors) {
            errors.push(error);
        }
        self.wanted.clear();
        self.sources = self.exits.clone();
        errors
    }

    fn block(
        &mut self,
        flow: &Flow,
        id: ElementId,
        inner: SequenceId,
        exit: ElementId,
        errors: &mut Vec<JumpError>,
    ) -> Result<(), JumpError> {
        let last = flow.sequence(inner).last.map(|last| flow.get(last));
        let beyond = match last.filter(|last| matches!(last.node, Node::LoopExit)) {
            Some(last) => match last.next {
                Some(next) => Some(target(flow, flow.rest(next, last.atomic, last.process)?)?),
                None => None,
            },
            None => None,
        };
        self.sequence(flow, inner, Some(exit))?;
        let first_time = !self.exits.contains(&exit);
        if first_time && (!self.done.contains(&exit) || !flow.get(exit).in_d_step) {
            self.label(exit);
            self.done.insert(exit);
            self.jumped = false;
        }
        self.sources.insert(exit);
        self.exits.insert(exit);
        for (to, from) in std::mem::take(&mut self.wanted) {
            if self.sources.contains(&to) {
                continue;
            }
            if Some(to) == beyond {
                if !self.jumped {
                    self.label(to);
                }
                continue;
            }
            self.jumps.retain(|&(known, _)| known != to);
            errors.push(refusal(flow, id, from, to));
        }
        Ok(())
    }

    /// Recursion is as deep as blocks are nested, which the grammar bounds.
    fn sequence(
        &mut self,
        flow: &Flow,
        sequence: SequenceId,
        next: Option<ElementId>,
    ) -> Result<(), JumpError> {
        let ends = flow.sequence(sequence);
        let mut at = ends.first;
        // What was visited before may go round in a loop.
        let mut budget = flow.elements.len();
        while let Some(id) = at.filter(|_| budget > 0) {
            budget -= 1;
            let element = flow.get(id);
            at = element.next;
            if !self.done.insert(id) {
                continue;
            }
            if !element.in_d_step {
                if !self.jumped {
                    self.jump(id, id);
                }
                break;
            }
            self.label(id);
            self.jumped = false;
            self.sources.insert(id);
            if matches!(element.node, Node::Choice | Node::Unless) {
                let exit = element.next.map(|next| &flow.get(next).node);
                let repeats = matches!(exit, Some(Node::LoopExit));
                let behind = if repeats { Some(id) } else { element.next };
                for &option in &element.options {
                    self.sequence(flow, option, behind)?;
                    self.jumped = false;
                }
            } else {
                self.element(flow, id, next)?;
                if let Some(next) = element.next.filter(|next| self.done.contains(next))
                    && !self.jumped
                {
                    self.jump(next, id);
                    break;
                }
            }
            if Some(id) == ends.extent {
                if let Some(next) = next.filter(|_| !self.jumped) {
                    self.jump(next, id);
                }
                break;
            }
        }
        Ok(())
    }

    fn element(
        &mut self,
        flow: &Flow,
        id: ElementId,
        next: Option<ElementId>,
    ) -> Result<(), JumpError> {
        let element = flow.get(id);
        match &element.node {
            Node::Atomic(inner) | Node::DStep(inner) | Node::Block(inner) => {
                self.sequence(flow, *inner, element.next)?;
            }
            Node::LoopExit => {
                let to = match element.next {
                    Some(next) => {
                        Some(target(flow, flow.rest(next, element.atomic, element.process)?)?)
                    }
                    None => next,
                };
                if let Some(to) = to {
                    self.jump(to, id);
                }
            }
            Node::Goto(_) => {
                let to = flow.jump_target(id, element.process)?;
                let to = flow.rest(to, element.atomic, element.process)?;
                self.jump(to, id);
            }
            Node::Joint => {
                if let Some(next) = element.next.filter(|next| self.done.contains(next)) {
                    self.jump(next, id);
                }
            }
            _ => self.jumped = false,
        }
        Ok(())
    }

    fn label(&mut self, id: ElementId) {
        *self.labels.entry(id).or_default() += 1;
    }

    /// That the last thing was a jump SPIN notes only if nobody wanted to go there before.
    fn jump(&mut self, to: ElementId, from: ElementId) {
        self.jumps.push((to, from));
        let known = self.sources.contains(&to) || self.wanted.iter().any(|&(known, _)| known == to);
        if !known {
            self.wanted.push((to, from));
            self.jumped = true;
        }
    }

    /// What gcc refuses, once all are written: a label that is missing, or is there twice.
    pub(super) fn finish(self, flow: &Flow) -> Vec<JumpError> {
        let strange = |to: &ElementId| self.labels.get(to).copied().unwrap_or_default() != 1;
        let jumps = self.jumps.iter().filter(|(to, _)| strange(to));
        jumps.map(|&(_, from)| JumpError::Unwritable { span: flow.get(from).span }).collect()
    }
}

/// A jump to where the block ends anyway is plain, and only SPIN cannot write it.
fn refusal(flow: &Flow, d_step: ElementId, from: ElementId, to: ElementId) -> JumpError {
    let span = flow.get(from).span;
    let element = flow.get(d_step);
    let end = element.next.map(|exit| flow.rest(exit, false, element.process));
    let end = match end {
        Some(Ok(end)) => target(flow, end),
        Some(Err(error)) => Err(error),
        None => return JumpError::LeavesDStep { span },
    };
    let to = flow.rest(to, false, element.process).and_then(|to| target(flow, to));
    if end.is_ok() && end == to {
        JumpError::Unwritable { span }
    } else {
        JumpError::LeavesDStep { span }
    }
}

/// Where control goes from a jump or the exit of a loop.
fn target(flow: &Flow, from: ElementId) -> Result<ElementId, JumpError> {
    let mut at = from;
    for _ in 0..LONGEST_CHAIN {
        let element = flow.get(at);
        at = match (&element.node, element.next) {
            (Node::Goto(_), _) => {
                let to = flow.jump_target(at, element.process)?;
                flow.check_crossing(at, to)?;
                to
            }
            (Node::LoopExit, Some(next)) => flow.rest(next, element.atomic, element.process)?,
            _ => return Ok(at),
        };
    }
    Err(JumpError::Circle { span: flow.get(from).span })
}
