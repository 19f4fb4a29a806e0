//! The control of one search: another thread stops it or changes its limits while it runs.

#[cfg(all(loom, test))]
mod loom;
mod node_counter;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::sync::{AtomicBool, AtomicU8, AtomicU64};
use crate::time_source::{TimeSource, Timestamp};

use super::limits::Budget;
use super::time_manager::Deadlines;
use node_counter::NodeCounter;

/// The search was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The limits of one search. Never reset and never reused, so that a stop cannot be lost.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    time: TimeSource,
    began: Timestamp,
    /// Nanoseconds from `began` to the present budget.
    since: AtomicU64,
    /// Nanoseconds from `began` to the planned end.
    soft: AtomicU64,
    /// Nanoseconds from `began` to the latest end.
    hard: AtomicU64,
    /// Nanoseconds from `began` to the end of the present iteration, if before `hard`.
    iteration_end: AtomicU64,
    depth: AtomicU8,
    /// The search's own limit, which no budget lifts.
    own_depth: AtomicU8,
    /// A limit while a clock runs.
    timed_depth: AtomicU8,
    /// Of the present iteration.
    iteration: AtomicU8,
    node_limit: AtomicU64,
    nodes: NodeCounter,
}

const NEVER: u64 = u64::MAX;

impl Control {
    /// Uses the system's clock.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        Self::with_time(budget, TimeSource::default())
    }

    #[must_use]
    pub fn with_time(budget: &Budget, time: TimeSource) -> Self {
        let control = Self {
            stop: AtomicBool::new(false),
            began: time.now(),
            time,
            since: AtomicU64::new(0),
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
            iteration_end: AtomicU64::new(NEVER),
            depth: AtomicU8::new(u8::MAX),
            own_depth: AtomicU8::new(u8::MAX),
            timed_depth: AtomicU8::new(u8::MAX),
            iteration: AtomicU8::new(0),
            node_limit: AtomicU64::new(NEVER),
            nodes: NodeCounter::new(),
        };
        control.set_budget(budget);
        // The first iteration will be judged.
        control.iteration_end.store(NEVER, Relaxed);
        control
    }

    /// Changes the limits of a running search: the opponent has made the move that it ponders on.
    pub fn set_budget(&self, budget: &Budget) {
        let offset = |at: Option<Timestamp>| {
            let nanos = at.map(|at| at.saturating_duration_since(self.began).as_nanos());
            nanos.and_then(|nanos| u64::try_from(nanos).ok()).unwrap_or(NEVER)
        };
        self.since.store(self.elapsed(), Relaxed);
        // An iteration that began as pondering was never judged: it gets the planned time.
        self.iteration_end.store(offset(budget.soft), Relaxed);
        self.soft.store(offset(budget.soft), Relaxed);
        self.hard.store(offset(budget.hard), Relaxed);
        self.depth.store(budget.depth.unwrap_or(u8::MAX), Relaxed);
        let nodes = budget.nodes.map_or(NEVER, |more| self.nodes().saturating_add(more));
        self.node_limit.store(nodes, Relaxed);
    }

    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether it was stopped, or has used up its budget.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Of all threads.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.total()
    }

    /// Adds a thread's nodes and checks all limits.
    ///
    /// # Errors
    /// If the search has to end.
    pub fn count_nodes(&self, thread: usize, nodes: u64) -> Result<(), Stopped> {
        self.nodes.add(thread, nodes);
        self.time.spend(nodes);
        if self.stop.load(Relaxed) {
            return Err(Stopped);
        }
        // A ponder search may be far deeper than the limit that it was just given.
        let too_deep = self.iteration.load(Relaxed) > self.max_depth();
        let end = self.hard.load(Relaxed).min(self.iteration_end.load(Relaxed));
        let too_late = end != NEVER && self.elapsed() >= end;
        let limit = self.node_limit.load(Relaxed);
        let too_many = limit != NEVER && self.nodes() >= limit;
        if too_deep || too_many || too_late {
            self.stop();
            return Err(Stopped);
        }
        Ok(())
    }

    pub(super) fn begin_iteration(&self, depth: u8) {
        self.iteration.store(depth, Relaxed);
    }

    /// Whether an iteration of this depth may begin.
    pub(super) fn allows(&self, depth: u8) -> bool {
        !self.is_stopped() && depth <= self.max_depth() && self.elapsed() < self.hard.load(Relaxed)
    }

    /// No iteration is deeper than this, whatever the budget. For the search itself, before it begins.
    pub(super) fn limit_depth(&self, depth: u8) {
        self.own_depth.store(depth, Relaxed);
    }

    /// No iteration is deeper than this while a clock runs. For the search itself, before it begins.
    pub(super) fn limit_timed_depth(&self, depth: u8) {
        self.timed_depth.store(depth, Relaxed);
    }

    /// None without a clock.
    pub(super) fn deadlines(&self) -> Option<Deadlines> {
        let [since, soft, hard] =
            [&self.since, &self.soft, &self.hard].map(|nanos| Duration::from_nanos(nanos.load(Relaxed)));
        self.is_timed().then_some(Deadlines { since, soft, hard })
    }

    /// Ends the next iteration when the search has taken this long.
    pub(super) fn end_iteration_at(&self, end: Duration) {
        self.iteration_end.store(u64::try_from(end.as_nanos()).unwrap_or(NEVER), Relaxed);
    }

    #[must_use]
    pub fn max_depth(&self) -> u8 {
        let depth = self.depth.load(Relaxed).min(self.own_depth.load(Relaxed));
        if self.is_timed() { depth.min(self.timed_depth.load(Relaxed)) } else { depth }
    }

    pub(super) fn is_timed(&self) -> bool {
        self.hard.load(Relaxed) != NEVER
    }

    /// Whether the same search would visit the same nodes again: limited by depth or nodes only.
    pub(super) fn is_reproducible(&self) -> bool {
        !self.is_timed() && (self.max_depth() < u8::MAX || self.node_limit.load(Relaxed) != NEVER)
    }

    /// From the start of the search; none without a clock.
    #[must_use]
    pub fn time_limit(&self) -> Option<Duration> {
        self.is_timed().then(|| Duration::from_nanos(self.hard.load(Relaxed)))
    }

    #[must_use]
    pub fn elapsed_time(&self) -> Duration {
        self.time.now().saturating_duration_since(self.began)
    }

    fn elapsed(&self) -> u64 {
        self.elapsed_time().as_nanos() as u64
    }
}

