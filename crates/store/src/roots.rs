//! The table of roots: which states have been visited, one 64-bit slot each.
//!
//! Open addressing by cache lines of eight slots. The home line of a root is the product of its hash
//! and the number of lines: any number of lines will do, and hashes keep their order, so that the
//! table can grow or shrink in place by one sweep (below). From its home a root is looked for line
//! by line until a slot that is free; there it is inserted by one compare-and-swap. In each line it
//! begins at the slot that the last bits of its hash say, and goes round: most roots are the first
//! that is looked at.
//!
//! A slot holds the root and, above it, two bits of standing (free, replaceable, pinned, permanent)
//! and three bits of colour for the checks. A slot that is in use never becomes free: when the table
//! is full, a new root takes the slot of a replaceable one between its home and the next free slot,
//! chosen at random, and everything behind stays findable.
//!
//! Growing: lines are emptied from the last to the first, and what was in them is inserted anew.
//! With more lines a root's home never lies before its old line, except near the beginning, so that
//! what is inserted is not emptied again, and no gap opens between a root and its home. The
//! beginning is emptied last and as a whole. Shrinking goes from the first line to the last.

use crate::hash::hash;
use crate::region::Region;
use crate::sync::Ordering::{AcqRel, Acquire, Relaxed, SeqCst};
use crate::sync::{AtomicU64, fence};
use crate::tree::Root;

/// Slots of a line.
pub(crate) const LINE: usize = if cfg!(loom) { 2 } else { 8 };
/// A root lies at most so many lines behind its home.
const FARTHEST: usize = if cfg!(loom) {
    1
} else if cfg!(miri) {
    8
} else {
    256
};
/// Lines behind the last home.
const TAIL: usize = FARTHEST;

const STANDING_SHIFT: u32 = Root::BITS;
const STANDING: u64 = 0b11 << STANDING_SHIFT;
const COLOUR_SHIFT: u32 = STANDING_SHIFT + 2;
const ROOT: u64 = (1 << Root::BITS) - 1;

/// What may happen to a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Standing {
    /// It may give way to another.
    Replaceable = 1,
    /// It is on the path of a search, or waits for its turn; see also [`Standing::Permanent`].
    Pinned = 2,
    /// It stays for ever.
    Permanent = 3,
}

/// Three bits whose meaning is the check's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Colour(pub u8);

/// What inserting a root says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insert {
    /// It was not there.
    New,
    /// It was not there, and has taken the place of another.
    Replaced,
    /// It was, with this standing and colour.
    Known(Standing, Colour),
    /// It was not and is not: there is no room.
    NoRoom,
}

/// The table.
#[derive(Debug)]
pub(crate) struct Roots {
    slots: Region<AtomicU64>,
    /// Lines that are a home.
    lines: usize,
}

impl Roots {
    /// Room for so many lines in the end; starts with `lines`.
    pub(crate) fn new(lines: usize, most: usize) -> Self {
        let slots = Region::new((most.max(lines).max(1) + TAIL) * LINE);
        let most = slots.len() / LINE - TAIL;
        Self { slots, lines: lines.clamp(1, most) }
    }

    /// Lines that are a home.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// The lines there can be.
    pub(crate) fn most_lines(&self) -> usize {
        self.slots.len() / LINE - TAIL
    }

    /// The memory of so many lines.
    pub(crate) const fn bytes_of(lines: usize) -> usize {
        (lines + TAIL) * LINE * 8
    }

