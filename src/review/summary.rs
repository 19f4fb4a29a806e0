//! How well each player has played.

use crate::board::Color;

use super::judgement::{Judgement, Stage, accuracy};
use super::{Loss, Review, ReviewedMove};

/// Of the reviewed moves with a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageSummary {
    pub moves: usize,
    pub total_loss: Loss,
    /// The sum of the moves' accuracies.
    total_accuracy: f64,
    /// By [`Judgement::ALL`].
    counts: [usize; Judgement::ALL.len()],
}

impl StageSummary {
    fn add(&mut self, reviewed: &ReviewedMove) {
        self.moves += 1;
        self.total_loss = [self.total_loss, reviewed.loss()].into_iter().sum();
        self.total_accuracy += accuracy(reviewed.loss());
        self.counts[reviewed.judgement() as usize] += 1;
    }

    #[must_use]
    pub const fn count(&self, judgement: Judgement) -> usize {
        self.counts[judgement as usize]
    }

    /// In discs. None without moves.
    #[must_use]
    pub fn mean_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.total_loss.discs() / self.moves as f64)
    }

    /// The mean of the moves' accuracies, in percent. None without moves.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.total_accuracy / self.moves as f64)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerSummary {
    pub whole_game: StageSummary,
    /// By [`Stage::ALL`].
    stages: [StageSummary; Stage::ALL.len()],
    /// The index of the move with the greatest loss, the first of such. None if no move lost anything.
    pub worst: Option<usize>,
}

impl PlayerSummary {
    #[must_use]
    pub fn of(review: &Review, color: Color) -> Self {
        let mut summary = Self::default();
        let mut greatest = Loss::default();
        let own =
            review.reviewed().filter(|(_, reviewed)| reviewed.mover() == color && reviewed.had_choice());
        for (at, reviewed) in own {
            summary.whole_game.add(reviewed);
            summary.stages[reviewed.stage() as usize].add(reviewed);
            if reviewed.loss() > greatest {
                (greatest, summary.worst) = (reviewed.loss(), Some(at));
            }
        }
        summary
    }

    #[must_use]
    pub const fn stage(&self, stage: Stage) -> &StageSummary {
        &self.stages[stage as usize]
    }
}
