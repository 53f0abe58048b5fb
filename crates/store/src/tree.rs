//! States as trees: a state is cut into chunks, and a tree of shared nodes stands above them.
//!
//! The recursive indexing of Laarman, van de Pol and Weber (SPIN 2011): neighbouring states differ
//! in a few chunks, so that most of their nodes are the same, and a state costs little more than the
//! two numbers in its root. The bits of a state are cut into chunks of equal width, 58 bits at most,
//! whatever the borders of its words; a balanced tree of pairs of node numbers joins them. A state of
//! one chunk is its own root.
//!
//! Exactness: a root says by one bit whether it is a chunk or a pair, and so does a node. The width
//! of the chunks follows from the number of bits, and that from the lowest [`LENGTH_BITS`] bits of
//! the state, which lie in the first chunk (a promise of whoever makes the states). So a root leads
//! back to one state only.
//!
//! The tree of a state is kept while its successors are folded: of their trees only what differs is
//! looked up.

use crate::nodes::{Acquaintance, ID_BITS, Marks, NoRoom, NodeId, Nodes};
use std::sync::Arc;

/// The bits in front of a state that must tell how many bits it has.
pub const LENGTH_BITS: u32 = 20;

/// Bits of a chunk, and of a pair of numbers.
const CHUNK_BITS: u32 = 2 * ID_BITS;
const CHUNK: u64 = (1 << CHUNK_BITS) - 1;
const ID: u64 = (1 << ID_BITS) - 1;
/// Marks a chunk, in a node and in a root.
const IS_CHUNK: u64 = 1 << CHUNK_BITS;

/// A compressed state: 59 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Root(u64);

impl Root {
    /// Bits that a root needs.
    pub const BITS: u32 = CHUNK_BITS + 1;

    /// The root as a number; only its lowest [`Root::BITS`] bits are used.
    #[inline]
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The root that a number is; bits that a root does not use are cut off.
    #[inline]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits & (IS_CHUNK | CHUNK))
    }

    fn pair(left: NodeId, right: NodeId) -> Self {
        Self(u64::from(left.0) << ID_BITS | u64::from(right.0))
    }
}

/// How states of some number of bits are cut.
#[derive(Debug)]
struct Plan {
    bits: u32,
    words: usize,
    chunks: usize,
    /// Where each chunk lies.
    places: Vec<Place>,
    /// The tree: each pair joins two earlier things, which are chunks and then pairs; the last pair
    /// is the root.
    pairs: Vec<(u32, u32)>,
}

/// Where a chunk lies in the words of a state.
#[derive(Clone, Copy, Debug)]
struct Place {
    word: u32,
    /// The word it goes on in, or the same.
    next: u32,
    shift: u32,
    /// Whether it goes on in the next word.
    crosses: bool,
    /// Its bits, as low ones.
    mask: u64,
}

impl Plan {
    fn new(bits: u32) -> Self {
        let bits = bits.max(1);
        let chunks = bits.div_ceil(CHUNK_BITS);
        let width = bits.div_ceil(chunks);
        let mut pairs = Vec::new();
        let mut level: Vec<u32> = (0..chunks).collect();
        while level.len() > 1 {
            let mut above = Vec::new();
            for two in level.chunks(2) {
                above.push(match *two {
                    [left, right] => {
                        pairs.push((left, right));
                        chunks + pairs.len() as u32 - 1
                    }
                    _ => two[0],
                });
            }
            level = above;
        }
        let words = bits.div_ceil(64);
        let place = |at: u32| {
            let (word, shift) = (at * width / 64, at * width % 64);
            let crosses = shift + width > 64 && word + 1 < words;
            let mask = (1 << width.min(bits - at * width)) - 1;
            Place { word, next: word + u32::from(crosses), shift, crosses, mask }
        };
        let places = (0..chunks).map(place).collect();
        Self { bits, words: words as usize, chunks: chunks as usize, places, pairs }
    }

    #[inline]
    fn chunk(words: &[u64], place: Place) -> u64 {
        // Where it does not go on in another word, what comes from there is cut off.
        let chunk = words[place.word as usize] >> place.shift
            | words[place.next as usize] << 1 << (63 - place.shift);
        chunk & place.mask
    }
}

/// Folds states into roots and back; one a thread.
#[derive(Debug)]
pub struct Folder {
    /// By the number of bits.
    plans: Vec<Option<Arc<Plan>>>,
    mine: Acquaintance,
    /// The plan of the state whose successors are being folded, if its tree is known.
    plan: Option<Arc<Plan>>,
    /// Its tree: chunks, then numbers of chunks and of pairs.
    chunks: Vec<u64>,
    ids: Vec<NodeId>,
    /// The numbers for a successor.
    new_ids: Vec<NodeId>,
}

