//! What is seen of a run while it goes on: a table of the best on a terminal, elsewhere a line now and then.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::history::{Entry, Generation};
use crate::arena::statistics::WinDrawLoss;
use crate::terminal::table::TextTable;

/// How often a line is written.
const PERIOD: Duration = Duration::from_secs(30);

/// How many of the best are shown.
const ROWS: usize = 8;

/// What is shown until the last generation is done.
pub(super) struct Show {
    bar: ProgressBar,
    shown: Instant,
}

impl Show {
    /// So many generations, some of which are done already.
    pub(super) fn new(generations: u32, done: u32) -> Self {
        let bar = ProgressBar::new(generations.into()).with_position(done.into());
        let style =
            ProgressStyle::with_template("{msg}{pos}/{len} generations [{bar:20}] {per_sec}, {eta} to go");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        Self { bar, shown: Instant::now() }
    }

    /// Another generation is done.
    pub(super) fn add(&mut self, generation: &Generation) {
        self.bar.set_message(table(&generation.entries));
        self.bar.inc(1);
        if self.bar.is_hidden() && self.shown.elapsed() >= PERIOD {
            self.shown = Instant::now();
            eprintln!("{}, {:.2} generations/s", line(generation), self.bar.per_sec());
        }
    }
}

impl Drop for Show {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A generation in a line.
pub(super) fn line(generation: &Generation) -> String {
    let summary = &generation.summary;
    let yardstick = summary.yardstick.and_then(|games| WinDrawLoss::from(games).score());
    let against = yardstick.map_or(String::new(), |score| format!(", yardstick {score:.3}"));
    let (number, best) = (summary.generation, summary.best);
    format!("generation {number}: best {best} with {:.3}, mean {:.3}{against}", summary.fitness, summary.mean)
}

/// The best individuals.
pub(super) fn table(entries: &[Entry]) -> String {
    let mut best: Vec<&Entry> = entries.iter().collect();
    best.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    let mut table =
        TextTable::with_titles(0, &["rank", "born", "age", "fitness", "won", "drawn", "lost", "parents"]);
    for (rank, entry) in (1..).zip(best.into_iter().take(ROWS)) {
        let WinDrawLoss { wins, draws, losses } =
            entry.games.map_or_else(WinDrawLoss::default, WinDrawLoss::from);
        let parents: Vec<_> = entry.parents.iter().map(ToString::to_string).collect();
        table.row(vec![
            rank.to_string(),
            entry.id.to_string(),
            (entry.generation - entry.id.0).to_string(),
            format!("{:.3}", entry.fitness),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
            parents.join(" × "),
        ]);
    }
    table.to_string()
}
