//! The reins of one search: told to stop, or when to stop, by another thread while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::limits::Budget;

/// The search was told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What one search may still do. Never reset and never used for a second search, so that a stop cannot be lost.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    began: Instant,
    /// Nanoseconds from `began`: no new iteration after this.
    soft: AtomicU64,
    /// Nanoseconds from `began`: stop at once.
    hard: AtomicU64,
    depth: AtomicU8,
    /// The depth of the iteration under way.
    iteration: AtomicU8,
    node_limit: AtomicU64,
    nodes: AtomicU64,
}

const NEVER: u64 = u64::MAX;

impl Control {
    /// The reins of a search with this budget.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        let control = Self {
            stop: AtomicBool::new(false),
            began: Instant::now(),
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
            depth: AtomicU8::new(u8::MAX),
            iteration: AtomicU8::new(0),
            node_limit: AtomicU64::new(NEVER),
            nodes: AtomicU64::new(0),
        };
        control.impose(budget);
        control
    }

    /// Gives a running search another budget: a search on the opponent's time has become one on ours.
    pub fn impose(&self, budget: &Budget) {
        let offset = |at: Option<Instant>| {
            let nanos = at.map(|at| at.saturating_duration_since(self.began).as_nanos());
            nanos.and_then(|nanos| u64::try_from(nanos).ok()).unwrap_or(NEVER)
        };
        self.soft.store(offset(budget.soft), Relaxed);
        self.hard.store(offset(budget.hard), Relaxed);
        self.depth.store(budget.depth.unwrap_or(u8::MAX), Relaxed);
        let nodes = budget.nodes.map_or(NEVER, |more| self.nodes.load(Relaxed).saturating_add(more));
        self.node_limit.store(nodes, Relaxed);
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the search was told to end, or has found that its budget is spent.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Positions visited so far, by all threads.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Accounts for visited positions and looks whether the search may go on.
    ///
    /// # Errors
    /// If it may not.
    pub fn spend(&self, nodes: u64) -> Result<(), Stopped> {
        let total = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        if self.stop.load(Relaxed) {
            return Err(Stopped);
        }
        // A search on the opponent's time may be far deeper than the limit it has just been given.
        let too_deep = self.iteration.load(Relaxed) > self.max_depth();
        if too_deep || total >= self.node_limit.load(Relaxed) || self.elapsed() >= self.hard.load(Relaxed) {
            self.stop();
            return Err(Stopped);
        }
        Ok(())
    }

    /// Tells of the iteration that the result will come from.
    pub(super) fn begin_iteration(&self, depth: u8) {
        self.iteration.store(depth, Relaxed);
    }

    /// Whether an iteration of this depth may begin.
    pub(super) fn allows(&self, depth: u8) -> bool {
        !self.is_stopped() && depth <= self.max_depth() && self.elapsed() < self.soft.load(Relaxed)
    }

    /// The deepest iteration allowed.
    #[must_use]
    pub fn max_depth(&self) -> u8 {
        self.depth.load(Relaxed)
    }

    /// Whether the clock bounds this search at present.
    pub(super) fn is_timed(&self) -> bool {
        self.hard.load(Relaxed) != NEVER
    }

    /// How long the search may take from its beginning, if the clock bounds it at present.
    #[must_use]
    pub fn time_limit(&self) -> Option<Duration> {
        self.is_timed().then(|| Duration::from_nanos(self.hard.load(Relaxed)))
    }

    /// How long the search has taken so far.
    #[must_use]
    pub fn elapsed_time(&self) -> Duration {
        self.began.elapsed()
    }

    fn elapsed(&self) -> u64 {
        self.began.elapsed().as_nanos() as u64
    }
}

/// The owner's end of a running search: dropping it stops the search.
#[derive(Debug)]
pub struct Reins(Arc<Control>);

impl Reins {
    /// Reins for a new search with this budget, and what the search itself looks at.
    #[must_use]
    pub fn new(budget: &Budget) -> (Self, Arc<Control>) {
        let control = Arc::new(Control::new(budget));
        (Self(Arc::clone(&control)), control)
    }
}

impl std::ops::Deref for Reins {
    type Target = Control;
    fn deref(&self) -> &Control {
        &self.0
    }
}

impl Drop for Reins {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_before_the_start_is_not_lost() {
        let (reins, control) = Reins::new(&Budget::UNLIMITED);
        assert!(control.allows(1));
        reins.stop();
        assert!(!control.allows(1));
        assert_eq!(control.spend(1), Err(Stopped));
    }

    #[test]
    fn dropping_the_reins_stops() {
        let (reins, control) = Reins::new(&Budget::UNLIMITED);
        drop(reins);
        assert!(control.is_stopped());
    }

    #[test]
    fn nodes_count_from_when_the_limit_was_set() {
        let control = Control::new(&Budget::UNLIMITED);
        assert_eq!(control.spend(1000), Ok(()));
        control.impose(&Budget { nodes: Some(10), ..Budget::UNLIMITED });
        assert_eq!(control.spend(9), Ok(()));
        assert_eq!(control.spend(1), Err(Stopped));
    }

    #[test]
    fn a_depth_limit_ends_a_search_that_is_deeper_already() {
        let control = Control::new(&Budget::UNLIMITED);
        control.begin_iteration(12);
        assert_eq!(control.spend(1), Ok(()));
        control.impose(&Budget { depth: Some(4), ..Budget::UNLIMITED });
        assert_eq!(control.spend(1), Err(Stopped));
    }

    #[test]
    fn a_past_deadline_ends_it() {
        let control = Control::new(&Budget { hard: Some(Instant::now()), ..Budget::UNLIMITED });
        assert_eq!(control.spend(1), Err(Stopped));
        assert!(control.is_stopped());
    }
}
