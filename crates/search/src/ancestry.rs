//! The path that is handed over with work: how a state that another worker found was reached.
//!
//! A worker that gives work away keeps the beginning of its path in common with the receiver: a
//! chain of segments, each shared by all whose paths go through it. The states of a segment stay
//! pinned until the last of them is done; without that, replacement and stealing together could run
//! round a cycle for ever.

use pverify_store::{Held, Root, Standing, Store};
use std::sync::Arc;

/// A piece of path that several workers share.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The states, in order.
    pub(crate) roots: Vec<Root>,
    /// What comes before them.
    pub(crate) before: Option<Arc<Segment>>,
    /// How many states there are up to the end of this segment.
    pub(crate) depth: u64,
}

impl Segment {
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

    /// Visits the states of a whole path.
    pub(crate) fn visit(end: Option<&Arc<Self>>, visit: &mut dyn FnMut(Root, Held)) {
        let mut at = end;
        while let Some(segment) = at {
            segment.roots.iter().for_each(|&root| visit(root, Held::OnPath));
            at = segment.before.as_ref();
        }
    }

    /// A worker is done with a path: states that nobody shares any more may be replaced.
    pub(crate) fn release(end: Option<Arc<Self>>, store: &Store) {
        let mut at = end;
        while let Some(segment) = at.and_then(Arc::into_inner) {
            if store.is_replacing() {
                segment.roots.iter().for_each(|&root| leave(store, root));
            }
            at = segment.before;
        }
    }
}

/// A state has been explored: it may be replaced, unless a check keeps it.
///
/// Until now it was pinned: a state of a path that may be replaced too soon could come again below
/// itself, round and round.
pub(crate) fn leave(store: &Store, root: Root) {
    let mut before = None;
    store.change(root, |standing, colour| {
        before = Some(standing);
        match standing {
            Standing::Pinned => (Standing::Replaceable, colour),
            other => (other, colour),
        }
    });
    debug_assert!(!matches!(before, None | Some(Standing::Replaceable)), "not pinned: {before:?}");
}
