//! What must hold of every opponent, and of those that search.

use std::cell::Cell;

use proptest::prelude::{Just, ProptestConfig, any, prop_assert_eq, prop_assume, prop_oneof, proptest};
use proptest::strategy::Strategy as Generator;

use super::alpha_beta::{StaticEvaluation, TerminalScoring, Value};
use super::features::SquareTable;
use super::player::score;
use super::*;
use crate::board::{Bitboard, Board, Color, Move, Position, Size, Square, Symmetry};
use crate::random::Random;
use crate::rules::Rules;
use crate::score::{Discs, Score};
use crate::search::{Budget, Control, Iteration, SearchResult, Searcher, Task};

/// Plays random legal moves until so many squares are empty, or the game ends.
fn random_walk(size: Size, empties: u32, seed: u64) -> Position {
    let (mut position, mut rng) = (Position::start(size), Random::new(seed));
    while position.empties().len() > empties && !position.is_over() {
        let moves: Vec<_> = position.moves().into_iter().map(Move::Place).collect();
        let action = rng.pick(&moves).copied().unwrap_or(Move::Pass);
        position = position.play(action).expect("legal");
    }
    position
}

fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), ..Budget::UNLIMITED }
}

fn depth(depth: u8) -> Budget {
    Budget { depth: Some(depth), ..Budget::UNLIMITED }
}

fn think(searcher: &mut dyn Search, task: &Task, budget: &Budget) -> SearchResult {
    searcher.search(task, &Control::new(budget), &mut |_| {})
}

fn opponent(name: &str, seed: u64) -> Box<dyn Search> {
    by_name(name, seed).expect("a name of the list")
}

fn replays(position: Position, moves: &[Move]) -> bool {
    !moves.is_empty() && moves.iter().try_fold(position, |position, &action| position.play(action)).is_some()
}

/// Plain minimax of an opponent's own evaluation, always seen by the player who searches.
fn minimax<S: Strategy>(strategy: &S, task: &Task, board: Board, depth: u8, own_turn: bool) -> Value {
    let (size, area) = (task.position.size(), task.position.size().squares());
    if board.is_over(area) {
        return S::TERMINAL.value(task.rules, board, size);
    }
    if depth == 0 {
        return if own_turn { strategy.evaluate(board) } else { -strategy.evaluate(board.passed()) };
    }
    let value = |next| -minimax(strategy, task, next, depth - 1, !own_turn);
    let moves = board.moves(area).into_iter();
    let best = moves.map(|square| value(board.play(square).expect("legal"))).max();
    best.unwrap_or_else(|| value(board.passed()))
}

/// The best moves and their values are those of minimax.
fn check_depth<S: Strategy + 'static>(task: &Task, to: u8) {
    let found = think(&mut OpponentSearcher::<S>::new(), task, &depth(to)).last;
    let (strategy, board) = (S::new(task.rules, task.position.size()), task.position.board());
    // The last plies may be solved where the control allows as many: then the depth says so.
    let plies = if found.depth == to { to } else { 64 };
    let value = |action| {
        let next = task.position.play(action).expect("legal").board();
        -minimax(&strategy, task, next, plies - 1, false)
    };
    let best = minimax(&strategy, task, board, plies, true);
    assert_eq!(found.lines[0].score, score::<S>(best));
    assert_eq!(value(found.lines[0].moves[0]), best);
    for line in &found.lines {
        assert!(replays(task.position, &line.moves));
        assert_eq!(line.score, score::<S>(value(line.moves[0])));
    }
}

fn sizes() -> impl Generator<Value = Size> {
    prop_oneof![Just(Size::Four), Just(Size::Six), Just(Size::Eight)]
}

