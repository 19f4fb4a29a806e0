//! What it costs to play out the end of the game exactly: predicted before it is begun.

use std::time::Duration;

use crate::rules::Rules;
use crate::selectivity::Selectivity;
use crate::tt::Table;

use super::root::worthwhile_from;

/// Some work visits about `exp(log_factor + growth * empties)` positions, so many times faster than those of the middle
/// game.
#[derive(Clone, Copy, Debug)]
struct Model {
    log_factor: f64,
    growth: f64,
    speed: f64,
}

/// Solving, by `cargo bench --bench time -- --model` on 12 positions each with 12, 14, 16, 18, 20 and 22 empty squares:
/// the logarithms scatter about the line by 0.7. Fit again when the solver changes, and the model below with it.
const fn solving(rules: Rules) -> Model {
    match rules {
        Rules::Reversed => Model { log_factor: 0.51, growth: 0.761, speed: 16.0 },
        Rules::Standard => Model { log_factor: 0.41, growth: 0.717, speed: 12.0 },
    }
}

/// The first round to the end of the game where selective ones come before the exact one, by the same measurement with
/// 18 to 28 empty squares: the logarithms scatter by 1.0.
const fn first_round(rules: Rules) -> Model {
    match rules {
        Rules::Reversed => Model { log_factor: 5.53, growth: 0.361, speed: 8.8 },
        Rules::Standard => Model { log_factor: 4.13, growth: 0.404, speed: 7.7 },
    }
}

/// With more empty squares than this nothing is known of that round.
const FARTHEST: u8 = 28;

/// The rounds to the end of the game after the first visit so many times the positions of the one before, by the same
/// measurement.
const NEXT_ROUNDS: [f64; 2] = [3.1, 6.0];

/// Positions a second in the middle game on one thread, before there is anything measured: what the same measurement
/// gave for the depths before the solving.
pub(super) const SPEED: f64 = 2.7e6;

/// A place in the table for so many positions to be visited is enough: twice as many places save a thousandth of the
/// positions. Nothing of the last squares is kept there.
const POSITIONS_A_PLACE: f64 = 64.0;

impl Model {
    /// How many positions the work visits.
    fn positions(&self, empties: u8) -> f64 {
        (self.log_factor + self.growth * f64::from(empties)).exp()
    }

    /// How long the work takes a search that visits so many positions a second in the middle game.
    fn time(&self, empties: u8, speed: f64) -> Duration {
        seconds(self.positions(empties) / (speed * self.speed))
    }
}

/// How long it takes from here to an exact result, for a search that visits so many positions a second in the middle
/// game.
pub(super) fn solve_time(rules: Rules, empties: u8, speed: f64) -> Duration {
    solving(rules).time(empties, speed)
}

/// The mebibytes of table that solving such a position is worth. More would only take time to clear and lie farther from
/// the processor.
#[must_use]
pub fn table_to_solve(rules: Rules, empties: u8) -> usize {
    let places = solving(rules).positions(empties) / POSITIONS_A_PLACE;
    let mebibytes = places * Table::ENTRY_BYTES as f64 / f64::from(1 << 20);
    (mebibytes as usize + 1).checked_next_power_of_two().unwrap_or(usize::MAX)
}

/// How long the first round to the end of the game takes: a good move, though not yet a sure one, if others follow.
pub(super) fn first_round_time(rules: Rules, empties: u8, speed: f64) -> Duration {
    if empties < worthwhile_from(Selectivity::P73) || empties > FARTHEST {
        return solve_time(rules, empties, speed);
    }
    first_round(rules).time(empties, speed)
}

/// By how much the next round to the end of the game grows over the last, after so many of them.
pub(super) fn next_round_growth(rounds: usize) -> f64 {
    NEXT_ROUNDS[rounds.clamp(1, NEXT_ROUNDS.len()) - 1]
}

/// As long as that, or longer than anyone waits.
pub(super) fn seconds(seconds: f64) -> Duration {
    const LONGEST: Duration = Duration::from_secs(1 << 32);
    Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Rules; 2] = Rules::ALL;

    #[test]
    fn an_empty_square_more_costs_more() {
        for rules in BOTH {
            assert!((1..=40).all(|e| solve_time(rules, e, SPEED) > solve_time(rules, e - 1, SPEED)));
        }
    }

    #[test]
    fn the_reversed_game_is_harder_to_solve() {
        for empties in 12..=40 {
            assert!(solve_time(BOTH[0], empties, SPEED) > solve_time(BOTH[1], empties, SPEED));
        }
    }

    #[test]
    fn the_first_round_is_part_of_the_whole() {
        for rules in BOTH {
            assert_eq!(first_round_time(rules, 16, SPEED), solve_time(rules, 16, SPEED), "there is but one");
            assert!(first_round_time(rules, 24, SPEED) < solve_time(rules, 24, SPEED) / 2);
        }
    }

    #[test]
    fn tables_grow_with_the_work() {
        for rules in BOTH {
            assert_eq!(table_to_solve(rules, 10), 1);
            assert!((1..=60).all(|e| table_to_solve(rules, e) >= table_to_solve(rules, e - 1)));
            assert!(table_to_solve(rules, 30) >= 64, "{rules:?}");
        }
    }

    #[test]
    fn no_speed_at_all_is_very_long() {
        assert!(solve_time(Rules::Reversed, 60, 0.0) > Duration::from_secs(1 << 31));
        assert!(seconds(f64::NAN) > Duration::from_secs(1 << 31));
    }
}
