//! Common iterations under every order of their threads' steps.
//!
//! Loom reports a deadlock if threads wait for each other, so each model shows first of all that it ends: no wake-up is
//! lost, and helpers end with the search.

use std::sync::Arc;

use ::loom::thread;

use super::*;
use crate::sync::check;

/// Helpers take part in two iterations, in both, one or none; a result tells by its number of lines which one it
/// belongs to.
fn two_iterations(helpers: usize, preemptions: usize) {
    check(preemptions, move || {
        let common = Arc::new(CommonIteration::new(helpers + 1, helpers + 1));
        let help = |_| {
            let common = Arc::clone(&common);
            thread::spawn(move || {
                let mut last = None;
                while let Some((id, window)) = common.wait(last) {
                    last = Some(id);
                    common.finish(id, RootMoves::with_lines(window.round.depth.into()));
                    assert!(common.has_ended(id));
                }
            })
        };
        let threads: Vec<_> = (0..helpers).map(help).collect();
        for depth in [8, 9] {
            let id = common.begin(window_of_depth(depth));
            let found = common.end(id);
            assert!(common.has_ended(id) && !common.is_open());
            assert!(found.is_none_or(|found| found.lines() == usize::from(depth)));
        }
        common.shut_down();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    });
}

#[test]
fn a_helper_gets_each_iteration_or_misses_it() {
    two_iterations(1, 4);
}

#[test]
fn two_helpers_do_not_mix_iterations() {
    two_iterations(2, 2);
}
