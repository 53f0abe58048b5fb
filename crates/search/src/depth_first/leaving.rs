//! What becomes of a state when everything behind it has been explored.

use super::{LEFT, Worker};
use crate::ancestry::Segment;
use crate::holding::Given;
use crate::hooks::{Hooks, Passing, Stay};
use crate::system::System;
use pverify_store::{Root, Standing, Store};

impl<S: System, H: Hooks> Worker<'_, S, H> {
    /// A state of the path is done.
    #[inline]
    pub(super) fn leave(&mut self, store: &Store, root: Root) {
        self.base.hidden.pop(&mut self.lane.holding.stack);
        if self.lane.holding.stack.len() < self.lane.bottom.0 {
            self.lane.bottom = (self.lane.holding.stack.len(), self.lane.depth - 1);
        }
        if H::PASSING == Passing::Left {
            self.lane.own.leave(root);
        }
        if H::FOLLOWS {
            self.base.hooks.unfollow();
        }
        match self.lane.holding.given.last() {
            Some(Given { reaches, segment, .. }) if self.lane.depth <= *reaches => {
                // All of the segment stays pinned until its first state is left.
                if self.lane.depth + segment.roots.len() as u64 == reaches + 1 {
                    let segment = self.lane.holding.given.pop().map(|given| given.segment);
                    Segment::release(segment, |root, depth| self.left(store, root, depth));
                }
            }
            _ => self.left(store, root, self.lane.depth_before + self.lane.depth),
        }
        self.lane.depth -= 1;
    }

    /// A state is done, and so is everything of it that was given to others.
    #[inline]
    pub(super) fn left(&mut self, store: &Store, root: Root, depth: u64) {
        let stay = self.base.hooks.leave(depth);
        if H::PASSING == Passing::Left || stay == Stay::Permanent {
            // It may have been left by somebody else, and given way.
            store.change(root, |standing, colour| {
                let permanent = stay == Stay::Permanent || standing == Standing::Permanent;
                let standing = if permanent { Standing::Permanent } else { Standing::Replaceable };
                (standing, if H::PASSING == Passing::Left { LEFT } else { colour })
            });
        } else if store.is_replacing() {
            debug_assert!(
                matches!(store.get(root), Some((Standing::Pinned | Standing::Permanent, _))),
                "a state of a path was not pinned"
            );
            unpin(store, root);
        }
    }
}

/// A state may be replaced, unless it is permanent.
///
/// Until now it was pinned: a state of a path that may be replaced too soon could come again below
/// itself, round and round.
pub(super) fn unpin(store: &Store, root: Root) {
    store.change(root, |standing, colour| match standing {
        Standing::Pinned => (Standing::Replaceable, colour),
        other => (other, colour),
    });
}
