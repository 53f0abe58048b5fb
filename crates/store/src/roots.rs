//! The table of roots: which states have been visited, one 64-bit slot each.
//!
//! Open addressing by cache lines of eight slots. The home line of a root is the product of its hash
//! and the number of lines: any number of lines will do, and hashes keep their order, so that the
//! table can grow or shrink in place by one sweep (`resizing`). From its home a root is looked for line
//! by line until a slot that is free; there it is inserted by one compare-and-swap. In each line it
//! begins at the slot that the last bits of its hash say, and goes round: most roots are the first
//! that is looked at.
//!
//! A slot holds the root and, above it, two bits of standing (free, replaceable, pinned, permanent)
//! and three bits of colour for the checks. A slot that is in use never becomes free: when the table
//! is full, a new root takes the slot of a replaceable one between its home and the next free slot,
//! chosen at random, and everything behind stays findable.

mod numbered;
mod resizing;

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
        self.place(root).map(|at| &self.slots.slots()[at])
    }

    /// The number of the slot of a root.
    #[inline]
    fn place(&self, root: Root) -> Option<usize> {
        for (at, slot) in self.places(root) {
            let there = slot.load(SeqCst);
            if there == 0 {
                return None;
            }
            if there & ROOT == root.to_bits() && there & STANDING != 0 {
                return Some(at);
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
