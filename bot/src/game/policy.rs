//! Ends of a game that the bot brings about: abort, resignation, draw.

use std::io;
use std::time::{Duration, Instant};

use log::{info, warn};

use crate::api::Command;
use crate::player::Found;
use crate::tracker::Tracker;

use super::GameLoop;

/// Waiting for the opponent, and for a lost game to turn.
#[derive(Debug, Default)]
pub struct Patience {
    /// When to abort a game in which the opponent has not moved.
    abort_at: Option<Instant>,
    abort: Abort,
    /// Own moves in a row that lose for certain.
    lost_moves: u8,
    /// The number of moves when they were last counted.
    counted_at: Option<usize>,
    has_answered_draw: bool,
}

/// The opponent's first move may have been lost on its way: only a game that was read again is aborted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Abort {
    #[default]
    Unchecked,
    BeingChecked,
    Checked,
}

impl Patience {
    #[must_use]
    pub const fn abort_at(&self) -> Option<Instant> {
        self.abort_at
    }

    /// Fresh is the beginning of a stream.
    pub fn note(&mut self, tracker: &Tracker, is_fresh: bool, abort_after: Duration) {
        let is_waiting =
            tracker.state().abortable && !tracker.opponent_moved() && tracker.my_turn().is_none();
        self.abort_at = is_waiting.then(|| self.abort_at.unwrap_or_else(|| Instant::now() + abort_after));
        if !is_waiting {
            self.abort = Abort::Unchecked;
        } else if is_fresh && self.abort == Abort::BeingChecked {
            self.abort = Abort::Checked;
            self.abort_at = Some(Instant::now());
        }
        self.has_answered_draw &= tracker.is_offered_draw();
    }
}

impl GameLoop {
    pub(super) fn abort_if_due(&mut self) -> io::Result<()> {
        let now = Instant::now();
        if self.patience.abort_at.is_none_or(|at| now < at) {
            return Ok(());
        }
        if self.patience.abort == Abort::Checked {
            info!("game {}: the opponent does not begin; aborting", self.id);
            if let Err(error) = self.api.command(&self.id, Command::Abort) {
                warn!("game {}: cannot abort: {error}", self.id);
            }
            // The stream tells of the end. Until then all of it once more.
            self.patience.abort = Abort::Unchecked;
            self.patience.abort_at = Some(Instant::now() + Duration::from(self.config.network.confirm));
            return Ok(());
        }
        self.patience.abort = Abort::BeingChecked;
        self.patience.abort_at = Some(now + Duration::from(self.config.network.refresh));
        self.reread(Duration::ZERO)
    }

    /// Accepts a draw or resigns instead of playing the move. Returns whether the move is no longer needed now.
    pub(super) fn end_early(&mut self, found: &Found) -> bool {
        let Some(tracker) = &self.tracker else { return false };
        let policy = &self.config.game;
        let plies = tracker.plies();
        if self.patience.counted_at != Some(plies) {
            let loses = found.exact.is_some_and(|discs| discs <= -f64::from(policy.resign_margin.max(1)));
            self.patience.lost_moves = if loses { self.patience.lost_moves.saturating_add(1) } else { 0 };
            self.patience.counted_at = Some(plies);
        }
        let gives_up = policy.resign_after > 0 && self.patience.lost_moves >= policy.resign_after;
        let takes_draw = policy.accept_draws
            && tracker.is_offered_draw()
            && !self.patience.has_answered_draw
            && found.exact.is_some_and(|discs| discs <= 0.0);
        let command = match (gives_up, takes_draw) {
            (_, true) => Command::AcceptDraw,
            (true, _) => Command::Resign,
            _ => return false,
        };
        self.patience.has_answered_draw |= command == Command::AcceptDraw;
        if command == Command::Resign {
            // If the site does not take it, the game goes on.
            self.patience.lost_moves = 0;
        }
        match self.api.command(&self.id, command) {
            Ok(()) => info!("game {}: {command:?}", self.id),
            Err(error) => warn!("game {}: {command:?} failed: {error}", self.id),
        }
        self.retry_at = Some(Instant::now() + Duration::from(self.config.network.confirm));
        self.reread_soon();
        true
    }
}
