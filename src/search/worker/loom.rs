//! Real search threads that share the moves of one position, under every order of their steps.

use std::sync::Arc;

use ::loom::thread;

use super::*;
use crate::board::{Move, Position, Square};
use crate::eval::{Evaluation, PatternState};
use crate::score::Score;
use crate::search::limits::Budget;
use crate::sync::check;
use crate::tt::TableUse;

/// What the threads of a search look at.
struct World {
    task: Task,
    table: Table,
    control: Control,
    splits: SplitPoints,
}

impl World {
    fn new(threads: usize) -> Arc<Self> {
        let start = Position::start(Size::default());
        let position = start.play(Move::Place(Square::D3)).expect("legal");
        let table = Table::new(0);
        table.begin_search(TableUse::Whole);
        Arc::new(Self {
            task: Task::new(position, Rules::Reversed),
            table,
            control: Control::new(&Budget::UNLIMITED),
            splits: SplitPoints::new(threads),
        })
    }

    fn worker(&self, number: usize) -> Worker<'_> {
        let Self { task, table, control, splits } = self;
        let evaluator = Evaluation::HandMade.evaluator(task.rules, task.position.size());
        // A state for each execution of the model: it is gone with the process.
        let state = Box::leak(Box::new(ThreadState { cache: Cache::new(), evaluator }));
        Worker::new(
            &SearchContext { task, table, control, splits, grows: false, yields_cpu: false },
            state,
            number,
        )
    }
}

/// A position valued by two threads one ply deep, with a stop in between or without: they find what one thread finds, or
/// nothing.
fn shared_by_two(alpha: Score, preemptions: usize, is_stopped: bool) {
    check(preemptions, move || {
        let world = World::new(2);
        let helper = Arc::clone(&world);
        let helper = thread::spawn(move || helper.worker(1).assist());
        let stopper = Arc::clone(&world);
        let stopper = is_stopped.then(|| thread::spawn(move || stopper.control.stop()));

        let mut owner = world.worker(0);
        let view = PatternState::new(world.task.position.board());
        let moves = view.board.moves(owner.area);
        let expected = moves.into_iter().map(|square| owner.value_after(&view, square)).max();
        let candidates = owner.ordered(&view, moves, 1);
        let found = owner.share(candidates, 1, alpha, BestSoFar::nothing());
        match found {
            Ok(BestSoFar { score, best: square, .. }) => {
                assert!(square.is_some_and(|square| owner.value_after(&view, square) == score));
                let is_complete = Some(score) == expected && world.control.nodes() == u64::from(moves.len());
                assert!(score > alpha || is_complete);
            }
            Err(Stopped) => assert!(is_stopped),
        }

        world.splits.finish();
        helper.join().expect("no panic");
        if let Some(stopper) = stopper {
            stopper.join().expect("no panic");
        }
        assert!(owner.chain.is_empty() && !world.splits.has_idle());
    });
}

impl Worker<'_> {
    fn value_after(&self, view: &PatternState, square: Square) -> Score {
        -self.evaluator.evaluate(&view.after(square))
    }
}

#[test]
fn two_workers_find_what_one_finds() {
    shared_by_two(Score::MAX, 3, false);
}

#[test]
fn two_workers_find_a_cut() {
    shared_by_two(-Score::MAX, 3, false);
}

#[test]
fn stopped_workers_find_all_or_nothing() {
    shared_by_two(Score::MAX, 2, true);
}
