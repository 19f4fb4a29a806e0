//! Static values of the boards that a thread met last. Half of all evaluations are of a board that was evaluated
//! before: in the previous iteration, or by a check of another depth.

use std::cell::Cell;

use crate::score::Score;

/// 256 KiB. A loom model makes a thousand caches.
const INDEX_BITS: u32 = if cfg!(loom) { 1 } else { 15 };

/// Valid for one evaluation. The value is a function of the board, so the search finds the same with it and without it.
pub(super) struct ValueCache {
    /// Always replaced. The high bits of a hash are the index, the low ones are stored beside the value.
    slots: Box<[Cell<Slot>; 1 << INDEX_BITS]>,
}

/// 48 bits of a hash, and above them the value.
#[derive(Clone, Copy, bytemuck::Zeroable)]
#[repr(transparent)]
struct Slot(u64);

const VALUE_SHIFT: u32 = 48;
const CHECK: u64 = (1 << VALUE_SHIFT) - 1;

impl Slot {
    #[inline]
    fn new(hash: u64, value: Score) -> Self {
        Self(hash & CHECK | u64::from(value.units().cast_unsigned()) << VALUE_SHIFT)
    }

    #[inline]
    fn value(self, hash: u64) -> Option<Score> {
        let is_of_hash = (self.0 ^ hash) & CHECK == 0;
        is_of_hash.then(|| Score::from_units(((self.0 >> VALUE_SHIFT) as u16).cast_signed().into()))
    }
}

impl ValueCache {
    pub(super) fn new() -> Self {
        Self { slots: bytemuck::zeroed_box() }
    }

    /// The value of the board with this hash.
    #[inline]
    pub(super) fn get_or_insert_with(&self, hash: u64, evaluate: impl FnOnce() -> Score) -> Score {
        let slot = &self.slots[(hash >> (u64::BITS - INDEX_BITS)) as usize];
        slot.get().value(hash).unwrap_or_else(|| {
            let value = evaluate();
            slot.set(Slot::new(hash, value));
            value
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_until_its_slot_is_taken() {
        let cache = ValueCache::new();
        let (board, other) = (7 << 60 | 1, 7 << 60 | 2);
        for units in [-2048, -1, 0, 5, 2048] {
            let value = Score::from_units(units);
            assert_eq!(cache.get_or_insert_with(board, || value), value);
            assert_eq!(cache.get_or_insert_with(board, || unreachable!()), value);
            assert_eq!(cache.get_or_insert_with(other, || -value), -value);
        }
    }
}
