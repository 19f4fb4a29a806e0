//! What search threads did for each other.

use std::ops::AddAssign;
use std::time::Duration;

/// Of one thread, over all searches since they were last taken.
#[derive(Clone, Debug, Default)]
pub struct ThreadStatistics {
    pub nodes: u64,
    /// Nodes below nodes whose search was given up, since another thread had the result. Some count more than once. What
    /// they left in the table may have helped the other thread.
    pub given_up: u64,
    /// Without work, spinning or asleep.
    pub waiting: Duration,
}

impl AddAssign<&Self> for ThreadStatistics {
    fn add_assign(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.given_up += other.given_up;
        self.waiting += other.waiting;
    }
}
