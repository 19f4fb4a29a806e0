//! A small cache for positions near the end, one for each search thread.
//!
//! The shared table would drown in them, and a look into it costs as much as solving some.

/// From so many empty squares on this solver takes over from the general search.
pub(super) const SHALLOW_EMPTIES: u8 = 12;

/// With so many at least, what is found of a position is kept; with fewer, solving it again is as cheap as looking.
pub(super) const MIN_CACHED_EMPTIES: u32 = 6;

/// What is known of one position, in eight bytes, so that many stay near the processor: the high bits of its hash, and
/// bounds on its result in discs. The low bits of the hash are its place, so all but three bits of it tell.
///
/// Bounds are kept as how much they tell, so that zeroes, a free slot, tell nothing of any position.
#[derive(Clone, Copy, bytemuck::Zeroable)]
#[repr(transparent)]
struct Slot(u64);

/// The bits of a hash that a slot holds.
const CHECK: u64 = !0xffff;

/// Results lie between these.
const LEAST: i32 = -64;
const MOST: i32 = 64;

impl Slot {
    #[inline]
    const fn new(hash: u64, lower: i32, upper: i32) -> Self {
        Self(hash & CHECK | ((lower - LEAST) as u64) << 8 | (MOST - upper) as u64)
    }

    #[inline]
    const fn is_of(self, hash: u64) -> bool {
        (self.0 ^ hash) & CHECK == 0
    }

    #[inline]
    const fn lower(self) -> i32 {
        LEAST + (self.0 >> 8 & 0xff) as i32
    }

    #[inline]
    const fn upper(self) -> i32 {
        MOST - (self.0 & 0xff) as i32
    }
}

/// Bounds by position; a newer position takes the place of an older one. They hold for one rule set and size of board.
///
/// Each number of empty squares has slots of its own, else the many positions near the end would push out the rest.
pub(super) struct EndgameCache {
    levels: Box<[[Slot; SLOTS]; LEVELS]>,
}

/// The numbers of empty squares that positions are kept with.
const LEVELS: usize = SHALLOW_EMPTIES as usize + 1 - MIN_CACHED_EMPTIES as usize;

/// Slots for each of them: 448 KiB in all, which leaves room for other things in a processor's own memory. More save
/// fewer positions than they cost time. A model makes a cache a thousand times.
const SLOTS: usize = if cfg!(loom) { 2 } else { 1 << 13 };

impl EndgameCache {
    /// A cache that knows nothing.
    pub(super) fn new() -> Self {
        Self { levels: bytemuck::zeroed_box() }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        bytemuck::write_zeroes(&mut *self.levels);
    }

    /// The level and the slot of a position.
    #[inline]
    fn place(hash: u64, empties: u32) -> (usize, usize) {
        ((empties - MIN_CACHED_EMPTIES) as usize, hash as usize % SLOTS)
    }

    /// A bound that shows whether a position's result is above `alpha`, if one is known.
    #[inline]
    pub(super) fn decides(&self, hash: u64, empties: u32, alpha: i32) -> Option<i32> {
        let (level, place) = Self::place(hash, empties);
        let slot = self.levels[level][place];
        if !slot.is_of(hash) {
            return None;
        }
        let (lower, upper) = (slot.lower(), slot.upper());
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }

    /// Keeps what a search for a result above `alpha` has found.
    #[inline]
    pub(super) fn store(&mut self, hash: u64, empties: u32, alpha: i32, found: i32) {
        let (level, place) = Self::place(hash, empties);
        let slot = &mut self.levels[level][place];
        let (lower, upper) = if slot.is_of(hash) { (slot.lower(), slot.upper()) } else { (LEAST, MOST) };
        *slot = if found > alpha {
            Slot::new(hash, lower.max(found), upper)
        } else {
            Slot::new(hash, lower, upper.min(found))
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_meet_until_another_position_comes() {
        let mut cache = EndgameCache::new();
        let (position, other) = (7 << 40, 9 << 40);
        for empties in [6, 9] {
            assert_eq!(cache.decides(position, empties, 0), None);
            cache.store(position, empties, -5, -2);
            cache.store(position, empties, 9, 8);
            assert_eq!(cache.decides(position, empties, -3), Some(-2));
            assert_eq!(cache.decides(position, empties, 8), Some(8));
            assert_eq!(cache.decides(position, empties, 0), None);
            assert_eq!(cache.decides(other, empties, -3), None);
            cache.store(other, empties, 0, 4);
            assert_eq!(cache.decides(position, empties, -3), None);
        }
    }
}