/// The owner's end of a running search: dropping it stops the search.
#[derive(Debug)]
pub struct SearchHandle(Arc<Control>);

impl SearchHandle {
    /// The owner's end, and the control that the search reads.
    #[must_use]
    pub fn new(budget: &Budget, time: TimeSource) -> (Self, Arc<Control>) {
        let control = Arc::new(Control::with_time(budget, time));
        (Self(Arc::clone(&control)), control)
    }
}

impl std::ops::Deref for SearchHandle {
    type Target = Control;
    fn deref(&self) -> &Control {
        &self.0
    }
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_before_the_start_is_not_lost() {
        let (handle, control) = SearchHandle::new(&Budget::UNLIMITED, TimeSource::default());
        assert!(control.allows(1));
        handle.stop();
        assert!(!control.allows(1));
        assert_eq!(control.count_nodes(0, 1), Err(Stopped));
    }

    #[test]
    fn dropping_the_handle_stops() {
        let (handle, control) = SearchHandle::new(&Budget::UNLIMITED, TimeSource::default());
        drop(handle);
        assert!(control.is_stopped());
    }

    #[test]
    fn nodes_count_from_when_the_limit_was_set() {
        let control = Control::new(&Budget::UNLIMITED);
        assert_eq!(control.count_nodes(0, 1000), Ok(()));
        control.set_budget(&Budget { nodes: Some(10), ..Budget::UNLIMITED });
        assert_eq!(control.count_nodes(0, 9), Ok(()));
        assert_eq!(control.count_nodes(0, 1), Err(Stopped));
    }

    #[test]
    fn a_depth_limit_ends_a_search_that_is_deeper_already() {
        let control = Control::new(&Budget::UNLIMITED);
        control.begin_iteration(12);
        assert_eq!(control.count_nodes(0, 1), Ok(()));
        control.set_budget(&Budget { depth: Some(4), ..Budget::UNLIMITED });
        assert_eq!(control.count_nodes(0, 1), Err(Stopped));
    }

    #[test]
    fn a_new_budget_lifts_the_end_set_for_an_iteration() {
        let control = Control::new(&Budget::UNLIMITED);
        control.end_iteration_at(Duration::ZERO);
        control.set_budget(&Budget::UNLIMITED);
        assert_eq!(control.count_nodes(0, 1), Ok(()));
        control.end_iteration_at(Duration::ZERO);
        assert_eq!(control.count_nodes(0, 1), Err(Stopped));
    }

    #[test]
    fn the_limits_of_the_search_itself_outlast_a_budget() {
        let control = Control::new(&Budget::UNLIMITED);
        control.limit_depth(9);
        control.limit_timed_depth(6);
        assert_eq!(control.max_depth(), 9);
        let hour = Timestamp::now().checked_add(Duration::from_secs(3600));
        control.set_budget(&Budget { soft: hour, hard: hour, ..Budget::UNLIMITED });
        assert_eq!(control.max_depth(), 6);
        control.set_budget(&Budget { depth: Some(4), ..Budget::UNLIMITED });
        assert_eq!(control.max_depth(), 4);
        control.set_budget(&Budget::UNLIMITED);
        assert_eq!(control.max_depth(), 9);
    }

    #[test]
    fn an_iteration_that_nobody_judged_has_the_planned_time() {
        let control = Control::new(&Budget::UNLIMITED);
        control.begin_iteration(12);
        let now = Timestamp::now();
        let hard = now.checked_add(Duration::from_secs(3600));
        control.set_budget(&Budget { soft: Some(now), hard, ..Budget::UNLIMITED });
        assert_eq!(control.count_nodes(0, 1), Err(Stopped));
    }

    #[test]
    fn the_soft_deadline_does_not_stop_a_search() {
        let now = Timestamp::now();
        let hard = now.checked_add(Duration::from_secs(3600));
        let control = Control::new(&Budget { soft: Some(now), hard, ..Budget::UNLIMITED });
        assert!(control.allows(1) && control.count_nodes(0, 1).is_ok());
        let deadlines = control.deadlines().expect("timed");
        assert!(deadlines.soft <= deadlines.since && deadlines.since < deadlines.hard);
    }

    #[test]
    fn a_past_deadline_ends_it() {
        let control = Control::new(&Budget { hard: Some(Timestamp::now()), ..Budget::UNLIMITED });
        assert_eq!(control.count_nodes(0, 1), Err(Stopped));
        assert!(control.is_stopped());
    }
}
