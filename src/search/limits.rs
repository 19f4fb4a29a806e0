//! Limits that a user sets, and the budget that follows for one move.

use std::time::Duration;

use crate::clock::Clock;
use crate::rules::Rules;
use crate::time_source::Timestamp;

use super::SearchMode;
use super::strength::{Elo, Handicap};
use super::time_manager::usable;
use crate::random::Random;

/// The tightest limit decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// In plies, endgame included.
    pub depth: Option<u8>,
    pub nodes: Option<u64>,
    /// In plies in the midgame, with exact play from [`solved_from`] empty squares on.
    pub level: Option<u8>,
    /// The strength of the moves that are played; hints and analysis are not limited by it.
    pub elo: Option<Elo>,
    /// For each move.
    pub time: Option<Duration>,
    /// For the game.
    pub clock: Option<Clock>,
}

/// What one search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The end for a typical move. If it equals `hard`, time that is left over is lost to later moves, and all of it
    /// is used.
    pub soft: Option<Timestamp>,
    pub hard: Option<Timestamp>,
    /// When the answer has to leave, whatever the search has found: soon afterwards the move is lost on time. Nothing to
    /// the search itself.
    pub latest: Option<Timestamp>,
    pub depth: Option<u8>,
    pub nodes: Option<u64>,
}

impl Budget {
    /// Until stopped.
    pub const UNLIMITED: Self = Self { soft: None, hard: None, latest: None, depth: None, nodes: None };
}

/// How long before the end of its time an answer has to leave.
const LAST_MOMENT: Duration = Duration::from_millis(2);

/// If no limit was set.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The number of empty squares from which a level plays perfectly.
#[must_use]
pub fn solved_from(level: u8) -> u8 {
    (2 * level).min(level.saturating_add(10))
}

impl Limits {
    /// The budget of a move that was asked for at `start`. At least `reserve` is kept for the answer's way, but no
    /// more than half of the time.
    #[must_use]
    pub fn budget(&self, start: Timestamp, empties: u8, rules: Rules, reserve: Duration) -> Budget {
        let mut budget = self.untimed(empties);
        let mut cap = |soft: Duration, hard: Duration, time: Option<Duration>| {
            // A time beyond the clock's range is no limit.
            let earlier =
                |old: Option<Timestamp>, after| [old, start.checked_add(after)].into_iter().flatten().min();
            budget.soft = earlier(budget.soft, soft);
            budget.hard = earlier(budget.hard, hard);
            if let Some(time) = time {
                budget.latest = earlier(budget.latest, time.saturating_sub(LAST_MOMENT));
            }
        };
        if let Some(time) = self.time {
            let usable = usable(time, reserve);
            cap(usable, usable, Some(time));
        }
        if let Some(clock) = self.clock {
            let (soft, hard) = clock.share(empties, rules, reserve);
            cap(soft, hard, Some(clock.left));
        }
        if *self == Self::default() {
            let usable = usable(DEFAULT_TIME, reserve);
            cap(usable, usable, None);
        }
        budget
    }

    /// How to search for a move to play. The mistakes of a weaker player come from the random numbers.
    #[must_use]
    pub fn mode(&self, random: &mut Random) -> SearchMode {
        match self.elo {
            None => SearchMode::BestMove,
            Some(elo) => SearchMode::Limited(Handicap { elo, seed: random.draw() }),
        }
    }

