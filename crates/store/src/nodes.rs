//! The inner nodes of compressed states, each stored once and known by its number.
//!
//! A node is a key of 59 bits: a chunk of a state, or the numbers of two other nodes. Keys lie one
//! behind the other in the order of their numbers and never move; an open-addressing index of
//! 32-bit slots (number and three bits of the hash) finds them again. A thread writes the key
//! first, at a number nobody else has, and then makes it known by one compare-and-swap on the
//! index; the loser of a race keeps its number for the next key. So a number that is read from the
//! index always leads to its key.
//!
//! Numbers are given out in blocks, to a thread at a time. The index grows, and numbers that are no
//! longer in use are collected, only while all threads wait (`&mut self`).
//!
//! Tried and dropped: the number as the position in one table of keys, which needs one look instead
//! of two, but cannot grow without renumbering every state.

use crate::hash::hash;
use crate::region::Region;
use crate::sync::Ordering::{AcqRel, Acquire, Relaxed, Release};
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize};

/// The number of a node; 0 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(crate) u32);

/// Bits of a number.
pub(crate) const ID_BITS: u32 = 29;
const ID_MASK: u32 = (1 << ID_BITS) - 1;
/// Numbers that a thread takes at a time.
const BLOCK: usize = if cfg!(any(loom, miri)) { 2 } else { 32 };
/// The first size of the index.
const FIRST_INDEX: usize = if cfg!(any(loom, miri)) { 16 } else { 1 << 13 };
/// A key that no node has.
const NO_KEY: u64 = u64::MAX;
/// The key of a number that is not in use; no node has it, since no node has the number 0.
const UNUSED: u64 = 0;

/// All inner nodes.
#[derive(Debug)]
pub(crate) struct Nodes {
    keys: Region<AtomicU64>,
    index: Region<AtomicU32>,
    /// The first number that was never given out.
    next: AtomicUsize,
    /// How many numbers were collected and not given out again. They are the unused ones from
    /// `sweep` on, before `swept`: no list of them takes memory when there is least of it.
    free: AtomicUsize,
    sweep: AtomicUsize,
    swept: usize,
    /// Numbers at and behind this one must not be given out without more room.
    limit: usize,
}

/// No number is left; see [`Nodes::make_room`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoRoom;

/// Numbers that one thread may give to new nodes, and the nodes it has met lately.
#[derive(Debug)]
pub(crate) struct Acquaintance {
    fresh: Vec<u32>,
    /// Keys and numbers, at the place that the hash of the key says.
    recent: Box<[(u64, u32); RECENT]>,
}

/// Nodes that a thread remembers: what fits into a near cache.
const RECENT: usize = if cfg!(any(loom, miri)) { 4 } else { 1 << 14 };

impl Acquaintance {
    pub(crate) fn new() -> Self {
        Self { fresh: Vec::new(), recent: Box::new([(NO_KEY, 0); RECENT]) }
    }

    /// Forgets everything: numbers may have been collected.
    pub(crate) fn forget(&mut self) {
        self.fresh.clear();
        self.recent.fill((NO_KEY, 0));
    }
}

impl Nodes {
    /// Room for `most` nodes in the end.
    pub(crate) fn new(most: usize) -> Self {
        let most = most.clamp(BLOCK * 4, 1 << ID_BITS);
        let mut nodes = Self {
            keys: Region::new(most),
            index: Region::new(FIRST_INDEX),
            next: AtomicUsize::new(1),
            free: AtomicUsize::new(0),
            sweep: AtomicUsize::new(0),
            swept: 0,
            limit: 0,
        };
        nodes.limit = nodes.fitting().min(nodes.keys.len());
        nodes
    }

    /// How many nodes the index serves well.
    fn fitting(&self) -> usize {
        (self.index.len() / 4 * 3).min(self.keys.len())
    }

    /// How many numbers have been given out.
    pub(crate) fn len(&self) -> usize {
        let free = self.free.load(Relaxed);
        self.next.load(Relaxed).min(self.keys.len()).saturating_sub(free)
    }

