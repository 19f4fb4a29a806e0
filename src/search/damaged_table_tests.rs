//! Searches while somebody damages the table: torn entries, and entries of other positions with the same key.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::tests::{random_walk, search};
use super::*;
use crate::random::Random;
use crate::tt::TableDamage;

/// Searches with this many threads while another thread damages the table, until the search ends.
fn search_damaged(task: &Task, depth: u8, threads: usize, damage: TableDamage) -> Iteration {
    let mut searcher = Searcher::new(threads, 1).batch();
    let (table, done) = (searcher.table(), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = Random::new(u64::from(depth));
            while !done.load(Relaxed) {
                table.damage(damage, &mut random);
            }
        });
        let found = search(&mut searcher, task, depth);
        done.store(true, Relaxed);
        found
    })
}

fn assert_line_is_legal(task: &Task, found: &Iteration, damage: TableDamage) {
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
