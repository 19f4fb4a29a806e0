//! An iteration that all threads search at once.
//!
//! Each thread searches the whole iteration, and they share the table. A move that another thread is searching is
//! deferred (ABDADA): by the time that the other moves are done its result is in the table, or there is something below
//! it to help with. No thread waits for another one; the first at the end of the iteration ends it for all.
//!
//! A selective tree has work for few threads only, so that some are ahead of the others: they search what comes after
//! the iteration, and leave in the table what the others will need next.

#[cfg(all(loom, test))]
mod loom;

use std::hint;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use crate::board::Board;
use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Condvar, Mutex};

use super::root_moves::RootMoves;

/// One iteration of the deepening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) depth: u8,
    pub(super) selectivity: Selectivity,
}

/// What is searched: the root moves with a window.
pub(super) struct SharedWindow {
    pub(super) moves: RootMoves,
    pub(super) round: Round,
    /// Whether it reaches the end of the game.
    pub(super) to_the_end: bool,
    /// How deep threads may search that are ahead.
    pub(super) deepest: u8,
    /// Of the iteration after one to the end of the game.
    pub(super) next_selectivity: Selectivity,
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

/// How many plies the threads are ahead, in turn. In the reversed middle game 16 threads need a sixth fewer nodes each
/// that way than with all of them at one depth.
const LEADS: [u8; 3] = [0, 1, 2];

/// The most threads in a selective iteration to the end of the game: more would search more nodes in the same time. The
/// others begin the next one.
const SELECTIVE_THREADS: usize = 8;

impl SharedWindow {
    /// What a thread searches with this window: the iteration, or what comes after it.
    pub(super) fn round_of(&self, thread_id: usize) -> Round {
        let Round { depth, selectivity } = self.round;
        if self.to_the_end {
            let is_ahead = thread_id >= SELECTIVE_THREADS;
            return Round { depth, selectivity: if is_ahead { self.next_selectivity } else { selectivity } };
        }
        let deeper = depth + LEADS[thread_id % LEADS.len()];
        Round { depth: deeper.min(self.deepest), selectivity }
    }

    /// Whether a thread that is ahead has a result for all. One outside of the window may lie inside in this iteration.
    pub(super) fn accepts(&self, moves: &RootMoves) -> bool {
        moves.list.first().is_some_and(|best| self.alpha < best.line.score && best.line.score < self.beta)
    }
}

/// Tells iterations apart; odd.
pub(super) type IterationId = usize;

#[derive(Default)]
struct Shared {
    window: Option<Arc<SharedWindow>>,
    /// The moves as the first thread has left them.
    result: Option<RootMoves>,
}

/// Looks for an iteration before a thread sleeps: some tens of microseconds. A loom model sleeps at once.
const SPINS: u32 = if cfg!(loom) { 0 } else { 2000 };

/// At most one at a time.
pub(super) struct CommonIteration {
    /// The id of the present one; even while there is none. Written under the lock, read without.
    id: AtomicUsize,
    /// The search has ended. Written under the lock, too.
    done: AtomicBool,
    shared: Mutex<Shared>,
    /// One was begun, or the search has ended.
    news: Condvar,
    spins: u32,
    threads: usize,
    pub(super) in_progress: SearchesInProgress,
}

impl CommonIteration {
    /// Threads that have a CPU each spin before they sleep.
    pub(super) fn new(threads: usize, processors: usize) -> Self {
        Self {
            id: AtomicUsize::new(0),
            done: AtomicBool::new(false),
            shared: Mutex::new(Shared::default()),
            news: Condvar::new(),
            spins: if threads <= processors { SPINS } else { 0 },
            threads,
            in_progress: SearchesInProgress::new(threads),
        }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    fn is_open(&self) -> bool {
        self.id.load(Relaxed) % 2 == 1
    }

    #[inline]
    pub(super) fn has_ended(&self, id: IterationId) -> bool {
        self.id.load(Relaxed) != id
    }

    pub(super) fn begin(&self, window: SharedWindow) -> IterationId {
        let mut shared = self.shared.lock();
        *shared = Shared { window: Some(Arc::new(window)), result: None };
        let id = self.id.load(Relaxed) + 1;
        self.id.store(id, Relaxed);
        drop(shared);
        self.news.notify_all();
        id
    }

    /// Waits for another iteration than the last one that the thread took part in; none once the search has ended.
    pub(super) fn wait(&self, last: Option<IterationId>) -> Option<(IterationId, Arc<SharedWindow>)> {
        let is_news = || self.is_open() && Some(self.id.load(Relaxed)) != last || self.done.load(Relaxed);
        for _ in 0..self.spins {
            if is_news() {
                break;
            }
            hint::spin_loop();
        }
        let mut shared = self.shared.lock();
        while !is_news() {
            self.news.wait(&mut shared);
        }
        let window = shared.window.as_ref().filter(|_| !self.done.load(Relaxed))?;
        Some((self.id.load(Relaxed), Arc::clone(window)))
    }

    /// Ends an iteration with its result, unless it has ended already.
    pub(super) fn finish(&self, id: IterationId, result: RootMoves) {
        let mut shared = self.shared.lock();
        if !self.has_ended(id) {
            shared.result = Some(result);
            self.id.store(id + 1, Relaxed);
        }
    }

    /// Ends an iteration. Returns the result of a thread that was faster.
    pub(super) fn end(&self, id: IterationId) -> Option<RootMoves> {
        let mut shared = self.shared.lock();
        if !self.has_ended(id) {
            self.id.store(id + 1, Relaxed);
        }
        shared.result.take()
    }

    /// Ends the search for all helpers.
    pub(super) fn shut_down(&self) {
        let shared = self.shared.lock();
        self.done.store(true, Relaxed);
        // After a panic there may be an open one.
        let id = self.id.load(Relaxed);
        self.id.store(id + id % 2, Relaxed);
        drop(shared);
        self.news.notify_all();
    }
}

/// The moves that threads are searching, by what comes after them, and the nodes that they check for a selective cut.
/// Hints only: one may overwrite another.
pub(super) struct SearchesInProgress {
    slots: Box<[AtomicU64]>,
}

/// Many times the moves on the paths of all threads.
const SLOTS: usize = if cfg!(loom) { 1 } else { 1 << 14 };

/// A search that can be in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark(u64);

impl Mark {
    /// A move of a node of that depth, by the board after it.
    pub(super) fn of_move(next: Board, depth: u8) -> Self {
        Self::new(next, depth)
    }

