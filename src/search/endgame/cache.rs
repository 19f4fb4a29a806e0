//! A small cache for positions near the end, one for each search thread.
//!
//! The shared table would drown in them, and a look into it costs as much as solving some.

use crate::board::Board;

/// What is known of one position: bounds on its result, in discs.
#[derive(Clone, Copy)]
struct Slot {
    board: Board,
    lower: i8,
    upper: i8,
}

impl Slot {
    /// No game has a board without discs, so this one stands for a free slot.
    const FREE: Self = Self::new(Board::EMPTY);

    const fn new(board: Board) -> Self {
        Self { board, lower: -64, upper: 64 }
    }
}

/// Bounds by position; a newer position takes the place of an older one. They hold for one rule set and size of board.
///
/// The many positions with the fewest empty squares have slots of their own, else they would push out the rest.
pub(in super::super) struct Cache {
    few: Box<[Slot]>,
    more: Box<[Slot]>,
}

/// With so many empty squares at most a position is kept among the few.
const FEW: u32 = 6;

/// Slots for them, three quarters of a mebibyte, and for the others, three mebibytes. A model makes a cache a thousand times.
const FEW_SLOTS: usize = if cfg!(loom) { 2 } else { 1 << 15 };
const MORE_SLOTS: usize = if cfg!(loom) { 2 } else { 1 << 17 };

impl Cache {
    /// A cache that knows nothing.
    pub(in super::super) fn new() -> Self {
        Self { few: vec![Slot::FREE; FEW_SLOTS].into(), more: vec![Slot::FREE; MORE_SLOTS].into() }
    }

    #[inline]
    fn slot(&mut self, hash: u64, empties: u32) -> &mut Slot {
        if empties <= FEW {
            &mut self.few[hash as usize % FEW_SLOTS]
        } else {
            &mut self.more[hash as usize % MORE_SLOTS]
        }
    }

    /// A bound that shows whether a position's result is above `alpha`, if one is known.
    #[inline]
    pub(super) fn decides(&mut self, board: Board, hash: u64, empties: u32, alpha: i32) -> Option<i32> {
        let slot = self.slot(hash, empties);
        if slot.board != board {
            return None;
        }
        let (lower, upper) = (i32::from(slot.lower), i32::from(slot.upper));
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }

    /// Keeps what a search for a result above `alpha` has found.
    #[inline]
    pub(super) fn keep(&mut self, board: Board, hash: u64, empties: u32, alpha: i32, found: i32) {
        let slot = self.slot(hash, empties);
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
