//! Roots with the numbers in which they came: a stack that can be searched.
//!
//! For searches that must know of a state, as long as they are not done with it, when it came. Roots
//! get the numbers 0, 1, 2, … as they come, and the last to come is the first to go. So a place in a
//! table with linear probing is given up by clearing it: whoever came later, and might have been
//! looked for across it, has gone already.

use crate::exact::NoRoom;
use crate::hash::hash;
use crate::region::Region;
use crate::sync::AtomicU64;
use crate::sync::Ordering::Relaxed;
use crate::tree::Root;

/// See the module.
#[derive(Debug)]
pub struct Alive {
    /// The roots by number.
    order: Vec<Root>,
    /// A power of two of places, two numbers each: a root, and its number plus one. 0 is free.
    places: Region<AtomicU64>,
}

/// The first places.
const FIRST: usize = 1 << 8;
/// So many roots ahead of where it is, whoever goes through all of them fetches a place.
const AHEAD: usize = 8;

impl Default for Alive {
    fn default() -> Self {
        Self::new()
    }
}

impl Alive {
    /// None.
    pub fn new() -> Self {
        Self { order: Vec::new(), places: Region::new(FIRST * 2) }
    }

    /// All of them, by number.
    pub fn order(&self) -> &[Root] {
        &self.order
    }

    /// A root will be looked for soon: its place is fetched.
    #[inline]
    fn expect(&self, root: Root) {
        self.places.prefetch(self.home(root) * 2);
    }

    /// The number of a root that is among them.
    #[inline]
    pub fn number(&self, root: Root) -> Option<u32> {
        let place = self.place(root);
        (self.places.slots()[place + 1].load(Relaxed) as u32).checked_sub(1)
    }

    /// A root that is not among them; its number.
    ///
    /// # Errors
    /// When there is no room for more.
    #[inline]
    pub fn push(&mut self, root: Root) -> Result<u32, NoRoom> {
        if self.order.len() * 8 >= self.places.len() * 3 {
            self.rebuild(self.places.len() * 2);
            if self.order.len() * 8 >= self.places.len() * 3 {
                return Err(NoRoom);
            }
        }
        let number = self.order.len() as u32;
        self.put(root, number);
        self.order.push(root);
        Ok(number)
    }

    /// The last one goes.
    #[inline]
    pub fn pop(&mut self) -> Option<Root> {
        let root = self.order.pop()?;
        let place = self.place(root);
        self.places.slots()[place + 1].store(0, Relaxed);
        Some(root)
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        self.order.capacity() * size_of::<Root>() + self.places.len() * size_of::<u64>()
    }

    /// Where a root is, or would be: the place of the first of its two numbers.
    #[inline]
    fn place(&self, root: Root) -> usize {
        let (key, slots) = (root.to_bits(), self.places.slots());
        let mut at = self.home(root) * 2;
        // Some places are free: this ends.
        while slots[at + 1].load(Relaxed) != 0 && slots[at].load(Relaxed) != key {
            at = (at + 2) & (slots.len() - 1);
        }
        at
    }

    #[inline]
    fn home(&self, root: Root) -> usize {
        hash(root.to_bits()) as usize & (self.places.len() / 2 - 1)
    }

    #[inline]
    fn put(&mut self, root: Root, number: u32) {
        let (place, slots) = (self.place(root), self.places.slots());
        slots[place].store(root.to_bits(), Relaxed);
        slots[place + 1].store(u64::from(number) + 1, Relaxed);
    }

    /// In the order in which they came, so that they can go in the opposite one.
    #[cold]
    fn rebuild(&mut self, places: usize) {
        let before = self.places.len();
        self.places = Region::new(2); // The old ones go before the new ones come.
        self.places = Region::new(places);
        if self.places.len() < places {
            // The system does not give so much; as many as before it has just got back.
            self.places = Region::new(before);
        }
        for at in 0..self.order.len() {
            if let Some(&ahead) = self.order.get(at + AHEAD) {
                self.expect(ahead);
            }
            self.put(self.order[at], at as u32);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn it_is_a_stack_that_can_be_searched() {
        let mut random = StdRng::seed_from_u64(7);
        let (mut alive, mut plain) = (Alive::new(), Vec::new());
        let rounds = if cfg!(miri) { 400 } else { 20_000 };
        for round in 0..rounds {
            // It grows for a while and then shrinks.
            let root = Root::from_bits(random.random_range(0..4_000));
            let grows = random.random_range(0..10) < if round < rounds / 2 { 7 } else { 3 };
            if grows {
                let number = plain.iter().position(|&other| other == root);
                assert_eq!(alive.number(root), number.map(|at| at as u32));
                if number.is_none() {
                    assert_eq!(alive.push(root), Ok(plain.len() as u32));
                    plain.push(root);
                }
            } else {
                assert_eq!(alive.pop(), plain.pop());
            }
            assert_eq!(alive.order(), plain);
        }
        for (at, &root) in plain.iter().enumerate() {
            assert_eq!(alive.number(root), Some(at as u32));
        }
    }
}
