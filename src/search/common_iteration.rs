//! An iteration that all threads search at once.
//!
//! The selective tree of the midgame is narrow: with split points alone threads would wait most of the time. So each of
//! them searches the whole iteration, and they share the table. A move that another thread is searching is deferred
//! (ABDADA): by the time that the other moves are done its result is in the table, or there is something below it to
//! help with. The first thread at the end of the iteration ends it for all.

#[cfg(all(loom, test))]
mod loom;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use crate::board::Board;
use crate::eval::PatternState;
use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::sync::{AtomicU64, AtomicUsize, Mutex};

use super::candidates::Candidates;
use super::line::Moves;

/// What is searched: the root with a window.
#[derive(Clone)]
pub(super) struct SharedRoot {
    pub(super) state: PatternState,
    pub(super) moves: Candidates,
    pub(super) depth: u8,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) selectivity: Selectivity,
}

/// What the first thread has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RootResult {
    pub(super) score: Score,
    pub(super) line: Moves,
}

/// Tells iterations apart; odd.
pub(super) type IterationId = usize;

#[derive(Default)]
struct Shared {
    root: Option<Arc<SharedRoot>>,
    result: Option<RootResult>,
}

/// At most one at a time.
pub(super) struct CommonIteration {
    /// The id of the present one; even while there is none. Written under the lock, read without.
    id: AtomicUsize,
    shared: Mutex<Shared>,
    pub(super) in_progress: MovesInProgress,
}

impl CommonIteration {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            id: AtomicUsize::new(0),
            shared: Mutex::new(Shared::default()),
            in_progress: MovesInProgress::new(threads),
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.id.load(Relaxed) % 2 == 1
    }

    #[inline]
    pub(super) fn has_ended(&self, id: IterationId) -> bool {
        self.id.load(Relaxed) != id
    }

    pub(super) fn begin(&self, root: SharedRoot) -> IterationId {
        let mut shared = self.shared.lock();
        *shared = Shared { root: Some(Arc::new(root)), result: None };
        self.id.fetch_add(1, Relaxed) + 1
    }

    /// The present one.
    pub(super) fn get(&self) -> Option<(IterationId, Arc<SharedRoot>)> {
        let shared = self.shared.lock();
        let root = shared.root.as_ref().filter(|_| self.is_open())?;
        Some((self.id.load(Relaxed), Arc::clone(root)))
    }

    /// Ends an iteration with its result, unless it has ended already.
    pub(super) fn finish(&self, id: IterationId, result: RootResult) {
        let mut shared = self.shared.lock();
        if !self.has_ended(id) {
            shared.result = Some(result);
            self.id.store(id + 1, Relaxed);
        }
    }

    /// Ends an iteration. Returns the result of a thread that was faster.
    pub(super) fn end(&self, id: IterationId) -> Option<RootResult> {
        let mut shared = self.shared.lock();
        if !self.has_ended(id) {
            self.id.store(id + 1, Relaxed);
        }
        shared.result.take()
    }
}

/// The moves that threads are searching, by what comes after them. Hints only: one may overwrite another.
pub(super) struct MovesInProgress {
    slots: Box<[AtomicU64]>,
}

/// Many times the moves on the paths of all threads.
const SLOTS: usize = if cfg!(loom) { 1 } else { 1 << 14 };

/// A search that can be in progress: the board after a move, and the depth of the node before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark(u64);

impl Mark {
    pub(super) fn new(next: Board, depth: u8) -> Self {
        let key = next.hash() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Not zero, which stands for no move.
        Self(key | 1)
    }
}

impl MovesInProgress {
    fn new(threads: usize) -> Self {
        let slots = if threads > 1 { SLOTS } else { 0 };
        Self { slots: (0..slots).map(|_| AtomicU64::new(0)).collect() }
    }

    fn slot(&self, Mark(key): Mark) -> &AtomicU64 {
        &self.slots[(key >> 32) as usize % self.slots.len()]
    }

    pub(super) fn contains(&self, mark: Mark) -> bool {
        self.slot(mark).load(Relaxed) == mark.0
    }

    pub(super) fn insert(&self, mark: Mark) {
        self.slot(mark).store(mark.0, Relaxed);
    }

    pub(super) fn remove(&self, mark: Mark) {
        let slot = self.slot(mark);
        if slot.load(Relaxed) == mark.0 {
            slot.store(0, Relaxed);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::board::{Position, Size};

    fn root() -> SharedRoot {
        SharedRoot {
            state: PatternState::new(Position::start(Size::Eight).board()),
            moves: Candidates::default(),
            depth: 9,
            alpha: -Score::INFINITY,
            beta: Score::INFINITY,
            selectivity: Selectivity::P73,
        }
    }

    fn result(units: i32) -> RootResult {
        RootResult { score: Score::from_units(units), line: Moves::new() }
    }

    #[test]
    fn the_first_result_counts_and_ends_it_for_all() {
        let common = CommonIteration::new(2);
        let id = common.begin(root());
        assert_eq!(common.get().map(|(id, root)| (id, root.depth)), Some((id, 9)));
        common.finish(id, result(1));
        common.finish(id, result(2));
        assert!(common.has_ended(id) && common.get().is_none());
        assert_eq!(common.end(id), Some(result(1)));
    }

    #[test]
    fn a_late_result_does_not_end_the_next_one() {
        let common = CommonIteration::new(2);
        let first = common.begin(root());
        assert_eq!(common.end(first), None);
        let second = common.begin(root());
        common.finish(first, result(1));
        assert!(!common.has_ended(second));
        assert_eq!(common.end(second), None);
    }

    #[test]
    fn a_mark_belongs_to_a_board_and_a_depth() {
        let moves = MovesInProgress::new(2);
        let board = Position::start(Size::Eight).board();
        let [shallow, deep] = [8, 9].map(|depth| Mark::new(board, depth));
        moves.insert(deep);
        assert!(moves.contains(deep) && !moves.contains(shallow));
        moves.remove(shallow);
        assert!(moves.contains(deep));
        moves.remove(deep);
        assert!(!moves.contains(deep));
    }
}
