//! All positions of the first plies; symmetric positions and transpositions are one node.

use std::collections::HashMap;

use crate::board::{Board, Move, Position, Size, Square};
use crate::game::Game;
use crate::rules::Rules;
use crate::score::Score;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningNode {
    /// As first reached; symmetric ones lead here too.
    pub position: Position,
    pub ply: u8,
    /// The moves with the indices of the nodes they lead to; none at the leaves.
    pub moves: Vec<(Square, usize)>,
    /// The index of the node it was first reached from, and the move.
    reached_by: Option<(usize, Square)>,
}

/// Nodes in the order of their plies: every one comes after those that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningTree {
    nodes: Vec<OpeningNode>,
}

impl OpeningTree {
    /// All positions of the 8×8 game up to so many plies. A pass ends a branch.
    #[must_use]
    pub fn grow(plies: u8) -> Self {
        let start = Position::start(Size::Eight);
        let mut nodes = vec![OpeningNode { position: start, ply: 0, moves: Vec::new(), reached_by: None }];
        let mut seen: HashMap<Board, usize> = HashMap::from([(start.board().canonical().0, 0)]);
        let mut at = 0;
        while let Some(&OpeningNode { position, ply, .. }) = nodes.get(at).filter(|node| node.ply < plies) {
            for square in position.moves() {
                let Some(next) = position.play(Move::Place(square)) else { continue };
                let child = *seen.entry(next.board().canonical().0).or_insert_with(|| {
                    let reached_by = Some((at, square));
                    nodes.push(OpeningNode { position: next, ply: ply + 1, moves: Vec::new(), reached_by });
                    nodes.len() - 1
                });
                nodes[at].moves.push((square, child));
            }
            at += 1;
        }
        Self { nodes }
    }

    #[must_use]
    pub fn nodes(&self) -> &[OpeningNode] {
        &self.nodes
    }

    /// The indices of the nodes without moves.
    pub fn leaves(&self) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(|&at| self.nodes[at].moves.is_empty())
    }

    /// A game that leads to a node.
    #[must_use]
    pub fn game(&self, rules: Rules, node: usize) -> Game {
        let mut moves = Vec::new();
        let mut at = node;
        while let Some((before, square)) = self.nodes[at].reached_by {
            moves.push(square);
            at = before;
        }
        let mut game = Game::new(rules, Size::Eight);
        for square in moves.into_iter().rev() {
            let played = game.follow(Move::Place(square));
            debug_assert!(played.is_ok(), "the tree has legal moves only");
        }
        game
    }

    /// The values of all nodes for the side to move, from those of the leaves.
    #[must_use]
    pub fn negamax(&self, leaf_value: impl Fn(usize) -> Score) -> Vec<Score> {
        let mut values = vec![Score::default(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let best = node.moves.iter().map(|&(_, child)| -values[child]).max();
            values[at] = best.unwrap_or_else(|| leaf_value(at));
        }
        values
    }

    /// Which nodes play can reach from those that `from` accepts. `may` decides on each move by the player to move (0 for
    /// Black) and what the move loses against the best one, in units.
    #[must_use]
    pub fn reached(
        &self,
        values: &[Score],
        from: impl Fn(usize) -> bool,
        may: impl Fn(u8, i16) -> bool,
    ) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            reached[at] |= from(at);
            if !reached[at] {
                continue;
            }
            for &(_, child) in &node.moves {
                reached[child] |= may(node.ply % 2, loss(values, at, child));
            }
        }
        reached
    }
}

/// What a move loses against the best one, in units.
fn loss(values: &[Score], at: usize, child: usize) -> i16 {
    values[at].units() + values[child].units()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn small_trees_have_every_position_once() {
        let tree = OpeningTree::grow(5);
        for (ply, count) in (0..).zip([1, 1, 3, 14, 60, 322]) {
            assert_eq!(tree.nodes().iter().filter(|node| node.ply == ply).count(), count, "{ply} plies");
        }
        let boards: HashSet<_> = tree.nodes().iter().map(|n| n.position.board().canonical().0).collect();
        assert_eq!(boards.len(), tree.nodes().len());
        assert!(tree.leaves().all(|at| tree.nodes()[at].ply == 5));
    }

    #[test]
    fn moves_lead_to_their_positions_and_games_to_theirs() {
        let tree = OpeningTree::grow(4);
        for (at, node) in tree.nodes().iter().enumerate() {
            let game = tree.game(Rules::Reversed, at);
            assert_eq!((game.position(), game.moves().len()), (&node.position, usize::from(node.ply)));
            for &(square, child) in &node.moves {
                let next = node.position.play(Move::Place(square)).expect("legal");
                let expected = tree.nodes()[child].position.board().canonical().0;
                assert_eq!(next.board().canonical().0, expected);
            }
        }
    }

    /// A start with three moves, of which the first two have two replies each.
    fn hand_made() -> OpeningTree {
        let position = Position::start(Size::Eight);
        let node = |ply, children: &[usize]| OpeningNode {
            position,
            ply,
            moves: children.iter().map(|&child| (Square::ALL[child], child)).collect(),
            reached_by: None,
        };
        let of_start = node(0, &[1, 2, 3]);
        let nodes = vec![
            of_start,
            node(1, &[4, 5]),
            node(1, &[5, 6]),
            node(1, &[]),
            node(2, &[]),
            node(2, &[]),
            node(2, &[]),
        ];
        OpeningTree { nodes }
    }

    fn hand_made_values(tree: &OpeningTree) -> Vec<Score> {
        let leaves = [0, 0, 0, 50, 30, -20, 40];
        tree.negamax(|at| Score::from_units(leaves[at]))
    }

    #[test]
    fn a_position_is_worth_its_best_move() {
        let values = hand_made_values(&hand_made());
        let units: Vec<_> = values.iter().map(|value| value.units()).collect();
        // The second player chooses between −30 and 20, between 20 and −40; the first one likewise.
        assert_eq!(units, [-20, 20, 20, 50, 30, -20, 40]);
    }

    #[test]
    fn play_reaches_what_the_players_may_choose() {
        let tree = hand_made();
        let values = hand_made_values(&tree);
        let from_start = |at| at == 0;
        let best = tree.reached(&values, from_start, |_, loss| loss == 0);
        assert_eq!(best, [true, true, true, false, false, true, false]);
        let first_may_err = tree.reached(&values, from_start, |player, loss| player == 0 || loss == 0);
        assert_eq!(first_may_err, [true, true, true, true, false, true, false]);
        let wide = tree.reached(&values, from_start, |_, loss| loss <= 50);
        assert_eq!(wide, [true, true, true, true, true, true, false]);
        let from_second = tree.reached(&values, |at| at == 2, |_, _| true);
        assert_eq!(from_second, [false, false, true, false, false, true, true]);
    }
}
