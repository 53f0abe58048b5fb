//! States that are not known to be dead, grouped by the components found so far: a union-find that
//! workers share without locks (Bloemen, Laarman & van de Pol, PPoPP 2016).
//!
//! Each state has a slot, found by its root. Slots of one component form a tree of parents; at its
//! top are the workers that have been in the component and the acceptance marks of the steps inside
//! it. They also form a circle, in which states whose steps have all been looked at are skipped and
//! thrown out, so that any worker finds a state of the component that is still to be explored. When
//! there is none, the component is dead.
//!
//! A slot of zeros is ready for use, so that putting a state into a free one is one compare-and-swap.
//! The lock of a top and that of a member of a circle are held for a few instructions while two
//! components become one; finding and claiming a state takes neither.
//!
//! Marks (Renault et al. 2015 for generalized acceptance): who adds marks to a top that has just got
//! a parent adds them to the new top too; who joins two components first makes the parent known and
//! then carries the marks up. So whoever comes last sees them all.

mod moving;

use crate::unrest::give_way;
use crossbeam::utils::CachePadded;
use pverify_store::{Region, Root};
use pverify_temporal::automaton::Marks;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

/// A slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot(pub(crate) u32);

impl Slot {
    /// Stands for a state that has been found dead and taken out.
    pub(crate) const DEAD: Self = Self(u32::MAX);

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Workers are bits of a number.
pub(crate) const MOST_WORKERS: usize = 64;

/// What a worker finds a state to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Its component is dead.
    Dead,
    /// This worker has been in its component before: the way to it is a cycle.
    Met,
    /// This worker comes to the component for the first time.
    New,
    /// Only others have been there, and the worker is shy: it has not come.
    Shared,
}

/// What there is in a circle.
enum Look {
    /// Somebody is busy.
    Busy(Slot),
    /// Nobody: this is the last member of the circle.
    Last(Slot),
}

/// A link: where the parent lies, as the difference to the slot itself, so that a slot is its own
/// parent at first; for a top, which is its own parent, above that whether it is locked or dead.
const TOP: u64 = 0;
const LOCKED_TOP: u64 = 1 << 32;
const DEAD_TOP: u64 = 2 << 32;

const BUSY: u32 = 0;
const LOCKED: u32 = 1;
const DONE: u32 = 2;
/// Done, dead, and in the store already.
const BURIED: u32 = 3;

/// See the module.
#[derive(Debug)]
pub(crate) struct Partition {
    /// Four numbers a slot: the key, which is the root plus one (0 is free); the link; of a top, the
    /// workers and the marks.
    cells: Region<AtomicU64>,
    /// Two numbers a slot: the next member of the circle, as the difference to the slot itself, and
    /// whether it is busy, locked or done. Whoever joins components writes these, and they must not
    /// lie where everybody reads.
    circles: Region<AtomicU32>,
    slots: usize,
    /// How many slots are taken, as far as that has been told.
    count: CachePadded<AtomicUsize>,
}

const CELL: usize = 4;
const CIRCLE: usize = 2;

impl Partition {
    /// Room for a power of two of slots, or for fewer where the system does not give so much.
    pub(crate) fn new(slots: usize) -> Self {
        let slots = slots.next_power_of_two().max(16);
        let (cells, circles) = (Region::new(slots * CELL), Region::new(slots * CIRCLE));
        let slots = slots.min(cells.len() / CELL).min(circles.len() / CIRCLE);
        Self { cells, circles, slots, count: CachePadded::default() }
    }

    /// The memory of so many slots.
    pub(crate) const fn bytes_of(slots: usize) -> usize {
        slots * (CELL * size_of::<u64>() + CIRCLE * size_of::<u32>())
    }

    pub(crate) fn bytes(&self) -> usize {
        Self::bytes_of(self.slots)
    }

    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// Whether more states would make it slow.
    pub(crate) fn is_crowded(&self) -> bool {
        self.count.load(SeqCst) * 10 >= self.slots * 7
    }

    /// So many slots may be taken by a worker before it tells.
    pub(crate) fn patience(&self) -> usize {
        // Of the most workers there can be, all together do not know of a sixteenth.
        (self.slots / (16 * MOST_WORKERS)).clamp(1, 64)
    }

    /// A worker has taken so many slots.
    pub(crate) fn tell(&self, taken: usize) {
        self.count.fetch_add(taken, SeqCst);
    }

    fn key(&self, at: usize) -> &AtomicU64 {
        give_way();
        &self.cells.slots()[at * CELL]
    }

    fn link(&self, slot: Slot) -> &AtomicU64 {
        give_way();
        &self.cells.slots()[slot.index() * CELL + 1]
    }

    fn workers(&self, slot: Slot) -> &AtomicU64 {
        give_way();
        &self.cells.slots()[slot.index() * CELL + 2]
    }

    fn marks(&self, slot: Slot) -> &AtomicU64 {
        give_way();
        &self.cells.slots()[slot.index() * CELL + 3]
    }

