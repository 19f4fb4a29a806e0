//! Progress of a match on standard error: a bar on a terminal, occasional lines elsewhere.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::statistics::{Standings, progress};

/// Lines for a whole match, apart from those by time.
const STEPS: usize = 10;

/// Time between two lines.
const PAUSE: Duration = Duration::from_secs(30);

pub(super) enum MatchProgress {
    Bar(ProgressBar),
    Lines(ProgressLines),
}

pub(super) struct ProgressLines {
    start: Instant,
    milestones: Milestones,
}

impl MatchProgress {
    pub(super) fn new(games: usize, done: usize) -> Self {
        if !io::stderr().is_terminal() {
            return Self::Lines(ProgressLines {
                start: Instant::now(),
                milestones: Milestones::new(games, done),
            });
        }
        let bar = ProgressBar::new(games as u64).with_position(done as u64);
        let style =
            ProgressStyle::with_template("{pos}/{len} games [{bar:20}] {per_sec}, {eta} to go  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        Self::Bar(bar)
    }

    pub(super) fn advance(&mut self, standings: &Standings) {
        match self {
            Self::Bar(bar) => {
                bar.inc(1);
                bar.set_message(progress(standings));
            }
            Self::Lines(ProgressLines { start, milestones }) => {
                let done = standings.games() as usize;
                if milestones.is_due(done, start.elapsed()) {
                    eprintln!("{done}/{} games, {}", milestones.games, progress(standings));
                }
            }
        }
    }

    pub(super) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// Decides when a line is due.
struct Milestones {
    games: usize,
    last_games: usize,
    last_time: Duration,
}

impl Milestones {
    const fn new(games: usize, done: usize) -> Self {
        Self { games, last_games: done, last_time: Duration::ZERO }
    }

    fn is_due(&mut self, done: usize, now: Duration) -> bool {
        let step = self.games.div_ceil(STEPS).max(1);
        let due = done / step > self.last_games / step
            || now.saturating_sub(self.last_time) >= PAUSE
            || done == self.games;
        if due {
            (self.last_games, self.last_time) = (done, now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(games: usize, begin: usize, pace: Duration) -> Vec<usize> {
        let mut milestones = Milestones::new(games, begin);
        (begin + 1..=games).filter(|&done| milestones.is_due(done, pace * (done - begin) as u32)).collect()
    }

    #[test]
    fn lines_come_by_games_and_by_time() {
        let fast = Duration::from_millis(1);
        assert_eq!(lines(100, 0, fast), [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!(lines(4, 0, fast), [1, 2, 3, 4]);
        assert_eq!(lines(1000, 895, fast), [900, 1000]);
        assert_eq!(lines(1001, 0, fast).len(), 10);
        // Long games have a line each, short ones one every half minute.
        assert_eq!(lines(1000, 990, Duration::from_secs(60)).len(), 10);
        let slow = lines(100_000, 99_000, Duration::from_secs(1));
        assert_eq!(slow.len(), 1000 / 30 + 1, "{slow:?}");
    }
}
