//! All next states of a state.
//!
//! A next state is one that a search would store: a rendezvous is one step, and so is a path
//! through an atomic block up to its end or to where the process cannot go on (there everybody may
//! move, and the state counts). Processes are tried youngest first, edges in their order, as SPIN
//! does.

use crate::action::Heard;
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::run::Outcome;
use crate::shape::{EdgeCode, EdgeKind, Range, Seat, ShapeId};
use pverify_model::layout::Field;

pub(crate) use crate::path::NO_STEP;
pub use crate::path::{Path, Step};

/// Takes what a state leads to.
pub trait Visitor {
    /// A next state, and how many bits it has behind its hidden words.
    fn next(&mut self, words: &[u64], bits: u32, path: Path<'_>);
    /// Something is wrong: after these steps, or in the state itself if there are none.
    fn fault(&mut self, fault: FaultKind, path: Path<'_>);
}

/// An atomic block that one process is inside of.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) words: Vec<u64>,
    pub(crate) pid: usize,
    pub(crate) step: u32,
    pub(crate) depth: u32,
}

/// Whose edges are tried.
#[derive(Clone, Copy)]
struct At {
    shape: ShapeId,
    pid: usize,
    seat: Seat,
    location: u32,
    /// The step before it, inside an atomic block.
    before: u32,
    depth: u32,
}

/// A process with a gate that is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pid: u32,
    location: u32,
    /// The first edge whose gate is open, and the one behind the last; `None` if it must be asked
    /// first whether the process may move at all.
    edges: Option<(u32, u32)>,
}

/// What trying the edges of a process has shown so far.
struct Going {
    /// There was one that could be done.
    moved: bool,
    /// The group of escapes it belongs to; others are not tried then.
    escape: u32,
}

/// Room that is used again for every state.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    pub(crate) trail: Vec<(Step, u32)>,
    pub(crate) pending: Vec<Pending>,
    pub(crate) spare: Vec<Vec<u64>>,
    open: Vec<Open>,
    pub(crate) heard: Heard,
}

impl Walk {
    pub(crate) fn path(&self, last: u32) -> Path<'_> {
        Path { trail: &self.trail, heard: &self.heard, last }
    }

    pub(crate) fn clear(&mut self) {
        self.trail.clear();
        self.heard.clear();
    }
}