impl Default for Folder {
    fn default() -> Self {
        Self {
            plans: Vec::new(),
            mine: Acquaintance::new(),
            plan: None,
            chunks: Vec::new(),
            ids: Vec::new(),
            new_ids: Vec::new(),
        }
    }
}

impl Folder {
    /// Forgets what it knows of nodes: they may have been collected.
    pub(crate) fn forget(&mut self) {
        self.mine.forget();
        self.plan = None;
    }

    fn plan(plans: &mut Vec<Option<Arc<Plan>>>, bits: u32) -> &Arc<Plan> {
        let at = bits as usize;
        if plans.len() <= at {
            plans.resize_with(at + 1, || None);
        }
        plans[at].get_or_insert_with(|| Arc::new(Plan::new(bits)))
    }

    /// Folds a state of so many bits, using the tree of the last state that was unfolded where they
    /// are the same.
    #[inline(always)] // See `Store::fold`.
    pub(crate) fn fold(&mut self, nodes: &Nodes, words: &[u64], bits: u32) -> Result<Root, NoRoom> {
        if bits <= CHUNK_BITS {
            return Ok(Root(IS_CHUNK | (words[0] & CHUNK)));
        }
        let plan = match &self.plan {
            Some(plan) if plan.bits == bits => plan,
            _ => return self.fold_anew(nodes, words, bits),
        };
        let (old, new) = (&self.ids[..], &mut self.new_ids[..]);
        let known = self.chunks.iter().zip(old);
        for ((&place, (&chunk_before, &id)), new) in plan.places.iter().zip(known).zip(&mut *new) {
            let chunk = Plan::chunk(words, place);
            *new = if chunk == chunk_before {
                id
            } else {
                nodes.intern(IS_CHUNK | chunk, &mut self.mine)?
            };
        }
        let Some((&(left, right), pairs)) = plan.pairs.split_last() else { return Err(NoRoom) };
        for (at, &(left, right)) in pairs.iter().enumerate() {
            let (left, right) = (left as usize, right as usize);
            let two = (new[left], new[right]);
            let at = plan.chunks + at;
            new[at] = if two == (old[left], old[right]) {
                old[at]
            } else {
                nodes.intern(Root::pair(two.0, two.1).0, &mut self.mine)?
            };
        }
        Ok(Root::pair(new[left as usize], new[right as usize]))
    }

    /// Folds a state that has nothing in common with the one before, whose tree is kept.
    #[cold]
    fn fold_anew(&mut self, nodes: &Nodes, words: &[u64], bits: u32) -> Result<Root, NoRoom> {
        let plan = Arc::clone(Self::plan(&mut self.plans, bits));
        let mut ids = Vec::with_capacity(plan.chunks * 2);
        for &place in &plan.places {
            ids.push(nodes.intern(IS_CHUNK | Plan::chunk(words, place), &mut self.mine)?);
        }
        let Some((&(left, right), pairs)) = plan.pairs.split_last() else { return Err(NoRoom) };
        for &(left, right) in pairs {
            let pair = Root::pair(ids[left as usize], ids[right as usize]);
            ids.push(nodes.intern(pair.0, &mut self.mine)?);
        }
        Ok(Root::pair(ids[left as usize], ids[right as usize]))
    }

    /// The state of a root, appended to `words`; `bits` tells its number of bits from its lowest
    /// ones. Its successors are folded next.
    pub(crate) fn unfold(
        &mut self,
        nodes: &Nodes,
        root: Root,
        bits: impl FnOnce(u64) -> u32,
        words: &mut Vec<u64>,
    ) {
        if root.0 & IS_CHUNK != 0 {
            words.push(root.0 & CHUNK);
            return;
        }
        let bits = bits(first_chunk(nodes, root));
        if self.plan.as_ref().is_none_or(|plan| plan.bits != bits) {
            self.adopt(bits);
        }
        let Some(plan) = &self.plan else { return };
        let chunks = plan.chunks;
        let Some((&(left, right), pairs)) = plan.pairs.split_last() else { return };
        // From the root down: each pair is known before the things it joins.
        let ids = &mut self.ids[..];
        (ids[left as usize], ids[right as usize]) = two(root.0);
        for (at, &(left, right)) in pairs.iter().enumerate().rev() {
            (ids[left as usize], ids[right as usize]) = two(nodes.key(ids[chunks + at]));
        }
        let start = words.len();
        words.resize(start + plan.words, 0);
        let state = &mut words[start..];
        for ((place, id), known) in plan.places.iter().zip(&*ids).zip(&mut self.chunks) {
            let chunk = nodes.key(*id) & CHUNK;
            *known = chunk;
            state[place.word as usize] |= chunk << place.shift;
            if place.crosses {
                state[place.word as usize + 1] |= chunk >> (64 - place.shift);
            }
        }
    }

