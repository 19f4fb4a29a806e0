//! The search against plain minimax, and properties of every search.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::error_models::check_depths;
use super::line::Moves;
use super::node_type::NodeType;
use super::*;
use crate::board::{Board, Color};
use crate::eval::{Evaluator, PatternState};
use crate::score::Discs;
use crate::time_source::Timestamp;

pub(super) fn random_walk(size: Size, empties: u32, mut seed: u64) -> Position {
    let mut position = Position::start(size);
    while position.empties().len() > empties && !position.is_over() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves: Vec<_> = position.moves().into_iter().map(Move::Place).collect();
        let action = if moves.is_empty() { Move::Pass } else { moves[(seed >> 33) as usize % moves.len()] };
        position = position.play(action).expect("legal");
    }
    position
}

fn minimax(evaluator: &Evaluator, rules: Rules, size: Size, board: Board, depth: u8) -> Score {
    let area = size.squares();
    if depth == 0 {
        return evaluator.evaluate(&PatternState::new(board));
    }
    if board.is_over(area) {
        return rules.result(board, size).into();
    }
    let moves = board.moves(area);
    if moves.is_empty() {
        return -minimax(evaluator, rules, size, board.passed(), depth);
    }
    let value = |square| -minimax(evaluator, rules, size, board.play(square).expect("legal"), depth - 1);
    moves.into_iter().map(value).max().expect("there are moves")
}

pub(super) fn search(searcher: &mut Searcher, task: &Task, depth: u8) -> Iteration {
    let control = Control::new(&Budget { depth: Some(depth), ..Budget::UNLIMITED });
    searcher.run(task, &control, &mut |_| {}).last
}

/// Lets a thread work by itself, with an empty table.
fn with_worker<T>(task: &Task, work: impl FnOnce(&mut Worker) -> T) -> T {
    let mut searcher = Searcher::new(1, 1);
    let table = searcher.table();
    table.begin_search(TableUse::Whole);
    searcher.prepare_threads(task);
    let (control, common) = (&Control::new(&Budget::UNLIMITED), &CommonIteration::new(1, 1));
    let search = SearchContext {
        task,
        table: &table,
        control,
        common,
        shared_bounds: None,
        grows_table: false,
        yields_cpu: false,
    };
    work(&mut Worker::new(&search, &mut searcher.thread_states[0], 0))
}

fn sizes() -> impl Strategy<Value = Size> {
    prop_oneof![Just(Size::Four), Just(Size::Six), Just(Size::Eight)]
}

