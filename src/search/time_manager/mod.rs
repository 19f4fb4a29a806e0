//! Time management: whether another iteration is worth its time, and when there is time to solve.
//!
//! Reads no clock: all times are given, since the start of the search.

mod allocation;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::board::Move;
use crate::rules::Rules;
use crate::score::Score;

use super::cost::{self, Speed};

pub use allocation::MOVE_OVERHEAD;
pub(super) use allocation::usable;

/// Times since the search began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deadlines {
    /// When the clock began to run: later than the search if that began as pondering.
    pub(super) since: Duration,
    /// The planned end.
    pub(super) soft: Duration,
    /// The latest end.
    pub(super) hard: Duration,
}

impl Deadlines {
    /// Whether time left over is lost, as with a time for each move.
    pub(super) fn is_fixed(&self) -> bool {
        self.soft >= self.hard
    }
}

/// A completed iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct IterationStats {
    /// Since the search began.
    pub(super) nodes: u64,
    pub(super) best: Move,
    /// Of the best move.
    pub(super) score: Score,
    /// The share of the iteration's nodes below the best move: the others were refuted in the rest.
    pub(super) best_move_share: f64,
    /// Whether it reached the end of the game.
    pub(super) solving: bool,
}

#[derive(Clone, Debug)]
pub(super) struct TimeManager {
    rules: Rules,
    empties: u8,
    threads: usize,
    /// How many times a solve of one move the multi-PV solve costs.
    multi_pv_factor: f64,
    /// Changes of the best move, decaying by half each iteration.
    instability: f64,
    /// How far the score has dropped, in discs.
    score_drop: f64,
    last: Option<IterationStats>,
    /// Scores of the two iterations before the last, latest first: even and odd depths differ.
    before: [Option<Score>; 2],
    /// Nodes of the last three iterations, latest first.
    iteration_nodes: [u64; 3],
    /// Iterations that reached the end of the game.
    endgame_iterations: usize,
}

/// Node ratio of an iteration to the one before, until the search has shown its own: the median of `cargo bench
/// --bench time -- --model` from depth 8 on.
const DEFAULT_BRANCHING: f64 = 1.3;

/// Ratios outside come from table hits and tell nothing.
const PLAUSIBLE_BRANCHING: (f64, f64) = (1.2, 6.0);

/// The weight of the prior speed, as seconds of search.
const SPEED_PRIOR_SECONDS: f64 = 0.005;

/// The share of the planned time for a stable best move. Tuned with [`INSTABILITY_WEIGHT`] and [`SCORE_DROP_WEIGHT`]
/// so that whole games use what was planned (`cargo bench --bench time`).
const STABLE_SHARE: f64 = 0.85;

/// Added for a change of the best move in the last iteration.
const INSTABILITY_WEIGHT: f64 = 0.4;

/// Added for each disc that the score has dropped.
const SCORE_DROP_WEIGHT: f64 = 0.1;

/// Larger drops add no more time.
const MAX_SCORE_DROP: f64 = 5.0;

/// The share of nodes below the best move of a typical move.
const TYPICAL_BEST_MOVE_SHARE: f64 = 0.5;

impl TimeManager {
    /// `lines` is the multi-PV number.
    pub(super) fn new(rules: Rules, empties: u8, lines: usize) -> Self {
        Self {
            rules,
            empties,
            threads: 1,
            multi_pv_factor: lines.max(1) as f64,
            instability: 0.0,
            score_drop: 0.0,
            last: None,
            before: [None; 2],
            iteration_nodes: [0; 3],
            endgame_iterations: 0,
        }
    }

    pub(super) fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    pub(super) fn record(&mut self, progress: IterationStats) {
        let known: Vec<_> = self.last.iter().map(|last| last.score).chain(self.before[0]).collect();
        self.before = [known.first().copied(), known.get(1).copied()];
        let expected = known.iter().map(|score| score.discs()).sum::<f64>() / known.len().max(1) as f64;
        self.score_drop = if known.is_empty() { 0.0 } else { (expected - progress.score.discs()).max(0.0) };
        let changed = self.last.is_some_and(|last| last.best != progress.best);
        self.instability = self.instability / 2.0 + f64::from(u8::from(changed));
        let own = progress.nodes - self.last.map_or(0, |last| last.nodes.min(progress.nodes));
        self.iteration_nodes = [own.max(1), self.iteration_nodes[0], self.iteration_nodes[1]];
        self.endgame_iterations += usize::from(progress.solving);
        self.last = Some(progress);
    }

