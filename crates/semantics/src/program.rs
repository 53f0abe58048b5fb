//! What a model was compiled to, for those who execute it in another way.
//!
//! Somebody who has a faster way to find next states reads the program here, gives them to a
//! [`Visitor`] in the order of [`Engine::successors`], and leaves to the engine what it cannot do
//! itself: the steps of single processes, and the paths through atomic blocks.

use crate::action::NOTHING_HEARD;
use crate::atomic::SUSPICIOUS;
use crate::code::{Match, Op};
use crate::engine::Engine;
use crate::shape::{EdgeCode, Instance, Range, Shape, ShapeId};
use crate::successors::{NO_STEP, Path, Pending, Step, Visitor, copy};
use crate::tail::has_tail;

/// Instructions and tables; see [`crate::shape`] for what refers to what.
#[derive(Clone, Copy, Debug)]
pub struct Program<'e> {
    /// All instructions.
    pub code: &'e [Op],
    /// Conditions on messages.
    pub matches: &'e [Match],
    /// The edges of all locations.
    pub edges: &'e [EdgeCode],
    /// The edges of each location.
    pub ranges: &'e [Range],
    /// Processes at their places.
    pub instances: &'e [Instance],
}

/// What a step leads to.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// The state behind it, and its bits.
    pub words: &'a [u64],
    /// How many bits it has.
    pub bits: u32,
    /// The edge, by its number among all, and the step.
    pub step: (u32, Step),
    /// The other half of a rendezvous.
    pub taken: Option<(u32, Step)>,
}

impl Engine<'_> {
    /// What the model was compiled to, as far as it has been met.
    pub fn program(&self) -> Program<'_> {
        Program {
            code: &self.code,
            matches: &self.matches,
            edges: &self.edges,
            ranges: &self.ranges,
            instances: &self.instances,
        }
    }

    /// The shape of a number, which another engine may have met first.
    pub fn known_shape(&mut self, id: ShapeId) -> Option<&Shape> {
        if self.shapes.len() <= id.0 as usize {
            self.catch_up(id);
        }
        self.shapes.get(id.0 as usize)
    }

    /// Whether a step of a process depends on nothing and leaves nothing behind but what its code
    /// says: no hidden variables, no `_last`, no trace that follows events, nobody who listens, no
    /// channel without capacity.
    pub fn is_plain(&self) -> bool {
        let watched = self.events.is_some() || self.listens();
        self.hidden == 0 && self.last.is_none() && !watched && !has_tail(self.model)
    }

    /// Prepares for giving away the next states of a state in parts.
    pub fn begin_parts(&mut self) {
        self.begin_walk(false);
    }

    /// The position of an edge in its location, by its number among all.
    #[inline]
    pub fn position(&self, edge: u32) -> u16 {
        self.edges.get(edge as usize).map_or(0, |edge| edge.position)
    }

    /// Gives what a step leads to that neither begins nor ends inside an atomic block.
    #[inline(always)] // For each step: what the visitor does not ask of it is not calculated.
    pub fn arrive_behind<V: Visitor>(&mut self, arrival: &Arrival<'_>, visitor: &mut V) {
        let Arrival { words, bits, step, taken } = *arrival;
        self.is_executed(step.0);
        if let Some((edge, _)) = taken {
            self.is_executed(edge);
        }
        let half = taken.map_or(step.1, |(_, half)| half);
        let trail = [(step.1, NO_STEP), (half, 0)];
        let last = u32::from(taken.is_some());
        visitor.next(words, bits, Path { trail: &trail, heard: &NOTHING_HEARD, last });
    }

    #[inline]
    fn is_executed(&mut self, edge: u32) {
        if let Some(executed) = self.executed.get_mut(edge as usize) {
            *executed = true;
        }
    }

    /// Gives what a step leads to, or keeps it for later if the process of the last step keeps
    /// control (`stays`), inside an atomic block; `before` is where it began, if that was inside one.
    pub fn arrive_inside<V: Visitor>(
        &mut self,
        arrival: &Arrival<'_>,
        before: Option<&Inside>,
        stays: bool,
        visitor: &mut V,
    ) {
        let Arrival { words, bits, step, taken } = *arrival;
        self.is_executed(step.0);
        let (number, depth) = before.map_or((NO_STEP, 0), |Inside(p)| (p.step, p.depth));
        let mut number = self.push_step(step.1, number);
        let mut pid = step.1.pid;
        if let Some((edge, half)) = taken {
            self.is_executed(edge);
            number = self.push_step(half, number);
            pid = half.pid;
        }
        if stays {
            let mut kept = self.walk.spare.pop().unwrap_or_default();
            copy(&mut kept, words);
            let (pid, depth) = (usize::from(pid), depth + 1);
            self.walk.pending.push(Pending { words: kept, pid, step: number, depth });
        } else {
            visitor.next(words, bits, self.walk.path(number));
        }
    }

    /// Whether a step has led into an atomic block, and the way through it is not known yet.
    #[inline]
    pub fn is_inside(&self) -> bool {
        !self.walk.pending.is_empty()
    }

    /// The steps of one process.
    pub fn steps_of<V: Visitor>(&mut self, words: &[u64], pid: usize, visitor: &mut V) {
        let mut after = self.walk.spare.pop().unwrap_or_default();
        copy(&mut after, words);
        self.moves(words, &mut after, pid, NO_STEP, 0, visitor);
        self.walk.spare.push(after);
    }

    /// A state inside an atomic block that waits, unless there is none or the block may run in a
    /// circle: then [`Engine::finish_parts`] does the rest.
    pub fn take_inside(&mut self) -> Option<Inside> {
        let next = self.walk.pending.last()?;
        if next.depth >= SUSPICIOUS { None } else { self.walk.pending.pop().map(Inside) }
    }

    /// Goes on inside an atomic block.
    pub fn go_on_inside<V: Visitor>(&mut self, inside: Inside, visitor: &mut V) {
        self.go_on(inside.0, visitor);
    }

    /// The process cannot go on inside an atomic block: the state counts as any other.
    pub fn stay_inside<V: Visitor>(&mut self, inside: &Inside, visitor: &mut V) {
        let Inside(Pending { words, step, .. }) = inside;
        let bits = self.bits_of(words);
        visitor.next(words, bits, self.walk.path(*step));
    }

    /// A state inside an atomic block is done with.
    pub fn give_back(&mut self, inside: Inside) {
        self.walk.spare.push(inside.0.words);
    }

    /// Goes on inside the atomic blocks that steps led to.
    pub fn finish_parts<V: Visitor>(&mut self, visitor: &mut V) {
        self.finish_atomic(visitor);
    }
}

/// A state inside an atomic block.
#[derive(Debug)]
pub struct Inside(Pending);

impl Inside {
    /// The state.
    pub fn words(&self) -> &[u64] {
        &self.0.words
    }

    /// The process that has control.
    pub fn pid(&self) -> usize {
        self.0.pid
    }
}
