//! Ctrl-C: the first one ends the search under way, the second one the process.

use std::io;
use std::process::exit;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

use crate::search::{Budget, Control};

/// Told to the shell when the user has ended the work, as shells themselves do.
pub const EXIT_CODE: u8 = 130;

/// What an interrupt has to end.
#[derive(Debug, Default)]
struct State {
    raised: bool,
    running: Option<Arc<Control>>,
}

/// Where an interrupt arrives, and what it stops.
#[derive(Clone, Debug)]
pub struct Interrupts {
    state: Arc<Mutex<State>>,
    sender: Sender<()>,
    arrived: Receiver<()>,
}

impl Default for Interrupts {
    fn default() -> Self {
        let (sender, arrived) = bounded(1);
        Self { state: Arc::default(), sender, arrived }
    }
}

impl Interrupts {
    /// Hears those of the terminal from now on.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn of_terminal() -> io::Result<Self> {
        let interrupts = Self::default();
        let of_handler = interrupts.clone();
        let handler = move || {
            if !of_handler.raise() {
                exit(EXIT_CODE.into());
            }
        };
        ctrlc::set_handler(handler).map_err(io::Error::other)?;
        Ok(interrupts)
    }

    /// Something arrives here at the first interrupt.
    #[must_use]
    pub fn arrived(&self) -> &Receiver<()> {
        &self.arrived
    }

    /// Whether there was one.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.state.lock().raised
    }

    /// The handle of a search that an interrupt ends; an interrupt that has come already ends it before it begins.
    #[must_use]
    pub fn control(&self) -> Arc<Control> {
        let control = Arc::new(Control::new(&Budget::UNLIMITED));
        let mut state = self.state.lock();
        if state.raised {
            control.stop();
        }
        state.running = Some(Arc::clone(&control));
        control
    }

    /// Interrupts; whether it is for the first time.
    fn raise(&self) -> bool {
        let mut state = self.state.lock();
        let first = !state.raised;
        state.raised = true;
        if let Some(control) = &state.running {
            control.stop();
        }
        // One is waiting to be heard already if there is no room.
        let _ = self.sender.try_send(());
        first
    }

    /// As if the user had interrupted.
    #[cfg(test)]
    pub(crate) fn raised() -> Self {
        let interrupts = Self::default();
        interrupts.raise();
        interrupts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_stops_the_search_under_way_and_all_that_would_follow() {
        let interrupts = Interrupts::default();
        let running = interrupts.control();
        assert!(!running.is_stopped() && !interrupts.is_raised());
        assert!(interrupts.raise());
        assert!(running.is_stopped() && interrupts.is_raised());
        assert!(interrupts.control().is_stopped());
        assert!(interrupts.arrived().try_recv().is_ok());
    }

    #[test]
    fn the_second_interrupt_is_told_from_the_first() {
        let interrupts = Interrupts::default();
        assert!(interrupts.raise());
        assert!(!interrupts.raise());
    }
}
