//! The last four empty squares: no lists, no tables, the last move only counted.

use crate::board::{Board, Size, Square};

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
            (3, _) => self.three::<false>(board, empties, alpha),
            (2, _) => self.two::<false>(board, empties, alpha),
            (_, Some(square)) => self.one(board, square),
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
        let mut best = NOTHING_YET;
        while let Some(square) = empties.first_of::<REVERSED>(moves) {
            moves = moves - square.into();
            let next = board.after(square, board.flips(square));
            best = best.max(-self.three::<false>(next, empties.without(square), -alpha - 1));
            if best > alpha {
                break;
            }
        }
        best
    }

    /// Three empty squares. `PASSED` says, here and below, that the opponent has just passed.
    #[inline]
    fn three<const PASSED: bool>(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        if !PASSED {
            self.nodes += 1;
        }
        let (mut best, mut left) = (NOTHING_YET, empties.squares());
        // As many times as there are squares, but the compiler can count to it.
        for _ in 0..3 {
            let Some(square) = empties.first_of::<REVERSED>(left) else { break };
            left = left - square.into();
            if let Some(next) = play(board, square) {
                best = best.max(-self.two::<false>(next, empties.without(square), -alpha - 1));
                if best > alpha {
                    return best;
                }
            }
        }
        match best {
            NOTHING_YET if PASSED => self.ended(board),
            NOTHING_YET => -self.three::<true>(board.passed(), empties, -alpha - 1),
            best => best,
        }
    }

    /// Two empty squares. Parity does not tell one from the other: they share a quarter, or each is alone in its own.
    #[inline]
    fn two<const PASSED: bool>(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        if !PASSED {
            self.nodes += 1;
        }
        let Some([first, second]) = empties.pair() else { return self.ended(board) };
        let mut best = NOTHING_YET;
        if let Some(next) = play(board, first) {
            best = -self.one(next, second);
            if best > alpha {
                return best;
            }
        }
        if let Some(next) = play(board, second) {
            best = best.max(-self.one(next, first));
        }
        match best {
            NOTHING_YET if PASSED => self.ended(board),
            NOTHING_YET => -self.two::<true>(board.passed(), empties, -alpha - 1),
            best => best,
        }
    }

    /// One empty square: the value itself. What turns is counted, not turned.
    #[inline(always)]
    fn one(&mut self, board: Board, square: Square) -> i32 {
        self.nodes += 1;
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
