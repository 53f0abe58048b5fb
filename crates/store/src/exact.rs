//! The exact store: compressed states in bounded memory, shared by all workers.
//!
//! Workers insert through `&Store`, each with a [`Hand`] of its own, without locks. Whatever moves
//! things (growing, collecting nodes, beginning to replace) is done by [`Store::make_room`] through
//! `&mut Store`, while all workers wait; a worker that finds [`Store::needs_room`] true lets it
//! happen soon, and one that is told [`NoRoom`] must.
//!
//! While there is memory the table of roots grows with the states. When there is none left, the
//! store begins to *replace* (Jard & Jéron 1989): states that were left give way at random to new
//! ones; those on the paths of workers are pinned and stay. If the tree nodes need room then, those
//! no root needs any more are collected; if that is not enough, the table of roots is made shorter.
//! Only when nothing is replaceable any more is there no room at all.

mod numbered;
mod recolour;
mod written;

use crate::bitstate::{Bits, Omission, hash_of};
use crate::nodes::{self, Marks, Nodes};
use crate::roots::{Colour, Insert, Roots, Standing};
use crate::sync::Ordering::Relaxed;
use crate::sync::{AtomicBool, AtomicU64};
use crate::tree::{Folder, Root, mark};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// How much a store may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes, together with what the workers hold outside; see [`Store::make_room`].
    pub bytes: usize,
    /// States, or bits of a filter; for experiments with full stores.
    pub states: Option<u64>,
}

/// There is no room; let [`Store::make_room`] have its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

/// There is no memory left that could be used for states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

/// Calls what it is given for every root that a worker holds.
pub type Live<'a> = dyn Fn(&mut dyn FnMut(Root, Held)) + 'a;

/// What a worker holds a root for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// It is on the path.
    OnPath,
    /// It waits for its turn. When the store begins to replace it is taken out again, so that only
    /// paths must have room: the worker inserts it anew when its turn comes.
    Waiting,
    /// It was folded, and will be looked up.
    Folded,
}

/// The set of visited states.
#[derive(Debug)]
pub struct Store {
    nodes: Nodes,
    roots: Roots,
    /// What stands in the place of the roots, if anything does.
    bits: Option<Bits>,
    budget: Budget,
    /// Roots inserted, as far as hands have told.
    count: AtomicU64,
    /// With so many roots the table wants to grow.
    limit: u64,
    crowded: AtomicBool,
    /// Whether states may give way to others at all.
    may_replace: bool,
    replacing: bool,
    /// Roots that had to stay have found no place.
    damaged: bool,
    /// Changes when numbers of nodes have been collected.
    epoch: u64,
    /// How many roots a hand inserts before it tells.
    patience: u64,
}

/// What one worker needs to use the store.
#[derive(Debug)]
pub struct Hand {
    folder: Folder,
    random: SmallRng,
    untold: u64,
    epoch: u64,
    /// States that gave way to others.
    pub replacements: u64,
}

impl Hand {
    /// The random choices of the hand follow from its seed.
    pub fn new(seed: u64) -> Self {
        Self {
            folder: Folder::default(),
            random: SmallRng::seed_from_u64(seed),
            untold: 0,
            epoch: 0,
            replacements: 0,
        }
    }
}

/// The first table: 64 KiB.
const FIRST_LINES: usize = if cfg!(loom) { 1 } else { 1 << 10 };
/// From so many lines on (16 MiB) the table grows by an eighth, before by doubling: memory is what a
/// large search runs out of, and moving the roots takes less than a tenth of its time.
const LARGE: usize = 1 << 18;
/// Seven eighths of the slots are used before the table grows.
const FULL: (usize, usize) = (7, 8);
/// One eighth of the memory is kept for nodes and stacks when the table of roots grows.
const RESERVE: usize = 8;

impl Store {
    /// An empty store.
    pub fn new(budget: Budget) -> Self {
        let most = most_lines(budget);
        Self::around(Roots::new(FIRST_LINES.min(most), most), budget)
    }

