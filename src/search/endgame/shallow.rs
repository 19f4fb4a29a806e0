//! Five to twelve empty squares: moves sorted_moves by how few replies they leave, while that pays.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Square};
use crate::eval::PatternState;

use super::NO_SCORE;
use super::empties::Empties;
use super::last::Last;
use super::node::Node;
use crate::search::control::Stopped;
use crate::search::endgame_cache::{MIN_CACHED_EMPTIES, SHALLOW_EMPTIES};
use crate::search::worker::Worker;

/// With so few, no lists are needed at all.
const UNROLLED: u32 = 4;

/// The low bits that number the moves of a position.
const INDEX_BITS: u32 = 4;
const INDEX_MASK: usize = (1 << INDEX_BITS) - 1;

/// A unit of what a move is sort_key, above those bits.
const UNIT: i32 = 1 << INDEX_BITS;

/// By standard rules a move sort_key so much is tried before the rest is looked at: it leaves one reply at most, none of
/// them into a corner, and mostly does. By reversed rules no move is so good.
const TRY_AT_ONCE: i32 = -9 * UNIT;

impl Worker<'_> {
    /// Whether perfect play brings more than `alpha` discs, shown by a bound on the result.
    pub(super) fn solve_shallow<const REVERSED: bool>(
        &mut self,
        state: &PatternState,
        alpha: i32,
    ) -> Result<i32, Stopped> {
        let board = state.board;
        let empties = Empties::new(self.area - board.discs());
        if empties.len() <= UNROLLED {
            return Ok(self.unrolled::<REVERSED>(board, empties, alpha));
        }
        self.shallow::<REVERSED>(
            &Node { board, moves: state.moves(self.area), empties },
            empties.len(),
            alpha,
        )
    }

    /// The same for a node with so many empty squares, at least five. Whoever asks knows how many: counting them would
    /// hold up what depends on it.
    #[inline]
    fn shallow<const REVERSED: bool>(&mut self, node: &Node, count: u32, alpha: i32) -> Result<i32, Stopped> {
        if count < MIN_CACHED_EMPTIES {
            let &Node { board, moves, empties } = node;
            return Ok(self.five_empties::<REVERSED>(board, moves, empties, alpha));
        }
        self.cached::<REVERSED>(node, count, alpha)
    }

    /// The same for more empty squares than that: what is found is cached.
    fn cached<const REVERSED: bool>(&mut self, node: &Node, count: u32, alpha: i32) -> Result<i32, Stopped> {
        self.visit()?;
        let &Node { board, moves, .. } = node;
        if moves.is_empty() {
            return match node.passed() {
                Some(passed) => Ok(-self.cached::<REVERSED>(&passed, count, -alpha - 1)?),
                None => Ok(self.result(board)),
            };
        }
        let hash = board.hash();
        if let Some(bound) = self.cache.decides(hash, count, alpha) {
            return Ok(bound);
        }
        if let Some(bound) = self.stability_cutoff(board, alpha) {
            return Ok(bound);
        }
        let best = self.sorted_moves::<REVERSED>(node, count - 1, alpha)?;
        self.cache.store(hash, count, alpha, best);
        Ok(best)
    }

    fn sorted_moves<const REVERSED: bool>(
        &mut self,
        node: &Node,
        left: u32,
        alpha: i32,
    ) -> Result<i32, Stopped> {
        let mut nexts: ArrayVec<Node, { SHALLOW_EMPTIES as usize }> = ArrayVec::new();
        // What each is sort_key, with its number in the low bits: the best is found without a branch.
        let mut sort_keys: ArrayVec<i32, { SHALLOW_EMPTIES as usize }> = ArrayVec::new();
        let (mut most, mut best) = (i32::MIN, NO_SCORE);
        for square in node.moves {
            // Written where it stays, since a copy would have to wait until all of it is there.
            let number = nexts.len();
            nexts.push(node.after(square));
            let next = &nexts[number];
            // A move that is known to be good enough saves looking at the rest.
            if left >= MIN_CACHED_EMPTIES
                && let Some(bound) = self.cache.decides(next.board.hash(), left, -alpha - 1)
                && -bound > alpha
            {
                return Ok(-bound);
            }
            let sort_key = self.sort_key::<REVERSED>(square, next, node.empties);
            if !REVERSED && sort_key >= TRY_AT_ONCE {
                best = best.max(-self.shallow::<REVERSED>(next, left, -alpha - 1)?);
                if best > alpha {
                    return Ok(best);
                }
                nexts.pop();
                continue;
            }
            let sort_key = sort_key + number as i32;
            most = most.max(sort_key);
            sort_keys.push(sort_key);
        }
        let mut remaining = nexts.len();
        if remaining == 0 {
            return Ok(best);
        }
        loop {
            let first = most as usize & INDEX_MASK;
            best = best.max(-self.shallow::<REVERSED>(&nexts[first], left, -alpha - 1)?);
            remaining -= 1;
            if best > alpha || remaining == 0 {
                return Ok(best);
            }
            // No two are sort_key the same, by their numbers: those less than the last one are left.
            let last = most;
            most = sort_keys
                .iter()
                .fold(i32::MIN, |most, &sort_key| if sort_key < last { most.max(sort_key) } else { most });
        }
    }

    /// How soon to try a move. The weights make the trees of positions with 13 to 16 empty squares as small as they get.
    #[inline]
    fn sort_key<const REVERSED: bool>(&self, square: Square, next: &Node, empties: Empties) -> i32 {
        let &Node { board, moves: replies, .. } = next;
        let corners = self.size.corners();
        let corner = i32::from(corners.contains(square));
        if REVERSED {
            // To pass is a relief in this game: no reply at all is as bad as four.
            let cost = if replies.is_empty() { 4 } else { replies.len() as i32 };
            -14 * UNIT * cost - 20 * UNIT * corner + 3 * UNIT * board.own().len() as i32
        } else {
            let into_corners = (replies & corners).len() as i32;
            let odd = i32::from(empties.is_odd(square));
            // What is known without the replies is summed up by itself, so as not to wait for them.
            (4 * UNIT * corner + 3 * UNIT * odd)
                - (12 * UNIT * replies.len() as i32 + 8 * UNIT * into_corners)
        }
    }

    /// Whether five empty squares do, in a function of its own because so much time goes there. Parity alone orders the
    /// moves, and nothing is cached or looked up: solving such a position is as cheap. It is over too soon to look whether
    /// to go on. The parts of the node come one by one, and so in registers: from memory that was only just written in
    /// words they would be read as a vector, and wait for it.
    #[inline(never)]
    fn five_empties<const REVERSED: bool>(
        &mut self,
        board: Board,
        moves: Bitboard,
        empties: Empties,
        alpha: i32,
    ) -> i32 {
        self.count_nodes(1);
        let node = Node { board, moves, empties };
        if moves.is_empty() {
            return match node.passed() {
                Some(Node { board, moves, empties }) => {
                    -self.five_empties::<REVERSED>(board, moves, empties, -alpha - 1)
                }
                None => self.result(board),
            };
        }
        let mut last = Last::<REVERSED>::new(self.size);
        let (mut best, mut moves) = (NO_SCORE, moves);
        while let Some(square) = empties.first_of::<REVERSED>(moves) {
            moves = moves - square.into();
            best = best.max(-last.solve_4(&node.after(square), -alpha - 1));
            if best > alpha {
                break;
            }
        }
        self.count_nodes(last.nodes());
        best
    }

    fn unrolled<const REVERSED: bool>(&mut self, board: Board, empties: Empties, alpha: i32) -> i32 {
        let mut last = Last::<REVERSED>::new(self.size);
        let result = last.solve(board, empties, alpha);
        self.count_nodes(last.nodes());
        result
    }
}
