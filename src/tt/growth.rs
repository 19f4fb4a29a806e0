//! A table that grows while it is in use: by linear hashing, one chunk at a time.
//!
//! A table of 2ⁿ + m buckets has split its first m buckets: half of what belonged into one of them is 2ⁿ buckets further
//! on. The next chunk of buckets to be split is copied to memory that nobody has written to before, which is what takes
//! the time, and then counts as split.
//!
//! One thread grows a table that others search. What they store in a bucket while it is split may be lost, as it may when
//! another position takes its slot; what they find is still what was stored under that key.

use std::sync::atomic::Ordering::Relaxed;

use crate::memory::CACHE_LINE;
use crate::sync::AtomicUsize;

use super::{SLOTS, Stamp, Table};

/// Buckets split at a time: a large page of two mebibytes. The smallest table in use, so that whole pages are added.
const CHUNK: usize = if cfg!(loom) { 1 } else { (2 << 20) / CACHE_LINE };

/// The part of a table that is in use: so many buckets, from the first on.
#[derive(Debug)]
pub(super) struct Extent(AtomicUsize);

impl Extent {
    /// What a table of so many buckets begins with.
    pub(super) fn first(buckets: usize) -> Self {
        Self(AtomicUsize::new(buckets.min(CHUNK)))
    }

    pub(super) fn used(&self) -> usize {
        self.0.load(Relaxed)
    }

    /// Takes all of so many buckets into use.
    pub(super) fn make_whole(&self, buckets: usize) {
        self.0.store(buckets, Relaxed);
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
    /// Takes a further part of the memory into use, in about a millisecond; no other thread may do so at the same time.
    /// Returns whether there is more to do.
    pub fn grow(&self) -> bool {
        let (used, all) = (self.extent.used(), self.buckets());
        if used == all {
            return false;
        }
        let mask = mask(used);
        let end = (used + CHUNK).min(all).min(mask + 1);
        for bucket in used..end {
            self.split(bucket & (mask >> 1), bucket, mask);
        }
        // Unless a search has taken the whole of it into use meanwhile.
        let _ = self.extent.0.compare_exchange(used, end, Relaxed, Relaxed);
        end < all
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
    use crate::certainty::Certainty;
    use crate::random::Random;
    use crate::score::Score;

    const MEBIBYTES: usize = 11;

    fn growing() -> Table {
        let table = Table::new(MEBIBYTES);
        table.begin_search(Paging::Ahead);
        table
    }

    fn entry(depth: u8) -> Entry {
        let score = Score::from_units(7);
        Entry { lower: score, upper: score, depth, certainty: Certainty::Full, best: None }
    }

    #[test]
    fn places_are_in_use_and_become_homes() {
        const ALL: usize = 45;
        for used in 1..=ALL {
            let extent = Extent(AtomicUsize::new(used));
            let places: Vec<_> = (0..ALL).map(|home| extent.place(home)).collect();
            assert!(places.iter().all(|&place| place < used));
            assert!((0..used).all(|home| places[home] == home));
            // The buckets of the next size hold what comes from one bucket each of this size.
            let next = Extent(AtomicUsize::new(used + 1));
            assert!((0..ALL).all(|home| next.place(home) == used || next.place(home) == places[home]));
        }
    }

    #[test]
    fn nothing_is_lost_while_a_table_grows() {
        let table = growing();
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
            if !table.grow() {
                break;
            }
        }
        assert_eq!(table.extent.used(), table.buckets());
        assert!(stored.len() >= 100 * (MEBIBYTES - 1) / 2, "a page at a time");
    }

    #[test]
    fn a_search_that_must_be_reproducible_uses_the_whole_table() {
        let table = growing();
        table.begin_search(Paging::OnDemand);
        assert_eq!(table.extent.used(), table.buckets());
        assert!(!table.grow());
        table.begin_search(Paging::Ahead);
        assert_eq!(table.extent.used(), table.buckets(), "nothing is taken back");
    }

    #[test]
    fn forgetting_keeps_what_is_in_use() {
        let table = growing();
        table.grow();
        let used = table.extent.used();
        table.store(5, entry(9));
        table.forget();
        assert_eq!((table.probe(5), table.extent.used()), (None, used));
        while table.grow() {}
        assert_eq!(table.probe(5), None);
    }
}
