//! The engine as a player.

use std::io;
use std::time::Duration;

use crossbeam_channel::Receiver;

use crate::board::{Move, Square};
use crate::book::{BookPlayer, BookSource, DEFAULT_VARIETY};
use crate::engine::{Engine, Event, RunningSearch, SearchReport};
use crate::random::Random;
use crate::score::Score;
use crate::search::{Limits, SearchMode, SearchResult, Searcher, Task};
use crate::time_source::{TimeSource, Timestamp};

use super::state::State;

/// In MiB.
pub(super) const TABLE: usize = 64;

/// A move that the engine has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub square: Square,
    pub value: Option<Score>,
}

enum Thought {
    Nothing,
    Running(RunningSearch),
    Found(Answer),
}

pub struct Opponent {
    engine: Engine,
    book: BookPlayer,
    /// For the mistakes of a weaker player.
    random: Random,
    thought: Thought,
    /// The least time of an answer, so that people see their own move first.
    pace: Duration,
    /// When the answer may be shown.
    due: Timestamp,
}

impl Opponent {
    /// # Errors
    /// If the system has no thread left.
    pub fn start(threads: usize, seed: u64, pace: Duration) -> io::Result<Self> {
        let searcher = Searcher::new(threads, TABLE).for_play();
        let engine = Engine::start(Box::new(searcher), TimeSource::default())?;
        let book = BookPlayer::new(BookSource::Shipped, DEFAULT_VARIETY, seed);
        Ok(Self {
            engine,
            book,
            random: Random::new(seed),
            thought: Thought::Nothing,
            pace,
            due: Timestamp::now(),
        })
    }

    #[must_use]
    pub const fn reports(&self) -> &Receiver<SearchReport> {
        self.engine.reports()
    }

    #[must_use]
    pub const fn is_thinking(&self) -> bool {
        !matches!(self.thought, Thought::Nothing)
    }

    /// Begins to look for a move of the side to move.
    pub fn think(&mut self, state: &State, now: Timestamp) {
        let (position, settings) = (*state.position(), state.settings());
        self.due = now + self.pace;
        let clock = state.clocks().search_clock(position.side());
        let limits = Limits { clock, ..settings.strength.limits() };
        let mode = limits.mode(&mut self.random);
        // The book would be stronger than a weaker player.
        if mode == SearchMode::BestMove
            && let Some(found) = self.book.choose(&position, settings.rules)
            && let Some(&square) = found.line.first()
        {
            self.thought = Thought::Found(Answer { square, value: Some(found.value) });
            return;
        }
        let empties = position.empties().len() as u8;
        let budget = limits.budget(now, empties, settings.rules, Duration::ZERO);
        let task = Task { mode, for_play: true, ..Task::new(position, settings.rules) };
        self.thought = Thought::Running(self.engine.search(task, &budget));
    }

    /// The answer comes at once.
    pub fn hurry(&mut self, now: Timestamp) {
        self.due = now;
        if let Thought::Running(search) = &self.thought {
            search.stop();
        }
    }

    /// Stops thinking.
    pub fn forget(&mut self) {
        self.thought = Thought::Nothing;
    }

    /// Takes a report of the search; those of searches that were given up are ignored.
    pub fn take(&mut self, report: SearchReport) {
        if let (Thought::Running(search), Event::Done(result)) = (&self.thought, report.event)
            && search.id() == report.id
        {
            self.thought = answer(&result).map_or(Thought::Nothing, Thought::Found);
        }
    }

    /// When the answer that was found may be shown.
    #[must_use]
    pub fn due(&self) -> Option<Timestamp> {
        matches!(self.thought, Thought::Found(_)).then_some(self.due)
    }

    /// The answer, once it is due.
    pub fn answer(&mut self, now: Timestamp) -> Option<Answer> {
        match self.thought {
            Thought::Found(answer) if now >= self.due => {
                self.thought = Thought::Nothing;
                Some(answer)
            }
            _ => None,
        }
    }
}

fn answer(result: &SearchResult) -> Option<Answer> {
    match result.best() {
        Move::Place(square) => {
            Some(Answer { square, value: result.last.lines.first().map(|line| line.score) })
        }
        Move::Pass => None,
    }
}
