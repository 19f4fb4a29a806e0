//! The search: iterative deepening, principal variation search with Multi-ProbCut, and an exact endgame solver.

mod answer_delay;
mod best_so_far;
mod candidates;
mod common_iteration;
mod control;
mod cost;
mod cut_statistics;
mod endgame;
mod endgame_cache;
mod error_models;
mod limits;
mod line;
mod midgame;
mod node_type;
mod ordering;
mod probcut;
mod proven;
mod root;
mod root_moves;
mod root_window;
mod shared_bounds;
mod shared_path;
mod sharing;
mod strength;
mod thread_statistics;
mod time_manager;
mod value_cache;
mod warm_up;
mod worker;

#[cfg(test)]
mod damaged_table_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::thread;

pub use answer_delay::AnswerDelay;
pub use control::{Control, SearchHandle, Stopped};
pub use cost::{nodes_to_solve, table_to_solve};
pub use cut_statistics::{CutCounts, CutSite, CutStatistics};
#[cfg(feature = "training")]
pub(crate) use error_models::{
    BANDS, DEPTHS, END_BANDS, END_CHECKS, EndgameErrors, ErrorModels, FIRST_END_BAND, MidgameErrors,
    PREDICTIONS, check_depths,
};
pub use limits::{Budget, DEFAULT_TIME, Limits, solved_from};
pub use proven::{CompletedIteration, ProvenBounds, proven_below};
pub use strength::{Elo, Handicap};
pub use thread_statistics::ThreadStatistics;
pub use time_manager::MOVE_OVERHEAD;

use crate::board::{Bitboard, Move, Position, Size};
use crate::eval::Evaluation;
use crate::rules::Rules;
use crate::score::{Discs, Score};
use crate::selectivity::Selectivity;
use crate::threads;
use crate::tt::{Table, TableUse};

use common_iteration::CommonIteration;
use cut_statistics::CutRecorder;
use root::Root;
use root_moves::RootMoves;
use shared_bounds::SharedBounds;
use warm_up::{WarmUp, Work};
use worker::{SearchContext, ThreadState, Worker};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    pub position: Position,
    pub rules: Rules,
    /// Multi-PV: how many of the best moves get exact values; at least one.
    pub lines: usize,
    /// A move that gets an exact value too, whatever it is worth: one that was played.
    pub include: Option<Move>,
    /// Only these moves are searched, if one of them is legal; empty: all.
    pub only: Bitboard,
    pub mode: SearchMode,
    /// Whether the move will be played. Then a clock is not spent on a forced one, whose value nobody wants to know.
    pub for_play: bool,
}

impl Task {
    #[must_use]
    pub const fn new(position: Position, rules: Rules) -> Self {
        let (only, mode) = (Bitboard::EMPTY, SearchMode::BestMove);
        Self { position, rules, lines: 1, include: None, only, mode, for_play: false }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchMode {
    /// The best move, solved where the end of the game is within reach. Selective until then.
    #[default]
    BestMove,
    /// The same without selective cuts.
    FullWidth,
    /// For values that others are judged by: the iteration at the depth limit cuts at this confidence only. Those before
    /// it are as usual and order its moves.
    Confident(Selectivity),
    /// Solves for the sign of the score only; its size is a bound.
    WinLossDraw,
    /// Solves whether the score is at least this; it is a bound on the same side.
    AtLeast(Discs),
    /// A move of a weaker player.
    Limited(Handicap),
}

/// A principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// For the side to move.
    pub score: Score,
    /// Always legal from the root.
    pub moves: Vec<Move>,
}

/// A completed iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// In discs to place.
    pub depth: u8,
    pub selectivity: Selectivity,
    /// Whether the scores are results of perfect play.
    pub exact: bool,
    /// Best first; then the included move, unless it is one of them.
    pub lines: Vec<Line>,
    /// Since the search began, all threads.
    pub nodes: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The last completed iteration, led by the best move of the one that was stopped, unless a move is included. Depth 0
    /// with static values if none was completed; no lines if the game is over.
    pub last: Iteration,
}

impl Iteration {
    /// A pass if there is no other move.
    #[must_use]
    pub fn best(&self) -> Move {
        self.lines.first().and_then(|line| line.moves.first().copied()).unwrap_or(Move::Pass)
    }
}

impl SearchResult {
    /// A pass if there is no other move.
    #[must_use]
    pub fn best(&self) -> Move {
        self.last.best()
    }

    /// The move to ponder on.
    #[must_use]
    pub fn reply(&self) -> Option<Move> {
        self.last.lines.first().and_then(|line| line.moves.get(1).copied())
    }
}

/// The moves by their static values, as if a search was stopped before it began. Takes microseconds: neither weights nor a
/// table are needed.
#[must_use]
pub fn static_choice(task: &Task) -> SearchResult {
    let evaluator = Evaluation::HandMade.evaluator(task.rules, task.position.size());
    let moves = RootMoves::new(task, &evaluator);
    let lines = moves.list.iter().take(moves.lines()).map(|root_move| root_move.line.clone()).collect();
    SearchResult {
        last: Iteration { depth: 0, selectivity: Selectivity::P73, exact: false, lines, nodes: 0 },
    }
}

