//! How a worker takes work over, gives it away, and begins anew when its path is over.

use super::Worker;
use super::lane::Lane;
use crate::ancestry::Segment;
use crate::holding::{Given, Holding, Job, Resumed};
use crate::hooks::{Hooks, Passing};
use crate::stack::Entry;
use crate::system::System;
use pverify_store::Store;
use std::sync::Arc;

/// Of states that were put aside so many are given away at a time.
const PORTION: usize = 256;

/// Of a path that is handed over so many states are told to checks that follow it.
const RECENT: usize = 1024;

impl<S: System, H: Hooks> Worker<'_, S, H> {
    /// Takes work, and the path that leads to it.
    pub(super) fn take_over(&mut self, job: Job, store: &Store) {
        self.lane.depth_before = job.before.as_ref().map_or(0, |segment| segment.depth);
        if H::PASSING == Passing::Left {
            for (at, root) in Segment::path(job.before.as_ref()).into_iter().enumerate() {
                self.lane.own.enter(root, at as u64);
            }
        }
        if H::FOLLOWS {
            self.base.hooks.begin(store, &Segment::recent(job.before.as_ref(), RECENT));
        }
        self.lane.busy = true;
        self.lane.holding.before = job.before;
        self.lane.bottom = (0, 0);
        job.entries.into_iter().for_each(|entry| self.lane.holding.stack.push(entry));
        if let Some(resumed) = job.resumed {
            self.take_up(*resumed);
        }
    }

    /// Goes on where a worker of an earlier process was: its path is on the stack.
    #[cold]
    fn take_up(&mut self, resumed: Resumed) {
        let Lane { holding, own, depth, depth_before, .. } = &mut *self.lane;
        for entry in holding.stack.iter().filter(|entry| entry.is_on_path()) {
            if H::PASSING == Passing::Left {
                own.enter(entry.root(), *depth_before + *depth);
            }
            *depth += 1;
        }
        holding.given = resumed.given;
        holding.unsettled = resumed.unsettled;
        resumed.aside.into_iter().for_each(|entry| holding.aside.push(entry));
    }

    /// Gathers the next states of the last state of the path again, of which so many are on the
    /// stack.
    #[cold]
    pub(super) fn gather_again(&mut self, store: &Store, done: usize) {
        let stack = &self.lane.holding.stack;
        let Some(at) = (0..stack.len()).rev().find(|&at| stack.get(at).is_on_path()) else {
            return;
        };
        let (root, below) = (stack.get(at).root(), at.checked_sub(1).map(|below| stack.get(below)));
        self.base.unfold(store, below, root);
        // What was wrong here has been told.
        self.base.gather(store, &mut self.lane.holding.fresh);
        self.base.batch.inserted = done;
    }

    /// The path is over.
    pub(super) fn end_path(&mut self, store: &Store) {
        let before = self.lane.holding.before.take();
        Segment::release(before, |root, depth| self.left(store, root, depth));
        self.lane.own.clear();
    }

    /// When the path is over: begins a new one at a state that was put aside; whether there is one.
    #[inline]
    pub(super) fn next_root(&mut self, store: &Store) -> bool {
        if !H::SETS_ASIDE {
            return false;
        }
        self.end_path(store);
        let Some(entry) = self.lane.holding.aside.pop() else { return false };
        let hidden = self.base.hidden.pop(&mut self.lane.holding.aside);
        let entries = hidden.into_iter().chain([entry]).collect();
        self.take_over(Job::new(None, entries), store);
        true
    }

    /// Gives away part of what was put aside, or else of what waits nearest to the beginning of the
    /// path: there most work is.
    pub(super) fn share(&mut self) {
        if !self.share_aside()
            && let Some(job) = self.part()
        {
            self.base.pool.offer(job);
        }
    }

    /// Part of what waits nearest to the beginning of the path, with the path to it.
    pub(super) fn part(&mut self) -> Option<Job> {
        let stack = &mut self.lane.holding.stack;
        let (mut at, mut depth) = self.lane.bottom;
        while at < stack.len() && (stack.get(at).is_on_path() || stack.get(at) == Entry::GONE) {
            depth += u64::from(stack.get(at).is_on_path());
            at += 1;
        }
        self.lane.bottom = (at, depth);
        let waiting = (at..stack.len()).take_while(|&at| !stack.get(at).is_on_path()).count();
        // What waits on top of the stack is its worker's own next step.
        if waiting == 0 || at + waiting == stack.len() && waiting == 1 {
            return None;
        }
        let mut entries = Vec::new();
        for at in at..at + waiting.div_ceil(2) {
            entries.push(stack.get(at));
            stack.set(at, Entry::GONE);
        }
        entries.retain(|entry| *entry != Entry::GONE);
        Some(Job::new(self.shared_path(at, depth), entries))
    }

    /// The first states of the path, up to a place of the stack, as a segment that others may hold.
    fn shared_path(&mut self, place: usize, depth: u64) -> Option<Arc<Segment>> {
        let Holding { given, before, stack, .. } = &mut self.lane.holding;
        let (reached, from, last) = match given.last() {
            Some(given) => (given.reaches, given.place, Some(&given.segment)),
            None => (0, 0, before.as_ref()),
        };
        if depth == reached {
            return last.cloned();
        }
        let path = (from..place).map(|at| stack.get(at)).filter(|entry| entry.is_on_path());
        let (roots, before) = (path.map(Entry::root).collect(), last.cloned());
        let depth_there = self.lane.depth_before + depth;
        let segment = Segment::new(roots, before, depth_there, self.base.pool.shared());
        given.push(Given { reaches: depth, place, segment: Arc::clone(&segment) });
        Some(segment)
    }

    /// Gives away part of what was put aside; whether there was something.
    fn share_aside(&mut self) -> bool {
        let aside = &mut self.lane.holding.aside;
        let count = aside.len().div_ceil(2).min(PORTION);
        let entries: Vec<_> = (0..count).map_while(|_| aside.pop()).collect();
        if entries.is_empty() {
            return false;
        }
        self.base.pool.offer(Job::new(None, entries));
        true
    }
}
