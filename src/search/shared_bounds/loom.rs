//! Shared bounds under every interleaving: what is found for a board was stored for it.

use std::sync::Arc;

use ::loom::thread;

use super::*;
use crate::sync::check;

const EMPTIES: u32 = 10;

/// Two boards with one slot: the lowest bits are the same.
const BOARDS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0x3c6e_f372_fe94_f82b];

/// A null-window search and its result.
#[derive(Clone, Copy)]
struct Stored {
    board: u64,
    alpha: i32,
    found: i32,
}

const fn lower(board: u64, discs: i32) -> Stored {
    Stored { board, alpha: discs - 1, found: discs }
}

const fn upper(board: u64, discs: i32) -> Stored {
    Stored { board, alpha: discs, found: discs }
}

const OURS: u64 = BOARDS[0];
const RIVAL: u64 = BOARDS[1];

/// Each thread stores its results in turn. What another one finds meanwhile for our board, and what is found afterwards, is
/// a bound that was stored for it, or tells nothing.
fn race(preemptions: usize, threads: &'static [&'static [Stored]]) {
    check(preemptions, move || {
        let bounds = Arc::new(SharedBounds::new().expect("there is memory"));
        let look = move |bounds: &SharedBounds| {
            let is_stored = |discs, is_lower| {
                let mut ours = threads.iter().copied().flatten().filter(|stored| stored.board == OURS);
                ours.any(|&Stored { alpha, found, .. }| found == discs && (found > alpha) == is_lower)
            };
            let lower = bounds.decides(OURS, EMPTIES, -65);
            assert!(lower.is_none_or(|discs| discs == -64 || is_stored(discs, true)), "{lower:?}");
            let upper = bounds.decides(OURS, EMPTIES, 64);
            assert!(upper.is_none_or(|discs| discs == 64 || is_stored(discs, false)), "{upper:?}");
        };
        let write = |&stores: &&'static [Stored]| {
            let bounds = Arc::clone(&bounds);
            thread::spawn(move || {
                for &Stored { board, alpha, found } in stores {
                    bounds.store(board, EMPTIES, alpha, found);
                }
            })
        };
        let mut running: Vec<_> = threads.iter().map(write).collect();
        // Begun last, as in the model of the table.
        let reader = Arc::clone(&bounds);
        running.push(thread::spawn(move || look(&reader)));
        for thread in running {
            thread.join().expect("no panic");
        }
        look(&bounds);
        let is_known = |&board: &u64| bounds.decides(board, EMPTIES, 64).is_some();
        assert!(BOARDS.iter().any(is_known), "one of two results may be lost, not both");
    });
}

#[test]
fn boards_with_one_slot_do_not_mix() {
    const STORES: [[Stored; 2]; 2] =
        [[lower(OURS, 4), upper(OURS, 10)], [upper(RIVAL, -20), lower(RIVAL, -30)]];
    race(2, const { &[&STORES[0], &STORES[1]] });
}

#[test]
fn writers_of_one_board_do_not_mix() {
    const STORES: [[Stored; 2]; 2] = [[lower(OURS, 4), lower(OURS, 6)], [upper(OURS, 12), upper(OURS, 8)]];
    race(2, const { &[&STORES[0], &STORES[1]] });
}

#[test]
fn a_board_comes_back_without_the_bounds_of_its_rival() {
    const STORES: [Stored; 3] = [lower(OURS, 4), lower(RIVAL, 30), upper(OURS, 8)];
    race(1, const { &[&[STORES[0]], &[STORES[1]], &[STORES[2]]] });
}
