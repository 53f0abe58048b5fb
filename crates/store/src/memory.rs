//! Large runs of words, in huge pages where the system has them.

use memmap2::{Advice, MmapMut};
use std::ops::{Deref, DerefMut};

/// Below this size huge pages do not pay.
const LARGE: usize = 1 << 22;

/// A run of words that are zero at first.
#[derive(Debug)]
pub(crate) enum Words {
    Small(Vec<u64>),
    Large(MmapMut),
}

impl Words {
    /// Room for so many words; resident memory grows only as they are used.
    pub(crate) fn new(length: usize) -> Self {
        if length * 8 >= LARGE
            && let Ok(map) = MmapMut::map_anon(length * 8)
        {
            // Only a hint: a system without huge pages does without.
            let _ = map.advise(Advice::HugePage);
            return Self::Large(map);
        }
        Self::Small(vec![0; length])
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match self {
            Self::Small(words) => words,
            Self::Large(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            Self::Small(words) => words,
            Self::Large(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

impl Default for Words {
    fn default() -> Self {
        Self::Small(Vec::new())
    }
}

/// Asks for a word to be brought near, without waiting for it.
#[inline]
pub(crate) fn prefetch(words: &[u64], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(word) = words.get(at) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[allow(unsafe_code, reason = "the instruction has no safe form")]
        // SAFETY: prefetching reads nothing and faults on no address; this one is even valid.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (words, at);
}
