//! The graph of all states of a model, transition by transition: its states are kept, compressed and
//! numbered in the order in which they are met, level by level; its transitions never are.
//!
//! States and transitions are those of the labelled transition system that equivalence compares: a
//! path through an atomic block is the sequence of its actions.

use crate::equivalence::pair::{bits, read_one, write_one};
use crate::equivalence::side::{Labels, Side};
use ahash::AHashMap;
use pverify_semantics::fault::FaultKind;
use pverify_store::{Budget, Hand, Held, LENGTH_BITS, NoRoom, OutOfMemory, Root, Store};

/// A transition: where it starts, how it is called, where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition<'a> {
    /// The number of the state it starts in; the initial state is 0.
    pub from: u32,
    /// Its action, `tau` where it has no name.
    pub label: &'a str,
    /// The number of the state it leads to.
    pub to: u32,
}

/// Why a graph is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// There is no room for more states.
    Memory,
    /// A step goes wrong, and what comes after it is not known.
    Fault(FaultKind),
    /// Whoever is shown the transitions has seen enough.
    Enough,
}

/// See the module.
#[derive(Debug)]
pub struct StateGraph<'m> {
    side: Side<'m>,
    labels: Labels,
    store: Store,
    hand: Hand,
    numbers: AHashMap<u64, u32>,
    order: Vec<Root>,
    memory: usize,
}

impl<'m> StateGraph<'m> {
    /// The graph of a model, for whose states there is so much memory.
    pub fn new(side: Side<'m>, memory: usize) -> Self {
        let store = Store::new(Budget { bytes: memory, states: None }).keeping_all();
        let (numbers, order) = (AHashMap::new(), Vec::new());
        Self { side, labels: Labels::default(), store, hand: Hand::new(0), numbers, order, memory }
    }

    /// How many states were met.
    pub fn states(&self) -> usize {
        self.order.len()
    }

    /// Shows every transition, those of one state together; whether to go on is asked each time.
    /// The second time, and later, all numbers are the same as the first time.
    ///
    /// # Errors
    /// When it is not complete.
    pub fn each(&mut self, mut show: impl FnMut(Transition<'_>) -> bool) -> Result<(), Stopped> {
        let initial = self.side.initial();
        self.number(&initial)?;
        let (mut words, mut state) = (Vec::new(), Vec::new());
        let mut from = 0;
        while let Some(&root) = self.order.get(from as usize) {
            words.clear();
            self.store.unfold(&mut self.hand, root, bits, &mut words);
            read_one(&mut self.side, &words, &mut state);
            let moves = self.side.moves(&state, &mut self.labels).map_err(Stopped::Fault)?;
            for at in 0..moves.len() {
                let to = self.number(moves.target(at))?;
                let label = self.labels.name(moves.label(at));
                if !show(Transition { from, label, to }) {
                    return Err(Stopped::Enough);
                }
            }
            from += 1;
        }
        Ok(())
    }

    /// The number of a state; a new one has the next.
    fn number(&mut self, state: &[u64]) -> Result<u32, Stopped> {
        let mut words = Vec::new();
        let bits = write_one(&mut self.side, state, &mut words);
        if bits >= 1 << LENGTH_BITS {
            return Err(Stopped::Memory);
        }
        let root = loop {
            match self.store.fold(&mut self.hand, &words, bits) {
                Ok(root) => break root,
                Err(NoRoom) => self.make_room()?,
            }
        };
        if let Some(&number) = self.numbers.get(&root.to_bits()) {
            return Ok(number);
        }
        let number = self.order.len() as u32;
        if number == u32::MAX || self.store.bytes() + self.outside() > self.memory {
            return Err(Stopped::Memory);
        }
        self.numbers.insert(root.to_bits(), number);
        self.order.push(root);
        Ok(number)
    }

    fn make_room(&mut self) -> Result<(), Stopped> {
        let outside = self.outside();
        let order = &self.order;
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            order.iter().for_each(|&root| visit(root, Held::Folded));
        };
        self.store.force_room(outside, &live).map_err(|OutOfMemory| Stopped::Memory)
    }

    /// What it holds beside the store.
    fn outside(&self) -> usize {
        self.numbers.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.order.capacity() * size_of::<Root>()
    }
}
