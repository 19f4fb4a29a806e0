//! How far a long piece of work has come.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on the terminal, of which some is done already; nothing at all where there is no terminal.
#[must_use]
pub fn bar(positions: usize, done: usize) -> ProgressBar {
    bar_of("positions", positions, done)
}

/// The same for other things than positions.
#[must_use]
pub fn bar_of(things: &str, count: usize, done: usize) -> ProgressBar {
    let bar = ProgressBar::new(count as u64).with_position(done as u64);
    let template = format!("{{pos}}/{{len}} {things}{{msg}} [{{bar:20}}] {{per_sec}}, {{eta}} to go");
    let style = ProgressStyle::with_template(&template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.reset_eta();
    bar
}