    fn around(roots: Roots, budget: Budget) -> Self {
        let mut store = Self {
            nodes: Nodes::new(budget.bytes / 8),
            roots,
            bits: None,
            budget,
            count: AtomicU64::new(0),
            limit: 0,
            crowded: AtomicBool::new(false),
            may_replace: true,
            replacing: false,
            damaged: false,
            epoch: 0,
            patience: budget.states.map_or(64, |_| 1),
        };
        store.set_limit();
        store
    }

    /// The same store, in which no state ever gives way: it is out of memory when it is full.
    #[must_use]
    pub fn keeping_all(self) -> Self {
        Self { may_replace: false, ..self }
    }

    /// The same store, which remembers states by bits of a filter only. The nodes of a state are
    /// kept as long as somebody holds its root.
    #[must_use]
    pub fn with_bits(self, hashes: u32) -> Self {
        let most = self.budget.states.map_or(usize::MAX, |bits| bits as usize / 8);
        let bytes = (self.budget.bytes - self.budget.bytes / 4).min(most);
        let bits = Some(Bits::new(bytes, hashes));
        Self { bits, roots: Roots::new(1, 1), may_replace: false, ..self }
    }

    /// Whether states are remembered by bits only.
    #[inline]
    pub fn is_bitstate(&self) -> bool {
        self.bits.is_some()
    }

    /// The hash of a state that bits follow from.
    #[inline]
    pub fn hash(words: &[u64]) -> u64 {
        hash_of(words)
    }

    /// In a filter: adds a state by its hash; whether it is new.
    #[inline]
    pub fn insert_bits(&self, state: u64) -> bool {
        if self.nodes.is_crowded() {
            self.ask_for_room();
        }
        self.bits.as_ref().is_some_and(|bits| bits.insert(state))
    }

    /// In a filter: a state will be inserted soon.
    #[inline]
    pub fn expect_bits(&self, state: u64) {
        if let Some(bits) = &self.bits {
            bits.expect(state);
        }
    }

    /// In a filter: what it has probably omitted, if so many states were new.
    pub fn omission(&self, states: u64) -> Option<Omission> {
        let bits = self.bits.as_ref()?;
        Some(Omission::estimate(bits.len(), bits.hashes(), states))
    }

    fn set_limit(&mut self) {
        let slots = self.roots.lines() * crate::roots::LINE;
        let most = self.budget.states.unwrap_or(u64::MAX);
        self.limit = most.min((slots * FULL.0 / FULL.1) as u64);
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let bits = self.bits.as_ref().map_or(0, Bits::bytes);
        self.nodes.bytes() + self.roots.bytes() + bits
    }

