//! A review in progress: positions to search, from the end of the game to its start.
//!
//! Backwards, since the table then knows what follows a move that was played: its value costs little, and the values of
//! neighbouring positions agree.

use crate::board::{Color, Move, Position};
use crate::game::Game;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Iteration, Line, Task};
use crate::selectivity::Selectivity;

use super::ReviewedMove;

#[derive(Clone, Debug)]
pub struct Review {
    rules: Rules,
    /// How many of the best moves are wanted.
    lines: usize,
    /// One more than moves.
    positions: Vec<Position>,
    actions: Vec<Move>,
    moves: Vec<Option<ReviewedMove>>,
    /// What was found in the last position.
    last: Option<Iteration>,
}

impl Review {
    /// Nothing is searched yet. Passes after the end of the game are left out.
    #[must_use]
    pub fn new(game: &Game, lines: usize) -> Self {
        let mut positions = game.positions();
        let mut actions: Vec<_> = game.moves().into_iter().map(|(_, action)| action).collect();
        if let Some(end) = positions.iter().position(Position::is_over) {
            positions.truncate(end + 1);
            actions.truncate(end);
        }
        let moves = vec![None; actions.len()];
        let mut review =
            Self { rules: game.rules(), lines: lines.max(1), positions, actions, moves, last: None };
        review.settle_end();
        review
    }

    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// One more than there are moves.
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves that were played, passes included.
    #[must_use]
    pub fn actions(&self) -> &[Move] {
        &self.actions
    }

    /// The number of the move of this index as players count: from 1, without passes. Of a pass or the last position it is
    /// that of the next disc.
    #[must_use]
    pub fn move_number(&self, at: usize) -> usize {
        let placed = self.actions.iter().take(at).filter(|action| **action != Move::Pass);
        placed.count() + 1
    }

    /// None for those that are not searched yet.
    #[must_use]
    pub fn moves(&self) -> &[Option<ReviewedMove>] {
        &self.moves
    }

    /// With their indices.
    pub fn reviewed(&self) -> impl Iterator<Item = (usize, &ReviewedMove)> {
        self.moves.iter().enumerate().filter_map(|(at, reviewed)| Some((at, reviewed.as_ref()?)))
    }

