//! From the site's clocks to a budget for the next move.

use std::time::Duration;

use ollehto::clock::Clock;
use ollehto::rules::Rules;
use ollehto::search::{Budget, Limits};
use ollehto::time_source::Timestamp;

use crate::site::GameClock;

/// The time that the site reports for a player without a clock.
const NO_CLOCK: u64 = i32::MAX as u64;

/// A player's clock at the beginning of a move.
///
/// The time that the site reports is all that the move may take, whatever the kind of clock: it holds the delay of a
/// delay clock and all periods of byo-yomi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveClock {
    /// Without a clock, or with days for a move.
    None,
    Fischer {
        left: Duration,
        increment: Duration,
    },
    /// Bronstein or simple delay: up to this much of what the move takes comes back.
    Delay {
        left: Duration,
        delay: Duration,
    },
    ByoYomi {
        main: Duration,
        increment: Duration,
        period: Duration,
    },
}

impl MoveClock {
    #[must_use]
    pub fn new(clock: Option<&GameClock>, milliseconds: u64) -> Self {
        let left = Duration::from_millis(milliseconds);
        let Some(clock) = clock else {
            return Self::None;
        };
        let increment = Duration::from_millis(clock.increment);
        match clock.clock_type.as_str() {
            _ if milliseconds >= NO_CLOCK => Self::None,
            "bronstein" | "usdelay" => Self::Delay { left, delay: Duration::from_millis(clock.delay) },
            "byoyomi" if clock.byoyomi > 0 => {
                let period = Duration::from_millis(clock.byoyomi);
                let periods = clock.periods.max(1);
                let overtime = period * periods;
                // Once main time is over, the time holds the present period and those after it.
                match left.checked_sub(overtime) {
                    Some(main) => Self::ByoYomi { main, increment, period },
                    None => {
                        let later =
                            left.saturating_sub(Duration::from_millis(1)).as_nanos() / period.as_nanos();
                        let present = left - period * u32::try_from(later).unwrap_or(0);
                        Self::ByoYomi { main: Duration::ZERO, increment, period: present }
                    }
                }
            }
            // An unknown kind at least ends when its time is over.
            _ => Self::Fischer { left, increment },
        }
    }

    /// The budget of a move that began at `start`. The reserve is for the way to the site, of this move and of those to
    /// come.
    #[must_use]
    pub fn budget(
        self,
        limits: &Limits,
        start: Timestamp,
        empties: u8,
        rules: Rules,
        reserve: Duration,
    ) -> Budget {
        let Some(clock) = self.engine_clock(empties, reserve) else {
            return limits.budget(start, empties, rules, reserve);
        };
        let mut budget = Limits { clock: Some(clock), ..*limits }.budget(start, empties, rules, reserve);
        // Time that comes back is free.
        if let Self::Delay { left, delay } = self {
            let free = delay.saturating_sub(reserve).min(left.saturating_sub(2 * reserve));
            let until = start.checked_add(limits.time.map_or(free, |time| time.min(free)));
            budget.soft = budget.soft.max(until);
            budget.hard = budget.hard.max(budget.soft);
        }
        budget
    }

    fn engine_clock(self, empties: u8, reserve: Duration) -> Option<Clock> {
        let moves = u32::from(empties) / 2 + 1;
        match self {
            Self::None => None,
            Self::Fischer { left, increment } | Self::Delay { left, delay: increment } => {
                // What the way of a move takes comes out of its increment first.
                let unpaid = reserve.saturating_sub(increment).saturating_mul(moves - 1);
                let left = left.saturating_sub(unpaid).max(left / 20);
                Some(Clock { left, increment: increment.saturating_sub(reserve), moves: None })
            }
            Self::ByoYomi { main, increment, period } => {
                let mut clock = Clock::before_overtime(main, period, 1);
                clock.increment = increment.saturating_sub(reserve);
                Some(clock)
            }
        }
    }
}

#[cfg(test)]
#[path = "clock_tests.rs"]
mod tests;
