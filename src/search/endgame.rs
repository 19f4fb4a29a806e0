//! The exact solver for the end of the game, in whole discs.

use crate::board::{Board, Square};
use crate::score::{Discs, Score};
use crate::tt::Entry;

use super::control::Stopped;
use super::ordering::odd_regions;
use super::worker::Worker;

/// With so few empty squares left, sorting and remembering cost more than they save.
const SHALLOW: u8 = 6;

/// Below every result.
const NOTHING_YET: i32 = -65;

impl Worker<'_> {
    /// Whether perfect play brings more than `alpha` discs, shown by a bound on the result.
    pub(super) fn solve(&mut self, board: Board, alpha: i32) -> Result<i32, Stopped> {
        let empties = self.empties(board);
        if empties <= SHALLOW {
            return self.solve_shallow(board, alpha);
        }
        self.visit()?;
        let moves = board.moves(self.area);
        if moves.is_empty() {
            let passed = board.passed();
            if passed.moves(self.area).is_empty() {
                return Ok(self.result(board));
            }
            return Ok(-self.solve(passed, -alpha - 1)?);
        }
        let key = board.hash();
        let known = self.table.probe(key);
        if let Some(entry) = known.filter(|entry| entry.depth >= empties) {
            let (lower, upper) = (entry.lower.whole_discs_below(), entry.upper.whole_discs_below());
            if lower > alpha {
                return Ok(lower);
            }
            if upper <= alpha {
                return Ok(upper);
            }
        }
        let hash_move = known.and_then(|entry| entry.best).filter(|&square| moves.contains(square));
        let (mut best, mut best_square) = (NOTHING_YET, None);
        for candidate in self.by_replies(board, moves, hash_move) {
            let result = -self.solve(candidate.next, -alpha - 1)?;
            if result > best {
                (best, best_square) = (result, Some(candidate.square));
                if result > alpha {
                    break;
                }
            }
        }
        let score = |discs: i32| Score::from(Discs(discs as i8));
        self.table.store(key, Entry::new(score(best), score(alpha), score(alpha + 1), empties, best_square));
        Ok(best)
    }

    /// The last few squares: no table, moves ordered by parity alone.
    fn solve_shallow(&mut self, board: Board, alpha: i32) -> Result<i32, Stopped> {
        self.visit()?;
        let empties = self.area - board.discs();
        if empties.len() == 1
            && let Some(square) = empties.first()
        {
            return Ok(self.last_square(board, square));
        }
        let odd = odd_regions(empties) & empties;
        let (first, second) = if self.rules.sign() > 0 { (odd, empties - odd) } else { (empties - odd, odd) };
        let mut best = NOTHING_YET;
        for square in first.into_iter().chain(second) {
            let flips = board.flips(square);
            if flips.is_empty() {
                continue;
            }
            best = best.max(-self.solve_shallow(board.after(square, flips), -alpha - 1)?);
            if best > alpha {
                return Ok(best);
            }
        }
        if best > NOTHING_YET {
            return Ok(best);
        }
        let passed = board.passed();
        if passed.moves(self.area).is_empty() {
            Ok(self.result(board))
        } else {
            Ok(-self.solve_shallow(passed, -alpha - 1)?)
        }
    }

    /// The result with one square to go: count what turns instead of turning it.
    fn last_square(&self, board: Board, square: Square) -> i32 {
        let difference = board.own().len() as i32 - board.other().len() as i32;
        let gain = |board: Board| match board.flips(square).len() as i32 {
            0 => 0,
            turned => 2 * turned + 1,
        };
        let mut swing = gain(board);
        if swing == 0 {
            swing = -gain(board.passed());
        }
        if swing == 0 { self.result(board) } else { self.rules.sign() * (difference + swing) }
    }

    fn result(&self, board: Board) -> i32 {
        i32::from(self.rules.result(board, self.size).0)
    }
}
