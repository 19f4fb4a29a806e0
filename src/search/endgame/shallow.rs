//! Five to twelve empty squares: moves sorted by how few replies they leave, while that pays.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Square};
use crate::eval::PatternState;

use super::empties::Empties;
use super::last::Last;
use super::node::Node;
use super::{LAST_SQUARES, LEAST_KEPT, NOTHING_YET};
use crate::search::control::Stopped;
use crate::search::worker::Worker;

/// With so few, no lists are needed at all.
const UNROLLED: u32 = 4;

/// The low bits that number the moves of a position.
const NUMBER_BITS: u32 = 4;
const NUMBERS: usize = (1 << NUMBER_BITS) - 1;

/// A unit of what a move is worth, above those bits.
const UNIT: i32 = 1 << NUMBER_BITS;

/// By standard rules a move worth so much is tried before the rest is looked at: it leaves one reply at most, none of
/// them into a corner, and mostly does. By reversed rules no move is so good.
const TRIED_AT_ONCE: i32 = -9 * UNIT;

impl Worker<'_> {
    /// Whether perfect play brings more than `alpha` discs, shown by a bound on the result.
    pub(super) fn solve_last<const REVERSED: bool>(
        &mut self,
        view: &PatternState,
        alpha: i32,
    ) -> Result<i32, Stopped> {
        let board = view.board;
        let empties = Empties::new(self.area - board.discs());
        if empties.len() <= UNROLLED {
            return Ok(self.unrolled::<REVERSED>(board, empties, alpha));
        }
        self.shallow::<REVERSED>(&Node { board, moves: view.moves(self.area), empties }, empties.len(), alpha)
    }

    /// The same for a node with so many empty squares, at least five. Whoever asks knows how many: counting them would
    /// hold up what depends on it.
    #[inline]
    fn shallow<const REVERSED: bool>(&mut self, node: &Node, count: u32, alpha: i32) -> Result<i32, Stopped> {
        if count < LEAST_KEPT {
            let &Node { board, moves, empties } = node;
            return Ok(self.unsorted::<REVERSED>(board, moves, empties, alpha));
        }
        self.kept::<REVERSED>(node, count, alpha)
    }

    /// The same for more empty squares than that: what is found is kept.
    fn kept<const REVERSED: bool>(&mut self, node: &Node, count: u32, alpha: i32) -> Result<i32, Stopped> {
        self.visit()?;
        let &Node { board, moves, .. } = node;
        if moves.is_empty() {
            return match node.passed() {
                Some(passed) => Ok(-self.kept::<REVERSED>(&passed, count, -alpha - 1)?),
                None => Ok(self.result(board)),
            };
        }
        let hash = board.hash();
        if let Some(bound) = self.cache.decides(hash, count, alpha) {
            return Ok(bound);
        }
        if let Some(bound) = self.bound_by_stability(board, alpha) {
            return Ok(bound);
        }
        let best = self.sorted::<REVERSED>(node, count - 1, alpha)?;
        self.cache.keep(hash, count, alpha, best);
        Ok(best)
    }

    fn sorted<const REVERSED: bool>(&mut self, node: &Node, left: u32, alpha: i32) -> Result<i32, Stopped> {
        let mut nexts: ArrayVec<Node, { LAST_SQUARES as usize }> = ArrayVec::new();
        // What each is worth, with its number in the low bits: the best is found without a branch.
        let mut worths: ArrayVec<i32, { LAST_SQUARES as usize }> = ArrayVec::new();
        let (mut most, mut best) = (i32::MIN, NOTHING_YET);
        for square in node.moves {
            // Written where it stays, since a copy would have to wait until all of it is there.
            let number = nexts.len();
            nexts.push(node.after(square));
            let next = &nexts[number];
            // A move that is known to be good enough saves looking at the rest.
            if left >= LEAST_KEPT
                && let Some(bound) = self.cache.decides(next.board.hash(), left, -alpha - 1)
                && -bound > alpha
            {
                return Ok(-bound);
            }
            let worth = self.worth::<REVERSED>(square, next, node.empties);
            if !REVERSED && worth >= TRIED_AT_ONCE {
                best = best.max(-self.shallow::<REVERSED>(next, left, -alpha - 1)?);
                if best > alpha {
                    return Ok(best);
                }
                nexts.pop();
                continue;
            }
            let worth = worth + number as i32;
            most = most.max(worth);
            worths.push(worth);
        }
        let mut left_over = nexts.len();
        if left_over == 0 {
            return Ok(best);
        }
        loop {
            let first = most as usize & NUMBERS;
            best = best.max(-self.shallow::<REVERSED>(&nexts[first], left, -alpha - 1)?);
            left_over -= 1;
            if best > alpha || left_over == 0 {
                return Ok(best);
            }
            // No two are worth the same, by their numbers: those less than the last one are left.
            let last = most;
            most = worths
                .iter()
                .fold(i32::MIN, |most, &worth| if worth < last { most.max(worth) } else { most });
        }
    }

    /// How soon to try a move. The weights make the trees of positions with 13 to 16 empty squares as small as they get.
    #[inline]
    fn worth<const REVERSED: bool>(&self, square: Square, next: &Node, empties: Empties) -> i32 {
        let &Node { board, moves: replies, .. } = next;
        let corners = self.size.corners();
        let corner = i32::from(corners.contains(square));
        if REVERSED {
            // To pass is a relief in this game: no reply at all is as bad as four.
            let burden = if replies.is_empty() { 4 } else { replies.len() as i32 };
            -14 * UNIT * burden - 20 * UNIT * corner + 3 * UNIT * board.own().len() as i32
        } else {
            let into_corners = (replies & corners).len() as i32;
            let odd = i32::from(empties.is_odd(square));
            // What is known without the replies is summed up by itself, so as not to wait for them.
            (4 * UNIT * corner + 3 * UNIT * odd)
                - (12 * UNIT * replies.len() as i32 + 8 * UNIT * into_corners)
        }
    }

    /// Whether five empty squares do, in a function of its own because so much time goes there. Parity alone orders the
    /// moves, and nothing is kept or looked up: solving such a position is as cheap. It is over too soon to look whether
    /// to go on. The parts of the node come one by one, and so in registers: from memory that was only just written in
    /// words they would be read as a vector, and wait for it.
    #[inline(never)]
    fn unsorted<const REVERSED: bool>(
        &mut self,
        board: Board,
        moves: Bitboard,
        empties: Empties,
        alpha: i32,
    ) -> i32 {
        self.count(1);
        let node = Node { board, moves, empties };
        if moves.is_empty() {
            return match node.passed() {
                Some(Node { board, moves, empties }) => {
                    -self.unsorted::<REVERSED>(board, moves, empties, -alpha - 1)
                }
                None => self.result(board),
            };
        }
        let mut last = Last::<REVERSED>::new(self.size);
        let (mut best, mut moves) = (NOTHING_YET, moves);
        while let Some(square) = empties.first_of::<REVERSED>(moves) {
            moves = moves - square.into();
            best = best.max(-last.four(&node.after(square), -alpha - 1));
            if best > alpha {
                break;
            }
        }
        self.count(last.nodes());
        best
    }

    fn unrolled<const REVERSED: bool>(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        let mut last = Last::<REVERSED>::new(self.size);
        let result = last.solve(board, empties, alpha);
        self.count(last.nodes());
        result
    }
}