fn rule_sets() -> impl Generator<Value = Rules> {
    prop_oneof![Just(Rules::Reversed), Just(Rules::Standard)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn searches_agree_with_minimax(
        size in sizes(), rules in rule_sets(), empties in 5_u32..60, depth in 1_u8..4, lines in 1_usize..4,
        seed in any::<u64>()
    ) {
        let position = random_walk(size, empties, seed);
        prop_assume!(!position.is_over() && position.empties().len() >= 5);
        let task = Task { lines, ..Task::new(position, rules) };
        check_depth::<Minimax3>(&task, depth);
        check_depth::<ThreeStage>(&task, depth);
        check_depth::<Staged>(&task, depth);
        check_depth::<Maximax>(&task, depth.max(2));
        check_depth::<GaMinimax>(&task, depth);
        check_depth::<GreedyInvincible>(&task, 1);
    }

    #[test]
    fn the_last_plies_are_played_perfectly(rules in rule_sets(), seed in any::<u64>()) {
        // Five empty squares and as many passes are the most that ten plies always reach to the end of.
        for (name, empties) in [
            ("minimax3", 4), ("three-stage", 6), ("staged", 5), ("ga-minimax", 9), ("greedy-invincible", 9),
            ("maximax", 8),
        ] {
            let position = random_walk(Size::Eight, empties, seed);
            if position.moves().is_empty() {
                continue;
            }
            let task = Task::new(position, rules);
            let exact = |position| {
                let task = Task { position, ..task };
                let last = think(&mut Searcher::new(1, 1), &task, &Budget::UNLIMITED).last;
                last.lines.first().map_or(rules.result(position.board(), Size::Eight).into(), |line| line.score)
            };
            let action = think(opponent(name, 0).as_mut(), &task, &Budget::UNLIMITED).best();
            let (wanted, got) = (exact(position), -exact(position.play(action).expect("legal")));
            if name == "staged" {
                prop_assert_eq!(got, wanted, "{} plays for the margin", name);
            } else {
                prop_assert_eq!(got.units().signum(), wanted.units().signum(), "{}", name);
            }
        }
    }

    #[test]
    fn greedy_leaves_itself_the_fewest_discs(
        size in sizes(), rules in rule_sets(), empties in 1_u32..60, seed in any::<u64>()
    ) {
        let position = random_walk(size, empties, seed);
        prop_assume!(!position.moves().is_empty());
        let discs = |action| position.play(action).expect("legal").discs(position.side()).len();
        let all = position.moves().into_iter().map(|square| discs(Move::Place(square)));
        let wanted = if rules == Rules::Reversed { all.min() } else { all.max() };
        let task = Task::new(position, rules);
        let outcome = think(opponent("greedy", seed).as_mut(), &task, &Budget::UNLIMITED);
        prop_assert_eq!(Some(discs(outcome.best())), wanted);
    }

    #[test]
    fn values_do_not_change_when_the_board_is_turned(
        rules in rule_sets(), empties in 1_u32..60, seed in any::<u64>(), index in 0_usize..8
    ) {
        let board = random_walk(Size::Eight, empties, seed).board();
        let turned = Symmetry::ALL[index].map_board(board);
        fn check<S: Strategy>(rules: Rules, board: Board, turned: Board) {
            let strategy = S::new(rules, Size::Eight);
            assert_eq!(strategy.evaluate(board), strategy.evaluate(turned));
        }
        check::<Minimax3>(rules, board, turned);
        check::<ThreeStage>(rules, board, turned);
        check::<Staged>(rules, board, turned);
        check::<Maximax>(rules, board, turned);
        check::<GaMinimax>(rules, board, turned);
    }
}

#[test]
fn whole_games_are_legal_on_all_boards_under_both_rules() {
    for name in NAMES {
        for (size, rules) in Size::ALL.into_iter().flat_map(|size| Rules::ALL.map(|rules| (size, rules))) {
            let mut player = opponent(name, 1);
            // Some plies of chance first, so that the games differ.
            for opening in 0..3 {
                let mut position =
                    random_walk(size, u32::from(size.area()) - 4 - 2 * opening, opening.into());
                while !position.is_over() {
                    let task = Task::new(position, rules);
                    let action = think(player.as_mut(), &task, &nodes(2000)).best();
                    position =
                        position.play(action).unwrap_or_else(|| panic!("{name} plays {action} on {size}"));
                }
            }
        }
    }
}

#[test]
fn a_stopped_search_still_has_a_legal_move() {
    for name in NAMES {
        let position = random_walk(Size::Eight, 40, 5);
        let task = Task::new(position, Rules::Reversed);
        let control = Control::new(&Budget::UNLIMITED);
        control.stop();
        let outcome = opponent(name, 1).search(&task, &control, &mut |_| {});
        assert!(position.play(outcome.best()).is_some(), "{name}");
        let outcome = think(opponent(name, 1).as_mut(), &task, &nodes(1000));
        assert!(position.play(outcome.best()).is_some(), "{name}");
        assert!(outcome.last.nodes < 1200, "{name} visits {} positions", outcome.last.nodes);
    }
}

#[test]
fn a_first_depth_cut_short_still_has_a_line() {
    let task = Task::new(random_walk(Size::Eight, 30, 11), Rules::Reversed);
    let mut cut = 0;
    for limit in (200..6000).step_by(200) {
        let last = think(&mut OpponentSearcher::<Staged>::new(), &task, &nodes(limit)).last;
        cut += u32::from(last.depth == 0);
        assert!(replays(task.position, &last.lines[0].moves));
    }
    assert!(cut > 0, "the first depth takes longer than the smallest limit");
}

#[test]
fn a_must_pass_position_passes_and_a_finished_one_has_no_lines() {
    let position = |white: Bitboard| {
        Position::new(Square::A1.into(), white, Color::White, Size::Eight).expect("disjoint")
    };
    for name in NAMES {
        let task = Task { lines: 4, ..Task::new(position(Square::B1.into()), Rules::Reversed) };
        let found = think(opponent(name, 1).as_mut(), &task, &Budget::UNLIMITED);
        assert_eq!((found.best(), found.last.lines.len()), (Move::Pass, 1), "{name}");
        assert!(replays(task.position, &found.last.lines[0].moves), "{name}");
        let task = Task { position: position(Bitboard::EMPTY), ..task };
        let over = think(opponent(name, 1).as_mut(), &task, &Budget::UNLIMITED).last;
        assert_eq!((over.lines.len(), over.exact, over.depth), (0, true, 0), "{name}");
    }
}

#[test]
fn iterations_are_told_with_lines_that_can_be_played() {
    for name in NAMES {
        let position = random_walk(Size::Eight, 36, 3);
        let task = Task { lines: 3, ..Task::new(position, Rules::Reversed) };
        let depths = Cell::new(0);
        let mut on_iteration = |iteration: &Iteration| {
            assert!(iteration.depth > depths.replace(iteration.depth), "{name}");
            assert_eq!(iteration.lines.len(), 3, "{name}");
            assert!(iteration.lines.is_sorted_by(|a, b| a.score >= b.score), "{name}");
            assert!(iteration.lines.iter().all(|line| replays(position, &line.moves)), "{name}");
        };
        let control = Control::new(&nodes(100_000));
        let outcome = opponent(name, 1).search(&task, &control, &mut on_iteration);
        assert_eq!(outcome.last.depth, depths.get(), "{name}");
        assert_eq!(outcome.last.lines.len(), 3, "{name}");
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for name in NAMES {
        let play = |seed| {
            let (mut player, mut position, mut moves) =
                (opponent(name, seed), Position::start(Size::Six), Vec::new());
            while !position.is_over() {
                let task = Task::new(position, Rules::Reversed);
                moves.push(think(player.as_mut(), &task, &nodes(500)).best());
                position = position.play(moves[moves.len() - 1]).expect("legal");
            }
            moves
        };
        assert_eq!(play(7), play(7), "{name}");
        let by_chance = ["random", "greedy"].contains(&name);
        assert_eq!(play(7) != play(8), by_chance, "{name}");
    }
}

#[test]
fn tables_read_as_printed() {
    let check = |values, upper_half: [[Value; 8]; 4]| {
        let table = SquareTable::new(values, Size::Eight);
        for square in Square::ALL {
            let row = usize::from(square.row().min(7 - square.row()));
            assert_eq!(table.sum(square.into()), upper_half[row][usize::from(square.column())], "{square}");
        }
    };
    check(
        minimax3::SQUARES,
        [
            [10_000, -200, 250, 250, 250, 250, -200, 10_000],
            [-200, -45, -1, -1, -1, -1, -45, -200],
            [250, -1, 3, 2, 2, 3, -1, 250],
            [250, -1, 2, 1, 1, 2, -1, 250],
        ],
    );
    check(
        three_stage::SQUARES,
        [
            [100, -5, 10, 5, 5, 10, -5, 100],
            [-5, -45, 1, 1, 1, 1, -45, -5],
            [10, 1, 3, 2, 2, 3, 1, 10],
            [5, 1, 2, 1, 1, 2, 1, 5],
        ],
    );
    check(
        staged::SQUARES,
        [
            [-800, 260, -50, -30, -30, -50, 260, -800],
            [260, 100, -10, -5, -5, -10, 100, 260],
            [-50, -10, -5, 3, 3, -5, -10, -50],
            [-30, -5, 3, 1, 1, 3, -5, -30],
        ],
    );
    check(
        ga_minimax::MOVES,
        [
            [34, 41, 43, 56, 56, 43, 41, 34],
            [41, -52, 36, -24, -24, 36, -52, 41],
            [43, 36, -9, 5, 5, -9, 36, 43],
            [56, -24, 5, -36, -36, 5, -24, 56],
        ],
    );
}

#[test]
fn scores_stay_within_what_can_be_shown() {
    use super::alpha_beta::END;
    assert_eq!(score::<Minimax3>(END), Score::MAX);
    assert_eq!(score::<Minimax3>(-END), -Score::MAX);
    assert_eq!(score::<Minimax3>(END - 1), Score::from(Discs(63)));
    assert_eq!(score::<Staged>(-END - 12), Score::from(Discs(-12)));
    assert_eq!(score::<Staged>(30), Score::from_units(48));
    assert_eq!((Staged::TERMINAL, Minimax3::TERMINAL), (TerminalScoring::Margin, TerminalScoring::Sign));
}

#[test]
fn each_name_has_a_player_and_a_description() {
    for name in NAMES {
        assert!(by_name(name, 0).is_some());
        assert!(description(name).is_some_and(|text| !text.contains('\n')), "{name}");
    }
    assert!(by_name("nobody", 0).is_none() && description("nobody").is_none());
}