    /// States of so many bits come next.
    #[cold]
    fn adopt(&mut self, bits: u32) {
        let plan = Arc::clone(Self::plan(&mut self.plans, bits));
        self.chunks.clear();
        self.chunks.resize(plan.chunks, 0);
        self.ids.clear();
        self.ids.resize(numbers(&plan), NodeId(0));
        self.new_ids.clone_from(&self.ids);
        self.plan = Some(plan);
    }
}

/// Numbers in the tree of a state: of its chunks, and of its pairs but the root.
fn numbers(plan: &Plan) -> usize {
    plan.chunks + plan.pairs.len()
}

/// The numbers that a pair joins.
#[inline]
fn two(key: u64) -> (NodeId, NodeId) {
    (NodeId((key >> ID_BITS & ID) as u32), NodeId((key & ID) as u32))
}

/// The leftmost chunk under a root.
fn first_chunk(nodes: &Nodes, root: Root) -> u64 {
    let mut key = root.0;
    while key & IS_CHUNK == 0 {
        key = nodes.key(two(key).0);
    }
    key & CHUNK
}

/// Marks every node under a root.
pub(crate) fn mark(nodes: &Nodes, root: Root, marks: &mut Marks) {
    if root.0 & IS_CHUNK != 0 {
        return;
    }
    let mut left_to_do = vec![root.0];
    while let Some(key) = left_to_do.pop() {
        for id in [two(key).0, two(key).1] {
            if marks.insert(id) {
                let key = nodes.key(id);
                if key & IS_CHUNK == 0 {
                    left_to_do.push(key);
                }
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use std::collections::HashMap;

    /// States whose first bits tell their length, of 1 to 20 words, many of them alike.
    fn random_state(random: &mut StdRng) -> (Vec<u64>, u32) {
        let bits = random.random_range(1..=20 * 64u32);
        let mut words = vec![0u64; bits.div_ceil(64) as usize];
        for word in &mut words {
            *word = random.random_range(0..3u64) << random.random_range(0..60);
        }
        if bits < LENGTH_BITS {
            return (vec![u64::from(bits)], LENGTH_BITS);
        }
        if bits % 64 != 0
            && let Some(last) = words.last_mut()
        {
            *last &= (1 << (bits % 64)) - 1;
        }
        words[0] = words[0] >> LENGTH_BITS << LENGTH_BITS | u64::from(bits);
        if bits < 64 {
            words[0] &= (1 << bits) - 1;
        }
        (words, bits)
    }

    #[test]
    fn a_root_leads_back_to_its_state_and_to_no_other() {
        let seed = 7;
        let mut random = StdRng::seed_from_u64(seed);
        let mut nodes = Nodes::new(if cfg!(miri) { 1 << 11 } else { 1 << 20 });
        let mut folder = Folder::default();
        let mut known: HashMap<Root, Vec<u64>> = HashMap::new();
        let rounds = if cfg!(miri) { 30 } else { 20_000 };
        let bits_of = |first: u64| (first & 0xf_ffff).max(u64::from(LENGTH_BITS)) as u32;
        for _ in 0..rounds {
            let (state, bits) = random_state(&mut random);
            while nodes.is_crowded() {
                nodes.make_room();
            }
            let root = folder.fold(&nodes, &state, bits).expect("room");
            assert_eq!(known.entry(root).or_insert_with(|| state.clone()), &state, "seed {seed}");
            let mut back = Vec::new();
            folder.unfold(&nodes, root, bits_of, &mut back);
            assert_eq!(back, state, "seed {seed}");
            // A neighbour, folded beside the tree of the state, is what it is when folded alone.
            let mut other = state.clone();
            let at = random.random_range(0..other.len());
            other[at] ^= 1 << random.random_range(LENGTH_BITS..40);
            let inside = (at * 64 + 40) as u32 <= bits;
            if inside {
                let beside = folder.fold(&nodes, &other, bits).expect("room");
                let alone = Folder::default().fold(&nodes, &other, bits).expect("room");
                assert_eq!(beside, alone, "seed {seed}");
                assert_ne!(beside, root, "seed {seed}");
            }
        }
    }
}