    /// Whether there is time for a first iteration to the end of the game.
    pub(super) fn can_solve(&self, now: Duration, nodes: u64, deadlines: Deadlines) -> bool {
        let time = cost::first_endgame_time(self.rules, self.empties, self.speed(now, nodes));
        now.saturating_add(time.mul_f64(self.multi_pv_factor)) <= deadlines.hard
    }

    /// The end of the next iteration; none if it is not worth beginning.
    pub(super) fn next_deadline(
        &self,
        solving: bool,
        now: Duration,
        deadlines: Deadlines,
    ) -> Option<Duration> {
        let hard = deadlines.hard;
        let Some(last) = self.last.filter(|_| !deadlines.is_fixed()) else {
            return (now < hard).then_some(hard);
        };
        let target = self.target(deadlines);
        let more = self.predicted_time(solving, last, now);
        if now.saturating_add(more) > hard {
            // It will hardly be completed, but may still find a better move.
            let half = deadlines.since + target.saturating_sub(deadlines.since) / 2;
            return (now < half).then_some(target);
        }
        // An exact result is worth more time than another ply: later moves will need none.
        (solving || typical_end(now, more) < target).then_some(hard)
    }

    /// The end by what is known now: earlier for an easy move, later for a hard one.
    fn target(&self, Deadlines { since, soft, hard }: Deadlines) -> Duration {
        let planned = soft.saturating_sub(since);
        since.saturating_add(cost::seconds(planned.as_secs_f64() * self.time_factor())).min(hard)
    }

    /// The factor on the planned time.
    fn time_factor(&self) -> f64 {
        let best_move_share = self.last.map_or(TYPICAL_BEST_MOVE_SHARE, |last| last.best_move_share);
        (STABLE_SHARE + INSTABILITY_WEIGHT * self.instability)
            * (1.0 + SCORE_DROP_WEIGHT * self.score_drop.min(MAX_SCORE_DROP))
            * (1.0 + TYPICAL_BEST_MOVE_SHARE - best_move_share)
    }

    /// Of the next iteration.
    fn predicted_time(&self, solving: bool, last: IterationStats, now: Duration) -> Duration {
        let speed = self.speed(now, last.nodes);
        let growth = match (solving, self.endgame_iterations) {
            (true, 0) => {
                return cost::first_endgame_time(self.rules, self.empties, speed)
                    .mul_f64(self.multi_pv_factor);
            }
            (true, iteration_nodes) => cost::next_endgame_ratio(iteration_nodes),
            (false, _) => self.branching(),
        };
        let nodes_per_second = speed.per_thread * self.threads as f64;
        cost::seconds(self.iteration_nodes[0] as f64 * growth / nodes_per_second)
    }

    /// Node ratio per iteration, over two of them: even and odd depths differ.
    fn branching(&self) -> f64 {
        let [last, _, before] = self.iteration_nodes;
        if before == 0 {
            return DEFAULT_BRANCHING;
        }
        let (least, most) = PLAUSIBLE_BRANCHING;
        (last as f64 / before as f64).sqrt().clamp(least, most)
    }

    /// Smoothed by a prior at the start of a search.
    fn speed(&self, now: Duration, nodes: u64) -> Speed {
        let threads = self.threads;
        let nodes = nodes as f64 / threads as f64 + Speed::TYPICAL.per_thread * SPEED_PRIOR_SECONDS;
        Speed { per_thread: nodes / (now.as_secs_f64() + SPEED_PRIOR_SECONDS), threads }
    }
}

/// The logarithmic mean of now and the end of an iteration that takes `more`.
///
/// Iterations end at geometrically growing times. Beginning the last one for which this mean is before the target
/// makes searches end at the target on average.
fn typical_end(now: Duration, more: Duration) -> Duration {
    let (now, more) = (now.as_secs_f64().max(f64::MIN_POSITIVE), more.as_secs_f64());
    if more <= now * 1e-6 { cost::seconds(now) } else { cost::seconds(more / (more / now).ln_1p()) }
}
