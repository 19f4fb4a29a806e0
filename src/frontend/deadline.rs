//! When a running search has to be answered, and what the answer is if it does not end in time.

use std::time::Duration;

use crate::board::{Bitboard, Position};
use crate::search::{Budget, Iteration, SearchResult};
use crate::time_source::Timestamp;

use super::session::Session;

/// How long a search may take to report after its deadline. Microseconds are enough unless it waits for a CPU: then
/// the driver, which sleeps, is woken sooner, and every answer of a busy machine is late by this.
const GRACE: Duration = Duration::from_micros(250);

/// The same with several threads, which wait for each other.
const GRACE_OF_THREADS: Duration = Duration::from_millis(1);

pub(super) struct Deadline {
    grace: Duration,
    /// When the search has to end.
    pub(super) end: Option<Timestamp>,
    /// When to answer without it.
    latest: Option<Timestamp>,
    /// The last completed iteration.
    pub(super) last: Option<Iteration>,
}

impl Deadline {
    /// Of a search within a budget that may have completed an iteration already.
    pub(super) fn new(session: &Session, budget: &Budget, last: Option<Iteration>) -> Self {
        let grace = if session.settings.threads > 1 { GRACE_OF_THREADS } else { GRACE };
        Self { grace, end: budget.hard, latest: budget.latest, last }
    }

    /// A search that runs already gets another budget.
    pub(super) fn change(&mut self, budget: &Budget) {
        (self.end, self.latest) = (budget.hard, budget.latest);
    }

    /// When to answer without waiting any longer: soon after the end, or if there is no move yet, at the latest moment
    /// that there is. A search that does not get a CPU for so long must not lose the game on time.
    pub(super) fn at(&self) -> Option<Timestamp> {
        let end = self.end?.checked_add(self.grace)?;
        if self.last.is_some() { Some(end) } else { self.latest.map(|latest| latest.max(end)) }
    }

    /// The answer of a search that is late.
    pub(super) fn result(
        &self,
        session: &Session,
        position: Position,
        lines: usize,
        only: Bitboard,
    ) -> SearchResult {
        match self.last.clone() {
            Some(last) => SearchResult { last },
            None => session.static_choice(position, lines, only),
        }
    }
}
