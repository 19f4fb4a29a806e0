//! The threads of one search, and the work that they share.
//!
//! Young brothers wait: once the first move of a position has been searched and has not cut_off it, the owner may open
//! the rest to threads that have nothing to do. Whoever takes part searches one move after another; the owner goes on
//! when all have left. An owner who waits for others helps only below its own position, so that it is free again as
//! soon as they are.

#[cfg(all(loom, test))]
mod loom;

use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;

use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, MutexGuard};

use super::best_so_far::BestSoFar;
use super::candidates::{Candidate, Candidates};

/// How many shared positions there can be one below the other.
const LEVELS: usize = 16;

/// The shared positions above a thread's work, outermost first.
pub(super) type Chain = ArrayVec<usize, LEVELS>;

/// What is asked of each move of an open position.
#[derive(Clone, Copy, Debug)]
pub(super) struct SplitJob {
    pub(super) depth: u8,
    pub(super) alpha: Score,
    pub(super) selectivity: Selectivity,
    pub(super) in_probcut: bool,
}

/// A position whose moves are shared.
struct Split {
    job: SplitJob,
    /// This position and those above it.
    chain: Chain,
    /// The moves that nobody has taken yet.
    moves: Candidates,
    found: BestSoFar,
    /// Threads at work here, the owner left out.
    helpers: usize,
}

struct Shared {
    splits: Box<[Option<Split>]>,
    /// Splits with moves left, oldest first.
    open: Vec<usize>,
}

/// The meeting point of the threads of one search.
pub(super) struct SplitPoints {
    shared: Mutex<Shared>,
    /// Something has changed that a waiting thread may want to know.
    changed: Condvar,
    /// Threads that wait for work.
    idle: AtomicUsize,
    /// By split: its position is cut_off, or was given up.
    cut_off: Box<[AtomicBool]>,
    /// The result is there, or the search was ended.
    done: AtomicBool,
}

impl SplitPoints {
    /// A splits of so many threads.
    pub(super) fn new(threads: usize) -> Self {
        // Alone there is nobody to share with.
        let slots = if threads > 1 { threads * LEVELS } else { 0 };
        let shared = Shared { splits: (0..slots).map(|_| None).collect(), open: Vec::with_capacity(slots) };
        Self {
            shared: Mutex::new(shared),
            changed: Condvar::new(),
            idle: AtomicUsize::new(0),
            cut_off: (0..slots).map(|_| AtomicBool::new(false)).collect(),
            done: AtomicBool::new(false),
        }
    }

