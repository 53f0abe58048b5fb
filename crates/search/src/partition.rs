//! States that are not known to be dead, grouped by the components found so far: a union-find that
//! workers share without locks (Bloemen, Laarman & van de Pol, PPoPP 2016).
//!
//! Each state has a slot, found by its root. Slots of one component form a tree of parents; at its
//! top are the workers that have been in the component and the acceptance marks of the steps inside
//! it. They also form a circle, in which states whose steps have all been looked at are skipped and
//! thrown out, so that any worker finds a state of the component that is still to be explored. When
//! there is none, the component is dead.
//!
//! Slots are made ready beforehand, so that putting a state into a free one is one compare-and-swap.
//! The lock of a top and that of a member of a circle are held for a few instructions while two
//! components become one; finding and claiming a state takes neither.
//!
//! Marks (Renault et al. 2015 for generalized acceptance): who adds marks to a top that has just got
//! a parent adds them to the new top too; who joins two components first makes the parent known and
//! then carries the marks up. So whoever comes last sees them all.

use crossbeam::utils::CachePadded;
use pverify_store::Root;
use pverify_temporal::automaton::Marks;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize};

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

const LIVE: u8 = 0;
const LOCKED: u8 = 1;
const DEAD: u8 = 2;

const BUSY: u8 = 0;
const DONE: u8 = 2;
/// Done, dead, and in the store already.
const BURIED: u8 = 3;

/// See the module.
#[derive(Debug)]
pub(crate) struct Partition {
    cells: Box<[Cell]>,
    /// How many slots are taken, as far as that has been told. Everybody writes it, and it must not
    /// lie where everybody reads.
    count: CachePadded<AtomicUsize>,
}

#[derive(Debug)]
struct Cell {
    /// The root, plus one; 0 is free.
    key: AtomicU64,
    parent: AtomicU32,
    /// The next member of the circle.
    next: AtomicU32,
    /// Of a top: live, locked or dead.
    status: AtomicU8,
    /// In the circle: busy, locked or done.
    list: AtomicU8,
    workers: AtomicU64,
    marks: AtomicU64,
}

impl Partition {
    /// Room for a power of two of slots.
    pub(crate) fn new(slots: usize) -> Self {
        let cell = |at: usize| Cell {
            key: AtomicU64::new(0),
            parent: AtomicU32::new(at as u32),
            next: AtomicU32::new(at as u32),
            status: AtomicU8::new(LIVE),
            list: AtomicU8::new(BUSY),
            workers: AtomicU64::new(0),
            marks: AtomicU64::new(0),
        };
        let slots = slots.next_power_of_two().max(16);
        Self { cells: (0..slots).map(cell).collect(), count: CachePadded::default() }
    }

    /// The memory of so many slots.
    pub(crate) const fn bytes_of(slots: usize) -> usize {
        slots * size_of::<Cell>()
    }

    pub(crate) fn bytes(&self) -> usize {
        Self::bytes_of(self.cells.len())
    }

    pub(crate) fn slots(&self) -> usize {
        self.cells.len()
    }

    /// Whether more states would make it slow.
    pub(crate) fn is_crowded(&self) -> bool {
        self.count.load(SeqCst) * 10 >= self.cells.len() * 7
    }

    /// So many slots may be taken by a worker before it tells.
    pub(crate) fn patience(&self) -> usize {
        // Of the most workers there can be, all together do not know of a sixteenth.
        (self.cells.len() / (16 * MOST_WORKERS)).clamp(1, 64)
    }

    /// A worker has taken so many slots.
    pub(crate) fn tell(&self, taken: usize) {
        self.count.fetch_add(taken, SeqCst);
    }

    fn cell(&self, slot: Slot) -> &Cell {
        &self.cells[slot.index()]
    }

    /// The slot of a root, if it has one.
    pub(crate) fn get(&self, root: Root) -> Option<Slot> {
        let mut at = self.home(root);
        for _ in 0..self.cells.len() {
            match self.cells[at].key.load(SeqCst) {
                0 => return None,
                key if key == root.to_bits() + 1 => return Some(Slot(at as u32)),
                _ => at = (at + 1) & (self.cells.len() - 1),
            }
        }
        None
    }

    /// The slot of a root, which gets one if it has none (then `true`, and it is to be told by
    /// [`Partition::tell`]); nothing if all are taken.
    pub(crate) fn insert(&self, root: Root) -> Option<(Slot, bool)> {
        let wanted = root.to_bits() + 1;
        let mut at = self.home(root);
        for _ in 0..self.cells.len() {
            let key = match self.cells[at].key.load(SeqCst) {
                0 => match self.cells[at].key.compare_exchange(0, wanted, SeqCst, SeqCst) {
                    Ok(_) => return Some((Slot(at as u32), true)),
                    Err(other) => other,
                },
                key => key,
            };
            if key == wanted {
                return Some((Slot(at as u32), false));
            }
            at = (at + 1) & (self.cells.len() - 1);
        }
        None
    }

