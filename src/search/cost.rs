//! What it costs to play out the end of the game exactly: predicted before it is begun.

use std::time::Duration;

use crate::certainty::Certainty;
use crate::rules::Rules;

use super::root::worthwhile_from;

/// Solving visits about `exp(log_factor + growth * empties)` positions.
#[derive(Clone, Copy, Debug)]
struct Model {
    log_factor: f64,
    growth: f64,
}

/// Fitted by `cargo bench --bench time -- --model` on 12 positions each with 12, 14, 16, 18, 20 and 22 empty squares:
/// the logarithms scatter about the line by 0.7 (reversed) and 0.9 (standard). Fit again when the solver changes.
const fn model(rules: Rules) -> Model {
    match rules {
        Rules::Reversed => Model { log_factor: -0.24, growth: 0.845 },
        Rules::Standard => Model { log_factor: 0.05, growth: 0.744 },
    }
}

/// The part of those positions that the first round takes where selective ones come before the exact one: the median
/// of the same measurement at 20 and 22 empty squares.
const FIRST_PART: f64 = 0.25;

/// A round to the end of the game visits so many times the positions of the less certain one before it, by the same
/// measurement.
pub(super) const NEXT_ROUND: f64 = 3.0;

/// Positions a second in the middle game on one thread, before there is anything measured: what the same measurement
/// gave for the depths before the solving.
pub(super) const SPEED: f64 = 1.8e6;

/// Positions near the end of the game are visited so many times faster than those of the middle game, by the same
/// measurement.
const SOLVER_SPEED: f64 = 8.0;

/// How long it takes from here to an exact result, for a search that visits so many positions a second in the middle
/// game.
pub(super) fn solve_time(rules: Rules, empties: u8, speed: f64) -> Duration {
    let Model { log_factor, growth } = model(rules);
    let nodes = (log_factor + growth * f64::from(empties)).exp();
    seconds(nodes / (speed * SOLVER_SPEED))
}

/// How long the first round to the end of the game takes: a good move, though not yet a sure one, if others follow.
pub(super) fn first_round_time(rules: Rules, empties: u8, speed: f64) -> Duration {
    let selective = empties >= worthwhile_from(Certainty::Low);
    let part = if selective { FIRST_PART } else { 1.0 };
    solve_time(rules, empties, speed).mul_f64(part)
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
    fn no_speed_at_all_is_very_long() {
        assert!(solve_time(Rules::Reversed, 60, 0.0) > Duration::from_secs(1 << 31));
        assert!(seconds(f64::NAN) > Duration::from_secs(1 << 31));
    }
}
