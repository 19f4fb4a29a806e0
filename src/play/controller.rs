//! Carries out commands and runs the engines, for either front end.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, select};
use ollehto_protocol::coord::Coord;

use crate::board::{Move, Square};
use crate::files::output::Outputs;
use crate::notation;
use crate::score::Score;
use crate::terminal::interrupts::Interrupts;
use crate::time_source::Timestamp;

use super::adviser::{Adviser, Purpose};
use super::command::Command;
use super::keeper::Keeper;
use super::notice::{Notice, Problem};
use super::opponent::Opponent;
use super::record::{self, Choices, LoadError, Loaded};
use super::settings::GameSettings;
use super::state::{ResultInWords, State, Turn};

/// What ends a wait.
#[derive(Debug)]
pub enum Wake<T> {
    Input(T),
    /// There will be no input any more.
    InputEnded,
    /// Ctrl-C or SIGTERM.
    Interrupted,
    /// An engine has reported something, or the time is over.
    Other,
}

/// An engine has panicked.
#[derive(Debug)]
pub struct EngineDied;

pub struct Controller {
    state: State,
    opponent: Opponent,
    adviser: Adviser,
    keeper: Keeper,
    interrupts: Interrupts,
    shows_values: bool,
    /// The last file that the game was saved to by name.
    saved_to: Option<PathBuf>,
    notices: Vec<Notice>,
    /// A failure to keep the game was reported.
    keeping_failed: bool,
}

/// What a controller is made of.
pub struct Parts {
    pub opponent: Opponent,
    pub adviser: Adviser,
    pub keeper: Keeper,
    pub interrupts: Interrupts,
    pub shows_values: bool,
}

impl Controller {
    #[must_use]
    pub fn new(state: State, parts: Parts) -> Self {
        let Parts { opponent, adviser, keeper, interrupts, shows_values } = parts;
        Self {
            state,
            opponent,
            adviser,
            keeper,
            interrupts,
            shows_values,
            saved_to: None,
            notices: Vec::new(),
            keeping_failed: false,
        }
    }

    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    #[must_use]
    pub const fn adviser(&self) -> &Adviser {
        &self.adviser
    }

    #[must_use]
    pub const fn opponent(&self) -> &Opponent {
        &self.opponent
    }

    #[must_use]
    pub const fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    #[must_use]
    pub const fn shows_values(&self) -> bool {
        self.shows_values
    }

    #[must_use]
    pub fn saved_to(&self) -> Option<&Path> {
        self.saved_to.as_deref()
    }

    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    pub fn report(&mut self, problem: Problem) {
        self.notices.push(Notice::Problem(problem));
    }

    /// Whether the engine is to move and does not wait for anybody.
    #[must_use]
    pub fn engine_moves(&self) -> bool {
        matches!(self.state.turn(), Turn::Engine(_)) && !self.state.is_paused()
    }

    /// Waits for input or for an engine, no longer than `timeout`, and takes what an engine reports.
    ///
    /// # Errors
    /// If an engine has panicked.
    pub fn wait<T>(&mut self, input: &Receiver<T>, timeout: Duration) -> Result<Wake<T>, EngineDied> {
        let timeout = match self.opponent.due() {
            Some(due) => timeout.min(due.saturating_duration_since(Timestamp::now())),
            None => timeout,
        };
        select! {
            recv(input) -> input => Ok(input.map_or(Wake::InputEnded, Wake::Input)),
            recv(self.interrupts.arrived()) -> _ => Ok(Wake::Interrupted),
            recv(self.opponent.reports()) -> report => {
                self.opponent.take(report.map_err(|_| EngineDied)?);
                Ok(Wake::Other)
            }
            recv(self.adviser.reports()) -> report => {
                let ended = self.adviser.take(report.map_err(|_| EngineDied)?, Timestamp::now());
                self.notices.extend(ended.map(|purpose| match purpose {
                    Purpose::Review => Notice::ReviewComplete,
                    Purpose::Hint | Purpose::Value => Notice::Advised,
                }));
                Ok(Wake::Other)
            }
            default(timeout) => Ok(Wake::Other),
        }
    }

    /// Lets the flag fall, the engine play and think, and the adviser value the position: whatever is due. To be called
    /// after each wait and each command.
    pub fn advance(&mut self, now: Timestamp) {
        if self.state.check_flag(now).is_some() {
            self.opponent.forget();
            self.note_end();
            self.keep();
        }
        if let Some(answer) = self.opponent.answer(now) {
            self.place(answer.square, answer.value, true, now);
        }
        if self.engine_moves() && !self.opponent.is_thinking() {
            self.adviser.stop();
            self.opponent.think(&self.state, now);
        }
        self.consult_for_value(now);
    }

