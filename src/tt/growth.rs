//! A table that grows while it is in use, as far as it is filled: by linear hashing, one chunk at a time.
//!
//! A table of 2ⁿ + m buckets has split its first m buckets: half of what belonged into one of them is 2ⁿ buckets further
//! on. To grow, the next chunk of buckets is split and then counts as such.
//!
//! There are two reasons not to use all of a large table at once. Memory that nobody has written to before costs
//! milliseconds for each large page, so a thread of its own touches it ahead of the searches. And places all over some
//! gibibytes are slower to look up than those of a part that is large enough.
//!
//! One thread grows a table that others search. What they store in a bucket while it is split may be lost, as it may when
//! another position takes its slot; what they find is still what was stored under that key.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::memory::CACHE_LINE;
use crate::sync::AtomicUsize;

use super::{SLOTS, Stamp, Table};

/// Buckets touched or split at a time: a large page of two mebibytes. The smallest part in use, too.
const CHUNK: usize = if cfg!(loom) { 1 } else { (2 << 20) / CACHE_LINE };

/// Buckets of a small page. One write in each makes the system provide the memory, whatever its pages are.
const SMALL_PAGE: usize = if cfg!(loom) { 1 } else { 4096 / CACHE_LINE };

/// Buckets that are looked at to see how full a table is.
const SAMPLE: usize = 16;

/// The part of a table that is in use.
#[derive(Debug)]
pub(super) struct Extent {
    /// Buckets in use, from the first on.
    used: AtomicUsize,
    /// Buckets whose memory the system has provided, from the first on; at least those in use.
    touched: AtomicUsize,
}

impl Extent {
    /// What a table of so many buckets begins with.
    pub(super) fn first(buckets: usize) -> Self {
        let first = buckets.min(CHUNK);
        Self { used: AtomicUsize::new(first), touched: AtomicUsize::new(first) }
    }

    pub(super) fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Takes all of so many buckets into use.
    pub(super) fn make_whole(&self, buckets: usize) {
        self.used.store(buckets, Relaxed);
        self.touched.store(buckets, Relaxed);
    }

    /// The bucket in use for what belongs into this one of the whole table.
    #[inline]
    pub(super) fn place(&self, home: usize) -> usize {
        let used = self.used();
        let split = home & mask(used);
        if split < used { split } else { split & (mask(used) >> 1) }
    }
}

/// The bits that tell apart the buckets of the power of two above so many.
#[inline]
fn mask(used: usize) -> usize {
    usize::MAX >> used.leading_zeros()
}

impl Table {
    /// Makes the system provide a further part of the memory, which takes some milliseconds. Returns whether there is more
    /// to do. One thread may do so at a time.
    pub fn touch(&self) -> bool {
        let (touched, all) = (self.extent.touched.load(Relaxed), self.buckets());
        let end = (touched + CHUNK).min(all);
        for bucket in (touched..end).step_by(SMALL_PAGE) {
            // Changes nothing, even if a search has taken the whole table into use meanwhile.
            self.slots.chunk::<SLOTS>(bucket)[0].data.fetch_or(0, Relaxed);
        }
        let _ = self.extent.touched.compare_exchange(touched, end, Release, Relaxed);
        end < all
    }

    /// Takes a further part of the touched memory into use if the part in use has become crowded, in less than a
    /// millisecond. One thread may do so at a time, and `turn` should change from one time to the next.
    pub fn make_room(&self, turn: usize) {
        if self.extent.used() < self.extent.touched.load(Acquire) && self.is_crowded(turn) {
            self.grow();
        }
    }

    /// Whether half of the slots in use are occupied, as far as a sample shows.
    fn is_crowded(&self, turn: usize) -> bool {
        let (used, epoch) = (self.extent.used(), self.stamp().epoch);
        // Spread over all, and others the next time.
        let buckets = (0..SAMPLE).map(|at| (turn.wrapping_mul(SAMPLE + 1) + at * used / SAMPLE) % used);
        let slots = buckets.flat_map(|bucket| self.slots.chunk::<SLOTS>(bucket));
        let is_occupied = |data: u64| data != 0 && Stamp::unpack(data).epoch == epoch;
        2 * slots.filter(|slot| is_occupied(slot.read().1)).count() > SAMPLE * SLOTS
    }

