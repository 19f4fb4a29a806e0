//! One search thread: what it polls at, and its count of visited positions.

#[cfg(all(loom, test))]
mod loom;

use std::thread;

use crate::board::{Bitboard, Board, Size};
use crate::eval::Evaluator;
use crate::rules::Rules;
use crate::selectivity::Selectivity;
use crate::tt::Table;

use super::Task;
use super::control::{Control, Stopped};
use super::endgame_cache::EndgameCache;
use super::error_models::ErrorModels;
use super::split_points::{Chain, SplitPoints};

/// What all threads of a search have in common.
#[derive(Clone, Copy)]
pub(super) struct SearchContext<'a> {
    pub(super) task: &'a Task,
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) splits: &'a SplitPoints,
    /// Whether the table may grow while it is searched.
    pub(super) grows_table: bool,
    /// Whether threads offer the processor to others: they take up all of them, and somebody may want to stop them.
    pub(super) yields_cpu: bool,
}

/// What a search thread has for itself, from one search to the next.
pub(super) struct ThreadState {
    pub(super) cache: EndgameCache,
    pub(super) evaluator: Evaluator,
}

/// The thread of one search thread. The search itself is in the sibling modules.
pub(super) struct Worker<'a> {
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) splits: &'a SplitPoints,
    /// Its thread_id in the splits.
    pub(super) thread_id: usize,
    /// The shared positions that it works under.
    pub(super) chain: Chain,
    pub(super) evaluator: &'a Evaluator,
    /// How far the selective search may trust it.
    pub(super) models: &'static ErrorModels,
    pub(super) rules: Rules,
    pub(super) size: Size,
    pub(super) area: Bitboard,
    pub(super) cache: &'a mut EndgameCache,
    /// What the search may leave out.
    pub(super) selectivity: Selectivity,
    /// How certain the last value of a null window is: more than asked for where nothing was left out on the way to it.
    pub(super) result_selectivity: Selectivity,
    /// Whether this is a search that predicts another.
    pub(super) in_probcut: bool,
    /// Whether to offer the processor to others now and then.
    yields_cpu: bool,
    /// Whether to make room in the table now and then: the business of one thread.
    grows_table: bool,
    /// Positions visited and not yet accounted for.
    uncounted: u64,
    /// Looks at the control so far.
    polls: u32,
}

/// How many positions are visited between two polls at the control: some ten microseconds. A model has few positions.
const POLL_INTERVAL: u64 = if cfg!(loom) { 1 } else { 256 };

/// How many such polls there are between two yields_cpu of the processor to others: a tenth of a millisecond to one.
/// An offer that nobody takes costs a microsecond.
const YIELD_INTERVAL: u32 = 16;

/// How many such polls there are between two at how full the table is: some milliseconds. What a thread stores meanwhile
/// is far less than a chunk holds.
const GROW_INTERVAL: u32 = 32;

impl<'a> Worker<'a> {
    pub(super) fn new(search: &SearchContext<'a>, thread: &'a mut ThreadState, thread_id: usize) -> Self {
        let &SearchContext { task, table, control, splits, grows_table, yields_cpu } = search;
        let ThreadState { cache, evaluator } = thread;
        let size = task.position.size();
        Self {
            table,
            control,
            splits,
            thread_id,
            chain: Chain::new(),
            evaluator,
            models: ErrorModels::of(evaluator),
            rules: task.rules,
            size,
            area: size.squares(),
            cache,
            selectivity: Selectivity::Off,
            result_selectivity: Selectivity::Off,
            in_probcut: false,
            yields_cpu,
            grows_table: grows_table && thread_id == 0,
            uncounted: 0,
            polls: 0,
        }
    }

    /// Counts a position and polls now and then whether to go on.
    #[inline]
    pub(super) fn visit(&mut self) -> Result<(), Stopped> {
        self.uncounted += 1;
        if self.uncounted < POLL_INTERVAL { Ok(()) } else { self.poll() }
    }

    /// Counts positions that were visited where nobody polls whether to go on.
    #[inline]
    pub(super) fn count_nodes(&mut self, positions: u64) {
        self.uncounted += positions;
    }

    /// Accounts for what was visited and polls whether to go on.
    #[cold]
    pub(super) fn poll(&mut self) -> Result<(), Stopped> {
        self.polls = self.polls.wrapping_add(1);
        if self.yields_cpu && self.polls.is_multiple_of(YIELD_INTERVAL) {
            // Else the thread that brings a stop may wait for the rest of our time slice: milliseconds.
            thread::yield_now();
        }
        if self.grows_table && self.polls.is_multiple_of(GROW_INTERVAL) {
            self.table.make_room(self.polls as usize);
        }
        let visited = std::mem::take(&mut self.uncounted);
        self.control.count_nodes(self.thread_id, visited)?;
        if self.splits.is_cancelled(&self.chain) { Err(Stopped) } else { Ok(()) }
    }

    /// The thread_id of empty squares.
    #[inline]
    pub(super) fn empties(&self, board: Board) -> u8 {
        (self.area - board.discs()).len() as u8
    }
}
