//! The table: buckets, replacement, clearing.

use std::sync::atomic::{AtomicU64 as StdAtomicU64, Ordering::Relaxed};

use super::entry::{Bucket, Entry, SLOTS, TableGeneration, TableSlot, merge};
use crate::memory::{CACHE_LINE, ZeroedBuffer, is_free, prefetch};
use crate::sync::AtomicUsize;

/// How much of the table a search uses. The system provides memory when it is first written to, and a large page costs
/// milliseconds then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUse {
    /// All of it, from the first node on. Needed for reproducible searches.
    Whole,
    /// A part, which grows: [`Table::prefault`] has the system provide memory in the background, and
    /// [`Table::grow_if_crowded`] takes it into use.
    Growing,
}

/// Buckets of a large page of two mebibytes: what growth adds at a time, and the first part in use.
pub(super) const CHUNK: usize = if cfg!(loom) { 1 } else { (2 << 20) / CACHE_LINE };

/// How many buckets are in use, from the first on; the others are reached by growing.
#[derive(Debug)]
pub(super) struct ActiveBuckets {
    pub(super) used: AtomicUsize,
    /// Buckets whose memory the system has provided; at least those in use.
    pub(super) prefaulted: AtomicUsize,
}

impl ActiveBuckets {
    fn first(buckets: usize) -> Self {
        let first = buckets.min(CHUNK);
        Self { used: AtomicUsize::new(first), prefaulted: AtomicUsize::new(first) }
    }

    pub(super) fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    fn use_all(&self, buckets: usize) {
        self.used.store(buckets, Relaxed);
        self.prefaulted.store(buckets, Relaxed);
    }

    /// The bucket in use for what belongs into `home` of the whole table.
    #[inline]
    pub(super) fn bucket_of(&self, home: usize) -> usize {
        let used = self.used();
        let split = home & bucket_mask(used);
        if split < used { split } else { split & (bucket_mask(used) >> 1) }
    }
}

/// The bits that tell apart the buckets of the power of two above so many.
#[inline]
pub(super) fn bucket_mask(used: usize) -> usize {
    usize::MAX >> used.leading_zeros()
}

/// The transposition table.
pub struct Table {
    pub(super) slots: ZeroedBuffer<TableSlot>,
    pub(super) active: ActiveBuckets,
    /// The packed [`TableGeneration`] of new entries. Like the salt it changes only between searches, so the loom models
    /// need not watch it.
    generation: StdAtomicU64,
    /// XORed into all keys: another salt makes all entries unreachable.
    salt: StdAtomicU64,
}

impl Table {
    pub const ENTRY_BYTES: usize = size_of::<TableSlot>();

    /// Takes less memory where there is not so much, and leaves some for the rest of the engine.
    #[must_use]
    pub fn new(mut mebibytes: usize) -> Self {
        loop {
            let bytes = mebibytes << 20;
            match ZeroedBuffer::try_new((bytes / CACHE_LINE).max(1) * SLOTS) {
                Ok(slots) if is_free(bytes.min(LEFT_FREE)) => return Self::from_slots(slots),
                _ => mebibytes /= 2,
            }
            log::warn!("not enough memory for the table: making do with {mebibytes} MiB");
        }
    }

    pub(super) fn from_slots(slots: ZeroedBuffer<TableSlot>) -> Self {
        let active = ActiveBuckets::first(slots.len() / SLOTS);
        Self { slots, active, generation: StdAtomicU64::new(0), salt: StdAtomicU64::new(0) }
    }

    /// Entries of earlier searches are replaced first from now on.
    pub fn begin_search(&self, table_use: TableUse) {
        if table_use == TableUse::Whole {
            self.active.use_all(self.buckets());
        }
        self.generation.store(self.generation().next_search().pack(), Relaxed);
    }

    /// Makes all entries unreachable and replaceable, without writing to all of the memory.
    pub fn clear(&self) {
        // Adding this runs through all numbers before one comes back.
        self.salt.store(self.salt().wrapping_add(0x9e37_79b9_7f4a_7c15), Relaxed);
        let generation = self.generation().next_clear();
        self.generation.store(generation.pack(), Relaxed);
        // Before a clear count is used again, its entries must be gone, or they would count as current. A part of the
        // table each time: the whole of a large one takes a second.
        let (part, parts) = (usize::from(generation.clear), TableGeneration::CLEARS);
        let used = self.active.used();
        for bucket in used * part / parts..used * (part + 1) / parts {
            self.slots.chunk::<SLOTS>(bucket).iter().for_each(|slot| slot.write(0, 0));
        }
    }

