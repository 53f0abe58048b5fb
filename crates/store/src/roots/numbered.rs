//! A number beside each root, for searches of one thread that must know in which order states came.
//!
//! The numbers lie in a region of their own, at the place of the slot, so that they move with it.
//! What they mean is known to who gives them; a state that has none has the number 0.

use super::{LINE, ROOT, Roots, TAIL, entry};
use crate::hash::hash;
use crate::region::Region;
use crate::roots::{Colour, Standing};
use crate::sync::Ordering::Relaxed;
use crate::tree::Root;

/// What inserting a root with a number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbered {
    /// It was not there, and has the number now.
    New,
    /// It was there, with this number.
    Known(u32),
    /// It was not there and is not: there is no room.
    NoRoom,
}

impl Roots {
    /// Room for so many lines in the end, with numbers; starts with `lines`.
    pub(crate) fn with_numbers(lines: usize, most: usize) -> Self {
        let mut roots = Self::new(lines, most);
        roots.numbers = Region::new((roots.most_lines() + TAIL) * LINE);
        if roots.numbers.len() < roots.slots.len() {
            // The system gives less of one than of the other.
            roots.slots = Region::new(roots.numbers.len());
            roots.lines = roots.lines.min(roots.most_lines()).max(1);
        }
        roots
    }

    /// Whether there are numbers.
    pub(crate) fn is_numbered(&self) -> bool {
        self.numbers.len() > 0
    }

    /// The root will be inserted with a number soon: what that looks at is fetched.
    #[inline]
    pub(crate) fn expect_numbered(&self, root: Root) {
        let home = self.home(hash(root.to_bits())) * LINE;
        self.slots.prefetch(home);
        self.slots.prefetch(home + LINE);
        self.numbers.prefetch(home);
    }

    /// Inserts a root with a number unless it is there. Nobody else may insert meanwhile.
    #[inline]
    pub(crate) fn insert_numbered(&self, root: Root, number: u32) -> Numbered {
        for (count, (at, slot)) in self.places(root).enumerate() {
            if count % LINE == LINE - 1 {
                self.slots.prefetch(at + 2 * LINE);
            }
            let there = slot.load(Relaxed);
            if there & ROOT == root.to_bits() {
                return Numbered::Known(self.number_at(at));
            }
            if there == 0 {
                slot.store(entry(root, Standing::Replaceable, Colour::default()), Relaxed);
                self.set_number(at, number);
                return Numbered::New;
            }
        }
        Numbered::NoRoom
    }

    /// The number of a root that is there.
    #[inline]
    pub(crate) fn number(&self, root: Root) -> Option<u32> {
        self.place(root).map(|at| self.number_at(at))
    }

    /// Gives a root that is there another number.
    #[inline]
    pub(crate) fn renumber(&self, root: Root, number: u32) {
        if let Some(at) = self.place(root) {
            self.set_number(at, number);
        }
    }

    #[inline]
    fn number_at(&self, at: usize) -> u32 {
        self.numbers.slots().get(at).map_or(0, |number| number.load(Relaxed))
    }

    #[inline]
    pub(super) fn set_number(&self, at: usize, number: u32) {
        if let Some(there) = self.numbers.slots().get(at) {
            there.store(number, Relaxed);
        }
    }
}
