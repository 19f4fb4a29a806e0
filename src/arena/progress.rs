//! How far a match has come: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::statistics::{Standings, progress};

/// A line is due after this part of all games at the latest.
const STEPS: usize = 10;

/// Or after so long, if a game was finished meanwhile.
const PAUSE: Duration = Duration::from_secs(30);

/// What a user sees of a match that goes on, on standard error.
pub(super) enum MatchProgress {
    Bar(ProgressBar),
    ProgressLines(ProgressLines),
}

/// ProgressLines for a file or a pipe.
pub(super) struct ProgressLines {
    begun: Instant,
    milestones: Milestones,
}

impl MatchProgress {
    /// For a match of so many games, some of which are played already.
    pub(super) fn new(games: usize, done: usize) -> Self {
        if !io::stderr().is_terminal() {
            return Self::ProgressLines(ProgressLines {
                begun: Instant::now(),
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

    /// A game was finished.
    pub(super) fn advance(&mut self, standings: &Standings) {
        match self {
            Self::Bar(bar) => {
                bar.inc(1);
                bar.set_message(progress(standings));
            }
            Self::ProgressLines(ProgressLines { begun, milestones }) => {
                let done = standings.games() as usize;
                if milestones.is_due(done, begun.elapsed()) {
                    eprintln!("{done}/{} games, {}", milestones.games, progress(standings));
                }
            }
        }
    }

    /// The match is over, and its tables follow.
    pub(super) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// Tells when a line is due.
struct Milestones {
    games: usize,
    told: usize,
    at: Duration,
}

impl Milestones {
    const fn new(games: usize, done: usize) -> Self {
        Self { games, told: done, at: Duration::ZERO }
    }

    /// Whether to tell that so many games are done, so long after the beginning.
    fn is_due(&mut self, done: usize, now: Duration) -> bool {
        let step = self.games.div_ceil(STEPS).max(1);
        let due =
            done / step > self.told / step || now.saturating_sub(self.at) >= PAUSE || done == self.games;
        if due {
            (self.told, self.at) = (done, now);
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
    fn a_line_comes_now_and_then() {
        let fast = Duration::from_millis(1);
        assert_eq!(lines(100, 0, fast), [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!(lines(4, 0, fast), [1, 2, 3, 4]);
        assert_eq!(lines(1000, 895, fast), [900, 1000]);
        assert_eq!(lines(1001, 0, fast).len(), 10);
        // Long games are told of one by one, short ones every half a minute.
        assert_eq!(lines(1000, 990, Duration::from_secs(60)).len(), 10);
        let slow = lines(100_000, 99_000, Duration::from_secs(1));
        assert_eq!(slow.len(), 1000 / 30 + 1, "{slow:?}");
    }
}
