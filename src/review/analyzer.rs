//! Searches the positions of a review.

use std::time::Duration;

use crate::score::{Discs, Score};
use crate::search::{Budget, Control, Iteration, Limits, ProvenBounds, Searcher, Task};
use crate::time_source::TimeSource;

use super::Review;

pub struct Analyzer {
    searcher: Searcher,
    limits: Limits,
    time: TimeSource,
}

impl Analyzer {
    /// The limits hold for each position.
    #[must_use]
    pub const fn new(searcher: Searcher, limits: Limits, time: TimeSource) -> Self {
        Self { searcher, limits, time }
    }

    /// The budget of a search that begins now.
    #[must_use]
    pub fn budget(&self, task: &Task) -> Budget {
        let empties = task.position.empties().len() as u8;
        self.limits.budget(self.time.now(), empties, task.rules, Duration::ZERO)
    }

    /// The control of a search that begins now.
    #[must_use]
    pub fn control(&self, task: &Task) -> Control {
        Control::with_time(&self.budget(task), self.time.clone())
    }

    /// Searches the next position of a review. Returns the last completed iteration, or static values of depth 0; none
    /// if the review is complete.
    pub fn search_next(
        &mut self,
        review: &Review,
        control: &Control,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> Option<Iteration> {
        let task = review.next_task()?;
        // The table may have lost it, or an earlier process has found it.
        self.searcher.continue_from(proven(review).into_iter().collect(), None);
        Some(self.searcher.run(&task, control, on_iteration).last)
    }

    /// Reviews the rest of a game, and reports each position that was searched by its index.
    pub fn complete(&mut self, review: &mut Review, on_position: &mut dyn FnMut(&Review, usize)) {
        while let (Some(at), Some(task)) = (review.next_index(), review.next_task()) {
            let control = self.control(&task);
            let found = self.search_next(review, &control, &mut |_| {});
            if !found.is_some_and(|found| review.record(&found)) {
                return;
            }
            on_position(review, at);
        }
    }
}

/// The position after the move that was played, if it is solved.
fn proven(review: &Review) -> Option<ProvenBounds> {
    let next = review.next_index()? + 1;
    let position = review.positions().get(next).filter(|position| !position.moves().is_empty())?;
    let (line, exact) = review.value(next)?;
    let discs = Discs(i8::try_from(line.score.units() / Score::UNITS).ok()?);
    exact.then_some(ProvenBounds { board: position.board(), lower: discs, upper: discs, best: None })
}
