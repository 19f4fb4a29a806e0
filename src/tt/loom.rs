//! The table under every interleaving: what is found under a key was stored under it.

use std::sync::Arc;

use ::loom::thread;

use super::entry::SLOTS;
use super::{Entry, Table, TableUse};
use crate::board::Square;
use crate::memory::ZeroedBuffer;
use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::sync::check;

/// The smallest table, of one bucket, so that all keys are rivals.
fn table() -> Table {
    let table = Table::new(0);
    table.begin_search(TableUse::Whole);
    table
}

/// Keys like any others: the halves of different slots do not pass for one by chance.
const KEYS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0x3c6e_f372_fe94_f82b];

fn entry(units: i32, depth: u8, best: Square) -> Entry {
    let score = Score::from_units(units);
    Entry { lower: score, upper: score, depth, selectivity: Selectivity::Off, best: Some(best) }
}

/// Stores all at once, each in a thread of its own, and holds what is found meanwhile and afterwards under `KEYS[0]`
/// against what may be there.
fn race(table: Table, stores: &[(u64, Entry)], allowed: [Option<Entry>; 3]) {
    let table = Arc::new(table);
    let look = move |table: &Table| {
        let found = table.probe(KEYS[0]);
        assert!(found.is_none() || allowed.contains(&found), "{found:?}");
    };
    let write = |&(key, entry)| {
        let table = Arc::clone(&table);
        thread::spawn(move || table.store(key, entry))
    };
    let mut threads: Vec<_> = stores.iter().map(write).collect();
    // Begun last: loom finds what to try another way round from loads that come after the stores, but not always from
    // loads before them.
    let reader = Arc::clone(&table);
    threads.push(thread::spawn(move || look(&reader)));
    for thread in threads {
        thread.join().expect("no panic");
    }
    look(&table);
}

#[test]
fn rivals_for_an_empty_slot_do_not_mix() {
    check(2, || {
        let (ours, other) = (entry(700, 9, Square::C4), entry(-300, 5, Square::H8));
        race(table(), &[(KEYS[0], ours), (KEYS[1], other)], [Some(ours), None, None]);
    });
}

#[test]
fn rivals_for_a_full_bucket_do_not_mix() {
    check(2, || {
        let table = table();
        let victim = entry(1, 1, Square::A1);
        table.store(KEYS[0], victim);
        for key in 1..=3 {
            table.store(key, entry(0, 20, Square::B2));
        }
        let (ours, other) = (entry(700, 9, Square::C4), entry(-300, 5, Square::H8));
        race(table, &[(KEYS[0], ours), (KEYS[1], other)], [Some(victim), Some(ours), None]);
    });
}

#[test]
fn writers_of_one_key_do_not_mix() {
    check(2, || {
        let table = table();
        let [first, second, third] =
            [entry(1, 1, Square::A1), entry(700, 9, Square::C4), entry(-300, 5, Square::H8)];
        table.store(KEYS[0], first);
        race(table, &[(KEYS[0], second), (KEYS[0], third)], [first, second, third].map(Some));
    });
}

#[test]
fn bounds_meet_or_stay_apart() {
    check(2, || {
        let score = Score::from_units;
        let base = entry(0, 5, Square::D3);
        let at_least = Entry { lower: score(10), upper: Score::MAX, ..base };
        let at_most = Entry { lower: -Score::MAX, upper: score(30), ..base };
        let both = Entry { lower: score(10), upper: score(30), ..base };
        race(table(), &[(KEYS[0], at_least), (KEYS[0], at_most)], [at_least, at_most, both].map(Some));
    });
}

/// A key of the second of two buckets.
const UPPER: u64 = 1 << 63 | KEYS[1];

/// A table of two buckets, one of which is in use.
fn growing() -> Table {
    let table = Table::from_slots(ZeroedBuffer::new(2 * SLOTS));
    while table.prefault() {}
    table
}

/// Grows a table while an entry of its upper half is looked for and these are stored, each in a thread of its own: what
/// is found is what was stored under the key, or nothing.
fn race_with_growth(preemptions: usize, stores: &'static [(u64, (i32, u8, Square))]) {
    check(preemptions, move || {
        let table = growing();
        let old = entry(1, 1, Square::A1);
        table.store(UPPER, old);
        let table = Arc::new(table);
        let grower = Arc::clone(&table);
        let mut threads = vec![thread::spawn(move || grower.grow())];
        let mut allowed = vec![None, Some(old)];
        for &(key, (units, depth, best)) in stores {
            let (table, entry) = (Arc::clone(&table), entry(units, depth, best));
            allowed.extend((key == UPPER).then_some(Some(entry)));
            threads.push(thread::spawn(move || table.store(key, entry)));
        }
        let look = |table: &Table| {
            let found = table.probe(UPPER);
            assert!(allowed.contains(&found), "{found:?}");
        };
        look(&table);
        for thread in threads {
            thread.join().expect("no panic");
        }
        look(&table);
    });
}

const OURS: (u64, (i32, u8, Square)) = (UPPER, (700, 9, Square::C4));
const RIVAL: (u64, (i32, u8, Square)) = (KEYS[0] >> 1, (-300, 5, Square::H8));

#[test]
fn a_growing_table_does_not_mix() {
    race_with_growth(2, &[OURS]);
    race_with_growth(2, &[RIVAL]);
    // Two writers at once take turns in their own models too: here they meet the growth between their steps.
    race_with_growth(1, &[OURS, RIVAL]);
}
