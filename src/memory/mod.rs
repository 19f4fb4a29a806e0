//! Memory for tables that are looked into at random places.

mod hints;

use std::ops::Range;

pub(crate) use hints::prefetch;

#[cfg(not(loom))]
use crate::os;

/// What a processor fetches from memory at a time.
pub(crate) const CACHE_LINE: usize = 64;

/// What a large page of the common systems holds.
#[cfg(not(loom))]
const LARGE_PAGE: usize = 2 << 20;

/// Items that start out as zeroes, on large pages where the system has them.
///
/// With ordinary pages nearly every look into a big table also misses the processor's list of pages, and on a virtual
/// machine that costs more than the look itself. The memory comes from the system as it is touched: an allocation that
/// asks for its alignment itself would be zeroed by hand, so this one asks for more than it needs.
pub(crate) struct Slab<T> {
    items: Vec<T>,
    used: Range<usize>,
}

/// There is not enough memory.
#[derive(Debug)]
pub(crate) struct NoMemory;

#[cfg(not(loom))]
impl<T: bytemuck::Zeroable> Slab<T> {
    /// So many items, aligned to cache lines at least.
    pub(crate) fn zeroed(count: usize) -> Result<Self, NoMemory> {
        let alignment = if count * size_of::<T>() >= LARGE_PAGE { LARGE_PAGE } else { CACHE_LINE };
        let spare = alignment / size_of::<T>();
        let items: Vec<T> = bytemuck::allocation::try_zeroed_vec(count + spare).map_err(|()| NoMemory)?;
        let before = items.as_ptr().align_offset(alignment).min(spare);
        let used = before..before + count;
        os::advise_large_pages(&items[used.clone()]);
        Ok(Self { items, used })
    }
}

#[cfg(loom)]
impl<T: Default> Slab<T> {
    /// The same for the model checker, whose atomics are more than their bits.
    pub(crate) fn zeroed(count: usize) -> Result<Self, NoMemory> {
        Ok(Self { items: (0..count).map(|_| T::default()).collect(), used: 0..count })
    }
}

impl<T> Slab<T> {
    /// How many items there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.used.len()
    }

    /// One of the groups of `N` that the items fall into. This is done for every position, so nothing more is checked
    /// than that there is such memory.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub(crate) fn chunk<const N: usize>(&self, index: usize) -> &[T; N] {
        debug_assert!((index + 1) * N <= self.len());
        self.items[self.used.start + index * N..].first_chunk().expect("a group of items")
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn slabs_are_aligned_and_empty() {
        for (count, alignment) in [(1, CACHE_LINE), (1000, CACHE_LINE), (LARGE_PAGE / 16, LARGE_PAGE)] {
            let slab: Slab<[u64; 2]> = Slab::zeroed(count).expect("memory");
            assert_eq!(slab.len(), count);
            assert_eq!(slab.chunk::<1>(0).as_ptr().addr() % alignment, 0);
            assert!((0..count).all(|index| slab.chunk(index) == &[[0; 2]]));
        }
    }

    #[test]
    fn too_much_is_refused() {
        assert!(Slab::<[u64; 2]>::zeroed(1 << 50).is_err());
    }
}
