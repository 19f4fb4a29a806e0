//! `greedy`: takes the move after which it has the fewest discs, under standard rules the most; chance decides between
//! equal ones. It looks at nothing else, not even at whether the move ends the game.
//!
//! The score shown is the disc difference after the move.

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
use super::random::shuffled_moves;

/// Plays for the discs of the moment.
pub(super) struct Greedy {
    rng: Random,
}

impl Greedy {
    pub(super) const fn new(seed: u64) -> Self {
        Self { rng: Random::new(seed) }
    }
}

/// The disc difference after a move, the rules applied.
fn line(position: &Position, rules: Rules, action: Move) -> Option<Line> {
    let next = position.play(action)?.board();
    // Whoever has moved is the one who waits now.
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
        // A single ply costs less than asking whether there is time for it.
        let _ = control.spend(0, moves.len() as u64);
        let mut lines: Vec<_> =
            moves.into_iter().filter_map(|action| line(&task.position, task.rules, action)).collect();
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
