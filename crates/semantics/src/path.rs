//! Steps, and the paths of them that lead from a state to a next one.

use crate::action::{Elementary, Heard};

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
    pub(crate) trail: &'a [(Step, u32)],
    pub(crate) heard: &'a Heard,
    pub(crate) last: u32,
}

pub(crate) const NO_STEP: u32 = u32::MAX;

impl<'a> Path<'a> {
    /// No steps: for systems whose steps have no names.
    pub const NONE: Path<'static> =
        Path { trail: &[], heard: &crate::action::NOTHING_HEARD, last: NO_STEP };

    /// Shows the elementary actions, first to last, of an engine that listens; `places` is room
    /// that can be used again.
    pub fn actions(&self, places: &mut Vec<u32>, mut show: impl FnMut(Elementary<'a>)) {
        places.clear();
        let mut at = self.last;
        while at != NO_STEP {
            places.push(at);
            at = self.trail[at as usize].1;
        }
        places.reverse();
        crate::action::elementary(self.trail, self.heard, places, &mut show);
    }

    /// The path without its last step.
    #[must_use]
    pub fn before_last(&self) -> Self {
        let last = self.trail.get(self.last as usize).map_or(NO_STEP, |(_, before)| *before);
        Self { last, ..*self }
    }

    /// The processes that begin a step, as bits; both halves of a rendezvous are one step. The
    /// first to move, and all that do; those from 64 on are left out.
    pub fn movers(&self) -> (u64, u64) {
        let bit = |step: &Step| 1u64.checked_shl(u32::from(step.pid)).unwrap_or(0);
        let (mut first, mut all, mut at) = (0, 0, self.last);
        while at != NO_STEP {
            let (step, before) = &self.trail[at as usize];
            let answers = *before != NO_STEP && self.trail[*before as usize].0.offers;
            if !answers {
                first = bit(step);
                all |= first;
            }
            at = *before;
        }
        (first, all)
    }

    /// The only step, if there is just one.
    pub fn only(&self) -> Option<Step> {
        let &(step, before) = self.trail.get(self.last as usize)?;
        (before == NO_STEP).then_some(step)
    }

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
