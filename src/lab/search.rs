//! The searches that the reports compare: all find the minimax value, in fewer and fewer nodes.
//!
//! A pass is a ply. A finished game is worth more than any evaluation, a larger win more than a smaller one. Nodes are
//! the visited positions below the root; positions that are only evaluated to sort moves do not count.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::arena::opponents::evaluations::{BoardEvaluator, feature};
use crate::board::{Bitboard, Board, Size, Square};
use crate::rules::Rules;

use super::loss::children;

/// A won game, beyond every evaluation.
const WON: f64 = 1e12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMethod {
    /// Alpha-beta with moves in board order.
    AlphaBeta,
    /// Moves sorted by the values of their squares, as in the report behind `staged`.
    Squares,
    /// Moves sorted by the evaluation after them.
    Ordered,
    /// Iterative deepening with a transposition table. The nodes of all depths count.
    Table,
}

#[must_use]
pub fn minimax_nodes(board: Board, depth: u8) -> u64 {
    if depth == 0 {
        return 0;
    }
    if depth == 1 {
        // The last ply need not be played to be counted.
        let moves = board.moves(Size::Eight.squares()).len();
        return if moves > 0 { moves.into() } else { children(board).len() as u64 };
    }
    children(board).into_iter().map(|child| 1 + minimax_nodes(child, depth - 1)).sum()
}

#[derive(Clone, Copy, Debug)]
struct TableEntry {
    depth: u8,
    low: f64,
    high: f64,
    best: Option<Board>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeLimitReached;

pub struct PlainSearch<'a> {
    rules: Rules,
    judge: &'a dyn Fn(Board) -> f64,
    /// What [`SearchMethod::Squares`] sorts by.
    squares: BoardEvaluator,
    method: SearchMethod,
    table: HashMap<Board, TableEntry>,
    nodes: u64,
    most: u64,
}

impl<'a> PlainSearch<'a> {
    #[must_use]
    pub fn new(rules: Rules, judge: &'a dyn Fn(Board) -> f64, method: SearchMethod) -> Self {
        let squares = feature("squares", rules, Size::Eight).expect("it is one of the features");
        Self { rules, judge, squares, method, table: HashMap::new(), nodes: 0, most: u64::MAX }
    }

    /// The nodes and the value.
    pub fn run(&mut self, board: Board, depth: u8) -> (u64, f64) {
        let (before, mut value) = (self.nodes, 0.0);
        let first = if self.method == SearchMethod::Table { 1.min(depth) } else { depth };
        for depth in first..=depth {
            value = self.value(board, depth, (f64::NEG_INFINITY, f64::INFINITY)).unwrap_or(value);
        }
        (self.nodes - before, value)
    }

    /// The deepest search within so many nodes, at most to the end of the game.
    pub fn depth_within(&mut self, board: Board, nodes: u64) -> u8 {
        self.most = self.nodes.saturating_add(nodes);
        let empties = (Size::Eight.squares() - board.discs()).len() as u8;
        let reached = (1..=empties)
            .take_while(|&depth| self.value(board, depth, (f64::NEG_INFINITY, f64::INFINITY)).is_ok());
        let deepest = reached.last().unwrap_or(0);
        self.most = u64::MAX;
        deepest
    }

    pub fn best_move(&mut self, board: Board, depth: u8) -> Option<Square> {
        let (mut best, mut alpha) = (None, f64::NEG_INFINITY);
        for square in board.moves(Size::Eight.squares()) {
            let next = board.after(square, board.flips(square));
            let value =
                -self.value(next, depth.max(1) - 1, (f64::NEG_INFINITY, -alpha)).unwrap_or(f64::INFINITY);
            if value > alpha || best.is_none() {
                (best, alpha) = (Some(square), value);
            }
        }
        best
    }

