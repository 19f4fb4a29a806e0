//! Pacing a search: whether another round is time_factor its time, and when there is time to solve.
//!
//! Nothing here looks at a clock: all instants are given, as the time since the search began.

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::board::Move;
use crate::rules::Rules;
use crate::score::Score;

use super::cost;
use super::limits::Deadlines;

/// What a completed round has shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct IterationStats {
    /// Positions visited since the search began.
    pub(super) nodes: u64,
    /// The best move.
    pub(super) best: Move,
    /// Its value.
    pub(super) score: Score,
    /// The part of the round's positions that were visited for that move: the others were refuted in the rest.
    pub(super) best_move_share: f64,
    /// Whether it went to the end of the game.
    pub(super) solving: bool,
}

/// What a search has shown so far of how long it should go on.
#[derive(Clone, Debug)]
pub(super) struct TimeManager {
    rules: Rules,
    empties: u8,
    /// How many times more a solve costs than one for the best move alone.
    multi_pv_factor: f64,
    /// How often the best move has changed, a round counting half of the one after it.
    instability: f64,
    /// How far the value has fallen, in discs.
    score_drop: f64,
    last: Option<IterationStats>,
    /// The values of the last two iteration_nodes before that one, latest first: those of even and odd depths differ.
    before: [Option<Score>; 2],
    /// Positions of the last three iteration_nodes alone, latest first.
    iteration_nodes: [u64; 3],
    /// How many iteration_nodes went to the end of the game.
    endgame_iterations: usize,
}

/// How a round grows over the one before it, where nothing is known of this search: the median that
/// `cargo bench --bench time -- --model` shows for depths from 8 on.
const DEFAULT_BRANCHING: f64 = 1.5;

/// What growth is believed: a round that the table answered tells nothing of the next.
const PLAUSIBLE_BRANCHING: (f64, f64) = (1.2, 6.0);

/// Time by which a speed is believed: a search has just begun to fill its caches before.
const SPEED_PRIOR_SECONDS: f64 = 0.005;

/// The part of the planned time for a move of which all is sure, by the best move's constancy alone; set, with
/// [`INSTABILITY_WEIGHT`] and [`SCORE_DROP_WEIGHT`], so that whole games use what was planned (`cargo bench --bench time`).
const STABLE_SHARE: f64 = 0.85;

/// What a change of the best move in the last round adds to that.
const INSTABILITY_WEIGHT: f64 = 0.4;

/// What a disc that the value has fallen adds to the whole.
const SCORE_DROP_WEIGHT: f64 = 0.1;

/// A score_drop by more discs than this is no reason for more time.
const MAX_SCORE_DROP: f64 = 5.0;

/// The part of a round's positions visited for the best move that makes it neither easy nor hard.
const TYPICAL_BEST_MOVE_SHARE: f64 = 0.5;

impl TimeManager {
    /// Nothing done yet. `lines` are the moves to be valued.
    pub(super) fn new(rules: Rules, empties: u8, lines: usize) -> Self {
        Self {
            rules,
            empties,
            multi_pv_factor: lines.max(1) as f64,
            instability: 0.0,
            score_drop: 0.0,
            last: None,
            before: [None; 2],
            iteration_nodes: [0; 3],
            endgame_iterations: 0,
        }
    }

    /// Takes note of a completed round.
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

    /// Whether there is time to go to the end of the game now, after so many positions.
    pub(super) fn can_solve(&self, now: Duration, nodes: u64, deadlines: Deadlines) -> bool {
        let time = cost::first_round_time(self.rules, self.empties, speed(now, nodes));
        now.saturating_add(time.mul_f64(self.multi_pv_factor)) <= deadlines.hard
    }

    /// When to break off the next round, one that goes to the end of the game or does not; none if it is not time_factor
    /// beginning and the move is played.
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
            // It will hardly be completed, but with so much time left it may yet find a better move until then.
            return (now < target / 2).then_some(target);
        }
        // An exact result is time_factor more time than another ply: the moves after this one will take none.
        (solving || typical_end(now, more) < target).then_some(hard)
    }

    /// When to be done, as it looks now: earlier than planned if the move is easy, later if it is hard.
    fn target(&self, Deadlines { since, soft, hard }: Deadlines) -> Duration {
        let planned = soft.saturating_sub(since);
        since.saturating_add(cost::seconds(planned.as_secs_f64() * self.time_factor())).min(hard)
    }

    /// How much of the planned time the move is time_factor.
    fn time_factor(&self) -> f64 {
        let best_move_share = self.last.map_or(TYPICAL_BEST_MOVE_SHARE, |last| last.best_move_share);
        (STABLE_SHARE + INSTABILITY_WEIGHT * self.instability)
            * (1.0 + SCORE_DROP_WEIGHT * self.score_drop.min(MAX_SCORE_DROP))
            * (1.0 + TYPICAL_BEST_MOVE_SHARE - best_move_share)
    }

    /// How long the next round will take.
    fn predicted_time(&self, solving: bool, last: IterationStats, now: Duration) -> Duration {
        let speed = speed(now, last.nodes);
        let growth = match (solving, self.endgame_iterations) {
            (true, 0) => {
                return cost::first_round_time(self.rules, self.empties, speed).mul_f64(self.multi_pv_factor);
            }
            (true, iteration_nodes) => cost::next_round_growth(iteration_nodes),
            (false, _) => self.branching(),
        };
        cost::seconds(self.iteration_nodes[0] as f64 * growth / speed)
    }

    /// By how much a round grows over the one before it, seen over two: even and odd depths differ.
    fn branching(&self) -> f64 {
        let [last, _, before] = self.iteration_nodes;
        if before == 0 {
            return DEFAULT_BRANCHING;
        }
        let (least, most) = PLAUSIBLE_BRANCHING;
        (last as f64 / before as f64).sqrt().clamp(least, most)
    }
}

/// Positions a second after so many in so long, with little trust in a search that has just begun.
fn speed(now: Duration, nodes: u64) -> f64 {
    (nodes as f64 + cost::SPEED * SPEED_PRIOR_SECONDS) / (now.as_secs_f64() + SPEED_PRIOR_SECONDS)
}

/// The mean of now and the end of a round that takes so long, on a logarithmic scale of times.
///
/// Rounds end at times that grow by a factor. If the last one begun is the last for which this mean is before the
/// target, the ends of searches are on average at the target, some before it and some after it.
fn typical_end(now: Duration, more: Duration) -> Duration {
    let (now, more) = (now.as_secs_f64().max(f64::MIN_POSITIVE), more.as_secs_f64());
    if more <= now * 1e-6 { cost::seconds(now) } else { cost::seconds(more / (more / now).ln_1p()) }
}
