//! The place of a thread in a common iteration.

use arrayvec::ArrayVec;

use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::tt::Entry;

use super::common_iteration::IterationId;

/// A node that the thread is searching.
#[derive(Clone, Copy)]
pub(super) struct OpenNode {
    pub(super) key: u64,
    pub(super) depth: u8,
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl OpenNode {
    pub(super) fn null_window(key: u64, depth: u8, alpha: Score) -> Self {
        Self { key, depth, alpha, beta: alpha.plus(1) }
    }

    /// The value that an entry of its key has for it, or a bound outside of its window.
    pub(super) fn decided_by(&self, entry: &Entry, selectivity: Selectivity) -> Option<Score> {
        entry.decides_window((self.alpha, self.beta), self.depth, selectivity)
    }
}

pub(super) struct SharedPath {
    pub(super) iteration: IterationId,
    /// Of what is shared.
    pub(super) least_depth: u8,
    /// Outermost first: at most two for each depth, the node and the search that checks it.
    nodes: ArrayVec<OpenNode, 128>,
    /// The level of a node whose result is in the table: the thread returns to it.
    returning_to: Option<usize>,
}

impl SharedPath {
    pub(super) fn new(iteration: IterationId, least_depth: u8) -> Self {
        Self { iteration, least_depth, nodes: ArrayVec::new(), returning_to: None }
    }

    /// The level of the node; none if there is no room.
    pub(super) fn enter(&mut self, node: OpenNode) -> Option<usize> {
        self.nodes.try_push(node).ok()?;
        Some(self.nodes.len() - 1)
    }

    /// Returns whether the node was given up, since its result is in the table.
    pub(super) fn leave(&mut self, level: usize) -> bool {
        self.nodes.truncate(level);
        self.returning_to.take_if(|returning_to| *returning_to == level).is_some()
    }

    /// Looks for the outermost node whose result is known. Returns whether there is one to return to.
    pub(super) fn return_to_first(&mut self, is_decided: impl Fn(&OpenNode) -> bool) -> bool {
        self.returning_to = self.nodes.iter().position(is_decided);
        self.returning_to.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_returns_to_the_outermost_node_that_is_decided() {
        let mut path = SharedPath::new(1, 5);
        let levels: Vec<_> =
            (0..4).map(|key| path.enter(OpenNode::null_window(key, 9, Score::default()))).collect();
        assert_eq!(levels, [Some(0), Some(1), Some(2), Some(3)]);
        assert!(!path.return_to_first(|_| false));
        assert!(path.return_to_first(|node| node.key >= 2));
        assert_eq!([3, 2, 1].map(|level| path.leave(level)), [false, true, false]);
    }
}
