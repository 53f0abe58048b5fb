//! The numbers of shapes, the same for all engines of one model.
//!
//! A state says which processes live by the number of its shape, so engines that exchange states
//! must number shapes alike. Shapes are met while a model runs: the first engine that meets one
//! registers it, and the others build theirs when they see its number.

use ahash::AHashMap;
use std::sync::{Mutex, PoisonError};

/// All shapes but the empty one, which has the number 0.
#[derive(Debug, Default)]
pub(crate) struct Registry(Mutex<Shapes>);

#[derive(Debug, Default)]
struct Shapes {
    /// The shape without its youngest process, and the type of that.
    made_of: Vec<(u32, u32)>,
    numbers: AHashMap<(u32, u32), u32>,
}

impl Registry {
    /// The number of the shape that has one process more than `parent`; `None` if it would be
    /// greater than `most`.
    pub(crate) fn number(&self, parent: u32, kind: u32, most: u64) -> Option<u32> {
        let mut shapes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = shapes.numbers.get(&(parent, kind)) {
            return Some(number);
        }
        let number = shapes.made_of.len() as u32 + 1;
        if u64::from(number) > most {
            return None;
        }
        shapes.made_of.push((parent, kind));
        shapes.numbers.insert((parent, kind), number);
        Some(number)
    }

    /// What a shape is made of: the one without its youngest process, and the type of that.
    pub(crate) fn made_of(&self, number: u32) -> Option<(u32, u32)> {
        let shapes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shapes.made_of.get((number as usize).checked_sub(1)?).copied()
    }
}
