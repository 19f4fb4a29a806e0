//! Progress of long commands on standard error: a bar on a terminal, a line now and then elsewhere.

use std::fmt::{Display, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::search::{Control, Iteration};

/// A line is due after this part of all units at the latest.
const STEPS: u64 = 10;

/// Or after so long, if a unit was finished meanwhile.
const PAUSE: Duration = Duration::from_secs(30);

/// Redraws of the spinner.
const TICK: Duration = Duration::from_millis(200);

/// A bar that disappears when it is dropped.
pub struct CommandProgress {
    bar: ProgressBar,
    unit: String,
    lines: Option<(Instant, Milestones)>,
}

impl CommandProgress {
    /// Work of `total` units, such as games, of which `done` are finished already. Nothing is shown where standard
    /// error is no terminal.
    #[must_use]
    pub fn new(unit: &str, total: usize, done: usize) -> Self {
        let bar = ProgressBar::new(total as u64).with_position(done as u64);
        let template =
            format!("{{prefix}}{{pos}}/{{len}} {unit} [{{bar:20}}] {{per_sec}}, {{eta}} to go  {{msg}}");
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        Self { bar, unit: unit.to_owned(), lines: None }
    }

    /// The same with lines where standard error is no terminal.
    #[must_use]
    pub fn with_lines(mut self) -> Self {
        let milestones = Milestones::new(self.bar.length().unwrap_or_default(), self.bar.position());
        self.lines = self.bar.is_hidden().then(|| (Instant::now(), milestones));
        self
    }

    pub fn advance(&mut self, units: usize) {
        self.bar.inc(units as u64);
    }

    /// Advances and shows how things stand.
    pub fn advance_to(&mut self, units: usize, status: impl Display) {
        self.set_status(&status);
        self.advance(units);
        let done = self.bar.position();
        if let Some((start, milestones)) = &mut self.lines
            && milestones.is_due(done, start.elapsed())
        {
            eprintln!("{done}/{} {}, {status}", milestones.total, self.unit);
        }
    }

    pub fn set_status(&self, status: impl Display) {
        self.bar.set_message(status.to_string());
    }

    /// Shows lines above the bar, in place of those before.
    pub fn set_lines_above(&self, text: String) {
        self.bar.set_prefix(text);
    }

    /// Hides the bar while others write to the terminal.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Prints a line above the bar that stays.
    pub fn println(&self, line: impl Display) {
        self.bar.println(line.to_string());
    }
}

impl Drop for CommandProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Tells when a line is due.
struct Milestones {
    total: u64,
    told: u64,
    at: Duration,
}

impl Milestones {
    const fn new(total: u64, done: u64) -> Self {
        Self { total, told: done, at: Duration::ZERO }
    }

    fn is_due(&mut self, done: u64, now: Duration) -> bool {
        let step = self.total.div_ceil(STEPS).max(1);
        let due =
            done / step > self.told / step || now.saturating_sub(self.at) >= PAUSE || done == self.total;
        if due {
            (self.told, self.at) = (done, now);
        }
        due
    }
}

/// A running search: its nodes, time, depth and score.
pub struct SearchSpinner {
    bar: ProgressBar,
    /// The position, as `3 (22 empties)`.
    name: String,
    control: Arc<Control>,
}

impl SearchSpinner {
    #[must_use]
    pub fn new(number: usize, empties: u32, control: &Arc<Control>) -> Self {
        let bar = ProgressBar::new_spinner();
        let name = format!("{number} ({empties} empties)");
        // No drawing thread where nobody looks on.
        if !bar.is_hidden() {
            let style =
                ProgressStyle::with_template("{spinner} position {prefix}, {elapsed}, {nodes}  {msg}");
            let counter = Arc::clone(control);
            // The last depth takes longer than all others together: only the nodes show that it goes on.
            let nodes = move |_: &ProgressState, text: &mut dyn Write| {
                let _ = text.write_str(&million_nodes(&counter));
            };
            bar.set_style(
                style.unwrap_or_else(|_| ProgressStyle::default_spinner()).with_key("nodes", nodes),
            );
            bar.set_prefix(name.clone());
            bar.enable_steady_tick(TICK);
        }
        Self { bar, name, control: Arc::clone(control) }
    }

    pub fn show(&self, iteration: &Iteration) {
        if let Some(line) = iteration.lines.first() {
            let (depth, percent) = (iteration.depth, iteration.selectivity.percent());
            self.bar.set_message(format!("depth {depth}@{percent}%: {}", line.score));
        }
    }

    /// A line for what happened to the search; on a terminal the spinner tells the rest.
    pub fn println(&self, event: impl Display) {
        if self.bar.is_hidden() {
            let Self { bar, name, control } = self;
            let minutes = control.elapsed_time().as_secs() / 60;
            let (nodes, message) = (million_nodes(control), bar.message());
            eprintln!("position {name}, {minutes} min, {nodes}  {message}; {event}");
        } else {
            self.bar.set_prefix(format!("{}, {event}", self.name));
        }
    }
}

fn million_nodes(control: &Control) -> String {
    format!("{:.1} Mn", control.nodes() as f64 / 1e6)
}

impl Drop for SearchSpinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(total: u64, begin: u64, pace: Duration) -> Vec<u64> {
        let mut milestones = Milestones::new(total, begin);
        (begin + 1..=total).filter(|&done| milestones.is_due(done, pace * (done - begin) as u32)).collect()
    }

    #[test]
    fn lines_come_every_tenth_or_half_minute() {
        let fast = Duration::from_millis(1);
        assert_eq!(lines(100, 0, fast), [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!(lines(4, 0, fast), [1, 2, 3, 4]);
        assert_eq!(lines(1000, 895, fast), [900, 1000]);
        assert_eq!(lines(1001, 0, fast).len(), 10);
        assert_eq!(lines(1000, 990, Duration::from_secs(60)).len(), 10);
        let slow = lines(100_000, 99_000, Duration::from_secs(1));
        assert_eq!(slow.len(), 1000 / 30 + 1, "{slow:?}");
    }
}
