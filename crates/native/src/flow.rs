//! Where the code of an edge can go: what must be known before it is translated.

use pverify_semantics::code::Op;

/// Where a step goes on that cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// Nothing leads here.
    Unreached,
    /// Nowhere: the edge is not possible.
    Nowhere,
    /// To another option of a `d_step`.
    Option(usize),
    /// That depends on the way here.
    Unclear,
}

/// The flow of the code of one edge, by the position of an instruction in it.
#[derive(Debug)]
pub(crate) struct Flow {
    /// Whether a jump leads to it.
    pub(crate) targets: Vec<bool>,
    /// What happens if it cannot be done.
    pub(crate) otherwise: Vec<Otherwise>,
    /// Before this one nothing is changed, no jump leads across, and none comes back.
    pub(crate) split: usize,
}

impl Flow {
    /// The flow of code that begins at address `start`.
    pub(crate) fn of(code: &[Op], start: u32) -> Self {
        let place = |address: u32| address.wrapping_sub(start) as usize;
        let mut targets = vec![false; code.len() + 1];
        let mut jumps = Vec::new();
        for (at, op) in code.iter().enumerate() {
            if let Some(to) = leads_to(op).map(place)
                && to < code.len()
            {
                targets[to] = true;
                jumps.push((at, to));
            }
        }
        let mut otherwise = vec![Otherwise::Unreached; code.len()];
        let mut work = vec![(0, Otherwise::Nowhere)];
        while let Some((at, before)) = work.pop() {
            let Some(known) = otherwise.get_mut(at) else { continue };
            let joined = match (*known, before) {
                (Otherwise::Unreached, new) => new,
                (old, new) if old == new => continue,
                (Otherwise::Unclear, _) => continue,
                _ => Otherwise::Unclear,
            };
            *known = joined;
            let op = &code[at];
            let after = match op {
                Op::Attempt { otherwise: Some(to) } => Otherwise::Option(place(*to)),
                Op::Attempt { otherwise: None } => Otherwise::Nowhere,
                _ => joined,
            };
            if let (true, Otherwise::Option(to)) = (may_block(op), joined) {
                work.push((to, joined));
            }
            if let (Some(to), false) = (leads_to(op), matches!(op, Op::Attempt { .. })) {
                work.push((place(to), after));
            }
            if !matches!(op, Op::Jump { .. } | Op::Fail | Op::Blocked | Op::Done) {
                work.push((at + 1, after));
            }
        }
        let split = split(code, &jumps);
        Self { targets, otherwise, split }
    }
}

/// The first change, or an earlier place that jumps do not lead across.
fn split(code: &[Op], jumps: &[(usize, usize)]) -> usize {
    let mut split = code.iter().position(changes).unwrap_or(code.len().saturating_sub(1));
    loop {
        let crossing = jumps.iter().filter_map(|&(from, to)| {
            if from < split && to > split {
                Some(from)
            } else if from >= split && to < split {
                Some(to)
            } else {
                None
            }
        });
        match crossing.min() {
            Some(earlier) => split = earlier,
            None => return split,
        }
    }
}

fn leads_to(op: &Op) -> Option<u32> {
    match *op {
        Op::Jump { to }
        | Op::JumpIfZero { to, .. }
        | Op::JumpIfNotZero { to, .. }
        | Op::JumpIfCompare { to, .. }
        | Op::Attempt { otherwise: Some(to) } => Some(to),
        _ => None,
    }
}

fn may_block(op: &Op) -> bool {
    matches!(
        op,
        Op::Fail | Op::Guard { .. } | Op::GuardCompare { .. } | Op::Send { .. } | Op::Select { .. }
    )
}

fn changes(op: &Op) -> bool {
    matches!(
        op,
        Op::Store { .. }
            | Op::Patch { .. }
            | Op::Add { .. }
            | Op::StoreAt { .. }
            | Op::StoreNarrow { .. }
            | Op::AddNarrow { .. }
            | Op::StoreNarrowAt { .. }
            | Op::Send { .. }
            | Op::Take
            | Op::Done
    )
}