    /// For the side to move: exact within the window, a bound otherwise.
    fn value(
        &mut self,
        board: Board,
        depth: u8,
        (mut alpha, mut beta): (f64, f64),
    ) -> Result<f64, NodeLimitReached> {
        let mut next = children(board);
        if next.is_empty() {
            let margin = f64::from(self.rules.result(board, Size::Eight).0);
            return Ok(if margin == 0.0 { 0.0 } else { margin.signum() * WON + margin });
        }
        if depth == 0 {
            return Ok((self.judge)(board));
        }
        let known = if self.method == SearchMethod::Table { self.table.get(&board).copied() } else { None };
        if let Some(known) = known.filter(|known| known.depth == depth) {
            alpha = alpha.max(known.low);
            beta = beta.min(known.high);
            if alpha >= beta {
                return Ok(if known.low >= beta { known.low } else { known.high });
            }
        }
        match self.method {
            SearchMethod::AlphaBeta => {}
            SearchMethod::Squares => {
                next.sort_by_cached_key(|&child| Sorted(-self.square_value(board, child)))
            }
            // Sorting at depth 1 would evaluate boards that the search may not need.
            SearchMethod::Ordered | SearchMethod::Table if depth == 1 => {}
            SearchMethod::Ordered | SearchMethod::Table => {
                next.sort_by_cached_key(|&child| Sorted((self.judge)(child)))
            }
        }
        if let Some(first) = known.and_then(|known| next.iter().position(|&child| Some(child) == known.best))
        {
            next[..=first].rotate_right(1);
        }
        let (mut best, mut best_child, floor) = (f64::NEG_INFINITY, None, alpha);
        for child in next {
            self.nodes += 1;
            if self.nodes > self.most {
                return Err(NodeLimitReached);
            }
            let value = -self.value(child, depth - 1, (-beta, -alpha))?;
            if value > best {
                (best, best_child) = (value, Some(child));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if self.method == SearchMethod::Table {
            self.keep(board, depth, best, (floor, beta), best_child);
        }
        Ok(best)
    }

    fn square_value(&self, board: Board, next: Board) -> f64 {
        Board::new(next.discs() - board.discs(), Bitboard::EMPTY).map_or(0.0, &self.squares)
    }

    fn keep(&mut self, board: Board, depth: u8, value: f64, (alpha, beta): (f64, f64), best: Option<Board>) {
        let low = if value > alpha { value } else { f64::NEG_INFINITY };
        let high = if value < beta { value } else { f64::INFINITY };
        let found = TableEntry { depth, low, high, best };
        match self.table.entry(board) {
            Entry::Occupied(mut known) if known.get().depth == depth => {
                let known = known.get_mut();
                *known = TableEntry { low: known.low.max(low), high: known.high.min(high), ..found };
            }
            Entry::Occupied(mut known) => *known.get_mut() = found,
            Entry::Vacant(place) => {
                place.insert(found);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
struct Sorted(f64);

impl Eq for Sorted {}

impl PartialOrd for Sorted {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sorted {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::evaluations;
    use crate::training::positions;

    fn minimax(board: Board, depth: u8, rules: Rules, judge: &dyn Fn(Board) -> f64) -> (u64, f64) {
        let next = children(board);
        if next.is_empty() || depth == 0 {
            return (
                0,
                PlainSearch::new(rules, judge, SearchMethod::AlphaBeta)
                    .value(board, 0, (-WON, WON))
                    .expect("no limit"),
            );
        }
        let below = next.into_iter().map(|child| minimax(child, depth - 1, rules, judge));
        below.fold((0, f64::NEG_INFINITY), |(nodes, best), (below, value)| {
            (nodes + 1 + below, best.max(-value))
        })
    }

    #[test]
    fn all_methods_find_the_minimax_value() {
        for rules in [Rules::Reversed, Rules::Standard] {
            let judge = evaluations::named("maximax", rules).expect("an opponent");
            for discs in [10, 30, 58] {
                for position in positions::sample(rules, discs, 3, 1) {
                    let board = position.board();
                    let (nodes, value) = minimax(board, 4, rules, &judge);
                    assert_eq!(minimax_nodes(board, 4), nodes);
                    for method in [
                        SearchMethod::AlphaBeta,
                        SearchMethod::Squares,
                        SearchMethod::Ordered,
                        SearchMethod::Table,
                    ] {
                        let (visited, found) = PlainSearch::new(rules, &judge, method).run(board, 4);
                        assert_eq!(found, value, "{method:?} with {discs} discs");
                        assert!(visited <= 2 * nodes);
                    }
                }
            }
        }
    }

    #[test]
    fn more_nodes_go_deeper() {
        let judge = evaluations::named("maximax", Rules::Reversed).expect("an opponent");
        let board = positions::sample(Rules::Reversed, 30, 1, 1)[0].board();
        let within =
            |nodes| PlainSearch::new(Rules::Reversed, &judge, SearchMethod::Table).depth_within(board, nodes);
        assert_eq!(within(0), 0);
        assert!(within(100) >= 1 && within(10_000) > within(100));
    }
}
