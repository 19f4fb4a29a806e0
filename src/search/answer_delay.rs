//! Learns how late answers leave on this machine.

use std::collections::VecDeque;
use std::time::Duration;

use crate::time_source::Timestamp;

/// Delays of recent answers, each from the end set to the search until the answer had left.
///
/// About 0.1 ms on an idle machine. On a busy one the search or the driver may wait milliseconds for a CPU.
#[derive(Clone, Debug, Default)]
pub struct AnswerDelay {
    /// Latest first.
    recent: VecDeque<Duration>,
}

/// Older delays weigh too little to matter.
const REMEMBERED: usize = 512;

/// The weight of an answer relative to the next one: some four games count.
const DECAY: f64 = 0.99;

/// The share of answers, by weight, that may be later than the reserve. A single answer weighs less: one late answer
/// may be chance. A game has some thirty answers, and the latest of them decides.
const IGNORED: f64 = 0.013;

impl AnswerDelay {
    /// Records an answer. One that left before `end` tells nothing.
    pub fn note(&mut self, end: Timestamp, left: Timestamp) {
        if let Some(delay) = left.checked_duration_since(end) {
            self.recent.truncate(REMEMBERED - 1);
            self.recent.push_front(delay);
        }
    }

    /// The time to keep in reserve for the next answer: a quantile of the recent delays.
    #[must_use]
    pub fn reserve(&self) -> Duration {
        let weights = (0..).map(|age| DECAY.powi(age));
        let mut delays: Vec<(Duration, f64)> = self.recent.iter().copied().zip(weights).collect();
        delays.sort_by_key(|&(delay, _)| std::cmp::Reverse(delay));
        // As if many answers before the first had been on time.
        let mut ignored = IGNORED / (1.0 - DECAY);
        let exceeds = |&(_, weight): &(Duration, f64)| {
            ignored -= weight;
            ignored < 0.0
        };
        delays.into_iter().find(exceeds).map_or(Duration::ZERO, |(delay, _)| delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reserve(delays: impl IntoIterator<Item = u64>) -> u64 {
        let end = Timestamp::now();
        let mut delay = AnswerDelay::default();
        for milliseconds in delays {
            delay.note(end, end + Duration::from_millis(milliseconds));
        }
        delay.reserve().as_millis() as u64
    }

    #[test]
    fn punctual_answers_need_no_reserve() {
        assert_eq!(reserve([]), 0);
        assert_eq!(reserve([0; 500]), 0);
    }

    #[test]
    fn one_late_answer_is_chance_and_two_are_not() {
        assert_eq!(reserve([0, 0, 30]), 0);
        assert_eq!(reserve([0, 30, 0, 20, 0]), 20);
        assert_eq!(reserve((0..200).map(|at| if at % 10 == 0 { 8 } else { 1 })), 8);
    }

    #[test]
    fn old_delays_are_forgotten() {
        let after = |timely| reserve([30; 5].into_iter().chain([1; 1000].into_iter().take(timely)));
        assert_eq!((after(10), after(200), after(800)), (30, 1, 1));
    }

    #[test]
    fn early_answers_tell_nothing() {
        let end = Timestamp::now();
        let mut delay = AnswerDelay::default();
        for _ in 0..10 {
            delay.note(end, end + Duration::from_millis(9));
            delay.note(end + Duration::from_millis(50), end);
        }
        assert_eq!(delay.reserve(), Duration::from_millis(9));
    }
}
