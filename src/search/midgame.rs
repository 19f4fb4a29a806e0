//! The middle game: principal variation search down to the evaluation.
//!
//! Depth counts discs to place; a pass costs none. A search as deep as there are empty squares is therefore exact.

use crate::board::{Board, Move, Square};
use crate::score::{Discs, Score};
use crate::tt::Entry;

use super::control::Stopped;
use super::ordering::Candidates;
use super::worker::Worker;

/// Below this, sorting moves by their values costs more than it saves.
const ORDERED_DEPTH: u8 = 2;

impl Worker<'_> {
    /// The value of a position within an open window, with the play that leads to it.
    ///
    /// The table only orders moves here. Such nodes are few, and a cut would shorten the line.
    pub(super) fn open_window(
        &mut self,
        board: Board,
        depth: u8,
        alpha: Score,
        beta: Score,
        line: &mut Vec<Move>,
    ) -> Result<Score, Stopped> {
        self.visit()?;
        line.clear();
        if depth == 0 {
            return Ok(self.evaluator.evaluate(board));
        }
        let moves = board.moves(self.area);
        if moves.is_empty() {
            return self.open_window_after_pass(board, depth, alpha, beta, line);
        }
        let key = board.hash();
        let hash_move = self.table.probe(key).and_then(|entry| entry.best).filter(|&s| moves.contains(s));
        let candidates = if depth >= self.empties(board) {
            self.by_replies(board, moves, hash_move)
        } else {
            self.by_value(board, moves, hash_move)
        };
        let (mut best, mut best_square) = (-Score::INFINITY, None);
        let mut rest = Vec::new();
        for candidate in candidates {
            let floor = best.max(alpha);
            let decided = match best_square {
                None => None,
                Some(_) => Some(-self.zero_window(candidate.next, depth - 1, (-floor).plus(-1))?)
                    .filter(|&score| score <= floor || score >= beta),
            };
            let score = match decided {
                Some(score) => score,
                None => -self.open_window(candidate.next, depth - 1, -beta, -floor, &mut rest)?,
            };
            if score > best {
                (best, best_square) = (score, Some(candidate.square));
                if score > alpha {
                    replace(line, Move::Place(candidate.square), &rest);
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.table.store(key, Entry::new(best, alpha, beta, depth, best_square));
        Ok(best)
    }

    fn open_window_after_pass(
        &mut self,
        board: Board,
        depth: u8,
        alpha: Score,
        beta: Score,
        line: &mut Vec<Move>,
    ) -> Result<Score, Stopped> {
        let passed = board.passed();
        if passed.moves(self.area).is_empty() {
            return Ok(self.rules.result(board, self.size).into());
        }
        let mut rest = Vec::new();
        let score = -self.open_window(passed, depth, -beta, -alpha, &mut rest)?;
        replace(line, Move::Pass, &rest);
        Ok(score)
    }

    /// Whether a position is worth more than `alpha`, shown by a bound on its value.
    pub(super) fn zero_window(&mut self, board: Board, depth: u8, alpha: Score) -> Result<Score, Stopped> {
        if depth >= self.empties(board) {
            let discs = self.solve(board, alpha.whole_discs_below())?;
            return Ok(Discs(discs as i8).into());
        }
        self.visit()?;
        if depth == 0 {
            return Ok(self.evaluator.evaluate(board));
        }
        let moves = board.moves(self.area);
        if moves.is_empty() {
            let passed = board.passed();
            if passed.moves(self.area).is_empty() {
                return Ok(self.rules.result(board, self.size).into());
            }
            return Ok(-self.zero_window(passed, depth, (-alpha).plus(-1))?);
        }
        if depth < ORDERED_DEPTH {
            return self.zero_window_leaves(board, moves.into_iter(), alpha);
        }
        let key = board.hash();
        let known = self.table.probe(key);
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            if entry.lower > alpha {
                return Ok(entry.lower);
            }
            if entry.upper <= alpha {
                return Ok(entry.upper);
            }
        }
        let hash_move = known.and_then(|entry| entry.best).filter(|&square| moves.contains(square));
        let candidates = self.by_value(board, moves, hash_move);
        let (best, best_square) = self.zero_window_moves(candidates, depth, alpha)?;
        self.table.store(key, Entry::new(best, alpha, alpha.plus(1), depth, best_square));
        Ok(best)
    }

    fn zero_window_moves(
        &mut self,
        candidates: Candidates,
        depth: u8,
        alpha: Score,
    ) -> Result<(Score, Option<Square>), Stopped> {
        let (mut best, mut best_square) = (-Score::INFINITY, None);
        for candidate in candidates {
            let score = -self.zero_window(candidate.next, depth - 1, (-alpha).plus(-1))?;
            if score > best {
                (best, best_square) = (score, Some(candidate.square));
                if score > alpha {
                    break;
                }
            }
        }
        Ok((best, best_square))
    }

    /// One ply above the evaluation: the moves in any order.
    fn zero_window_leaves(
        &mut self,
        board: Board,
        squares: impl Iterator<Item = Square>,
        alpha: Score,
    ) -> Result<Score, Stopped> {
        let mut best = -Score::INFINITY;
        for square in squares {
            self.visit()?;
            best = best.max(-self.evaluator.evaluate(board.after(square, board.flips(square))));
            if best > alpha {
                break;
            }
        }
        Ok(best)
    }
}

/// Makes `line` the move followed by the rest.
pub(super) fn replace(line: &mut Vec<Move>, first: Move, rest: &[Move]) {
    line.clear();
    line.push(first);
    line.extend_from_slice(rest);
}
