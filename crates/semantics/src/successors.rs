//! All next states of a state.
//!
//! A next state is one that a search would store: a rendezvous is one step, and so is a path
//! through an atomic block up to its end or to where the process cannot go on (there everybody may
//! move, and the state counts). Processes are tried youngest first, edges in their order, as SPIN
//! does.

use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::run::{Outcome, compare};
use crate::shape::{Condition, EdgeCode, EdgeKind, InstanceId, ShapeId};
use ahash::AHashMap;

/// One step of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The process's number.
    pub pid: u8,
    /// Its type.
    pub kind: u32,
    /// The location it starts from.
    pub location: u32,
    /// The position of the edge among those of the location.
    pub edge: u16,
    /// Whether it is the sending half of a rendezvous; the receiving half comes next.
    pub offers: bool,
}

/// Steps that lead from a state to a next one; longer than one inside atomic blocks.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    trail: &'a [(Step, u32)],
    last: u32,
}

const NO_STEP: u32 = u32::MAX;

impl Path<'_> {
    /// The steps, first to last.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = self.last;
        while at != NO_STEP {
            let (step, before) = self.trail[at as usize];
            steps.push(step);
            at = before;
        }
        steps.reverse();
        steps
    }
}

/// Takes what a state leads to.
pub trait Visitor {
    /// A next state.
    fn next(&mut self, words: &[u64], path: Path<'_>);
    /// Something is wrong: after these steps, or in the state itself if there are none.
    fn fault(&mut self, fault: FaultKind, path: Path<'_>);
}

/// An atomic block that one process is inside of.
#[derive(Debug)]
struct Pending {
    words: Vec<u64>,
    pid: usize,
    step: u32,
    depth: u32,
}

/// Room that is used again for every state.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    trail: Vec<(Step, u32)>,
    pending: Vec<Pending>,
    spare: Vec<Vec<u64>>,
}

/// Atomic paths longer than this are looked at for circles.
const SUSPICIOUS: u32 = 256;

/// Once a circle is reported, the rest of the block is followed through so many states at most:
/// the answer is known, and the states inside can be as many as those of a whole model.
const CIRCLE: usize = 10_000;

impl Engine<'_> {
    /// Gives every next state of a state, and everything that is wrong in it or on the way.
    pub fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        self.walk.trail.clear();
        self.run.timeout = false;
        let shape = self.shape_of(words);
        let count = self.shapes[shape.0 as usize].processes.len();
        let mut moved = false;
        let mut after = self.walk.spare.pop().unwrap_or_default();
        copy(&mut after, words);
        for pid in (0..count).rev() {
            moved |= self.moves(words, &mut after, pid, NO_STEP, 0, visitor);
        }
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
            let path = Path { trail: &self.walk.trail, last: NO_STEP };
            visitor.fault(FaultKind::InvalidEndState, path);
        }
    }

    /// Prepares for asking single processes with [`Engine::each_move`].
    pub(crate) fn begin_walk(&mut self, timeout: bool) {
        self.walk.trail.clear();
        self.walk.pending.clear();
        self.run.timeout = timeout;
    }

    /// The elementary steps of one process; those inside atomic blocks wait in `pending`.
    pub(crate) fn each_move<V: Visitor>(&mut self, words: &[u64], pid: usize, visitor: &mut V) {
        let mut after = words.to_vec();
        self.moves(words, &mut after, pid, NO_STEP, 0, visitor);
    }

    /// The states inside atomic blocks that the last steps led to, with these steps.
    pub(crate) fn take_pending(&mut self) -> Vec<(Vec<u64>, Vec<Step>)> {
        let pending = std::mem::take(&mut self.walk.pending);
        let trail = &self.walk.trail;
        let path = |step| Path { trail, last: step }.steps();
        pending.into_iter().map(|inside| (inside.words, path(inside.step))).collect()
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

    /// Goes on inside atomic blocks until they end or block.
    fn finish_atomic<V: Visitor>(&mut self, visitor: &mut V) {
        let mut known: Option<AHashMap<(Vec<u64>, usize), ()>> = None;
        while let Some(inside) = self.walk.pending.pop() {
            let Pending { words, pid, step, depth } = inside;
            if depth == SUSPICIOUS && known.is_none() && self.runs_in_circle(&words, pid) {
                let path = Path { trail: &self.walk.trail, last: step };
                visitor.fault(FaultKind::AtomicCycle, path);
                known = Some(AHashMap::new());
            }
            if known.as_ref().is_some_and(|known| known.len() >= CIRCLE) {
                self.walk.pending.clear();
                break;
            }
            if let Some(known) = &mut known
                && known.insert((words.clone(), pid), ()).is_some()
            {
                continue; // A circle has been reported; each state of it once is enough.
            }
            let mut after = self.walk.spare.pop().unwrap_or_default();
            copy(&mut after, &words);
            if !self.moves(&words, &mut after, pid, step, depth, visitor) {
                visitor.next(&words, Path { trail: &self.walk.trail, last: step });
            }
            self.walk.spare.push(after);
            self.walk.spare.push(words);
        }
    }

    /// Whether an atomic block can come back to a state it was in, found by a depth-first walk
    /// that looks at each state once.
    fn runs_in_circle(&mut self, words: &[u64], pid: usize) -> bool {
        let outer = std::mem::take(&mut self.walk);
        let mut on_path: AHashMap<(Vec<u64>, usize), bool> = AHashMap::new();
        let mut work = vec![(words.to_vec(), pid, false)];
        let mut circle = false;
        while let Some((words, pid, leaving)) = work.pop() {
            let key = (words, pid);
            if leaving {
                on_path.insert(key, false);
                continue;
            }
            match on_path.get(&key) {
                Some(true) => {
                    circle = true;
                    break;
                }
                Some(false) => continue,
                None => {}
            }
            self.walk.trail.clear();
            let mut after = key.0.clone();
            self.moves(&key.0, &mut after, pid, NO_STEP, 0, &mut Nobody);
            on_path.insert(key.clone(), true);
            work.push((key.0, key.1, true));
            let inside = std::mem::take(&mut self.walk.pending);
            work.extend(inside.into_iter().map(|p| (p.words, p.pid, false)));
        }
        self.walk = outer;
        circle
    }

    /// The steps of one process; whether there is any. `after` is a copy of the state to work on,
    /// and is one again in the end: most edges cannot be taken and change nothing.
    fn moves<V: Visitor>(
        &mut self,
        words: &[u64],
        after: &mut Vec<u64>,
        pid: usize,
        before: u32,
        depth: u32,
        visitor: &mut V,
    ) -> bool {
        let shape = self.shape_of(words);
        let Some(&id) = self.shapes[shape.0 as usize].processes.get(pid) else { return false };
        if !self.may_move(words, shape, id, pid) {
            return false;
        }
        let process = &self.instances[id.0 as usize];
        let (kind, location_field) = (process.kind, process.location);
        let deterministic = process.deterministic;
        let location = location_field.get(words) as u32;
        let (first, last) = process.edges[location as usize];
        let youngest = self.shapes[shape.0 as usize].processes.len() - 1;
        let mut moved = false;
        let mut escape = 0;
        self.run.other_possible = false;
        for at in first..last {
            let edge = self.edges[at as usize];
            if escape > 0 && escape != edge.escape {
                break;
            }
            if let Some(Condition { operator, field, value }) = edge.first
                && !compare(operator, field.get(words), value)
            {
                continue;
            }
            if edge.waits_for_offer {
                continue;
            }
            match edge.kind {
                EdgeKind::Else if self.run.other_possible => continue,
                EdgeKind::End if pid != youngest => continue,
                _ => {}
            }
            self.begin(shape);
            self.run.offer = 0;
            let mut outcome = self.execute(edge.code, after);
            if outcome == Outcome::Offered && edge.d_step {
                self.run.faults.push(FaultKind::BlockedDStep);
                outcome = Outcome::Blocked;
            }
            if outcome == Outcome::Blocked && self.run.faults.is_empty() {
                continue;
            }
            let offers = outcome == Outcome::Offered;
            let position = edge.position;
            let step = Step { pid: pid as u8, kind, location, edge: position, offers };
            let number = self.push_step(step, before);
            if deterministic && self.run.other_possible && outcome != Outcome::Blocked {
                self.run.faults.push(FaultKind::Choice);
            }
            self.report_faults(number, visitor);
            match outcome {
                // It tried and failed: that is what is wrong, not that nothing can move.
                Outcome::Blocked => moved = true,
                Outcome::Done => {
                    self.executed[at as usize] = true;
                    self.run.other_possible = true;
                    escape = edge.escape;
                    moved = true;
                    let other = self.run.other_possible;
                    self.arrive(after, pid, id, &edge, number, depth, visitor);
                    self.run.other_possible = other;
                }
                Outcome::Offered => {
                    location_field.set(after, edge.target as i32);
                    let other = self.run.other_possible;
                    let taken = self.handshake(after, pid, number, depth, visitor);
                    self.executed[at as usize] |= taken;
                    moved |= taken;
                    escape = if taken { edge.escape } else { 0 };
                    // An offer that nobody takes leaves `else` possible.
                    self.run.other_possible = other || taken;
                }
            }
            copy(after, words);
        }
        moved
    }

    /// The step is done: the process moves on, and the state is given away or, inside an atomic
    /// block, kept for later.
    #[allow(clippy::too_many_arguments, reason = "the state of one step, not worth a name")]
    fn arrive<V: Visitor>(
        &mut self,
        after: &mut Vec<u64>,
        pid: usize,
        id: InstanceId,
        edge: &EdgeCode,
        number: u32,
        depth: u32,
        visitor: &mut V,
    ) {
        if edge.kind == EdgeKind::End {
            self.remove_youngest(after);
        } else {
            self.instances[id.0 as usize].location.set(after, edge.target as i32);
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
            visitor.next(after, Path { trail: &self.walk.trail, last: number });
        }
    }

    /// Somebody takes the message that `sender` offers; whether anybody can.
    fn handshake<V: Visitor>(
        &mut self,
        words: &[u64],
        sender: usize,
        before: u32,
        depth: u32,
        visitor: &mut V,
    ) -> bool {
        let channel = self.run.offer;
        let shape = self.shape_of(words);
        let count = self.shapes[shape.0 as usize].processes.len();
        let mut taken = false;
        let mut after = self.walk.spare.pop().unwrap_or_default();
        for pid in (0..count).rev().filter(|&pid| pid != sender) {
            let id = self.shapes[shape.0 as usize].processes[pid];
            if !self.may_move(words, shape, id, pid) {
                continue;
            }
            let process = &self.instances[id.0 as usize];
            let kind = process.kind;
            let location = process.location.get(words) as u32;
            let (first, last) = process.edges[location as usize];
            let mut escape = 0;
            for at in first..last {
                let edge = self.edges[at as usize];
                if escape > 0 && escape != edge.escape {
                    break;
                }
                if !edge.receives {
                    continue;
                }
                after.clear();
                after.extend_from_slice(words);
                self.begin(shape);
                self.run.offer = channel;
                let outcome = self.execute(edge.code, &mut after);
                if outcome == Outcome::Offered {
                    // A `d_step` that takes one message and offers another cannot go on.
                    self.run.faults.push(FaultKind::BlockedDStep);
                }
                if outcome == Outcome::Blocked && self.run.faults.is_empty() {
                    continue;
                }
                let position = edge.position;
                let step = Step { pid: pid as u8, kind, location, edge: position, offers: false };
                let number = self.push_step(step, before);
                self.report_faults(number, visitor);
                if outcome == Outcome::Done {
                    self.executed[at as usize] = true;
                    taken = true;
                    escape = edge.escape;
                    self.arrive(&mut after, pid, id, &edge, number, depth, visitor);
                }
            }
        }
        self.run.offer = 0;
        self.walk.spare.push(after);
        taken
    }

    /// `provided` and priorities.
    #[inline]
    fn may_move(&mut self, words: &[u64], shape: ShapeId, id: InstanceId, pid: usize) -> bool {
        let process = &self.instances[id.0 as usize];
        let (provided, priority) = (process.provided, process.priority);
        if provided.is_none() && priority.is_none() {
            return true;
        }
        if !self.is_provided(words, shape, id) {
            return false;
        }
        let Some(own) = priority.map(|field| field.get(words)) else { return true };
        self.begin(shape);
        let count = self.shapes[shape.0 as usize].processes.len();
        for other in (0..count).filter(|&other| other != pid) {
            let id = self.shapes[shape.0 as usize].processes[other];
            let higher = self.instances[id.0 as usize].priority;
            let higher = higher.is_some_and(|field| field.get(words) > own);
            let higher = higher && self.is_provided(words, shape, id);
            self.begin(shape);
            if higher && self.enabled(other as i32, words) {
                return false;
            }
        }
        true
    }

    /// Whether the `provided` clause of a process holds.
    fn is_provided(&mut self, words: &[u64], shape: ShapeId, id: InstanceId) -> bool {
        let Some(code) = self.instances[id.0 as usize].provided else { return true };
        let mut copy = words.to_vec();
        self.begin(shape);
        let offer = std::mem::take(&mut self.run.offer);
        let outcome = self.execute(code, &mut copy);
        self.run.offer = offer;
        outcome == Outcome::Done
    }

    fn remove_youngest(&mut self, words: &mut Vec<u64>) {
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

    fn push_step(&mut self, step: Step, before: u32) -> u32 {
        self.walk.trail.push((step, before));
        self.walk.trail.len() as u32 - 1
    }

    #[inline]
    fn report_faults<V: Visitor>(&mut self, step: u32, visitor: &mut V) {
        if self.run.faults.is_empty() {
            return;
        }
        for fault in std::mem::take(&mut self.run.faults) {
            visitor.fault(fault, Path { trail: &self.walk.trail, last: step });
        }
    }
}

#[inline]
fn copy(to: &mut Vec<u64>, from: &[u64]) {
    to.clear();
    to.extend_from_slice(from);
}

/// Wants to know nothing.
struct Nobody;

impl Visitor for Nobody {
    fn next(&mut self, _: &[u64], _: Path<'_>) {}
    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}
