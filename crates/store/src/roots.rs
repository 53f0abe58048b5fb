//! The table of roots: which states have been visited, one 64-bit slot each.
//!
//! Open addressing by cache lines of eight slots. The home line of a root is the product of its hash
//! and the number of lines: any number of lines will do, and hashes keep their order, so that the
//! table can grow or shrink in place by one sweep (below). From its home a root is looked for line
//! by line until a slot that is free; there it is inserted by one compare-and-swap.
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

mod numbered;

pub use numbered::Numbered;

use crate::hash::hash;
use crate::region::Region;
use crate::sync::Ordering::{AcqRel, Acquire, Relaxed, SeqCst};
use crate::sync::{AtomicU32, AtomicU64, fence};
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
    /// A number beside each slot; none at all for who asks for none.
    numbers: Region<AtomicU32>,
    /// Lines that are a home.
    lines: usize,
}

impl Roots {
    /// Room for so many lines in the end; starts with `lines`.
    pub(crate) fn new(lines: usize, most: usize) -> Self {
        let slots = Region::new((most.max(lines).max(1) + TAIL) * LINE);
        let most = slots.len() / LINE - TAIL;
        Self { slots, numbers: Region::new(0), lines: lines.clamp(1, most) }
    }

    /// The memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes_with(self.lines)
    }

    /// The memory it would take with so many lines.
    pub(crate) fn bytes_with(&self, lines: usize) -> usize {
        let numbers = if self.is_numbered() { size_of::<u32>() } else { 0 };
        (lines + TAIL) * LINE * (size_of::<u64>() + numbers)
    }

    /// Lines that are a home.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// The lines there can be.
    pub(crate) fn most_lines(&self) -> usize {
        self.slots.len() / LINE - TAIL
    }

    /// The lines that so many bytes have room for.
    pub(crate) const fn lines_in(bytes: usize) -> usize {
        (bytes / 8 / LINE).saturating_sub(TAIL)
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.lines as u128) >> 64) as usize
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
        let slots = self.slots.slots();
        let new = entry(root, standing, colour);
        let first = self.home(hash(root.to_bits())) * LINE;
        for (number, line) in slots[first..first + FARTHEST * LINE].chunks_exact(LINE).enumerate() {
            if number > 0 {
                self.slots.prefetch(first + (number + 2) * LINE);
            }
            for slot in line {
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
        let first = self.home(hash(root.to_bits())) * LINE;
        loop {
            let (mut unused, mut used) = (None, None);
            let mut count = 0;
            for (at, slot) in slots[first..first + FARTHEST * LINE].iter().enumerate() {
                let there = slot.load(SeqCst);
                if there == 0 {
                    unused = unused.or(Some((first + at, 0)));
                    break;
                }
                if there & ROOT == root.to_bits() && there & STANDING != 0 {
                    return known(there);
                }
                if there == NOBODY {
                    unused = unused.or(Some((first + at, there)));
                } else if there & STANDING == REPLACEABLE {
                    count += 1;
                    if used.is_none() || choose(count) {
                        used = Some((first + at, there));
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
            if let Some(there) = self.rival(first, at, root) {
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
    fn rival(&self, first: usize, own: usize, root: Root) -> Option<u64> {
        let slots = &self.slots.slots()[first..first + FARTHEST * LINE];
        for (at, slot) in slots.iter().enumerate() {
            let mut there = slot.load(SeqCst);
            while there & ROOT == root.to_bits() && first + at != own {
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
        self.place(root).map(|at| &self.slots.slots()[at])
    }

    /// The number of the slot of a root.
    #[inline]
    fn place(&self, root: Root) -> Option<usize> {
        let slots = self.slots.slots();
        let first = self.home(hash(root.to_bits())) * LINE;
        for (at, slot) in slots[first..first + FARTHEST * LINE].iter().enumerate() {
            let there = slot.load(SeqCst);
            if there == 0 {
                return None;
            }
            if there & ROOT == root.to_bits() && there & STANDING != 0 {
                return Some(first + at);
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
        entry & ROOT != 0 && entry & STANDING != 0 && self.put((entry, 0))
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
        for line in (safe..old + TAIL).rev() {
            for entry in self.empty(line) {
                if entry.0 & ROOT != 0 && !filling.put(self, entry) {
                    return false;
                }
            }
        }
        let beginning: Vec<_> = (0..safe).flat_map(|line| self.empty(line)).collect();
        let mut entries = beginning.into_iter().filter(|entry| entry.0 & ROOT != 0);
        entries.all(|entry| filling.put(self, entry))
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
    fn put(&mut self, (entry, number): (u64, u32)) -> bool {
        let first = self.home(hash(entry & ROOT)) * LINE;
        let mut slots = self.slots.slots()[first..first + FARTHEST * LINE].iter();
        let free = slots.position(|slot| slot.load(Relaxed) == 0);
        free.is_some_and(|at| {
            self.slots.slots()[first + at].store(entry, Relaxed);
            self.set_number(first + at, number);
            true
        })
    }
}

/// Remembers how full the lines are that a sweep fills: it fills each of them from its first slot on,
/// and comes back to it many times, but only while it is near.
struct Filling {
    /// Lines, and how many slots of theirs are in use.
    lines: [(usize, usize); Filling::NEAR],
}

impl Default for Filling {
    fn default() -> Self {
        Self { lines: [(usize::MAX, 0); Self::NEAR] }
    }
}

impl Filling {
    const NEAR: usize = 1 << 10;

    /// Puts an entry that is not there at its place.
    #[inline]
    fn put(&mut self, roots: &Roots, (entry, number): (u64, u32)) -> bool {
        let home = roots.home(hash(entry & ROOT));
        for line in home..home + FARTHEST {
            let slots = &roots.slots.slots()[line * LINE..(line + 1) * LINE];
            let (known, used) = &mut self.lines[line % Self::NEAR];
            if *known != line {
                let first = slots.iter().position(|slot| slot.load(Relaxed) == 0);
                (*known, *used) = (line, first.unwrap_or(LINE));
            }
            if let Some(slot) = slots.get(*used) {
                slot.store(entry, Relaxed);
                roots.set_number(line * LINE + *used, number);
                *used += 1;
                return true;
            }
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
