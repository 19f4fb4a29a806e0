//! The transposition table: what earlier searches found out about positions.
//!
//! A bounded cache behind `&self`, shared by all search threads without locks. Each slot is two words, the key mixed
//! with the data and the data; a slot torn by two writers no longer matches any key, so a reader sees nothing rather
//! than something wrong.

mod growth;
#[cfg(all(loom, test))]
mod loom;

use std::sync::atomic::{AtomicU64 as SettledU64, Ordering::Relaxed};

use crate::board::Square;
use crate::memory::{CACHE_LINE, NoMemory, Slab, prefetch};
use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::sync::AtomicU64;

use growth::Extent;

/// What is known of a position, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value is at least this.
    pub lower: Score,
    /// The value is at most this.
    pub upper: Score,
    /// How many discs deep the search went; all empty squares if it went to the end.
    pub depth: u8,
    /// What the search left out on the way.
    pub selectivity: Selectivity,
    /// The best move found. It may belong to another position with the same key: check that it is legal.
    pub best: Option<Square>,
}

impl Entry {
    /// What a search with the window `alpha..beta` proved by returning `score`.
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

    /// A bound that shows whether the value is above `alpha`, if this is good enough to tell.
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

    fn pack(self, stamp: Stamp) -> u64 {
        let best = self.best.map_or(Self::NO_MOVE, |square| square as u8);
        let word = |score: Score| u64::from(score.units() as u16);
        word(self.lower)
            | word(self.upper) << 16
            | u64::from(self.depth) << 32
            | u64::from(best) << 40
            | stamp.pack()
            | (self.selectivity as u64) << 56
            | Self::IN_USE
    }

    fn unpack(data: u64) -> Option<Self> {
        let score = |shift: u32| Score::from_units(i32::from((data >> shift) as u16 as i16));
        (data & Self::IN_USE != 0).then(|| Self {
            lower: score(0),
            upper: score(16),
            depth: (data >> 32) as u8,
            selectivity: Selectivity::ALL[(data >> 56) as usize % Selectivity::ALL.len()],
            best: Square::from_index((data >> 40) as u8),
        })
    }

    /// Distinguishes data from a slot never written.
    const IN_USE: u64 = 1 << 63;
    const NO_MOVE: u8 = u8::MAX;
}

/// When an entry was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    /// Which search it was. Ages count in so many bits and then start anew.
    age: u8,
    /// How many times everything had been forgotten before.
    epoch: u8,
}

impl Stamp {
    const AGES: u8 = 0x7f;
    const EPOCHS: u8 = 0x1f;

    fn pack(self) -> u64 {
        u64::from(self.age) << 48 | u64::from(self.epoch) << 58
    }

    fn unpack(data: u64) -> Self {
        Self { age: (data >> 48) as u8 & Self::AGES, epoch: (data >> 58) as u8 & Self::EPOCHS }
    }

    /// How many searches began between the other one and this one.
    fn searches_since(self, other: Self) -> u8 {
        self.age.wrapping_sub(other.age) & Self::AGES
    }
}

#[cfg_attr(not(loom), derive(bytemuck::Zeroable))]
#[cfg_attr(loom, derive(Default))]
#[repr(C)]
struct Slot {
    key_and_data: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    fn read(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.key_and_data.load(Relaxed) ^ data, data)
    }

    fn write(&self, key: u64, data: u64) {
        self.key_and_data.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// How many slots one cache line holds.
const SLOTS: usize = CACHE_LINE / size_of::<Slot>();

/// The slots of a cache line: a position may be kept in any of them.
type Bucket = [Slot; SLOTS];

/// How a search comes by the table's memory, which the system provides only when it is first written to.
///
/// A large page costs milliseconds then, so a search that hits page after page for the first time does little else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paging {
    /// The whole table is in use from the first node on. Two searches of the same nodes do the same.
    OnDemand,
    /// A part of the table is in use. [`Table::touch`] has the system provide more memory meanwhile, and
    /// [`Table::make_room`] takes it into use as it is needed.
    Ahead,
}

/// A cache of [`Entry`]s by key.
pub struct Table {
    slots: Slab<Slot>,
    /// The part of the slots in use.
    extent: Extent,
    /// The stamp of what is stored now, packed. It changes only between searches, as the salt does, so that the models
    /// of the threads need not watch it.
    now: SettledU64,
    /// Mixed into all keys: with another one nothing that is in the table is ever found.
    salt: SettledU64,
}

impl Table {
    /// The memory that one entry takes.
    pub const PLACE_BYTES: usize = size_of::<Slot>();

    /// A table of so much memory, or less where there is not so much. The system provides the memory as it is used.
    #[must_use]
    pub fn new(mut mebibytes: usize) -> Self {
        loop {
            let buckets = ((mebibytes << 20) / CACHE_LINE).max(1);
            match Slab::zeroed(buckets * SLOTS) {
                Ok(slots) => return Self::from_slots(slots),
                Err(NoMemory) => mebibytes /= 2,
            }
            log::warn!("not enough memory for the table: making do with {mebibytes} MiB");
        }
    }

