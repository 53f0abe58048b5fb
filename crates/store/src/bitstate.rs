//! Visited states as a few bits each: a Bloom filter in fixed memory (Holzmann 1987).
//!
//! A state sets k bits of the filter, at places that follow from its hash. If all were set before,
//! it is taken for one that was visited: usually rightly, and otherwise it is omitted, with all that
//! can be reached only through it. The places are drawn by enhanced double hashing (Dillinger &
//! Manolios 2004): as good as k hashes, for the price of two.
//!
//! Two threads that insert one state at one moment may both be told that it is new, and it is
//! explored twice. The other way round, that both are told that it is not, cannot happen.

use crate::hash::hash;
use crate::region::Region;
use crate::sync::AtomicU64;
use crate::sync::Ordering::Relaxed;

/// The filter.
#[derive(Debug)]
pub(crate) struct Bits {
    words: Region<AtomicU64>,
    hashes: u32,
}

/// How large a filter was, and how many states it has probably omitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Omission {
    /// Bits of the filter.
    pub bits: u64,
    /// Bits that a state sets.
    pub hashes: u32,
    /// States that were probably taken for others. What can be reached only through these was not
    /// seen either, and nobody knows how much that is.
    pub expected: f64,
}

impl Omission {
    /// The estimate for a filter in which so many states were found to be new.
    ///
    /// If a part f of the bits is set, a state that is new is omitted with a probability of f^k, so
    /// that f^k / (1 − f^k) are omitted on average before one is found; and that one sets
    /// k·(1 − f) / (1 − f^k) more bits, as at least one of its bits is not set. The estimate follows
    /// both from an empty filter on.
    pub fn estimate(bits: u64, hashes: u32, states: u64) -> Self {
        const STEPS: u64 = 4096;
        let (bits_set, size) = (f64::from(hashes), bits as f64);
        let steps = states.clamp(1, STEPS);
        let width = states as f64 / steps as f64;
        // A filter of ones only finds nothing new any more, so that f is never 1.
        let found = |filled: f64| (1.0 - filled.powi(hashes as i32)).max(1e-9);
        let growth = |filled: f64| bits_set * (1.0 - filled) / found(filled) / size;
        let (mut filled, mut expected) = (0.0f64, 0.0);
        for _ in 0..steps {
            let middle = (filled + growth(filled) * width / 2.0).min(1.0);
            expected += (1.0 / found(middle) - 1.0) * width;
            filled = (filled + growth(middle) * width).min(1.0);
        }
        Self { bits, hashes, expected }
    }

    /// How likely it is that no state was omitted.
    pub fn confidence(&self) -> f64 {
        (-self.expected).exp()
    }
}

impl Bits {
    /// A filter of so many bytes, or as many as the system gives.
    pub(crate) fn new(bytes: usize, hashes: u32) -> Self {
        Self { words: Region::new((bytes / 8).max(1)), hashes: hashes.max(1) }
    }

    pub(crate) fn len(&self) -> u64 {
        self.words.len() as u64 * 64
    }

    pub(crate) fn hashes(&self) -> u32 {
        self.hashes
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// Sets the bits of a state; whether it is new.
    #[inline]
    pub(crate) fn insert(&self, state: u64) -> bool {
        let words = self.words.slots();
        let mut new = false;
        self.places(state, |place| {
            let bit = 1 << (place % 64);
            let word = &words[(place / 64) as usize];
            new |= word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0;
        });
        new
    }

    /// A state will be inserted soon: its words are fetched.
    #[inline]
    pub(crate) fn expect(&self, state: u64) {
        self.places(state, |place| self.words.prefetch((place / 64) as usize));
    }

    /// The words of the filter.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        self.words.slots()
    }

    #[inline]
    fn places(&self, state: u64, mut visit: impl FnMut(u64)) {
        let bits = self.len();
        let (mut place, mut step) = (state, hash(state ^ 0x9e37_79b9_7f4a_7c15));
        for round in 1..=self.hashes {
            visit(((u128::from(place) * u128::from(bits)) >> 64) as u64);
            place = place.wrapping_add(step);
            step = step.wrapping_add(u64::from(round));
        }
    }
}

/// The hash of a state by its words.
#[inline]
pub(crate) fn hash_of(words: &[u64]) -> u64 {
    words.iter().fold(words.len() as u64, |mixed, &word| {
        hash(mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ word)
    })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// Inserts random states; how many were omitted, and how many were expected to be.
    fn measure(bytes: usize, hashes: u32, states: u64, seed: u64) -> (u64, f64) {
        let filter = Bits::new(bytes, hashes);
        let mut random = StdRng::seed_from_u64(seed);
        let found = (0..states)
            .filter(|&number| filter.insert(hash_of(&[random.random(), number])))
            .count() as u64;
        (states - found, Omission::estimate(filter.len(), hashes, found).expected)
    }

    #[test]
    fn the_estimate_is_near_to_what_is_omitted() {
        let states = if cfg!(miri) { 500 } else { 100_000 };
        for hashes in [1, 2, 3, 5] {
            for bits_a_state in [2, 4, 8, 16] {
                let bytes = (states * bits_a_state / 8) as usize;
                let seed = u64::from(hashes) * 100 + bits_a_state;
                let (omitted, expected) = measure(bytes, hashes, states, seed);
                let spread = 6.0 * expected.sqrt() + 3.0 + expected * 0.03;
                let difference = (omitted as f64 - expected).abs();
                let what = format!("{hashes} hashes, {bits_a_state} bits a state, seed {seed}");
                assert!(difference < spread, "{what}: {omitted} omitted, {expected} expected");
            }
        }
    }

    #[test]
    fn neighbours_are_omitted_no_more_often_than_others() {
        let states = if cfg!(miri) { 500 } else { 100_000u64 };
        let filter = Bits::new(states as usize, 3);
        let found = (0..states).filter(|&at| filter.insert(hash_of(&[at << 3, 7, at / 9]))).count();
        let expected = Omission::estimate(filter.len(), 3, found as u64).expected;
        let omitted = (states - found as u64) as f64;
        assert!((omitted - expected).abs() < 6.0 * expected.sqrt() + 3.0, "{omitted}, {expected}");
    }

    #[test]
    fn a_large_filter_is_trusted_and_a_small_one_is_not() {
        assert!(Omission::estimate(1 << 40, 3, 1_000_000).confidence() > 0.999);
        assert!(Omission::estimate(1 << 12, 3, 1_000).confidence() < 0.001);
        assert!(Omission::estimate(1 << 12, 3, 0).expected < 1e-9);
    }
}