    /// Takes a further chunk of the touched memory into use.
    pub(super) fn grow(&self) {
        let (used, touched) = (self.extent.used(), self.extent.touched.load(Acquire));
        let mask = mask(used);
        let end = (used + CHUNK).min(touched).min(mask + 1);
        for bucket in used..end {
            self.split(bucket & (mask >> 1), bucket, mask);
        }
        self.extent.used.store(end, Relaxed);
    }

    /// Moves from one bucket to another what belongs there under a mask.
    fn split(&self, from: usize, to: usize, mask: usize) {
        let epoch = self.stamp().epoch;
        let [source, target] = [from, to].map(|bucket| self.slots.chunk::<SLOTS>(bucket));
        for (source, target) in source.iter().zip(target) {
            let (key, data) = source.read();
            let kept = data != 0 && Stamp::unpack(data).epoch == epoch;
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
    use super::super::{Entry, Paging};
    use super::*;
    use crate::random::Random;
    use crate::score::Score;
    use crate::selectivity::Selectivity;

    const MEBIBYTES: usize = 11;

    fn touched() -> Table {
        let table = Table::new(MEBIBYTES);
        table.begin_search(Paging::Ahead);
        while table.touch() {}
        table
    }

    fn entry(depth: u8) -> Entry {
        let score = Score::from_units(7);
        Entry { lower: score, upper: score, depth, selectivity: Selectivity::Off, best: None }
    }

    #[test]
    fn places_are_in_use_and_become_homes() {
        const ALL: usize = 45;
        let in_use = |used| Extent { used: AtomicUsize::new(used), touched: AtomicUsize::new(ALL) };
        for used in 1..=ALL {
            let [present, next] = [in_use(used), in_use(used + 1)];
            let places: Vec<_> = (0..ALL).map(|home| present.place(home)).collect();
            assert!(places.iter().all(|&place| place < used));
            assert!((0..used).all(|home| places[home] == home));
            // The buckets of the next size hold what comes from one bucket each of this size.
            assert!((0..ALL).all(|home| next.place(home) == used || next.place(home) == places[home]));
        }
    }

    #[test]
    fn nothing_is_lost_while_a_table_grows() {
        let table = touched();
        let mut random = Random::new(3);
        let mut stored = Vec::new();
        loop {
            for _ in 0..100 {
                let (key, depth) = (random.draw(), random.below(60) as u8);
                table.store(key, entry(depth));
                stored.push((key, depth));
            }
            for &(key, depth) in &stored {
                assert_eq!(table.probe(key), Some(entry(depth)), "{} buckets in use", table.extent.used());
            }
            if table.extent.used() == table.buckets() {
                break;
            }
            table.grow();
        }
        assert!(stored.len() >= 100 * (MEBIBYTES - 1) / 2, "a page at a time");
    }

    #[test]
    fn a_table_grows_as_it_is_filled_and_only_where_it_was_touched() {
        let table = Table::new(MEBIBYTES);
        let mut random = Random::new(4);
        let mut fill = |table: &Table| {
            for turn in 0..4 * table.buckets() {
                table.store(random.draw(), entry(9));
                if turn % 1000 == 0 {
                    table.make_room(turn);
                }
            }
        };
        fill(&table);
        assert_eq!(table.extent.used(), CHUNK, "nothing else is touched");
        while table.touch() {}
        table.make_room(0);
        assert_eq!(table.extent.used(), 2 * CHUNK, "one chunk at a time");
        table.forget();
        table.make_room(1);
        assert_eq!(table.extent.used(), 2 * CHUNK, "what was forgotten leaves room");
        fill(&table);
        assert_eq!(table.extent.used(), table.buckets());
        table.make_room(2);
    }

    #[test]
    fn a_search_that_must_be_reproducible_uses_the_whole_table() {
        let table = Table::new(MEBIBYTES);
        table.begin_search(Paging::OnDemand);
        assert_eq!(table.extent.used(), table.buckets());
        table.store(5, entry(9));
        assert!(!table.touch());
        table.begin_search(Paging::Ahead);
        assert_eq!(table.extent.used(), table.buckets(), "nothing is taken back");
        assert_eq!(table.probe(5), Some(entry(9)));
    }

    #[test]
    fn forgetting_keeps_what_is_in_use() {
        let table = touched();
        table.grow();
        let used = table.extent.used();
        table.store(5, entry(9));
        table.forget();
        assert_eq!((table.probe(5), table.extent.used()), (None, used));
        while table.extent.used() < table.buckets() {
            table.grow();
        }
        assert_eq!(table.probe(5), None);
    }
}
