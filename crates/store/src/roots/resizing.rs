//! The table of roots becomes longer or shorter, in place, by one sweep.
//!
//! Growing: lines are emptied from the last to the first, and what was in them is inserted anew.
//! With more lines a root's home never lies before its old line, except near the beginning, so that
//! what is inserted is not emptied again, and no gap opens between a root and its home. The
//! beginning is emptied last and as a whole. Shrinking goes from the first line to the last.

use super::{FARTHEST, LINE, REPLACEABLE, ROOT, Roots, STANDING, TAIL};
use crate::hash::hash;
use crate::sync::Ordering::Relaxed;
use crate::tree::Root;

impl Roots {
    /// Makes the table longer, in place; whether everything has found its place.
    #[must_use]
    pub(crate) fn grow(&mut self, lines: usize) -> bool {
        let (old, new) = (self.lines, lines.min(self.most_lines()));
        if new <= old {
            return false;
        }
        self.lines = new;
        // Behind this line no root's new home lies before its old line.
        let safe = (new * FARTHEST).div_ceil(new - old).min(old + TAIL);
        let mut filling = Filling::default();
        let smoothly = new <= 2 * old;
        for line in (safe..old + TAIL).rev() {
            for entry in self.empty(line).into_iter().filter(|(entry, _)| entry & ROOT != 0) {
                let put = if smoothly { filling.put(self, entry) } else { self.put(entry) };
                if !put {
                    return false;
                }
            }
        }
        let beginning: Vec<_> = (0..safe).flat_map(|line| self.empty(line)).collect();
        let mut entries = beginning.into_iter().filter(|(entry, _)| entry & ROOT != 0);
        entries.all(|entry| self.put(entry))
    }

    /// Makes the table shorter, in place, and gives memory back. Replaceable roots that find no
    /// room, or of which `drop` says so, are lost; whether all others have found their place.
    #[must_use]
    pub(crate) fn shrink(&mut self, lines: usize, mut drop: impl FnMut() -> bool) -> bool {
        let (old, new) = (self.lines, lines.max(1));
        if new >= old {
            return false;
        }
        self.lines = new;
        let mut all = true;
        for line in 0..old + TAIL {
            for entry in self.empty(line).into_iter().filter(|entry| entry.0 & ROOT != 0) {
                let replaceable = entry.0 & STANDING == REPLACEABLE;
                let lost = (replaceable && drop()) || !self.put(entry);
                all &= !lost || replaceable;
            }
        }
        self.slots.clear_from((new + TAIL) * LINE);
        if self.is_numbered() {
            self.numbers.clear_from((new + TAIL) * LINE);
        }
        all
    }

    /// Takes everything out of a line, with the numbers beside it.
    #[inline]
    fn empty(&mut self, line: usize) -> [(u64, u32); LINE] {
        let slots = self.slots.slots();
        let mut taken = [(0, 0); LINE];
        for (taken, slot) in taken.iter_mut().zip(&slots[line * LINE..]) {
            taken.0 = slot.load(Relaxed);
            slot.store(0, Relaxed);
        }
        if let Some(numbers) = self.numbers.slots().get(line * LINE..) {
            for (taken, number) in taken.iter_mut().zip(numbers) {
                taken.1 = number.load(Relaxed);
            }
        }
        taken
    }

    /// Puts an entry that is not there at its place.
    pub(super) fn put(&mut self, (entry, number): (u64, u32)) -> bool {
        let mut places = self.places(Root::from_bits(entry));
        let free = places.find(|(_, slot)| slot.load(Relaxed) == 0);
        free.is_some_and(|(at, slot)| {
            slot.store(entry, Relaxed);
            self.set_number(at, number);
            true
        })
    }
}

/// Remembers which slots are in use of the lines that a growing table fills from the last on.
///
/// A line is empty when the sweep comes to it for the first time. It comes back to it many times,
/// but only from lines near by: at most as far as roots lie behind their homes, before and after.
struct Filling {
    /// Lines, and their slots in use, as bits.
    lines: [(usize, u32); Filling::NEAR],
}

impl Default for Filling {
    fn default() -> Self {
        Self { lines: [(usize::MAX, 0); Self::NEAR] }
    }
}

impl Filling {
    /// More lines than the sweep comes back to: where a table grows to its double at most, the new
    /// homes of the roots of a line lie within twice [`FARTHEST`], and the roots as far behind again.
    const NEAR: usize = if FARTHEST < 8 { 16 } else { 4 * FARTHEST };
    const ALL: u32 = (1 << LINE) - 1;

    /// Puts an entry that is not there at its place.
    #[inline]
    fn put(&mut self, roots: &Roots, (entry, number): (u64, u32)) -> bool {
        let hash = hash(entry & ROOT);
        let start = hash as u32 % LINE as u32;
        let home = roots.home(hash);
        for line in home..home + FARTHEST {
            let (known, used) = &mut self.lines[line % Self::NEAR];
            if *known != line {
                (*known, *used) = (line, 0);
            }
            if *used == Self::ALL {
                continue;
            }
            // The slots from the start on, and round: the first that is free.
            let round = *used >> start | *used << (LINE as u32 - start);
            let at = (start + round.trailing_ones()) % LINE as u32;
            let slot = &roots.slots.slots()[line * LINE + at as usize];
            debug_assert_eq!(slot.load(Relaxed), 0, "a root was to be written over another");
            slot.store(entry, Relaxed);
            roots.set_number(line * LINE + at as usize, number);
            *used |= 1 << at;
            return true;
        }
        false
    }
}