    /// The limits that hold without a clock too, as for hints.
    #[must_use]
    pub fn untimed(&self, empties: u8) -> Budget {
        let level = self.level.map(|level| if empties <= solved_from(level) { empties } else { level });
        let depth = [self.depth, level].into_iter().flatten().min();
        Budget { depth: depth.map(|depth| depth.max(1)), nodes: self.nodes, ..Budget::UNLIMITED }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Control;
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn times(limits: Limits, empties: u8) -> (Duration, Duration) {
        let start = Timestamp::now();
        let budget = limits.budget(start, empties, Rules::Reversed, Duration::ZERO);
        (budget.soft.expect("timed") - start, budget.hard.expect("timed") - start)
    }

    #[test]
    fn without_limits_a_move_takes_a_second() {
        let (soft, hard) = times(Limits::default(), 40);
        assert_eq!(soft, hard);
        assert!(hard < DEFAULT_TIME && hard > DEFAULT_TIME * 9 / 10);
    }

    #[test]
    fn another_limit_replaces_the_default() {
        let budget = Limits { depth: Some(5), ..Limits::default() }.budget(
            Timestamp::now(),
            40,
            Rules::Reversed,
            Duration::ZERO,
        );
        assert_eq!(budget, Budget { depth: Some(5), ..Budget::UNLIMITED });
    }

    #[test]
    fn the_tightest_limit_decides() {
        let clock = Clock { left: MINUTE, increment: Duration::ZERO, moves: None };
        let time = Some(Duration::from_millis(100));
        let both = Limits { time, clock: Some(clock), depth: Some(9), level: Some(4), ..Limits::default() };
        assert!(times(both, 50).1 < Duration::from_millis(100));
        assert_eq!(both.budget(Timestamp::now(), 50, Rules::Reversed, Duration::ZERO).depth, Some(4));
        assert_eq!(
            both.budget(Timestamp::now(), 8, Rules::Reversed, Duration::ZERO).depth,
            Some(8),
            "a level solves the end"
        );
    }

    #[test]
    fn a_clock_lasts_for_the_whole_game() {
        let mut clock = Clock { left: MINUTE, increment: Duration::ZERO, moves: None };
        for empties in (0..=60).rev().step_by(2) {
            let (soft, hard) = times(Limits { clock: Some(clock), ..Limits::default() }, empties);
            assert!(
                soft <= hard && hard < clock.left,
                "{empties} empties: {soft:?} {hard:?} of {:?}",
                clock.left
            );
            clock.left -= hard;
        }
    }

    #[test]
    fn moves_that_can_be_solved_need_no_share() {
        let share = |minutes: u32, empties, rules| {
            let clock = Clock { left: MINUTE * minutes, increment: Duration::ZERO, moves: None };
            clock.share(empties, rules, Duration::ZERO).0 / minutes
        };
        for rules in Rules::ALL {
            assert!(share(60, 40, rules) > share(1, 40, rules), "more time solves earlier");
        }
        assert!(share(1, 40, Rules::Standard) > share(1, 40, Rules::Reversed), "which is easier to solve");
    }

    #[test]
    fn main_time_is_not_saved_for_overtime() {
        let clock = Clock::before_overtime(MINUTE, MINUTE / 6, 1);
        assert_eq!((clock.left, clock.moves), (MINUTE, Some(6)));
        let clock = Clock::before_overtime(MINUTE / 4, MINUTE / 2, 3);
        assert_eq!((clock.left, clock.moves), (MINUTE / 4 * 3, Some(3)), "the move may run over into it");
        let clock = Clock::before_overtime(MINUTE, Duration::ZERO, 3);
        assert_eq!((clock.left, clock.moves), (MINUTE, None), "a period of nothing is none");
    }

    #[test]
    fn an_empty_clock_leaves_no_time() {
        let clock = Clock { left: Duration::ZERO, increment: Duration::ZERO, moves: Some(1) };
        assert_eq!(times(Limits { clock: Some(clock), ..Limits::default() }, 30).1, Duration::ZERO);
    }

    #[test]
    fn a_time_beyond_the_clocks_range_is_no_limit() {
        let limits = Limits { time: Some(Duration::MAX), ..Limits::default() };
        // The range begins with the process: not yet left by what is kept for the answer.
        let start = Timestamp::now() + MINUTE;
        assert_eq!(limits.budget(start, 30, Rules::Reversed, Duration::ZERO), Budget::UNLIMITED);
        let clock = Some(Clock { left: Duration::MAX, increment: Duration::MAX, moves: None });
        let control = Control::new(&Limits { clock, ..Limits::default() }.budget(
            Timestamp::now(),
            30,
            Rules::Reversed,
            Duration::ZERO,
        ));
        assert!(control.allows(60) && control.count_nodes(0, 1).is_ok());
    }

    #[test]
    fn the_last_move_of_a_period_may_use_what_is_left_of_it() {
        let clock = Clock { left: MINUTE, increment: Duration::ZERO, moves: Some(1) };
        assert!(times(Limits { clock: Some(clock), ..Limits::default() }, 50).1 > MINUTE * 9 / 10);
    }

    #[test]
    fn late_answers_increase_the_reserve() {
        const MS: Duration = Duration::from_millis(1);
        assert_eq!(usable(50 * MS, MS), usable(50 * MS, Duration::ZERO), "as usual");
        assert_eq!(usable(50 * MS, 12 * MS), 38 * MS);
        assert_eq!(usable(50 * MS, 90 * MS), 25 * MS, "half of it at most");
        let start = Timestamp::now();
        let byo_yomi = Clock { left: 50 * MS, increment: Duration::ZERO, moves: Some(1) };
        let limits = Limits { clock: Some(byo_yomi), ..Limits::default() };
        assert_eq!(limits.budget(start, 50, Rules::Reversed, 12 * MS).hard, Some(start + 38 * MS));
    }
}
