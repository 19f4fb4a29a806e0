//! Pacing a search: whether another round is worth its time, and when there is time to solve.
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

/// What the clock leaves to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deadlines {
    /// When the clock began to run, which is later than the search for one begun on the opponent's time.
    pub(super) since: Duration,
    /// The end of the time planned for the move.
    pub(super) soft: Duration,
    /// The end of all time.
    pub(super) hard: Duration,
}

impl Deadlines {
    /// Whether what this move leaves is lost, as with a time for each move.
    fn is_fixed(&self) -> bool {
        self.soft >= self.hard
    }
}

/// What a completed round has shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// Positions visited since the search began.
    pub(super) nodes: u64,
    /// The best move.
    pub(super) best: Move,
    /// Its value.
    pub(super) score: Score,
    /// The part of the round's positions that were visited for that move: the others were refuted in the rest.
    pub(super) effort: f64,
    /// Whether it went to the end of the game.
    pub(super) solving: bool,
}

/// What a search has shown so far of how long it should go on.
#[derive(Clone, Debug)]
pub(super) struct TimeManager {
    rules: Rules,
    empties: u8,
    /// How many times more a solve costs than one for the best move alone.
    breadth: f64,
    /// How often the best move has changed, a round counting half of the one after it.
    unrest: f64,
    /// How far the value has fallen, in discs.
    fall: f64,
    last: Option<Progress>,
    /// The values of the last two rounds before that one, latest first: those of even and odd depths differ.
    before: [Option<Score>; 2],
    /// Positions of the last three rounds alone, latest first.
    rounds: [u64; 3],
    /// How many rounds went to the end of the game.
    to_the_end: usize,
}

/// How a round grows over the one before it, where nothing is known of this search: the median that
/// `cargo bench --bench time -- --model` shows for depths from 8 on.
const GROWTH: f64 = 1.5;

/// What growth is believed: a round that the table answered tells nothing of the next.
const BELIEVED_GROWTH: (f64, f64) = (1.2, 6.0);

/// Time by which a speed is believed: a search has just begun to fill its caches before.
const BELIEVED_AFTER: f64 = 0.005;

/// The part of the planned time for a move of which all is sure, by the best move's constancy alone; set, with
/// [`UNREST`] and [`FALL`], so that whole games use what was planned (`cargo bench --bench time`).
const CALM: f64 = 0.85;

/// What a change of the best move in the last round adds to that.
const UNREST: f64 = 0.4;

/// What a disc that the value has fallen adds to the whole.
const FALL: f64 = 0.1;

/// A fall by more discs than this is no reason for more time.
const DEEPEST_FALL: f64 = 5.0;

/// The part of a round's positions visited for the best move that makes it neither easy nor hard.
const USUAL_EFFORT: f64 = 0.5;

impl TimeManager {
    /// Nothing done yet. `lines` are the moves to be valued.
    pub(super) fn new(rules: Rules, empties: u8, lines: usize) -> Self {
        Self {
            rules,
            empties,
            breadth: lines.max(1) as f64,
            unrest: 0.0,
            fall: 0.0,
            last: None,
            before: [None; 2],
            rounds: [0; 3],
            to_the_end: 0,
        }
    }

    /// Takes note of a completed round.
    pub(super) fn note(&mut self, progress: Progress) {
        let known: Vec<_> = self.last.iter().map(|last| last.score).chain(self.before[0]).collect();
        self.before = [known.first().copied(), known.get(1).copied()];
        let expected = known.iter().map(|score| score.discs()).sum::<f64>() / known.len().max(1) as f64;
        self.fall = if known.is_empty() { 0.0 } else { (expected - progress.score.discs()).max(0.0) };
        let changed = self.last.is_some_and(|last| last.best != progress.best);
        self.unrest = self.unrest / 2.0 + f64::from(u8::from(changed));
        let own = progress.nodes - self.last.map_or(0, |last| last.nodes.min(progress.nodes));
        self.rounds = [own.max(1), self.rounds[0], self.rounds[1]];
        self.to_the_end += usize::from(progress.solving);
        self.last = Some(progress);
    }

    /// Whether there is time to go to the end of the game now, after so many positions.
    pub(super) fn can_solve(&self, now: Duration, nodes: u64, deadlines: Deadlines) -> bool {
        let time = cost::first_round_time(self.rules, self.empties, speed(now, nodes));
        now.saturating_add(time.mul_f64(self.breadth)) <= deadlines.hard
    }

    /// When to break off the next round, one that goes to the end of the game or does not; none if it is not worth
    /// beginning and the move is played.
    pub(super) fn end_of_round(
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
        let more = self.next_round(solving, last, now);
        if now.saturating_add(more) > hard {
            // It will hardly be completed, but with so much time left it may yet find a better move until then.
            return (now < target / 2).then_some(target);
        }
        // An exact result is worth more time than another ply: the moves after this one will take none.
        (solving || typical_end(now, more) < target).then_some(hard)
    }

    /// When to be done, as it looks now: earlier than planned if the move is easy, later if it is hard.
    fn target(&self, Deadlines { since, soft, hard }: Deadlines) -> Duration {
        let planned = soft.saturating_sub(since);
        since.saturating_add(cost::seconds(planned.as_secs_f64() * self.worth())).min(hard)
    }

    /// How much of the planned time the move is worth.
    fn worth(&self) -> f64 {
        let effort = self.last.map_or(USUAL_EFFORT, |last| last.effort);
        (CALM + UNREST * self.unrest)
            * (1.0 + FALL * self.fall.min(DEEPEST_FALL))
            * (1.0 + USUAL_EFFORT - effort)
    }

    /// How long the next round will take.
    fn next_round(&self, solving: bool, last: Progress, now: Duration) -> Duration {
        let speed = speed(now, last.nodes);
        let growth = match (solving, self.to_the_end) {
            (true, 0) => {
                return cost::first_round_time(self.rules, self.empties, speed).mul_f64(self.breadth);
            }
            (true, rounds) => cost::next_round_growth(rounds),
            (false, _) => self.growth(),
        };
        cost::seconds(self.rounds[0] as f64 * growth / speed)
    }

    /// By how much a round grows over the one before it, seen over two: even and odd depths differ.
    fn growth(&self) -> f64 {
        let [last, _, before] = self.rounds;
        if before == 0 {
            return GROWTH;
        }
        let (least, most) = BELIEVED_GROWTH;
        (last as f64 / before as f64).sqrt().clamp(least, most)
    }
}

/// Positions a second after so many in so long, with little trust in a search that has just begun.
fn speed(now: Duration, nodes: u64) -> f64 {
    (nodes as f64 + cost::SPEED * BELIEVED_AFTER) / (now.as_secs_f64() + BELIEVED_AFTER)
}

/// The mean of now and the end of a round that takes so long, on a logarithmic scale of times.
///
/// Rounds end at times that grow by a factor. If the last one begun is the last for which this mean is before the
/// target, the ends of searches are on average at the target, some before it and some after it.
fn typical_end(now: Duration, more: Duration) -> Duration {
    let (now, more) = (now.as_secs_f64().max(f64::MIN_POSITIVE), more.as_secs_f64());
    if more <= now * 1e-6 { cost::seconds(now) } else { cost::seconds(more / (more / now).ln_1p()) }
}
