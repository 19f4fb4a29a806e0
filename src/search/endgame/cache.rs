//! A small cache for positions near the end, one for each search thread.
//!
//! The shared table would drown in them, and a look into it costs as much as solving some.

use crate::board::Board;
use crate::memory::{Slab, prefetch};

/// What is known of one position: bounds on its result, in discs. Two slots to a cache line, so that none lies across.
///
/// No game has a board without discs, so zeroes stand for a free slot.
#[derive(Clone, Copy, bytemuck::Zeroable)]
#[cfg_attr(loom, derive(Default))]
#[repr(C, align(32))]
struct Slot {
    board: Board,
    lower: i8,
    upper: i8,
}

impl Slot {
    const fn new(board: Board) -> Self {
        Self { board, lower: -64, upper: 64 }
    }
}

/// Bounds by position; a newer position takes the place of an older one. They hold for one rule set and size of board.
///
/// The many positions with the fewest empty squares have slots of their own, else they would push out the rest.
pub(in super::super) struct Cache {
    /// First those of the few, then the others'.
    slots: Slab<Slot>,
}

/// With so many empty squares at most a position is kept among the few.
const FEW: u32 = 6;

/// Slots for them and for the others: two large pages in all. A model makes a cache a thousand times.
const FEW_SLOTS: usize = if cfg!(loom) { 2 } else { 1 << 15 };
const MORE_SLOTS: usize = if cfg!(loom) { 2 } else { 3 << 15 };

impl Cache {
    /// A cache that knows nothing.
    pub(in super::super) fn new() -> Self {
        Self { slots: Slab::zeroed(FEW_SLOTS + MORE_SLOTS).expect("memory for a small cache") }
    }

    /// Forgets everything.
    pub(in super::super) fn wipe(&mut self) {
        self.slots.wipe();
    }

    #[inline]
    fn place(hash: u64, empties: u32) -> usize {
        let hash = hash as usize;
        if empties <= FEW { hash % FEW_SLOTS } else { FEW_SLOTS + hash % MORE_SLOTS }
    }

    /// Brings what is known of a position near.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64, empties: u32) {
        prefetch(&self.slots[Self::place(hash, empties)]);
    }

    /// A bound that shows whether a position's result is above `alpha`, if one is known.
    #[inline]
    pub(super) fn decides(&self, board: Board, hash: u64, empties: u32, alpha: i32) -> Option<i32> {
        let slot = &self.slots[Self::place(hash, empties)];
        if slot.board != board {
            return None;
        }
        let (lower, upper) = (i32::from(slot.lower), i32::from(slot.upper));
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }

    /// Keeps what a search for a result above `alpha` has found.
    #[inline]
    pub(super) fn keep(&mut self, board: Board, hash: u64, empties: u32, alpha: i32, found: i32) {
        let slot = &mut self.slots[Self::place(hash, empties)];
        if slot.board != board {
            *slot = Slot::new(board);
        }
        if found > alpha {
            slot.lower = slot.lower.max(found as i8);
        } else {
            slot.upper = slot.upper.min(found as i8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_meet_until_another_position_comes() {
        let mut cache = Cache::new();
        let other = Board::START.passed();
        for empties in [5, 9] {
            assert_eq!(cache.decides(Board::START, 7, empties, 0), None);
            cache.keep(Board::START, 7, empties, -5, -2);
            cache.keep(Board::START, 7, empties, 9, 8);
            assert_eq!(cache.decides(Board::START, 7, empties, -3), Some(-2));
            assert_eq!(cache.decides(Board::START, 7, empties, 8), Some(8));
            assert_eq!(cache.decides(Board::START, 7, empties, 0), None);
            assert_eq!(cache.decides(other, 7, empties, -3), None);
            cache.keep(other, 7, empties, 0, 4);
            assert_eq!(cache.decides(Board::START, 7, empties, -3), None);
        }
    }
}
