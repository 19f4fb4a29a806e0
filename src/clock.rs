//! How long players may think, and the clocks that the referee keeps of it.

use std::fmt;
use std::time::Duration;

use ollehto_protocol::ggf;

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// How many moves it has to last for; none: the rest of the game.
    pub moves: Option<u32>,
}

/// What a player may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// No limit by the clock: some other limit holds.
    Unlimited,
    /// For each move.
    PerMove(Duration),
    /// For the game, with something added after each move.
    Game {
        /// At the beginning.
        main: Duration,
        /// After each move.
        increment: Duration,
    },
    /// For the game, and then again and again for so many moves.
    ByoYomi {
        /// Before the first period.
        main: Duration,
        /// A period.
        period: Duration,
        /// The moves of a period.
        moves: u32,
    },
}

impl TimeControl {
    /// Whether it leaves no time for any move.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        match *self {
            Self::Unlimited => false,
            Self::PerMove(time) => time.is_zero(),
            Self::Game { main, increment } => main.is_zero() && increment.is_zero(),
            Self::ByoYomi { main, period, .. } => main.is_zero() && period.is_zero(),
        }
    }

    /// What `time_settings` says of it, if GTP can say it: main time, period, moves.
    #[must_use]
    pub fn gtp(&self) -> (Duration, Duration, u32) {
        match *self {
            // A period for no moves is GTP's way to say that there is no limit.
            Self::Unlimited => (Duration::ZERO, Duration::from_secs(1), 0),
            Self::PerMove(time) => (Duration::ZERO, time, 1),
            // GTP knows no increments; `time_left` tells of them move by move.
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

/// A player's clock in one game.
#[derive(Clone, Copy, Debug)]
pub struct PlayerClock {
    control: TimeControl,
    /// Main time left.
    main: Duration,
    /// Left of the present period, and the moves it has to last for.
    period: Duration,
    moves: u32,
}

impl PlayerClock {
    /// The clock as it stands before the first move.
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

    /// How long the next move may take at most; none: as long as it likes.
    #[must_use]
    pub fn limit(&self) -> Option<Duration> {
        (self.control != TimeControl::Unlimited).then(|| self.main.saturating_add(self.period))
    }

    /// A move has been made.
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

    /// A forced pass was made, which takes no time and adds the increment like any move.
    pub fn pass(&mut self) {
        if let TimeControl::Game { increment, .. } = self.control {
            self.main = self.main.saturating_add(increment);
        }
    }

    /// What `time_left` says of it: seconds and moves, 0 moves meaning main time.
    #[must_use]
    pub fn gtp(&self) -> Option<(Duration, u32)> {
        match self.control {
            TimeControl::Unlimited => None,
            _ if !self.main.is_zero() || self.moves == 0 => Some((self.main, 0)),
            _ => Some((self.period, self.moves)),
        }
    }

    /// What a search in this process has to keep to.
    #[must_use]
    pub fn search_clock(&self) -> Option<Clock> {
        match self.control {
            TimeControl::Unlimited | TimeControl::PerMove(_) => None,
            TimeControl::Game { increment, .. } => Some(Clock { left: self.main, increment, moves: None }),
            TimeControl::ByoYomi { .. } => Some(Clock::before_overtime(self.main, self.period, self.moves)),
        }
    }

    /// The clock of a game text in which the player's moves have taken `spent` so far. Such texts know no limit for a
    /// single move, so one is written as what is left for all that follow.
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
    fn a_time_a_move_is_the_same_every_move() {
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
