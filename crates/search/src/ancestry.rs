//! The path that is handed over with work: how a state that another worker found was reached.
//!
//! A worker that gives work away keeps the beginning of its path in common with the receiver: a
//! chain of segments, each shared by all whose paths go through it. The states of a segment stay
//! pinned until the last of them is done; without that, replacement and stealing together could run
//! round a cycle for ever.

use pverify_store::{Held, Root};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// A piece of path that several workers share.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The states, in order.
    pub(crate) roots: Vec<Root>,
    /// What comes before them.
    pub(crate) before: Option<Arc<Segment>>,
    /// How many states there are up to the end of this segment.
    pub(crate) depth: u64,
    /// Where its memory is counted.
    shared: Arc<AtomicUsize>,
}

impl Segment {
    /// A piece of path, whose memory is added to `shared` as long as it lives.
    pub(crate) fn new(
        roots: Vec<Root>,
        before: Option<Arc<Self>>,
        depth: u64,
        shared: &Arc<AtomicUsize>,
    ) -> Arc<Self> {
        let segment = Self { roots, before, depth, shared: Arc::clone(shared) };
        shared.fetch_add(segment.bytes(), Relaxed);
        Arc::new(segment)
    }

    fn bytes(&self) -> usize {
        self.roots.capacity() * 8 + size_of::<Self>() + 16
    }

    /// The states of a whole path, first to last.
    pub(crate) fn path(end: Option<&Arc<Self>>) -> Vec<Root> {
        let mut segments = Vec::new();
        let mut at = end;
        while let Some(segment) = at {
            segments.push(segment);
            at = segment.before.as_ref();
        }
        segments.into_iter().rev().flat_map(|segment| segment.roots.iter().copied()).collect()
    }

    /// The last states of a path, first to last, about so many at most.
    pub(crate) fn recent(end: Option<&Arc<Self>>, most: usize) -> Vec<Root> {
        let mut found: Vec<Root> = Vec::new();
        let mut at = end;
        while let Some(segment) = at.filter(|_| found.len() < most) {
            found.extend(segment.roots.iter().rev().take(most - found.len()));
            at = segment.before.as_ref();
        }
        found.reverse();
        found
    }

    /// Visits the states of a whole path.
    pub(crate) fn visit(end: Option<&Arc<Self>>, visit: &mut dyn FnMut(Root, Held)) {
        let mut at = end;
        while let Some(segment) = at {
            segment.roots.iter().for_each(|&root| visit(root, Held::OnPath));
            at = segment.before.as_ref();
        }
    }

    /// A worker is done with a path: states that nobody shares any more are left, each with the
    /// number of states that a path to it has.
    pub(crate) fn release(end: Option<Arc<Self>>, mut left: impl FnMut(Root, u64)) {
        let mut at = end;
        while let Some(mut segment) = at.and_then(Arc::into_inner) {
            let last = segment.depth;
            for (behind, &root) in segment.roots.iter().rev().enumerate() {
                left(root, last - behind as u64);
            }
            at = segment.before.take();
        }
    }
}

/// One behind the other: a chain may be long, and the stack of a thread is not.
impl Drop for Segment {
    fn drop(&mut self) {
        self.shared.fetch_sub(self.bytes(), Relaxed);
        let mut at = self.before.take();
        while let Some(mut segment) = at.and_then(Arc::into_inner) {
            at = segment.before.take();
        }
    }
}
