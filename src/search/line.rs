//! Principal variations.

use arrayvec::ArrayVec;

use crate::board::{Board, Move};
use crate::eval::PatternState;
use crate::score::Score;

use super::control::Stopped;
use super::worker::Worker;

/// A line of moves. It never allocates: each of sixty discs may be followed by a pass.
pub(super) type Moves = ArrayVec<Move, 128>;

pub(super) fn replace(line: &mut Moves, first: Move, rest: &[Move]) {
    line.clear();
    line.push(first);
    line.extend(rest.iter().copied());
}

/// The depth of a search for one move of a line.
const LINE_DEPTH: u8 = 4;

impl Worker<'_> {
    /// Adds what is missing of a line where another thread had the value. A stop leaves it as it is.
    pub(super) fn complete_line(&mut self, mut board: Board, depth: u8, line: &mut Vec<Move>) {
        let mut left = depth;
        for at in 0.. {
            if left == 0 || board.is_over(self.area) {
                break;
            }
            let action = match line.get(at) {
                Some(&action) => action,
                None => {
                    let Ok(action) = self.move_of_line(board, left) else { break };
                    line.push(action);
                    action
                }
            };
            board = match action {
                Move::Pass => board.passed(),
                Move::Place(square) => {
                    left -= 1;
                    board.after(square, board.flips(square))
                }
            };
        }
    }

    /// The best move of the table, or of a shallow search where it has been replaced.
    fn move_of_line(&mut self, board: Board, depth: u8) -> Result<Move, Stopped> {
        let moves = board.moves(self.area);
        if moves.is_empty() {
            return Ok(Move::Pass);
        }
        let known = self.table.probe(board.hash()).and_then(|entry| entry.best);
        if let Some(square) = known.filter(|&square| moves.contains(square)) {
            return Ok(Move::Place(square));
        }
        let mut line = Moves::new();
        let state = PatternState::new(board);
        self.pvs(&state, depth.min(LINE_DEPTH), -Score::INFINITY, Score::INFINITY, &mut line)?;
        line.first().copied().ok_or(Stopped)
    }
}