    /// How many states it holds, as far as that has been told.
    pub fn len(&self) -> u64 {
        self.count.load(Relaxed).min(self.capacity())
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many states have room without growing.
    pub fn capacity(&self) -> u64 {
        (self.roots.lines() * crate::roots::LINE) as u64
    }

    /// How many nodes the states share.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Whether states give way to others.
    pub fn is_replacing(&self) -> bool {
        self.replacing
    }

    /// Whether states that had to stay are lost, out of memory: it is of no use any more.
    pub fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Whether [`Store::make_room`] should have its turn soon.
    #[inline]
    pub fn needs_room(&self) -> bool {
        self.crowded.load(Relaxed)
    }

    /// Asks for [`Store::make_room`] to have its turn soon.
    pub fn ask_for_room(&self) {
        self.crowded.store(true, Relaxed);
    }

    /// Folds a state of so many bits; see [`crate::LENGTH_BITS`].
    #[inline(always)] // Once for each step: the call alone is a hundredth of a search.
    pub fn fold(&self, hand: &mut Hand, words: &[u64], bits: u32) -> Result<Root, NoRoom> {
        self.refresh(hand);
        hand.folder.fold(&self.nodes, words, bits).map_err(|nodes::NoRoom| NoRoom)
    }

    /// The state of a root, appended to `words`; its successors are folded next.
    #[inline]
    pub fn unfold(
        &self,
        hand: &mut Hand,
        root: Root,
        bits: impl FnOnce(u64) -> u32,
        words: &mut Vec<u64>,
    ) {
        self.refresh(hand);
        hand.folder.unfold(&self.nodes, root, bits, words);
    }

    #[inline]
    fn refresh(&self, hand: &mut Hand) {
        if hand.epoch != self.epoch {
            hand.folder.forget();
            hand.epoch = self.epoch;
        }
    }

    /// The root will be inserted soon: what that will look at is fetched.
    #[inline]
    pub fn expect(&self, root: Root) {
        self.roots.expect(root);
    }

    /// Adds a root unless it is there.
    #[inline]
    pub fn insert(
        &self,
        hand: &mut Hand,
        root: Root,
        standing: Standing,
        colour: Colour,
    ) -> Insert {
        if self.replacing {
            return self.replace(hand, root, standing, colour);
        }
        let inserted = self.roots.insert(root, standing, colour);
        if inserted == Insert::New {
            hand.untold += 1;
            if hand.untold >= self.patience {
                self.tell(hand);
            }
        }
        inserted
    }

    fn tell(&self, hand: &mut Hand) {
        let told = std::mem::take(&mut hand.untold);
        let count = self.count.fetch_add(told, Relaxed) + told;
        if count >= self.limit || self.nodes.is_crowded() {
            self.crowded.store(true, Relaxed);
        }
    }

    #[cold]
    fn replace(&self, hand: &mut Hand, root: Root, standing: Standing, colour: Colour) -> Insert {
        let random = &mut hand.random;
        let choose = |count: u64| random.random_range(0..count) == 0;
        let room = self.count.load(Relaxed) < self.limit;
        let inserted = self.roots.replace(root, standing, colour, room, choose);
        match inserted {
            Insert::Replaced => hand.replacements += 1,
            // A free slot was taken, or one that had become free: another root must go instead.
            Insert::New if self.count.fetch_add(1, Relaxed) >= self.limit => {
                let tries = 8;
                if (0..tries).any(|_| self.roots.evict(random.random())) {
                    self.count.fetch_sub(1, Relaxed);
                    hand.replacements += 1;
                } else if self.budget.states.is_some() {
                    self.crowded.store(true, Relaxed);
                }
            }
            _ => {}
        }
        if self.nodes.is_crowded() {
            self.crowded.store(true, Relaxed);
        }
        inserted
    }

    /// The standing and colour of a root, if it is there.
    pub fn get(&self, root: Root) -> Option<(Standing, Colour)> {
        self.roots.get(root)
    }

    /// Changes standing and colour of a root; whether it is there.
    #[inline]
    pub fn change(
        &self,
        root: Root,
        new: impl FnMut(Standing, Colour) -> (Standing, Colour),
    ) -> bool {
        self.roots.change(root, new)
    }

    /// Makes room for more states and nodes: by growing, or by beginning to replace, or by
    /// collecting what is not needed.
    ///
    /// `outside` is the memory that workers hold beside the store; `live` calls what it is given for
    /// every root that a worker still needs.
    pub fn make_room(&mut self, outside: usize, live: &Live<'_>) -> Result<(), OutOfMemory> {
        self.crowded.store(false, Relaxed);
        if self.count.load(Relaxed) >= self.limit && !self.replacing {
            self.grow_roots(outside, live)?;
        }
        if self.nodes.is_crowded() {
            self.grow_nodes(outside, live)?;
        }
        while self.bytes() + outside > self.budget.bytes {
            self.begin_to_replace(live)?;
            self.shrink_roots()?;
        }
        if self.replacing && !self.roots.is_numbered() && self.is_pinned_all_over() {
            return Err(OutOfMemory);
        }
        Ok(())
    }

    /// A worker could not go on: as [`Store::make_room`], whatever the counts say.
    pub fn force_room(&mut self, outside: usize, live: &Live<'_>) -> Result<(), OutOfMemory> {
        if self.replacing {
            self.crowded.store(false, Relaxed);
            // With numbers left, it was a root that found no room: all near its home are pinned.
            if !self.nodes.is_crowded() {
                return Err(OutOfMemory);
            }
            return self.grow_nodes(outside, live);
        }
        if self.nodes.is_crowded() {
            return self.make_room(outside, live);
        }
        self.grow_roots(outside, live)?;
        self.make_room(outside, live)
    }

    /// In an experiment with few states: none of them may go.
    fn is_pinned_all_over(&self) -> bool {
        let pinned = |entry: &u64| !crate::roots::is_replaceable(*entry);
        self.budget
            .states
            .is_some_and(|most| self.roots.entries().filter(pinned).count() as u64 > most)
    }

    fn grow_roots(&mut self, outside: usize, live: &Live<'_>) -> Result<(), OutOfMemory> {
        let lines = self.roots.lines();
        let wanted = if lines < LARGE { lines * 2 } else { lines + lines / 8 };
        let wanted = wanted.min(self.roots.most_lines());
        let used = self.nodes.bytes() + outside + self.roots.bytes_with(wanted);
        let affordable = used <= self.budget.bytes - self.budget.bytes / RESERVE;
        let at_most = self.budget.states.is_some_and(|most| self.count.load(Relaxed) >= most);
        if wanted > lines && affordable && !at_most {
            self.damaged |= !self.roots.grow(wanted);
            self.set_limit();
            if self.damaged { Err(OutOfMemory) } else { Ok(()) }
        } else {
            self.begin_to_replace(live)
        }
    }

    fn begin_to_replace(&mut self, live: &Live<'_>) -> Result<(), OutOfMemory> {
        if !self.may_replace {
            return Err(OutOfMemory);
        }
        if !self.replacing {
            self.replacing = true;
            self.roots.set_all(Standing::Replaceable);
            let roots = &self.roots;
            live(&mut |root, held| match held {
                Held::Waiting => roots.remove(root),
                Held::Folded => {}
                Held::OnPath => {
                    roots.change(root, |standing, colour| match standing {
                        Standing::Permanent => (standing, colour),
                        _ => (Standing::Pinned, colour),
                    });
                }
            });
            self.count.store(self.roots.entries().count() as u64, Relaxed);
        }
        Ok(())
    }

    fn grow_nodes(&mut self, outside: usize, live: &Live<'_>) -> Result<(), OutOfMemory> {
        let costs = self.nodes.room_costs();
        if costs.is_some_and(|costs| self.bytes() + outside + costs <= self.budget.bytes) {
            self.nodes.make_room();
            return Ok(());
        }
        if !self.is_bitstate() {
            self.begin_to_replace(live)?;
        }
        self.collect(live);
        while self.nodes.is_scarce() {
            if self.is_bitstate() {
                return Err(OutOfMemory);
            }
            self.shrink_roots()?;
            self.collect(live);
            let costs = self.nodes.room_costs();
            if costs.is_some_and(|costs| self.bytes() + outside + costs <= self.budget.bytes) {
                self.nodes.make_room();
            }
        }
        Ok(())
    }

    /// Collects the nodes that neither a root nor a worker needs.
    fn collect(&mut self, live: &Live<'_>) {
        let mut marks = Marks::new(&self.nodes);
        for entry in self.roots.entries() {
            mark(&self.nodes, Root::from_bits(entry), &mut marks);
        }
        live(&mut |root, _| mark(&self.nodes, root, &mut marks));
        self.nodes.collect(&marks);
        self.epoch += 1;
    }

    fn shrink_roots(&mut self) -> Result<(), OutOfMemory> {
        let lines = self.roots.lines();
        let wanted = lines / 4 * 3;
        if wanted < 16 {
            return Err(OutOfMemory);
        }
        let mut random = SmallRng::seed_from_u64(lines as u64);
        if !self.roots.shrink(wanted, || random.random_range(0..3) == 0) {
            self.damaged = true;
            return Err(OutOfMemory);
        }
        let left = self.roots.entries().count() as u64;
        self.count.store(left, Relaxed);
        self.set_limit();
        Ok(())
    }
}

/// Lines for the address space of the table; for few states, for these and a little more.
fn most_lines(budget: Budget) -> usize {
    let few = |states: u64| (states as usize * FULL.1 / FULL.0).div_ceil(crate::roots::LINE) + 1;
    budget.states.map_or(usize::MAX, few).min(Roots::lines_in(budget.bytes)).max(1)
}

#[cfg(all(test, not(loom)))]
mod tests;
