//! The inside of a `d_step`: points, and at each the steps to try in order.

use super::flow::{ElementId, Flow, Node, SequenceId};
use super::jumps::LONGEST_CHAIN;
use crate::machine::{Action, Block, BlockStep};
use ahash::AHashMap;
use pverify_syntax::source::Span;

/// What a `d_step` may not contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BlockError {
    /// `run`, a remote reference, an end of the process.
    Forbidden { what: &'static str, span: Span },
    /// A jump that leaves the block.
    Leaves { span: Span },
    /// Jumps without a statement between them.
    Circle { span: Span },
}

/// Builds the block of a `d_step` from the elements of its sequence; `element` is the `d_step`.
pub(crate) fn block(
    flow: &Flow,
    process: u32,
    element: ElementId,
    sequence: SequenceId,
    errors: &mut Vec<BlockError>,
    reached: &mut [bool],
) -> Block {
    let mut builder =
        Builder { flow, process, points: Vec::new(), known: AHashMap::new(), errors, reached };
    let Some(first) = flow.sequence(sequence).first else { return Block { points: Vec::new() } };
    let exit = flow.get(element).next;
    builder.point(first, exit);
    let mut at = 0;
    while at < builder.points.len() {
        let start = builder.points[at].0;
        let steps = builder.steps(start, exit);
        builder.points[at].1 = steps;
        at += 1;
    }
    Block { points: builder.points.into_iter().map(|(_, steps)| steps).collect() }
}

struct Builder<'a> {
    flow: &'a Flow,
    process: u32,
    points: Vec<(ElementId, Vec<BlockStep>)>,
    known: AHashMap<ElementId, u32>,
    errors: &'a mut Vec<BlockError>,
    reached: &'a mut [bool],
}

impl Builder<'_> {
    /// The point where control is when it goes to `from`; `None` outside the block.
    fn point(&mut self, from: ElementId, exit: Option<ElementId>) -> Option<u32> {
        let mut at = from;
        let mut jumped = None;
        for step in 0.. {
            if step == LONGEST_CHAIN {
                self.errors.push(BlockError::Circle { span: self.flow.get(from).span });
                return None;
            }
            if Some(at) == exit {
                return None;
            }
            let element = self.flow.get(at);
            if !element.in_d_step {
                if let Some(span) = jumped {
                    self.errors.push(BlockError::Leaves { span });
                }
                return None;
            }
            match &element.node {
                Node::Goto(jump) => {
                    at = self.flow.resolve(jump, self.process)?;
                    // Behind the exit of a loop at the end of the block, its end is reached.
                    if !self.flow.get(at).in_d_step {
                        jumped = Some(element.span);
                    }
                }
                Node::Joint | Node::LoopExit => at = element.next?,
                Node::Unless | Node::Choice | Node::Step(_) | Node::Stop => break,
                Node::Atomic(inner) | Node::DStep(inner) | Node::Block(inner) => {
                    at = self.flow.sequence(*inner).first?;
                }
            }
        }
        let next = self.points.len() as u32;
        let id = *self.known.entry(at).or_insert(next);
        if id == next {
            self.points.push((at, Vec::new()));
        }
        Some(id)
    }

    /// The steps that can be tried at an element, in order.
    fn steps(&mut self, start: ElementId, exit: Option<ElementId>) -> Vec<BlockStep> {
        let mut steps = Vec::new();
        let mut work = vec![start];
        let mut budget = 100_000;
        while let Some(at) = work.pop() {
            budget -= 1;
            if budget == 0 {
                break;
            }
            let element = self.flow.get(at);
            match &element.node {
                Node::Step(action) => {
                    self.reached[at.0 as usize] = true;
                    self.check(action, element.span);
                    let next = element.next.and_then(|next| self.point(next, exit));
                    steps.push(BlockStep { action: action.clone(), next, span: element.span });
                }
                Node::Choice => {
                    let firsts = element.options.iter().rev();
                    work.extend(firsts.filter_map(|&option| self.flow.sequence(option).first));
                }
                Node::Unless => {
                    let main = element.options.first();
                    work.extend(main.and_then(|&main| self.flow.sequence(main).first));
                }
                Node::Atomic(inner) | Node::DStep(inner) | Node::Block(inner) => {
                    work.extend(self.flow.sequence(*inner).first);
                }
                // A jump as the first statement of an option is a step that does nothing.
                Node::Goto(_) => {
                    let next = self.point(at, exit);
                    steps.push(BlockStep { action: Action::Jump, next, span: element.span });
                }
                Node::Joint | Node::LoopExit => work.extend(element.next),
                Node::Stop => {
                    let what = "the end of the process";
                    self.errors.push(BlockError::Forbidden { what, span: element.span });
                }
            }
        }
        steps
    }

    fn check(&mut self, action: &Action, span: Span) {
        let what = match crate::walk::forbidden_in_d_step(action) {
            Some(what) => what,
            None => return,
        };
        self.errors.push(BlockError::Forbidden { what, span });
    }
}
