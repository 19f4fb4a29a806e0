//! A small per-thread cache for the shallow endgame: entries there are too many for the shared table, and a lookup in
//! it costs as much as solving some.

/// The shallow endgame solver takes over from this many empty squares on.
pub(super) const SHALLOW_EMPTIES: u8 = 12;

/// With fewer empty squares, solving again is as cheap as a lookup.
pub(super) const MIN_CACHED_EMPTIES: u32 = 6;

/// High bits of the hash, and bounds on the final score in discs. The low bits of the hash are the index, so that all
/// but three bits are checked.
///
/// Bounds are stored as their distance from the trivial ones: a zeroed slot tells nothing.
#[derive(Clone, Copy, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct Slot(pub(super) u64);

/// The hash bits that a slot stores.
const CHECK: u64 = !0xffff;

/// The range of final scores.
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

    /// A bound of this board that decides against `alpha`.
    #[inline]
    pub(super) fn decides(self, hash: u64, alpha: i32) -> Option<i32> {
        if !self.is_of(hash) {
            return None;
        }
        let (lower, upper) = (self.lower(), self.upper());
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }

    /// The same slot after a null-window search at `alpha`.
    #[inline]
    pub(super) fn with_result(self, hash: u64, alpha: i32, found: i32) -> Self {
        let (lower, upper) = if self.is_of(hash) { (self.lower(), self.upper()) } else { (LEAST, MOST) };
        if found > alpha {
            Self::new(hash, lower.max(found), upper)
        } else {
            Self::new(hash, lower, upper.min(found))
        }
    }

    #[cfg(test)]
    pub(super) const fn damaged(self, damage: CacheDamage, foreign: Self) -> Self {
        match damage {
            CacheDamage::Misplaced => foreign,
            CacheDamage::ForeignBounds => Self(self.0 & CHECK | foreign.0 & !CHECK),
        }
    }
}

/// Bounds by board, always replaced. Valid for one rule set and board size.
///
/// Each number of empty squares has its own slots, else the many boards near the end would evict the rest.
pub(super) struct EndgameCache {
    levels: Box<[[Slot; SLOTS]; LEVELS]>,
    #[cfg(test)]
    pub(super) damage: Option<(CacheDamage, crate::random::Random)>,
}

/// Damage on purpose, to a random slot whenever something is stored. Nothing is torn: a slot is one word.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CacheDamage {
    /// A whole entry in the slot of another one.
    Misplaced,
    /// The bounds of a position with the key of another one.
    ForeignBounds,
}

const LEVELS: usize = SHALLOW_EMPTIES as usize + 1 - MIN_CACHED_EMPTIES as usize;

/// Slots per number of empty squares: 448 KiB in all, to stay within the L2 cache. A loom model makes a thousand
/// caches.
const SLOTS: usize = if cfg!(loom) { 2 } else { 1 << 13 };

impl EndgameCache {
    pub(super) fn new() -> Self {
        Self {
            levels: bytemuck::zeroed_box(),
            #[cfg(test)]
            damage: None,
        }
    }

    pub(super) fn clear(&mut self) {
        bytemuck::write_zeroes(&mut *self.levels);
    }

    #[inline]
    fn place(hash: u64, empties: u32) -> (usize, usize) {
        ((empties - MIN_CACHED_EMPTIES) as usize, hash as usize % SLOTS)
    }

    /// A stored bound that decides against `alpha`.
    #[inline]
    pub(super) fn decides(&self, hash: u64, empties: u32, alpha: i32) -> Option<i32> {
        let (level, place) = Self::place(hash, empties);
        self.levels[level][place].decides(hash, alpha)
    }

    /// Stores the result of a null-window search at `alpha`.
    #[inline]
    pub(super) fn store(&mut self, hash: u64, empties: u32, alpha: i32, found: i32) {
        let (level, place) = Self::place(hash, empties);
        let slot = &mut self.levels[level][place];
        *slot = slot.with_result(hash, alpha, found);
        #[cfg(test)]
        self.spoil(level);
    }

    #[cfg(test)]
    fn spoil(&mut self, level: usize) {
        let Some((damage, random)) = &mut self.damage else { return };
        let [victim, other] = [(); 2].map(|()| random.below(SLOTS));
        let slots = &mut self.levels[level];
        slots[victim] = slots[victim].damaged(*damage, slots[other]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_narrow_until_the_slot_is_replaced() {
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

    /// A lookup takes an entry of another board with a probability of 2⁻⁶¹.
    #[test]
    fn all_but_three_bits_of_the_hash_are_checked() {
        let (hash, mut unchecked) = (0x1234_5678_9abc_def0, 0);
        for bit in 0..64 {
            let mut cache = EndgameCache::new();
            cache.store(hash, 9, -5, -2);
            unchecked += usize::from(cache.decides(hash ^ 1 << bit, 9, -5).is_some());
        }
        assert_eq!(unchecked, 3);
    }
}