    fn home(&self, root: Root) -> usize {
        let hash = root.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 32) as usize & (self.cells.len() - 1)
    }

    /// The state in a slot.
    pub(crate) fn root(&self, slot: Slot) -> Root {
        Root::from_bits(self.cell(slot).key.load(SeqCst).wrapping_sub(1))
    }

    /// The top of a component.
    fn top(&self, slot: Slot) -> Slot {
        let mut at = slot.0;
        loop {
            let parent = self.cells[at as usize].parent.load(SeqCst);
            if parent == at {
                return Slot(at);
            }
            let above = self.cells[parent as usize].parent.load(SeqCst);
            if above != parent {
                // A shorter way for those who come later; parents only ever move up.
                let cell = &self.cells[at as usize].parent;
                let _ = cell.compare_exchange(parent, above, SeqCst, SeqCst);
            }
            at = above;
        }
    }

    fn is_top(&self, slot: Slot) -> bool {
        self.cell(slot).parent.load(SeqCst) == slot.0
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

    /// Only what a top says of itself counts: one that has just got a parent may look dead for a
    /// moment (see [`Partition::pick`]).
    fn is_dead_top(&self, top: Slot) -> bool {
        self.cell(top).status.load(SeqCst) == DEAD && self.is_top(top)
    }

    /// A worker comes to a state. If it is `shy` it does not go where only others are.
    pub(crate) fn claim(&self, slot: Slot, worker: usize, shy: bool) -> Claim {
        let mine = 1 << worker;
        let mut top = self.top(slot);
        if self.is_dead_top(top) {
            return Claim::Dead;
        }
        let workers = self.cell(top).workers.load(SeqCst);
        if workers & mine != 0 {
            return Claim::Met;
        }
        if shy && workers != 0 {
            return Claim::Shared;
        }
        while self.cell(top).workers.load(SeqCst) & mine == 0 {
            self.cell(top).workers.fetch_or(mine, SeqCst);
            top = self.top(top);
        }
        Claim::New
    }

    /// Adds marks of steps inside a component; all that it has then.
    pub(crate) fn mark(&self, slot: Slot, marks: Marks) -> Marks {
        loop {
            let top = self.top(slot);
            let all = self.cell(top).marks.fetch_or(marks.0, SeqCst) | marks.0;
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
        let mut at = slot;
        loop {
            if self.is_busy(at) {
                return Some(at);
            }
            let next = Slot(self.cell(at).next.load(SeqCst));
            if next == at {
                let top = self.top(at);
                let status = &self.cell(top).status;
                match status.compare_exchange(LIVE, DEAD, SeqCst, SeqCst) {
                    Ok(_) if self.is_top(top) => return None,
                    // Another component has taken it up just now.
                    Ok(_) => status.store(LIVE, SeqCst),
                    Err(DEAD) => return None,
                    Err(_) => std::hint::spin_loop(),
                }
                continue;
            }
            if self.is_busy(next) {
                return Some(next);
            }
            // The next one is done: it is thrown out.
            let behind = self.cell(next).next.load(SeqCst);
            self.cell(at).next.store(behind, SeqCst);
            at = Slot(behind);
        }
    }

    fn is_busy(&self, slot: Slot) -> bool {
        loop {
            match self.cell(slot).list.load(SeqCst) {
                BUSY => return true,
                DONE | BURIED => return false,
                _ => std::hint::spin_loop(),
            }
        }
    }

    /// All steps of a state have been looked at.
    pub(crate) fn finish(&self, slot: Slot) {
        let list = &self.cell(slot).list;
        while list.compare_exchange(BUSY, DONE, SeqCst, SeqCst) == Err(LOCKED) {
            std::hint::spin_loop();
        }
    }

    /// Whether all steps of a state have been looked at, by whomever.
    pub(crate) fn is_finished(&self, slot: Slot) -> bool {
        self.cell(slot).list.load(SeqCst) == DONE
    }

    /// Hands a state of a dead component to `bury`, which says whether it was, unless somebody has
    /// done that.
    pub(crate) fn bury(&self, slot: Slot, bury: impl FnOnce(Root) -> bool) {
        if slot == Slot::DEAD {
            return;
        }
        // Once it is done nobody else writes this but for the same reason.
        let list = &self.cell(slot).list;
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
            match self.cell(below).status.compare_exchange(LIVE, LOCKED, SeqCst, SeqCst) {
                Ok(_) => {}
                // What is dead has been explored by others to its end.
                Err(DEAD) if self.is_top(below) => return,
                Err(_) => {
                    std::hint::spin_loop();
                    continue;
                }
            }
            let unlock = || self.cell(below).status.store(LIVE, SeqCst);
            if !self.is_top(below) {
                unlock();
                continue;
            }
            // In the order of the tops, so that nobody waits in a circle.
            let Some(first) = self.lock_member(below) else {
                unlock();
                return;
            };
            let Some(second) = self.lock_member(above) else {
                self.cell(first).list.store(BUSY, SeqCst);
                unlock();
                return;
            };
            let (a, b) = (&self.cell(first).next, &self.cell(second).next);
            let behind = a.load(SeqCst);
            a.store(b.load(SeqCst), SeqCst);
            b.store(behind, SeqCst);
            self.cell(below).parent.store(above.0, SeqCst);
            let mut top = self.top(above);
            loop {
                let (from, to) = (self.cell(below), self.cell(top));
                to.workers.fetch_or(from.workers.load(SeqCst), SeqCst);
                to.marks.fetch_or(from.marks.load(SeqCst), SeqCst);
                if self.is_top(top) {
                    break;
                }
                top = self.top(top);
            }
            self.cell(first).list.store(BUSY, SeqCst);
            self.cell(second).list.store(BUSY, SeqCst);
            unlock();
            return;
        }
    }

    /// Locks some member of a circle that is not done; none if the component is dead.
    fn lock_member(&self, slot: Slot) -> Option<Slot> {
        loop {
            let member = self.pick_for_lock(slot)?;
            let list = &self.cell(member).list;
            if list.compare_exchange(BUSY, LOCKED, SeqCst, SeqCst).is_ok() {
                return Some(member);
            }
        }
    }

    /// As [`Partition::pick`], but a component without members to explore is left as it is: it may
    /// be locked by who asks.
    fn pick_for_lock(&self, slot: Slot) -> Option<Slot> {
        let mut at = slot;
        loop {
            if self.is_busy(at) {
                return Some(at);
            }
            let next = Slot(self.cell(at).next.load(SeqCst));
            if next == at {
                return None;
            }
            if self.is_busy(next) {
                return Some(next);
            }
            let behind = self.cell(next).next.load(SeqCst);
            self.cell(at).next.store(behind, SeqCst);
            at = Slot(behind);
        }
    }

    /// How many states are not dead.
    pub(crate) fn living(&self) -> usize {
        self.used().filter(|slot| !self.is_dead(*slot)).count()
    }

    fn used(&self) -> impl Iterator<Item = Slot> + '_ {
        let all = (0..self.cells.len() as u32).map(Slot);
        all.filter(|slot| self.cell(*slot).key.load(SeqCst) != 0)
    }

    /// The states that are not dead, in a table of another size, and to `bury` the dead ones that
    /// have not been buried. Nobody else may be at work.
    pub(crate) fn rebuilt(&self, slots: usize, mut bury: impl FnMut(Root)) -> Self {
        let new = Self::new(slots);
        let mut number = vec![Slot::DEAD; self.cells.len()];
        for slot in self.used() {
            if self.is_dead(slot) {
                self.bury(slot, |root| {
                    bury(root);
                    true
                });
            } else if let Some((moved, _)) = new.insert(self.root(slot)) {
                number[slot.index()] = moved;
                new.tell(1);
            }
        }
        // The last member of each circle so far, which leads to the first.
        let mut last: Vec<Slot> = vec![Slot::DEAD; new.cells.len()];
        for busy in [true, false] {
            for slot in self.used().filter(|slot| number[slot.index()] != Slot::DEAD) {
                if (self.cell(slot).list.load(SeqCst) != DONE) != busy {
                    continue;
                }
                let (moved, top) = (number[slot.index()], number[self.top(slot).index()]);
                let cell = new.cell(moved);
                cell.parent.store(top.0, SeqCst);
                cell.list.store(if busy { BUSY } else { DONE }, SeqCst);
                match last[top.index()] {
                    Slot::DEAD => {}
                    before if busy => {
                        let first = new.cell(before).next.swap(moved.0, SeqCst);
                        cell.next.store(first, SeqCst);
                        last[top.index()] = moved;
                        continue;
                    }
                    // Who is done leads into the circle and is no part of it.
                    member => {
                        cell.next.store(member.0, SeqCst);
                        continue;
                    }
                }
                last[top.index()] = moved;
            }
        }
        for slot in
            self.used().filter(|slot| number[slot.index()] != Slot::DEAD && self.is_top(*slot))
        {
            let (from, to) = (self.cell(slot), new.cell(number[slot.index()]));
            to.workers.store(from.workers.load(SeqCst), SeqCst);
            to.marks.store(from.marks.load(SeqCst), SeqCst);
        }
        new
    }

    /// Every state in it.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Root> + '_ {
        let keys = self.cells.iter().map(|cell| cell.key.load(SeqCst));
        keys.filter(|key| *key != 0).map(|key| Root::from_bits(key - 1))
    }
}
