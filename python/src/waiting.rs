//! Waiting for searches without holding the interpreter, and stopping them at Ctrl-C.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread, ThreadId};
use std::time::Duration;

use ollehto::search::{Budget, Control};

/// How often a waiting call looks for Ctrl-C.
pub const POLL: Duration = Duration::from_millis(50);

/// What a thread that panicked has left is whole: all changes are single steps.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stops all searches of a call, those that run and those to come.
#[derive(Default)]
pub struct StopSwitch(Mutex<Switched>);

#[derive(Default)]
struct Switched {
    is_stopped: bool,
    /// One for each thread that searches.
    running: Vec<(ThreadId, Arc<Control>)>,
}

impl StopSwitch {
    /// The control of the next search of this thread; none once it is stopped.
    pub fn control(&self, budget: &Budget) -> Option<Arc<Control>> {
        let control = Arc::new(Control::new(budget));
        let mut state = lock(&self.0);
        if state.is_stopped {
            return None;
        }
        let own = thread::current().id();
        state.running.retain(|&(thread, _)| thread != own);
        state.running.push((own, Arc::clone(&control)));
        Some(control)
    }

    pub fn is_stopped(&self) -> bool {
        lock(&self.0).is_stopped
    }

    pub fn stop(&self) {
        let mut state = lock(&self.0);
        state.is_stopped = true;
        state.running.drain(..).for_each(|(_, control)| control.stop());
    }
}

/// Stops everything when a call ends early, by Ctrl-C or an exception of a callback.
pub struct StopOnDrop<'a>(pub &'a StopSwitch);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Tells the waiting thread that a thread is done, also by a panic.
pub struct DoneOnDrop<'a> {
    pub running: &'a AtomicUsize,
    pub waiting: Thread,
}

impl Drop for DoneOnDrop<'_> {
    fn drop(&mut self) {
        self.running.fetch_sub(1, Ordering::Release);
        self.waiting.unpark();
    }
}
