//! Atomic blocks: every path through one is one step, up to its end or to where it blocks.
//!
//! The states inside are not stored, so that nothing stops a block that runs in a circle, on which
//! SPIN goes on to its depth limit. A path that has become suspiciously long is looked at.

use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::successors::{NO_STEP, Path, Pending, Visitor, copy};
use ahash::AHashMap;

/// Atomic paths longer than this are looked at for circles.
pub(crate) const SUSPICIOUS: u32 = 256;

/// Once a circle is reported, the rest of the block is followed through so many states at most:
/// the answer is known, and the states inside can be as many as those of a whole model.
const CIRCLE: usize = 10_000;

impl Engine<'_> {
    /// Goes on inside atomic blocks until they end or block.
    pub(crate) fn finish_atomic<V: Visitor>(&mut self, visitor: &mut V) {
        let mut known: Option<AHashMap<(Vec<u64>, usize), ()>> = None;
        while let Some(inside) = self.walk.pending.pop() {
            let Pending { ref words, pid, step, depth } = inside;
            if depth == SUSPICIOUS && known.is_none() && self.runs_in_circle(words, pid) {
                visitor.fault(FaultKind::AtomicCycle, self.walk.path(step));
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
            self.go_on(inside, visitor);
        }
    }

    /// One step inside an atomic block; if there is none, the state counts as any other.
    pub(crate) fn go_on<V: Visitor>(&mut self, inside: Pending, visitor: &mut V) {
        let Pending { words, pid, step, depth } = inside;
        let mut after = self.walk.spare.pop().unwrap_or_default();
        copy(&mut after, &words);
        if !self.moves(&words, &mut after, pid, step, depth, visitor) {
            let bits = self.bits_of(&words);
            visitor.next(&words, bits, self.walk.path(step));
        }
        self.walk.spare.push(after);
        self.walk.spare.push(words);
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
            self.walk.clear();
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
}

/// Wants to know nothing.
struct Nobody;

impl Visitor for Nobody {
    fn next(&mut self, _: &[u64], _: u32, _: Path<'_>) {}
    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}
