//! Facts: what is known of some cells at one place of the control, more than is always true.

use super::cells::Cell;
use super::interval::Interval;
use super::widen::Thresholds;
use crate::types::Type;

/// A state is exactly described so often before it is widened to thresholds.
const EXACT: u8 = 4;

/// A fact that goes on changing after so many rounds is given up.
const PATIENCE: u8 = 40;

/// Intervals of cells, in the order of the cells. Of a cell that is not mentioned only the summary
/// is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts(Vec<(Cell, Interval)>);

impl Facts {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn get(&self, cell: Cell) -> Option<Interval> {
        let at = self.0.binary_search_by_key(&cell, |&(cell, _)| cell).ok()?;
        Some(self.0[at].1)
    }

    pub(super) fn set(&mut self, cell: Cell, interval: Interval) {
        match self.0.binary_search_by_key(&cell, |&(cell, _)| cell) {
            Ok(at) => self.0[at].1 = interval,
            Err(at) => self.0.insert(at, (cell, interval)),
        }
    }

    pub(super) fn forget(&mut self, which: impl Fn(Cell) -> bool) {
        self.0.retain(|&(cell, _)| !which(cell));
    }

    /// What holds on both of two ways.
    pub(super) fn join(mut self, other: Self) -> Self {
        self.0.retain_mut(|(cell, interval)| match other.get(*cell) {
            Some(there) => {
                *interval = interval.join(there);
                true
            }
            None => false,
        });
        self
    }

    /// Adds another way to get here, the `round`th; whether less is known now.
    pub(super) fn absorb(
        &mut self,
        other: &Self,
        round: u8,
        thresholds: &Thresholds,
        kinds: &[Type],
    ) -> bool {
        let mut changed = false;
        self.0.retain_mut(|(cell, interval)| match other.get(*cell) {
            Some(there) if there.is_within(*interval) => true,
            Some(there) if round < PATIENCE => {
                changed = true;
                let joined = interval.join(there);
                *interval = if round < EXACT {
                    joined
                } else {
                    thresholds.widen(*interval, joined, kinds[*cell as usize])
                };
                true
            }
            _ => {
                changed = true;
                false
            }
        });
        changed
    }
}