    /// Whether some thread waits for work.
    #[inline]
    pub(super) fn has_idle_threads(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Whether work under these splits has become pointless.
    #[inline]
    pub(super) fn is_cancelled(&self, chain: &Chain) -> bool {
        self.done.load(Relaxed) || chain.iter().any(|&split| self.cut_off[split].load(Relaxed))
    }

    /// Sends everybody home.
    pub(super) fn shut_down(&self) {
        self.done.store(true, Relaxed);
        // Whoever is between looking at `done` and falling asleep holds the lock.
        drop(self.shared.lock());
        self.changed.notify_all();
    }

    /// Opens a position to the others. `chain` gets the new split.
    pub(super) fn open(
        &self,
        thread: usize,
        chain: &mut Chain,
        job: SplitJob,
        moves: Candidates,
        found: BestSoFar,
    ) -> usize {
        let mut shared = self.shared.lock();
        // Every split of a thread is below its last, so the length of its chain tells a free one.
        let split = thread * LEVELS + chain.len();
        chain.push(split);
        self.cut_off[split].store(false, Relaxed);
        shared.splits[split] = Some(Split { job, chain: chain.clone(), moves, found, helpers: 0 });
        shared.open.push(split);
        drop(shared);
        self.changed.notify_all();
        split
    }

    /// The next move to search of a split, if there is any use in one.
    pub(super) fn next_move(&self, split: usize) -> Option<Candidate> {
        let mut shared = self.shared.lock();
        let next = if self.cut_off[split].load(Relaxed) {
            None
        } else {
            shared.splits[split].as_mut().and_then(|split| split.moves.next())
        };
        if next.is_none() {
            shared.open.retain(|&open| open != split);
        }
        next
    }

    /// Tells what a move of a split has brought.
    pub(super) fn record(&self, split: usize, found: BestSoFar) {
        let mut shared = self.shared.lock();
        let Some(state) = shared.splits[split].as_mut() else { return };
        state.found = state.found.or(found, state.job.alpha);
        if found.score > state.job.alpha {
            self.cut_off[split].store(true, Relaxed);
        }
    }

    /// Waits for something to do below a chain and joins in; nothing once `until` holds or all is done.
    fn join<'a>(
        &'a self,
        mut shared: MutexGuard<'a, Shared>,
        below: Option<usize>,
        until: impl Fn(&Shared) -> bool,
    ) -> Option<(usize, SplitJob, Chain)> {
        loop {
            if self.done.load(Relaxed) && below.is_none() || until(&shared) {
                return None;
            }
            let suits = |&&split: &&usize| {
                let chain = shared.splits[split].as_ref().map(|split| &split.chain);
                below.is_none_or(|above| chain.is_some_and(|chain| chain.contains(&above)))
            };
            if let Some(&split) = shared.open.iter().find(suits)
                && let Some(state) = shared.splits[split].as_mut()
            {
                state.helpers += 1;
                return Some((split, state.job, state.chain.clone()));
            }
            self.idle.fetch_add(1, Relaxed);
            self.changed.wait(&mut shared);
            self.idle.fetch_sub(1, Relaxed);
        }
    }

    /// Waits for work from anybody; nothing once the search is done.
    pub(super) fn join_any(&self) -> Option<(usize, SplitJob, Chain)> {
        self.join(self.shared.lock(), None, |_| false)
    }

    /// Waits until all helpers have left a split, or for work below it.
    pub(super) fn join_below(&self, split: usize) -> Option<(usize, SplitJob, Chain)> {
        let no_helpers_left =
            |shared: &Shared| shared.splits[split].as_ref().is_none_or(|split| split.helpers == 0);
        self.join(self.shared.lock(), Some(split), no_helpers_left)
    }

    /// Leaves a split that one was a helper of.
    pub(super) fn leave(&self, split: usize) {
        let mut shared = self.shared.lock();
        if let Some(state) = shared.splits[split].as_mut() {
            state.helpers -= 1;
        }
        drop(shared);
        self.changed.notify_all();
    }

    /// Gives a split up: what is under way there has become pointless.
    pub(super) fn abandon(&self, split: usize) {
        self.cut_off[split].store(true, Relaxed);
        // Whoever joined after the owner has seen that nobody is left would work on what it opens in this place next.
        self.shared.lock().open.retain(|&open| open != split);
    }

    /// Closes a split that all helpers have left; the best that was found.
    pub(super) fn close(&self, split: usize) -> BestSoFar {
        let mut shared = self.shared.lock();
        shared.open.retain(|&open| open != split);
        let state = shared.splits[split].take();
        state.map_or_else(BestSoFar::nothing, |state| state.found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn nobody_joins_what_was_given_up() {
        let splits = SplitPoints::new(3);
        let open = |thread| {
            let job =
                SplitJob { depth: 1, alpha: Score::MAX, selectivity: Selectivity::Off, in_probcut: false };
            let moves = [Square::A1, Square::B1].into_iter().collect();
            splits.open(thread, &mut Chain::new(), job, moves, BestSoFar::nothing())
        };
        let (given_up, other) = (open(0), open(1));
        splits.abandon(given_up);
        assert_eq!(splits.join_any().map(|(split, ..)| split), Some(other));
    }
}
