//! Searches while somebody damages the table or the caches of the threads: torn and misplaced entries, and entries of other
//! positions with the same key.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::endgame_cache::CacheDamage;
use super::tests::{random_walk, search};
use super::*;
use crate::random::Random;
use crate::tt::TableDamage;

/// Searches with this many threads while another thread damages the table, until the search ends.
fn search_damaged(task: &Task, depth: u8, threads: usize, damage: TableDamage) -> Iteration {
    let mut searcher = Searcher::new(threads, 1).batch();
    let (table, done) = (searcher.table(), AtomicBool::new(false));
    thread::scope(|scope| {
        // A search that panics ends the damage, too: else the scope would wait for it for ever.
        let _end = OnDrop(|| done.store(true, Relaxed));
        scope.spawn(|| {
            let mut random = Random::new(u64::from(depth));
            while !done.load(Relaxed) {
                table.damage(damage, &mut random);
            }
        });
        search(&mut searcher, task, depth)
    })
}

struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The same with damage in the endgame caches of all threads, and in the bounds that they share.
fn search_with_damaged_caches(task: &Task, threads: usize, damage: CacheDamage) -> Iteration {
    let mut searcher = Searcher::new(threads, 1).batch();
    // Threads have caches once they have searched.
    search(&mut searcher, task, 1);
    assert_eq!(searcher.thread_states.len(), threads);
    for (seed, state) in (1..).zip(&mut searcher.thread_states) {
        state.cache.damage = Some((damage, Random::new(seed)));
    }
    assert_eq!(searcher.shared_bounds.is_some(), threads > 1);
    if let Some(bounds) = &mut searcher.shared_bounds {
        bounds.damage = Some(damage);
    }
    search(&mut searcher, task, 60)
}

fn assert_line_is_legal(task: &Task, found: &Iteration, damage: impl Debug) {
    let moves = &found.lines[0].moves;
    let end = moves.iter().try_fold(task.position, |position, &action| position.play(action));
    assert!(!moves.is_empty() && end.is_some(), "{damage:?}: {moves:?} in {:?}", task.position);
}

#[test]
fn torn_entries_and_foreign_moves_change_no_exact_score() {
    for seed in 0..12 {
        let rules = if seed % 2 == 0 { Rules::Reversed } else { Rules::Standard };
        let task = Task::new(random_walk(Size::Eight, 16 + seed as u32 % 3, seed), rules);
        let wanted = search(&mut Searcher::new(1, 1).batch(), &task, 60).lines[0].score;
        for damage in [TableDamage::Torn, TableDamage::ForeignMove] {
            let found = search_damaged(&task, 60, 1 + seed as usize % 4, damage);
            assert_eq!((found.lines[0].score, found.exact), (wanted, true), "{damage:?}, seed {seed}");
            assert_line_is_legal(&task, &found, damage);
        }
    }
}

#[test]
fn foreign_entries_never_bring_an_illegal_move() {
    for seed in 0..12 {
        let (empties, depth) = if seed % 3 == 0 { (17, 60) } else { (44, 11) };
        let rules = if seed % 2 == 0 { Rules::Reversed } else { Rules::Standard };
        let task = Task::new(random_walk(Size::Eight, empties, seed), rules);
        let found = search_damaged(&task, depth, 1 + seed as usize % 4, TableDamage::ForeignEntry);
        assert_line_is_legal(&task, &found, TableDamage::ForeignEntry);
    }
}

#[test]
fn misplaced_entries_of_the_endgame_caches_change_no_exact_score() {
    for seed in 0..12 {
        let rules = if seed % 2 == 0 { Rules::Reversed } else { Rules::Standard };
        let task = Task::new(random_walk(Size::Eight, 16 + seed as u32 % 3, seed), rules);
        let wanted = search(&mut Searcher::new(1, 1).batch(), &task, 60).lines[0].score;
        let found = search_with_damaged_caches(&task, 1 + seed as usize % 4, CacheDamage::Misplaced);
        assert_eq!((found.lines[0].score, found.exact), (wanted, true), "seed {seed}");
        assert_line_is_legal(&task, &found, CacheDamage::Misplaced);
    }
}

/// They may change a score, which hash collisions do once in 2⁶¹ lookups of a thread's cache, and once in 2⁶⁴ of the shared
/// bounds.
#[test]
fn foreign_bounds_in_the_endgame_caches_never_bring_an_illegal_move() {
    for seed in 0..12 {
        let rules = if seed % 2 == 0 { Rules::Reversed } else { Rules::Standard };
        let task = Task::new(random_walk(Size::Eight, 12 + seed as u32 % 6, seed), rules);
        let found = search_with_damaged_caches(&task, 1 + seed as usize % 4, CacheDamage::ForeignBounds);
        assert_line_is_legal(&task, &found, CacheDamage::ForeignBounds);
        assert!(found.lines[0].score.discs().abs() <= 64.0, "seed {seed}: {found:?}");
    }
}
