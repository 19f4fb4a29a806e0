//! Common iterations under every order of their threads' steps.

use std::sync::Arc;

use ::loom::thread;

use super::*;
use crate::board::{Position, Size};
use crate::sync::check;

fn root(depth: u8) -> SharedRoot {
    SharedRoot {
        state: PatternState::new(Position::start(Size::Eight).board()),
        moves: Candidates::default(),
        depth,
        alpha: -Score::INFINITY,
        beta: Score::INFINITY,
        selectivity: Selectivity::P73,
    }
}

/// A result that tells the depth of its iteration.
fn result(depth: u8) -> RootResult {
    RootResult { score: Score::from_units(depth.into()), line: Moves::new() }
}

#[test]
fn results_belong_to_their_iteration() {
    check(3, || {
        let common = Arc::new(CommonIteration::new(2));
        let helpers: Vec<_> = (0..2)
            .map(|_| {
                let common = Arc::clone(&common);
                thread::spawn(move || {
                    if let Some((id, root)) = common.get() {
                        common.finish(id, result(root.depth));
                        assert!(common.has_ended(id));
                    }
                })
            })
            .collect();
        for depth in [8, 9] {
            let id = common.begin(root(depth));
            let found = common.end(id);
            assert!(common.has_ended(id) && !common.is_open());
            assert!(found.is_none_or(|found| found == result(depth)));
        }
        helpers.into_iter().for_each(|helper| helper.join().expect("no panic"));
    });
}
