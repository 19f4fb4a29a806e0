//! How far the games have come: a bar on a terminal, elsewhere a line now and then.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is written.
const PERIOD: Duration = Duration::from_secs(30);

/// What is shown until all games are played.
pub(super) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: Instant,
    /// Games that were there at the beginning.
    known: u64,
}

impl Progress {
    /// So many games, some of which are there already.
    pub(super) fn new(games: u64, known: u64) -> Self {
        let bar = ProgressBar::new(games).with_position(known);
        let template = "{pos}/{len} games [{bar:20}] {per_sec}, {msg}, {eta} to go";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.reset_eta();
        let now = Instant::now();
        Self { bar, begun: now, shown: now, known }
    }

    /// More games were played, which makes so many positions since the beginning.
    pub(super) fn add(&mut self, games: u64, positions: u64) {
        self.bar.set_message(format!("{positions} positions"));
        self.bar.inc(games);
        if self.bar.is_hidden() && self.shown.elapsed() >= PERIOD {
            self.shown = Instant::now();
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or_default());
            let seconds = self.begun.elapsed().as_secs_f64();
            let speed = (done - self.known) as f64 / seconds;
            let left = (all.saturating_sub(done)) as f64 / speed;
            eprintln!("{done}/{all} games, {speed:.1} games/s, {positions} positions, {left:.0} s to go");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
