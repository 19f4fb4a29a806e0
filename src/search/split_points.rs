//! The split points of one search, its common iterations, and the threads that wait for either.
//!
//! Each thread opens its splits in slots of its own, and each slot has its own lock. Threads without work look for the
//! split with the greatest depth, for some microseconds again and again, then they sleep. An owner that waits for its
//! helpers helps only below its own split, so that it is free as soon as they are.

#[cfg(all(loom, test))]
mod loom;

use std::hint;
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

use arrayvec::ArrayVec;

use crate::board::Bitboard;
use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::sync::{AtomicBool, AtomicU8, AtomicUsize, Condvar, Mutex, fence};

use super::best_so_far::BestSoFar;
use super::candidates::{Candidate, Candidates};
use super::common_iteration::{CommonIteration, IterationId, SharedRoot};

/// The most split points above one node.
const LEVELS: usize = 16;

/// Looks for news before a thread sleeps: some tens of microseconds. A loom model sleeps at once.
const SPINS: u32 = if cfg!(loom) { 0 } else { 2000 };

/// No split.
const NONE: usize = usize::MAX;

/// The split points above a thread's node, outermost first.
pub(super) type Chain = ArrayVec<usize, LEVELS>;

/// What helpers need to search a move of a split.
#[derive(Clone, Copy, Debug)]
pub(super) struct SplitJob {
    pub(super) depth: u8,
    pub(super) alpha: Score,
    pub(super) selectivity: Selectivity,
    /// Whether late moves are searched shallower first.
    pub(super) reduces: bool,
}

/// What a thread without work of its own gets to do.
pub(super) enum Work {
    Split(Joined),
    Iteration(IterationId, Arc<SharedRoot>),
}

/// A split that a thread has joined.
pub(super) struct Joined {
    pub(super) split: usize,
    pub(super) job: SplitJob,
    /// This split and those above it.
    pub(super) chain: Chain,
}

struct Split {
    job: SplitJob,
    chain: Chain,
    /// Moves that no thread has taken yet, after those taken.
    moves: Candidates,
    found: BestSoFar,
    /// Moves that failed low.
    refuted: Bitboard,
    /// Whether others may join.
    is_open: bool,
}

/// One place for a split. What stands beside the lock is read without it.
///
/// Two cache lines apart: CPUs prefetch lines in pairs.
#[repr(align(128))]
struct Slot {
    split: Mutex<Option<Split>>,
    /// The split above.
    above: AtomicUsize,
    depth: AtomicU8,
    /// Threads at work here besides the owner.
    helpers: AtomicUsize,
    /// A move caused a cutoff, or the split was abandoned.
    cut_off: AtomicBool,
    /// The owner sleeps until its helpers have left.
    owner_sleeps: AtomicBool,
}

impl Slot {
    fn new() -> Self {
        Self {
            split: Mutex::new(None),
            above: AtomicUsize::new(NONE),
            depth: AtomicU8::new(0),
            helpers: AtomicUsize::new(0),
            cut_off: AtomicBool::new(false),
            owner_sleeps: AtomicBool::new(false),
        }
    }
}

/// The levels at which a thread has splits that others may join, a bit each.
#[repr(align(128))]
struct OpenLevels(AtomicUsize);

pub(super) struct SplitPoints {
    /// By thread and level.
    slots: Box<[Slot]>,
    open: Box<[OpenLevels]>,
    /// How many splits were opened: tells waiting threads that there is something new.
    opened: AtomicUsize,
    /// Threads that wait for work.
    idle: AtomicUsize,
    /// Those of them that sleep and would take any split.
    sleeping: AtomicUsize,
    /// Held to fall asleep and to wake others.
    bed: Mutex<()>,
    /// A split was opened, a common iteration begun, or the search has ended.
    work: Condvar,
    /// The same for owners, or a last helper has left.
    progress: Condvar,
    /// The search has ended.
    done: AtomicBool,
    spins: u32,
    pub(super) common: CommonIteration,
}