    fn from_slots(slots: Slab<Slot>) -> Self {
        let extent = Extent::first(slots.len() / SLOTS);
        Self { slots, extent, now: SettledU64::new(0), salt: SettledU64::new(0) }
    }

    /// Makes ready for another search; what earlier ones left gives way first from now on.
    pub fn begin_search(&self, paging: Paging) {
        if paging == Paging::OnDemand {
            self.extent.make_whole(self.buckets());
        }
        let Stamp { age, epoch } = self.stamp();
        self.now.store(Stamp { age: (age + 1) & Stamp::AGES, epoch }.pack(), Relaxed);
    }

    /// Forgets everything and keeps the memory: what is there is not found any more, and is as good as a free place.
    pub fn forget(&self) {
        // Adding this runs through all numbers before one comes back.
        self.salt.store(self.salt().wrapping_add(0x9e37_79b9_7f4a_7c15), Relaxed);
        let Stamp { age, epoch } = self.stamp();
        let epoch = (epoch + 1) & Stamp::EPOCHS;
        self.now.store(Stamp { age, epoch }.pack(), Relaxed);
        // Before an epoch's number is used again, what was stored then must be gone, or it would count as kept. A part
        // of the table each time: the whole of a large one takes a second.
        let (part, parts) = (usize::from(epoch), usize::from(Stamp::EPOCHS) + 1);
        let used = self.extent.used();
        for bucket in used * part / parts..used * (part + 1) / parts {
            self.slots.chunk::<SLOTS>(bucket).iter().for_each(|slot| slot.write(0, 0));
        }
    }

    fn stamp(&self) -> Stamp {
        Stamp::unpack(self.now.load(Relaxed))
    }

    #[inline]
    fn salt(&self) -> u64 {
        self.salt.load(Relaxed)
    }

    /// What is known of the position with this key.
    #[must_use]
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let salted = key ^ self.salt();
        self.bucket(key)
            .iter()
            .map(Slot::read)
            .find(|&(found, _)| found == salted)
            .and_then(|(_, data)| Entry::unpack(data))
    }

    /// Asks the memory for what is known of the position with this key, which will be wanted soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Keeps what was found out about the position with this key.
    pub fn store(&self, key: u64, entry: Entry) {
        let now = self.stamp();
        let bucket = self.bucket(key);
        let key = key ^ self.salt();
        let mut victim = (&bucket[0], i32::MAX);
        for slot in bucket {
            let (found, data) = slot.read();
            let (old, then) = (Entry::unpack(data), Stamp::unpack(data));
            let worth = match old {
                Some(old) if found == key => {
                    if let Some(merged) = merge(entry, old, then == now) {
                        slot.write(key, merged.pack(now));
                    }
                    return;
                }
                // An older search is worth as little as one so much less deep.
                Some(old) if then.epoch == now.epoch => {
                    i32::from(old.depth) - SEARCH_WORTH * i32::from(now.searches_since(then))
                }
                _ => i32::MIN,
            };
            if worth < victim.1 {
                victim = (slot, worth);
            }
        }
        victim.0.write(key, entry.pack(now));
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        self.slots.chunk(self.extent.place(self.home(key)))
    }

    /// The bucket of a key when the whole table is in use.
    #[inline]
    fn home(&self, key: u64) -> usize {
        // The high half of the product spreads keys evenly over any number of buckets.
        ((u128::from(key) * self.buckets() as u128) >> 64) as usize
    }

    #[inline]
    fn buckets(&self) -> usize {
        self.slots.len() / SLOTS
    }
}

/// How many discs of depth a search is worth that another one came after.
const SEARCH_WORTH: i32 = 8;

/// What a slot should hold once `new` is known of its position; nothing if `old` says more.
fn merge(new: Entry, old: Entry, same_search: bool) -> Option<Entry> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(units: i32, depth: u8, best: Option<Square>) -> Entry {
        let score = Score::from_units(units);
        Entry { lower: score, upper: score, depth, selectivity: Selectivity::Off, best }
    }

    fn table() -> Table {
        let table = Table::new(1);
        table.begin_search(Paging::OnDemand);
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
        table.begin_search(Paging::OnDemand);
        for key in 5..=8 {
            table.store(key, entry(0, 2, None));
        }
        assert!((5..=8).all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn nothing_forgotten_is_found_or_in_the_way() {
        // Keys of one bucket, more than it holds, over a few searches.
        let fill = |table: &Table| {
            for search in 0..4 {
                table.begin_search(Paging::OnDemand);
                for key in 1..=9 {
                    table.store(key, entry(0, (key * 7 + search) as u8 % 13, None));
                }
            }
            (1..=9).map(|key| table.probe(key)).collect::<Vec<_>>()
        };
        let expected = fill(&table());
        let used = table();
        for round in 0..200 {
            // Ages and epochs start anew several times on the way.
            for _ in 0..round {
                used.begin_search(Paging::OnDemand);
            }
            assert_eq!(fill(&used), expected, "{round}");
            used.forget();
            assert!((1..=9).all(|key| used.probe(key).is_none()));
        }
    }
}
