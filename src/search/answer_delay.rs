//! How late answers leave on this machine, learned from those that have left.

use std::collections::VecDeque;
use std::time::Duration;

use crate::time_source::Timestamp;

/// The delays of recent answers, each the time from the end that was set to the search until the answer had left.
///
/// An idle machine takes a tenth of a millisecond. On a busy one the search or whoever passes its result on may have to
/// wait for a processor, some milliseconds at a time.
#[derive(Clone, Debug, Default)]
pub struct AnswerDelay {
    /// Latest first.
    recent: VecDeque<Duration>,
}

/// How many delays are remembered: what is left of the weight of older ones is too little to matter.
const REMEMBERED: usize = 128;

/// What an answer counts in relation to the one after it.
const DECAY: f64 = 0.97;

/// The part of all answers, by weight, that may leave later than is allowed for. A single one weighs less, even the latest:
/// a machine that stopped once need not do so again.
const IGNORED: f64 = 0.04;

impl AnswerDelay {
    /// Takes note of an answer that has left. One that left before the end of its time tells nothing.
    pub fn note(&mut self, end: Timestamp, left: Timestamp) {
        if let Some(delay) = left.checked_duration_since(end) {
            self.recent.truncate(REMEMBERED - 1);
            self.recent.push_front(delay);
        }
    }

    /// What to keep in reserve for the next answer: most recent ones were not later than this.
    #[must_use]
    pub fn reserve(&self) -> Duration {
        let weights = (0..).map(|age| DECAY.powi(age));
        let mut delays: Vec<(Duration, f64)> = self.recent.iter().copied().zip(weights).collect();
        delays.sort_by_key(|&(delay, _)| std::cmp::Reverse(delay));
        // As if there had been many timely answers before the first.
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

    /// What is reserved after answers with these delays in milliseconds.
    fn reserve(delays: impl IntoIterator<Item = u64>) -> u64 {
        let end = Timestamp::now();
        let mut delay = AnswerDelay::default();
        for milliseconds in delays {
            delay.note(end, end + Duration::from_millis(milliseconds));
        }
        delay.reserve().as_millis() as u64
    }

    #[test]
    fn a_timely_machine_needs_no_reserve() {
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
    fn what_is_long_past_is_forgotten() {
        let after = |timely| reserve([30; 5].into_iter().chain([1; 1000].into_iter().take(timely)));
        assert_eq!((after(10), after(60), after(500)), (30, 1, 1));
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
