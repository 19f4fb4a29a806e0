//! The split points of one search and the threads that wait for them.
//!
//! An owner that waits for its helpers helps only below its own split, so that it is free as soon as they are.

#[cfg(all(loom, test))]
mod loom;

use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;

use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, MutexGuard};

use super::best_so_far::BestSoFar;
use super::candidates::{Candidate, Candidates};

/// The most split points above one node.
const LEVELS: usize = 16;

/// The split points above a thread's node, outermost first.
pub(super) type Chain = ArrayVec<usize, LEVELS>;

/// What helpers need to search a move of a split.
#[derive(Clone, Copy, Debug)]
pub(super) struct SplitJob {
    pub(super) depth: u8,
    pub(super) alpha: Score,
    pub(super) selectivity: Selectivity,
}

struct Split {
    job: SplitJob,
    /// This split and those above it.
    chain: Chain,
    /// Moves that no thread has taken yet.
    moves: Candidates,
    found: BestSoFar,
    /// Threads at work here besides the owner.
    helpers: usize,
}

struct Shared {
    splits: Box<[Option<Split>]>,
    /// Splits with moves left, oldest first.
    open: Vec<usize>,
}

pub(super) struct SplitPoints {
    shared: Mutex<Shared>,
    /// Wakes waiting threads: a split was opened, a helper left, or the search has ended.
    changed: Condvar,
    /// Threads that wait for work.
    idle: AtomicUsize,
    /// By split: a move caused a cutoff, or the split was abandoned.
    cut_off: Box<[AtomicBool]>,
    /// The search has ended.
    done: AtomicBool,
}

impl SplitPoints {
    pub(super) fn new(threads: usize) -> Self {
        // A single thread never splits.
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

    #[inline]
    pub(super) fn has_idle_threads(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Whether a split above this node has been cut off, or the search has ended.
    #[inline]
    pub(super) fn is_cancelled(&self, chain: &Chain) -> bool {
        self.done.load(Relaxed) || chain.iter().any(|&split| self.cut_off[split].load(Relaxed))
    }

    /// Ends the search for all helpers.
    pub(super) fn shut_down(&self) {
        self.done.store(true, Relaxed);
        // A thread between reading `done` and waiting holds the lock.
        drop(self.shared.lock());
        self.changed.notify_all();
    }

    /// Opens a split and appends it to `chain`.
    pub(super) fn open(
        &self,
        thread: usize,
        chain: &mut Chain,
        job: SplitJob,
        moves: Candidates,
        found: BestSoFar,
    ) -> usize {
        let mut shared = self.shared.lock();
        // Each split of a thread lies below its previous one, so the chain's length names a free slot.
        let split = thread * LEVELS + chain.len();
        chain.push(split);
        self.cut_off[split].store(false, Relaxed);
        shared.splits[split] = Some(Split { job, chain: chain.clone(), moves, found, helpers: 0 });
        shared.open.push(split);
        drop(shared);
        self.changed.notify_all();
        split
    }

    /// The next move to search; none after a cutoff.
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

    /// Records the result of one move.
    pub(super) fn record(&self, split: usize, found: BestSoFar) {
        let mut shared = self.shared.lock();
        let Some(state) = shared.splits[split].as_mut() else { return };
        state.found = state.found.or(found, state.job.alpha);
        if found.score > state.job.alpha {
            self.cut_off[split].store(true, Relaxed);
        }
    }

    /// Waits for an open split, below a given one if so asked, and joins it. Returns none once `until` holds or the
    /// search has ended.
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

    /// Waits for any open split; none once the search has ended.
    pub(super) fn join_any(&self) -> Option<(usize, SplitJob, Chain)> {
        self.join(self.shared.lock(), None, |_| false)
    }

    /// Waits for an open split below an own one; none once the own one has no helpers left.
    pub(super) fn join_below(&self, split: usize) -> Option<(usize, SplitJob, Chain)> {
        let no_helpers_left =
            |shared: &Shared| shared.splits[split].as_ref().is_none_or(|split| split.helpers == 0);
        self.join(self.shared.lock(), Some(split), no_helpers_left)
    }

    pub(super) fn leave(&self, split: usize) {
        let mut shared = self.shared.lock();
        if let Some(state) = shared.splits[split].as_mut() {
            state.helpers -= 1;
        }
        drop(shared);
        self.changed.notify_all();
    }

    /// Cancels a split: its node was stopped.
    pub(super) fn abandon(&self, split: usize) {
        self.cut_off[split].store(true, Relaxed);
        // A thread that joined after the owner saw no helpers would work on whatever the owner opens in this slot
        // next.
        self.shared.lock().open.retain(|&open| open != split);
    }

    /// Closes a split without helpers and returns its result.
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
    fn an_abandoned_split_gets_no_helpers() {
        let splits = SplitPoints::new(3);
        let open = |thread| {
            let job = SplitJob { depth: 1, alpha: Score::MAX, selectivity: Selectivity::Off };
            let moves = [Square::A1, Square::B1].into_iter().collect();
            splits.open(thread, &mut Chain::new(), job, moves, BestSoFar::nothing())
        };
        let (given_up, other) = (open(0), open(1));
        splits.abandon(given_up);
        assert_eq!(splits.join_any().map(|(split, ..)| split), Some(other));
    }
}