    /// The next member of the circle.
    fn next(&self, slot: Slot) -> Slot {
        give_way();
        Slot(self.circles.slots()[slot.index() * CIRCLE].load(SeqCst) ^ slot.0)
    }

    fn set_next(&self, slot: Slot, next: Slot) {
        give_way();
        self.circles.slots()[slot.index() * CIRCLE].store(next.0 ^ slot.0, SeqCst);
    }

    fn list(&self, slot: Slot) -> &AtomicU32 {
        give_way();
        &self.circles.slots()[slot.index() * CIRCLE + 1]
    }

    /// A root will be looked for soon: its home is fetched.
    #[inline]
    pub(crate) fn expect(&self, root: Root) {
        let home = self.home(root);
        self.cells.prefetch(home * CELL);
        self.circles.prefetch(home * CIRCLE);
    }

    /// The slot of a root, if it has one.
    pub(crate) fn get(&self, root: Root) -> Option<Slot> {
        let mut at = self.home(root);
        for _ in 0..self.slots {
            match self.key(at).load(SeqCst) {
                0 => return None,
                key if key == root.to_bits() + 1 => return Some(Slot(at as u32)),
                _ => at = (at + 1) & (self.slots - 1),
            }
        }
        None
    }

    /// The slot of a root, which gets one if it has none (then `true`, and it is to be told by
    /// [`Partition::tell`]); nothing if all are taken.
    pub(crate) fn insert(&self, root: Root) -> Option<(Slot, bool)> {
        let wanted = root.to_bits() + 1;
        let mut at = self.home(root);
        for _ in 0..self.slots {
            let key = match self.key(at).load(SeqCst) {
                0 => match self.key(at).compare_exchange(0, wanted, SeqCst, SeqCst) {
                    Ok(_) => return Some((Slot(at as u32), true)),
                    Err(other) => other,
                },
                key => key,
            };
            if key == wanted {
                return Some((Slot(at as u32), false));
            }
            at = (at + 1) & (self.slots - 1);
        }
        None
    }

