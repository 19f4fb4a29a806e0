//! Finding the best move: iterative deepening over a principal variation search, with an exact solver at the end.

mod answer_delay;
mod best_so_far;
mod control;
mod cost;
mod endgame;
mod limits;
mod line;
mod midgame;
mod models;
mod ordering;
mod probcut;
mod root;
mod split_points;
mod time_manager;
mod warm_up;
mod worker;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::thread;

pub use answer_delay::AnswerDelay;
pub use control::{Control, SearchHandle, Stopped};
pub use cost::table_to_solve;
pub use limits::{Budget, DEFAULT_TIME, Limits, MOVE_OVERHEAD, solved_from};
#[cfg(feature = "training")]
pub(crate) use probcut::{BANDS, END_BANDS};

use crate::board::{Move, Position, Size};
use crate::eval::Evaluation;
use crate::rules::Rules;
use crate::score::Score;
use crate::selectivity::Selectivity;
use crate::tt::{Table, TableUse};

use endgame::Cache;
use root::Root;
use split_points::SplitPoints;
use warm_up::{WarmUp, Work};
use worker::{SearchContext, ThreadState, Worker};

/// What to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// From where.
    pub position: Position,
    /// Who wins.
    pub rules: Rules,
    /// How many of the best moves to value exactly; at least one.
    pub lines: usize,
    /// What to find out.
    pub mode: SearchMode,
}

impl Task {
    /// The search for the best move of a position.
    #[must_use]
    pub const fn new(position: Position, rules: Rules) -> Self {
        Self { position, rules, lines: 1, mode: SearchMode::BestMove }
    }
}

/// What a search is to find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchMode {
    /// The best move, and its exact value where the end of the game can be reached. On the way there, and where it
    /// cannot, the search leaves out what shallower ones make improbable.
    #[default]
    BestMove,
    /// The same, with nothing left out at any depth.
    FullWidth,
    /// Who wins: where the end of the game is reached, the sign of the score is right and its size a bound.
    WinLossDraw,
}

/// A move with its value and the play expected to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The value for the side to move.
    pub score: Score,
    /// The expected play, beginning with the move. It can always be played from the position searched.
    pub moves: Vec<Move>,
}

/// What one completed depth has brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// How many discs deep.
    pub depth: u8,
    /// What was left out on the way.
    pub selectivity: Selectivity,
    /// Whether the values are the true results of perfect play.
    pub exact: bool,
    /// The best moves, best first.
    pub lines: Vec<Line>,
    /// Positions visited since the search began, by all threads.
    pub nodes: u64,
}

/// What a search has brought when it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The last completed depth, led by the best move of the one that was under way. A search stopped before its
    /// first depth is done has depth 0 and static values; in a finished game there are no lines.
    pub last: Iteration,
}

impl SearchResult {
    /// The move to play: a pass if there is none to choose from.
    #[must_use]
    pub fn best(&self) -> Move {
        self.last.lines.first().and_then(|line| line.moves.first().copied()).unwrap_or(Move::Pass)
    }

    /// The reply expected to the best move.
    #[must_use]
    pub fn reply(&self) -> Option<Move> {
        self.last.lines.first().and_then(|line| line.moves.get(1).copied())
    }
}

/// Searches one task after another and remembers between them what it has found.
pub struct Searcher {
    /// Made when it is first needed: a process that only knows the rules stays small and starts at once.
    table: Option<Arc<Table>>,
    mebibytes: usize,
    threads: usize,
    processors: usize,
    /// Whether it may be stopped at any moment.
    interruptible: bool,
    /// Whether it plays: moves are due at once, and most of them on a clock.
    plays: bool,
    warm_up: WarmUp,
    /// What to make ready for.
    expected: (Rules, Size),
    /// One for each thread that has searched so far.
    thread_states: Vec<ThreadState>,
    /// What the values in the table and on the thread_states are true of.
    domain: Option<(Rules, Size)>,
    evaluation: Evaluation,
}

