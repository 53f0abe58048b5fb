//! What a system can do where `tau` does not count, found on the fly, and remembered for a while.
//!
//! From a state all states are looked at that `tau` leads to, each once, so cycles of `tau` end. The
//! answers for states that were asked for are kept until there are too many, and then forgotten all
//! at once: a product asks for the same state of a side with many states of the other.

use super::side::{Label, Labels, Moves, Side};
use ahash::{AHashMap, AHashSet};
use pverify_semantics::fault::FaultKind;
use std::collections::VecDeque;
use std::sync::Arc;

/// What counts as one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// One action, `tau` among them.
    Action,
    /// One action that is seen, and any number of `tau` before it.
    Visible,
    /// One action that is seen with any number of `tau` before and behind it; or, as `tau`, any number
    /// of `tau`, even none.
    Weak,
}

/// What there can be too much of.
const CLOSURE: &str = "memory for the states that tau leads to";

/// A side that remembers what it can do.
#[derive(Debug)]
pub struct Mover<'m> {
    /// The side.
    pub side: Side<'m>,
    /// By unit.
    known: [AHashMap<Box<[u64]>, Arc<Moves>>; 3],
    /// Words that are remembered, and how many may be.
    words: usize,
    most: usize,
}

impl<'m> Mover<'m> {
    /// A side that remembers so many words.
    pub fn new(side: Side<'m>, most: usize) -> Self {
        Self { side, known: Default::default(), words: 0, most }
    }

    /// The same for another worker.
    pub fn fork(&self) -> Self {
        Self::new(self.side.fork(), self.most)
    }

    /// What can be done in a state, ordered by action.
    ///
    /// # Errors
    /// When a step goes wrong, or there is no room for the states that `tau` leads to.
    pub fn moves(
        &mut self,
        state: &[u64],
        unit: Unit,
        labels: &mut Labels,
    ) -> Result<Arc<Moves>, FaultKind> {
        if let Some(moves) = self.known[unit as usize].get(state) {
            return Ok(Arc::clone(moves));
        }
        let mut moves = match unit {
            Unit::Action => self.side.moves(state, labels)?,
            Unit::Visible => self.visible(state, labels)?,
            Unit::Weak => self.weak(state, labels)?,
        };
        moves.sort();
        let moves = Arc::new(moves);
        self.words += moves.size() + state.len() + 8;
        if self.words > self.most {
            self.known.iter_mut().for_each(|map| map.clear());
            self.words = moves.size() + state.len() + 8;
        }
        self.known[unit as usize].insert(state.into(), Arc::clone(&moves));
        Ok(moves)
    }

    /// The actions that are seen, behind any number of `tau`.
    fn visible(&mut self, state: &[u64], labels: &mut Labels) -> Result<Moves, FaultKind> {
        let mut moves = Moves::default();
        let mut known: AHashSet<(Label, Box<[u64]>)> = AHashSet::new();
        let most = self.most;
        self.each_behind_tau(&[state], labels, |_, found| {
            for at in (0..found.len()).filter(|&at| found.label(at) != Label::TAU) {
                if known.insert((found.label(at), found.target(at).into())) {
                    moves.push(found.label(at), found.target(at));
                }
            }
            moves.size() <= most
        })?;
        Ok(moves)
    }

    fn weak(&mut self, state: &[u64], labels: &mut Labels) -> Result<Moves, FaultKind> {
        let visible = self.moves(state, Unit::Visible, labels)?;
        let mut moves = Moves::default();
        let most = self.most;
        let mut push = |label, state: &[u64]| {
            moves.push(label, state);
            moves.size() <= most
        };
        self.each_behind_tau(&[state], labels, |state, _| push(Label::TAU, state))?;
        let mut at = 0;
        while at < visible.len() {
            let label = visible.label(at);
            let all = visible.of(label);
            at = all.end;
            let starts: Vec<&[u64]> = all.map(|one| visible.target(one)).collect();
            self.each_behind_tau(&starts, labels, |state, _| push(label, state))?;
        }
        Ok(moves)
    }

    /// Shows every state that any number of `tau` leads to from some states, each once and the nearest
    /// first, with its moves; whoever is shown them says whether there is room for more.
    fn each_behind_tau(
        &mut self,
        starts: &[&[u64]],
        labels: &mut Labels,
        mut show: impl FnMut(&[u64], &Moves) -> bool,
    ) -> Result<(), FaultKind> {
        let mut seen: AHashSet<Arc<[u64]>> = AHashSet::new();
        let mut queue: VecDeque<Arc<[u64]>> = starts.iter().map(|&start| start.into()).collect();
        seen.extend(queue.iter().cloned());
        let mut words = 0;
        while let Some(next) = queue.pop_front() {
            let moves = self.moves(&next, Unit::Action, labels)?;
            if !show(&next, &moves) {
                return Err(FaultKind::Limit(CLOSURE));
            }
            for at in (0..moves.len()).filter(|&at| moves.label(at) == Label::TAU) {
                if !seen.contains(moves.target(at)) {
                    let target: Arc<[u64]> = moves.target(at).into();
                    seen.insert(Arc::clone(&target));
                    words += target.len() + 8;
                    queue.push_back(target);
                }
            }
            if words > self.most {
                return Err(FaultKind::Limit(CLOSURE));
            }
        }
        Ok(())
    }
}