    pub(super) fn generation(&self) -> TableGeneration {
        TableGeneration::unpack(self.generation.load(Relaxed))
    }

    #[inline]
    pub(super) fn salt(&self) -> u64 {
        self.salt.load(Relaxed)
    }

    #[must_use]
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let salted = key ^ self.salt();
        self.bucket(key)
            .iter()
            .map(TableSlot::read)
            .find(|&(found, _)| found == salted)
            .and_then(|(_, data)| Entry::unpack(data))
    }

    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Merges with an entry of the same key, or replaces the least valuable one of its bucket.
    pub fn store(&self, key: u64, entry: Entry) {
        let now = self.generation();
        let bucket = self.bucket(key);
        let key = key ^ self.salt();
        let mut victim = (&bucket[0], i32::MAX);
        for slot in bucket {
            let (found, data) = slot.read();
            let (old, then) = (Entry::unpack(data), TableGeneration::unpack(data));
            let value = match old {
                Some(old) if found == key => {
                    if let Some(merged) = merge(entry, old, then == now) {
                        slot.write(key, merged.pack(now));
                    }
                    return;
                }
                Some(old) if then.clear == now.clear => {
                    i32::from(old.depth) - AGE_PENALTY * i32::from(now.searches_since(then))
                }
                _ => i32::MIN,
            };
            if value < victim.1 {
                victim = (slot, value);
            }
        }
        victim.0.write(key, entry.pack(now));
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        self.slots.chunk(self.active.bucket_of(self.home(key)))
    }

    /// The bucket of a key when the whole table is in use.
    #[inline]
    pub(super) fn home(&self, key: u64) -> usize {
        // The high half of the product maps keys evenly to any number of buckets.
        ((u128::from(key) * self.buckets() as u128) >> 64) as usize
    }

    #[inline]
    pub(super) fn buckets(&self) -> usize {
        self.slots.len() / SLOTS
    }
}

/// Bytes that a table leaves to weights and threads; as much as its own size if that is less.
const LEFT_FREE: usize = 40 << 20;

/// Damage on purpose, to a random slot.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableDamage {
    /// The key of one entry with the data of another, as two writers at once would leave it.
    Torn,
    /// The best move of another position with the same key.
    ForeignMove,
    /// All of an entry of another position with the same key.
    ForeignEntry,
}

#[cfg(test)]
impl Table {
    pub(crate) fn damage(&self, damage: TableDamage, random: &mut crate::random::Random) {
        let mut slot = || {
            let bucket = self.slots.chunk::<SLOTS>(random.below(self.active.used()));
            &bucket[random.below(SLOTS)]
        };
        let (victim, other) = (slot(), slot());
        let ((key, data), (_, foreign)) = (victim.read(), other.read());
        let (Some(entry), Some(from)) = (Entry::unpack(data), Entry::unpack(foreign)) else { return };
        let generation = TableGeneration::unpack(data);
        match damage {
            TableDamage::Torn => victim.data.store(foreign, Relaxed),
            TableDamage::ForeignMove => {
                victim.write(key, Entry { best: from.best, ..entry }.pack(generation))
            }
            TableDamage::ForeignEntry => victim.write(key, from.pack(generation)),
        }
    }
}

