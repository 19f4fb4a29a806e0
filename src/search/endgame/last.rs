//! The last four empty squares: no lists, no tables, the last move only counted.

use crate::board::{Bitboard, Board, Size, Square};

use super::NOTHING_YET;

/// Solves the very end of games on boards of one area. `REVERSED` is a constant here because this is where nearly all
/// time goes.
pub(super) struct Last<const REVERSED: bool> {
    /// The squares of a full board.
    area: i32,
    nodes: u64,
}

impl<const REVERSED: bool> Last<REVERSED> {
    /// A solver for boards of this size.
    pub(super) fn new(size: Size) -> Self {
        Self { area: i32::from(size.area()), nodes: 0 }
    }

    /// Positions visited.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether perfect play brings more than `alpha` discs on a board with at most four empty squares, shown by a bound
    /// on the result.
    #[inline]
    pub(super) fn solve(&mut self, board: Board, empties: Bitboard, alpha: i32) -> i32 {
        let mut squares = empties.into_iter();
        let squares: [_; 4] = std::array::from_fn(|_| squares.next());
        match squares {
            [Some(a), Some(b), Some(c), Some(d)] => self.four(board, [a, b, c, d], alpha),
            [Some(a), Some(b), Some(c), None] => self.three(board, [a, b, c], alpha),
            [Some(a), Some(b), ..] => self.two(board, [a, b], alpha),
            [Some(a), ..] => self.one(board, a, alpha),
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

    /// Four empty squares.
    #[inline]
    fn four(&mut self, board: Board, squares: [Square; 4], alpha: i32) -> i32 {
        let [a, b, c, d] = by_parity_of_four::<REVERSED>(squares);
        self.moves(
            board,
            alpha,
            [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])],
            Self::three,
        )
    }

    /// Three empty squares.
    #[inline]
    fn three(&mut self, board: Board, squares: [Square; 3], alpha: i32) -> i32 {
        let [a, b, c] = by_parity_of_three::<REVERSED>(squares);
        self.moves(board, alpha, [(a, [b, c]), (b, [a, c]), (c, [a, b])], Self::two)
    }

    /// Two empty squares.
    #[inline]
    fn two(&mut self, board: Board, [a, b]: [Square; 2], alpha: i32) -> i32 {
        self.moves(board, alpha, [(a, b), (b, a)], Self::one)
    }

    /// Tries squares in order, each with what stays empty after it; passes if none can be played.
    #[inline(always)]
    fn moves<Rest: Copy, const N: usize>(
        &mut self,
        board: Board,
        alpha: i32,
        squares: [(Square, Rest); N],
        then: impl Fn(&mut Self, Board, Rest, i32) -> i32,
    ) -> i32 {
        self.nodes += 1;
        let mut best = NOTHING_YET;
        for (square, rest) in squares {
            if let Some(next) = play(board, square) {
                best = best.max(-then(self, next, rest, -alpha - 1));
                if best > alpha {
                    return best;
                }
            }
        }
        if best > NOTHING_YET {
            return best;
        }
        let passed = board.passed();
        for (square, rest) in squares {
            if let Some(next) = play(passed, square) {
                // The opponent's best is the least for us.
                let result = then(self, next, rest, alpha);
                best = if best == NOTHING_YET { result } else { best.min(result) };
                if best <= alpha {
                    return best;
                }
            }
        }
        if best > NOTHING_YET { best } else { self.ended(board) }
    }

    /// One empty square: what turns is counted, not turned.
    #[inline]
    fn one(&mut self, board: Board, square: Square, alpha: i32) -> i32 {
        self.nodes += 1;
        let own = board.own().len() as i32;
        let turned = board.last_flips(square) as i32;
        if turned != 0 {
            return Self::scored(2 * (own + turned + 1) - self.area);
        }
        // The opponent's move takes discs from us. Where that cannot change the answer it is not looked for.
        let ended = if 2 * own >= self.area { 2 * own + 2 } else { 2 * own } - self.area;
        let result = Self::scored(ended);
        if if REVERSED { result > alpha } else { result <= alpha } {
            return result;
        }
        match board.passed().last_flips(square) as i32 {
            0 => result,
            turned => Self::scored(2 * (own - turned) - self.area),
        }
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

/// The quarter of the board that a square is in.
#[inline]
fn quarter(square: Square) -> u8 {
    square as u8 >> 2 & 0b1001
}

/// Puts a square that is alone in its quarter before two that share one; behind them for the reversed goal, where the
/// last move in a region is a burden.
#[inline]
fn by_parity_of_three<const REVERSED: bool>([a, b, c]: [Square; 3]) -> [Square; 3] {
    let [qa, qb, qc] = [a, b, c].map(quarter);
    let (pair, single) = if qa == qb && qb != qc {
        ([a, b], c)
    } else if qa == qc && qa != qb {
        ([a, c], b)
    } else if qb == qc && qa != qb {
        ([b, c], a)
    } else {
        return [a, b, c];
    };
    if REVERSED { [pair[0], pair[1], single] } else { [single, pair[0], pair[1]] }
}

/// The same for two singles and two that share a quarter, the only parting of four in which parity tells squares apart.
#[inline]
fn by_parity_of_four<const REVERSED: bool>(squares: [Square; 4]) -> [Square; 4] {
    let [a, b, c, d] = squares;
    let [qa, qb, qc, qd] = squares.map(quarter);
    let (pair, singles) = if qa == qb {
        ([a, b], [c, d])
    } else if qc == qd {
        ([c, d], [a, b])
    } else if qa == qc {
        ([a, c], [b, d])
    } else if qb == qd {
        ([b, d], [a, c])
    } else if qa == qd {
        ([a, d], [b, c])
    } else {
        ([b, c], [a, d])
    };
    let [q, r, s, t] = [pair[0], pair[1], singles[0], singles[1]].map(quarter);
    if q != r || s == t || s == q || t == q {
        return squares;
    }
    if REVERSED {
        [pair[0], pair[1], singles[0], singles[1]]
    } else {
        [singles[0], singles[1], pair[0], pair[1]]
    }
}
