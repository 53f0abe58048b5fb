//! Where jumps lead, and which elements control passes through without resting.

use super::flow::{ElementId, Flow, FlowError, Jump, Node, SequenceId};
use crate::machine::Action;
use pverify_syntax::source::Span;

/// Why a jump leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JumpError {
    /// No label of this name.
    Undefined { name: String, span: Span },
    /// A jump from outside to the inside of a `d_step`, or back.
    IntoDStep { span: Span },
    /// Jumps that lead in a circle without a statement between them.
    Circle { span: Span },
    /// A jump from inside a `d_step` to a place that is not its end.
    LeavesDStep { span: Span },
    /// A jump inside a `d_step` for which SPIN cannot write the C, though it is plain.
    Unwritable { span: Span },
}

/// SPIN follows at most this many jumps before it calls the structure confusing.
pub(super) const LONGEST_CHAIN: usize = 500;

impl Flow {
    /// The element a jump of a process leads to.
    pub(crate) fn resolve(&self, jump: &Jump, process: u32) -> Option<ElementId> {
        match jump {
            Jump::Break(id) => self.exits[id.0 as usize],
            Jump::Label { name, scope } => {
                let mut best: Option<ElementId> = None;
                for label in self.labels.iter().rev() {
                    if label.process != process || label.name != *name {
                        continue;
                    }
                    if label.scope == *scope {
                        return Some(label.element);
                    }
                    if scope.starts_with(&label.scope) || best.is_none() {
                        best = Some(label.element);
                    }
                }
                best
            }
        }
    }

    /// As [`Flow::resolve`] for an element that is a jump, with the reason if it leads nowhere.
    pub(crate) fn jump_target(
        &self,
        from: ElementId,
        process: u32,
    ) -> Result<ElementId, JumpError> {
        let element = self.get(from);
        let Node::Goto(jump) = &element.node else { return Ok(from) };
        let Some(target) = self.resolve(jump, process) else {
            let name = match jump {
                Jump::Label { name, .. } => name.to_string(),
                Jump::Break(_) => "break".to_owned(),
            };
            return Err(JumpError::Undefined { name, span: element.span });
        };
        Ok(target)
    }

    /// Jumps may not cross the border of a `d_step`.
    pub(crate) fn check_crossing(
        &self,
        jump: ElementId,
        target: ElementId,
    ) -> Result<(), JumpError> {
        if self.get(target).d_step == self.get(jump).d_step {
            Ok(())
        } else {
            Err(JumpError::IntoDStep { span: self.get(jump).span })
        }
    }

    /// The element where control rests when it is sent to `from` by a step with the given mark.
    pub(crate) fn rest(
        &self,
        from: ElementId,
        atomic: bool,
        process: u32,
    ) -> Result<ElementId, JumpError> {
        let mut at = from;
        for _ in 0..LONGEST_CHAIN {
            let next = match &self.get(at).node {
                Node::Goto(_) => {
                    let target = self.jump_target(at, process)?;
                    if target == at {
                        break;
                    }
                    self.check_crossing(at, target)?;
                    target
                }
                Node::Joint | Node::LoopExit => match self.get(at).next {
                    Some(next) => next,
                    None => return Ok(at),
                },
                Node::Unless => {
                    let main = self.get(at).options.first().copied();
                    match main.and_then(|main| self.sequence(main).first) {
                        Some(first) => self.rest(first, atomic, process)?,
                        None => return Ok(at),
                    }
                }
                _ => return Ok(at),
            };
            if atomic && !self.get(next).atomic {
                return Ok(at);
            }
            at = next;
        }
        Err(JumpError::Circle { span: self.get(from).span })
    }

    /// The first element of an option that is a place: joints and `unless` are passed through.
    pub(crate) fn start(&self, from: ElementId) -> Result<ElementId, JumpError> {
        let mut at = from;
        for _ in 0..200 {
            let element = self.get(at);
            let next = match element.node {
                Node::Joint => element.next,
                Node::Unless => element.options.first().and_then(|&main| self.sequence(main).first),
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => return Ok(at),
            }
        }
        Err(JumpError::Circle { span: self.get(from).span })
    }

    /// Complains about jumps that leave a `d_step` in its middle (its last step may).
    pub(crate) fn check_d_step_jumps(&mut self, sequence: SequenceId, process: u32) {
        // Behind an inner `d_step` nobody knows any more where this one began; that a label is
        // still to come is seen all the same.
        let start = self.d_step_start.unwrap_or(0);
        let mut work = vec![sequence];
        while let Some(id) = work.pop() {
            let ends = self.sequence(id);
            let mut at = ends.first;
            while let Some(element) = at.filter(|&element| Some(element) != ends.last) {
                if let Node::Goto(jump) = &self.get(element).node {
                    let target = self.resolve(jump, process);
                    if target.is_none_or(|target| target.0 < start) {
                        let span = self.get(element).span;
                        self.errors.push(FlowError::JumpOutOfDStep(span));
                        return;
                    }
                }
                work.extend(&self.get(element).options);
                at = self.get(element).next;
            }
        }
    }

    /// Ties the ends of blocks to what follows the block, youngest first.
    pub(crate) fn tie_loose_ends(&mut self) {
        for at in (0..self.elements.len()).rev() {
            let element = &self.elements[at];
            let (Node::Atomic(inner) | Node::DStep(inner) | Node::Block(inner)) = element.node
            else {
                continue;
            };
            let mut follow = element.next;
            while let Some(next) = follow.filter(|&next| matches!(self.get(next).node, Node::Joint))
            {
                follow = self.get(next).next;
            }
            if element.next.is_none() {
                continue;
            }
            let Some(last) = self.sequence(inner).last else { continue };
            match self.get(last).next {
                None => self.get_mut(last).next = follow,
                Some(next) if matches!(self.get(next).node, Node::Goto(_)) => {
                    self.sequences[inner.0 as usize].last = Some(next);
                }
                Some(_) => {}
            }
        }
    }

    /// Makes a label that is referred to from another process a place of its own: a jump there
    /// becomes a skip followed by the jump.
    pub(crate) fn settle_label(&mut self, label: usize, number: u32) -> bool {
        let id = self.labels[label].element;
        if !matches!(self.get(id).node, Node::Goto(_)) {
            return false;
        }
        let moved = ElementId(self.elements.len() as u32);
        let element = self.get_mut(id);
        let jump = super::flow::Element {
            node: std::mem::replace(&mut element.node, Node::Step(Action::Skip)),
            process: element.process,
            number,
            next: element.next.replace(moved),
            options: Vec::new(),
            escapes: Vec::new(),
            atomic: false,
            atomic_last: false,
            in_d_step: false,
            d_step: element.d_step,
            span: element.span,
        };
        self.elements.push(jump);
        true
    }
}