    fn consult_for_value(&mut self, now: Timestamp) {
        let position = *self.state.position();
        let wanted = self.shows_values
            && matches!(self.state.turn(), Turn::Person(_))
            && !self.opponent.is_thinking()
            && !self.adviser.is_busy()
            && self.adviser.advice(&position).is_none();
        if wanted {
            self.adviser.consult(position, self.state.settings().rules, Purpose::Value, now);
        }
    }

    /// Carries out a command. Those that only concern what is shown are left to the front end.
    pub fn execute(&mut self, command: Command, now: Timestamp) {
        match command {
            Command::Play(coord) => self.play(coord, now),
            Command::Undo => self.undo(now),
            Command::Redo => self.redo(now),
            Command::Hint => self.hint(now),
            Command::Values(on) => {
                self.shows_values = on.unwrap_or(!self.shows_values);
                self.notices.push(Notice::Values(self.shows_values));
            }
            Command::Go => self.go(now),
            Command::New(choices) => self.new_game(choices.or(self.state.settings()), now),
            Command::Save { path, replace } => self.save(path, replace),
            Command::Load(path) => {
                if let Err(error) = self.load(&path, now) {
                    self.report(Problem::Load(error));
                }
            }
            Command::Resign => self.resign(),
            Command::Review => self.review(now),
            Command::Board | Command::Help | Command::Quit => {}
        }
    }

    fn play(&mut self, coord: Coord, now: Timestamp) {
        let size = self.state.settings().size;
        match (self.state.turn(), notation::square(coord, size)) {
            (_, None) => self.report(Problem::OutsideBoard(coord.to_string().to_lowercase())),
            (Turn::Over, _) => self.report(Problem::GameOver),
            (Turn::Engine(_), _) if !self.state.is_paused() => self.report(Problem::NotYourTurn),
            (_, Some(square)) => self.place(square, None, false, now),
        }
    }

    fn place(&mut self, square: Square, value: Option<Score>, by_engine: bool, now: Timestamp) {
        let color = self.state.position().side();
        let name = self.name(Move::Place(square));
        if self.state.check_flag(now).is_some() {
            self.note_end();
        } else if self.state.position().board().discs().contains(square) {
            return self.report(Problem::Taken(name));
        } else if self.state.play(square, value, now).is_err() {
            let legal: Vec<_> = self
                .state
                .position()
                .moves()
                .into_iter()
                .map(|square| self.name(Move::Place(square)))
                .collect();
            return self.report(Problem::Illegal { name, legal: legal.join(" ") });
        } else {
            self.opponent.forget();
            self.adviser.end_review();
            self.notices.push(Notice::Played { color, name, by_engine });
            self.note_pass();
            self.note_end();
        }
        self.keep();
    }

    fn note_pass(&mut self) {
        if self.state.last_move().is_some_and(|last| last.passes) {
            self.notices.push(Notice::Passed(self.state.position().side().opponent()));
        }
    }

    fn note_end(&mut self) {
        if self.state.outcome().is_some() {
            self.notices.push(Notice::Over(ResultInWords(&self.state).to_string()));
        }
    }

    /// The name of a move as people write it.
    #[must_use]
    pub fn name(&self, action: Move) -> String {
        notation::vertex(action, self.state.settings().size).to_string().to_lowercase()
    }

    /// What the engines think about is of another position now.
    fn moved_elsewhere(&mut self) {
        self.opponent.forget();
        self.adviser.end_review();
        self.keep();
    }

    fn undo(&mut self, now: Timestamp) {
        match self.state.undo(now) {
            Some(count) => {
                self.notices.push(Notice::TakenBack(count));
                self.moved_elsewhere();
            }
            None => self.report(Problem::NothingToUndo),
        }
    }

    fn redo(&mut self, now: Timestamp) {
        match self.state.redo(now) {
            Some(count) => {
                self.notices.push(Notice::Replayed(count));
                self.note_end();
                self.moved_elsewhere();
            }
            None => self.report(Problem::NothingToRedo),
        }
    }

