//! Entries of the table and their slots.

use std::sync::atomic::Ordering::Relaxed;

use crate::board::Square;
use crate::memory::CACHE_LINE;
use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::sync::AtomicU64;

/// What a search found out about a position, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub lower: Score,
    pub upper: Score,
    /// In discs placed; the number of empty squares if the search went to the end.
    pub depth: u8,
    pub selectivity: Selectivity,
    /// May belong to another position with the same key: check that it is legal.
    pub best: Option<Square>,
}

impl Entry {
    /// The bounds that follow from a search with the window `alpha..beta` that returned `score`.
    #[must_use]
    pub fn new(
        score: Score,
        alpha: Score,
        beta: Score,
        depth: u8,
        selectivity: Selectivity,
        best: Option<Square>,
    ) -> Self {
        let lower = if score > alpha { score } else { -Score::MAX };
        let upper = if score < beta { score } else { Score::MAX };
        Self { lower, upper, depth, selectivity, best }
    }

    /// Whether this is as good as a search of this depth and selectivity.
    #[must_use]
    #[inline]
    pub fn covers(&self, depth: u8, selectivity: Selectivity) -> bool {
        self.depth >= depth && self.selectivity >= selectivity
    }

    /// A bound that proves the value to be above `alpha` or not, if there is one of this depth and selectivity.
    #[must_use]
    #[inline]
    pub fn decides(&self, alpha: Score, depth: u8, selectivity: Selectivity) -> Option<Score> {
        if !self.covers(depth, selectivity) {
            None
        } else if self.lower > alpha {
            Some(self.lower)
        } else {
            (self.upper <= alpha).then_some(self.upper)
        }
    }

    /// The same for a window: the value, or a bound outside of the window.
    #[must_use]
    #[inline]
    pub fn decides_window(
        &self,
        (alpha, beta): (Score, Score),
        depth: u8,
        selectivity: Selectivity,
    ) -> Option<Score> {
        if !self.covers(depth, selectivity) {
            None
        } else if self.lower >= beta || self.lower == self.upper {
            Some(self.lower)
        } else {
            (self.upper <= alpha).then_some(self.upper)
        }
    }

    pub(super) fn pack(self, generation: TableGeneration) -> u64 {
        let best = self.best.map_or(Self::NO_MOVE, |square| square as u8);
        let word = |score: Score| u64::from(score.units() as u16);
        word(self.lower)
            | word(self.upper) << 16
            | u64::from(self.depth) << 32
            | u64::from(best) << 40
            | generation.pack()
            | (self.selectivity as u64) << 56
            | Self::IN_USE
    }

    pub(super) fn unpack(data: u64) -> Option<Self> {
        let score = |shift: u32| Score::from_units(i32::from((data >> shift) as u16 as i16));
        (data & Self::IN_USE != 0).then(|| Self {
            lower: score(0),
            upper: score(16),
            depth: (data >> 32) as u8,
            selectivity: Selectivity::ALL[(data >> 56) as usize % Selectivity::ALL.len()],
            best: Square::from_index((data >> 40) as u8),
        })
    }

    /// Zero only in a slot that was never written.
    const IN_USE: u64 = 1 << 63;
    const NO_MOVE: u8 = u8::MAX;
}

/// When an entry was stored. Both counters wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableGeneration {
    /// Counts searches.
    pub(super) search: u8,
    /// Counts [`Table::clear`](super::Table::clear).
    pub(super) clear: u8,
}

impl TableGeneration {
    const SEARCH_MASK: u8 = 0x7f;
    const CLEAR_MASK: u8 = 0x1f;
    pub(super) const CLEARS: usize = Self::CLEAR_MASK as usize + 1;

    pub(super) fn pack(self) -> u64 {
        u64::from(self.search) << 48 | u64::from(self.clear) << 58
    }

    pub(super) fn unpack(data: u64) -> Self {
        Self { search: (data >> 48) as u8 & Self::SEARCH_MASK, clear: (data >> 58) as u8 & Self::CLEAR_MASK }
    }

    pub(super) fn next_search(self) -> Self {
        Self { search: (self.search + 1) & Self::SEARCH_MASK, ..self }
    }

    pub(super) fn next_clear(self) -> Self {
        Self { clear: (self.clear + 1) & Self::CLEAR_MASK, ..self }
    }

    /// How many searches began between the other one and this one.
    pub(super) fn searches_since(self, other: Self) -> u8 {
        self.search.wrapping_sub(other.search) & Self::SEARCH_MASK
    }
}

#[cfg_attr(not(loom), derive(bytemuck::Zeroable))]
#[cfg_attr(loom, derive(Default))]
#[repr(C)]
pub(super) struct TableSlot {
    key_xor_data: AtomicU64,
    pub(super) data: AtomicU64,
}

impl TableSlot {
    pub(super) fn read(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.key_xor_data.load(Relaxed) ^ data, data)
    }

    pub(super) fn write(&self, key: u64, data: u64) {
        self.key_xor_data.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// Slots of a bucket.
pub(super) const SLOTS: usize = CACHE_LINE / size_of::<TableSlot>();

/// A cache line of slots; a position may be in any of them.
pub(super) type Bucket = [TableSlot; SLOTS];

/// What a slot of the same position should hold once `new` is known; none if `old` stays.
pub(super) fn merge(new: Entry, old: Entry, same_search: bool) -> Option<Entry> {
    let rank = |entry: Entry| (entry.depth, entry.selectivity);
    if rank(new) == rank(old) {
        let (lower, upper) = (new.lower.max(old.lower), new.upper.min(old.upper));
        let consistent = lower <= upper;
        let (lower, upper) = if consistent { (lower, upper) } else { (new.lower, new.upper) };
        return Some(Entry { lower, upper, best: new.best.or(old.best), ..new });
    }
    let best = new.best.or(old.best);
    (rank(new) > rank(old) || !same_search).then_some(Entry { best, ..new })
}
