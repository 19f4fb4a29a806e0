//! What a search is asked to keep to, and the budget that follows for one move.

use std::time::{Duration, Instant};

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

/// What was asked for. Whatever is given holds, so the tightest decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies, to the end of the game too.
    pub depth: Option<u8>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Plies in the middle game, with exact play from [`solved_from`] empty squares on.
    pub level: Option<u8>,
    /// For this move.
    pub time: Option<Duration>,
    /// For the game.
    pub clock: Option<Clock>,
}

/// What one search may spend; see [`Limits::budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// When not to begin another iteration.
    pub soft: Option<Instant>,
    /// When to stop.
    pub hard: Option<Instant>,
    /// The deepest iteration.
    pub depth: Option<u8>,
    /// The most positions.
    pub nodes: Option<u64>,
}

impl Budget {
    /// Until told to stop.
    pub const UNLIMITED: Self = Self { soft: None, hard: None, depth: None, nodes: None };
}

/// For a move when nothing at all was asked.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The number of empty squares from which a level plays perfectly.
#[must_use]
pub fn solved_from(level: u8) -> u8 {
    (2 * level).min(level.saturating_add(10))
}

impl Limits {
    /// The budget for a move that was asked for at `start` on a board with so many empty squares.
    #[must_use]
    pub fn budget(&self, start: Instant, empties: u8) -> Budget {
        let mut budget = self.untimed(empties);
        let mut cap = |soft: Duration, hard: Duration| {
            // A time beyond what the system's clock can show is no limit.
            let earlier =
                |old: Option<Instant>, after| [old, start.checked_add(after)].into_iter().flatten().min();
            budget.soft = earlier(budget.soft, soft);
            budget.hard = earlier(budget.hard, hard);
        };
        if let Some(time) = self.time {
            let usable = usable(time);
            cap(usable, usable);
        }
        if let Some(clock) = self.clock {
            let (soft, hard) = clock.share(empties);
            cap(soft, hard);
        }
        if *self == Self::default() {
            cap(usable(DEFAULT_TIME), usable(DEFAULT_TIME));
        }
        budget
    }

    /// What holds even where no clock does, as for hints: depth, level and positions.
    #[must_use]
    pub fn untimed(&self, empties: u8) -> Budget {
        let level = self.level.map(|level| if empties <= solved_from(level) { empties } else { level });
        let depth = [self.depth, level].into_iter().flatten().min();
        Budget { depth: depth.map(|depth| depth.max(1)), nodes: self.nodes, ..Budget::UNLIMITED }
    }
}

/// How much of a time limit may be thought: the rest is for waking up, answering and the way to the client.
fn usable(time: Duration) -> Duration {
    const FIXED: Duration = Duration::from_millis(2);
    const LARGEST: Duration = Duration::from_millis(50);
    time.saturating_sub((FIXED + time / 32).min(LARGEST))
}

/// What a move costs a player beyond its thinking, where the client does not tell how the clock stands.
pub const MOVE_OVERHEAD: Duration = Duration::from_millis(10);

impl Clock {
    /// How long to think before settling for the last iteration, and how long at most.
    fn share(&self, empties: u8) -> (Duration, Duration) {
        // Moves that need thought: a search reaches the end of the game from here on in next to no time.
        const SOLVED: u32 = 14;
        // No estimate spends the rest of a game's clock on one move.
        const LEAST_MOVES: u32 = 3;
        let own_moves = u32::from(empties).saturating_sub(SOLVED).div_ceil(2) + LEAST_MOVES;
        let moves = self.moves.map_or(own_moves, |moves| moves.min(own_moves)).max(1);
        // Every move after this one costs something on its way to the client too, thought about or not.
        let later = self.moves.unwrap_or(u32::from(empties) / 2 + 1).max(1) - 1;
        let overhead = MOVE_OVERHEAD.min(self.left / (2 * later.max(1)));
        let safe = usable(self.left).saturating_sub(overhead * later);
        let share = (safe / moves).saturating_add(self.increment / 4 * 3);
        let most = if moves == 1 { safe } else { safe / 5 * 2 };
        let soft = share.min(most);
        (soft, (soft / 2).saturating_mul(5).min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Control;
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn times(limits: Limits, empties: u8) -> (Duration, Duration) {
        let start = Instant::now();
        let budget = limits.budget(start, empties);
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
        let budget = Limits { depth: Some(5), ..Limits::default() }.budget(Instant::now(), 40);
        assert_eq!(budget, Budget { depth: Some(5), ..Budget::UNLIMITED });
    }

    #[test]
    fn the_tightest_limit_decides() {
        let clock = Clock { left: MINUTE, increment: Duration::ZERO, moves: None };
        let time = Some(Duration::from_millis(100));
        let both = Limits { time, clock: Some(clock), depth: Some(9), level: Some(4), ..Limits::default() };
        assert!(times(both, 50).1 < Duration::from_millis(100));
        assert_eq!(both.budget(Instant::now(), 50).depth, Some(4));
        assert_eq!(both.budget(Instant::now(), 8).depth, Some(8), "a level solves the end");
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
    fn an_empty_clock_leaves_no_time() {
        let clock = Clock { left: Duration::ZERO, increment: Duration::ZERO, moves: Some(1) };
        assert_eq!(times(Limits { clock: Some(clock), ..Limits::default() }, 30).1, Duration::ZERO);
    }

    #[test]
    fn a_time_beyond_all_clocks_is_no_limit() {
        let limits = Limits { time: Some(Duration::MAX), ..Limits::default() };
        assert_eq!(limits.budget(Instant::now(), 30), Budget::UNLIMITED);
        let clock = Some(Clock { left: Duration::MAX, increment: Duration::MAX, moves: None });
        let control = Control::new(&Limits { clock, ..Limits::default() }.budget(Instant::now(), 30));
        assert!(control.allows(60) && control.spend(1).is_ok());
    }

    #[test]
    fn the_last_move_of_a_period_may_use_what_is_left_of_it() {
        let clock = Clock { left: MINUTE, increment: Duration::ZERO, moves: Some(1) };
        assert!(times(Limits { clock: Some(clock), ..Limits::default() }, 50).1 > MINUTE * 9 / 10);
    }
}
