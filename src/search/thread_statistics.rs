//! What search threads did for each other.

use std::ops::AddAssign;
use std::time::Duration;

/// Counts by depth of a split: at most all squares of a board.
pub type ByDepth = [u64; 65];

/// Of one thread, over all searches since they were last taken.
#[derive(Clone, Debug)]
pub struct ThreadStatistics {
    pub nodes: u64,
    /// Nodes of moves whose search was cut short, since another thread had found a cutoff.
    pub wasted: u64,
    /// Without work, spinning or asleep.
    pub waiting: Duration,
    /// Splits opened.
    pub opened: ByDepth,
    /// Splits of others joined.
    pub joined: ByDepth,
}

impl Default for ThreadStatistics {
    fn default() -> Self {
        Self { nodes: 0, wasted: 0, waiting: Duration::ZERO, opened: [0; 65], joined: [0; 65] }
    }
}

impl AddAssign<&Self> for ThreadStatistics {
    fn add_assign(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.wasted += other.wasted;
        self.waiting += other.waiting;
        for (mine, others) in [(&mut self.opened, &other.opened), (&mut self.joined, &other.joined)] {
            mine.iter_mut().zip(others).for_each(|(mine, others)| *mine += others);
        }
    }
}
