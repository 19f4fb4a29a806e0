//! The solver of the engine, in process, held against plain alpha-beta.
//!
//! A value is not only compared but proven: the position is worth no more, and the move found no less.

use ollehto::board::{Bitboard, Color, Move, Position, Size};
use ollehto::rules::Rules;
use ollehto::score::Score;
use ollehto::search::{Budget, Control, SearchMode, Searcher, Task};

use super::exhaustive::{Discs, Grid};
use super::mailbox;

/// The engine's side of things, on boards of one size.
pub struct Solver {
    pub grid: Grid,
    size: Size,
    rules: mailbox::Rules,
}

/// What a search has found.
pub struct Answer {
    pub score: i32,
    pub line: Vec<mailbox::Move>,
}

impl Solver {
    pub fn new(side: u8, rules: mailbox::Rules) -> Self {
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
    pub fn search(&self, searcher: &mut Searcher, discs: Discs, mode: SearchMode) -> Answer {
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

    pub fn case(&self, discs: Discs) -> String {
        format!("{} by {} rules", self.grid.text(discs), self.rules.word())
    }

    /// The position after the move found.
    #[track_caller]
    pub fn after(&self, discs: Discs, answer: &Answer) -> Discs {
        let next = answer.line.first().and_then(|&turn| self.grid.after(discs, turn));
        next.unwrap_or_else(|| panic!("{}: {:?} is illegal", self.case(discs), answer.line))
    }

    /// Plays the line, which must end the game with the score.
    #[track_caller]
    pub fn replay(&self, discs: Discs, answer: &Answer) {
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
    pub fn check(&self, searchers: &mut [Searcher], discs: Discs) -> i32 {
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
