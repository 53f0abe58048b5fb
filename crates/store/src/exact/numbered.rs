//! A store that keeps a number beside each state, for searches of one thread.
//!
//! States with a number other than 0 are in use: while states give way to others these must not,
//! which is the business of who numbers them ([`super::Held::OnPath`]). Where a budget of states is
//! given for an experiment, it is one of the others.

use super::{Budget, FIRST_LINES, Hand, Store, most_lines};
use crate::roots::{Colour, Insert, Numbered, Roots, Standing};
use crate::tree::Root;

impl Store {
    /// An empty store with numbers.
    pub fn numbering(budget: Budget) -> Self {
        let most = most_lines(budget);
        Self::around(Roots::with_numbers(FIRST_LINES.min(most), most), budget)
    }

    /// A root will be inserted with a number soon: what that will look at is fetched.
    #[inline]
    pub fn expect_numbered(&self, root: Root) {
        self.roots.expect_numbered(root);
    }

    /// Adds a root with a number unless it is there. While states give way to others it is pinned.
    /// Nobody else may insert at the same time.
    #[inline]
    pub fn insert_numbered(&self, hand: &mut Hand, root: Root, number: u32) -> Numbered {
        if self.replacing {
            return self.replace_numbered(hand, root, number);
        }
        let inserted = self.roots.insert_numbered(root, number);
        if inserted == Numbered::New {
            hand.untold += 1;
            if hand.untold >= self.patience {
                self.tell(hand);
            }
        }
        inserted
    }

    #[cold]
    fn replace_numbered(&self, hand: &mut Hand, root: Root, number: u32) -> Numbered {
        match self.replace(hand, root, Standing::Pinned, Colour::default()) {
            Insert::New | Insert::Replaced => {
                self.roots.renumber(root, number);
                Numbered::New
            }
            Insert::Known(..) => Numbered::Known(self.roots.number(root).unwrap_or(0)),
            Insert::NoRoom => Numbered::NoRoom,
        }
    }

    /// The number of a root that is there.
    #[inline]
    pub fn number(&self, root: Root) -> Option<u32> {
        self.roots.number(root)
    }

    /// A root is not in use any more: it has the number 0, and may give way to others.
    #[inline]
    pub fn release(&self, root: Root) {
        self.roots.renumber(root, 0);
        if self.replacing {
            self.roots.change(root, |_, colour| (Standing::Replaceable, colour));
        }
    }
}