    /// The check of a node of that depth.
    pub(super) fn of_check(board: Board, depth: u8) -> Self {
        const CHECK: u8 = 1 << 7;
        Self::new(board, CHECK | depth)
    }

    fn new(board: Board, what: u8) -> Self {
        let key = board.hash() ^ u64::from(what).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Not zero, which stands for no search.
        Self(key | 1)
    }
}

impl SearchesInProgress {
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

#[cfg(test)]
pub(super) fn window_of_depth(depth: u8) -> SharedWindow {
    let (alpha, beta) = (-Score::INFINITY, Score::INFINITY);
    let round = Round { depth, selectivity: Selectivity::P73 };
    let (to_the_end, next_selectivity) = (depth == 60, Selectivity::P95);
    SharedWindow {
        moves: RootMoves::default(),
        round,
        to_the_end,
        deepest: 54,
        next_selectivity,
        alpha,
        beta,
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::board::{Position, Size};

    #[test]
    fn the_first_result_counts_and_ends_it_for_all() {
        let common = CommonIteration::new(2, 2);
        let id = common.begin(window_of_depth(9));
        assert_eq!(common.wait(None).map(|(id, window)| (id, window.round.depth)), Some((id, 9)));
        common.finish(id, RootMoves::with_lines(1));
        common.finish(id, RootMoves::with_lines(2));
        assert!(common.has_ended(id) && !common.is_open());
        assert_eq!(common.end(id).map(|moves| moves.lines()), Some(1));
    }

    #[test]
    fn some_threads_are_ahead() {
        let depths = |depth| [0, 1, 2, 3].map(|thread| window_of_depth(depth).round_of(thread).depth);
        assert_eq!(depths(20), [20, 21, 22, 20]);
        assert_eq!(depths(53), [53, 54, 54, 53]);
        assert_eq!(depths(54), [54; 4]);
        let to_the_end = window_of_depth(60);
        let [last, first_ahead] =
            [SELECTIVE_THREADS - 1, SELECTIVE_THREADS].map(|id| to_the_end.round_of(id));
        assert_eq!(last, to_the_end.round);
        assert_eq!(first_ahead, Round { selectivity: Selectivity::P95, ..last });
    }

    #[test]
    fn a_late_result_does_not_end_the_next_one() {
        let common = CommonIteration::new(2, 2);
        let first = common.begin(window_of_depth(8));
        assert!(common.end(first).is_none());
        let second = common.begin(window_of_depth(9));
        common.finish(first, RootMoves::default());
        assert!(!common.has_ended(second));
        assert!(common.end(second).is_none());
    }

    #[test]
    fn the_end_of_the_search_ends_an_open_one() {
        let common = CommonIteration::new(2, 2);
        let id = common.begin(window_of_depth(8));
        common.shut_down();
        assert!(common.has_ended(id) && common.wait(Some(id)).is_none());
    }

    #[test]
    fn a_mark_belongs_to_a_board_a_depth_and_a_kind() {
        let searches = SearchesInProgress::new(2);
        let board = Position::start(Size::Eight).board();
        let [shallow, deep] = [8, 9].map(|depth| Mark::of_move(board, depth));
        searches.insert(deep);
        assert!(searches.contains(deep) && !searches.contains(shallow));
        assert!(!searches.contains(Mark::of_check(board, 9)));
        searches.remove(shallow);
        assert!(searches.contains(deep));
        searches.remove(deep);
        assert!(!searches.contains(deep));
    }
}