    /// The lines that so many bytes have room for.
    pub(crate) const fn lines_in(bytes: usize) -> usize {
        (bytes / 8 / LINE).saturating_sub(TAIL)
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.lines as u128) >> 64) as usize
    }

    /// The slots where a root may lie, in the order in which it is looked for.
    #[inline]
    fn places(&self, root: Root) -> impl Iterator<Item = (usize, &AtomicU64)> {
        let hash = hash(root.to_bits());
        let first = self.home(hash) * LINE;
        let slots = &self.slots.slots()[first..first + FARTHEST * LINE];
        (0..FARTHEST * LINE).map(move |at| {
            let at = at - at % LINE + (at + hash as usize) % LINE;
            (first + at, &slots[at])
        })
    }

    /// The root will be inserted soon: its home is fetched.
    #[inline]
    pub(crate) fn expect(&self, root: Root) {
        let home = self.home(hash(root.to_bits())) * LINE;
        self.slots.prefetch(home);
        self.slots.prefetch(home + LINE);
    }

    /// Inserts a root unless it is there.
    #[inline]
    pub(crate) fn insert(&self, root: Root, standing: Standing, colour: Colour) -> Insert {
        let new = entry(root, standing, colour);
        let hash = hash(root.to_bits());
        let first = self.home(hash) * LINE;
        let slots = &self.slots.slots()[first..first + FARTHEST * LINE];
        for (number, line) in slots.as_chunks::<LINE>().0.iter().enumerate() {
            if number > 0 {
                self.slots.prefetch(first + (number + 2) * LINE);
            }
            for at in 0..LINE {
                let slot = &line[(at + hash as usize) % LINE];
                let mut there = slot.load(Acquire);
                if there == 0 {
                    match slot.compare_exchange(0, new, AcqRel, Acquire) {
                        Ok(_) => return Insert::New,
                        Err(theirs) => there = theirs,
                    }
                }
                if there & ROOT == root.to_bits() {
                    return known(there);
                }
            }
        }
        Insert::NoRoom
    }

    /// Inserts a root unless it is there. If there is `room` it takes a slot that nobody uses, and
    /// otherwise that of a replaceable root: `choose(n)` says whether the n-th that is found is
    /// better than those before. Where there is none of the one kind it takes the other.
    ///
    /// Two threads may insert one root at two places at a time. So a root is offered first: it lies
    /// in its slot without a standing. Then it gives way to one that has a standing elsewhere, and
    /// withdraws other offers; if its own was withdrawn meanwhile, everything begins again.
    pub(crate) fn replace(
        &self,
        root: Root,
        standing: Standing,
        colour: Colour,
        room: bool,
        mut choose: impl FnMut(u64) -> bool,
    ) -> Insert {
        let slots = self.slots.slots();
        let new = entry(root, standing, colour);
        loop {
            let (mut unused, mut used) = (None, None);
            let mut count = 0;
            for (at, slot) in self.places(root) {
                let there = slot.load(SeqCst);
                if there == 0 {
                    unused = unused.or(Some((at, 0)));
                    break;
                }
                if there & ROOT == root.to_bits() && there & STANDING != 0 {
                    return known(there);
                }
                if there == NOBODY {
                    unused = unused.or(Some((at, there)));
                } else if there & STANDING == REPLACEABLE {
                    count += 1;
                    if used.is_none() || choose(count) {
                        used = Some((at, there));
                    }
                }
            }
            let place = if room { unused.or(used) } else { used.or(unused) };
            let Some((at, old)) = place else { return Insert::NoRoom };
            let offer = root.to_bits();
            if slots[at].compare_exchange(old, offer, SeqCst, SeqCst).is_err() {
                continue; // Somebody else was faster: look again.
            }
            // Of two offers, one at least sees the other.
            fence(SeqCst);
            if let Some(there) = self.rival(at, root) {
                slots[at].store(NOBODY, SeqCst);
                return known(there);
            }
            if slots[at].compare_exchange(offer, new, SeqCst, SeqCst).is_err() {
                slots[at].store(NOBODY, SeqCst);
                continue; // Somebody has withdrawn the offer.
            }
            return if old & ROOT == 0 { Insert::New } else { Insert::Replaced };
        }
    }

    /// The entry of a root that has a standing elsewhere; other offers of it are withdrawn.
    fn rival(&self, own: usize, root: Root) -> Option<u64> {
        for (at, slot) in self.places(root) {
            let mut there = slot.load(SeqCst);
            while there & ROOT == root.to_bits() && at != own {
                if there & STANDING != 0 {
                    return Some(there);
                }
                match slot.compare_exchange(there, WITHDRAWN, SeqCst, SeqCst) {
                    Ok(_) => break,
                    Err(theirs) => there = theirs,
                }
            }
            if there == 0 {
                break;
            }
        }
        None
    }

    /// Takes a replaceable root out, looking from a slot on; whether there is one nearby.
    pub(crate) fn evict(&self, from: u64) -> bool {
        let slots = self.slots.slots();
        let first = self.home(from) * LINE;
        slots[first..first + FARTHEST * LINE].iter().any(|slot| {
            let there = slot.load(Acquire);
            there & STANDING == REPLACEABLE
                && there & ROOT != 0
                && slot.compare_exchange(there, NOBODY, AcqRel, Relaxed).is_ok()
        })
    }

    /// Takes a root out.
    pub(crate) fn remove(&self, root: Root) {
        if let Some(slot) = self.find(root) {
            slot.store(NOBODY, SeqCst);
        }
    }

    /// The standing and colour of a root, if it is there.
    pub(crate) fn get(&self, root: Root) -> Option<(Standing, Colour)> {
        match known(self.find(root)?.load(Acquire)) {
            Insert::Known(standing, colour) => Some((standing, colour)),
            _ => None,
        }
    }

    /// Changes standing and colour of a root; whether it is there.
    pub(crate) fn change(
        &self,
        root: Root,
        mut new: impl FnMut(Standing, Colour) -> (Standing, Colour),
    ) -> bool {
        let Some(slot) = self.find(root) else { return false };
        let mut there = slot.load(Acquire);
        while there & ROOT == root.to_bits()
            && let Insert::Known(standing, colour) = known(there)
        {
            let (standing, colour) = new(standing, colour);
            match slot.compare_exchange(there, entry(root, standing, colour), AcqRel, Acquire) {
                Ok(_) => return true,
                Err(theirs) => there = theirs,
            }
        }
        false
    }

    fn find(&self, root: Root) -> Option<&AtomicU64> {
        for (_, slot) in self.places(root) {
            let there = slot.load(SeqCst);
            if there == 0 {
                return None;
            }
            if there & ROOT == root.to_bits() && there & STANDING != 0 {
                return Some(slot);
            }
        }
        None
    }

    /// Every root, with its standing and colour as one number.
    pub(crate) fn entries(&self) -> impl Iterator<Item = u64> + '_ {
        let slots = self.slots.slots()[..(self.lines + TAIL) * LINE].iter();
        slots.map(|slot| slot.load(Relaxed)).filter(|there| there & ROOT != 0)
    }

    /// Puts back what [`Roots::entries`] gave; whether there is room.
    pub(crate) fn restore(&mut self, entry: u64) -> bool {
        entry & ROOT != 0 && entry & STANDING != 0 && self.put(entry)
    }

    /// Gives every root a standing, but for the permanent ones.
    pub(crate) fn set_all(&mut self, standing: Standing) {
        for slot in self.used() {
            let there = slot.load(Relaxed);
            if there & ROOT != 0 && there & STANDING != PERMANENT {
                slot.store(there & !STANDING | (standing as u64) << STANDING_SHIFT, Relaxed);
            }
        }
    }

    /// Gives every root of one colour another.
    pub(crate) fn recolour(&mut self, from: Colour, to: Colour) {
        for slot in self.used() {
            let there = slot.load(Relaxed);
            if there & ROOT != 0 && there >> COLOUR_SHIFT == u64::from(from.0) {
                let rest = there & ((1 << COLOUR_SHIFT) - 1);
                slot.store(rest | u64::from(to.0) << COLOUR_SHIFT, Relaxed);
            }
        }
    }

    fn used(&mut self) -> &[AtomicU64] {
        &self.slots.slots()[..(self.lines + TAIL) * LINE]
    }

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
            for entry in self.empty(line).into_iter().filter(|entry| entry & ROOT != 0) {
                let put = if smoothly { filling.put(self, entry) } else { self.put(entry) };
                if !put {
                    return false;
                }
            }
        }
        let beginning: Vec<u64> = (0..safe).flat_map(|line| self.empty(line)).collect();
        let mut entries = beginning.into_iter().filter(|entry| entry & ROOT != 0);
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
            for entry in self.empty(line).into_iter().filter(|entry| entry & ROOT != 0) {
                let replaceable = entry & STANDING == REPLACEABLE;
                let lost = (replaceable && drop()) || !self.put(entry);
                all &= !lost || replaceable;
            }
        }
        self.slots.clear_from((new + TAIL) * LINE);
        all
    }

    /// Takes everything out of a line.
    fn empty(&mut self, line: usize) -> [u64; LINE] {
        let slots = self.slots.slots();
        let mut taken = [0; LINE];
        for (taken, slot) in taken.iter_mut().zip(&slots[line * LINE..]) {
            *taken = slot.load(Relaxed);
            slot.store(0, Relaxed);
        }
        taken
    }

    /// Puts an entry that is not there at its place.
    fn put(&mut self, entry: u64) -> bool {
        let free = self.places(Root::from_bits(entry)).find(|(_, slot)| slot.load(Relaxed) == 0);
        free.is_some_and(|(_, slot)| {
            slot.store(entry, Relaxed);
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
    fn put(&mut self, roots: &Roots, entry: u64) -> bool {
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
            *used |= 1 << at;
            return true;
        }
        false
    }
}

const REPLACEABLE: u64 = (Standing::Replaceable as u64) << STANDING_SHIFT;
const PINNED: u64 = (Standing::Pinned as u64) << STANDING_SHIFT;
const PERMANENT: u64 = (Standing::Permanent as u64) << STANDING_SHIFT;
/// A slot that was in use and is not: no root is all zero, as node numbers begin with 1.
const NOBODY: u64 = REPLACEABLE;
/// An offer that was withdrawn; the slot belongs to whoever made it.
const WITHDRAWN: u64 = PINNED;

#[inline]
fn entry(root: Root, standing: Standing, colour: Colour) -> u64 {
    root.to_bits()
        | (standing as u64) << STANDING_SHIFT
        | u64::from(colour.0 & 0b111) << COLOUR_SHIFT
}

#[inline]
fn known(entry: u64) -> Insert {
    let standing = match entry & STANDING {
        REPLACEABLE => Standing::Replaceable,
        PINNED => Standing::Pinned,
        _ => Standing::Permanent,
    };
    Insert::Known(standing, Colour((entry >> COLOUR_SHIFT) as u8))
}

/// Whether an entry may give way.
pub(crate) fn is_replaceable(entry: u64) -> bool {
    entry & STANDING == REPLACEABLE
}

#[cfg(all(test, not(loom)))]
mod tests;