impl Engine<'_> {
    /// Gives every next state of a state, and everything that is wrong in it or on the way.
    pub fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        self.walk.clear();
        self.run.timeout = false;
        let shape = self.shape_of(words);
        if self.shapes.len() <= shape.0 as usize {
            self.catch_up(shape);
        }
        let count = self.shapes[shape.0 as usize].processes.len();
        let mut moved = false;
        let mut after = self.walk.spare.pop().unwrap_or_default();
        copy(&mut after, words);
        let mut open = std::mem::take(&mut self.walk.open);
        self.find_open(shape, words, &mut open);
        for at in &open {
            moved |= match at.edges {
                Some((first, last)) => {
                    let seat = self.shapes[shape.0 as usize].seats[at.pid as usize];
                    let location = at.location;
                    let pid = at.pid as usize;
                    let place = At { shape, pid, seat, location, before: NO_STEP, depth: 0 };
                    self.moves_from(words, &mut after, first, last, &place, visitor)
                }
                None => self.moves(words, &mut after, at.pid as usize, NO_STEP, 0, visitor),
            };
        }
        open.clear();
        self.walk.open = open;
        if !moved && self.uses_timeout {
            self.run.timeout = true;
            for pid in (0..count).rev() {
                moved |= self.moves(words, &mut after, pid, NO_STEP, 0, visitor);
            }
            self.run.timeout = false;
        }
        self.walk.spare.push(after);
        self.finish_atomic(visitor);
        if !moved && count > 0 && !self.may_rest(words) {
            visitor.fault(FaultKind::InvalidEndState, self.walk.path(NO_STEP));
        }
    }

    /// The processes that may have something to do, youngest first: all gates are asked before
    /// anything is done, since most are closed.
    fn find_open(&self, shape: ShapeId, words: &[u64], open: &mut Vec<Open>) {
        let (ranges, gates) = (self.ranges.as_slice(), self.gates.as_slice());
        let mut heard = None;
        for (pid, seat) in self.shapes[shape.0 as usize].seats.iter().enumerate().rev() {
            let pid = pid as u32;
            let location = seat.location.get(words) as u32;
            if seat.conditional {
                open.push(Open { pid, location, edges: None });
                continue;
            }
            let Range { first, last, .. } = ranges[(seat.ranges + location) as usize];
            let mut at = first;
            while at < last {
                let gate = &gates[at as usize];
                if !gate.guard.holds(words) {
                    at += u32::from(gate.skip);
                } else if gate.needs & !self.heard(shape, words, gate.needs, &mut heard) != 0 {
                    at += 1;
                } else {
                    open.push(Open { pid, location, edges: Some((at, last)) });
                    break;
                }
            }
        }
    }

    /// The channels that somebody can receive from, as bits, if an edge `needs` any; found once.
    #[inline]
    fn heard(&self, shape: ShapeId, words: &[u64], needs: u64, found: &mut Option<u64>) -> u64 {
        if needs == 0 {
            return 0;
        }
        *found.get_or_insert_with(|| {
            let seats = self.shapes[shape.0 as usize].seats.iter();
            seats.fold(0, |heard, seat| {
                let location = seat.location.get(words) as u32;
                heard | self.ranges[(seat.ranges + location) as usize].hears
            })
        })
    }

    /// Prepares for asking single processes with [`Engine::each_move`].
    pub(crate) fn begin_walk(&mut self, timeout: bool) {
        self.walk.clear();
        self.walk.pending.clear();
        self.run.timeout = timeout;
    }

    /// The elementary steps of one process; those inside atomic blocks wait in `pending`.
    pub(crate) fn each_move<V: Visitor>(&mut self, words: &[u64], pid: usize, visitor: &mut V) {
        let mut after = words.to_vec();
        self.moves(words, &mut after, pid, NO_STEP, 0, visitor);
    }

    /// The states inside atomic blocks that the last steps led to, with these steps.
    pub(crate) fn take_pending(&mut self) -> Vec<(Vec<u64>, Path<'_>)> {
        let pending = std::mem::take(&mut self.walk.pending);
        pending.into_iter().map(|inside| (inside.words, self.walk.path(inside.step))).collect()
    }

    /// Whether every process is at a place where it may stay for ever.
    pub fn may_rest(&self, words: &[u64]) -> bool {
        let shape = &self.shapes[self.shape_of(words).0 as usize];
        shape.processes.iter().all(|id| {
            let process = &self.instances[id.0 as usize];
            let graph = &self.model.processes[process.kind as usize].graph;
            graph.locations[process.location.get(words) as usize].end
        }) && self.trace_may_rest(words)
    }

    /// The steps of one process; whether there is any. `after` is a copy of the state to work on,
    /// and is one again in the end: most edges cannot be taken and change nothing.
    pub(crate) fn moves<V: Visitor>(
        &mut self,
        words: &[u64],
        after: &mut Vec<u64>,
        pid: usize,
        before: u32,
        depth: u32,
        visitor: &mut V,
    ) -> bool {
        let shape = self.shape_of(words);
        let Some(&seat) = self.shapes[shape.0 as usize].seats.get(pid) else { return false };
        if seat.conditional {
            let id = self.shapes[shape.0 as usize].processes[pid];
            if !self.may_move(words, shape, id, pid) {
                return false;
            }
        }
        let location = seat.location.get(words) as u32;
        let Some((at, last)) = self.open_gate(seat.ranges + location, words) else { return false };
        let place = At { shape, pid, seat, location, before, depth };
        self.moves_from(words, after, at, last, &place, visitor)
    }

    /// The first edge of a location whose gate is open, and the one behind the last.
    #[inline]
    fn open_gate(&self, location: u32, words: &[u64]) -> Option<(u32, u32)> {
        let Range { first, last, .. } = self.ranges[location as usize];
        let mut at = first;
        while at < last {
            let gate = &self.gates[at as usize];
            if gate.guard.holds(words) {
                return Some((at, last));
            }
            at += u32::from(gate.skip);
        }
        None
    }

    /// Tries the edges of a process from one on.
    #[inline(never)]
    fn moves_from<V: Visitor>(
        &mut self,
        words: &[u64],
        after: &mut Vec<u64>,
        mut at: u32,
        last: u32,
        place: &At,
        visitor: &mut V,
    ) -> bool {
        let mut going = Going { moved: false, escape: 0 };
        self.run.other_possible = false;
        let mut heard = None;
        while at < last {
            let gate = &self.gates[at as usize];
            if !gate.guard.holds(words) {
                at += u32::from(gate.skip);
                continue;
            }
            if gate.needs & !self.heard(place.shape, words, gate.needs, &mut heard) != 0 {
                at += 1;
                continue;
            }
            if !self.attempt(words, after, at, place, &mut going, visitor) {
                break;
            }
            at += 1;
        }
        going.moved
    }

    /// Tries an edge whose gate is open; whether those behind it may be tried too.
    fn attempt<V: Visitor>(
        &mut self,
        words: &[u64],
        after: &mut Vec<u64>,
        at: u32,
        place: &At,
        going: &mut Going,
        visitor: &mut V,
    ) -> bool {
        let At { shape, pid, seat, location, before, depth } = *place;
        let edge = self.edges[at as usize];
        if going.escape > 0 && going.escape != edge.escape {
            return false;
        }
        let (first, count) = edge.guards;
        let guards = &self.guards[first as usize..first as usize + usize::from(count)];
        if !guards.iter().all(|guard| guard.holds(words)) {
            return true;
        }
        match edge.kind {
            EdgeKind::Else if self.run.other_possible => return true,
            EdgeKind::End if pid + 1 != self.shapes[shape.0 as usize].seats.len() => return true,
            _ => {}
        }
        self.begin(shape);
        self.run.offer = 0;
        let mut outcome = self.execute(edge.effect, after);
        if outcome == Outcome::Offered && edge.d_step {
            self.run.faults.push(FaultKind::BlockedDStep);
            self.run.fatal = true;
            outcome = Outcome::Blocked;
        }
        if outcome == Outcome::Blocked && self.run.faults.is_empty() {
            return true;
        }
        let offers = outcome == Outcome::Offered;
        let position = edge.position;
        let step = Step { pid: pid as u8, kind: seat.kind, location, edge: position, offers };
        let number = self.push_step(step, before);
        if seat.deterministic && self.run.other_possible && outcome != Outcome::Blocked {
            self.run.faults.push(FaultKind::Choice);
        }
        self.report_faults(number, visitor);
        match outcome {
            // It tried and failed: that is what is wrong, not that nothing can move.
            Outcome::Blocked => going.moved |= self.run.fatal,
            Outcome::Done => {
                self.executed[at as usize] = true;
                self.run.other_possible = true;
                going.escape = edge.escape;
                going.moved = true;
                self.arrive(after, pid, seat.location, &edge, number, depth, visitor);
            }
            Outcome::Offered => {
                seat.location.set(after, edge.target as i32);
                let other = self.run.other_possible;
                let taken = self.handshake(after, pid, number, depth, visitor);
                self.executed[at as usize] |= taken;
                going.moved |= taken;
                going.escape = if taken { edge.escape } else { 0 };
                // An offer that nobody takes leaves `else` possible.
                self.run.other_possible = other || taken;
            }
        }
        copy(after, words);
        true
    }

    /// The step is done: the process moves on, and the state is given away or, inside an atomic
    /// block, kept for later.
    #[allow(clippy::too_many_arguments, reason = "the state of one step, not worth a name")]
    pub(crate) fn arrive<V: Visitor>(
        &mut self,
        after: &mut Vec<u64>,
        pid: usize,
        location: Field,
        edge: &EdgeCode,
        number: u32,
        depth: u32,
        visitor: &mut V,
    ) {
        if edge.kind == EdgeKind::End {
            if let Err(fault) = self.remove_youngest(after) {
                return visitor.fault(fault, self.walk.path(number));
            }
        } else {
            location.set(after, edge.target as i32);
        }
        if let Some(last) = self.last {
            last.set(after, pid as i32);
        }
        if edge.atomic {
            let mut kept = self.walk.spare.pop().unwrap_or_default();
            kept.clear();
            kept.extend_from_slice(after);
            let depth = depth + 1;
            self.walk.pending.push(Pending { words: kept, pid, step: number, depth });
        } else {
            let bits = self.bits_of(after);
            visitor.next(after, bits, self.walk.path(number));
        }
    }

    pub(crate) fn remove_youngest(&mut self, words: &mut Vec<u64>) -> Result<(), FaultKind> {
        if self.shapes[self.shape_of(words).0 as usize].tail > 0 {
            return self.remove_youngest_with_tail(words);
        }
        self.remove_youngest_alone(words);
        Ok(())
    }

    pub(crate) fn remove_youngest_alone(&mut self, words: &mut Vec<u64>) {
        let parent = self.parent(self.shape_of(words));
        let shape = &self.shapes[parent.0 as usize];
        let (length, end) = (shape.words, shape.end);
        words.truncate(length);
        if end % 64 != 0
            && let Some(last) = words.last_mut()
        {
            *last &= (1u64 << (end % 64)) - 1;
        }
        self.shape_field.set(words, parent.0 as i32);
    }

    pub(crate) fn push_step(&mut self, step: Step, before: u32) -> u32 {
        self.walk.trail.push((step, before));
        self.walk.heard.settle();
        self.walk.trail.len() as u32 - 1
    }

    #[inline]
    pub(crate) fn report_faults<V: Visitor>(&mut self, step: u32, visitor: &mut V) {
        if self.run.faults.is_empty() {
            return;
        }
        for fault in std::mem::take(&mut self.run.faults) {
            visitor.fault(fault, self.walk.path(step));
        }
    }
}

#[inline]
pub(crate) fn copy(to: &mut Vec<u64>, from: &[u64]) {
    if to.len() == from.len() && from.len() <= SHORT {
        // A loop: most states are too short for a call.
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    } else {
        to.clear();
        to.extend_from_slice(from);
    }
}

/// States of so many words are copied word by word.
const SHORT: usize = 8;
