//! The state of one search thread.

#[cfg(all(loom, test))]
mod loom;

use std::thread;

use crate::board::{Bitboard, Board, Size, Square};
use crate::eval::{Evaluator, PatternState};
use crate::rules::Rules;
use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::tt::Table;

use super::Task;
use super::common_iteration::CommonIteration;
use super::control::{Control, Stopped};
use super::cut_statistics::CutRecorder;
use super::endgame_cache::EndgameCache;
use super::error_models::ErrorModels;
use super::shared_bounds::SharedBounds;
use super::shared_path::SharedPath;
use super::thread_statistics::ThreadStatistics;
use super::value_cache::ValueCache;

/// What all threads of a search share.
#[derive(Clone, Copy)]
pub(super) struct SearchContext<'a> {
    pub(super) task: &'a Task,
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) common: &'a CommonIteration,
    /// None with one thread.
    pub(super) shared_bounds: Option<&'a SharedBounds>,
    /// Whether the table grows during the search.
    pub(super) grows_table: bool,
    /// Whether threads yield the CPU now and then: they occupy all CPUs, and a stop may come.
    pub(super) yields_cpu: bool,
}

/// What a thread keeps from one search to the next.
pub(super) struct ThreadState {
    pub(super) cache: EndgameCache,
    pub(super) evaluator: Evaluator,
    pub(super) values: ValueCache,
    pub(super) statistics: ThreadStatistics,
}

impl ThreadState {
    pub(super) fn new(evaluator: Evaluator) -> Self {
        Self {
            cache: EndgameCache::new(),
            evaluator,
            values: ValueCache::new(),
            statistics: ThreadStatistics::default(),
        }
    }
}

/// The search itself is in the sibling modules, which add methods.
pub(super) struct Worker<'a> {
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) common: &'a CommonIteration,
    pub(super) thread_id: usize,
    /// In a common iteration.
    pub(super) path: Option<SharedPath>,
    pub(super) evaluator: &'a Evaluator,
    values: &'a ValueCache,
    pub(super) statistics: &'a mut ThreadStatistics,
    pub(super) models: &'static ErrorModels,
    pub(super) rules: Rules,
    pub(super) size: Size,
    pub(super) area: Bitboard,
    pub(super) cache: &'a mut EndgameCache,
    pub(super) second_cache: SecondCache<'a>,
    /// Of the present iteration.
    pub(super) selectivity: Selectivity,
    /// Of the last null-window result: `Off` if no selective cut was made below it.
    pub(super) result_selectivity: Selectivity,
    /// None in play.
    pub(super) cuts: Option<Box<CutRecorder<'a>>>,
    yields_cpu: bool,
    /// One thread grows the table.
    grows_table: bool,
    /// Nodes not yet added to the control's count.
    uncounted: u64,
    polls: u32,
    /// Of this thread in this search.
    search_nodes: u64,
}

/// Where boards with [`SHARED_EMPTIES`](super::shared_bounds::SHARED_EMPTIES) and more are kept that the shallow endgame
/// solver has in its own cache.
#[derive(Clone, Copy)]
pub(super) enum SecondCache<'a> {
    None,
    /// With other threads.
    Shared(&'a SharedBounds),
    /// A long search meets them again, in any thread, long after small caches have forgotten them.
    Table,
}

/// Nodes of a thread that make a search long: some ten seconds of solving.
const LONG_SEARCH: u64 = 1 << 28;

/// Nodes between two polls: some ten microseconds. A loom model has few nodes.
const POLL_INTERVAL: u64 = if cfg!(loom) { 1 } else { 256 };

/// Polls between two yields: 0.1 to 1 ms. A yield that nobody takes costs a microsecond.
const YIELD_INTERVAL: u32 = 16;

/// Polls between two looks at how full the table is: some milliseconds. A thread stores far less than a chunk
/// meanwhile.
const GROW_INTERVAL: u32 = 32;

impl<'a> Worker<'a> {
    pub(super) fn new(search: &SearchContext<'a>, thread: &'a mut ThreadState, thread_id: usize) -> Self {
        let &SearchContext { task, table, control, common, shared_bounds, grows_table, yields_cpu } = search;
        let ThreadState { cache, evaluator, values, statistics } = thread;
        let size = task.position.size();
        Self {
            table,
            control,
            common,
            thread_id,
            path: None,
            evaluator,
            values,
            statistics,
            models: ErrorModels::of(evaluator),
            rules: task.rules,
            size,
            area: size.squares(),
            cache,
            second_cache: shared_bounds.map_or(SecondCache::None, SecondCache::Shared),
            selectivity: Selectivity::Off,
            result_selectivity: Selectivity::Off,
            cuts: None,
            yields_cpu,
            grows_table: grows_table && thread_id == 0,
            uncounted: 0,
            polls: 0,
            search_nodes: 0,
        }
    }

    /// Counts a node and polls the control now and then.
    #[inline]
    pub(super) fn visit(&mut self) -> Result<(), Stopped> {
        self.uncounted += 1;
        if self.uncounted < POLL_INTERVAL { Ok(()) } else { self.poll() }
    }

    /// Counts nodes without polling.
    #[inline]
    pub(super) fn count_nodes(&mut self, positions: u64) {
        self.uncounted += positions;
    }

    /// Adds the nodes to the control's count and checks whether to go on.
    #[cold]
    pub(super) fn poll(&mut self) -> Result<(), Stopped> {
        self.polls = self.polls.wrapping_add(1);
        if self.yields_cpu && self.polls.is_multiple_of(YIELD_INTERVAL) {
            // Otherwise the thread that brings a stop may wait for the rest of our time slice.
            thread::yield_now();
        }
        if self.grows_table && self.polls.is_multiple_of(GROW_INTERVAL) {
            self.table.grow_if_crowded(self.polls as usize);
        }
        let visited = std::mem::take(&mut self.uncounted);
        self.statistics.nodes += visited;
        self.search_nodes += visited;
        if self.search_nodes >= LONG_SEARCH {
            self.second_cache = SecondCache::Table;
        }
        self.control.count_nodes(self.thread_id, visited)?;
        if self.is_behind() { Err(Stopped) } else { Ok(()) }
    }

    /// All nodes so far, those of other threads up to their last poll.
    pub(super) fn visited(&self) -> u64 {
        self.control.nodes() + self.uncounted
    }

    /// This thread's nodes since its statistics were taken.
    pub(super) fn own_nodes(&self) -> u64 {
        self.statistics.nodes + self.uncounted
    }

    /// The static value, for the player to move.
    #[inline]
    pub(super) fn evaluate(&self, state: &PatternState) -> Score {
        let compute = || self.evaluator.evaluate(state);
        state.known_value().unwrap_or_else(|| self.values.get_or_insert_with(state.board.hash(), compute))
    }

    /// The static value of a child, for the player to move there: `next` is the board after the move, with the moves
    /// there. Needs no pattern indices where the value is known.
    #[inline]
    pub(super) fn evaluate_child(
        &self,
        state: &PatternState,
        square: Square,
        (next, moves): (Board, Bitboard),
    ) -> Score {
        let compute = || self.evaluator.evaluate(&state.child(square, next, moves));
        self.values.get_or_insert_with(next.hash(), compute)
    }

    #[inline]
    pub(super) fn empties(&self, board: Board) -> u8 {
        (self.area - board.discs()).len() as u8
    }
}
