//! Linear hashing: a table in use grows by a chunk when it is crowded.
//!
//! A table of 2ⁿ + m buckets has split its first m buckets: half of the entries of each are 2ⁿ buckets further on. To
//! grow, the next chunk of buckets is split.
//!
//! There are two reasons not to use all of a large table at once. The first write to a large page costs milliseconds, so
//! a background thread does it ahead of the searches. And lookups all over some gibibytes are slower than lookups in a
//! part that is large enough.
//!
//! One thread grows a table that others search. What they store in a bucket while it is split may be lost, as it may by
//! replacement; what they find is still what was stored under that key.

use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::thread;

use super::entry::{SLOTS, TableGeneration};
use super::table::{CHUNK, Table, bucket_mask};
use crate::memory::CACHE_LINE;
use crate::threads::spawn_helper;

/// Buckets of a small page: one write in each prefaults pages of any size.
const SMALL_PAGE: usize = if cfg!(loom) { 1 } else { 4096 / CACHE_LINE };

/// Buckets that are sampled to see how full a table is.
const SAMPLE: usize = 16;

impl Table {
    /// Prefaults a further chunk, which takes some milliseconds. Returns whether there is more to do. Only one thread may
    /// call this at a time.
    pub fn prefault(&self) -> bool {
        let (prefaulted, all) = (self.active.prefaulted.load(Relaxed), self.buckets());
        let end = (prefaulted + CHUNK).min(all);
        self.touch(prefaulted..end);
        let _ = self.active.prefaulted.compare_exchange(prefaulted, end, Release, Relaxed);
        end < all
    }

    /// Prefaults the rest by so many threads at once: eight gibibytes take one thread seconds. The same holds as for
    /// [`Table::prefault`].
    pub fn prefault_all(&self, threads: usize) {
        let (first, all) = (self.active.prefaulted.load(Relaxed), self.buckets());
        let end = |part: usize| first + (all - first) * part / threads;
        thread::scope(|scope| {
            for part in (0..threads).map(|part| end(part)..end(part + 1)) {
                let spawned = spawn_helper(scope, {
                    let part = part.clone();
                    || self.touch(part)
                });
                if spawned.is_err() {
                    self.touch(part);
                }
            }
        });
        self.active.prefaulted.store(all, Release);
    }

    fn touch(&self, buckets: Range<usize>) {
        for bucket in buckets.step_by(SMALL_PAGE) {
            // Changes nothing, even if a search has taken the whole table into use meanwhile.
            self.slots.chunk::<SLOTS>(bucket)[0].data.fetch_or(0, Relaxed);
        }
    }

    /// Takes a further chunk of prefaulted memory into use if more than half of the slots are occupied, in less than a
    /// millisecond. Only one thread may call this at a time; `turn` chooses the sample and should change between calls.
    pub fn grow_if_crowded(&self, turn: usize) {
        if self.active.used() < self.active.prefaulted.load(Acquire) && self.is_crowded(turn) {
            self.grow();
        }
    }

    fn is_crowded(&self, turn: usize) -> bool {
        let (used, clear) = (self.active.used(), self.generation().clear);
        let buckets = (0..SAMPLE).map(|at| (turn.wrapping_mul(SAMPLE + 1) + at * used / SAMPLE) % used);
        let slots = buckets.flat_map(|bucket| self.slots.chunk::<SLOTS>(bucket));
        let is_occupied = |data: u64| data != 0 && TableGeneration::unpack(data).clear == clear;
        2 * slots.filter(|slot| is_occupied(slot.read().1)).count() > SAMPLE * SLOTS
    }

    pub(super) fn grow(&self) {
        let (used, prefaulted) = (self.active.used(), self.active.prefaulted.load(Acquire));
        let mask = bucket_mask(used);
        let end = (used + CHUNK).min(prefaulted).min(mask + 1);
        for bucket in used..end {
            self.split(bucket & (mask >> 1), bucket, mask);
        }
        self.active.used.store(end, Relaxed);
    }

