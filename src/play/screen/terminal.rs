//! The terminal: taken over, and given back whatever happens.

use std::io::{self, Stdout, stdout};
use std::panic;

use crossbeam_channel::{Receiver, unbounded};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use crate::threads;

/// Dropping it restores the terminal; a panic in any thread does so, too.
pub struct FullScreen {
    pub terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl FullScreen {
    /// # Errors
    /// If the terminal refuses.
    pub fn enter() -> io::Result<Self> {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |information| {
            restore();
            report(information);
        }));
        enable_raw_mode()?;
        // From here on dropping it restores the terminal.
        let screen = Self { terminal: Terminal::new(CrosstermBackend::new(stdout()))? };
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)?;
        Ok(screen)
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        restore();
    }
}

/// Whatever was not taken over does no harm. Failures are ignored: there is nothing else to try.
fn restore() {
    let _ = execute!(stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Keys, clicks and new sizes, read in a thread of their own. The channel closes if the terminal does.
///
/// # Errors
/// If the system has no thread left.
pub fn events() -> io::Result<Receiver<Event>> {
    let (sender, events) = unbounded();
    let read = move || {
        while let Ok(event) = event::read() {
            if sender.send(event).is_err() {
                return;
            }
        }
    };
    threads::spawn("keys", read)?;
    Ok(events)
}
