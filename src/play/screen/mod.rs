//! The game on a whole terminal.

mod app;
mod board;
mod dialog;
mod draw;
mod menu;
mod panel;
mod review_view;
mod terminal;
#[cfg(test)]
mod tests;
mod theme;

use std::time::Duration;

use crate::time_source::Timestamp;

use super::controller::{Controller, Wake};
use super::{PlayEnd, PlayError};

use app::App;
use draw::draw;
use terminal::{FullScreen, events};
use theme::Theme;

/// The clocks show tenths of a second at the end.
const FRAME: Duration = Duration::from_millis(100);

/// Plays until the player leaves. The terminal is as before afterwards.
///
/// # Errors
/// If the terminal fails or an engine panics.
pub fn run(controller: Controller, shows_menu: bool) -> Result<(PlayEnd, Controller), PlayError> {
    let mut app = App::new(controller, Theme::of_environment(), shows_menu);
    let mut screen = FullScreen::enter().map_err(PlayError::Terminal)?;
    let events = events().map_err(PlayError::Terminal)?;
    loop {
        let now = Timestamp::now();
        app.advance(now);
        screen.terminal.draw(|frame| draw(&mut app, frame, now)).map_err(PlayError::Terminal)?;
        if let Some(end) = app.end() {
            return Ok((end, app.into_controller()));
        }
        match app.controller().wait(&events, FRAME)? {
            Wake::Input(event) => app.event(&event, Timestamp::now()),
            Wake::Interrupted | Wake::InputEnded => app.interrupt(),
            Wake::Other => {}
        }
        // A paste or a fast hand brings many events: one frame for all of them.
        for event in events.try_iter() {
            app.event(&event, Timestamp::now());
        }
    }
}
