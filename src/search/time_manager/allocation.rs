//! How much of a clock a move gets.

use std::time::Duration;

use crate::clock::Clock;
use crate::rules::Rules;
use crate::search::cost::{self, Speed};

/// The part of a time limit to search in. The rest is for waking up, answering and the way to the client.
pub(in crate::search) fn usable(time: Duration, reserve: Duration) -> Duration {
    const FIXED: Duration = Duration::from_millis(2);
    const LARGEST: Duration = Duration::from_millis(50);
    let usual = (FIXED + time / 32).min(LARGEST);
    time.saturating_sub(usual.max(reserve.min(time / 2)))
}

/// A move's overhead on the clock, where the client does not report the time left.
pub const MOVE_OVERHEAD: Duration = Duration::from_millis(10);

impl Clock {
    /// The clock of a player with main time left, followed by overtime periods of so many moves.
    #[must_use]
    pub fn before_overtime(main: Duration, period: Duration, moves: u32) -> Self {
        let moves = moves.max(1);
        let later = period / moves;
        let increment = Duration::ZERO;
        // With little main time left, a move may as well run into the first period.
        if main / 2 < later {
            return Self { left: main.saturating_add(period), increment, moves: Some(moves) };
        }
        // Main time is not stretched below what each move gets in overtime.
        let lasts = (!later.is_zero()).then(|| main.as_nanos() / later.as_nanos());
        Self { left: main, increment, moves: lasts.and_then(|moves| u32::try_from(moves).ok()) }
    }

    /// The planned and the longest time for a move.
    pub(in crate::search) fn share(
        &self,
        empties: u8,
        rules: Rules,
        reserve: Duration,
    ) -> (Duration, Duration) {
        // Later moves have their overhead even if they take no thinking time.
        let later = self.moves.unwrap_or(u32::from(empties) / 2 + 1).max(1) - 1;
        let overhead = MOVE_OVERHEAD.min(self.left / later.max(1).saturating_mul(2));
        let safe = usable(self.left, reserve).saturating_sub(overhead * later);
        let moves = self.moves_to_think(empties, rules, safe);
        let share = self.each(safe, moves);
        let most = if moves == 1 { safe } else { safe / 5 * 2 };
        let soft = share.min(most);
        (soft, (soft / 2).saturating_mul(5).min(most))
    }

    fn each(&self, safe: Duration, moves: u32) -> Duration {
        (safe / moves).saturating_add(self.increment / 4 * 3)
    }

    /// How many moves share the time: those after the first one whose share is enough to solve the game need next to
    /// none.
    fn moves_to_think(&self, empties: u8, rules: Rules, safe: Duration) -> u32 {
        // An estimate must not spend the rest of the clock on one move.
        const LEAST_MOVES: u32 = 3;
        let until = |solved: u8| u32::from(empties - solved).div_ceil(2) + LEAST_MOVES;
        let in_time =
            |&solved: &u8| cost::solve_time(rules, solved, Speed::TYPICAL) <= self.each(safe, until(solved));
        let own = until((0..=empties).rev().find(in_time).unwrap_or(0));
        self.moves.map_or(own, |moves| moves.min(own)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `go wtime 1000 movestogo 2147483649` divided by zero.
    #[test]
    fn no_number_of_moves_is_too_large() {
        let times = [Duration::ZERO, Duration::from_millis(1), Duration::from_secs(1), Duration::MAX];
        for (left, moves) in times.into_iter().flat_map(|left| {
            [1, 1 << 31, (1 << 31) + 1, u32::MAX].into_iter().map(move |moves| (left, moves))
        }) {
            let clock = Clock { left, increment: Duration::MAX, moves: Some(moves) };
            let (soft, hard) = clock.share(60, Rules::Reversed, Duration::MAX);
            assert!(soft <= hard && hard <= left, "{clock:?}");
        }
    }
}
