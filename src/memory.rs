//! Large buffers for random access.

use std::fmt;
use std::ops::Range;

#[cfg(not(loom))]
use crate::os;

pub(crate) const CACHE_LINE: usize = 64;

#[cfg(not(loom))]
const LARGE_PAGE: usize = 2 << 20;

/// Items that start out as zeroes, on large pages where the system has them.
///
/// With ordinary pages nearly every lookup in a large table misses the TLB, and on a virtual machine that costs more than
/// the cache miss. The system provides the memory at the first write. An aligned allocation would be zeroed by hand, so
/// this one allocates more than it needs and aligns itself.
pub(crate) struct ZeroedBuffer<T> {
    items: Vec<T>,
    used: Range<usize>,
}

impl<T> fmt::Debug for ZeroedBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} items", self.len())
    }
}

#[derive(Debug)]
pub(crate) struct OutOfMemory;

#[cfg(not(loom))]
impl<T: bytemuck::Zeroable> ZeroedBuffer<T> {
    /// Aligned to cache lines at least.
    pub(crate) fn new(count: usize) -> Result<Self, OutOfMemory> {
        let alignment = if count * size_of::<T>() >= LARGE_PAGE { LARGE_PAGE } else { CACHE_LINE };
        let spare = alignment / size_of::<T>();
        let items: Vec<T> = bytemuck::allocation::try_zeroed_vec(count + spare).map_err(|()| OutOfMemory)?;
        let before = items.as_ptr().align_offset(alignment).min(spare);
        let used = before..before + count;
        os::advise_large_pages(&items[used.clone()]);
        Ok(Self { items, used })
    }
}

#[cfg(loom)]
impl<T: Default> ZeroedBuffer<T> {
    /// Loom's atomics are more than their bits.
    pub(crate) fn new(count: usize) -> Result<Self, OutOfMemory> {
        Ok(Self { items: (0..count).map(|_| T::default()).collect(), used: 0..count })
    }
}

impl<T> ZeroedBuffer<T> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.used.len()
    }

    #[inline]
    pub(crate) fn items(&self) -> &[T] {
        &self.items[self.used.clone()]
    }

    pub(crate) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items[self.used.clone()]
    }

    /// Items `N * index..N * (index + 1)`. The search does this at every node, so only the bounds of the allocation are
    /// checked.
    #[inline]
    pub(crate) fn chunk<const N: usize>(&self, index: usize) -> &[T; N] {
        debug_assert!((index + 1) * N <= self.len());
        self.items[self.used.start + index * N..].first_chunk().expect("a group of items")
    }
}

/// Brings the cache line at the start of a value into the cache, where the processor can be told so.
#[inline]
#[allow(unsafe_code, reason = "a prefetch takes a raw pointer")]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no visible effect, and the pointer comes from a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_aligned_and_zero() {
        for (count, alignment) in [(1, CACHE_LINE), (1000, CACHE_LINE), (LARGE_PAGE / 16, LARGE_PAGE)] {
            let buffer: ZeroedBuffer<[u64; 2]> = ZeroedBuffer::new(count).expect("memory");
            assert_eq!(buffer.len(), count);
            assert_eq!(buffer.chunk::<1>(0).as_ptr().addr() % alignment, 0);
            assert!((0..count).all(|index| buffer.chunk(index) == &[[0; 2]]));
        }
    }

    #[test]
    fn too_much_is_refused() {
        assert!(ZeroedBuffer::<[u64; 2]>::new(1 << 50).is_err());
    }
}