    /// Moves from one bucket to another the entries that belong there under a mask.
    fn split(&self, from: usize, to: usize, mask: usize) {
        let clear = self.generation().clear;
        let [source, target] = [from, to].map(|bucket| self.slots.chunk::<SLOTS>(bucket));
        for (source, target) in source.iter().zip(target) {
            let (key, data) = source.read();
            let kept = data != 0 && TableGeneration::unpack(data).clear == clear;
            if kept && self.home(key ^ self.salt()) & mask == to {
                target.write(key, data);
                source.write(0, 0);
            } else {
                target.write(0, 0);
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::entry::Entry;
    use super::super::table::{ActiveBuckets, TableUse};
    use super::*;
    use crate::random::Random;
    use crate::score::Score;
    use crate::selectivity::Selectivity;
    use crate::sync::AtomicUsize;

    const MEBIBYTES: usize = 11;

    fn prefaulted() -> Table {
        let table = Table::new(MEBIBYTES);
        table.begin_search(TableUse::Growing);
        while table.prefault() {}
        table
    }

    fn entry(depth: u8) -> Entry {
        let score = Score::from_units(7);
        Entry { lower: score, upper: score, depth, selectivity: Selectivity::Off, best: None }
    }

    #[test]
    fn buckets_are_in_use_and_become_homes() {
        const ALL: usize = 45;
        let in_use = |used| ActiveBuckets { used: AtomicUsize::new(used), prefaulted: AtomicUsize::new(ALL) };
        for used in 1..=ALL {
            let [present, next] = [in_use(used), in_use(used + 1)];
            let places: Vec<_> = (0..ALL).map(|home| present.bucket_of(home)).collect();
            assert!(places.iter().all(|&place| place < used));
            assert!((0..used).all(|home| places[home] == home));
            // The buckets of the next size hold what comes from one bucket each of this size.
            assert!(
                (0..ALL).all(|home| next.bucket_of(home) == used || next.bucket_of(home) == places[home])
            );
        }
    }

    #[test]
    fn nothing_is_lost_while_a_table_grows() {
        let table = prefaulted();
        let mut random = Random::new(3);
        let mut stored = Vec::new();
        loop {
            for _ in 0..100 {
                let (key, depth) = (random.draw(), random.below(60) as u8);
                table.store(key, entry(depth));
                stored.push((key, depth));
            }
            for &(key, depth) in &stored {
                assert_eq!(table.probe(key), Some(entry(depth)), "{} buckets in use", table.active.used());
            }
            if table.active.used() == table.buckets() {
                break;
            }
            table.grow();
        }
        assert!(stored.len() >= 100 * (MEBIBYTES - 1) / 2, "a page at a time");
    }

    #[test]
    fn a_table_grows_as_it_is_filled_and_only_where_it_was_prefaulted() {
        let table = Table::new(MEBIBYTES);
        let mut random = Random::new(4);
        let mut fill = |table: &Table| {
            for turn in 0..4 * table.buckets() {
                table.store(random.draw(), entry(9));
                if turn % 1000 == 0 {
                    table.grow_if_crowded(turn);
                }
            }
        };
        fill(&table);
        assert_eq!(table.active.used(), CHUNK, "nothing else is prefaulted");
        while table.prefault() {}
        table.grow_if_crowded(0);
        assert_eq!(table.active.used(), 2 * CHUNK, "one chunk at a time");
        table.clear();
        table.grow_if_crowded(1);
        assert_eq!(table.active.used(), 2 * CHUNK, "cleared entries leave room");
        fill(&table);
        assert_eq!(table.active.used(), table.buckets());
        table.grow_if_crowded(2);
    }

    #[test]
    fn threads_prefault_all_of_a_table_together() {
        for threads in [1, 3, 16] {
            let table = Table::new(MEBIBYTES);
            table.store(5, entry(9));
            table.prefault_all(threads);
            assert!(!table.prefault(), "nothing is left to do");
            assert_eq!((table.probe(5), table.active.used()), (Some(entry(9)), CHUNK));
        }
    }

    #[test]
    fn a_search_that_must_be_reproducible_uses_the_whole_table() {
        let table = Table::new(MEBIBYTES);
        table.begin_search(TableUse::Whole);
        assert_eq!(table.active.used(), table.buckets());
        table.store(5, entry(9));
        assert!(!table.prefault());
        table.begin_search(TableUse::Growing);
        assert_eq!(table.active.used(), table.buckets(), "nothing is taken back");
        assert_eq!(table.probe(5), Some(entry(9)));
    }

    #[test]
    fn clearing_keeps_the_buckets_in_use() {
        let table = prefaulted();
        table.grow();
        let used = table.active.used();
        table.store(5, entry(9));
        table.clear();
        assert_eq!((table.probe(5), table.active.used()), (None, used));
        while table.active.used() < table.buckets() {
            table.grow();
        }
        assert_eq!(table.probe(5), None);
    }
}
