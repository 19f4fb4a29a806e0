//! `random`: any legal move, all equally likely. The zero point of every measure of strength.

use crate::board::{Move, Position};
use crate::engine::Search;
use crate::random::Random;
use crate::score::Score;
use crate::search::{Control, Iteration, Line, SearchResult, Task};
use crate::selectivity::Selectivity;

use super::player::finished;

/// Plays at random.
pub(super) struct RandomPlayer {
    rng: Random,
}

impl RandomPlayer {
    pub(super) const fn new(seed: u64) -> Self {
        Self { rng: Random::new(seed) }
    }
}

/// What the side to move can do, in an order that chance decides: a pass if it has no move.
pub(super) fn shuffled_moves(position: &Position, rng: &mut Random) -> Vec<Move> {
    let mut moves: Vec<_> = position.moves().into_iter().map(Move::Place).collect();
    if moves.is_empty() {
        moves.push(Move::Pass);
    }
    rng.shuffle(&mut moves);
    moves
}

impl Search for RandomPlayer {
    /// Nothing is valued, so there is no iteration to tell of and all scores are even.
    fn search(&mut self, task: &Task, control: &Control, _: &mut dyn FnMut(&Iteration)) -> SearchResult {
        if task.position.is_over() {
            return finished(control);
        }
        let moves = shuffled_moves(&task.position, &mut self.rng).into_iter();
        // The move is there, whether or not the budget still is.
        let _ = control.spend(0, 1);
        let lines = moves.map(|action| Line { score: Score::default(), moves: vec![action] });
        let lines = lines.take(task.lines.max(1)).collect();
        SearchResult {
            last: Iteration {
                depth: 0,
                selectivity: Selectivity::Off,
                exact: false,
                lines,
                nodes: control.nodes(),
            },
        }
    }
}
