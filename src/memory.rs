//! Large buffers for random access.

use std::cell::Cell;
use std::fmt;
use std::hint::black_box;
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

thread_local! {
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Whether whoever allocates in this thread at present can do with less. Where not, an allocator may as well end the
/// process.
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "the program's allocator asks"))]
pub(crate) fn allocation_may_fail() -> bool {
    MAY_FAIL.get()
}

/// Allocates what the caller can do without.
pub(crate) fn try_allocate<T, E>(allocate: impl FnOnce() -> Result<T, E>) -> Result<T, OutOfMemory> {
    MAY_FAIL.set(true);
    let allocated = allocate().map_err(|_| OutOfMemory);
    MAY_FAIL.set(false);
    allocated
}

/// Whether so many bytes could be allocated. They cost nothing, since nobody writes to them.
pub(crate) fn is_free(bytes: usize) -> bool {
    #[cfg(not(loom))]
    if !os::is_memory_limited() {
        return true;
    }
    let mut memory: Vec<u8> = Vec::new();
    let reserved = try_allocate(|| memory.try_reserve_exact(bytes));
    // The compiler may leave out an allocation that nobody uses.
    black_box(memory);
    reserved.is_ok()
}

#[cfg(not(loom))]
impl<T: bytemuck::Zeroable> ZeroedBuffer<T> {
    /// Aligned to cache lines at least.
    pub(crate) fn new(count: usize) -> Self {
        Self::align(bytemuck::zeroed_vec(count + Self::spare(count)), count)
    }

    pub(crate) fn try_new(count: usize) -> Result<Self, OutOfMemory> {
        let items = try_allocate(|| bytemuck::allocation::try_zeroed_vec(count + Self::spare(count)))?;
        Ok(Self::align(items, count))
    }

    const fn alignment(count: usize) -> usize {
        if count * size_of::<T>() >= LARGE_PAGE { LARGE_PAGE } else { CACHE_LINE }
    }

    /// Items in front of the first that is aligned.
    const fn spare(count: usize) -> usize {
        Self::alignment(count) / size_of::<T>()
    }

    fn align(items: Vec<T>, count: usize) -> Self {
        let before = items.as_ptr().align_offset(Self::alignment(count)).min(Self::spare(count));
        let used = before..before + count;
        os::advise_large_pages(&items[used.clone()]);
        Self { items, used }
    }
}

#[cfg(loom)]
impl<T: Default> ZeroedBuffer<T> {
    /// Loom's atomics are more than their bits.
    pub(crate) fn new(count: usize) -> Self {
        Self { items: (0..count).map(|_| T::default()).collect(), used: 0..count }
    }

    pub(crate) fn try_new(count: usize) -> Result<Self, OutOfMemory> {
        Ok(Self::new(count))
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
            let buffer: ZeroedBuffer<[u64; 2]> = ZeroedBuffer::new(count);
            assert_eq!(buffer.len(), count);
            // Miri's memory may lie where no item is aligned.
            assert!(cfg!(miri) || buffer.chunk::<1>(0).as_ptr().addr().is_multiple_of(alignment));
            assert!((0..count).all(|index| buffer.chunk(index) == &[[0; 2]]));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where there is no memory")]
    fn too_much_is_refused() {
        assert!(ZeroedBuffer::<[u64; 2]>::try_new(1 << 50).is_err());
        assert!(is_free(1 << 20));
        assert!(!allocation_may_fail());
    }
}