    fn hint(&mut self, now: Timestamp) {
        match self.state.turn() {
            Turn::Over => self.report(Problem::GameOver),
            Turn::Engine(_) if !self.state.is_paused() => self.report(Problem::NotYourTurn),
            Turn::Person(_) | Turn::Engine(_) => {
                let position = *self.state.position();
                self.adviser.consult(position, self.state.settings().rules, Purpose::Hint, now);
            }
        }
    }

    fn go(&mut self, now: Timestamp) {
        match self.state.turn() {
            Turn::Over => self.report(Problem::GameOver),
            _ if self.opponent.is_thinking() => self.opponent.hurry(now),
            Turn::Engine(_) => self.state.resume(now),
            Turn::Person(_) => self.play_for_person(now),
        }
    }

    /// By the book of the opponent or its search, at its strength.
    fn play_for_person(&mut self, now: Timestamp) {
        self.adviser.stop();
        self.opponent.think(&self.state, now);
    }

    pub fn new_game(&mut self, settings: GameSettings, now: Timestamp) {
        self.replace_game(State::new(settings, now));
        self.notices.push(Notice::NewGame);
    }

    fn replace_game(&mut self, state: State) {
        self.opponent.forget();
        self.adviser.forget();
        self.state = state;
        self.saved_to = None;
        self.keeper.begin();
    }

    /// Goes on with the newest unfinished game.
    ///
    /// # Errors
    /// If there is none.
    pub fn continue_last(&mut self, choices: &Choices, now: Timestamp) -> Result<(), LoadError> {
        let Loaded { state, fault } = self.keeper.continue_last(choices, now)?;
        self.opponent.forget();
        self.adviser.forget();
        self.state = state;
        self.notices.push(Notice::Continued);
        self.note_fault(fault);
        Ok(())
    }

    /// Goes on with the last game of a file.
    ///
    /// # Errors
    /// If there is none; the present game is unchanged.
    pub fn load(&mut self, path: &Path, now: Timestamp) -> Result<(), LoadError> {
        let Loaded { state, fault } = record::load(path, &Choices::default(), self.state.settings(), now)?;
        self.replace_game(state);
        self.notices.push(Notice::Loaded(path.to_owned()));
        self.note_fault(fault);
        self.note_end();
        Ok(())
    }

    /// Tells where the reading of a game ended.
    pub fn note_fault(&mut self, fault: Option<String>) {
        self.notices.extend(fault.map(Notice::UpToFault));
    }

    fn save(&mut self, path: Option<PathBuf>, replace: bool) {
        let own = path.is_none() || path == self.saved_to;
        let Some(path) = path.or_else(|| self.saved_to.clone()) else {
            return self.report(Problem::NoFileName);
        };
        let text = format!("{}\n", record::record(&self.state));
        let output = Outputs::new(replace || own).claim(path.as_path());
        match output.and_then(|output| output.write(text)) {
            Ok(()) => {
                self.notices.push(Notice::Saved(path.clone()));
                self.saved_to = Some(path);
            }
            Err(error) => self.report(Problem::Save(error.to_string())),
        }
    }

    fn resign(&mut self) {
        match self.state.resign() {
            Some(_) => {
                self.opponent.forget();
                self.adviser.stop();
                self.note_end();
                self.keep();
            }
            None if self.state.turn() == Turn::Over => self.report(Problem::GameOver),
            None => self.report(Problem::NobodyToResign),
        }
    }

    fn review(&mut self, now: Timestamp) {
        if self.state.game().moves().is_empty() {
            return self.report(Problem::NothingToReview);
        }
        match self.adviser.review() {
            Some(review) if review.is_complete() => self.notices.push(Notice::ReviewComplete),
            Some(_) if self.adviser.purpose() == Some(Purpose::Review) => {}
            Some(_) => self.adviser.go_on_with_review(now),
            None => {
                self.adviser.begin_review(self.state.game(), now);
                // A game of forced moves needs no search.
                if !self.adviser.is_busy() {
                    self.notices.push(Notice::ReviewComplete);
                }
            }
        }
    }

    fn keep(&mut self) {
        if let Err(error) = self.keeper.keep(&self.state)
            && !self.keeping_failed
        {
            self.keeping_failed = true;
            self.report(Problem::NotKept(error.to_string()));
        }
    }

    /// Whether the present game would be lost with the program: it could not be kept on disk.
    #[must_use]
    pub fn would_lose_game(&self) -> bool {
        let unkept = self.keeping_failed || self.keeper.file().is_none();
        unkept && self.saved_to.is_none() && !self.state.game().moves().is_empty()
    }
}