/// Runs one search at a time and keeps the transposition table between them.
pub struct Searcher {
    /// Allocated when first needed: a process that only answers questions about rules stays small.
    table: Option<Arc<Table>>,
    mebibytes: usize,
    threads: usize,
    processors: usize,
    /// Whether a stop may come at any moment.
    interruptible: bool,
    /// Whether it plays games: most moves are on a clock, and the table grows meanwhile.
    plays: bool,
    /// Whether searches for the best move leave nothing out.
    full_width: bool,
    warm_up: WarmUp,
    /// The rules and board to prepare for.
    expected: (Rules, Size),
    /// One per thread that has searched.
    thread_states: Vec<ThreadState>,
    /// If there are several.
    shared_bounds: Option<SharedBounds>,
    /// What the stored values hold for.
    table_domain: Option<(Rules, Size)>,
    /// For the table of the next search.
    proven: Vec<ProvenBounds>,
    completed: Option<CompletedIteration>,
    evaluation: Evaluation,
}

impl Searcher {
    /// A searcher with a table of so many MiB.
    #[must_use]
    pub fn new(threads: usize, mebibytes: usize) -> Self {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        Self {
            table: None,
            mebibytes,
            threads: threads.max(1),
            processors,
            interruptible: true,
            plays: false,
            full_width: false,
            warm_up: WarmUp::default(),
            expected: (Rules::default(), Size::default()),
            thread_states: Vec::new(),
            shared_bounds: None,
            table_domain: None,
            proven: Vec::new(),
            completed: None,
            evaluation: Evaluation::default(),
        }
    }

    #[must_use]
    pub fn with_evaluation(self, evaluation: Evaluation) -> Self {
        Self { evaluation, table_domain: None, ..self }
    }

    /// For long work that nobody interrupts in haste: threads do not yield the CPU while searching, and several touch
    /// the memory of the table before the first search.
    #[must_use]
    pub fn batch(self) -> Self {
        Self { interruptible: false, ..self }
    }

    /// For play: a background thread prepares weights and table. A search on a clock is then not reproducible, since
    /// the table grows with time.
    #[must_use]
    pub fn for_play(self) -> Self {
        Self { plays: true, ..self }
    }

    /// Whether searches for the best move are without selective cuts: to compare evaluations at equal depth.
    #[must_use]
    pub fn with_full_width(self, full_width: bool) -> Self {
        Self { full_width, ..self }
    }

    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Clears everything and resizes the table.
    pub fn resize(&mut self, mebibytes: usize) {
        self.clear();
        self.mebibytes = mebibytes;
        // A table in use is wanted at the new size too.
        if self.table.take().is_some() {
            self.prepare_table();
        }
    }

    /// Clears table and caches, and keeps their memory.
    pub fn clear(&mut self) {
        if let Some(table) = &self.table {
            table.clear();
        }
        self.thread_states.iter_mut().for_each(|thread| thread.cache.clear());
        if let Some(bounds) = &self.shared_bounds {
            bounds.clear();
        }
    }

    /// Unpacks the weights for these rules and board in the background.
    pub fn prepare_evaluation(&mut self, rules: Rules, size: Size) {
        self.expected = (rules, size);
        self.make_ready(size.squares().len() as usize);
    }

    /// Touches the table's memory in the background, too: a game has begun.
    pub fn prepare_table(&mut self) {
        self.table();
        self.make_ready(self.expected.1.squares().len() as usize);
    }

    fn make_ready(&mut self, empties: usize) {
        let (rules, size) = self.expected;
        if self.plays {
            let evaluator = self.evaluation.evaluator(rules, size);
            self.warm_up.turn_to(Work { evaluator, empties, table: self.table.clone() });
        }
    }

    /// Gives the next search what an earlier one of the same position has found out. The bounds must hold for its rules.
    pub fn continue_from(&mut self, proven: Vec<ProvenBounds>, completed: Option<CompletedIteration>) {
        (self.proven, self.completed) = (proven, completed);
    }

    /// The table, which others may read during a search.
    pub fn table(&mut self) -> Arc<Table> {
        let (mebibytes, threads) = (self.mebibytes, self.threads);
        // One thread would need longer for it than for most searches.
        let prefaults = !self.interruptible && threads > 1;
        let new_table = || {
            let table = Table::new(mebibytes);
            if prefaults {
                table.prefault_all(threads);
            }
            Arc::new(table)
        };
        Arc::clone(self.table.get_or_insert_with(new_table))
    }

