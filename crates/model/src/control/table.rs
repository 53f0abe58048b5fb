//! The transition table: for each element what it does and where control rests afterwards.
//!
//! A choice has a head row entry without meaning, then one entry an option; so do blocks, whose
//! only option is their first element. [`super::fold`] makes locations of it.

use super::flow::{ElementId, Flow, Node, Sequence, SequenceId};
use super::jumps::JumpError;
use super::written::Written;

/// What a transition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Leads into a choice or block: not a step.
    Structure,
    /// The step of an element.
    Step(ElementId),
}

/// One transition of the table.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    /// The element's number across all processes.
    pub(crate) id: u32,
    pub(crate) entry: Entry,
    /// The number of the element control goes to; 0 at the end of the process.
    pub(crate) target: u32,
    /// The step ends inside an atomic block.
    pub(crate) atomic: bool,
    /// Numbers of the first elements of the escapes that can take over.
    pub(crate) escapes: Vec<u32>,
    /// Set on copies of escapes: the escape's number.
    pub(crate) escape: Option<u32>,
}

/// The transitions of a process by element number.
pub(crate) type Table = Vec<Vec<Transition>>;

/// Builds the table of one process.
pub(crate) fn table(
    flow: &mut Flow,
    process: u32,
    body: SequenceId,
    size: u32,
    errors: &mut Vec<JumpError>,
) -> Table {
    let mut builder = Builder {
        process,
        rows: vec![Vec::new(); size as usize],
        done: ahash::AHashSet::new(),
        written: Written::default(),
        flow,
        errors,
    };
    builder.sequence(body);
    let Builder { rows, written, flow, errors, .. } = builder;
    errors.extend(written.finish(flow));
    rows
}

struct Builder<'a> {
    flow: &'a mut Flow,
    process: u32,
    rows: Table,
    done: ahash::AHashSet<ElementId>,
    written: Written,
    errors: &'a mut Vec<JumpError>,
}

