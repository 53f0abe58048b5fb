//! What a worker holds, and the work that travels between workers.

use crate::ancestry::Segment;
use crate::stack::{Entry, Stack};
use pverify_store::{Held, Root};
use std::sync::Arc;

/// What a worker holds: everything that must not be replaced or collected.
#[derive(Debug, Default)]
pub(crate) struct Holding {
    pub(crate) stack: Stack,
    /// The path that leads to the beginning of the stack.
    pub(crate) before: Option<Arc<Segment>>,
    /// Pieces of its own path that it shares.
    pub(crate) given: Vec<Given>,
    /// Roots of next states that are not on the stack yet.
    pub(crate) fresh: Vec<Root>,
    /// States that were put aside as later roots.
    pub(crate) aside: Stack,
    /// The next states of the last state of the path are not all on the stack yet: so many are.
    pub(crate) unsettled: Option<usize>,
}

/// A piece of a path that its worker shares.
#[derive(Debug)]
pub(crate) struct Given {
    /// How many states of the path it reaches to.
    pub(crate) reaches: u64,
    /// The place of the stack behind its last state.
    pub(crate) place: usize,
    pub(crate) segment: Arc<Segment>,
}

impl Holding {
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(Root, Held)) {
        let entries = self.stack.iter().chain(self.aside.iter());
        entries.filter(|entry| entry.is_root()).for_each(|entry| entry.visit(visit));
        self.fresh.iter().for_each(|&root| visit(root, Held::Folded));
        Segment::visit(self.before.as_ref(), visit);
        Segment::visit(self.given.last().map(|given| &given.segment), visit);
    }

    /// The memory of its stacks, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.stack.bytes() + self.aside.bytes()
    }

    /// What waits is in the store no longer; how many there are.
    pub(crate) fn unclaim(&mut self) -> u64 {
        let mut count = 0;
        for at in 0..self.stack.len() {
            let entry = self.stack.get(at);
            if entry.is_claimed() {
                self.stack.set(at, Entry::waiting(entry.root(), false));
                count += 1;
            }
        }
        count
    }
}

/// Work for somebody: states to explore, and the path to them.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) before: Option<Arc<Segment>>,
    pub(crate) entries: Vec<Entry>,
    /// Where a worker of an earlier process was interrupted: what else it held. Only then there are
    /// states of the path among the entries.
    pub(crate) resumed: Option<Box<Resumed>>,
}

/// Part of what a worker held; see [`Holding`].
#[derive(Debug)]
pub(crate) struct Resumed {
    pub(crate) given: Vec<Given>,
    pub(crate) aside: Vec<Entry>,
    pub(crate) unsettled: Option<usize>,
}

impl Job {
    pub(crate) fn new(before: Option<Arc<Segment>>, entries: Vec<Entry>) -> Self {
        Self { before, entries, resumed: None }
    }

    pub(crate) fn visit(&self, visit: &mut dyn FnMut(Root, Held)) {
        let aside = self.resumed.iter().flat_map(|resumed| &resumed.aside);
        let entries = self.entries.iter().chain(aside).filter(|entry| entry.is_root());
        entries.for_each(|entry| entry.visit(visit));
        Segment::visit(self.before.as_ref(), visit);
        let given = self.resumed.iter().flat_map(|resumed| resumed.given.last());
        given.for_each(|given| Segment::visit(Some(&given.segment), visit));
    }
}

/// What a worker tells of itself for a snapshot, beside what it holds.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// What its system has learnt.
    pub(crate) memo: Vec<u64>,
    /// Its hidden words.
    pub(crate) hidden: Vec<u64>,
}