    /// Searches until solved, or until the control ends it. Reports every completed iteration.
    pub fn run(
        &mut self,
        task: &Task,
        control: &Control,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> SearchResult {
        match task.mode {
            SearchMode::Limited(handicap) => self.run_limited(task, handicap, control, on_iteration),
            _ => self.search(task, control, None, on_iteration),
        }
    }

    /// The same search, which records its selective cuts. For one thread: those of others are not recorded.
    ///
    /// Nodes spent on verification count against the limits of the control, and in the nodes of the result. Sites do
    /// not tell searches to the end of the game from others.
    pub fn measure_cuts(
        &mut self,
        task: &Task,
        control: &Control,
        statistics: &mut CutStatistics,
    ) -> SearchResult {
        debug_assert_eq!(self.threads, 1, "helpers record nothing");
        let table = Table::new(self.mebibytes);
        table.begin_search(TableUse::Whole);
        let verification_before = statistics.verification_nodes();
        let recorder = Box::new(CutRecorder::new(statistics, &table));
        let result = self.search(task, control, Some(recorder), &mut |_| {});
        statistics.add_search(control.nodes(), verification_before);
        result
    }

    fn search(
        &mut self,
        task: &Task,
        control: &Control,
        cuts: Option<Box<CutRecorder<'_>>>,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> SearchResult {
        let mode = match task.mode {
            SearchMode::BestMove if self.full_width => SearchMode::FullWidth,
            mode => mode,
        };
        let task = &Task { mode, ..*task };
        let table_domain = (task.rules, task.position.size());
        if self.table_domain != Some(table_domain) {
            self.clear();
            self.thread_states.clear();
            self.table_domain = Some(table_domain);
        }
        let table = self.table();
        self.prepare_threads(task);
        let empties = task.position.empties().len() as usize;
        let grows_table = self.plays && !control.is_reproducible();
        table.begin_search(if grows_table { TableUse::Growing } else { TableUse::Whole });
        // As entries of this search, which its selective iterations do not replace.
        for bounds in std::mem::take(&mut self.proven) {
            bounds.store(&table, task.position.size());
        }
        if let Some(completed) = self.completed.take() {
            completed.store(&table, task.position.board());
        }
        if self.plays {
            self.expected = table_domain;
            self.make_ready(empties);
        } else {
            self.thread_states.iter().for_each(|thread| thread.evaluator.prepare(empties));
        }
        // Fewer than were asked for if there is no memory for more.
        let thread_count = self.thread_states.len();
        let mut thread_states = self.thread_states.iter_mut();
        let own_state = thread_states.next().expect("there is at least one thread");
        let common = &CommonIteration::new(thread_count, self.processors);
        let yields_cpu = self.interruptible && thread_count >= self.processors;
        let shared_bounds = self.shared_bounds.as_ref();
        let search =
            SearchContext { task, table: &table, control, common, shared_bounds, grows_table, yields_cpu };
        thread::scope(|scope| {
            let start_helpers = move || {
                for (helper, thread) in (1..).zip(thread_states) {
                    let help_until_done = move || {
                        let _guard = StopOnPanic(control);
                        Worker::new(&search, thread, helper).help_until_done();
                    };
                    if let Err(error) = threads::spawn_helper(scope, help_until_done) {
                        log::warn!("searching with {helper} of {thread_count} threads: {error}");
                        break;
                    }
                }
            };
            // Also on a panic: helpers must not wait for ever.
            let _done = ShutDownOnDrop(common);
            let mut worker = Worker::new(&search, own_state, 0);
            worker.cuts = cuts;
            Root::new(task, worker, start_helpers).deepen(on_iteration)
        })
    }

    /// The value for the side to move by a search within a budget; the result if the game is over.
    pub fn score(&mut self, task: &Task, budget: &Budget) -> Score {
        let found = self.run(task, &Control::new(budget), &mut |_| {}).last;
        let result = || task.rules.result(task.position.board(), task.position.size()).into();
        found.lines.first().map_or_else(result, |line| line.score)
    }

    /// What each thread did since the last call. One for each that has searched.
    pub fn take_statistics(&mut self) -> Vec<ThreadStatistics> {
        self.thread_states.iter_mut().map(|thread| std::mem::take(&mut thread.statistics)).collect()
    }

    fn prepare_threads(&mut self, task: &Task) {
        self.thread_states.truncate(self.threads);
        while self.thread_states.len() < self.threads {
            let evaluator = match self.thread_states.first() {
                Some(first) => first.evaluator.clone(),
                None => self.evaluation.evaluator(task.rules, task.position.size()),
            };
            if let (helper @ 1.., Err(error)) = (self.thread_states.len(), threads::check_helper_room()) {
                log::warn!("searching with {helper} of {} threads: {error}", self.threads);
                break;
            }
            self.thread_states.push(ThreadState::new(evaluator));
        }
        if self.thread_states.len() == 1 {
            self.shared_bounds = None;
        } else if self.shared_bounds.is_none() {
            self.shared_bounds = SharedBounds::new();
        }
    }
}

/// A helper's panic stops the search, so that it surfaces at once.
struct StopOnPanic<'a>(&'a Control);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

struct ShutDownOnDrop<'a>(&'a CommonIteration);

impl Drop for ShutDownOnDrop<'_> {
    fn drop(&mut self) {
        self.0.shut_down();
    }
}
