//! The solver in process against plain alpha-beta: thousands of late positions, by either rules, with one thread
//! and with two. `cargo bench --bench truth` does it with a million.

use crate::support::exhaustive::Grid;
use crate::support::mailbox::{self, Mailbox};
use crate::support::positions::generator;
use crate::support::solver::Solver;
use ollehto::search::{SearchMode, Searcher};

/// Empty squares, and how many such positions: few of those that take the plain search long.
const LARGE_BOARD: [(u32, usize); 9] =
    [(4, 200), (5, 200), (6, 200), (7, 200), (8, 200), (9, 200), (10, 200), (11, 100), (12, 60)];

const THREADS: [usize; 2] = [1, 2];

fn searchers() -> [Searcher; 2] {
    THREADS.map(|threads| Searcher::new(threads, 1))
}

fn check_large_board(rules: mailbox::Rules) {
    let (engine, mut searchers) = (Solver::new(8, rules), searchers());
    let mut rng = generator(71);
    for (empties, count) in LARGE_BOARD {
        for _ in 0..count {
            engine.check(&mut searchers, engine.grid.random(&mut rng, empties));
        }
    }
}

#[test]
fn late_positions_are_solved_by_reversed_rules() {
    check_large_board(mailbox::Rules::Reversed);
}

#[test]
fn late_positions_are_solved_by_standard_rules() {
    check_large_board(mailbox::Rules::Standard);
}

/// What all this rests on: the quick rules are the slow ones.
#[test]
fn the_grid_plays_as_the_mailbox_does() {
    let mut rng = generator(72);
    for size in [4, 6, 8] {
        let grid = Grid::new(size);
        let most = (size * size - 4) as u32;
        for number in 0..300 {
            let discs = grid.random(&mut rng, 1 + number % most);
            for discs in [discs, discs.passed()] {
                let board = Mailbox::parse(&grid.text(discs)).expect("a position");
                let placements = grid.placements(discs);
                let cells: Vec<usize> = placements.iter().map(|&(cell, _)| cell).collect();
                assert_eq!(cells, board.placements(board.to_move()), "{board:?}");
                assert_eq!(grid.is_over(discs), board.is_over(), "{board:?}");
                for (cell, next) in placements {
                    let after = board.after(mailbox::Move::Place(cell));
                    // The texts of a grid are written by the side to move, those of a mailbox by Black.
                    assert_eq!(grid.text(next.passed()), format!("{} X", after.cells_text('X')));
                }
                for rules in mailbox::Rules::BOTH {
                    assert_eq!(grid.final_score(discs, rules), board.final_score(board.to_move(), rules));
                }
            }
        }
    }
}

#[test]
fn a_turned_board_has_the_same_value() {
    for rules in mailbox::Rules::BOTH {
        let (engine, mut searcher) = (Solver::new(8, rules), Searcher::new(1, 1));
        let mut rng = generator(73);
        for number in 0..80 {
            let images = engine.grid.images(engine.grid.random(&mut rng, 5 + number % 8));
            let scores = images.map(|image| engine.search(&mut searcher, image, SearchMode::BestMove).score);
            assert_eq!(scores, [scores[0]; 8], "{}", engine.case(images[0]));
        }
    }
}

#[test]
fn an_outcome_is_right_and_its_move_brings_it() {
    for rules in mailbox::Rules::BOTH {
        let (engine, mut searchers) = (Solver::new(8, rules), searchers());
        let (mut rng, mut seen) = (generator(74), [0; 3]);
        for number in 0..600 {
            let discs = engine.grid.random(&mut rng, 4 + number % 7);
            let is_won = engine.grid.exceeds(discs, rules, 0);
            let sign = if is_won { 1 } else { i32::from(engine.grid.exceeds(discs, rules, -1)) - 1 };
            seen[(sign + 1) as usize] += 1;
            for searcher in &mut searchers {
                let answer = engine.search(searcher, discs, SearchMode::WinLossDraw);
                assert_eq!(answer.score.signum(), sign, "{}", engine.case(discs));
                // A bound: what is won is won by as much at least, what is lost is lost by as much.
                let kept = match sign {
                    1 => engine.grid.exceeds(discs, rules, answer.score - 1),
                    _ => !engine.grid.exceeds(discs, rules, answer.score),
                };
                assert!(kept, "{} is not bounded by {}", engine.case(discs), answer.score);
                // In a lost position any move will do.
                let next = engine.after(discs, &answer);
                let worst = if is_won { -1 } else { 0 };
                assert!(sign < 0 || !engine.grid.exceeds(next, rules, worst), "{}", engine.case(discs));
            }
        }
        assert!(seen.iter().all(|&count| count >= 5), "losses, draws and wins: {seen:?}");
    }
}

#[test]
fn whole_games_on_the_smallest_board_are_solved() {
    for (rules, value) in [(mailbox::Rules::Reversed, 4), (mailbox::Rules::Standard, -10)] {
        let (engine, mut searchers) = (Solver::new(4, rules), searchers());
        assert_eq!(engine.check(&mut searchers, engine.grid.start()), value);
        // The engine against itself: the value stays what it is to the end.
        let (mut discs, mut wanted) = (engine.grid.start(), value);
        while !engine.grid.is_over(discs) {
            assert_eq!(engine.check(&mut searchers, discs), wanted);
            let answer = engine.search(&mut searchers[0], discs, SearchMode::BestMove);
            (discs, wanted) = (engine.after(discs, &answer), -wanted);
        }
        assert_eq!(engine.grid.final_score(discs, rules), wanted);
        let mut rng = generator(75);
        for number in 0..300 {
            engine.check(&mut searchers, engine.grid.random(&mut rng, 1 + number % 11));
        }
    }
}

#[test]
fn late_positions_on_the_middle_board_are_solved() {
    for rules in mailbox::Rules::BOTH {
        let (engine, mut searchers) = (Solver::new(6, rules), searchers());
        let mut rng = generator(76);
        for number in 0..400 {
            engine.check(&mut searchers, engine.grid.random(&mut rng, 1 + number % 12));
        }
    }
}

/// Threads share no work nearer to the end, and plain search gets no further from it: here they vouch for each other.
#[test]
fn threads_that_share_work_agree() {
    for rules in mailbox::Rules::BOTH {
        let engine = Solver::new(8, rules);
        let mut searchers = THREADS.map(|threads| Searcher::new(threads, 16));
        let mut rng = generator(77);
        for number in 0..6 {
            let discs = engine.grid.random(&mut rng, 16 + number % 2);
            let scores = searchers.each_mut().map(|searcher| {
                let answer = engine.search(searcher, discs, SearchMode::BestMove);
                engine.replay(discs, &answer);
                answer.score
            });
            assert_eq!(scores, [scores[0]; 2], "{}", engine.case(discs));
            let outcome = engine.search(&mut searchers[1], discs, SearchMode::WinLossDraw).score;
            assert_eq!(outcome.signum(), scores[0].signum(), "{}", engine.case(discs));
        }
    }
}
