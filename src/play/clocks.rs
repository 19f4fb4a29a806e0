//! The clocks of both players.

use std::time::Duration;

use crate::board::Color;
use crate::clock::{Clock, PlayerClock, TimeControl};
use crate::time_source::Timestamp;

/// Stands while nobody is to move.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    black: PlayerClock,
    white: PlayerClock,
    /// When the present turn began; none while the clocks stand.
    since: Option<Timestamp>,
}

impl Clocks {
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        let clock = PlayerClock::new(control);
        Self { black: clock, white: clock, since: None }
    }

    const fn of(&self, color: Color) -> &PlayerClock {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    const fn of_mut(&mut self, color: Color) -> &mut PlayerClock {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }

    pub const fn start(&mut self, now: Timestamp) {
        self.since = Some(now);
    }

    pub const fn stop(&mut self) {
        self.since = None;
    }

    /// The time of the present turn so far.
    #[must_use]
    pub fn spent(&self, now: Timestamp) -> Duration {
        self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// Charges a move that took this long.
    pub fn charge(&mut self, color: Color, spent: Duration) {
        self.of_mut(color).charge(spent);
    }

    pub fn pass(&mut self, color: Color) {
        self.of_mut(color).pass();
    }

    /// What a player has left, the running turn of `to_move` counted; none without a clock.
    #[must_use]
    pub fn left(&self, color: Color, to_move: Color, now: Timestamp) -> Option<Duration> {
        let running = if color == to_move { self.spent(now) } else { Duration::ZERO };
        self.of(color).limit().map(|limit| limit.saturating_sub(running))
    }

    /// What a search for this player may know of its clock.
    #[must_use]
    pub fn search_clock(&self, color: Color) -> Option<Clock> {
        self.of(color).search_clock()
    }
}
