//! GTP clocks: main time, then overtime periods of so many moves.

use std::time::Duration;

use crate::board::Color;
use crate::clock::Clock;

/// `time_settings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TimeSettings {
    main: Duration,
    period: Duration,
    moves: u32,
}

/// What a client's clock may count for a move beyond our own measure: the way of question and answer.
const ON_THE_WAY: Duration = Duration::from_millis(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// Main time by our own measure. The client's clock may show less by up to `way`, never more: once this is used
    /// up, its overtime has begun too. Assuming that too early would mean counting on the next period too early.
    Main { left: Duration, way: Duration },
    /// Overtime, with at least this much left.
    Overtime { left: Duration, moves: u32 },
}

/// Both players' clocks. Without `time_left` the engine's own moves are charged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clocks {
    control: Option<TimeSettings>,
    black: Option<Stand>,
    white: Option<Stand>,
}

impl Clocks {
    /// A period of no moves means no limit, and so does no time at all.
    pub(super) fn set(&mut self, main: Duration, period: Duration, moves: u32) {
        let unlimited = if period.is_zero() { main.is_zero() } else { moves == 0 };
        self.control = (!unlimited).then_some(TimeSettings { main, period, moves });
        self.restart();
    }

    pub(super) fn restart(&mut self) {
        let stand = self.control.map(|control| {
            if control.main.is_zero() { control.new_period() } else { Stand::main(control.main) }
        });
        (self.black, self.white) = (stand, stand);
    }

    /// `time_left`: no moves means main time.
    pub(super) fn tell(&mut self, color: Color, left: Duration, moves: u32) {
        *self.stand(color) =
            Some(if moves == 0 { Stand::main(left) } else { Stand::Overtime { left, moves } });
    }

    pub(super) fn clock(&self, color: Color) -> Option<Clock> {
        let stand = match color {
            Color::Black => self.black,
            Color::White => self.white,
        }?;
        let limited = |left, moves| Clock { left, increment: Duration::ZERO, moves };
        Some(match (stand, self.overtime()) {
            (Stand::Main { left, way }, Some(TimeSettings { period, moves, .. })) => {
                Clock::before_overtime(left.saturating_sub(way), period, moves)
            }
            (Stand::Main { left, way }, None) => limited(left.saturating_sub(way), None),
            (Stand::Overtime { left, moves }, _) => limited(left, Some(moves)),
        })
    }

    pub(super) fn charge(&mut self, color: Color, spent: Duration) {
        let overtime = self.overtime();
        let Some(stand) = self.stand(color) else { return };
        let in_overtime = |left: Duration, moves: u32, spent: Duration| match (moves, overtime) {
            (..=1, Some(control)) => control.new_period(),
            _ => Stand::Overtime { left: left.saturating_sub(spent), moves: moves.saturating_sub(1).max(1) },
        };
        *stand = match (*stand, overtime) {
            (Stand::Main { left, way }, Some(TimeSettings { period, moves, .. })) if spent > left => {
                in_overtime(period, moves, spent - left + way + ON_THE_WAY)
            }
            (Stand::Main { left, way }, _) => {
                Stand::Main { left: left.saturating_sub(spent), way: way + ON_THE_WAY }
            }
            (Stand::Overtime { left, moves }, _) => in_overtime(left, moves, spent + ON_THE_WAY),
        };
    }

    fn overtime(&self) -> Option<TimeSettings> {
        self.control.filter(|control| !control.period.is_zero())
    }

    fn stand(&mut self, color: Color) -> &mut Option<Stand> {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }
}

impl Stand {
    const fn main(left: Duration) -> Self {
        Self::Main { left, way: Duration::ZERO }
    }
}

impl TimeSettings {
    fn new_period(self) -> Stand {
        Stand::Overtime { left: self.period, moves: self.moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn clocks(main: u64, period: u64, moves: u32) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.set(seconds(main), seconds(period), moves);
        clocks
    }

    fn shows(clocks: &Clocks) -> Option<(u64, Option<u32>)> {
        clocks.clock(Color::Black).map(|clock| (clock.left.as_secs_f64().round() as u64, clock.moves))
    }

    #[test]
    fn no_limit_has_two_spellings() {
        assert_eq!(shows(&clocks(0, 1, 0)), None);
        assert_eq!(shows(&clocks(0, 0, 0)), None);
        assert_eq!(shows(&Clocks::default()), None);
    }

    #[test]
    fn main_time_runs_down_and_overtime_follows() {
        let mut clocks = clocks(60, 10, 2);
        assert_eq!(shows(&clocks), Some((60, Some(12))), "as much for a move as a period gives");
        clocks.charge(Color::Black, seconds(55));
        assert_eq!(shows(&clocks), Some((15, Some(2))), "what is left and a whole period");
        clocks.charge(Color::Black, seconds(8));
        assert_eq!(shows(&clocks), Some((7, Some(1))));
        clocks.charge(Color::Black, seconds(5));
        assert_eq!(shows(&clocks), Some((10, Some(2))), "a new period");
        assert_eq!(clocks.clock(Color::White).map(|clock| clock.left), Some(seconds(60)));
        clocks.restart();
        assert_eq!(shows(&clocks), Some((60, Some(12))));
    }

    /// A client whose clock runs no faster than ours is still in main time after moves that use it up to the last bit.
    #[test]
    fn overtime_does_not_begin_before_main_time_is_over() {
        let mut clocks = clocks(60, 10, 2);
        for _ in 0..20 {
            clocks.charge(Color::Black, seconds(3));
        }
        assert_eq!(shows(&clocks), Some((10, Some(2))), "two moves for the first period");
        clocks.charge(Color::Black, seconds(4));
        assert_eq!(shows(&clocks), Some((6, Some(1))), "one of them is left");
    }

    #[test]
    fn absolute_time_runs_out() {
        let mut clocks = clocks(5, 0, 0);
        clocks.charge(Color::Black, seconds(9));
        assert_eq!(shows(&clocks), Some((0, None)));
    }

    #[test]
    fn the_clients_clock_overrides_ours() {
        let mut clocks = Clocks::default();
        clocks.tell(Color::Black, seconds(30), 0);
        assert_eq!(shows(&clocks), Some((30, None)));
        clocks.tell(Color::Black, seconds(4), 3);
        assert_eq!(shows(&clocks), Some((4, Some(3))));
    }
}
