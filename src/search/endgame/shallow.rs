//! Five to a dozen empty squares: moves sorted by how few replies they leave, while that pays.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Square};
use crate::certainty::Certainty;
use crate::score::{Discs, Score};
use crate::tt::Entry;

use super::empties::Empties;
use super::last::Last;
use super::{LAST_SQUARES, NOTHING_YET};
use crate::search::control::Stopped;
use crate::search::worker::Worker;

/// With so few empty squares sorting costs more than it saves, and parity alone orders the moves. Nor is anything kept of
/// such positions: solving them again is as cheap as looking.
const UNSORTED: u32 = 5;

/// From so many on positions are worth a place in the shared table.
const TABLED: u32 = 9;

/// From so many on it is looked up whether any move leads to a position that is known to be good enough.
const LOOK_AHEAD: u32 = 8;

/// With so few, no lists are needed at all.
const UNROLLED: u32 = 4;

/// The low bits that number the moves of a position.
const NUMBER_BITS: u32 = 4;
const NUMBERS: usize = (1 << NUMBER_BITS) - 1;

/// A position to solve, with at least five empty squares, and what the sorting of the moves to it found out.
#[derive(Clone, Copy)]
struct Node {
    board: Board,
    moves: Bitboard,
    empties: Empties,
}

impl Node {
    #[inline]
    fn new(board: Board, empties: Empties) -> Self {
        Self { board, moves: board.moves(empties.squares() | board.discs()), empties }
    }
}

