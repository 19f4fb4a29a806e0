//! What threads share of the shallow endgame, beside their own caches: bounds of the boards with the most empty squares.
//! They are few, and solving one twice takes longer than a look at what another processor has written.

#[cfg(all(loom, test))]
mod loom;

use std::sync::atomic::Ordering::Relaxed;

use crate::memory::{ZeroedBuffer, prefetch};
use crate::sync::AtomicU64;

#[cfg(test)]
use super::endgame_cache::CacheDamage;
use super::endgame_cache::{SHALLOW_EMPTIES, Slot};

/// The least number of empty squares.
pub(super) const SHARED_EMPTIES: u32 = 9;

const LEVELS: usize = SHALLOW_EMPTIES as usize + 1 - SHARED_EMPTIES as usize;

/// Slots for each number of empty squares: 4 MiB in all.
const SLOTS: usize = if cfg!(loom) { 2 } else { 1 << 17 };

/// Valid for one rule set and board size. A slot is one word, so that none is ever torn; of two results that are stored at
/// once one may be lost.
pub(super) struct SharedBounds {
    slots: ZeroedBuffer<AtomicU64>,
    #[cfg(test)]
    pub(super) damage: Option<CacheDamage>,
}

impl SharedBounds {
    /// None if there is no memory for it.
    pub(super) fn new() -> Option<Self> {
        Some(Self {
            slots: ZeroedBuffer::try_new(LEVELS * SLOTS).ok()?,
            #[cfg(test)]
            damage: None,
        })
    }

    pub(super) fn clear(&self) {
        self.slots.items().iter().for_each(|slot| slot.store(0, Relaxed));
    }

    #[inline]
    fn slot(&self, hash: u64, empties: u32) -> &AtomicU64 {
        let level = (empties - SHARED_EMPTIES) as usize;
        let [slot] = self.slots.chunk(level * SLOTS + hash as usize % SLOTS);
        slot
    }

    #[inline]
    pub(super) fn prefetch(&self, hash: u64, empties: u32) {
        prefetch(self.slot(hash, empties));
    }

    /// A stored bound that decides against `alpha`.
    #[inline]
    pub(super) fn decides(&self, hash: u64, empties: u32, alpha: i32) -> Option<i32> {
        Slot(self.slot(hash, empties).load(Relaxed)).decides(hash, alpha)
    }

    /// Stores the result of a null-window search at `alpha`.
    #[inline]
    pub(super) fn store(&self, hash: u64, empties: u32, alpha: i32, found: i32) {
        let slot = self.slot(hash, empties);
        slot.store(Slot(slot.load(Relaxed)).with_result(hash, alpha, found).0, Relaxed);
        #[cfg(test)]
        self.spoil(hash, empties);
    }

    /// Damages another slot with what was just stored.
    #[cfg(test)]
    fn spoil(&self, hash: u64, empties: u32) {
        /// Most slots are empty.
        const TRIES: u64 = 64;
        let Some(damage) = self.damage else { return };
        let foreign = Slot(self.slot(hash, empties).load(Relaxed));
        let begin = crate::random::Random::new(hash).draw();
        let mut others = (0..TRIES).map(|more| self.slot(begin.wrapping_add(more), empties));
        if let Some(victim) = others.find(|slot| slot.load(Relaxed) != 0) {
            victim.store(Slot(victim.load(Relaxed)).damaged(damage, foreign).0, Relaxed);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn bounds_narrow_at_each_number_of_empty_squares_until_they_are_cleared() {
        let bounds = SharedBounds::new().expect("there is memory");
        let (board, other) = (7 << 40, 9 << 40);
        for empties in SHARED_EMPTIES..=u32::from(SHALLOW_EMPTIES) {
            assert_eq!(bounds.decides(board, empties, 0), None);
            bounds.store(board, empties, -5, -2);
            bounds.store(board, empties, 9, 8);
            assert_eq!(bounds.decides(board, empties, -3), Some(-2));
            assert_eq!(bounds.decides(board, empties, 8), Some(8));
            assert_eq!(bounds.decides(board, empties, 0), None);
            assert_eq!(bounds.decides(other, empties, -3), None);
        }
        bounds.clear();
        assert_eq!(bounds.decides(board, SHARED_EMPTIES, -3), None);
    }
}