fn rule_sets() -> impl Strategy<Value = Rules> {
    prop_oneof![Just(Rules::Reversed), Just(Rules::Standard)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn fixed_depths_agree_with_minimax(
        size in sizes(), rules in rule_sets(), empties in 4_u32..60, depth in 1_u8..5, seed in any::<u64>()
    ) {
        let position = random_walk(size, empties, seed);
        prop_assume!(!position.is_over());
        let depth = depth.min(position.empties().len() as u8);
        let lines = 1 + (seed % 3) as usize;
        let task = Task { lines, mode: SearchMode::FullWidth, ..Task::new(position, rules) };
        let found = search(&mut Searcher::new(1, 1), &task, depth);
        let evaluator = Evaluator::new(rules, size);
        let wanted = minimax(&evaluator, rules, size, position.board(), depth);
        prop_assert_eq!(found.lines[0].score, wanted);
    }

    #[test]
    fn multi_pv_values_are_exact(
        rules in rule_sets(), empties in 1_u32..50, depth in 1_u8..4, lines in 1_usize..8, seed in any::<u64>()
    ) {
        let position = random_walk(Size::Eight, empties, seed);
        prop_assume!(!position.moves().is_empty());
        let depth = depth.min(position.empties().len() as u8);
        let found = search(&mut Searcher::new(1, 1), &Task { lines, mode: SearchMode::FullWidth, ..Task::new(position, rules) }, depth);
        let evaluator = Evaluator::new(rules, Size::Eight);
        let mut values: Vec<_> = position
            .moves()
            .into_iter()
            .map(|s| -minimax(&evaluator, rules, Size::Eight, position.board().play(s).expect("legal"), depth - 1))
            .collect();
        values.sort_by_key(|&value| std::cmp::Reverse(value));
        values.truncate(lines);
        prop_assert_eq!(found.lines.iter().map(|line| line.score).collect::<Vec<_>>(), values);
    }

    #[test]
    fn an_included_move_has_its_value(
        rules in rule_sets(), empties in 1_u32..50, depth in 1_u8..8, lines in 1_usize..4, seed in any::<u64>()
    ) {
        let position = random_walk(Size::Eight, empties, seed);
        let moves: Vec<_> = position.moves().into_iter().collect();
        prop_assume!(!moves.is_empty());
        let square = moves[seed as usize % moves.len()];
        let depth = depth.min(if empties > 12 { 4 } else { 8 }).min(position.empties().len() as u8);
        let include = Some(Move::Place(square));
        let is_solved = u32::from(depth) == position.empties().len();
        let mode = if is_solved { SearchMode::BestMove } else { SearchMode::FullWidth };
        let task = Task { lines, include, mode, ..Task::new(position, rules) };
        let threads = 1 + (seed % 2) as usize;
        let found = search(&mut Searcher::new(threads, 1), &task, depth);
        let evaluator = Evaluator::new(rules, Size::Eight);
        let next = position.board().play(square).expect("legal");
        let value = -minimax(&evaluator, rules, Size::Eight, next, depth - 1);
        let included = found.lines.iter().find(|line| line.moves.first().copied() == include);
        prop_assert_eq!(included.map(|line| line.score), Some(value));
        prop_assert!(found.lines.len() <= lines + 1);
    }

    #[test]
    fn lines_replay_to_their_value(rules in rule_sets(), empties in 1_u32..13, seed in any::<u64>()) {
        let position = random_walk(Size::Eight, empties, seed);
        prop_assume!(!position.is_over());
        let found = search(&mut Searcher::new(1, 1), &Task { lines: 3, ..Task::new(position, rules) }, 60);
        prop_assert!(found.exact);
        for line in found.lines {
            let end = line.moves.iter().try_fold(position, |p, &action| p.play(action)).expect("legal");
            prop_assert!(end.is_over());
            let result = rules.result(end.with_side(position.side()).board(), Size::Eight);
            prop_assert_eq!(Score::from(result), line.score);
        }
    }

    #[test]
    fn threads_and_a_warm_table_do_not_change_exact_results(
        rules in rule_sets(), empties in 6_u32..14, seed in any::<u64>()
    ) {
        let position = random_walk(Size::Eight, empties, seed);
        prop_assume!(!position.is_over());
        let task = Task::new(position, rules);
        let alone = search(&mut Searcher::new(1, 1), &task, 60).lines[0].score;
        let mut pair = Searcher::new(2, 1);
        prop_assert_eq!(search(&mut pair, &task, 60).lines[0].score, alone);
        prop_assert_eq!(search(&mut pair, &Task { lines: 2, ..task }, 60).lines[0].score, alone);
    }

    #[test]
    fn unselective_results_of_a_selective_search_are_exact(
        rules in rule_sets(), empties in 13_u32..17, alpha in -20_i8..20, seed in any::<u64>()
    ) {
        let position = random_walk(Size::Eight, empties, seed);
        prop_assume!(!position.is_over());
        let task = Task::new(position, rules);
        let truth = search(&mut Searcher::new(1, 1), &task, 60).lines[0].score;
        let alpha = Discs(alpha).into();
        with_worker(&task, |worker| {
            worker.selectivity = Selectivity::P73;
            // The second time the table has the position.
            for _ in 0..2 {
                let bound = worker.null_window(&PatternState::new(position.board()), empties as u8, alpha, NodeType::Cut);
                if worker.result_selectivity == Selectivity::Off {
                    prop_assert_eq!(bound.map(|bound| bound > alpha), Ok(truth > alpha));
                }
            }
            Ok(())
        })?;
    }
}

#[test]
fn one_thread_and_a_fixed_depth_give_the_same_search_twice() {
    let task = Task::new(random_walk(Size::Eight, 40, 7), Rules::Reversed);
    let [first, second] = [(); 2].map(|()| search(&mut Searcher::new(1, 1), &task, 7));
    assert_eq!(first, second);
}

#[test]
fn many_threads_solve_what_one_solves() {
    for (threads, rules) in [(4, Rules::Reversed), (8, Rules::Standard), (16, Rules::Reversed)] {
        let task = Task::new(random_walk(Size::Eight, 20, threads as u64), rules);
        let [alone, together] =
            [1, threads].map(|threads| search(&mut Searcher::new(threads, 4).batch(), &task, 60));
        assert_eq!((together.lines[0].score, together.exact), (alone.lines[0].score, true));
    }
}

#[test]
fn many_threads_end_a_midgame_search_with_a_legal_line() {
    for (threads, rules) in [(4, Rules::Standard), (8, Rules::Reversed), (16, Rules::Standard)] {
        let mut searcher = Searcher::new(threads, 4).batch();
        for seed in 0..4 {
            let task = Task::new(random_walk(Size::Eight, 44, seed), rules);
            let found = search(&mut searcher, &task, 14);
            assert_eq!(found.depth, 14);
            let end = found.lines[0].moves.iter().try_fold(task.position, |p, &action| p.play(action));
            assert!(end.is_some_and(|end| end.empties().len() <= 44 - 14), "{:?}", found.lines);
        }
    }
}

#[test]
fn a_line_is_completed_from_the_table_or_by_searches() {
    let task = Task::new(random_walk(Size::Eight, 40, 3), Rules::Reversed);
    let board = task.position.board();
    let (searched, lines) = with_worker(&task, |worker| {
        let mut searched = Moves::new();
        let infinity = Score::INFINITY;
        worker.pvs(&PatternState::new(board), 6, -infinity, infinity, &mut searched).expect("not stopped");
        let lines = [0, 1, 6].map(|kept| {
            let mut line = searched[..kept].to_vec();
            worker.complete_line(board, 12, &mut line);
            line
        });
        (searched, lines)
    });
    for line in lines {
        assert_eq!(line[..6], searched[..6]);
        let end = line.iter().try_fold(task.position, |position, &action| position.play(action));
        assert_eq!(end.map(|end| end.empties().len()), Some(40 - 12));
    }
}

#[test]
fn a_symmetric_position_has_one_best_move_for_all_threads() {
    let task = Task::new(Position::start(Size::Eight), Rules::Reversed);
    let found = search(&mut Searcher::new(4, 1).batch(), &task, 12);
    assert!(task.position.play(found.best()).is_some());
    assert_eq!(found.lines[0].moves[0], found.best());
}

#[test]
fn a_search_stopped_before_it_began_still_has_a_legal_move() {
    let position = Position::start(Size::Eight);
    let control = Control::new(&Budget::UNLIMITED);
    control.stop();
    let task = Task::new(position, Rules::Reversed);
    let outcome = Searcher::new(2, 1).run(&task, &control, &mut |_| panic!("no depth can be completed"));
    assert!(position.play(outcome.best()).is_some());
    assert_eq!(outcome.last.depth, 0);
}

#[test]
fn a_node_limit_is_kept_within_a_poll() {
    let task = Task::new(Position::start(Size::Eight), Rules::Standard);
    let control = Control::new(&Budget { nodes: Some(10_000), ..Budget::UNLIMITED });
    let outcome = Searcher::new(1, 1).run(&task, &control, &mut |_| {});
    assert!((10_000..11_000).contains(&outcome.last.nodes), "{}", outcome.last.nodes);
}

#[test]
fn a_hard_deadline_ends_an_unlimited_search() {
    let task = Task { lines: 64, ..Task::new(Position::start(Size::Eight), Rules::Reversed) };
    let control = Control::new(&Budget { hard: Some(Timestamp::now()), ..Budget::UNLIMITED });
    assert!(Searcher::new(2, 1).run(&task, &control, &mut |_| {}).last.depth < 60);
}

#[test]
fn a_must_pass_position_passes_and_a_finished_one_has_no_lines() {
    use crate::board::{Bitboard, Square};
    let position = |white: Bitboard| {
        Position::new(Square::A1.into(), white, Color::White, Size::Eight).expect("disjoint")
    };
    let task = Task { lines: 4, ..Task::new(position(Square::B1.into()), Rules::Reversed) };
    let found = search(&mut Searcher::new(1, 1), &task, 60);
    assert_eq!(found.lines[0].moves, [Move::Pass, Move::Place(Square::C1)]);
    assert_eq!(found.lines[0].score, Score::MAX, "wiped out, White has won");
    let over = search(&mut Searcher::new(1, 1), &Task { position: position(Bitboard::EMPTY), ..task }, 60);
    assert_eq!((over.lines.len(), over.exact), (0, true));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let task = Task::new(random_walk(Size::Eight, 12, 3), Rules::Reversed);
    let all = search(&mut Searcher::new(1, 1), &Task { lines: 64, ..task }, 60).lines;
    assert!(all.len() > 2);
    let mut searcher = Searcher::new(2, 1);
    for line in all.iter().rev() {
        let Move::Place(square) = line.moves[0] else { panic!("there are moves") };
        let alone = search(&mut searcher, &Task { only: square.into(), ..task }, 60);
        assert_eq!((alone.lines[0].moves[0], alone.lines[0].score), (line.moves[0], line.score));
    }
    assert_eq!(search(&mut searcher, &task, 60).lines[0].score, all[0].score, "nothing of it stays");
    let occupied = Task { only: task.position.board().discs(), ..task };
    assert_eq!(search(&mut searcher, &occupied, 60).lines[0].score, all[0].score, "none of them is legal");
}

#[test]
fn a_change_of_rules_clears_stored_values() {
    let position = random_walk(Size::Eight, 12, 3);
    let mut searcher = Searcher::new(1, 1);
    let score =
        |searcher: &mut Searcher, rules| search(searcher, &Task::new(position, rules), 60).lines[0].score;
    let reversed = score(&mut searcher, Rules::Reversed);
    let standard = score(&mut searcher, Rules::Standard);
    assert_eq!(score(&mut Searcher::new(1, 1), Rules::Standard), standard);
    assert_eq!(score(&mut searcher, Rules::Reversed), reversed);
}

fn measure_cuts(task: &Task, depth: u8, verify_every: u64) -> (Iteration, CutStatistics) {
    let mut statistics = CutStatistics::new(verify_every, Selectivity::P95);
    let control = Control::new(&Budget { depth: Some(depth), ..Budget::UNLIMITED });
    let found = Searcher::new(1, 1).measure_cuts(task, &control, &mut statistics).last;
    (found, statistics)
}

#[test]
fn measuring_cuts_does_not_change_the_search() {
    for rules in Rules::ALL {
        // The second one is searched to the end of the game.
        for (empties, depth) in [(40, 8), (15, 60)] {
            let task = Task::new(random_walk(Size::Eight, empties, 5), rules);
            let plain = search(&mut Searcher::new(1, 1), &task, depth);
            let (found, unverified) = measure_cuts(&task, depth, 0);
            assert_eq!((&found, unverified.nodes()), (&plain, plain.nodes));
            let (found, verified) = measure_cuts(&task, depth, 3);
            assert_eq!(found.lines, plain.lines);
            assert_eq!(found.nodes, plain.nodes + verified.verification_nodes());
            let costs = |statistics: &CutStatistics| -> Vec<_> {
                let cost = |(site, counts)| (site, CutCounts { verified: 0, wrong: 0, ..counts });
                statistics.sites().map(cost).collect()
            };
            assert_eq!(costs(&verified), costs(&unverified));
            assert_eq!(verified.nodes(), unverified.nodes());
        }
    }
}

#[test]
fn counts_of_cuts_add_up() {
    let task = Task::new(random_walk(Size::Eight, 40, 7), Rules::Reversed);
    let (_, statistics) = measure_cuts(&task, 10, 5);
    let counts: BTreeMap<_, _> = statistics.sites().collect();
    for (&site, found) in &counts {
        assert!(found.cuts <= found.tries && found.searches <= found.tries, "{site:?}: {found:?}");
        assert_eq!(found.verified, found.cuts.div_ceil(5), "{site:?}");
        assert!(found.wrong <= found.verified, "{site:?}: {found:?}");
        let [first, second] = check_depths(site.depth);
        if site.check > 0 && site.check == first {
            // The second check is tried where the first one fails.
            let second = counts.get(&CutSite { check: second, ..site }).copied().unwrap_or_default();
            assert_eq!(found.tries, found.cuts + second.tries, "{site:?}");
        }
    }
    assert!(counts.keys().any(|site| site.nesting > 0) && counts.values().any(|found| found.wrong > 0));
}

#[test]
fn a_search_without_selective_cuts_records_none() {
    let task = Task::new(random_walk(Size::Eight, 40, 7), Rules::Reversed);
    let full_width = Task { mode: SearchMode::FullWidth, ..task };
    let (found, statistics) = measure_cuts(&full_width, 5, 1);
    assert_eq!((statistics.sites().count(), statistics.nodes()), (0, found.nodes));
}

#[test]
fn a_forced_move_takes_no_time_where_it_is_played() {
    // All moves are the same one by symmetry.
    let task = Task::new(Position::start(Size::Eight), Rules::Reversed);
    let depth = |for_play, timed: bool| {
        let end = timed.then(|| Timestamp::now() + std::time::Duration::from_secs(3600));
        let budget = Budget { soft: end, hard: end, depth: Some(8), ..Budget::UNLIMITED };
        let control = Control::new(&budget);
        Searcher::new(1, 1).run(&Task { for_play, ..task }, &control, &mut |_| {}).last.depth
    };
    assert_eq!(depth(true, true), 6);
    assert_eq!(depth(true, false), 8, "no clock");
    assert_eq!(depth(false, true), 8, "its value is wanted");
}
