//! Large runs of atomic numbers: address space at once, memory as it is used.
//!
//! A region is as long as it may ever become. Nothing of it is resident before it is touched, so
//! that a table can grow in place and all its memory be counted. Where the system has huge pages
//! they are asked for: a search reads at random, and small pages would cost a second miss each time.

use crate::sync::{AtomicU32, AtomicU64};
#[cfg(all(not(loom), not(miri)))]
use memmap2::{Advice, UncheckedAdvice};
#[cfg(not(loom))]
use memmap2::{MmapOptions, MmapRaw};

/// Regions below this many bytes come from the heap.
#[cfg(not(loom))]
const LARGE: usize = if cfg!(miri) { 1 << 14 } else { 1 << 21 };

/// A number that several threads change.
pub trait Slot: Sized {
    /// Zero.
    fn zero() -> Self;
    /// Makes it zero again.
    fn clear(&mut self);
}

impl Slot for AtomicU64 {
    fn zero() -> Self {
        Self::new(0)
    }
    fn clear(&mut self) {
        *self = Self::new(0);
    }
}

impl Slot for AtomicU32 {
    fn zero() -> Self {
        Self::new(0)
    }
    fn clear(&mut self) {
        *self = Self::new(0);
    }
}

/// A run of numbers that are zero at first.
#[derive(Debug)]
pub struct Region<T> {
    memory: Memory<T>,
    length: usize,
}

#[derive(Debug)]
enum Memory<T> {
    Heap(Box<[T]>),
    #[cfg(not(loom))]
    Mapped(MmapRaw),
}

impl<T: Slot> Region<T> {
    /// Room for so many numbers; for fewer where the system does not give that much address space.
    pub fn new(length: usize) -> Self {
        #[cfg(not(loom))]
        {
            let mut length = length;
            while length * size_of::<T>() >= LARGE {
                let bytes = length * size_of::<T>();
                let mut options = MmapOptions::new();
                options.len(bytes);
                #[cfg(not(miri))] // Miri knows neither this nor advice.
                options.no_reserve_swap();
                if let Ok(map) = options.map_anon() {
                    // Only a hint: a system without huge pages does without.
                    #[cfg(not(miri))]
                    let _ = map.advise(Advice::HugePage);
                    return Self { memory: Memory::Mapped(map.into()), length };
                }
                length /= 2;
            }
        }
        let heap = (0..length).map(|_| T::zero()).collect();
        Self { memory: Memory::Heap(heap), length }
    }

    /// How many numbers it has room for.
    #[allow(clippy::len_without_is_empty, reason = "nobody makes an empty one")]
    pub fn len(&self) -> usize {
        self.length
    }

    /// All of them.
    #[inline]
    pub fn slots(&self) -> &[T] {
        match &self.memory {
            Memory::Heap(slots) => slots,
            #[cfg(not(loom))]
            Memory::Mapped(map) => {
                #[allow(
                    unsafe_code,
                    reason = "the memory of a mapping is reached through a pointer"
                )]
                // SAFETY: the mapping is `length` times the size of T long, aligned to a page, lives
                // as long as `self`, and was zero at first, which is a T. It is private to this
                // region and only ever reached as Ts, whose changes through `&` are atomic.
                unsafe {
                    std::slice::from_raw_parts(map.as_ptr().cast::<T>(), self.length)
                }
            }
        }
    }

    /// Makes everything from a number on zero, and gives the memory back.
    pub(crate) fn clear_from(&mut self, from: usize) {
        match &mut self.memory {
            Memory::Heap(slots) => slots[from..].iter_mut().for_each(Slot::clear),
            #[cfg(not(loom))]
            Memory::Mapped(map) => {
                const PAGE: usize = 1 << 12;
                let start = (from * size_of::<T>()).next_multiple_of(PAGE);
                let bytes = self.length * size_of::<T>();
                if start < bytes {
                    #[cfg(not(miri))]
                    #[allow(unsafe_code, reason = "pages that become zero must not be borrowed")]
                    // SAFETY: `&mut self`: nobody else looks at the region, and zero is a T.
                    let given = unsafe {
                        map.unchecked_advise_range(UncheckedAdvice::DontNeed, start, bytes - start)
                    };
                    #[cfg(miri)]
                    let given = Err::<(), ()>(());
                    if given.is_err() {
                        #[allow(unsafe_code, reason = "as above")]
                        // SAFETY: inside the mapping, and nobody else looks at it.
                        unsafe {
                            std::ptr::write_bytes(map.as_mut_ptr().add(start), 0, bytes - start);
                        }
                    }
                }
                let until = (start / size_of::<T>()).min(self.length);
                #[allow(unsafe_code, reason = "as above")]
                // SAFETY: as in `slots`; `&mut self` makes it ours alone.
                let rest = unsafe {
                    std::slice::from_raw_parts_mut(
                        map.as_mut_ptr().cast::<T>().add(from),
                        until - from,
                    )
                };
                rest.iter_mut().for_each(Slot::clear);
            }
        }
    }

    /// Asks for a number to be brought near, without waiting for it.
    #[inline]
    pub fn prefetch(&self, at: usize) {
        #[cfg(all(target_arch = "x86_64", not(loom), not(miri)))]
        if let Some(slot) = self.slots().get(at) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            #[allow(unsafe_code, reason = "the instruction has no safe form")]
            // SAFETY: prefetching reads nothing and faults on no address; this one is even valid.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(slot).cast());
            }
        }
        #[cfg(not(all(target_arch = "x86_64", not(loom), not(miri))))]
        let _ = at;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::Ordering::Relaxed;

    #[test]
    fn a_region_is_zero_at_first_and_again() {
        for length in [10, 1 << 10, LARGE / 8 * 3 / 2] {
            let mut region: Region<AtomicU64> = Region::new(length);
            assert_eq!(region.len(), length);
            for slot in region.slots() {
                assert_eq!(slot.swap(7, Relaxed), 0);
            }
            let kept = length / 3;
            region.clear_from(kept);
            let value = |at: usize| region.slots()[at].load(Relaxed);
            assert!((0..length).all(|at| value(at) == if at < kept { 7 } else { 0 }));
        }
    }
}
