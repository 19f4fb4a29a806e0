//! The engine as an adviser: values, hints and reviews, always at full strength.

use std::io;
use std::time::Duration;

use crossbeam_channel::Receiver;

use crate::board::Position;
use crate::engine::{Engine, Event, RunningSearch, SearchReport};
use crate::game::Game;
use crate::review::Review;
use crate::rules::Rules;
use crate::search::{Iteration, Limits, Searcher, Task};
use crate::time_source::{TimeSource, Timestamp};

use super::opponent::TABLE;

/// What a hint and each position of a review may take.
const HINT_TIME: Duration = Duration::from_secs(2);
const REVIEW_TIME: Duration = Duration::from_millis(500);

/// Why a position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The value of the position.
    Value,
    /// The values of all moves.
    Hint,
    /// The next position of the review.
    Review,
}

/// What is known of a position.
#[derive(Clone, Debug)]
pub struct Advice {
    pub position: Position,
    /// With the values of all moves.
    pub is_hint: bool,
    pub found: Iteration,
}

struct Job {
    search: RunningSearch,
    purpose: Purpose,
    position: Position,
}

pub struct Adviser {
    engine: Engine,
    job: Option<Job>,
    advice: Option<Advice>,
    review: Option<Review>,
    /// What the value of a position may take.
    value_time: Duration,
}

impl Adviser {
    /// # Errors
    /// If the system has no thread left.
    pub fn start(threads: usize, value_time: Duration) -> io::Result<Self> {
        let searcher = Searcher::new(threads, TABLE).for_play();
        let engine = Engine::start(Box::new(searcher), TimeSource::default())?;
        Ok(Self { engine, job: None, advice: None, review: None, value_time })
    }

    #[must_use]
    pub const fn reports(&self) -> &Receiver<SearchReport> {
        self.engine.reports()
    }

    /// Of this position, if any.
    #[must_use]
    pub fn advice(&self, position: &Position) -> Option<&Advice> {
        self.advice.as_ref().filter(|advice| advice.position == *position)
    }

    /// Of whatever position came last.
    #[must_use]
    pub const fn last_advice(&self) -> Option<&Advice> {
        self.advice.as_ref()
    }

    #[must_use]
    pub const fn review(&self) -> Option<&Review> {
        self.review.as_ref()
    }

    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    #[must_use]
    pub fn purpose(&self) -> Option<Purpose> {
        self.job.as_ref().map(|job| job.purpose)
    }

    /// Searches a position for its value, or for those of all its moves.
    pub fn consult(&mut self, position: Position, rules: Rules, purpose: Purpose, now: Timestamp) {
        let (lines, time) = match purpose {
            Purpose::Hint => (position.moves().len().max(1) as usize, HINT_TIME),
            Purpose::Value | Purpose::Review => (1, self.value_time),
        };
        self.search(Task { lines, ..Task::new(position, rules) }, time, purpose, now);
    }

    fn search(&mut self, task: Task, time: Duration, purpose: Purpose, now: Timestamp) {
        let limits = Limits { time: Some(time), ..Limits::default() };
        let empties = task.position.empties().len() as u8;
        let budget = limits.budget(now, empties, task.rules, Duration::ZERO);
        // The one before it must not keep it waiting.
        self.job = None;
        let search = self.engine.search(task, &budget);
        self.job = Some(Job { search, purpose, position: task.position });
    }

    /// Stops thinking. The review can be resumed.
    pub fn stop(&mut self) {
        self.job = None;
    }

    /// Begins the review of a game.
    pub fn begin_review(&mut self, game: &Game, now: Timestamp) {
        self.review = Some(Review::new(game, 1));
        self.go_on_with_review(now);
    }

    pub fn go_on_with_review(&mut self, now: Timestamp) {
        self.job = None;
        if let Some(task) = self.review.as_ref().and_then(Review::next_task) {
            self.search(task, REVIEW_TIME, Purpose::Review, now);
        }
    }

    /// Another game begins.
    pub fn forget(&mut self) {
        self.advice = None;
        self.end_review();
    }

    pub fn end_review(&mut self) {
        self.review = None;
        self.job = None;
    }

    /// Takes a report of the running search. Returns its purpose if it has ended with this.
    pub fn take(&mut self, report: SearchReport, now: Timestamp) -> Option<Purpose> {
        let job = self.job.as_ref().filter(|job| job.search.id() == report.id)?;
        let (purpose, position) = (job.purpose, job.position);
        let (found, done) = match report.event {
            Event::Iteration(found) => (found, false),
            Event::Done(result) => (result.last, true),
        };
        if done {
            self.job = None;
        }
        match purpose {
            Purpose::Review if done => {
                if self.review.as_mut().is_some_and(|review| review.record(&found)) {
                    self.go_on_with_review(now);
                }
            }
            Purpose::Review => {}
            Purpose::Value | Purpose::Hint => {
                self.advice = Some(Advice { position, is_hint: purpose == Purpose::Hint, found });
            }
        }
        (done && self.job.is_none()).then_some(purpose)
    }
}