impl Worker<'_> {
    /// Whether perfect play brings more than `alpha` discs, shown by a bound on the result.
    pub(super) fn solve_last<const REVERSED: bool>(
        &mut self,
        board: Board,
        alpha: i32,
    ) -> Result<i32, Stopped> {
        let empties = Empties::new(self.area - board.discs());
        if empties.len() <= UNROLLED {
            return Ok(self.unrolled::<REVERSED>(board, empties, alpha));
        }
        self.shallow::<REVERSED>(&Node::new(board, empties), alpha)
    }

    /// The same for at least five empty squares.
    #[inline]
    fn shallow<const REVERSED: bool>(&mut self, node: &Node, alpha: i32) -> Result<i32, Stopped> {
        if node.empties.len() <= UNSORTED {
            return Ok(self.unsorted::<REVERSED>(node, alpha));
        }
        self.kept::<REVERSED>(node, alpha)
    }

    /// The same for more empty squares than that: what is found is kept.
    fn kept<const REVERSED: bool>(&mut self, node: &Node, alpha: i32) -> Result<i32, Stopped> {
        self.visit()?;
        let &Node { board, empties, .. } = node;
        if node.moves.is_empty() {
            let passed = Node::new(board.passed(), empties);
            if passed.moves.is_empty() {
                return Ok(self.result(board));
            }
            return Ok(-self.kept::<REVERSED>(&passed, -alpha - 1)?);
        }
        let hash = board.hash();
        if let Some(bound) = self.known(hash, empties.len(), alpha) {
            return Ok(bound);
        }
        if let Some(bound) = self.bound_by_stability(board, alpha) {
            return Ok(bound);
        }
        let best = self.sorted::<REVERSED>(node, alpha)?;
        self.keep(hash, empties.len(), alpha, best);
        Ok(best)
    }

    /// What the table or the cache knows of a position, if it shows whether the result is above `alpha`.
    #[inline]
    fn known(&self, hash: u64, empties: u32, alpha: i32) -> Option<i32> {
        if empties < TABLED {
            return self.cache.decides(hash, empties, alpha);
        }
        let entry = self.table.probe(hash)?;
        entry.decides(score(alpha), empties as u8, Certainty::Full).map(Score::whole_discs_below)
    }

    /// Keeps what a search for a result above `alpha` has found.
    #[inline]
    fn keep(&mut self, hash: u64, empties: u32, alpha: i32, found: i32) {
        if empties < TABLED {
            return self.cache.keep(hash, empties, alpha, found);
        }
        let (found, alpha, beta) = (score(found), score(alpha), score(alpha + 1));
        self.table.store(hash, Entry::new(found, alpha, beta, empties as u8, Certainty::Full, None));
    }

    fn sorted<const REVERSED: bool>(&mut self, node: &Node, alpha: i32) -> Result<i32, Stopped> {
        let &Node { board, moves, empties, .. } = node;
        let looks_ahead = empties.len() >= LOOK_AHEAD;
        let mut nodes: ArrayVec<Node, { LAST_SQUARES as usize }> = ArrayVec::new();
        // What each is worth, with its number in the low bits: the best is found without a branch.
        let mut worths: ArrayVec<i32, { LAST_SQUARES as usize }> = ArrayVec::new();
        let mut most = i32::MIN;
        for square in moves {
            let next = board.after(square, board.flips(square));
            if empties.len() > TABLED {
                self.table.prefetch(next.hash());
            }
            let replies = next.moves(self.area);
            let worth = self.worth::<REVERSED>(square, next, replies, empties);
            let worth = worth << NUMBER_BITS | nodes.len() as i32;
            most = most.max(worth);
            worths.push(worth);
            nodes.push(Node { board: next, moves: replies, empties: empties.without(square) });
        }
        if looks_ahead {
            let beyond = |reply: &Node| {
                let bound = -self.known(reply.board.hash(), empties.len() - 1, -alpha - 1)?;
                (bound > alpha).then_some(bound)
            };
            if let Some(bound) = nodes.iter().find_map(beyond) {
                return Ok(bound);
            }
        }
        let mut best = NOTHING_YET;
        for _ in 0..nodes.len() {
            let first = most as usize & NUMBERS;
            best = best.max(-self.shallow::<REVERSED>(&nodes[first], -alpha - 1)?);
            if best > alpha {
                break;
            }
            // No two are worth the same, by their numbers: those less than the last one are left.
            let last = most;
            most = worths
                .iter()
                .fold(i32::MIN, |most, &worth| if worth < last { most.max(worth) } else { most });
        }
        Ok(best)
    }

    /// How soon to try a move. The weights make the trees of positions with 13 empty squares as small as they get.
    #[inline]
    fn worth<const REVERSED: bool>(
        &self,
        square: Square,
        next: Board,
        replies: Bitboard,
        empties: Empties,
    ) -> i32 {
        let corners = self.size.corners();
        let corner = i32::from(corners.contains(square));
        let beside = |discs: Bitboard| (discs.spread() & empties.squares()).len() as i32;
        if REVERSED {
            -14 * replies.len() as i32 - 54 * corner
                + 5 * next.own().len() as i32
                + 4 * (beside(next.own()) - beside(next.other()))
        } else {
            let into_corners = (replies & corners).len() as i32;
            let odd = i32::from(empties.is_odd(square));
            -12 * replies.len() as i32 - 8 * into_corners + 4 * corner + 3 * odd
        }
    }

    /// The same for five empty squares, in a function of its own because so much time goes there. It is over too soon to
    /// look whether to go on.
    #[inline(never)]
    fn unsorted<const REVERSED: bool>(&mut self, node: &Node, alpha: i32) -> i32 {
        self.count(1);
        let &Node { board, mut moves, empties, .. } = node;
        if moves.is_empty() {
            let passed = Node::new(board.passed(), empties);
            if passed.moves.is_empty() {
                return self.result(board);
            }
            return -self.unsorted::<REVERSED>(&passed, -alpha - 1);
        }
        if let Some(bound) = self.bound_by_stability(board, alpha) {
            return bound;
        }
        let mut last = Last::<REVERSED>::new(self.size);
        let mut best = NOTHING_YET;
        while let Some(square) = empties.first_of::<REVERSED>(moves) {
            moves = moves - square.into();
            let next = board.after(square, board.flips(square));
            best = best.max(-last.four(next, empties.without(square), -alpha - 1));
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

fn score(discs: i32) -> Score {
    Discs(discs as i8).into()
}
