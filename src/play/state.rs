//! A game as its players see it: whose turn it is, what was taken back, the clocks, how it ended.

use std::fmt;
use std::time::Duration;

use crate::board::{Bitboard, Color, Move, Position, Square};
use crate::game::{Game, PlayError};
use crate::score::Score;
use crate::time_source::Timestamp;

use super::clocks::Clocks;
use super::settings::{GameSettings, People};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Person(Color),
    Engine(Color),
    Over,
}

/// How a game ended, with the colour that lost where the discs do not tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Played,
    Resigned(Color),
    OutOfTime(Color),
}

/// What is known of a move beside the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    pub spent: Duration,
    /// By the engine that made it, for the side that made it.
    pub value: Option<Score>,
}

/// A move that was made, with a pass that follows it by force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    pub color: Color,
    pub square: Square,
    pub flipped: Bitboard,
    pub passes: bool,
}

#[derive(Clone, Debug)]
pub struct State {
    settings: GameSettings,
    game: Game,
    /// One for each move of the game, and the clocks before it.
    notes: Vec<(Note, Clocks)>,
    /// Discs placed that were taken back, the next one last.
    undone: Vec<(Square, Note)>,
    outcome: Option<Outcome>,
    clocks: Clocks,
    /// The engine waits until it is told to move: after something was taken back that it had played.
    paused: bool,
}

impl State {
    /// The clock of the first player runs from `now` on.
    #[must_use]
    pub fn new(settings: GameSettings, now: Timestamp) -> Self {
        let game = Game::new(settings.rules, settings.size);
        Self::from_game(settings, &game, &[], None, now)
    }

    /// A game that has begun elsewhere. Moves without a note took no time.
    #[must_use]
    pub fn from_game(
        settings: GameSettings,
        record: &Game,
        notes: &[Note],
        outcome: Option<Outcome>,
        now: Timestamp,
    ) -> Self {
        let first = record.first_position();
        let mut state = Self {
            settings: GameSettings { rules: record.rules(), size: first.size(), ..settings },
            game: Game::from_position(record.rules(), first),
            notes: Vec::new(),
            undone: Vec::new(),
            outcome: None,
            clocks: Clocks::new(settings.clock),
            paused: false,
        };
        let unknown = Note { spent: Duration::ZERO, value: None };
        state.pass_if_forced();
        for ((_, action), at) in record.moves().into_iter().zip(0..) {
            if let Move::Place(square) = action {
                let note = notes.get(at).copied().unwrap_or(unknown);
                state.push(square, note).expect("the moves of a game are legal");
            }
        }
        state.outcome = outcome.or_else(|| state.game.position().is_over().then_some(Outcome::Played));
        state.run_clock(now);
        state
    }

    #[must_use]
    pub const fn settings(&self) -> &GameSettings {
        &self.settings
    }

    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    #[must_use]
    pub const fn position(&self) -> &Position {
        self.game.position()
    }

    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// One for each move of the game, passes included.
    pub fn notes(&self) -> impl ExactSizeIterator<Item = Note> {
        self.notes.iter().map(|(note, _)| *note)
    }

    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    #[must_use]
    pub const fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    #[must_use]
    pub fn turn(&self) -> Turn {
        let side = self.position().side();
        match self.outcome {
            Some(_) => Turn::Over,
            None if self.settings.people.plays(side) => Turn::Person(side),
            None => Turn::Engine(side),
        }
    }

    /// The last disc placed and what it flipped.
    #[must_use]
    pub fn last_move(&self) -> Option<PlayedMove> {
        let moves = self.game.moves();
        let at = moves.iter().rposition(|(_, action)| *action != Move::Pass)?;
        let (color, Move::Place(square)) = moves[at] else { return None };
        let before = self.game.positions()[at];
        let flipped = before.discs(color.opponent()) & self.position().discs(color);
        Some(PlayedMove { color, square, flipped, passes: at + 1 < moves.len() })
    }

    /// Plays for the side to move; a pass that is forced after it follows by itself. What was taken back before cannot be
    /// replayed any more.
    ///
    /// # Errors
    /// If the move is illegal or the game is over.
    pub fn play(&mut self, square: Square, value: Option<Score>, now: Timestamp) -> Result<(), PlayError> {
        if self.outcome.is_some() {
            return Err(PlayError::Illegal(Move::Place(square)));
        }
        let note = Note { spent: self.clocks.spent(now), value };
        self.push(square, note)?;
        self.undone.clear();
        self.paused = false;
        self.end_if_over();
        self.run_clock(now);
        Ok(())
    }

    fn push(&mut self, square: Square, note: Note) -> Result<(), PlayError> {
        let color = self.position().side();
        let clocks = self.clocks;
        self.game.play(color, Move::Place(square))?;
        self.notes.push((note, clocks));
        self.clocks.charge(color, note.spent);
        self.pass_if_forced();
        Ok(())
    }