    /// The upper bits of a hash, so that a larger table has its slots in the same order: moving them
    /// is a sweep.
    fn home(&self, root: Root) -> usize {
        let hash = root.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> (64 - self.slots.trailing_zeros())) as usize
    }

    /// The state in a slot.
    pub(crate) fn root(&self, slot: Slot) -> Root {
        Root::from_bits(self.key(slot.index()).load(SeqCst).wrapping_sub(1))
    }

    /// The top of a component.
    fn top(&self, slot: Slot) -> Slot {
        let mut at = slot;
        loop {
            let link = self.link(at).load(SeqCst);
            let parent = Slot(link as u32 ^ at.0);
            if parent == at {
                return at;
            }
            let above = Slot(self.link(parent).load(SeqCst) as u32 ^ parent.0);
            if above == parent {
                return parent;
            }
            // A shorter way for those who come later; parents only ever move up.
            let shorter = u64::from(above.0 ^ at.0);
            let _ = self.link(at).compare_exchange(link, shorter, SeqCst, SeqCst);
            at = above;
        }
    }

    fn is_top(&self, slot: Slot) -> bool {
        self.link(slot).load(SeqCst) as u32 == 0
    }

    /// Whether two states are known to be of one component.
    pub(crate) fn same(&self, one: Slot, other: Slot) -> bool {
        loop {
            let (left, right) = (self.top(one), self.top(other));
            if left == right {
                return true;
            }
            if self.is_top(left) {
                return false;
            }
        }
    }

    /// Whether the component of a state is dead.
    pub(crate) fn is_dead(&self, slot: Slot) -> bool {
        slot == Slot::DEAD || self.is_dead_top(self.top(slot))
    }

    fn is_dead_top(&self, top: Slot) -> bool {
        self.link(top).load(SeqCst) == DEAD_TOP
    }

    /// A worker comes to a state. If it is `shy` it does not go where only others are.
    pub(crate) fn claim(&self, slot: Slot, worker: usize, shy: bool) -> Claim {
        let mine = 1 << worker;
        let mut top = self.top(slot);
        if self.is_dead_top(top) {
            return Claim::Dead;
        }
        let workers = self.workers(top).load(SeqCst);
        if workers & mine != 0 {
            return Claim::Met;
        }
        if shy && workers != 0 {
            return Claim::Shared;
        }
        while self.workers(top).load(SeqCst) & mine == 0 {
            self.workers(top).fetch_or(mine, SeqCst);
            top = self.top(top);
        }
        Claim::New
    }

    /// Adds marks of steps inside a component; all that it has then.
    pub(crate) fn mark(&self, slot: Slot, marks: Marks) -> Marks {
        loop {
            let top = self.top(slot);
            let all = add(self.marks(top), marks.0);
            if self.is_top(top) {
                return Marks(all);
            }
        }
    }

    /// A state of the component that is still to be explored; if there is none, it is dead.
    pub(crate) fn pick(&self, slot: Slot) -> Option<Slot> {
        if slot == Slot::DEAD {
            return None;
        }
        let last = match self.look(slot) {
            Look::Busy(member) => return Some(member),
            Look::Last(last) => last,
        };
        // Nobody can join it to another component any more: that takes a busy member. But who has
        // locked the top, for nothing, has still to unlock it.
        loop {
            let link = self.link(self.top(last));
            match link.compare_exchange(TOP, DEAD_TOP, SeqCst, SeqCst) {
                Ok(_) | Err(DEAD_TOP) => return None,
                Err(_) => std::hint::spin_loop(),
            }
        }
    }

    /// Looks for a busy member of a circle, and throws out who is done.
    fn look(&self, from: Slot) -> Look {
        if self.is_busy(from) {
            return Look::Busy(from);
        }
        let mut at = from;
        loop {
            let next = self.next(at);
            if next == at {
                return Look::Last(at);
            }
            if self.is_busy(next) {
                // Between the two all are done, for ever: the next time it is one look.
                if at != from {
                    self.set_next(from, next);
                }
                return Look::Busy(next);
            }
            let behind = self.next(next);
            if behind == next {
                return Look::Last(next);
            }
            self.set_next(at, behind);
            if self.is_busy(behind) {
                self.set_next(from, behind);
                return Look::Busy(behind);
            }
            at = behind;
        }
    }

    fn is_busy(&self, slot: Slot) -> bool {
        loop {
            match self.list(slot).load(SeqCst) {
                BUSY => return true,
                DONE | BURIED => return false,
                _ => std::hint::spin_loop(),
            }
        }
    }

    /// All steps of a state have been looked at.
    pub(crate) fn finish(&self, slot: Slot) {
        let list = self.list(slot);
        while list.compare_exchange(BUSY, DONE, SeqCst, SeqCst) == Err(LOCKED) {
            std::hint::spin_loop();
        }
    }

    /// Whether all steps of a state have been looked at, by whomever.
    pub(crate) fn is_finished(&self, slot: Slot) -> bool {
        self.list(slot).load(SeqCst) == DONE
    }

    /// Hands a state of a dead component to `bury`, which says whether it was, unless somebody has
    /// done that.
    pub(crate) fn bury(&self, slot: Slot, bury: impl FnOnce(Root) -> bool) {
        if slot == Slot::DEAD {
            return;
        }
        // Once it is done nobody else writes this but for the same reason.
        let list = self.list(slot);
        if list.load(SeqCst) == DONE && bury(self.root(slot)) {
            list.store(BURIED, SeqCst);
        }
    }

    /// Two states are of one component.
    pub(crate) fn unite(&self, one: Slot, other: Slot) {
        loop {
            let (left, right) = (self.top(one), self.top(other));
            if left == right {
                return;
            }
            let (below, above) = if left.0 < right.0 { (left, right) } else { (right, left) };
            match self.link(below).compare_exchange(TOP, LOCKED_TOP, SeqCst, SeqCst) {
                Ok(_) => {}
                // What is dead has been explored by others to its end.
                Err(DEAD_TOP) => return,
                Err(_) => {
                    std::hint::spin_loop();
                    continue;
                }
            }
            let unlock = || self.link(below).store(TOP, SeqCst);
            // In the order of the tops, so that nobody waits in a circle.
            let Some(first) = self.lock_member(below) else {
                unlock();
                return;
            };
            let Some(second) = self.lock_member(above) else {
                self.list(first).store(BUSY, SeqCst);
                unlock();
                return;
            };
            let behind = self.next(first);
            self.set_next(first, self.next(second));
            self.set_next(second, behind);
            // It is no top any more, and so not locked either.
            self.link(below).store(u64::from(above.0 ^ below.0), SeqCst);
            let mut top = self.top(above);
            loop {
                add(self.workers(top), self.workers(below).load(SeqCst));
                add(self.marks(top), self.marks(below).load(SeqCst));
                if self.is_top(top) {
                    break;
                }
                top = self.top(top);
            }
            self.list(first).store(BUSY, SeqCst);
            self.list(second).store(BUSY, SeqCst);
            return;
        }
    }

    /// Locks some member of a circle that is not done; none if the component is dead.
    fn lock_member(&self, slot: Slot) -> Option<Slot> {
        let mut at = slot;
        loop {
            // Where nobody is busy the top is left as it is: it may be locked by who asks.
            let Look::Busy(member) = self.look(at) else { return None };
            if self.list(member).compare_exchange(BUSY, LOCKED, SeqCst, SeqCst).is_ok() {
                return Some(member);
            }
            at = member;
        }
    }

    fn used(&self) -> impl Iterator<Item = Slot> + '_ {
        let all = (0..self.slots).filter(|at| self.key(*at).load(SeqCst) != 0);
        all.map(|at| Slot(at as u32))
    }

    /// Every state in it.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Root> + '_ {
        self.used().map(|slot| self.root(slot))
    }
}

/// Adds bits, and writes only if some are new: all read here, and who writes makes all wait. All bits
/// there are then.
fn add(to: &AtomicU64, bits: u64) -> u64 {
    let there = to.load(SeqCst);
    if bits & !there == 0 { there } else { to.fetch_or(bits, SeqCst) | bits }
}
