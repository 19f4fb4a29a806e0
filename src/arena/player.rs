//! A player in a game, whatever carries it.

use std::time::Duration;

use crate::board::{Color, Move, Size};
use crate::book::{DEFAULT_VARIETY, Opening, Source};
use crate::engine::Search;
use crate::game::Game;
use crate::rules::Rules;
use crate::search::{AnswerDelay, Control, Limits, Task};

use super::journal::{Diagnostics, ForfeitReason};
use crate::clock::{PlayerClock, TimeControl};
use crate::time_source::Timestamp;

/// What a player has done wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerError {
    /// It is gone.
    Crash(String),
    /// It does not answer.
    Hang(String),
    /// It answers nonsense.
    Malformed(String),
    /// It gives up.
    Resigned,
}

impl PlayerError {
    /// The fault as the journal has it, with its particulars.
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

/// Whether a player knows by which rules it plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesCheck {
    /// It has been told, or needs no telling.
    Confirmed,
    /// It may well play another game, for this reason.
    Unconfirmed(String),
}

/// A move a player has chosen.
#[derive(Clone, Copy, Debug)]
pub struct ChosenMove {
    /// The move.
    pub action: Move,
    /// How long it took.
    pub spent: Duration,
    /// What the player thinks it is worth to itself, in discs.
    pub eval: Option<f64>,
    /// How deep it has looked.
    pub depth: Option<u8>,
}

/// What a player is asked when it is its turn.
pub struct MoveRequest<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// Both clocks, Black's first.
    pub clocks: &'a [PlayerClock; 2],
    /// How long the moves of the game took, in the order of [`Game::moves`]; those of the opening took none.
    pub times: &'a [Duration],
    /// When to give up waiting.
    pub timeout: Duration,
}

impl MoveRequest<'_> {
    /// The colour to move.
    #[must_use]
    pub fn color(&self) -> Color {
        self.game.position().side()
    }

    /// The clock of a colour.
    #[must_use]
    pub fn clock(&self, color: Color) -> &PlayerClock {
        &self.clocks[usize::from(color == Color::White)]
    }
}

/// Whoever can play a game.
pub trait MatchPlayer: Send {
    /// Tells a player the rules of the match, and finds out whether it plays by them.
    ///
    /// # Errors
    /// If it misbehaves.
    fn negotiate_rules(&mut self, _rules: Rules, _size: Size) -> Result<RulesCheck, PlayerError> {
        Ok(RulesCheck::Confirmed)
    }

    /// What is left to see of a player that has just lost by a fault.
    fn diagnostics(&self, _reason: ForfeitReason) -> Diagnostics {
        Diagnostics::default()
    }

    /// A game begins, with its opening played already.
    ///
    /// # Errors
    /// If the player cannot be brought to the position.
    fn start_game(&mut self, game: &Game, color: Color, seed: u64) -> Result<(), PlayerError>;

    /// Chooses a move; there is one to choose.
    ///
    /// # Errors
    /// If it does not.
    fn choose_move(&mut self, request: &MoveRequest) -> Result<ChosenMove, PlayerError>;

    /// A move was made: by the opponent, or a forced pass of either side, which nobody is asked for.
    ///
    /// # Errors
    /// If the player does not accept it.
    fn notify_move(&mut self, color: Color, action: Move) -> Result<(), PlayerError>;

    /// It is not needed any more.
    fn quit(self: Box<Self>);
}

/// Makes a searcher for a game from a seed.
pub type MakeSearch = Box<dyn Fn(u64) -> Box<dyn Search> + Send>;

/// A player in this process.
pub struct InProcessPlayer {
    make: MakeSearch,
    searcher: Box<dyn Search>,
    control: TimeControl,
    limits: Limits,
    /// Whether each game's opening is played from the book, and who does so in this one.
    book: bool,
    opening: Option<Opening>,
    delay: AnswerDelay,
}

impl InProcessPlayer {
    /// A player that makes a new searcher for every game, so that games do not depend on those before them.
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
        }
    }

    /// The same, with or without the opening book that comes with the program.
    #[must_use]
    pub fn with_book(self, book: bool) -> Self {
        Self { book, ..self }
    }
}

impl MatchPlayer for InProcessPlayer {
    fn start_game(&mut self, game: &Game, _color: Color, seed: u64) -> Result<(), PlayerError> {
        self.searcher = (self.make)(seed);
        if self.control != TimeControl::Unlimited {
            self.searcher.prepare_evaluation(game.rules(), game.position().size());
            self.searcher.prepare_table();
        }
        self.opening = self.book.then(|| Opening::new(Source::Shipped, DEFAULT_VARIETY, seed));
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
        let task = Task::new(position, request.game.rules());
        let limits = Limits { time, clock, ..self.limits };
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
