//! The results of one player in a match.

use std::collections::BTreeMap;

use ollehto_protocol::notation::{parse_moves, parse_position};

use super::pairs::{GameResult, WinDrawLoss};
use crate::arena::journal::{Diagnostics, ForfeitReason, GameEnding, GameRecord, MoveRecord};
use crate::board::Color;
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slowest {
    pub seconds: f64,
    pub game: u32,
    /// From 0, without the opening.
    pub ply: usize,
}

/// Times by the referee's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeStats {
    /// Moves the player was asked for: with a forfeited one, without forced passes.
    pub moves: u64,
    /// In seconds.
    pub total: f64,
    pub slowest: Option<Slowest>,
}

impl TimeStats {
    /// Seconds per move.
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

/// Search depths that a player reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthStats {
    moves: u64,
    sum: u64,
}

impl DepthStats {
    /// Over the moves with a depth.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.sum as f64 / self.moves as f64)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerSummary {
    /// Games as Black.
    pub black: WinDrawLoss,
    /// Games as White.
    pub white: WinDrawLoss,
    pub time: TimeStats,
    pub depths: DepthStats,
    /// By reason.
    pub forfeits: BTreeMap<ForfeitReason, u32>,
    /// By reason and exit status.
    pub causes: BTreeMap<(ForfeitReason, Option<String>), ForfeitCause>,
}

/// Forfeits with the same reason and exit status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForfeitCause {
    pub games: u32,
    /// Number of the first game.
    pub first: u32,
    /// Details of the first game.
    pub detail: String,
    /// Last lines on standard error in the first game.
    pub stderr: Option<String>,
}

impl PlayerSummary {
    #[must_use]
    pub fn tally(&self) -> WinDrawLoss {
        self.black + self.white
    }

    /// `first_mover` made the first move of the record, see [`first_mover`]; without it moves are not counted.
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

    /// Games may come in any order; the details are those of the lowest number.
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

/// As in the journal.
const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The side to move after the opening; none if the record is unreadable.
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
