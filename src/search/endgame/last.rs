//! The last four empty squares, without move lists or hashing.

use crate::board::{Bitboard, Board, Size, Square, VectorBoard};

use super::NO_SCORE;
use super::empties::Empties;
use super::node::Node;

/// `REVERSED` is a constant because nearly all solving time is spent here.
pub(super) struct Last<const REVERSED: bool> {
    area: i32,
    size: Size,
    nodes: u64,
}

impl<const REVERSED: bool> Last<REVERSED> {
    pub(super) fn new(size: Size) -> Self {
        Self { area: i32::from(size.area()), size, nodes: 0 }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A bound that shows whether the final score is above `alpha`; at most four empty squares.
    #[inline]
    pub(super) fn solve(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        match (empties.len(), empties.squares().first()) {
            (4, _) => self.solve_4(&Node::new(board, empties), alpha),
            (3, _) => self.solve_3(board.into(), empties, alpha),
            (2, _) => self.solve_2(board.into(), empties.squares()),
            (_, Some(square)) => {
                self.nodes += 1;
                self.solve_1(board, square)
            }
            (_, None) => self.final_score(board),
        }
    }

    /// The final score of a disc difference.
    #[inline]
    const fn by_rules(difference: i32) -> i32 {
        if REVERSED { -difference } else { difference }
    }

    /// The final score when neither side can move.
    #[cold]
    fn final_score(&self, board: Board) -> i32 {
        let (own, other) = (board.own().len() as i32, board.other().len() as i32);
        let empty = self.area - own - other;
        Self::by_rules(own - other + empty * (own - other).signum())
    }

    /// With fewer empty squares, trying a move is quicker than generating moves.
    #[inline]
    pub(super) fn solve_4(&mut self, node: &Node, alpha: i32) -> i32 {
        self.nodes += 1;
        if !node.moves.is_empty() {
            return self.solve_4_moves(node, alpha);
        }
        match node.passed() {
            Some(passed) => -self.solve_4_moves(&passed, -alpha - 1),
            None => self.final_score(node.board),
        }
    }

    #[inline]
    fn solve_4_moves(&mut self, node: &Node, alpha: i32) -> i32 {
        let &Node { board, mut moves, empties } = node;
        let board = VectorBoard::from(board);
        let mut best = NO_SCORE;
        while let Some(square) = empties.first_of::<REVERSED>(moves) {
            moves = moves - square.into();
            best = best.max(-self.solve_3(board.after(square), empties.without(square), -alpha - 1));
            if best > alpha {
                break;
            }
        }
        best
    }

    /// From here down everything is inlined, so that boards stay in registers.
    #[inline(always)]
    fn solve_3(&mut self, board: VectorBoard, empties: Empties, alpha: i32) -> i32 {
        self.nodes += 1;
        match self.solve_3_moves(board, empties, alpha) {
            NO_SCORE => self.solve_3_after_pass(board.board(), empties, alpha),
            best => best,
        }
    }

    #[inline(never)]
    fn solve_3_after_pass(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        match self.solve_3_moves(board.passed().into(), empties, -alpha - 1) {
            NO_SCORE => self.final_score(board),
            best => -best,
        }
    }

    #[inline(always)]
    fn solve_3_moves(&mut self, board: VectorBoard, empties: Empties, alpha: i32) -> i32 {
        let (mut best, mut left) = (NO_SCORE, empties.squares());
        // A constant bound lets the compiler unroll.
        for _ in 0..3 {
            let Some(square) = empties.first_of::<REVERSED>(left) else { break };
            left = left - square.into();
            if let Some(next) = board.play(square) {
                best = best.max(-self.solve_2(next, empties.without(square).squares()));
                if best > alpha {
                    break;
                }
            }
        }
        best
    }

    /// Returns the exact value. Parity does not order two squares: they share a quadrant, or each is alone in its
    /// own.
    #[inline(always)]
    fn solve_2(&mut self, board: VectorBoard, empties: Bitboard) -> i32 {
        self.nodes += 1;
        let (Some(first), Some(second)) = (empties.first(), empties.last()) else {
            return self.final_score(board.board());
        };
        match self.solve_2_moves(board, [first, second]) {
            NO_SCORE => match self.solve_2_moves(board.passed(), [first, second]) {
                NO_SCORE => self.final_score(board.board()),
                best => -best,
            },
            best => best,
        }
    }

    /// Both moves are evaluated: a mispredicted branch costs more than the second one.
    #[inline(always)]
    fn solve_2_moves(&mut self, board: VectorBoard, squares: [Square; 2]) -> i32 {
        let flips = squares.map(|square| board.flips(square));
        if flips[0].is_empty() && flips[1].is_empty() {
            return NO_SCORE;
        }
        self.nodes += flips.map(|flips| u64::from(!flips.is_empty())).iter().sum::<u64>();
        let value = |which: usize| {
            let next = board.board().after(squares[which], flips[which]);
            let value = -self.solve_1(next, squares[1 - which]);
            if flips[which].is_empty() { NO_SCORE } else { value }
        };
        value(0).max(value(1))
    }

    /// Returns the exact value. Counts the flips instead of making them.
    #[inline(always)]
    fn solve_1(&self, board: Board, square: Square) -> i32 {
        let own = board.own().len() as i32;
        let gain = match board.last_gain(square, self.size) {
            // The empty square goes to the side with more discs.
            0 => i32::from(2 * own >= self.area),
            gain => gain,
        };
        Self::by_rules(2 * (own + gain) - self.area)
    }
}
