//! Real search threads that share the moves of one node, under every order of their steps.

use std::sync::Arc;

use ::loom::thread;

use super::*;
use crate::board::{Move, Position, Square};
use crate::eval::{Evaluation, PatternState};
use crate::score::Score;
use crate::search::best_so_far::BestSoFar;
use crate::search::limits::Budget;
use crate::sync::check;
use crate::tt::TableUse;

struct WorkerModel {
    task: Task,
    table: Table,
    control: Control,
    splits: SplitPoints,
}

impl WorkerModel {
    fn new(threads: usize) -> Arc<Self> {
        let start = Position::start(Size::default());
        let position = start.play(Move::Place(Square::D3)).expect("legal");
        let table = Table::new(0);
        table.begin_search(TableUse::Whole);
        Arc::new(Self {
            task: Task::new(position, Rules::Reversed),
            table,
            control: Control::new(&Budget::UNLIMITED),
            splits: SplitPoints::new(threads, threads),
        })
    }

    fn worker(&self, thread_id: usize) -> Worker<'_> {
        let Self { task, table, control, splits } = self;
        let evaluator = Evaluation::HandMade.evaluator(task.rules, task.position.size());
        // Leaked for each execution of the model; it ends with the process.
        let state = Box::leak(Box::new(ThreadState::new(evaluator)));
        Worker::new(
            &SearchContext { task, table, control, splits, grows_table: false, yields_cpu: false },
            state,
            thread_id,
        )
    }
}

/// Two threads search a node one ply deep, with or without a stop in between: they find what one thread finds, or
/// nothing.
fn shared_by_two(alpha: Score, preemptions: usize, is_stopped: bool) {
    check(preemptions, move || {
        let world = WorkerModel::new(2);
        let helper = Arc::clone(&world);
        let helper = thread::spawn(move || helper.worker(1).help_until_done());
        let stopper = Arc::clone(&world);
        let stopper = is_stopped.then(|| thread::spawn(move || stopper.control.stop()));

        let mut owner = world.worker(0);
        let state = PatternState::new(world.task.position.board());
        let moves = state.board.moves(owner.area);
        let expected = moves.into_iter().map(|square| owner.value_after(&state, square)).max();
        let candidates = owner.ordered(&state, moves, 1);
        let found = owner.split(candidates, 1, alpha, BestSoFar::nothing());
        match found {
            Ok(BestSoFar { score, best: square, .. }) => {
                assert!(square.is_some_and(|square| owner.value_after(&state, square) == score));
                let is_complete = Some(score) == expected && world.control.nodes() == u64::from(moves.len());
                assert!(score > alpha || is_complete);
            }
            Err(Stopped) => assert!(is_stopped),
        }

        world.splits.shut_down();
        helper.join().expect("no panic");
        if let Some(stopper) = stopper {
            stopper.join().expect("no panic");
        }
        assert!(owner.chain.is_empty() && !world.splits.has_idle_threads());
    });
}

impl Worker<'_> {
    fn value_after(&self, state: &PatternState, square: Square) -> Score {
        -self.evaluator.evaluate(&state.after(square))
    }
}

#[test]
fn two_workers_find_what_one_finds() {
    shared_by_two(Score::MAX, 3, false);
}

#[test]
fn two_workers_find_a_cutoff() {
    shared_by_two(-Score::MAX, 3, false);
}

#[test]
fn stopped_workers_find_all_or_nothing() {
    shared_by_two(Score::MAX, 2, true);
}
