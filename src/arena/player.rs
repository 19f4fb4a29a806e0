//! The interface of players, and those in this process.

use std::time::Duration;

use crate::board::{Color, Move, Size};
use crate::book::{BookPlayer, BookSource, DEFAULT_VARIETY};
use crate::engine::Search;
use crate::game::Game;
use crate::random::Random;
use crate::rules::Rules;
use crate::search::{AnswerDelay, Control, Limits, Task};

use super::journal::{Diagnostics, ForfeitReason};
use crate::clock::{PlayerClock, TimeControl};
use crate::time_source::Timestamp;

/// Why a player loses a game by forfeit, with details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerError {
    Crash(String),
    Hang(String),
    /// An answer that is no move or an error.
    Malformed(String),
    Resigned,
}

impl PlayerError {
    /// The reason as in the journal, and the details.
    #[must_use]
    pub fn forfeit(self) -> (ForfeitReason, String) {
        match self {
            Self::Crash(detail) => (ForfeitReason::Crash, detail),
            Self::Hang(detail) => (ForfeitReason::Hang, detail),
            Self::Malformed(detail) => (ForfeitReason::Malformed, detail),
            Self::Resigned => (ForfeitReason::Resigned, String::new()),
        }
    }
}

/// Whether a player plays by the rules of the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesCheck {
    Confirmed,
    /// It may play by other rules, for this reason.
    Unconfirmed(String),
}

#[derive(Clone, Copy, Debug)]
pub struct ChosenMove {
    pub action: Move,
    pub spent: Duration,
    /// In discs, from the player's view.
    pub eval: Option<f64>,
    pub depth: Option<u8>,
}

pub struct MoveRequest<'a> {
    pub game: &'a Game,
    /// Both clocks, Black's first.
    pub clocks: &'a [PlayerClock; 2],
    /// Times of the moves so far, in the order of [`Game::moves`]; zero for the opening.
    pub times: &'a [Duration],
    /// When the player is considered to hang.
    pub timeout: Duration,
}

impl MoveRequest<'_> {
    #[must_use]
    pub fn color(&self) -> Color {
        self.game.position().side()
    }

    #[must_use]
    pub fn clock(&self, color: Color) -> &PlayerClock {
        &self.clocks[usize::from(color == Color::White)]
    }
}

pub trait MatchPlayer: Send {
    /// Tells the player the rules of the match and checks that it plays by them.
    ///
    /// # Errors
    /// If it does not answer properly.
    fn negotiate_rules(&mut self, _rules: Rules, _size: Size) -> Result<RulesCheck, PlayerError> {
        Ok(RulesCheck::Confirmed)
    }

    /// Negotiates the rules of a game, which the player must confirm.
    ///
    /// # Errors
    /// If it does not.
    fn require_rules(&mut self, game: &Game) -> Result<(), PlayerError> {
        match self.negotiate_rules(game.rules(), game.position().size())? {
            RulesCheck::Confirmed => Ok(()),
            RulesCheck::Unconfirmed(problem) => Err(PlayerError::Malformed(problem)),
        }
    }

    /// What is known about the player after a forfeit.
    fn diagnostics(&self, _reason: ForfeitReason) -> Diagnostics {
        Diagnostics::default()
    }

    /// Sets up a game with its opening.
    ///
    /// # Errors
    /// If the player does not accept it.
    fn start_game(&mut self, game: &Game, color: Color, seed: u64) -> Result<(), PlayerError>;

    /// Called only if there is a legal move.
    ///
    /// # Errors
    /// If the player does not answer with a move.
    fn choose_move(&mut self, request: &MoveRequest) -> Result<ChosenMove, PlayerError>;

    /// A move of the opponent, or a forced pass of either side, which the referee makes.
    ///
    /// # Errors
    /// If the player does not accept it.
    fn notify_move(&mut self, color: Color, action: Move) -> Result<(), PlayerError>;

    fn quit(self: Box<Self>);
}

/// Makes a searcher from a seed.
pub type MakeSearch = Box<dyn Fn(u64) -> Box<dyn Search> + Send>;

/// A search of our own.
pub struct InProcessPlayer {
    make: MakeSearch,
    searcher: Box<dyn Search>,
    control: TimeControl,
    limits: Limits,
    /// Whether to play from the opening book; `opening` does so in the current game.
    book: bool,
    opening: Option<BookPlayer>,
    delay: AnswerDelay,
    random: Random,
}

impl InProcessPlayer {
    /// Every game gets a new searcher, so that games are independent of each other.
    #[must_use]
    pub fn new(make: MakeSearch, control: TimeControl, limits: Limits) -> Self {
        Self {
            searcher: make(0),
            make,
            control,
            limits,
            book: false,
            opening: None,
            delay: AnswerDelay::default(),
            random: Random::new(0),
        }
    }

    #[must_use]
    pub fn with_book(self, book: bool) -> Self {
        Self { book, ..self }
    }
}

impl MatchPlayer for InProcessPlayer {
    fn start_game(&mut self, game: &Game, _color: Color, seed: u64) -> Result<(), PlayerError> {
        self.searcher = (self.make)(seed);
        self.random = Random::new(seed);
        if self.control != TimeControl::Unlimited {
            self.searcher.prepare_evaluation(game.rules(), game.position().size());
            self.searcher.prepare_table();
        }
        self.opening = self.book.then(|| BookPlayer::new(BookSource::Shipped, DEFAULT_VARIETY, seed));
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest) -> Result<ChosenMove, PlayerError> {
        let start = Timestamp::now();
        let position = *request.game.position();
        let opening = self.opening.as_mut();
        if let Some(found) = opening.and_then(|opening| opening.choose(&position, request.game.rules()))
            && let Some(&square) = found.line.first()
        {
            let (action, eval) = (Move::Place(square), Some(found.value.discs()));
            return Ok(ChosenMove { action, spent: start.elapsed(), eval, depth: None });
        }
        let time = match self.control {
            TimeControl::PerMove(time) => Some(time),
            _ => None,
        };
        let clock = request.clock(request.color()).search_clock();
        let limits = Limits { time, clock, ..self.limits };
        let task = Task {
            mode: limits.mode(&mut self.random),
            for_play: true,
            ..Task::new(position, request.game.rules())
        };
        let empties = position.empties().len() as u8;
        let budget = limits.budget(start, empties, task.rules, self.delay.reserve());
        let outcome = self.searcher.search(&task, &Control::new(&budget), &mut |_| {});
        let end = Timestamp::now();
        if let Some(due) = budget.hard {
            self.delay.note(due, end);
        }
        let best = outcome.last.lines.first();
        Ok(ChosenMove {
            action: outcome.best(),
            spent: end - start,
            eval: best.map(|line| line.score.discs()),
            depth: Some(outcome.last.depth),
        })
    }

    fn notify_move(&mut self, _color: Color, _action: Move) -> Result<(), PlayerError> {
        Ok(())
    }

    fn quit(self: Box<Self>) {}
}
