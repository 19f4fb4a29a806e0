//! Unpacks weights and touches table memory in a background thread, so that searches need not do it on the clock.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};

use crate::eval::Evaluator;
use crate::threads;
use crate::tt::Table;

pub(super) struct Work {
    /// Whose weights to unpack,
    pub(super) evaluator: Evaluator,
    /// beginning with the stage of this many empty squares.
    pub(super) empties: usize,
    /// The table to touch after that.
    pub(super) table: Option<Arc<Table>>,
}

impl Work {
    /// Does about a millisecond of work. Returns whether there may be more.
    fn step(&self) -> bool {
        self.evaluator.prepare_stage(self.empties)
            || self.table.as_ref().is_some_and(|table| table.prefault())
    }
}

/// The background thread, started when first needed. It ends when this is dropped.
///
/// One thread, since only one may touch a table.
#[derive(Default)]
pub(super) struct WarmUp(Option<Sender<Work>>);

impl WarmUp {
    /// Replaces the present work. Searches do not depend on it: weights are unpacked on demand, and the first part of
    /// a table is enough to begin with.
    pub(super) fn turn_to(&mut self, mut work: Work) {
        if let Some(sender) = &self.0 {
            match sender.send(work) {
                Ok(()) => return,
                Err(unsent) => work = unsent.0,
            }
        }
        let (sender, works) = unbounded();
        match threads::spawn("warm-up", move || serve(work, &works)) {
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
                // Drop the work: it may hold the last reference to a table.
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
