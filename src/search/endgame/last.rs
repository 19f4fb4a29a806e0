//! The last four empty squares: no lists, no tables, the last move only counted.

use crate::board::{Bitboard, Board, Size, Square, VectorBoard};

use super::NOTHING_YET;
use super::empties::Empties;
use super::node::Node;

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
        match (empties.len(), empties.squares().first()) {
            (4, _) => self.four(&Node::new(board, empties), alpha),
            (3, _) => self.three(board.into(), empties, alpha),
            (2, _) => self.two(board.into(), empties.squares()),
            (_, Some(square)) => {
                self.nodes += 1;
                self.one(board, square)
            }
            (_, None) => self.ended(board),
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

    /// Four empty squares. With fewer it is quicker to try a move than to find out whether it is one.
    #[inline]
    pub(super) fn four(&mut self, node: &Node, alpha: i32) -> i32 {
        self.nodes += 1;
        if !node.moves.is_empty() {
            return self.four_moves(node, alpha);
        }
        match node.passed() {
            Some(passed) => -self.four_moves(&passed, -alpha - 1),
            None => self.ended(node.board),
        }
    }

    #[inline]
    fn four_moves(&mut self, node: &Node, alpha: i32) -> i32 {
        let &Node { board, mut moves, empties } = node;
        let board = VectorBoard::from(board);
        let mut best = NOTHING_YET;
        while let Some(square) = empties.first_of::<REVERSED>(moves) {
            moves = moves - square.into();
            best = best.max(-self.three(board.after(square), empties.without(square), -alpha - 1));
            if best > alpha {
                break;
            }
        }
        best
    }

    /// Three empty squares. Down from here all is one function, so that boards stay where they are.
    #[inline(always)]
    fn three(&mut self, board: VectorBoard, empties: Empties, alpha: i32) -> i32 {
        self.nodes += 1;
        match self.three_moves(board, empties, alpha) {
            NOTHING_YET => self.three_after_pass(board.board(), empties, alpha),
            best => best,
        }
    }

    #[inline(never)]
    fn three_after_pass(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        match self.three_moves(board.passed().into(), empties, -alpha - 1) {
            NOTHING_YET => self.ended(board),
            best => -best,
        }
    }

    #[inline(always)]
    fn three_moves(&mut self, board: VectorBoard, empties: Empties, alpha: i32) -> i32 {
        let (mut best, mut left) = (NOTHING_YET, empties.squares());
        // As many times as there are squares, but the compiler can count to it.
        for _ in 0..3 {
            let Some(square) = empties.first_of::<REVERSED>(left) else { break };
            left = left - square.into();
            if let Some(next) = board.play(square) {
                best = best.max(-self.two(next, empties.without(square).squares()));
                if best > alpha {
                    break;
                }
            }
        }
        best
    }

    /// Two empty squares: the value itself. Parity does not tell one from the other: they share a quarter, or each is alone
    /// in its own.
    #[inline(always)]
    fn two(&mut self, board: VectorBoard, empties: Bitboard) -> i32 {
        self.nodes += 1;
        let (Some(first), Some(second)) = (empties.first(), empties.last()) else {
            return self.ended(board.board());
        };
        match self.two_moves(board, [first, second]) {
            NOTHING_YET => match self.two_moves(board.passed(), [first, second]) {
                NOTHING_YET => self.ended(board.board()),
                best => -best,
            },
            best => best,
        }
    }

    /// Both moves are valued at once: whether the first one is a move and whether it does are not to be foreseen, and a
    /// branch that goes wrong takes longer than the second move.
    #[inline(always)]
    fn two_moves(&mut self, board: VectorBoard, squares: [Square; 2]) -> i32 {
        let flips = squares.map(|square| board.flips(square));
        if flips[0].is_empty() && flips[1].is_empty() {
            return NOTHING_YET;
        }
        self.nodes += flips.map(|flips| u64::from(!flips.is_empty())).iter().sum::<u64>();
        let value = |which: usize| {
            let next = board.board().after(squares[which], flips[which]);
            let value = -self.one(next, squares[1 - which]);
            if flips[which].is_empty() { NOTHING_YET } else { value }
        };
        value(0).max(value(1))
    }

    /// One empty square: the value itself. What turns is counted, not turned.
    #[inline(always)]
    fn one(&self, board: Board, square: Square) -> i32 {
        let own = board.own().len() as i32;
        let gain = match board.last_gain(square, self.size) {
            // Then the empty square goes to whoever has more.
            0 => i32::from(2 * own >= self.area),
            gain => gain,
        };
        Self::scored(2 * (own + gain) - self.area)
    }
}
