//! Principal variation search of the midgame and of the upper endgame.
//!
//! Depth counts discs to place; a pass costs none. A search as deep as there are empty squares reaches the end of the
//! game, and is exact if nothing was cut selectively.

use crate::board::{Bitboard, Board, Move, Square};
use crate::eval::PatternState;
use crate::score::{Discs, Score};
use crate::selectivity::Selectivity;
use crate::tt::Entry;

use super::best_so_far::BestSoFar;
use super::candidates::Candidate;
use super::control::Stopped;
use super::endgame::NO_SCORE;
use super::endgame_cache::SHALLOW_EMPTIES;
use super::line::{self, Moves};
use super::node_type::NodeType;
use super::shared_path::OpenNode;
use super::worker::Worker;

/// Below this depth sorting costs more than it saves.
const ORDERED_DEPTH: u8 = 2;

/// The least depth for enhanced transposition cutoffs.
const ETC_DEPTH: u8 = 4;

/// From this depth on, late moves are searched [`REDUCTION`] plies shallower first.
const REDUCED_DEPTH: u8 = 10;

/// An even number: values of even and odd depths differ.
const REDUCTION: u8 = 2;

/// A move is late after this many others, beside the hash move.
const EARLY_MOVES: usize = 2;

impl Worker<'_> {
    /// The value within an open window, with its principal variation.
    pub(super) fn pvs(
        &mut self,
        state: &PatternState,
        depth: u8,
        alpha: Score,
        beta: Score,
        line: &mut Moves,
    ) -> Result<Score, Stopped> {
        self.visit()?;
        line.clear();
        if depth == 0 {
            return Ok(self.evaluate(state));
        }
        let moves = state.moves(self.area);
        if moves.is_empty() {
            return self.pvs_after_pass(state, depth, alpha, beta, line);
        }
        // The line of an exact result must not end early.
        if self.is_shared(depth) && depth < self.empties(state.board) {
            self.shared_pv_node(state, moves, depth, (alpha, beta), line)
        } else {
            self.pv_node(state, moves, depth, (alpha, beta), line)
        }
    }

    /// The table only orders moves here: PV nodes are few, and a cutoff would truncate the line.
    pub(super) fn pv_node(
        &mut self,
        state: &PatternState,
        moves: Bitboard,
        depth: u8,
        (alpha, beta): (Score, Score),
        line: &mut Moves,
    ) -> Result<Score, Stopped> {
        let key = state.board.hash();
        let hash_move = self.table.probe(key).and_then(|entry| entry.best).filter(|&s| moves.contains(s));
        let mut candidates = self.ordered(state, moves, depth);
        candidates.promote(hash_move);
        let (mut best, mut best_square) = (-Score::INFINITY, None);
        let mut rest = Moves::new();
        while let Some(candidate) = candidates.next() {
            let floor = best.max(alpha);
            if best_square.is_some() && self.should_defer_candidate(&candidate, depth, false) {
                candidates.defer_last();
                continue;
            }
            let next = candidate.after(state);
            let decided = match best_square {
                None => None,
                Some(_) => {
                    let below = (-floor).plus(-1);
                    let search =
                        |worker: &mut Self| worker.null_window(&next, depth - 1, below, NodeType::Cut);
                    let score = self.in_progress(next.board, depth, search);
                    Some(-score?).filter(|&score| score <= floor || score >= beta)
                }
            };
            let score = match decided {
                Some(score) => score,
                None => -self.pvs(&next, depth - 1, -beta, -floor, &mut rest)?,
            };
            if score > best {
                (best, best_square) = (score, Some(candidate.square));
                if score > alpha {
                    line::replace(line, Move::Place(candidate.square), &rest);
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.table.store(key, Entry::new(best, alpha, beta, depth, self.selectivity, best_square));
        Ok(best)
    }

    fn pvs_after_pass(
        &mut self,
        state: &PatternState,
        depth: u8,
        alpha: Score,
        beta: Score,
        line: &mut Moves,
    ) -> Result<Score, Stopped> {
        let passed = state.passed();
        if passed.moves(self.area).is_empty() {
            return Ok(self.rules.result(state.board, self.size).into());
        }
        let mut rest = Moves::new();
        let score = -self.pvs(&passed, depth, -beta, -alpha, &mut rest)?;
        line::replace(line, Move::Pass, &rest);
        Ok(score)
    }

    /// A bound that shows whether the value is above `alpha`.
    ///
    /// `result_selectivity` tells how far it can be trusted: much of a selective iteration is solved without a
    /// selective cut, and later iterations need not repeat that. The expected type guides threads that search the same
    /// node.
    pub(super) fn null_window(
        &mut self,
        state: &PatternState,
        depth: u8,
        alpha: Score,
        expected: NodeType,
    ) -> Result<Score, Stopped> {
        self.result_selectivity = Selectivity::Off;
        let empties = self.empties(state.board);
        if depth < empties {
            return self.null_window_midgame(state, depth, alpha, expected);
        }
        let discs = whole_discs(alpha);
        if empties <= SHALLOW_EMPTIES {
            return Ok(Discs(self.solve(state, discs)? as i8).into());
        }
        self.visit()?;
        let moves = state.moves(self.area);
        if moves.is_empty() {
            return self.null_window_after_pass(state, empties, alpha, expected);
        }
        if let Some(bound) = self.stability_cutoff(state.board, discs) {
            return Ok(Discs(bound as i8).into());
        }
        let alpha = Discs(discs as i8).into();
        self.null_window_node(state, moves, empties, alpha, expected)
    }

    /// The same for searches that end in evaluations.
    fn null_window_midgame(
        &mut self,
        state: &PatternState,
        depth: u8,
        alpha: Score,
        expected: NodeType,
    ) -> Result<Score, Stopped> {
        self.visit()?;
        if depth == 0 {
            return Ok(self.evaluate(state));
        }
        let moves = state.moves(self.area);
        if moves.is_empty() {
            return self.null_window_after_pass(state, depth, alpha, expected);
        }
        if let Some(bound) = self.static_cut(state, depth, alpha) {
            self.result_selectivity = self.selectivity;
            return Ok(bound);
        }
        if depth < ORDERED_DEPTH {
            return self.null_window_leaves(state, moves, alpha);
        }
        self.null_window_node(state, moves, depth, alpha, expected)
    }

    fn null_window_after_pass(
        &mut self,
        state: &PatternState,
        depth: u8,
        alpha: Score,
        expected: NodeType,
    ) -> Result<Score, Stopped> {
        let passed = state.passed();
        if passed.moves(self.area).is_empty() {
            return Ok(self.rules.result(state.board, self.size).into());
        }
        Ok(-self.null_window(&passed, depth, (-alpha).plus(-1), expected.child())?)
    }

    fn null_window_node(
        &mut self,
        state: &PatternState,
        moves: Bitboard,
        depth: u8,
        alpha: Score,
        expected: NodeType,
    ) -> Result<Score, Stopped> {
        let key = state.board.hash();
        let known = self.table.probe(key);
        if let Some(entry) = known
            && let Some(bound) = entry.decides(alpha, depth, self.selectivity)
        {
            self.result_selectivity = entry.selectivity;
            return Ok(bound);
        }
        let search = |worker: &mut Self| {
            worker.null_window_unknown_node(state, moves, depth, alpha, expected, (key, known))
        };
        if self.is_shared(depth) {
            self.search_shared_node(OpenNode::null_window(key, depth, alpha), search)
        } else {
            search(self)
        }
    }

    fn null_window_unknown_node(
        &mut self,
        state: &PatternState,
        moves: Bitboard,
        depth: u8,
        alpha: Score,
        expected: NodeType,
        (key, known): (u64, Option<Entry>),
    ) -> Result<Score, Stopped> {
        if let Some(bound) = self.shared_probcut(state, depth, alpha)? {
            self.result_selectivity = self.selectivity;
            if self.is_shared(depth) {
                // Others need not check it again.
                let best = known.and_then(|entry| entry.best);
                let entry = Entry::new(bound, alpha, alpha.plus(1), depth, self.selectivity, best);
                self.table.store(key, entry);
            }
            return Ok(bound);
        }
        let guide = known.filter(|entry| self.is_guided_by(entry, self.empties(state.board), depth));
        let hash_move = guide.and_then(|entry| entry.best).filter(|&square| moves.contains(square));
        let BestSoFar { score, best, selectivity } =
            self.null_window_moves(state, moves, depth, alpha, expected, hash_move)?;
        self.result_selectivity = selectivity;
        self.table.store(key, Entry::new(score, alpha, alpha.plus(1), depth, selectivity, best));
        Ok(score)
    }

    /// The same for a node with moves, without a selective cut at the node itself. To verify one.
    pub(super) fn null_window_uncut(
        &mut self,
        state: &PatternState,
        depth: u8,
        alpha: Score,
    ) -> Result<Score, Stopped> {
        let moves = state.moves(self.area);
        if depth < ORDERED_DEPTH {
            return self.null_window_leaves(state, moves, alpha);
        }
        let known = self.table.probe(state.board.hash());
        let hash_move = known.and_then(|entry| entry.best).filter(|&square| moves.contains(square));
        Ok(self.null_window_moves(state, moves, depth, alpha, NodeType::Cut, hash_move)?.score)
    }

    /// Whether the hash move goes first. In an exact search only one from a search to the end does: a midgame best
    /// move makes for a larger tree than the endgame ordering.
    fn is_guided_by(&self, entry: &Entry, empties: u8, depth: u8) -> bool {
        let exact = self.selectivity == Selectivity::Off && depth >= empties;
        !exact || entry.depth >= depth
    }

    /// Searches the moves, hash move first, until one causes a cutoff.
    fn null_window_moves(
        &mut self,
        state: &PatternState,
        moves: Bitboard,
        depth: u8,
        alpha: Score,
        expected: NodeType,
        hash_move: Option<Square>,
    ) -> Result<BestSoFar, Stopped> {
        let may_cut = expected == NodeType::Cut;
        let mut found = BestSoFar::nothing();
        let mut others = moves;
        if let Some(square) = hash_move {
            let nexts = moves
                .into_iter()
                .map(|square| (square, state.board.after(square, state.board.flips(square))));
            if depth >= self.empties(state.board)
                && let Some(found) = self.etc_cutoff(nexts, depth, alpha)
            {
                return Ok(found);
            }
            let next = state.after(square);
            if !self.should_defer(next.board, depth, may_cut) {
                self.table.prefetch(next.board.hash());
                let below = (-alpha).plus(-1);
                let search =
                    |worker: &mut Self| worker.null_window(&next, depth - 1, below, expected.child());
                let score = -self.in_progress(next.board, depth, search)?;
                found = BestSoFar::by(square, score, self.result_selectivity);
                others = moves - square.into();
                if score > alpha || others.is_empty() {
                    return Ok(found);
                }
            }
        }
        let mut candidates = self.ordered(state, others, depth);
        // If it is still there.
        candidates.promote(hash_move);
        let nexts = candidates.as_slice().iter().map(|candidate| (candidate.square, candidate.next));
        if depth >= ETC_DEPTH
            && let Some(found) = self.etc_cutoff(nexts, depth, alpha)
        {
            return Ok(found);
        }
        while let Some(candidate) = candidates.next() {
            if self.should_defer_candidate(&candidate, depth, may_cut && found.best.is_none()) {
                candidates.defer_last();
                continue;
            }
            let by_this = self.in_progress(candidate.next, depth, |worker| {
                worker.null_window_move(&candidate, &candidate.after(state), depth, alpha, expected)
            })?;
            found = found.or(by_this, alpha);
            if found.score > alpha {
                break;
            }
        }
        Ok(found)
    }

    /// Searches one move of a node; `next` is the state after it.
    fn null_window_move(
        &mut self,
        candidate: &Candidate,
        next: &PatternState,
        depth: u8,
        alpha: Score,
        expected: NodeType,
    ) -> Result<BestSoFar, Stopped> {
        let below = (-alpha).plus(-1);
        let is_reduced = depth >= REDUCED_DEPTH
            && candidate.rank >= EARLY_MOVES
            && self.selectivity != Selectivity::Off
            && depth <= self.empties(next.board);
        if is_reduced {
            let score = -self.null_window(next, depth - 1 - REDUCTION, below, expected.child())?;
            if score <= alpha {
                return Ok(BestSoFar::by(candidate.square, score, self.selectivity));
            }
        }
        let score = -self.null_window(next, depth - 1, below, expected.child())?;
        Ok(BestSoFar::by(candidate.square, score, self.result_selectivity))
    }

    /// Enhanced transposition cutoff: a move whose child's stored bound already refutes this node.
    fn etc_cutoff(
        &self,
        mut nexts: impl Iterator<Item = (Square, Board)>,
        depth: u8,
        alpha: Score,
    ) -> Option<BestSoFar> {
        nexts.find_map(|(square, next)| {
            let (bound, selectivity) = self.known_bound(next, depth - 1, (-alpha).plus(-1))?;
            (-bound > alpha).then_some(BestSoFar::by(square, -bound, selectivity))
        })
    }

    /// The stored bound of a board that decides against `alpha`, with its selectivity.
    #[inline]
    fn known_bound(&self, board: Board, depth: u8, alpha: Score) -> Option<(Score, Selectivity)> {
        if self.is_shallow_endgame(board, depth) {
            let bound = self.cached_bound(board, whole_discs(alpha))?;
            return Some((Discs(bound as i8).into(), Selectivity::Off));
        }
        let entry = self.table.probe(board.hash())?;
        Some((entry.decides(alpha, depth, self.selectivity)?, entry.selectivity))
    }

    /// Whether a search belongs to the shallow endgame solver, which has a cache instead of the table.
    #[inline]
    pub(super) fn is_shallow_endgame(&self, board: Board, depth: u8) -> bool {
        depth <= SHALLOW_EMPTIES && depth >= self.empties(board)
    }

    /// One ply above the evaluation, unsorted.
    fn null_window_leaves(
        &mut self,
        state: &PatternState,
        moves: Bitboard,
        alpha: Score,
    ) -> Result<Score, Stopped> {
        let mut best = -Score::INFINITY;
        for square in moves {
            self.visit()?;
            best = best.max(-self.evaluate_child(state, square, state.board_after(square)));
            if best > alpha {
                break;
            }
        }
        Ok(best)
    }
}

/// The equivalent bound in whole discs: final scores are whole.
#[inline]
fn whole_discs(alpha: Score) -> i32 {
    alpha.whole_discs_below().clamp(NO_SCORE, -NO_SCORE)
}
