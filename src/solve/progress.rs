//! How far the position under way has come, on the terminal; nothing at all where there is none.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::search::{Control, Iteration};

/// How often it is drawn.
const PERIOD: Duration = Duration::from_millis(200);

/// What is shown of one position until it is solved.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Shows that this position is under way.
    pub(super) fn new(number: usize, empties: u32, control: &Arc<Control>) -> Self {
        let bar = ProgressBar::new_spinner();
        // Where nobody looks on there is to be no thread that draws.
        if !bar.is_hidden() {
            let template = "{spinner} position {prefix}, {elapsed}, {nodes}  {msg}";
            let style = ProgressStyle::with_template(template);
            let control = Arc::clone(control);
            // The last depth takes longer than all others together: only the count shows that it goes on.
            let nodes = move |_: &ProgressState, text: &mut dyn Write| {
                let _ = write!(text, "{:.1} Mn", control.nodes() as f64 / 1e6);
            };
            bar.set_style(
                style.unwrap_or_else(|_| ProgressStyle::default_spinner()).with_key("nodes", nodes),
            );
            bar.set_prefix(format!("{number} ({empties} empties)"));
            bar.enable_steady_tick(PERIOD);
        }
        Self(bar)
    }

    /// Shows what a completed depth has brought.
    pub(super) fn show(&self, iteration: &Iteration) {
        if self.0.is_hidden() {
            return;
        }
        if let Some(line) = iteration.lines.first() {
            self.0.set_message(format!("depth {}: {}", iteration.depth, line.score));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