    /// What was found in the last position; for a finished game its result, without lines.
    #[must_use]
    pub const fn last(&self) -> Option<&Iteration> {
        self.last.as_ref()
    }

    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.next_index().is_none()
    }

    /// The index of the position to search next: that before the move of this index, or the last one.
    #[must_use]
    pub fn next_index(&self) -> Option<usize> {
        match &self.last {
            None => Some(self.actions.len()),
            Some(_) => self.moves.iter().rposition(Option::is_none),
        }
    }

    /// How many positions are still to be searched: forced moves need no search.
    #[must_use]
    pub fn positions_left(&self) -> usize {
        let is_open = |(reviewed, position): &(&Option<ReviewedMove>, &Position)| {
            reviewed.is_none() && position.moves().len() > 1
        };
        let moves = self.moves.iter().zip(&self.positions).filter(is_open).count();
        moves + usize::from(self.last.is_none())
    }

    /// None when everything is searched.
    #[must_use]
    pub fn next_task(&self) -> Option<Task> {
        let at = self.next_index()?;
        // Included, so that the only move of the last position is searched like any other.
        let only = || (self.positions[at].moves().len() == 1).then(|| self.positions[at].moves().first());
        let include = self.actions.get(at).copied().or_else(|| only()?.map(Move::Place));
        Some(Task { lines: self.lines, include, ..Task::new(self.positions[at], self.rules) })
    }

    /// Takes a completed iteration of [`next_task`](Self::next_task). Forced moves before it follow without a search.
    ///
    /// False, and nothing is changed, if the iteration is of another task.
    #[must_use]
    pub fn record(&mut self, found: &Iteration) -> bool {
        let Some(at) = self.next_index() else { return false };
        let Some(&action) = self.actions.get(at) else {
            if !fits(&self.positions[at], found) {
                return false;
            }
            self.last = Some(found.clone());
            self.settle_forced();
            return true;
        };
        let position = self.positions[at];
        let proven = self
            .by_successor(at)
            .filter(|by_successor| by_successor.exact)
            .map(|by_successor| by_successor.played);
        let Some(reviewed) = ReviewedMove::new(position, action, found, self.lines, proven) else {
            return false;
        };
        self.restore(at, reviewed)
    }

    /// Takes a move that was reviewed earlier, in any order. False if it is another move than that of this index.
    #[must_use]
    pub fn restore(&mut self, at: usize, reviewed: ReviewedMove) -> bool {
        let fits =
            self.actions.get(at) == Some(&reviewed.action()) && self.positions[at] == reviewed.position;
        if fits {
            self.moves[at] = Some(reviewed);
            self.settle_forced();
        }
        fits
    }

    /// Takes what was found in the last position earlier. False if it is of another position.
    #[must_use]
    pub fn restore_last(&mut self, found: Iteration) -> bool {
        let fits = fits(&self.positions[self.actions.len()], &found);
        if fits {
            self.last = Some(found);
            self.settle_forced();
        }
        fits
    }

    /// The best line of a position for its side to move, and whether it is exact. For a finished game its result, without
    /// moves. None if it is not searched yet.
    #[must_use]
    pub fn value(&self, at: usize) -> Option<(Line, bool)> {
        if let Some(reviewed) = self.moves.get(at) {
            let reviewed = reviewed.as_ref()?;
            return Some((reviewed.best_line().clone(), reviewed.exact));
        }
        let last = self.last.as_ref()?;
        let result = || Line { score: self.result_of_last(), moves: Vec::new() };
        Some((last.lines.first().cloned().unwrap_or_else(result), last.exact))
    }

    /// The value of each position for a colour, from the first to the last.
    #[must_use]
    pub fn curve(&self, color: Color) -> Vec<Option<Score>> {
        let seen_by = |(at, position): (usize, &Position)| {
            let (line, _) = self.value(at)?;
            Some(if position.side() == color { line.score } else { -line.score })
        };
        self.positions.iter().enumerate().map(seen_by).collect()
    }

    /// The moves that turned the game, with their indices.
    pub fn turning_points(&self) -> impl Iterator<Item = (usize, &ReviewedMove)> {
        self.reviewed().filter(|(_, reviewed)| reviewed.turning_point().is_some())
    }

    fn result_of_last(&self) -> Score {
        let last = &self.positions[self.actions.len()];
        self.rules.result(last.board(), last.size()).into()
    }

    /// The end of a finished game needs no search.
    fn settle_end(&mut self) {
        if self.positions[self.actions.len()].is_over() {
            let selectivity = Selectivity::Off;
            self.last = Some(Iteration { depth: 0, selectivity, exact: true, lines: Vec::new(), nodes: 0 });
            self.settle_forced();
        }
    }

    /// A move without a choice is worth what follows it.
    fn settle_forced(&mut self) {
        while let Some(at) = self.next_index().filter(|&at| at < self.actions.len())
            && self.positions[at].moves().len() <= 1
            && let Some(forced) = self.by_successor(at)
        {
            self.moves[at] = Some(forced);
        }
    }

    /// A move by the value of what follows it.
    fn by_successor(&self, at: usize) -> Option<ReviewedMove> {
        let action = self.actions[at];
        let (next, exact) = self.value(at + 1)?;
        let moves = std::iter::once(action).chain(next.moves).collect();
        let played = Line { score: -next.score, moves };
        let (depth, selectivity) = match self.moves.get(at + 1) {
            Some(next) => next.as_ref().map(|next| (next.depth, next.selectivity))?,
            None => self.last.as_ref().map(|last| (last.depth, last.selectivity))?,
        };
        let depth = depth + u8::from(action != Move::Pass);
        let best = vec![played.clone()];
        Some(ReviewedMove { position: self.positions[at], played, best, depth, selectivity, exact })
    }
}

/// Whether an iteration can be of this position.
fn fits(position: &Position, found: &Iteration) -> bool {
    let mut first_moves = found.lines.iter().filter_map(|line| line.moves.first());
    !found.lines.is_empty() && first_moves.all(|&action| position.play(action).is_some())
}
