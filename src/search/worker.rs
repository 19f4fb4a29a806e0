//! One search thread: what it looks at, and its count of visited positions.

#[cfg(all(loom, test))]
mod loom;

use std::thread;

use crate::board::{Bitboard, Board, Size};
use crate::eval::{Evaluator, PatternState};
use crate::rules::Rules;
use crate::selectivity::Selectivity;
use crate::tt::Table;

use super::Task;
use super::best_so_far::BestSoFar;
use super::control::{Control, Stopped};
use super::endgame::Cache;
use super::probcut::Models;
use super::split_points::{Chain, Job, SplitPoints};

/// What all threads of a search have in common.
#[derive(Clone, Copy)]
pub(super) struct SearchContext<'a> {
    pub(super) task: &'a Task,
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) splits: &'a SplitPoints,
    /// Whether the table may grow while it is searched.
    pub(super) grows: bool,
    /// Whether threads offer the processor to others: they take up all of them, and somebody may want to stop them.
    pub(super) yields_cpu: bool,
}

/// What a search thread has for itself, from one search to the next.
pub(super) struct ThreadState {
    pub(super) cache: Cache,
    pub(super) evaluator: Evaluator,
}

/// The state of one search thread. The search itself is in the sibling modules.
pub(super) struct Worker<'a> {
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) splits: &'a SplitPoints,
    /// Its number in the splits.
    pub(super) number: usize,
    /// The shared positions that it works under.
    pub(super) chain: Chain,
    pub(super) evaluator: &'a Evaluator,
    /// How far the selective search may trust it.
    pub(super) models: &'static Models,
    pub(super) rules: Rules,
    pub(super) size: Size,
    pub(super) area: Bitboard,
    pub(super) cache: &'a mut Cache,
    /// What the search may leave out.
    pub(super) selectivity: Selectivity,
    /// How certain the last value of a null window is: more than asked for where nothing was left out on the way to it.
    pub(super) result_selectivity: Selectivity,
    /// Whether this is a search that predicts another.
    pub(super) is_probe: bool,
    /// Whether to offer the processor to others now and then.
    yields_cpu: bool,
    /// Whether to make room in the table now and then: the business of one thread.
    grows: bool,
    /// Positions visited and not yet accounted for.
    unspent: u64,
    /// Looks at the control so far.
    looks: u32,
}

/// How many positions are visited between two looks at the control: some ten microseconds. A model has few positions.
const POLL_INTERVAL: u64 = if cfg!(loom) { 1 } else { 256 };

/// How many such looks there are between two yields_cpu of the processor to others: a tenth of a millisecond to one.
/// An offer that nobody takes costs a microsecond.
const OFFER_INTERVAL: u32 = 16;

/// How many such looks there are between two at how full the table is: some milliseconds. What a thread stores meanwhile
/// is far less than a chunk holds.
const ROOM_INTERVAL: u32 = 32;

impl<'a> Worker<'a> {
    pub(super) fn new(search: &SearchContext<'a>, state: &'a mut ThreadState, number: usize) -> Self {
        let &SearchContext { task, table, control, splits, grows, yields_cpu } = search;
        let ThreadState { cache, evaluator } = state;
        let size = task.position.size();
        Self {
            table,
            control,
            splits,
            number,
            chain: Chain::new(),
            evaluator,
            models: Models::of(evaluator),
            rules: task.rules,
            size,
            area: size.squares(),
            cache,
            selectivity: Selectivity::Off,
            result_selectivity: Selectivity::Off,
            is_probe: false,
            yields_cpu,
            grows: grows && number == 0,
            unspent: 0,
            looks: 0,
        }
    }

    /// Counts a position and looks now and then whether to go on.
    #[inline]
    pub(super) fn visit(&mut self) -> Result<(), Stopped> {
        self.unspent += 1;
        if self.unspent < POLL_INTERVAL { Ok(()) } else { self.poll() }
    }

    /// Counts positions that were visited where nobody looks whether to go on.
    #[inline]
    pub(super) fn count(&mut self, positions: u64) {
        self.unspent += positions;
    }

    /// Accounts for what was visited and looks whether to go on.
    #[cold]
    pub(super) fn poll(&mut self) -> Result<(), Stopped> {
        self.looks = self.looks.wrapping_add(1);
        if self.yields_cpu && self.looks.is_multiple_of(OFFER_INTERVAL) {
            // Else the thread that brings a stop may wait for the rest of our time slice: milliseconds.
            thread::yield_now();
        }
        if self.grows && self.looks.is_multiple_of(ROOM_INTERVAL) {
            self.table.grow_if_crowded(self.looks as usize);
        }
        let visited = std::mem::take(&mut self.unspent);
        self.control.spend(self.number, visited)?;
        if self.splits.is_called_off(&self.chain) { Err(Stopped) } else { Ok(()) }
    }

    /// The number of empty squares.
    #[inline]
    pub(super) fn empties(&self, board: Board) -> u8 {
        (self.area - board.discs()).len() as u8
    }

    /// Works for the others until the search is done.
    pub(super) fn assist(&mut self) {
        while let Some((split, job, chain)) = self.splits.join_any() {
            self.visit_split(split, job, chain);
        }
    }

    /// Searches moves of somebody's position until none is left.
    fn visit_split(&mut self, split: usize, job: Job, chain: Chain) {
        let _guest = Helper { splits: self.splits, split };
        let own = (std::mem::replace(&mut self.chain, chain), self.selectivity, self.is_probe);
        (self.selectivity, self.is_probe) = (job.selectivity, job.is_probe);
        // Stopped or not, what there is to tell has been told.
        let _ = self.work_on(split, job);
        (self.chain, self.selectivity, self.is_probe) = own;
    }

    /// Searches moves of a split until none is left.
    fn work_on(&mut self, split: usize, job: Job) -> Result<(), Stopped> {
        while let Some(candidate) = self.splits.take(split) {
            let score = -self.null_window(
                &PatternState::new(candidate.next),
                job.depth - 1,
                (-job.alpha).plus(-1),
            )?;
            self.splits.report(split, BestSoFar::by(candidate.square, score, self.result_selectivity));
        }
        Ok(())
    }

    /// Works on an own split until nobody is left there.
    pub(super) fn work_together(&mut self, split: usize, job: Job) {
        if self.work_on(split, job).is_err() {
            self.splits.abandon(split);
        }
        while let Some((below, job, chain)) = self.splits.join_below(split) {
            self.visit_split(below, job, chain);
        }
    }
}

/// Leaves a split when dropped, by a panic too: its owner does not wait for ever.
struct Helper<'a> {
    splits: &'a SplitPoints,
    split: usize,
}

impl Drop for Helper<'_> {
    fn drop(&mut self) {
        self.splits.leave(self.split);
    }
}