    /// The memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.next.load(Relaxed).min(self.keys.len()) * 8 + self.index.len() * 4
    }

    /// The key of a node.
    #[inline]
    pub(crate) fn key(&self, id: NodeId) -> u64 {
        self.keys.slots()[id.0 as usize].load(Relaxed)
    }

    /// The number of a key, which becomes a node if it is none yet.
    #[inline]
    pub(crate) fn intern(&self, key: u64, mine: &mut Acquaintance) -> Result<NodeId, NoRoom> {
        let hash = hash(key);
        let at = hash as usize & (RECENT - 1);
        if mine.recent[at].0 == key {
            return Ok(NodeId(mine.recent[at].1));
        }
        let id = self.look_up(key, hash, mine)?;
        mine.recent[at] = (key, id.0);
        Ok(id)
    }

    fn look_up(&self, key: u64, hash: u64, mine: &mut Acquaintance) -> Result<NodeId, NoRoom> {
        let (index, keys) = (self.index.slots(), self.keys.slots());
        let mask = index.len() - 1;
        let tag = (hash >> 61 << ID_BITS) as u32;
        let mut at = (hash >> 16) as usize & mask;
        let mut own = None;
        loop {
            let mut slot = index[at].load(Acquire);
            if slot == 0 {
                let id = match own {
                    Some(id) => id,
                    None => {
                        let id = self.fresh(mine)?;
                        keys[id as usize].store(key, Relaxed);
                        own = Some(id);
                        id
                    }
                };
                match index[at].compare_exchange(0, tag | id, Release, Acquire) {
                    Ok(_) => return Ok(NodeId(id)),
                    Err(theirs) => slot = theirs,
                }
            }
            let id = slot & ID_MASK;
            if slot & !ID_MASK == tag && keys[id as usize].load(Relaxed) == key {
                if let Some(own) = own {
                    keys[own as usize].store(UNUSED, Relaxed);
                    mine.fresh.push(own);
                }
                return Ok(NodeId(id));
            }
            at = (at + 1) & mask;
        }
    }

    /// A number that nobody has.
    fn fresh(&self, mine: &mut Acquaintance) -> Result<u32, NoRoom> {
        if let Some(id) = mine.fresh.pop() {
            return Ok(id);
        }
        while mine.fresh.is_empty() && self.sweep.load(Relaxed) < self.swept {
            let start = self.sweep.fetch_add(BLOCK, AcqRel);
            let block = start..self.swept.min(start + BLOCK);
            let unused = |&id: &usize| self.keys.slots()[id].load(Relaxed) == UNUSED;
            mine.fresh.extend(block.filter(unused).map(|id| id as u32).rev());
            self.free.fetch_sub(mine.fresh.len(), Relaxed);
        }
        if mine.fresh.is_empty() {
            let start = self.next.fetch_add(BLOCK, AcqRel);
            if start + BLOCK > self.limit {
                self.next.fetch_sub(BLOCK, AcqRel);
                return Err(NoRoom);
            }
            mine.fresh.extend((start as u32..(start + BLOCK) as u32).rev());
        }
        mine.fresh.pop().ok_or(NoRoom)
    }

    /// Whether two blocks can still be given out.
    #[cfg(loom)]
    pub(crate) fn has_more_than_a_block(&self) -> bool {
        self.next.load(Relaxed) + 2 * BLOCK <= self.limit
    }

    /// Whether more room is needed soon: growing before the last number is taken lets all threads
    /// finish what they are doing.
    pub(crate) fn is_crowded(&self) -> bool {
        self.free.load(Relaxed) == 0 && self.next.load(Relaxed) + BLOCK * 64 > self.limit
    }

    /// Whether collecting has given too little for its time: one number in sixteen is worth it.
    pub(crate) fn is_scarce(&self) -> bool {
        let (free, next) = (self.free.load(Relaxed), self.next.load(Relaxed));
        free < next / 16 && next + BLOCK * 64 > self.limit
    }

    /// Numbers that [`Nodes::make_room`] adds, and whether the index must grow for them.
    fn step(&self) -> (usize, bool) {
        let step = (self.limit / 4).max(BLOCK * 128).min(self.keys.len() - self.limit);
        let grows = self.limit + step > self.fitting() && self.fitting() < self.keys.len();
        (step, grows)
    }

    /// Bytes that [`Nodes::make_room`] would take, or `None` if there are no more numbers.
    pub(crate) fn room_costs(&self) -> Option<usize> {
        let (step, grows) = self.step();
        (step > 0).then_some(step * 8 + if grows { self.index.len() * 4 } else { 0 })
    }

    /// Lets more numbers be given out; the index is doubled if it must be.
    pub(crate) fn make_room(&mut self) {
        let (step, grows) = self.step();
        if grows {
            self.rebuild(self.index.len() * 2);
        }
        self.limit = (self.limit + step).min(self.fitting());
    }

    /// Collects the nodes that are not in use: their numbers are given out again. What threads
    /// remember of nodes must be forgotten.
    pub(crate) fn collect(&mut self, used: &Marks) {
        let next = self.next.load(Relaxed).min(self.keys.len());
        let mut free = 0;
        for id in (1..next as u32).filter(|&id| !used.contains(NodeId(id))) {
            self.keys.slots()[id as usize].store(UNUSED, Relaxed);
            free += 1;
        }
        self.free = AtomicUsize::new(free);
        (self.sweep, self.swept) = (AtomicUsize::new(1), next);
        self.rebuild(self.index.len());
    }

    fn rebuild(&mut self, size: usize) {
        self.index = Region::new(1); // The old one goes before the new one comes.
        let index: Region<AtomicU32> = Region::new(size);
        let mask = index.len() - 1;
        let next = self.next.load(Relaxed).min(self.keys.len());
        for id in 1..next as u32 {
            let key = self.key(NodeId(id));
            if key == UNUSED {
                continue;
            }
            let hash = hash(key);
            let mut at = (hash >> 16) as usize & mask;
            while index.slots()[at].load(Relaxed) != 0 {
                at = (at + 1) & mask;
            }
            index.slots()[at].store((hash >> 61 << ID_BITS) as u32 | id, Relaxed);
        }
        self.index = index;
    }

    /// Everything that must be written down to have the same nodes again.
    pub(crate) fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        let next = self.next.load(Relaxed).min(self.keys.len());
        self.keys.slots()[1..next].iter().map(|key| key.load(Relaxed))
    }

    /// Nodes with these keys, numbered from 1 on; `None` if there is no room for them.
    pub(crate) fn restore(&mut self, count: usize, keys: impl Iterator<Item = u64>) -> Option<()> {
        if count >= self.keys.len() {
            return None;
        }
        let mut free = 0;
        for (at, key) in keys.take(count).enumerate() {
            self.keys.slots()[at + 1].store(key, Relaxed);
            free += usize::from(key == UNUSED);
        }
        self.next = AtomicUsize::new(count + 1);
        self.free = AtomicUsize::new(free);
        (self.sweep, self.swept) = (AtomicUsize::new(1), count + 1);
        let mut size = self.index.len();
        while size / 4 * 3 < count + BLOCK * 64 {
            size *= 2;
        }
        self.rebuild(size);
        self.limit = self.fitting();
        Some(())
    }
}

/// A set of nodes.
#[derive(Debug)]
pub(crate) struct Marks(Vec<u64>);

impl Marks {
    pub(crate) fn new(nodes: &Nodes) -> Self {
        Self(vec![0; nodes.next.load(Relaxed) / 64 + 1])
    }

    pub(crate) fn contains(&self, id: NodeId) -> bool {
        self.0[id.0 as usize / 64] >> (id.0 % 64) & 1 == 1
    }

    /// Adds a node; whether it is new.
    pub(crate) fn insert(&mut self, id: NodeId) -> bool {
        let (word, bit) = (&mut self.0[id.0 as usize / 64], 1 << (id.0 % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
