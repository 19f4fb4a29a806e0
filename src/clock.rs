//! Time controls and game clocks.

use std::fmt;
use std::time::Duration;

use ollehto_protocol::ggf;

/// What a search knows of its player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub left: Duration,
    /// Per move.
    pub increment: Duration,
    /// Moves to the next time control; none: sudden death.
    pub moves: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    Unlimited,
    PerMove(Duration),
    /// Fischer clock.
    Game {
        main: Duration,
        increment: Duration,
    },
    /// Main time, then periods of so many moves each.
    ByoYomi {
        main: Duration,
        period: Duration,
        moves: u32,
    },
}

impl TimeControl {
    /// Whether it allows no time at all.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        match *self {
            Self::Unlimited => false,
            Self::PerMove(time) => time.is_zero(),
            Self::Game { main, increment } => main.is_zero() && increment.is_zero(),
            Self::ByoYomi { main, period, .. } => main.is_zero() && period.is_zero(),
        }
    }

    /// The arguments of `time_settings`: main time, period, moves.
    #[must_use]
    pub fn gtp(&self) -> (Duration, Duration, u32) {
        match *self {
            // GTP writes "no limit" as a period of no moves.
            Self::Unlimited => (Duration::ZERO, Duration::from_secs(1), 0),
            Self::PerMove(time) => (Duration::ZERO, time, 1),
            // GTP has no increments; `time_left` reports them move by move.
            Self::Game { main, .. } => (main, Duration::ZERO, 0),
            Self::ByoYomi { main, period, moves } => (main, period, moves),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = Duration::as_secs_f64;
        match self {
            Self::Unlimited => f.write_str("no clock"),
            Self::PerMove(time) => write!(f, "{} s a move", seconds(time)),
            Self::Game { main, increment } => {
                write!(f, "{} s + {} s a move", seconds(main), seconds(increment))
            }
            Self::ByoYomi { main, period, moves } => {
                write!(f, "{} s, then {} s for {moves} moves", seconds(main), seconds(period))
            }
        }
    }
}

/// A player's clock during a game.
#[derive(Clone, Copy, Debug)]
pub struct PlayerClock {
    control: TimeControl,
    main: Duration,
    /// Time left in the present period, and its moves.
    period: Duration,
    moves: u32,
}

impl PlayerClock {
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        let (main, period, moves) = match control {
            TimeControl::Unlimited => (Duration::ZERO, Duration::ZERO, 0),
            TimeControl::PerMove(time) => (Duration::ZERO, time, 1),
            TimeControl::Game { main, .. } => (main, Duration::ZERO, 0),
            TimeControl::ByoYomi { main, period, moves } => (main, period, moves),
        };
        Self { control, main, period, moves }
    }

    /// The longest that the next move may take.
    #[must_use]
    pub fn limit(&self) -> Option<Duration> {
        (self.control != TimeControl::Unlimited).then(|| self.main.saturating_add(self.period))
    }

    pub fn charge(&mut self, spent: Duration) {
        match self.control {
            TimeControl::Unlimited | TimeControl::PerMove(_) => {}
            TimeControl::Game { increment, .. } => {
                self.main = self.main.saturating_sub(spent).saturating_add(increment);
            }
            TimeControl::ByoYomi { period, moves, .. } => {
                let over = spent.saturating_sub(self.main);
                let was_main = !self.main.is_zero();
                self.main = self.main.saturating_sub(spent);
                if was_main && over.is_zero() {
                    return;
                }
                self.period = self.period.saturating_sub(over);
                self.moves -= 1;
                if self.moves == 0 {
                    (self.period, self.moves) = (period, moves);
                }
            }
        }
    }

    /// A forced pass takes no time and adds the increment.
    pub fn pass(&mut self) {
        if let TimeControl::Game { increment, .. } = self.control {
            self.main = self.main.saturating_add(increment);
        }
    }

    /// The arguments of `time_left`: time and moves, 0 moves meaning main time.
    #[must_use]
    pub fn gtp(&self) -> Option<(Duration, u32)> {
        match self.control {
            TimeControl::Unlimited => None,
            _ if !self.main.is_zero() || self.moves == 0 => Some((self.main, 0)),
            _ => Some((self.period, self.moves)),
        }
    }

    #[must_use]
    pub fn search_clock(&self) -> Option<Clock> {
        match self.control {
            TimeControl::Unlimited | TimeControl::PerMove(_) => None,
            TimeControl::Game { increment, .. } => Some(Clock { left: self.main, increment, moves: None }),
            TimeControl::ByoYomi { .. } => Some(Clock::before_overtime(self.main, self.period, self.moves)),
        }
    }

    /// The GGF clock of a player whose moves took `spent` so far. GGF has no time per move: it is written as the time
    /// left for all moves to come.
    #[must_use]
    pub fn ggf(&self, spent: Duration) -> ggf::GgfClock {
        let grace = ggf::GgfClock::UNLIMITED.grace;
        match self.control {
            TimeControl::Unlimited => ggf::GgfClock::UNLIMITED,
            TimeControl::Game { main, increment } => ggf::GgfClock { main, increment, grace },
            TimeControl::PerMove(_) | TimeControl::ByoYomi { .. } => {
                let left = self.main.saturating_add(self.period);
                ggf::GgfClock { main: left.saturating_add(spent), increment: Duration::ZERO, grace }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_time_per_move_is_the_same_every_move() {
        let mut clock = PlayerClock::new(TimeControl::PerMove(seconds(2)));
        clock.charge(seconds(2));
        assert_eq!(clock.limit(), Some(seconds(2)));
        assert_eq!(clock.gtp(), Some((seconds(2), 1)));
    }

    #[test]
    fn increments_come_after_the_move() {
        let mut clock = PlayerClock::new(TimeControl::Game { main: seconds(10), increment: seconds(3) });
        assert_eq!(clock.limit(), Some(seconds(10)));
        clock.charge(seconds(5));
        assert_eq!(clock.limit(), Some(seconds(8)));
        assert_eq!(clock.gtp(), Some((seconds(8), 0)));
    }

    #[test]
    fn periods_follow_main_time_and_each_other() {
        let control = TimeControl::ByoYomi { main: seconds(10), period: seconds(6), moves: 2 };
        let mut clock = PlayerClock::new(control);
        assert_eq!(clock.limit(), Some(seconds(16)));
        clock.charge(seconds(8));
        assert_eq!(clock.gtp(), Some((seconds(2), 0)));
        clock.charge(seconds(5));
        assert_eq!(clock.gtp(), Some((seconds(3), 1)));
        clock.charge(seconds(1));
        assert_eq!(clock.gtp(), Some((seconds(6), 2)));
    }

    #[test]
    fn without_a_clock_there_is_no_limit() {
        let clock = PlayerClock::new(TimeControl::Unlimited);
        assert_eq!((clock.limit(), clock.gtp()), (None, None));
    }
}
