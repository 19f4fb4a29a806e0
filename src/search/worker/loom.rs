//! Real search threads in a common iteration, under every order of their steps.

use std::sync::Arc;

use ::loom::thread;

use super::*;
use crate::board::{Move, Position, Square};
use crate::eval::Evaluation;
use crate::score::Score;
use crate::search::common_iteration::{Round, SharedWindow};
use crate::search::limits::Budget;
use crate::search::root_moves::RootMoves;
use crate::sync::check;
use crate::tt::TableUse;

struct WorkerModel {
    task: Task,
    table: Table,
    control: Control,
    common: CommonIteration,
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
            common: CommonIteration::new(threads, threads),
        })
    }

    fn worker(&self, thread_id: usize) -> Worker<'_> {
        let Self { task, table, control, common } = self;
        let evaluator = Evaluation::HandMade.evaluator(task.rules, task.position.size());
        // Leaked for each execution of the model; it ends with the process.
        let state = Box::leak(Box::new(ThreadState::new(evaluator)));
        Worker::new(
            &SearchContext {
                task,
                table,
                control,
                common,
                shared_bounds: None,
                grows_table: false,
                yields_cpu: false,
            },
            state,
            thread_id,
        )
    }
}

/// Two threads search the root one ply deep, with or without a stop in between: they find what one thread finds, or
/// nothing.
fn shared_by_two(preemptions: usize, is_stopped: bool) {
    check(preemptions, move || {
        let world = WorkerModel::new(2);
        let helper = Arc::clone(&world);
        let helper = thread::spawn(move || helper.worker(1).help_until_done());
        let stopper = Arc::clone(&world);
        let stopper = is_stopped.then(|| thread::spawn(move || stopper.control.stop()));

        let mut owner = world.worker(0);
        let mut moves = RootMoves::new(&world.task, owner.evaluator);
        let expected = moves.list[0].line.score;
        let (alpha, beta) = (-Score::INFINITY, Score::INFINITY);
        let round = Round { depth: 1, selectivity: Selectivity::Off };
        // Before the last ply, so that no thread is ahead.
        let shared = moves.without_lines();
        let (to_the_end, deepest, next_selectivity) = (false, 1, round.selectivity);
        let window =
            SharedWindow { moves: shared, round, to_the_end, deepest, next_selectivity, alpha, beta };
        let id = world.common.begin(window);
        owner.begin_sharing(id, round.depth, false);
        let own = owner.search_window(&mut moves, 1, alpha, beta);
        owner.end_sharing();
        let others = world.common.end(id);
        assert!(own.is_ok() || others.is_some() || is_stopped);
        for found in own.ok().map(|()| moves).into_iter().chain(others) {
            assert_eq!(found.list[0].line.score, expected);
        }

        world.common.shut_down();
        helper.join().expect("no panic");
        if let Some(stopper) = stopper {
            stopper.join().expect("no panic");
        }
    });
}

#[test]
fn two_workers_find_what_one_finds() {
    shared_by_two(3, false);
}

#[test]
fn stopped_workers_find_all_or_nothing() {
    shared_by_two(2, true);
}