    fn pass_if_forced(&mut self) {
        if self.position().must_pass() {
            let color = self.position().side();
            let clocks = self.clocks;
            self.game.play(color, Move::Pass).expect("there is no other move");
            self.notes.push((Note { spent: Duration::ZERO, value: None }, clocks));
            self.clocks.pass(color);
        }
    }

    fn end_if_over(&mut self) {
        self.outcome = self.position().is_over().then_some(Outcome::Played);
    }

    fn run_clock(&mut self, now: Timestamp) {
        match self.outcome {
            Some(_) => self.clocks.stop(),
            None => self.clocks.start(now),
        }
    }

    /// Takes back a resignation, or else moves until it is a person's turn again. In a game without people it takes back
    /// one move, and the engine waits. The clocks go back, too.
    ///
    /// Returns the number of discs taken back; none if there is nothing to take back.
    pub fn undo(&mut self, now: Timestamp) -> Option<usize> {
        if matches!(self.outcome, Some(Outcome::Resigned(_))) {
            self.outcome = None;
            self.run_clock(now);
            return Some(0);
        }
        let target = self.undo_target()?;
        let moves = self.game.moves();
        let mut count = 0;
        for (&(_, action), &(note, _)) in moves[target..].iter().zip(&self.notes[target..]).rev() {
            if let Move::Place(square) = action {
                self.undone.push((square, note));
                count += 1;
            }
        }
        self.clocks = self.notes[target].1;
        let taken_back = self.game.undo(moves.len() - target);
        debug_assert!(taken_back, "so many moves were played");
        self.notes.truncate(target);
        self.outcome = None;
        self.paused = self.settings.people == People::None;
        self.run_clock(now);
        Some(count)
    }

    /// The number of moves that stay: those before the last choice of a person, or of anybody if no people play.
    fn undo_target(&self) -> Option<usize> {
        let people = self.settings.people;
        self.game.moves().iter().rposition(|&(color, action)| {
            action != Move::Pass && (people == People::None || people.plays(color))
        })
    }

    /// Replays what was taken back until it is a person's turn again. Returns the number of discs placed; none if
    /// nothing was taken back.
    pub fn redo(&mut self, now: Timestamp) -> Option<usize> {
        let mut count = 0;
        while let Some((square, note)) = self.undone.pop() {
            self.push(square, note).expect("it was legal before it was taken back");
            count += 1;
            self.end_if_over();
            if self.settings.people == People::None || matches!(self.turn(), Turn::Person(_)) {
                break;
            }
        }
        self.run_clock(now);
        (count > 0).then_some(count)
    }

    /// Lets the engine move that waits.
    pub fn resume(&mut self, now: Timestamp) {
        self.paused = false;
        self.run_clock(now);
    }

    /// Gives the game up for the person to move, or for the only person there is.
    pub fn resign(&mut self) -> Option<Color> {
        let color = match (self.turn(), self.settings.people) {
            (Turn::Over, _) | (_, People::None) => return None,
            (_, People::Black) => Color::Black,
            (_, People::White) => Color::White,
            (_, People::Both) => self.position().side(),
        };
        self.end(Outcome::Resigned(color));
        Some(color)
    }

    /// Ends the game if the player to move has no time left.
    pub fn check_flag(&mut self, now: Timestamp) -> Option<Color> {
        let side = self.position().side();
        let fallen = self.outcome.is_none()
            && !self.paused
            && self.clocks.left(side, side, now).is_some_and(|left| left.is_zero());
        if fallen {
            self.end(Outcome::OutOfTime(side));
        }
        fallen.then_some(side)
    }

    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.clocks.stop();
    }

    /// The side that would win if the game ended now; none if it would be drawn.
    #[must_use]
    pub fn leader(&self) -> Option<Color> {
        match self.game.result(Color::Black).0 {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        }
    }
}

/// As in `Black wins by 12: 26 discs against 38, and the fewest discs win`.
pub struct ResultInWords<'a>(pub &'a State);

impl fmt::Display for ResultInWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.0;
        match state.outcome {
            None => return f.write_str("The game is not over"),
            Some(Outcome::Resigned(color)) => {
                return write!(f, "{color} resigns: {} wins", color.opponent());
            }
            Some(Outcome::OutOfTime(color)) => {
                return write!(f, "{color} has no time left: {} wins", color.opponent());
            }
            Some(Outcome::Played) => {}
        }
        let count = |color| state.position().discs(color).len();
        let goal = super::settings::goal(state.settings.rules);
        let Some(winner) = state.leader() else {
            return write!(f, "A draw: {} discs each", count(Color::Black));
        };
        let margin = state.game.result(winner).0;
        let [own, other] = [count(winner), count(winner.opponent())];
        write!(f, "{winner} wins by {margin}: {own} discs against {other}, and {goal}")?;
        match state.position().empties().len() {
            0 => Ok(()),
            empties => {
                let taker = if own > other { winner } else { winner.opponent() };
                let (noun, verb) = if empties == 1 { ("square", "counts") } else { ("squares", "count") };
                write!(f, " ({empties} empty {noun} {verb} for {taker})")
            }
        }
    }
}