impl Builder<'_> {
    /// Rows for the elements of a sequence. Recursion is as deep as blocks are nested, which the
    /// grammar bounds.
    fn sequence(&mut self, id: SequenceId) {
        let mut at = self.flow.sequence(id).first;
        while let Some(element) = at {
            if self.done.insert(element) {
                self.element(element);
            }
            if Some(element) == self.flow.sequence(id).last {
                break;
            }
            at = self.flow.get(element).next;
        }
    }

    fn element(&mut self, id: ElementId) {
        match self.flow.get(id).node {
            Node::Unless => {
                if let Some(&main) = self.flow.get(id).options.first() {
                    self.sequence(main);
                }
            }
            Node::Choice => self.choice(id),
            Node::Atomic(inner) | Node::Block(inner) => self.block(id, inner),
            Node::DStep(inner) => self.d_step(id, inner),
            _ => self.step(id),
        }
    }

    fn choice(&mut self, id: ElementId) {
        let element = self.flow.get(id);
        let (number, atomic, options) = (element.number, element.atomic, element.options.clone());
        let mut row = vec![structure(id, atomic, 0)];
        for &option in &options {
            let Some(first) = self.flow.sequence(option).first else { continue };
            let Some(start) = self.guarded(self.flow.start(first)) else { continue };
            let start = self.flow.get(start);
            if is_false(&start.node) && start.escapes.is_empty() {
                continue; // SPIN leaves out options that can never be taken.
            }
            row.push(structure(id, atomic, start.number));
        }
        self.set(number, row);
        for option in options {
            self.sequence(option);
        }
    }

    fn block(&mut self, id: ElementId, inner: SequenceId) {
        let atomic = matches!(self.flow.get(id).node, Node::Atomic(_));
        let Some(start) = self.enter(id, inner) else { return };
        let target = self.flow.get(start).number;
        let number = self.flow.get(id).number;
        self.set(number, vec![structure(id, atomic, 0), structure(id, atomic, target)]);
        self.sequence(inner);
    }

    fn d_step(&mut self, id: ElementId, inner: SequenceId) {
        if self.enter(id, inner).is_none() {
            return;
        }
        let errors = self.written.d_step(self.flow, id, inner);
        self.errors.extend(errors);
        let element = self.flow.get(id);
        let (number, atomic) = (element.number, element.atomic);
        let target = match element.next {
            Some(next) => self.guarded(self.flow.rest(next, atomic, self.process)),
            None => None,
        };
        self.emit(id, number, atomic, target);
    }

    /// Common to all blocks: jumps that leave it lose their mark, its end is tied to what follows.
    fn enter(&mut self, id: ElementId, inner: SequenceId) -> Option<ElementId> {
        self.patch_jumps(inner);
        let Sequence { first, last, .. } = self.flow.sequence(inner);
        let start = self.guarded(self.flow.start(first?));
        let next = self.flow.get(id).next;
        if let Some(last) = last {
            self.flow.get_mut(last).next = next;
        }
        start
    }

    fn step(&mut self, id: ElementId) {
        let element = self.flow.get(id);
        let (number, atomic) = (element.number, element.atomic);
        let target = match (&element.node, element.next) {
            (Node::Goto(_), _) => {
                let target = self.flow.jump_target(id, self.process);
                let rest = target.and_then(|to| self.flow.rest(to, atomic, self.process));
                self.guarded(rest.and_then(|to| self.flow.check_crossing(id, to).map(|()| to)))
            }
            (_, Some(next)) => self.guarded(self.flow.rest(next, atomic, self.process)),
            (_, None) => None,
        };
        // Going on inside the block or not is decided by the step's own mark.
        self.emit(id, number, atomic, target);
    }

    fn emit(&mut self, id: ElementId, number: u32, atomic: bool, target: Option<ElementId>) {
        let target = target.map_or(0, |target| self.flow.get(target).number);
        let mut escapes = Vec::new();
        let element = self.flow.get(id);
        let sequences = element.escapes.clone();
        let can_escape = !matches!(element.node, Node::Joint);
        if can_escape {
            for &escape in &sequences {
                let first = self.flow.sequence(escape).first;
                let rest = first.map(|first| self.flow.rest(first, atomic, self.process));
                let rest = rest.and_then(|rest| self.guarded(rest));
                escapes.push(rest.map_or(0, |rest| self.flow.get(rest).number));
            }
        }
        let entry = Entry::Step(id);
        self.set(
            number,
            vec![Transition { id: id.0, entry, target, atomic, escapes, escape: None }],
        );
        if can_escape {
            for escape in sequences {
                self.sequence(escape);
            }
        }
    }

    /// A jump out of an atomic block ends it; one from atomic into atomic does not.
    fn patch_jumps(&mut self, sequence: SequenceId) {
        let ends = self.flow.sequence(sequence);
        let mut at = ends.first;
        while let Some(id) = at {
            if matches!(self.flow.get(id).node, Node::Goto(_)) {
                let target = self.flow.jump_target(id, self.process);
                let target = target.and_then(|to| self.flow.check_crossing(id, to).map(|()| to));
                if let Some(target) = self.guarded(target) {
                    let target = self.flow.get(target);
                    let inside = target.atomic || target.atomic_last;
                    let jump = self.flow.get_mut(id);
                    if (jump.atomic || jump.atomic_last) && !inside {
                        jump.atomic = false;
                        jump.atomic_last = true;
                    }
                    if jump.atomic_last && inside {
                        jump.atomic_last = false;
                        jump.atomic = true;
                    }
                }
            } else {
                for option in self.flow.get(id).options.clone() {
                    self.patch_jumps(option);
                }
            }
            if Some(id) == ends.extent {
                break;
            }
            at = self.flow.get(id).next;
        }
    }

    fn set(&mut self, number: u32, row: Vec<Transition>) {
        if let Some(at) = self.rows.get_mut(number as usize) {
            *at = row;
        }
    }

    fn guarded(&mut self, result: Result<ElementId, JumpError>) -> Option<ElementId> {
        result.map_err(|error| self.errors.push(error)).ok()
    }
}

fn structure(id: ElementId, atomic: bool, target: u32) -> Transition {
    let entry = Entry::Structure;
    Transition { id: id.0, entry, target, atomic, escapes: Vec::new(), escape: None }
}

fn is_false(node: &Node) -> bool {
    use crate::machine::{Action, Expression};
    matches!(node, Node::Step(Action::Condition(Expression::Constant(0, _))))
}
