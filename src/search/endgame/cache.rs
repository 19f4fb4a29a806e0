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

/// Bounds by position; a newer position takes the place of an older one.
pub(in super::super) struct Cache(Box<[Slot]>);

/// Slots: half a mebibyte, which fits beside everything else into a core's own cache.
const SLOTS: usize = 1 << 14;

impl Cache {
    /// A cache that knows nothing.
    pub(in super::super) fn new() -> Self {
        // No game has a board without discs, so this one stands for a free slot.
        Self(vec![Slot { board: Board::EMPTY, lower: -64, upper: 64 }; SLOTS].into())
    }

    /// A bound that shows whether a position's result is above `alpha`, if one is known.
    #[inline]
    pub(super) fn decides(&self, board: Board, hash: u64, alpha: i32) -> Option<i32> {
        let slot = &self.0[hash as usize % SLOTS];
        if slot.board != board {
            return None;
        }
        let (lower, upper) = (i32::from(slot.lower), i32::from(slot.upper));
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }

    /// Keeps what a search for a result above `alpha` has found.
    #[inline]
    pub(super) fn keep(&mut self, board: Board, hash: u64, alpha: i32, found: i32) {
        let slot = &mut self.0[hash as usize % SLOTS];
        if slot.board != board {
            *slot = Slot { board, lower: -64, upper: 64 };
        }
        if found > alpha {
            slot.lower = slot.lower.max(found as i8);
        } else {
            slot.upper = slot.upper.min(found as i8);
        }
    }
}