impl SplitPoints {
    /// Threads that have a CPU each spin before they sleep.
    pub(super) fn new(threads: usize, processors: usize) -> Self {
        // A single thread never splits.
        let threads = if threads > 1 { threads } else { 0 };
        Self {
            slots: (0..threads * LEVELS).map(|_| Slot::new()).collect(),
            open: (0..threads).map(|_| OpenLevels(AtomicUsize::new(0))).collect(),
            opened: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            sleeping: AtomicUsize::new(0),
            bed: Mutex::new(()),
            work: Condvar::new(),
            progress: Condvar::new(),
            done: AtomicBool::new(false),
            spins: if threads <= processors { SPINS } else { 0 },
            common: CommonIteration::new(threads),
        }
    }

    /// Whether there are threads to share work with.
    pub(super) fn has_helpers(&self) -> bool {
        !self.open.is_empty()
    }

    #[inline]
    pub(super) fn has_idle_threads(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Whether a split above this node has been cut off, or the search has ended.
    #[inline]
    pub(super) fn is_cancelled(&self, chain: &Chain) -> bool {
        self.done.load(Relaxed) || chain.iter().any(|&split| self.slots[split].cut_off.load(Relaxed))
    }

    /// Ends the search for all helpers.
    pub(super) fn shut_down(&self) {
        self.done.store(true, Relaxed);
        // A thread between reading `done` and sleeping holds the lock.
        drop(self.bed.lock());
        self.work.notify_all();
        self.progress.notify_all();
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
        // Each split of a thread lies below its previous one, so the chain's length names a free slot.
        let level = chain.len();
        let split = thread * LEVELS + level;
        let slot = &self.slots[split];
        slot.cut_off.store(false, Relaxed);
        slot.above.store(chain.last().copied().unwrap_or(NONE), Relaxed);
        slot.depth.store(job.depth, Relaxed);
        chain.push(split);
        let refuted = Bitboard::EMPTY;
        let split_here = Split { job, chain: chain.clone(), moves, found, refuted, is_open: true };
        let mut state = slot.split.lock();
        *state = Some(split_here);
        // Under the lock: a thread that still looks here for an earlier split may join and close this one.
        self.open[thread].0.fetch_or(1 << level, Release);
        drop(state);
        self.opened.fetch_add(1, Release);
        // Either a thread that falls asleep sees the new number, or it is seen asleep here.
        fence(SeqCst);
        self.wake_helper();
        if chain.iter().any(|&above| self.slots[above].owner_sleeps.load(Relaxed)) {
            self.wake_owners();
        }
        split
    }

    /// The next move to search; none after a cutoff.
    pub(super) fn next_move(&self, split: usize) -> Option<Candidate> {
        let slot = &self.slots[split];
        let mut state = slot.split.lock();
        let state = state.as_mut()?;
        let next = if slot.cut_off.load(Relaxed) { None } else { state.moves.next() };
        if next.is_none() || state.moves.left() == 0 {
            self.close_to_others(split, state);
        }
        next
    }

    /// Needs the lock of the split's slot.
    fn close_to_others(&self, split: usize, state: &mut Split) {
        if std::mem::take(&mut state.is_open) {
            self.open[split / LEVELS].0.fetch_and(!(1 << (split % LEVELS)), Relaxed);
        }
    }

    /// Records the result of one move.
    pub(super) fn record(&self, split: usize, found: BestSoFar) {
        let slot = &self.slots[split];
        let mut state = slot.split.lock();
        let Some(state) = state.as_mut() else { return };
        state.found = state.found.or(found, state.job.alpha);
        if found.score > state.job.alpha {
            slot.cut_off.store(true, Relaxed);
        } else if let Some(square) = found.best {
            state.refuted |= square.into();
        }
    }

    /// Begins an iteration for all threads.
    pub(super) fn begin_common(&self, root: SharedRoot) -> IterationId {
        let id = self.common.begin(root);
        // A thread between looking for it and sleeping holds the lock.
        drop(self.bed.lock());
        self.work.notify_all();
        id
    }

    /// Waits for a common iteration or any open split; none once the search has ended.
    pub(super) fn next_work(&self) -> Option<Work> {
        loop {
            if self.done.load(Relaxed) {
                return None;
            }
            if let Some((id, root)) = self.common.get() {
                return Some(Work::Iteration(id, root));
            }
            if let Some(joined) = self.join(None) {
                return Some(Work::Split(joined));
            }
        }
    }

    /// Waits for an open split below an own one; none once the own one has no helpers left.
    pub(super) fn join_below(&self, split: usize) -> Option<Joined> {
        self.join(Some(split))
    }

    fn join(&self, below: Option<usize>) -> Option<Joined> {
        if self.is_over(below) {
            return None;
        }
        self.join_now(below).or_else(|| {
            self.idle.fetch_add(1, Relaxed);
            let joined = self.join_later(below);
            self.idle.fetch_sub(1, Relaxed);
            joined
        })
    }

    fn join_later(&self, below: Option<usize>) -> Option<Joined> {
        loop {
            let seen = self.opened.load(Acquire);
            if self.is_over(below) {
                return None;
            }
            if let Some(joined) = self.join_now(below) {
                return Some(joined);
            }
            self.wait(below, seen);
        }
    }

    /// Whether a thread has no split to wait for: the helpers of its own one have left; or the search has ended, or
    /// there is a common iteration.
    fn is_over(&self, own: Option<usize>) -> bool {
        match own {
            Some(split) => self.slots[split].helpers.load(Acquire) == 0,
            None => self.done.load(Relaxed) || self.common.is_open(),
        }
    }

    /// Joins the open split with the greatest depth, if there is one.
    fn join_now(&self, below: Option<usize>) -> Option<Joined> {
        loop {
            let split = self.deepest_open(below)?;
            let slot = &self.slots[split];
            let mut state = slot.split.lock();
            let suits =
                |state: &&mut Split| state.is_open && below.is_none_or(|above| state.chain.contains(&above));
            // It may have been closed meanwhile, or another one opened in its place.
            if let Some(&mut Split { job, ref chain, ref moves, .. }) = state.as_mut().filter(suits) {
                slot.helpers.fetch_add(1, Relaxed);
                let joined = Joined { split, job, chain: chain.clone() };
                let has_more = moves.left() > 1;
                drop(state);
                if has_more {
                    self.wake_helper();
                }
                return Some(joined);
            }
        }
    }

    /// Looks without locks: the answer may be out of date.
    fn deepest_open(&self, below: Option<usize>) -> Option<usize> {
        let suits = |split: &usize| below.is_none_or(|above| self.is_below(*split, above));
        let of_thread = |(thread, open): (usize, &OpenLevels)| {
            let open = open.0.load(Acquire);
            // Outer splits are deeper.
            (0..LEVELS)
                .filter(|level| open & 1 << level != 0)
                .map(|level| thread * LEVELS + level)
                .find(suits)
        };
        let splits = self.open.iter().enumerate().filter_map(of_thread);
        splits.max_by_key(|&split| self.slots[split].depth.load(Relaxed))
    }

    fn is_below(&self, split: usize, above: usize) -> bool {
        let next = |&split: &usize| self.slots.get(split).map(|slot| slot.above.load(Relaxed));
        std::iter::successors(Some(split), next).take(LEVELS + 1).any(|split| split == above)
    }

    /// Returns when more splits than `seen` were opened, or there is nothing left to wait for.
    fn wait(&self, below: Option<usize>, seen: usize) {
        let is_news = || self.opened.load(Acquire) != seen || self.is_over(below);
        for _ in 0..self.spins {
            if is_news() {
                return;
            }
            hint::spin_loop();
        }
        let mut bed = self.bed.lock();
        match below {
            Some(split) => {
                let sleeps = &self.slots[split].owner_sleeps;
                sleeps.store(true, Relaxed);
                fence(SeqCst);
                while !is_news() {
                    self.progress.wait(&mut bed);
                }
                sleeps.store(false, Relaxed);
            }
            None => {
                self.sleeping.fetch_add(1, Relaxed);
                fence(SeqCst);
                while !is_news() {
                    self.work.wait(&mut bed);
                }
                self.sleeping.fetch_sub(1, Relaxed);
            }
        }
    }

    fn wake_helper(&self) {
        if self.sleeping.load(Relaxed) > 0 {
            drop(self.bed.lock());
            self.work.notify_one();
        }
    }

    fn wake_owners(&self) {
        drop(self.bed.lock());
        self.progress.notify_all();
    }

    pub(super) fn leave(&self, split: usize) {
        let slot = &self.slots[split];
        if slot.helpers.fetch_sub(1, AcqRel) == 1 {
            fence(SeqCst);
            if slot.owner_sleeps.load(Relaxed) {
                self.wake_owners();
            }
        }
    }

    /// Cancels a split: its node was stopped.
    pub(super) fn abandon(&self, split: usize) {
        let slot = &self.slots[split];
        slot.cut_off.store(true, Relaxed);
        // A thread that joined after the owner saw no helpers would work on whatever the owner opens in this slot
        // next.
        if let Some(state) = slot.split.lock().as_mut() {
            self.close_to_others(split, state);
        }
    }

    /// Closes a split without helpers. Returns its result, and the moves that did not fail low.
    pub(super) fn close(&self, split: usize) -> (BestSoFar, Candidates) {
        match self.slots[split].split.lock().take() {
            Some(Split { found, moves, refuted, .. }) => (found, moves.without(refuted)),
            None => (BestSoFar::nothing(), Candidates::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    const JOB: SplitJob =
        SplitJob { depth: 1, alpha: Score::MAX, selectivity: Selectivity::Off, reduces: false };

    fn open(splits: &SplitPoints, thread: usize, chain: &mut Chain, depth: u8) -> usize {
        let moves = [Square::A1, Square::B1].into_iter().collect();
        splits.open(thread, chain, SplitJob { depth, ..JOB }, moves, BestSoFar::nothing())
    }

    #[test]
    fn an_abandoned_split_gets_no_helpers() {
        let splits = SplitPoints::new(3, 3);
        let (given_up, other) =
            (open(&splits, 0, &mut Chain::new(), 1), open(&splits, 1, &mut Chain::new(), 1));
        splits.abandon(given_up);
        assert_eq!(splits.join(None).map(|joined| joined.split), Some(other));
    }

    #[test]
    fn the_deepest_split_is_joined_first() {
        let splits = SplitPoints::new(3, 3);
        let mut chain = Chain::new();
        let outer = open(&splits, 0, &mut chain, 9);
        let inner = open(&splits, 0, &mut chain, 8);
        let other = open(&splits, 1, &mut Chain::new(), 10);
        let next = || splits.join_now(None).map(|joined| joined.split);
        assert_eq!(next(), Some(other));
        splits.abandon(other);
        assert_eq!(next(), Some(outer));
        assert_eq!(splits.join_now(Some(inner)).map(|joined| joined.split), Some(inner));
        splits.abandon(outer);
        splits.abandon(inner);
        assert_eq!(next(), None);
    }

    #[test]
    fn moves_that_failed_low_are_done() {
        let splits = SplitPoints::new(2, 2);
        let split = open(&splits, 0, &mut Chain::new(), 1);
        let first = splits.next_move(split).expect("two moves").square;
        splits.record(split, BestSoFar::by(first, Score::default(), Selectivity::Off));
        splits.abandon(split);
        let (found, rest) = splits.close(split);
        assert_eq!(found.best, Some(first));
        assert_eq!((rest.left(), rest.as_slice()[0].square == first), (1, false));
    }
}
