//! Marks on elements: which can be escaped from, and which end inside an atomic block.

use super::flow::{ElementId, Flow, FlowError, Node, SequenceId};

impl Flow {
    /// Lets an escape take over in every element of a sequence.
    pub(super) fn attach_escape(&mut self, sequence: SequenceId, escape: SequenceId) {
        let mut work = vec![Work::Sequence(sequence)];
        while let Some(item) = work.pop() {
            match item {
                Work::Sequence(id) => {
                    let extent = self.sequence(id).extent;
                    let mut elements = Vec::new();
                    let mut at = self.sequence(id).first;
                    while let Some(element) = at {
                        elements.push(element);
                        if Some(element) == extent {
                            break;
                        }
                        at = self.get(element).next;
                    }
                    work.extend(elements.into_iter().rev().map(Work::Element));
                }
                Work::Element(id) => self.escape_element(id, escape, &mut work),
            }
        }
    }

    fn escape_element(&mut self, id: ElementId, escape: SequenceId, work: &mut Vec<Work>) {
        if self.get(id).escapes.contains(&escape) {
            return;
        }
        let mut next: Vec<Work> = Vec::new();
        // Escapes of inner levels can be escaped from as well.
        next.extend(self.get(id).escapes.iter().copied().map(Work::Sequence));
        self.get_mut(id).escapes.insert(0, escape);
        match self.get(id).node {
            Node::Unless => next.extend(self.get(id).options.first().copied().map(Work::Sequence)),
            Node::Choice => next.extend(self.get(id).options.iter().copied().map(Work::Sequence)),
            Node::DStep(inner) => next.extend(self.sequence(inner).first.map(Work::Element)),
            Node::Atomic(inner) | Node::Block(inner) => next.push(Work::Sequence(inner)),
            _ => {}
        }
        work.extend(next.into_iter().rev());
    }

    /// Marks a sequence as atomic (or, with `d_step`, as one step); its last step gives up control.
    pub(crate) fn make_atomic(&mut self, sequence: SequenceId, d_step: bool) {
        let mut sequence = sequence;
        loop {
            let ends = self.sequence(sequence);
            let (Some(first), Some(last)) = (ends.first, ends.last) else { return };
            self.walk_atomic(first, last, d_step);
            match self.get(last).node {
                Node::Atomic(inner) | Node::Block(inner) => sequence = inner,
                Node::Unless => match self.get(last).options.first() {
                    Some(&main) => sequence = main,
                    None => return,
                },
                _ => {
                    let last = self.get_mut(last);
                    last.atomic = false;
                    last.atomic_last = true;
                    return;
                }
            }
        }
    }

    fn walk_atomic(&mut self, first: ElementId, last: ElementId, d_step: bool) {
        let mut work = vec![(first, last)];
        while let Some((first, last)) = work.pop() {
            let mut at = Some(first);
            while let Some(id) = at {
                let element = self.get_mut(id);
                element.atomic = true;
                element.in_d_step |= d_step;
                let inner = match element.node {
                    Node::Atomic(inner) | Node::Block(inner) => Some(inner),
                    Node::DStep(inner) if d_step => Some(inner),
                    _ => None,
                };
                if let Some(inner) = inner {
                    // Atomic within atomic is a plain block.
                    element.node = Node::Block(inner);
                }
                let mut inside: Vec<SequenceId> = inner.into_iter().collect();
                inside.extend(&element.options);
                if d_step && matches!(element.node, Node::Unless) {
                    let span = element.span;
                    self.errors.push(FlowError::UnlessInDStep(span));
                }
                for sequence in inside {
                    let ends = self.sequence(sequence);
                    work.extend(ends.first.zip(ends.last));
                }
                if id == last {
                    break;
                }
                at = self.get(id).next;
            }
        }
    }
}

enum Work {
    Sequence(SequenceId),
    Element(ElementId),
}