/// What an entry loses in the choice of the victim for each search since, in units of depth.
const AGE_PENALTY: i32 = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::score::Score;
    use crate::selectivity::Selectivity;

    fn entry(units: i32, depth: u8, best: Option<Square>) -> Entry {
        let score = Score::from_units(units);
        Entry { lower: score, upper: score, depth, selectivity: Selectivity::Off, best }
    }

    fn table() -> Table {
        let table = Table::new(1);
        table.begin_search(TableUse::Whole);
        table
    }

    #[test]
    fn buckets_are_cache_lines() {
        assert_eq!(size_of::<Bucket>(), CACHE_LINE);
        assert_eq!(std::ptr::from_ref(table().bucket(0)).addr() % CACHE_LINE, 0);
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let table = table();
        for (key, wanted) in [(0, entry(-5, 0, None)), (7 << 40, entry(2048, 60, Some(Square::H8)))] {
            assert_eq!(table.probe(key), None);
            table.store(key, wanted);
            assert_eq!(table.probe(key), Some(wanted));
        }
    }

    #[test]
    fn bounds_of_the_same_depth_meet() {
        let table = table();
        let score = Score::from_units;
        table.store(9, Entry::new(score(10), score(9), score(10), 5, Selectivity::Off, Some(Square::D3)));
        table.store(9, Entry::new(score(30), score(30), score(31), 5, Selectivity::Off, None));
        let met = Entry { lower: score(10), upper: score(30), depth: 5, ..entry(0, 5, Some(Square::D3)) };
        assert_eq!(table.probe(9), Some(met));
    }

    #[test]
    fn a_surer_search_replaces_a_selective_one_and_not_the_other_way() {
        let table = table();
        let sure = entry(10, 5, None);
        let selective = Entry { selectivity: Selectivity::P73, ..entry(20, 5, None) };
        for wanted in [selective, sure] {
            table.store(9, wanted);
            assert_eq!(table.probe(9), Some(wanted));
        }
        table.store(9, selective);
        assert_eq!(table.probe(9), Some(sure));
        assert_eq!(selective.decides(Score::default(), 5, Selectivity::Off), None);
        assert_eq!(sure.decides(Score::default(), 5, Selectivity::P73), Some(sure.lower));
    }

    #[test]
    fn a_window_is_decided_by_the_value_or_a_bound_outside_of_it() {
        let score = Score::from_units;
        let decided = |lower, upper, window: (i32, i32)| {
            let entry = Entry { lower: score(lower), upper: score(upper), ..entry(0, 5, None) };
            entry.decides_window((score(window.0), score(window.1)), 5, Selectivity::P73).map(Score::units)
        };
        assert_eq!(decided(7, 7, (0, 20)), Some(7));
        assert_eq!(decided(7, 8, (0, 20)), None);
        assert_eq!(decided(20, 30, (0, 20)), Some(20));
        assert_eq!(decided(-9, 0, (0, 20)), Some(0));
        let deeper = entry(0, 5, None).decides_window((score(0), score(20)), 6, Selectivity::P73);
        assert_eq!(deeper, None);
        for (lower, upper) in [(-3, 2), (3, 3), (3, 9), (2, 2), (-9, 2), (1, 4)] {
            let entry = Entry { lower: score(lower), upper: score(upper), ..entry(0, 5, None) };
            let null_window = entry.decides(score(2), 5, Selectivity::Off);
            assert_eq!(entry.decides_window((score(2), score(3)), 5, Selectivity::Off), null_window);
        }
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_entry() {
        let table = table();
        for (key, depth) in (1..=4_u64).zip([5, 3, 8, 9]) {
            table.store(key, entry(0, depth, None));
        }
        table.store(5, entry(0, 1, None));
        assert_eq!(table.probe(2), None);
        assert!([1, 3, 4, 5].into_iter().all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn old_generations_give_way_first() {
        let table = table();
        for key in 1..=4 {
            table.store(key, entry(0, 9, None));
        }
        table.begin_search(TableUse::Whole);
        for key in 5..=8 {
            table.store(key, entry(0, 2, None));
        }
        assert!((5..=8).all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn nothing_cleared_is_found_or_in_the_way() {
        // Keys of one bucket, more than it holds, over a few searches.
        let fill = |table: &Table| {
            for search in 0..4 {
                table.begin_search(TableUse::Whole);
                for key in 1..=9 {
                    table.store(key, entry(0, (key * 7 + search) as u8 % 13, None));
                }
            }
            (1..=9).map(|key| table.probe(key)).collect::<Vec<_>>()
        };
        let expected = fill(&table());
        let used = table();
        for round in 0..200 {
            // Both counters of a generation wrap several times.
            for _ in 0..round {
                used.begin_search(TableUse::Whole);
            }
            assert_eq!(fill(&used), expected, "{round}");
            used.clear();
            assert!((1..=9).all(|key| used.probe(key).is_none()));
        }
    }
}
