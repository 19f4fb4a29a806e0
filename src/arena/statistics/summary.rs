//! What one player did in a match.

use std::collections::BTreeMap;

use ollehto_protocol::notation::{parse_moves, parse_position};

use super::pairs::{GameResult, WinDrawLoss};
use crate::arena::journal::{Diagnostics, ForfeitReason, GameEnding, GameRecord, MoveRecord};
use crate::board::Color;
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;

/// The longest think of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slowest {
    /// How long it took.
    pub seconds: f64,
    /// The number of the game.
    pub game: u32,
    /// The place among the moves of that game, from 0, the opening not counted.
    pub ply: usize,
}

/// The time that a player used, by the referee's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeStats {
    /// Moves that the player was asked for, one that lost the game included; passes that the referee made are left out.
    pub moves: u64,
    /// All seconds.
    pub total: f64,
    /// The longest think.
    pub slowest: Option<Slowest>,
}

impl TimeStats {
    /// Seconds a move.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.total / self.moves as f64)
    }

    fn count(&mut self, seconds: f64, game: u32, ply: usize) {
        self.moves += 1;
        self.total += seconds;
        if self.slowest.is_none_or(|slowest| seconds > slowest.seconds) {
            self.slowest = Some(Slowest { seconds, game, ply });
        }
    }
}

/// The depths that a player told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthStats {
    moves: u64,
    sum: u64,
}

impl DepthStats {
    /// The mean over the moves that came with a depth; none if no move did.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.sum as f64 / self.moves as f64)
    }
}

/// What one player did in all its games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerSummary {
    /// The games with the black discs.
    pub black: WinDrawLoss,
    /// The games with the white discs.
    pub white: WinDrawLoss,
    /// The time used.
    pub time: TimeStats,
    /// The depths looked at.
    pub depths: DepthStats,
    /// Games lost by a fault of its own.
    pub forfeits: BTreeMap<ForfeitReason, u32>,
    /// The same by what was done and how the process ended, if it did.
    pub causes: BTreeMap<(ForfeitReason, Option<String>), ForfeitCause>,
}

/// How games were lost by the same fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForfeitCause {
    /// How many.
    pub games: u32,
    /// The number of the first of them.
    pub first: u32,
    /// The particulars of that one.
    pub detail: String,
    /// What its process last wrote to standard error.
    pub stderr: Option<String>,
}

impl PlayerSummary {
    /// All games.
    #[must_use]
    pub fn tally(&self) -> WinDrawLoss {
        self.black + self.white
    }

    /// Counts a game that the player had this colour in. `first_mover` is who made the first of the record's moves, see
    /// [`first_mover`]; when it is not known the moves are left out.
    pub fn add(&mut self, game: &GameRecord, color: Color, first_mover: Option<Color>) {
        let black = GameResult::of_margin(game.score.into());
        match color {
            Color::Black => self.black.count(black),
            Color::White => self.white.count(black.reversed()),
        }
        if let GameEnding::Forfeit { by, reason, detail, diagnostics } = &game.ending
            && by == name(color)
        {
            *self.forfeits.entry(*reason).or_default() += 1;
            self.add_cause(game.number, *reason, detail, diagnostics);
            if let Some(seconds) = diagnostics.seconds {
                self.time.count(seconds, game.number, game.moves.len());
            }
        }
        let Some(first_mover) = first_mover else { return };
        let skipped = usize::from(first_mover != color);
        for (ply, played) in game.moves.iter().enumerate().skip(skipped).step_by(2) {
            self.add_move(played, game.number, ply);
        }
    }

    /// Counts a fault. Games may come in any order; the first by number is described.
    fn add_cause(&mut self, number: u32, reason: ForfeitReason, detail: &str, diagnostics: &Diagnostics) {
        let cause = self.causes.entry((reason, diagnostics.exit.clone())).or_default();
        cause.games += 1;
        if cause.games == 1 || number < cause.first {
            cause.first = number;
            cause.detail = detail.to_owned();
            cause.stderr.clone_from(&diagnostics.stderr);
        }
    }

    fn add_move(&mut self, played: &MoveRecord, game: u32, ply: usize) {
        let by_referee = played.text == "pass" && played.seconds == 0.0;
        if !by_referee {
            self.time.count(played.seconds, game, ply);
        }
        if let Some(depth) = played.depth {
            self.depths.moves += 1;
            self.depths.sum += u64::from(depth);
        }
    }
}

/// What the journal calls a colour.
const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Who is to move after the opening; none if the record cannot be read.
#[must_use]
pub fn first_mover(record: &GameRecord) -> Option<Color> {
    let start = notation::position(&parse_position(record.start.as_bytes()).ok()?).ok()?;
    // Whose turn it is does not depend on the rules.
    let mut game = Game::from_position(Rules::default(), start);
    for vertex in parse_moves(record.opening.as_bytes()).ok()? {
        game.follow(notation::action(vertex, start.size())?).ok()?;
    }
    Some(game.position().side())
}
