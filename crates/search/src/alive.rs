//! The states of the path's components by their number: a stack that can be searched.
//!
//! States get the numbers 0, 1, 2, … as they come, and the last to come is the first to go. So a
//! place in a table with linear probing is given up by clearing it: whoever came later, and might
//! have been looked for across it, has gone already.

use pverify_store::Root;

/// See the module.
#[derive(Debug)]
pub(crate) struct Alive {
    /// The states by number.
    order: Vec<Root>,
    /// A power of two of places.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    root: u64,
    number: u32,
}

/// Nobody has this number.
const FREE: u32 = u32::MAX;

const FIRST: usize = 1 << 8;

impl Alive {
    pub(crate) fn new() -> Self {
        Self { order: Vec::new(), places: empty(FIRST) }
    }

    /// All of them, by number.
    pub(crate) fn order(&self) -> &[Root] {
        &self.order
    }

    /// The number of a state that is among them.
    #[inline]
    pub(crate) fn number(&self, root: Root) -> Option<u32> {
        let place = self.places[self.place(root)];
        (place.number != FREE).then_some(place.number)
    }

    /// A state that is not among them; its number.
    #[inline]
    pub(crate) fn push(&mut self, root: Root) -> u32 {
        if self.order.len() * 4 >= self.places.len() * 3 {
            self.grow();
        }
        let (number, at) = (self.order.len() as u32, self.place(root));
        self.places[at] = Place { root: root.to_bits(), number };
        self.order.push(root);
        number
    }

    /// The last one goes.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Root> {
        let root = self.order.pop()?;
        let at = self.place(root);
        self.places[at].number = FREE;
        Some(root)
    }

    /// The memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.order.capacity() * size_of::<Root>() + self.places.capacity() * size_of::<Place>()
    }

    /// Where a state is, or would be.
    #[inline]
    fn place(&self, root: Root) -> usize {
        let (key, last) = (root.to_bits(), self.places.len() - 1);
        let mut at = self.home(root);
        // Some places are free: this ends.
        while self.places[at].number != FREE && self.places[at].root != key {
            at = (at + 1) & last;
        }
        at
    }

    #[inline]
    fn home(&self, root: Root) -> usize {
        let hash = root.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 32) as usize & (self.places.len() - 1)
    }

    /// In the order in which they came, so that they can go in the opposite one.
    fn grow(&mut self) {
        self.places = empty(self.places.len() * 2);
        for at in 0..self.order.len() {
            let root = self.order[at];
            let place = self.place(root);
            self.places[place] = Place { root: root.to_bits(), number: at as u32 };
        }
    }
}

fn empty(places: usize) -> Vec<Place> {
    vec![Place { root: 0, number: FREE }; places]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn it_is_a_stack_that_can_be_searched() {
        let mut random = StdRng::seed_from_u64(7);
        let (mut alive, mut plain) = (Alive::new(), Vec::new());
        for round in 0..20_000 {
            // It grows for a while and then shrinks.
            let root = Root::from_bits(random.random_range(0..4_000));
            if random.random_range(0..10) < if round < 10_000 { 7 } else { 3 } {
                let number = plain.iter().position(|&other| other == root);
                assert_eq!(alive.number(root), number.map(|at| at as u32));
                if number.is_none() {
                    assert_eq!(alive.push(root), plain.len() as u32);
                    plain.push(root);
                }
            } else {
                assert_eq!(alive.pop(), plain.pop());
            }
            assert_eq!(alive.order(), plain);
        }
    }
}