impl Searcher {
    /// A searcher with so many threads and a table of so many mebibytes.
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
            warm_up: WarmUp::default(),
            expected: (Rules::default(), Size::default()),
            thread_states: Vec::new(),
            domain: None,
            evaluation: Evaluation::default(),
        }
    }

    /// The same with another evaluation.
    #[must_use]
    pub fn with_evaluation(self, evaluation: Evaluation) -> Self {
        Self { evaluation, domain: None, ..self }
    }

    /// The same for work that nobody stops in haste: it does not offer the processor to others while it searches.
    #[must_use]
    pub fn batch(self) -> Self {
        Self { interruptible: false, ..self }
    }

    /// The same for play: a thread makes weights and table ready ahead of the searches and beside them. What a search
    /// under a clock finds then depends on the time even where the clock does not end it.
    #[must_use]
    pub fn for_play(self) -> Self {
        Self { plays: true, ..self }
    }

    /// Uses so many threads from the next search on.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Forgets everything and uses a table of another size from now on.
    pub fn resize(&mut self, mebibytes: usize) {
        self.forget();
        self.mebibytes = mebibytes;
        // One that is in use already is wanted at the new size too.
        if self.table.take().is_some() {
            self.prepare_table();
        }
    }

    /// Forgets everything and keeps the memory for it.
    pub fn forget(&mut self) {
        if let Some(table) = &self.table {
            table.clear();
        }
        self.thread_states.iter_mut().for_each(|state| state.cache.wipe());
    }

    /// Makes the evaluation ready in the background: a search by these rules on such a board may come.
    pub fn prepare_evaluation(&mut self, rules: Rules, size: Size) {
        self.expected = (rules, size);
        self.make_ready(size.squares().len() as usize);
    }

    /// Makes the table ready in the background too: a game has begun.
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

    fn table(&mut self) -> Arc<Table> {
        let mebibytes = self.mebibytes;
        Arc::clone(self.table.get_or_insert_with(|| Arc::new(Table::new(mebibytes))))
    }

    /// Searches until the task is solved or its control ends it, telling of every completed depth.
    pub fn run(
        &mut self,
        task: &Task,
        control: &Control,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> SearchResult {
        let domain = (task.rules, task.position.size());
        if self.domain != Some(domain) {
            self.forget();
            self.thread_states.clear();
            self.domain = Some(domain);
        }
        let table = self.table();
        self.prepare_threads(task);
        let empties = task.position.empties().len() as usize;
        let grows = self.plays && !control.is_reproducible();
        table.begin_search(if grows { TableUse::Growing } else { TableUse::Whole });
        if self.plays {
            self.expected = domain;
            self.make_ready(empties);
        } else {
            self.thread_states.iter().for_each(|state| state.evaluator.prepare(empties));
        }
        let mut thread_states = self.thread_states.iter_mut();
        let own_state = thread_states.next().expect("there is at least one thread");
        let splits = &SplitPoints::new(self.threads);
        let yields_cpu = self.interruptible && self.threads >= self.processors;
        let search = SearchContext { task, table: &table, control, splits, grows, yields_cpu };
        thread::scope(|scope| {
            for (helper, state) in (1..).zip(thread_states) {
                let assist = move || {
                    let _guard = StopOnPanic(control);
                    Worker::new(&search, state, helper).assist();
                };
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, assist) {
                    log::warn!("searching with {helper} of {} threads: {error}", self.threads);
                    break;
                }
            }
            // When this scope ends, by a panic too: nobody waits for helpers that go on for ever.
            let _done = FinishOnDrop(splits);
            Root::new(task, Worker::new(&search, own_state, 0)).deepen(on_iteration)
        })
    }

    /// Gives each thread a state with all that it will look up, and takes those of threads that are no more.
    fn prepare_threads(&mut self, task: &Task) {
        self.thread_states.truncate(self.threads);
        while self.thread_states.len() < self.threads {
            let evaluator = match self.thread_states.first() {
                Some(first) => first.evaluator.for_another_thread(),
                None => self.evaluation.evaluator(task.rules, task.position.size()),
            };
            self.thread_states.push(ThreadState { cache: Cache::new(), evaluator });
        }
    }
}

/// A panic in a helper ends the search, so that it is seen now and not when the search would have ended.
struct StopOnPanic<'a>(&'a Control);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

struct FinishOnDrop<'a>(&'a SplitPoints);

impl Drop for FinishOnDrop<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}
