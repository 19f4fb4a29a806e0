//! `random`: any legal move, all equally likely. The zero point of every measure of strength.
//!
//! `greedy`: the move after which it has the fewest discs (under standard rules the most), at random among equal ones. It
//! sees nothing else, not even the end of the game. Its score is the disc difference after the move.

use std::cmp::Reverse;

use crate::board::{Move, Position};
use crate::engine::Search;
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Control, Iteration, Line, SearchResult, Task};
use crate::selectivity::Selectivity;

use super::features::difference;
use super::player::finished;

pub(super) struct RandomPlayer {
    rng: Random,
}

impl RandomPlayer {
    pub(super) const fn new(seed: u64) -> Self {
        Self { rng: Random::new(seed) }
    }
}

/// The legal moves in random order, or a pass.
pub(super) fn shuffled_moves(position: &Position, rng: &mut Random) -> Vec<Move> {
    let mut moves: Vec<_> = position.moves().into_iter().map(Move::Place).collect();
    if moves.is_empty() {
        moves.push(Move::Pass);
    }
    rng.shuffle(&mut moves);
    moves
}

impl Search for RandomPlayer {
    /// Without iterations; all scores are zero.
    fn search(&mut self, task: &Task, control: &Control, _: &mut dyn FnMut(&Iteration)) -> SearchResult {
        if task.position.is_over() {
            return finished(control);
        }
        let moves = shuffled_moves(&task.position, &mut self.rng).into_iter();
        // The move is played even if the budget is spent.
        let _ = control.count_nodes(0, 1);
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

pub(super) struct Greedy {
    rng: Random,
}

impl Greedy {
    pub(super) const fn new(seed: u64) -> Self {
        Self { rng: Random::new(seed) }
    }
}

/// Scored by the disc difference after the move.
fn greedy_line(position: &Position, rules: Rules, action: Move) -> Option<Line> {
    let next = position.play(action)?.board();
    // The player of the move is now the opponent.
    let discs = rules.sign() * difference(next.other(), next.own());
    Some(Line { score: Score::from_units(discs * i32::from(Score::UNITS)), moves: vec![action] })
}

impl Search for Greedy {
    fn search(
        &mut self,
        task: &Task,
        control: &Control,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> SearchResult {
        if task.position.is_over() {
            return finished(control);
        }
        let moves = shuffled_moves(&task.position, &mut self.rng);
        // One ply is cheaper than a check of the budget.
        let _ = control.count_nodes(0, moves.len() as u64);
        let mut lines: Vec<_> =
            moves.into_iter().filter_map(|action| greedy_line(&task.position, task.rules, action)).collect();
        lines.sort_by_key(|line| Reverse(line.score));
        lines.truncate(task.lines.max(1));
        let last = Iteration {
            depth: 1,
            selectivity: Selectivity::Off,
            exact: false,
            lines,
            nodes: control.nodes(),
        };
        on_iteration(&last);
        SearchResult { last }
    }
}
