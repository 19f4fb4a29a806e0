//! Predicts the cost of solving a position.

use std::time::Duration;

use crate::rules::Rules;
use crate::selectivity::Selectivity;
use crate::tt::Table;

/// With enough time, solving begins this many plies early: the iterations in between would cost more than they save.
pub(super) const SOLVE_AHEAD: u8 = 8;

/// With fewer empty squares, a selective iteration to the end of the game costs more than it saves the next one.
pub(super) const fn min_empties_for(selectivity: Selectivity) -> u8 {
    match selectivity {
        Selectivity::P73 => 18,
        Selectivity::P95 => 20,
        Selectivity::P99 => 28,
        Selectivity::Off => 0,
    }
}

/// Nodes are about `exp(log_factor + growth * empties)`, visited `speed` times as fast as in the midgame. With n threads
/// it takes n to the power of `scaling` times less time.
#[derive(Clone, Copy, Debug)]
struct CostModel {
    log_factor: f64,
    growth: f64,
    speed: f64,
    scaling: f64,
}

/// An exact solve. Fitted by `cargo bench --bench time -- --model` on 12 positions each with 12, 14, … 22 empty
/// squares; residuals of the logarithm: 0.7. Fit again, with the model below, when the solver changes. The scaling is that
/// of FFO #40 to #49 with up to 16 threads.
const fn solving(rules: Rules) -> CostModel {
    match rules {
        Rules::Reversed => CostModel { log_factor: -0.27, growth: 0.814, speed: 8.2, scaling: 0.8 },
        Rules::Standard => CostModel { log_factor: 0.78, growth: 0.699, speed: 5.1, scaling: 0.8 },
    }
}

/// The first selective iteration to the end of the game, fitted by the same command with 18 to 28 empty squares;
/// residuals of the logarithm: 1.2. Its scaling is that of searches short of the end: the tree is as narrow.
const fn first_endgame_iteration(rules: Rules) -> CostModel {
    match rules {
        Rules::Reversed => CostModel { log_factor: 7.67, growth: 0.257, speed: 7.7, scaling: 0.45 },
        Rules::Standard => CostModel { log_factor: 5.86, growth: 0.300, speed: 4.5, scaling: 0.45 },
    }
}

/// The range of that fit ends here.
const MAX_FITTED_EMPTIES: u8 = 28;

/// Node ratio of the second and later iterations to the end of the game to the one before, by the same command.
const NEXT_ENDGAME_RATIOS: [f64; 2] = [2.6, 14.3];

/// How fast a search is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Speed {
    /// Midgame nodes per second of each thread.
    pub(super) per_thread: f64,
    pub(super) threads: usize,
}

impl Speed {
    /// Of one thread, until a search has measured its own; by the same command.
    pub(super) const TYPICAL: Self = Self { per_thread: 5.0e6, threads: 1 };
}

/// One table entry for so many nodes is enough: twice the entries save a thousandth of the nodes.
const NODES_PER_ENTRY: f64 = 64.0;

impl CostModel {
    fn nodes(&self, empties: u8) -> f64 {
        (self.log_factor + self.growth * f64::from(empties)).exp()
    }

    fn time(&self, empties: u8, Speed { per_thread, threads }: Speed) -> Duration {
        let gain = (threads as f64).powf(self.scaling);
        seconds(self.nodes(empties) / (per_thread * self.speed * gain))
    }
}

/// The time to an exact result.
pub(super) fn solve_time(rules: Rules, empties: u8, speed: Speed) -> Duration {
    solving(rules).time(empties, speed)
}

/// The nodes of an exact solve, by the fit of 8×8 positions.
#[must_use]
pub fn nodes_to_solve(rules: Rules, empties: u8) -> f64 {
    solving(rules).nodes(empties)
}

/// The table size in MiB that solving such a position is worth.
#[must_use]
pub fn table_to_solve(rules: Rules, empties: u8) -> usize {
    let places = solving(rules).nodes(empties) / NODES_PER_ENTRY;
    let mebibytes = places * Table::ENTRY_BYTES as f64 / f64::from(1 << 20);
    (mebibytes as usize + 1).checked_next_power_of_two().unwrap_or(usize::MAX)
}

/// The time of the first iteration to the end of the game.
pub(super) fn first_endgame_time(rules: Rules, empties: u8, speed: Speed) -> Duration {
    if empties < min_empties_for(Selectivity::P73) || empties > MAX_FITTED_EMPTIES {
        return solve_time(rules, empties, speed);
    }
    first_endgame_iteration(rules).time(empties, speed)
}

/// The node ratio of the next iteration to the end of the game, after so many of them.
pub(super) fn next_endgame_ratio(rounds: usize) -> f64 {
    NEXT_ENDGAME_RATIOS[rounds.clamp(1, NEXT_ENDGAME_RATIOS.len()) - 1]
}

/// Clamped to more than anyone waits.
pub(super) fn seconds(seconds: f64) -> Duration {
    const LONGEST: Duration = Duration::from_secs(1 << 32);
    Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Rules; 2] = Rules::ALL;

    #[test]
    fn the_first_endgame_iteration_is_part_of_the_solve() {
        for rules in BOTH {
            assert_eq!(
                first_endgame_time(rules, 16, Speed::TYPICAL),
                solve_time(rules, 16, Speed::TYPICAL),
                "there is but one"
            );
            assert!(
                first_endgame_time(rules, 24, Speed::TYPICAL) < solve_time(rules, 24, Speed::TYPICAL) / 2
            );
        }
    }

    #[test]
    fn threads_bring_more_to_a_solve_than_to_its_first_iteration() {
        for rules in BOTH {
            let gain = |time: fn(Rules, u8, Speed) -> Duration| {
                let [one, many] = [1, 16].map(|threads| time(rules, 24, Speed { threads, ..Speed::TYPICAL }));
                one.as_secs_f64() / many.as_secs_f64()
            };
            assert!((8.0..12.0).contains(&gain(solve_time)), "{}", gain(solve_time));
            assert!((3.0..5.0).contains(&gain(first_endgame_time)), "{}", gain(first_endgame_time));
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
    fn zero_speed_gives_a_very_long_time() {
        let still = Speed { per_thread: 0.0, threads: 1 };
        assert!(solve_time(Rules::Reversed, 60, still) > Duration::from_secs(1 << 31));
        assert!(seconds(f64::NAN) > Duration::from_secs(1 << 31));
    }
}
