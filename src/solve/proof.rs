//! The proof of a value by the values of later positions.
//!
//! A tree of positions by the rules of the game, each with all its legal moves; symmetric positions and transpositions are
//! one. What is known of its leaves gives bounds on all others. Nothing is taken on trust but the leaves.

use std::collections::{HashMap, HashSet};

use crate::board::{Board, Color, Position, Size};
use crate::notation;
use crate::rules::Rules;

use super::bound::Interval;

/// A board up to symmetry, seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CanonicalBoard(Board);

impl From<Board> for CanonicalBoard {
    fn from(board: Board) -> Self {
        Self(board.canonical().0)
    }
}

impl CanonicalBoard {
    /// With X to move: who moves makes no difference.
    pub(super) fn position(self, size: Size) -> Position {
        let Self(board) = self;
        Position::new(board.own(), board.other(), Color::Black, size).expect("the board is of this size")
    }

    pub(super) fn text(self, size: Size) -> String {
        notation::position_text(&self.position(size)).to_string()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProofTree {
    pub(super) rules: Rules,
    pub(super) size: Size,
    /// Positions that are looked at move by move.
    pub(super) expanded: HashSet<CanonicalBoard>,
    /// What searches have proven.
    pub(super) known: HashMap<CanonicalBoard, Interval>,
}

/// Bounds that were worked out already.
pub(super) type Memo = HashMap<CanonicalBoard, Interval>;

impl ProofTree {
    pub(super) fn new(rules: Rules, size: Size) -> Self {
        Self { rules, size, expanded: HashSet::new(), known: HashMap::new() }
    }

    /// Adds what a search has proven.
    pub(super) fn learn(&mut self, board: CanonicalBoard, proven: Interval) {
        let known = self.known.entry(board).or_insert(Interval::unknown(self.size));
        *known = known.and(proven);
    }

    /// All positions after one move or a forced pass, each once; none if the game is over.
    pub(super) fn children(&self, board: CanonicalBoard) -> Vec<CanonicalBoard> {
        let area = self.size.squares();
        let moves = board.0.moves(area);
        if moves.is_empty() {
            let over = board.0.is_over(area);
            return if over { Vec::new() } else { vec![board.0.passed().into()] };
        }
        let mut seen = HashSet::new();
        let children = moves.into_iter().filter_map(|square| board.0.play(square)).map(CanonicalBoard::from);
        children.filter(|&child| seen.insert(child)).collect()
    }

    /// What follows for a position from all that is known.
    pub(super) fn bounds(&self, board: CanonicalBoard, memo: &mut Memo) -> Interval {
        if let Some(&known) = memo.get(&board) {
            return known;
        }
        let mut interval = self.known.get(&board).copied().unwrap_or(Interval::unknown(self.size));
        if board.0.is_over(self.size.squares()) {
            interval = interval.and(Interval::exactly(self.rules.result(board.0, self.size)));
        } else if self.expanded.contains(&board) {
            // The best of the moves: each one proves a lower bound, and all together an upper one.
            let children = self.children(board).into_iter();
            let by_moves = children.map(|child| self.bounds(child, memo).for_opponent());
            let best = by_moves.reduce(|one, other| Interval {
                lower: one.lower.max(other.lower),
                upper: one.upper.max(other.upper),
            });
            interval = best.map_or(interval, |best| interval.and(best));
        }
        memo.insert(board, interval);
        interval
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Discs;
    use crate::solve::bound::Bound;
    use crate::solve::split::tests::exhaust;

    fn expanded(rules: Rules, plies: usize) -> (ProofTree, Vec<CanonicalBoard>) {
        let mut tree = ProofTree::new(rules, Size::Four);
        let mut leaves = vec![CanonicalBoard::from(Board::START)];
        for _ in 0..plies {
            tree.expanded.extend(&leaves);
            leaves = leaves.iter().flat_map(|&board| tree.children(board)).collect();
        }
        (tree, leaves)
    }

    #[test]
    fn leaves_prove_the_root() {
        for (rules, wanted) in [(Rules::Standard, -10), (Rules::Reversed, 4)] {
            let (mut tree, leaves) = expanded(rules, 4);
            let root = CanonicalBoard::from(Board::START);
            assert_eq!(tree.bounds(root, &mut Memo::new()), Interval::unknown(Size::Four));
            for leaf in leaves {
                let value = exhaust(&tree, leaf);
                tree.learn(leaf, Interval::exactly(value));
            }
            assert_eq!(tree.bounds(root, &mut Memo::new()), Interval::exactly(Discs(wanted)));
        }
    }

    #[test]
    fn a_missing_move_leaves_the_other_bound_open() {
        let (mut tree, leaves) = expanded(Rules::Standard, 2);
        for &leaf in &leaves[1..] {
            let value = exhaust(&tree, leaf);
            tree.learn(leaf, Interval::exactly(value));
        }
        let bounds = tree.bounds(Board::START.into(), &mut Memo::new());
        assert!(!bounds.is_exact() && !bounds.is_contradiction(), "{bounds:?}");
        assert!(bounds.proves(Bound::AtMost(Discs(16))));
    }

    #[test]
    fn symmetric_first_moves_are_one() {
        for size in Size::ALL {
            let tree = ProofTree::new(Rules::Standard, size);
            assert_eq!(tree.children(Board::START.into()).len(), 1);
        }
    }
}
