//! What a search would otherwise do on the clock, done before and beside it: unpacking weights, touching memory.

use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};

use crate::eval::Evaluator;
use crate::tt::Table;

/// What is to be made ready.
pub(super) struct Work {
    /// The evaluation whose weights will be looked up,
    pub(super) evaluator: Evaluator,
    /// first those of positions with this many empty squares.
    pub(super) empties: usize,
    /// The table whose memory is touched after that, if it may be taken.
    pub(super) table: Option<Arc<Table>>,
}

impl Work {
    /// Does a part of it, in about a millisecond. Returns whether there may be more to do.
    fn step(&self) -> bool {
        self.evaluator.prepare_stage(self.empties)
            || self.table.as_ref().is_some_and(|table| table.prefault())
    }
}

/// The thread that does it, from the first time that there is something to do. Ends with its owner.
///
/// There is only one, since only one thread may prefault a table.
#[derive(Default)]
pub(super) struct WarmUp(Option<Sender<Work>>);

impl WarmUp {
    /// Turns to other work. A search can do without: what the thread has not done by then is done on demand, and the
    /// part of the table that has been touched is enough for a beginning.
    pub(super) fn turn_to(&mut self, mut work: Work) {
        if let Some(sender) = &self.0 {
            match sender.send(work) {
                Ok(()) => return,
                Err(unsent) => work = unsent.0,
            }
        }
        let (sender, works) = unbounded();
        match thread::Builder::new().name("warm-up".into()).spawn(move || serve(work, &works)) {
            Ok(_) => self.0 = Some(sender),
            Err(error) => log::warn!("nothing is made ready ahead of the search: {error}"),
        }
    }
}

fn serve(first: Work, works: &Receiver<Work>) {
    let mut work = Some(first);
    loop {
        let next = match &work {
            Some(present) => match works.try_recv() {
                Err(TryRecvError::Empty) if present.step() => continue,
                // Nothing is held that is not needed any more, least of all a table.
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => return,
                Ok(next) => Some(next),
            },
            None => match works.recv() {
                Ok(next) => Some(next),
                Err(_) => return,
            },
        };
        work = next;
    }
}
