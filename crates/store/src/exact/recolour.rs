//! Colours of many roots at once, for checks whose knowledge of states becomes stale.

use super::Store;
use crate::roots::Colour;

impl Store {
    /// Gives every root of one colour another.
    pub fn recolour(&mut self, from: Colour, to: Colour) {
        self.roots.recolour(from, to);
    }
}
