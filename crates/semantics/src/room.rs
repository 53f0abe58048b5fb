//! Is a full channel to blame? Whether something could move in a state if channels had room for one
//! more message.
//!
//! A state where nothing can move is the same one without capacities: who stands where, and what
//! channels hold, says nothing of them. So one look at the state tells whether a deadlock is there
//! because a channel is full, without searching through the system that has no capacities.

use crate::engine::Engine;
use crate::run::Outcome;
use crate::shape::{EdgeKind, Range};

impl Engine<'_> {
    /// Whether somebody could do a step if no channel were full, in a state where nobody can.
    pub fn moves_with_room(&mut self, words: &[u64]) -> bool {
        let shape = self.shape_of(words);
        if self.shapes.len() <= shape.0 as usize {
            self.catch_up(shape);
        }
        let count = self.shapes[shape.0 as usize].processes.len();
        self.begin_walk(false);
        self.run.roomy = true;
        let moves = [false, true].into_iter().any(|timeout| {
            self.run.timeout = timeout;
            (0..count).any(|pid| self.one_moves_with_room(words, pid))
        });
        self.run.roomy = false;
        self.begin_walk(false);
        self.run.faults.clear();
        self.run.fatal = false;
        moves
    }

    fn one_moves_with_room(&mut self, words: &[u64], pid: usize) -> bool {
        let shape = self.shape_of(words);
        let count = self.shapes[shape.0 as usize].seats.len();
        let seat = self.shapes[shape.0 as usize].seats[pid];
        if seat.conditional {
            let id = self.shapes[shape.0 as usize].processes[pid];
            if !self.may_move(words, shape, id, pid) {
                return false;
            }
        }
        let location = seat.location.get(words);
        let Range { first, last, .. } = self.ranges[seat.ranges as usize + location as usize];
        (first..last).any(|at| {
            let edge = self.edges[at as usize];
            match edge.kind {
                // If not `else`, then something beside it.
                EdgeKind::Else => return true,
                EdgeKind::End if pid + 1 != count => return false,
                EdgeKind::Plain | EdgeKind::End => {}
            }
            let mut after = words.to_vec();
            self.begin(shape);
            self.run.other_possible = false;
            self.run.offer = 0;
            // The whole code, since what can be asked beforehand asks for room too. An offer that
            // nobody took will not be taken now: receiving needs no room.
            let outcome = self.execute(edge.code, &mut after);
            let tried = self.run.fatal;
            self.run.faults.clear();
            self.run.offer = 0;
            outcome == Outcome::Done || tried
        })
    }
}
