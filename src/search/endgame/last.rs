//! The last four empty squares: no lists, no tables, the last move only counted.

use crate::board::{Board, Size, Square};

use super::NOTHING_YET;
use super::empties::Empties;

/// Solves the very end of games on boards of one area. `REVERSED` is a constant here because this is where nearly all
/// time goes.
pub(super) struct Last<const REVERSED: bool> {
    /// The squares of a full board.
    area: i32,
    size: Size,
    nodes: u64,
}

impl<const REVERSED: bool> Last<REVERSED> {
    /// A solver for boards of this size.
    pub(super) fn new(size: Size) -> Self {
        Self { area: i32::from(size.area()), size, nodes: 0 }
    }

    /// Positions visited.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether perfect play brings more than `alpha` discs on a board with at most four empty squares, shown by a bound
    /// on the result.
    #[inline]
    pub(super) fn solve(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        match empties.len() {
            4 => self.four::<false>(board, empties, alpha),
            3 => self.three::<false>(board, empties, alpha),
            2 => self.two::<false>(board, empties, alpha),
            1 => self.one(board, empties, alpha),
            _ => self.ended(board),
        }
    }

    /// A result by the rules from one in discs more than the opponent.
    #[inline]
    const fn scored(difference: i32) -> i32 {
        if REVERSED { -difference } else { difference }
    }

    /// The result of a game that ends with squares empty.
    #[cold]
    fn ended(&self, board: Board) -> i32 {
        let (own, other) = (board.own().len() as i32, board.other().len() as i32);
        let empty = self.area - own - other;
        Self::scored(own - other + empty * (own - other).signum())
    }

    /// Four empty squares. `PASSED` says, here and below, that the opponent has just passed.
    #[inline]
    fn four<const PASSED: bool>(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        self.moves::<4, PASSED>(board, empties, alpha, Self::three::<false>, Self::four::<true>)
    }

    /// Three empty squares.
    #[inline]
    fn three<const PASSED: bool>(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        self.moves::<3, PASSED>(board, empties, alpha, Self::two::<false>, Self::three::<true>)
    }

    /// Two empty squares.
    #[inline]
    fn two<const PASSED: bool>(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        self.moves::<2, PASSED>(board, empties, alpha, Self::one, Self::two::<true>)
    }

    /// Tries `N` empty squares, by parity; passes if none can be played.
    #[inline(always)]
    fn moves<const N: usize, const PASSED: bool>(
        &mut self,
        board: Board,
        empties: Empties,
        alpha: i32,
        after_move: impl Fn(&mut Self, Board, Empties, i32) -> i32,
        after_pass: impl Fn(&mut Self, Board, Empties, i32) -> i32,
    ) -> i32 {
        if !PASSED {
            self.nodes += 1;
        }
        let mut best = NOTHING_YET;
        let mut left = empties.squares();
        // As many times as there are squares, but the compiler can count to it.
        for _ in 0..N {
            let Some(square) = empties.first_of::<REVERSED>(left) else { break };
            left = left - square.into();
            if let Some(next) = play(board, square) {
                best = best.max(-after_move(self, next, empties.without(square), -alpha - 1));
                if best > alpha {
                    return best;
                }
            }
        }
        if best > NOTHING_YET {
            best
        } else if PASSED {
            self.ended(board)
        } else {
            -after_pass(self, board.passed(), empties, -alpha - 1)
        }
    }

    /// One empty square: the value itself. What turns is counted, not turned.
    #[inline(always)]
    fn one(&mut self, board: Board, empties: Empties, _alpha: i32) -> i32 {
        self.nodes += 1;
        let Some(square) = empties.squares().first() else { return self.ended(board) };
        let own = board.own().len() as i32;
        let [turned, taken] = board.last_flips(square, self.size).map(|discs| discs as i32);
        let ended = if 2 * own >= self.area { 2 * own + 2 } else { 2 * own };
        let after_pass = if taken == 0 { ended } else { 2 * (own - taken) };
        let result = if turned == 0 { after_pass } else { 2 * (own + turned + 1) };
        Self::scored(result - self.area)
    }
}

/// The board after a move, if it is one.
#[inline]
fn play(board: Board, square: Square) -> Option<Board> {
    if (square.neighbours() & board.other()).is_empty() {
        return None;
    }
    let flips = board.flips(square);
    (!flips.is_empty()).then(|| board.after(square, flips))
}
