//! What a model was compiled to, for those who execute it in another way.
//!
//! Somebody who has a faster way to find next states reads the program here, gives them to a
//! [`Visitor`] in the order of [`Engine::successors`], and leaves to the engine what it cannot do
//! itself: the steps of single processes, and the paths through atomic blocks.

use crate::code::{Match, Op};
use crate::engine::Engine;
use crate::shape::{EdgeCode, Instance, Range, Shape, ShapeId};
use crate::successors::{NO_STEP, Path, Pending, Step, Visitor};

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
    /// Whether the process of the last step keeps control, inside an atomic block.
    pub atomic: bool,
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
    /// says: no hidden variables, no `_last`, no trace that follows events.
    pub fn is_plain(&self) -> bool {
        self.hidden == 0 && self.last.is_none() && self.events.is_none()
    }

    /// Prepares for giving away the next states of a state in parts.
    pub fn begin_parts(&mut self) {
        self.begin_walk(false);
    }

    /// Gives what a step leads to, or keeps it for [`Engine::finish_parts`] if it is inside an
    /// atomic block.
    #[inline]
    pub fn arrive_by<V: Visitor>(&mut self, arrival: &Arrival<'_>, visitor: &mut V) {
        let Arrival { words, bits, step, taken, atomic } = *arrival;
        self.executed[step.0 as usize] = true;
        let mut trail = [(step.1, NO_STEP); 2];
        let mut last = 0;
        if let Some((edge, step)) = taken {
            self.executed[edge as usize] = true;
            trail[1] = (step, 0);
            last = 1;
        }
        if !atomic {
            visitor.next(words, bits, Path { trail: &trail, last });
            return;
        }
        let mut number = NO_STEP;
        for (step, _) in &trail[..=last as usize] {
            number = self.push_step(*step, number);
        }
        let mut kept = self.walk.spare.pop().unwrap_or_default();
        kept.clear();
        kept.extend_from_slice(words);
        let pid = usize::from(trail[last as usize].0.pid);
        self.walk.pending.push(Pending { words: kept, pid, step: number, depth: 1 });
    }

    /// The steps of one process.
    pub fn steps_of<V: Visitor>(&mut self, words: &[u64], pid: usize, visitor: &mut V) {
        let mut after = self.walk.spare.pop().unwrap_or_default();
        crate::successors::copy(&mut after, words);
        self.moves(words, &mut after, pid, NO_STEP, 0, visitor);
        self.walk.spare.push(after);
    }

    /// Goes on inside the atomic blocks that steps led to.
    pub fn finish_parts<V: Visitor>(&mut self, visitor: &mut V) {
        self.finish_atomic(visitor);
    }
}
