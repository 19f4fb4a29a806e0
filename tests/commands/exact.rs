//! The solver in process against plain alpha-beta: thousands of late positions, by either rules, with one thread
//! and with two.
//!
//! A value is not only compared but proven: the position is worth no more, and the move found no less.

use crate::support::exhaustive::{Discs, Grid};
use crate::support::mailbox::{self, Mailbox};
use crate::support::positions::generator;
use ollehto::board::{Bitboard, Color, Move, Position, Size};
use ollehto::rules::Rules;
use ollehto::score::Score;
use ollehto::search::{Budget, Control, SearchMode, Searcher, Task};

/// Empty squares, and how many such positions: few of those that take the plain search long.
const LARGE_BOARD: [(u32, usize); 9] =
    [(4, 200), (5, 200), (6, 200), (7, 200), (8, 200), (9, 200), (10, 200), (11, 100), (12, 60)];

const THREADS: [usize; 2] = [1, 2];

/// The engine's side of things, on boards of one size.
struct Engine {
    grid: Grid,
    size: Size,
    rules: mailbox::Rules,
}

/// What a search has found.
struct Answer {
    score: i32,
    line: Vec<mailbox::Move>,
}

impl Engine {
    fn new(side: u8, rules: mailbox::Rules) -> Self {
        let size = Size::from_side(side.into()).expect("a size");
        Self { grid: Grid::new(side.into()), size, rules }
    }

    /// The position as the engine knows it. Half of them are White's to move, which must not matter.
    fn position(&self, discs: Discs) -> Position {
        let squares = |cells: u64| -> Bitboard {
            let (area, side) = (self.size.area(), self.size.side());
            let cells = (0..area).filter(|cell| cells >> cell & 1 == 1);
            cells.filter_map(|cell| self.size.square(cell % side, cell / side)).collect()
        };
        let (own, other) = (squares(discs.own), squares(discs.other));
        let position = if own.len() % 2 == 0 {
            Position::new(own, other, Color::Black, self.size)
        } else {
            Position::new(other, own, Color::White, self.size)
        };
        position.expect("discs are on the board, one a square")
    }

    fn turn(&self, action: Move) -> mailbox::Move {
        match action {
            Move::Place(square) => {
                let (column, row) = self.size.place(square);
                mailbox::Move::Place(usize::from(row) * self.grid.size() + usize::from(column))
            }
            Move::Pass => mailbox::Move::Pass,
        }
    }

    /// Searches to the end of the game.
    #[track_caller]
    fn search(&self, searcher: &mut Searcher, discs: Discs, mode: SearchMode) -> Answer {
        let rules = match self.rules {
            mailbox::Rules::Reversed => Rules::Reversed,
            mailbox::Rules::Standard => Rules::Standard,
        };
        let task = Task { mode, ..Task::new(self.position(discs), rules) };
        let found = searcher.run(&task, &Control::new(&Budget::UNLIMITED), &mut |_| {}).last;
        assert!(found.exact, "{} is left unsolved: {found:?}", self.case(discs));
        let [line] = &found.lines[..] else { panic!("{} has not one line: {found:?}", self.case(discs)) };
        let units = i32::from(line.score.units());
        assert_eq!(units % i32::from(Score::UNITS), 0, "{} ends in {}", self.case(discs), line.score);
        let line = line.moves.iter().map(|&action| self.turn(action)).collect();
        Answer { score: units / i32::from(Score::UNITS), line }
    }

    fn case(&self, discs: Discs) -> String {
        format!("{} by {} rules", self.grid.text(discs), self.rules.word())
    }

    /// The position after the move found.
    #[track_caller]
    fn after(&self, discs: Discs, answer: &Answer) -> Discs {
        let next = answer.line.first().and_then(|&turn| self.grid.after(discs, turn));
        next.unwrap_or_else(|| panic!("{}: {:?} is illegal", self.case(discs), answer.line))
    }

    /// Plays the line, which must end the game with the score.
    #[track_caller]
    fn replay(&self, discs: Discs, answer: &Answer) {
        let (mut end, mut sign) = (discs, 1);
        for &turn in &answer.line {
            let next = self.grid.after(end, turn);
            end = next.unwrap_or_else(|| panic!("{}: {turn:?} in {:?}", self.case(discs), answer.line));
            sign = -sign;
        }
        assert!(self.grid.is_over(end), "{}: {:?} breaks off", self.case(discs), answer.line);
        let result = sign * self.grid.final_score(end, self.rules);
        assert_eq!(result, answer.score, "{}: {:?} leads elsewhere", self.case(discs), answer.line);
    }

    /// Solves a position with each searcher and proves what they find; the value.
    #[track_caller]
    fn check(&self, searchers: &mut [Searcher], discs: Discs) -> i32 {
        let mut proven: Option<(i32, Discs)> = None;
        for searcher in searchers {
            let answer = self.search(searcher, discs, SearchMode::BestMove);
            self.replay(discs, &answer);
            let found = (answer.score, self.after(discs, &answer));
            if proven == Some(found) {
                continue;
            }
            let (score, next) = found;
            let no_more = !self.grid.exceeds(discs, self.rules, score);
            let no_less = !self.grid.exceeds(next, self.rules, -score);
            if !no_more || !no_less {
                let value = self.grid.value(discs, self.rules);
                let worth = -self.grid.value(next, self.rules);
                panic!("{}: {score} for {value}, by a move worth {worth}", self.case(discs));
            }
            proven = Some(found);
        }
        proven.expect("somebody has searched").0
    }
}

fn searchers() -> [Searcher; 2] {
    THREADS.map(|threads| Searcher::new(threads, 1))
}

fn check_large_board(rules: mailbox::Rules) {
    let (engine, mut searchers) = (Engine::new(8, rules), searchers());
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
        let (engine, mut searcher) = (Engine::new(8, rules), Searcher::new(1, 1));
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
        let (engine, mut searchers) = (Engine::new(8, rules), searchers());
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
        let (engine, mut searchers) = (Engine::new(4, rules), searchers());
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
        let (engine, mut searchers) = (Engine::new(6, rules), searchers());
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
        let engine = Engine::new(8, rules);
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
