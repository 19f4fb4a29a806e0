//! Reviews of games: what the search says of each move that was played.
//!
//! A [`Review`] names the positions to search, from the end of the game to its start, and takes what the search found.
//! Who runs the searches is up to the caller: an [`Analyzer`] runs them with a searcher of its own, the terminal and the
//! browser with theirs. Values are for the side that moves.

mod analyzer;
mod backwards;
mod judgement;
mod loss;
mod summary;

#[cfg(test)]
mod tests;

pub use analyzer::Analyzer;
pub use backwards::Review;
pub use judgement::{Judgement, Outcome, Stage, accuracy};
pub use loss::Loss;
pub use summary::{PlayerSummary, StageSummary};

use crate::board::{Color, Move, Position};
use crate::search::{Iteration, Line};
use crate::selectivity::Selectivity;

/// A move that was played, and the best ones at the same depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewedMove {
    /// Before the move.
    pub position: Position,
    /// Begins with the move.
    pub played: Line,
    /// Best first, at least one. Begins with the move that was played if no other one is better.
    pub best: Vec<Line>,
    /// In discs to place.
    pub depth: u8,
    pub selectivity: Selectivity,
    /// Whether the values are results of perfect play.
    pub exact: bool,
}

impl ReviewedMove {
    /// None if the move is not among the lines of the iteration. `proven` is its line if what follows it is solved.
    fn new(
        position: Position,
        action: Move,
        found: &Iteration,
        lines: usize,
        proven: Option<Line>,
    ) -> Option<Self> {
        let is_played = |line: &&Line| line.moves.first() == Some(&action);
        let mut played = found.lines.iter().find(is_played)?.clone();
        let mut others = found.lines.iter().filter(|line| !is_played(line));
        // What is proven replaces an estimate, but not where it would be less than the estimate of another move: a
        // difference between the two is no loss.
        if let Some(proven) = proven.filter(|_| !found.exact)
            && others.clone().all(|line| line.score <= proven.score)
        {
            played = proven;
        }
        let wanted = lines.max(1);
        let mut best: Vec<Line> = others.by_ref().take(wanted).cloned().collect();
        // Of equal moves the one that was played leads. Selective cuts may even let it look better than the best one:
        // then it is the best that is known.
        let place = best.partition_point(|line| line.score > played.score);
        best.insert(place, played.clone());
        best.truncate(wanted);
        let &Iteration { depth, selectivity, exact, .. } = found;
        Some(Self { position, played, best, depth, selectivity, exact })
    }

    #[must_use]
    pub const fn mover(&self) -> Color {
        self.position.side()
    }

    /// A pass if there was no other move.
    #[must_use]
    pub fn action(&self) -> Move {
        self.played.moves.first().copied().unwrap_or(Move::Pass)
    }

    #[must_use]
    pub fn best_line(&self) -> &Line {
        self.best.first().unwrap_or(&self.played)
    }

    #[must_use]
    pub fn loss(&self) -> Loss {
        Loss::between(self.best_line().score, self.played.score)
    }

    /// Whether there was another move.
    #[must_use]
    pub fn had_choice(&self) -> bool {
        self.position.moves().len() > 1
    }

    #[must_use]
    pub fn judgement(&self) -> Judgement {
        Judgement::of(self.best_line().score, self.played.score, self.exact)
    }

    #[must_use]
    pub fn stage(&self) -> Stage {
        Stage::of(&self.position)
    }

    /// The outcome before and after a move that changed it.
    #[must_use]
    pub fn turning_point(&self) -> Option<(Outcome, Outcome)> {
        judgement::turning_point(self.best_line().score, self.played.score, self.exact)
    }
}
