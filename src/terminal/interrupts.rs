//! Ctrl-C, for some commands SIGTERM too, and the exit code that follows. Nothing else takes signals.

use std::io;
use std::process::exit;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

use crate::search::{Budget, Control};

/// 128 + SIGINT, as shells report it.
pub const EXIT_CODE: u8 = 130;

/// How a command ended that can be interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    Complete,
    Interrupted,
}

/// `timeout` sends its signal twice, to the process and to its group. What comes so soon after the first interrupt belongs
/// to it.
const ONE_INTERRUPT: Duration = Duration::from_millis(500);

#[derive(Debug, Default)]
struct State {
    first: Option<Instant>,
    running: Option<Arc<Control>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interrupt {
    First,
    Second,
}

/// Ctrl-C as a flag, as a channel, and as the stop of a running search.
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
    /// The first Ctrl-C is for the command, the second one ends the process.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn of_terminal() -> io::Result<Self> {
        Self::listen(|| exit(EXIT_CODE.into()))
    }

    /// The same, with SIGTERM as another Ctrl-C: batch systems send it some time before they kill.
    ///
    /// Call it before other threads begin, since they would take the signal.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn of_terminal_and_batch() -> io::Result<Self> {
        #[cfg(unix)]
        let termination = block_termination()?;
        let interrupts = Self::of_terminal()?;
        #[cfg(unix)]
        {
            let raised = interrupts.clone();
            let wait = move || {
                while termination.wait().is_ok() {
                    if raised.raise(Instant::now()) == Interrupt::Second {
                        exit(EXIT_CODE.into());
                    }
                }
            };
            crate::threads::spawn("signals", wait)?;
        }
        Ok(interrupts)
    }

    /// The first Ctrl-C is for the command, which soon ends by itself; others are ignored.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn first_of_terminal() -> io::Result<Self> {
        Self::listen(|| ())
    }

    fn listen(on_second: impl Fn() + Send + 'static) -> io::Result<Self> {
        let interrupts = Self::default();
        let of_handler = interrupts.clone();
        let handler = move || {
            if of_handler.raise(Instant::now()) == Interrupt::Second {
                on_second();
            }
        };
        ctrlc::set_handler(handler).map_err(io::Error::other)?;
        Ok(interrupts)
    }

    /// Receives once, at the first interrupt.
    #[must_use]
    pub fn arrived(&self) -> &Receiver<()> {
        &self.arrived
    }

    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.state.lock().first.is_some()
    }

    /// The control of a search that an interrupt stops; after an interrupt it is stopped from the start.
    #[must_use]
    pub fn control(&self) -> Arc<Control> {
        let control = Arc::new(Control::new(&Budget::UNLIMITED));
        let mut state = self.state.lock();
        if state.first.is_some() {
            control.stop();
        }
        state.running = Some(Arc::clone(&control));
        control
    }

    fn raise(&self, now: Instant) -> Interrupt {
        let mut state = self.state.lock();
        let first = *state.first.get_or_insert(now);
        if let Some(control) = &state.running {
            control.stop();
        }
        // Full if the first interrupt was not received yet.
        let _ = self.sender.try_send(());
        if now.saturating_duration_since(first) < ONE_INTERRUPT {
            Interrupt::First
        } else {
            Interrupt::Second
        }
    }

    #[cfg(test)]
    pub(crate) fn raised() -> Self {
        let interrupts = Self::default();
        interrupts.raise(Instant::now());
        interrupts
    }
}

/// Leaves SIGTERM to a thread that waits for it. A handler for it would come with one for SIGHUP, and `nohup` would no
/// longer work.
#[cfg(unix)]
fn block_termination() -> io::Result<nix::sys::signal::SigSet> {
    let mut termination = nix::sys::signal::SigSet::empty();
    termination.add(nix::sys::signal::Signal::SIGTERM);
    termination.thread_block()?;
    Ok(termination)
}

/// Has Ctrl-C run `cleanup` and end the process.
///
/// # Errors
/// If the operating system refuses.
pub fn exit_on_interrupt(cleanup: impl Fn() + Send + 'static) -> io::Result<()> {
    let handler = move || {
        cleanup();
        exit(EXIT_CODE.into());
    };
    ctrlc::set_handler(handler).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_stops_the_running_search_and_all_later_ones() {
        let interrupts = Interrupts::default();
        let running = interrupts.control();
        assert!(!running.is_stopped() && !interrupts.is_raised());
        let first = Instant::now();
        assert_eq!(interrupts.raise(first), Interrupt::First);
        assert!(running.is_stopped() && interrupts.is_raised());
        assert!(interrupts.control().is_stopped());
        assert!(interrupts.arrived().try_recv().is_ok());
        let [soon, later] = [1, 2].map(|half_times| first + half_times * ONE_INTERRUPT / 2);
        assert_eq!(interrupts.raise(soon), Interrupt::First, "sent twice");
        assert_eq!(interrupts.raise(later), Interrupt::Second);
    }
}
