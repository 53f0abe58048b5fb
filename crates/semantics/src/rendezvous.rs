//! Rendezvous: somebody takes the message that another offers, in one step.

use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::run::Outcome;
use crate::shape::Range;
use crate::successors::{Step, Visitor};

impl Engine<'_> {
    /// Somebody takes the message that `sender` offers; whether anybody can.
    pub(crate) fn handshake<V: Visitor>(
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
            let seat = self.shapes[shape.0 as usize].seats[pid];
            let location = seat.location.get(words) as u32;
            let Range { first, last, receives, .. } =
                self.ranges[(seat.ranges + location) as usize];
            if !receives {
                continue;
            }
            if seat.conditional {
                let id = self.shapes[shape.0 as usize].processes[pid];
                if !self.may_move(words, shape, id, pid) {
                    continue;
                }
            }
            let mut escape = 0;
            for at in first..last {
                let edge = self.edges[at as usize];
                if escape > 0 && escape != edge.escape {
                    break;
                }
                if !edge.receives || (edge.channel != 0 && edge.channel != channel) {
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
                let kind = seat.kind;
                let step = Step { pid: pid as u8, kind, location, edge: position, offers: false };
                let number = self.push_step(step, before);
                self.report_faults(number, visitor);
                if outcome == Outcome::Done {
                    self.executed[at as usize] = true;
                    taken = true;
                    escape = edge.escape;
                    self.arrive(&mut after, pid, seat.location, &edge, number, depth, visitor);
                }
            }
        }
        self.run.offer = 0;
        self.walk.spare.push(after);
        taken
    }
}
