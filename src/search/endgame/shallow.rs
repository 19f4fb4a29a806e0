//! Five to twelve empty squares: fastest-first ordering while it pays.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board};
use crate::eval::PatternState;

use super::NO_SCORE;
use super::empties::Empties;
use super::last::Last;
use super::node::Node;
use super::ordering::{INDEX_MASK, TRY_AT_ONCE};
use crate::search::control::Stopped;
use crate::search::endgame_cache::{MIN_CACHED_EMPTIES, SHALLOW_EMPTIES};
use crate::search::worker::Worker;

/// At most this many are solved without move lists.
const UNROLLED: u32 = 4;

impl Worker<'_> {
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

    /// At least five empty squares. The caller knows their number: counting them here would stall what depends on it.
    #[inline]
    fn shallow<const REVERSED: bool>(&mut self, node: &Node, count: u32, alpha: i32) -> Result<i32, Stopped> {
        if count < MIN_CACHED_EMPTIES {
            let &Node { board, moves, empties } = node;
            return Ok(self.five_empties::<REVERSED>(board, moves, empties, alpha));
        }
        self.cached::<REVERSED>(node, count, alpha)
    }

    /// At least six empty squares: looks into the cache first.
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
        let has_second = self.has_second_cache(count);
        if has_second && let Some(bound) = self.second_bound(hash, count, alpha) {
            return Ok(bound);
        }
        if let Some(bound) = self.stability_cutoff(board, alpha) {
            return Ok(bound);
        }
        let best = self.sorted_moves::<REVERSED>(node, count - 1, alpha)?;
        self.cache.store(hash, count, alpha, best);
        if has_second {
            self.store_second(hash, count, alpha, best);
        }
        Ok(best)
    }

    fn sorted_moves<const REVERSED: bool>(
        &mut self,
        node: &Node,
        left: u32,
        alpha: i32,
    ) -> Result<i32, Stopped> {
        let mut nexts: ArrayVec<Node, { SHALLOW_EMPTIES as usize }> = ArrayVec::new();
        // Index in the low bits: the maximum is found without a branch.
        let mut sort_keys: ArrayVec<i32, { SHALLOW_EMPTIES as usize }> = ArrayVec::new();
        let (mut most, mut best) = (i32::MIN, NO_SCORE);
        for square in node.moves {
            // Built in place: a copy would have to wait until all of it is stored.
            let number = nexts.len();
            nexts.push(node.after(square));
            let next = &nexts[number];
            if self.has_second_cache(left) {
                self.prefetch_second(next.board.hash(), left);
            }
            // Enhanced transposition cutoff.
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
            // Keys are unique by their indices: those below the last one remain.
            let last = most;
            most = sort_keys
                .iter()
                .fold(i32::MIN, |most, &sort_key| if sort_key < last { most.max(sort_key) } else { most });
        }
    }

    /// Five empty squares, in a function of its own because it is hot. Ordered by parity alone, without cache or
    /// polling. The parts of the node are passed one by one to stay in registers: reading them as a vector right
    /// after storing them as words would stall.
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
