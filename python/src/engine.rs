//! One engine: searches in threads of their own, which callers wait for, stop, or give new limits.

use std::sync::{Arc, Condvar, Mutex, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use ollehto::arena::opponents as named;
use ollehto::board::Position;
use ollehto::engine::Search as MoveFinder;
use ollehto::rules::Rules;
use ollehto::search::{Budget, Control, Elo, Handicap, Limits, SearchMode, Searcher, Task};
use ollehto::time_source::Timestamp;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use crate::board::Board;
use crate::values::{self, IterationTuple, LimitsArgument, MoveArgument, iteration_tuple, wrong};
use crate::waiting::{POLL, lock};

/// MiB of table that are taken at most unless told otherwise.
const MAX_DEFAULT_HASH: usize = 64;

/// Runs one search at a time and keeps its table between them.
#[pyclass(frozen, module = "ollehto._native")]
pub struct Engine(Arc<Mutex<Box<dyn MoveFinder>>>);

/// A search in the background. It stops when this is dropped.
#[pyclass(frozen, module = "ollehto._native")]
pub struct Search(Arc<SharedSearch>);

struct SharedSearch {
    control: Control,
    position: Position,
    rules: Rules,
    /// Until the search begins.
    waiting_limits: Mutex<Option<Option<Limits>>>,
    progress: Mutex<Progress>,
    changed: Condvar,
}

#[derive(Default)]
struct Progress {
    iterations: Vec<IterationTuple>,
    result: Option<IterationTuple>,
    /// Also if it failed, without a result.
    has_ended: bool,
}

/// Wakes those who wait even if the search panics.
struct EndOnDrop(Arc<SharedSearch>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        lock(&self.0.progress).has_ended = true;
        self.0.changed.notify_all();
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.0.control.stop();
    }
}

impl SharedSearch {
    /// None: until stopped.
    fn budget(&self, limits: Option<Limits>) -> Budget {
        let empties = self.position.empties().len() as u8;
        limits.map_or(Budget::UNLIMITED, |limits| {
            limits.budget(Timestamp::now(), empties, self.rules, Duration::ZERO)
        })
    }

    fn set_limits(&self, limits: Option<Limits>) {
        match &mut *lock(&self.waiting_limits) {
            Some(waiting) => *waiting = limits,
            None => self.control.set_budget(&self.budget(limits)),
        }
    }

    /// Time counts from here on.
    fn begin(&self) {
        if let Some(limits) = lock(&self.waiting_limits).take() {
            self.control.set_budget(&self.budget(limits));
        }
    }

    fn run(self: &Arc<Self>, searcher: &Mutex<Box<dyn MoveFinder>>, task: &Task) {
        let _end = EndOnDrop(Arc::clone(self));
        let mut searcher = lock(searcher);
        self.begin();
        let begun = Instant::now();
        let size = self.position.size();
        let found = searcher.search(task, &self.control, &mut |iteration| {
            let tuple = iteration_tuple(iteration, size, begun.elapsed().as_secs_f64());
            lock(&self.progress).iterations.push(tuple);
            self.changed.notify_all();
        });
        // Before those who wait are told: the next call may ask for the engine.
        drop(searcher);
        let tuple = iteration_tuple(&found.last, size, begun.elapsed().as_secs_f64());
        lock(&self.progress).result = Some(tuple);
    }
}

fn mode(word: &str, elo: Option<i64>, seed: u64) -> PyResult<SearchMode> {
    let Some(rating) = elo else {
        return match word {
            "best" => Ok(SearchMode::BestMove),
            "full-width" => Ok(SearchMode::FullWidth),
            "wld" => Ok(SearchMode::WinLossDraw),
            _ => Err(wrong("mode", format!("best, full-width or wld, not {word:?}"))),
        };
    };
    let known = u16::try_from(rating).ok().and_then(Elo::new);
    let elo = known.ok_or_else(|| {
        wrong("elo", format!("from {} to {}, not {rating}", Elo::MIN.rating(), Elo::MAX.rating()))
    })?;
    Ok(SearchMode::Limited(Handicap { elo, seed }))
}

#[pymethods]
impl Engine {
    #[new]
    fn new(threads: usize, hash: usize, weights: Option<&str>, batch: bool) -> PyResult<Self> {
        let searcher = Searcher::new(threads, hash).with_evaluation(values::evaluation(weights)?);
        let searcher = if batch { searcher.batch() } else { searcher };
        Ok(Self(Arc::new(Mutex::new(Box::new(searcher)))))
    }

    #[staticmethod]
    fn opponent(name: &str, seed: u64) -> PyResult<Self> {
        let found = named::by_name(name, seed);
        let opponent = found
            .ok_or_else(|| wrong("opponent", format!("{name:?} is none of {}", named::NAMES.join(", "))))?;
        Ok(Self(Arc::new(Mutex::new(opponent))))
    }

    /// Without limits it goes on until it is stopped or the position is solved.
    #[expect(clippy::too_many_arguments, reason = "the package gives them names")]
    fn start(
        &self,
        board: Board,
        rules: &str,
        limits: Option<LimitsArgument>,
        lines: usize,
        include: Option<MoveArgument>,
        mode: &str,
        elo: Option<i64>,
        seed: u64,
    ) -> PyResult<Search> {
        let rules = values::rules(rules)?;
        let include = include.map(|include| include.action(board.0.size())).transpose()?;
        if let Some(action) = include.filter(|&action| board.0.play(action).is_none()) {
            return Err(wrong("include", format!("{} is illegal", values::name(action, board.0.size()))));
        }
        let mode = self::mode(mode, elo, seed)?;
        let task = Task { lines: lines.max(1), include, mode, ..Task::new(board.0, rules) };
        let limits = limits.map(|limits| limits.limits()).transpose()?;
        let shared = Arc::new(SharedSearch {
            control: Control::new(&Budget::UNLIMITED),
            position: board.0,
            rules,
            waiting_limits: Mutex::new(Some(limits)),
            progress: Mutex::default(),
            changed: Condvar::new(),
        });
        let (searcher, running) = (Arc::clone(&self.0), Arc::clone(&shared));
        thread::Builder::new()
            .name("search".into())
            .spawn(move || running.run(&searcher, &task))
            .map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Search(shared))
    }

    /// Forgets what earlier searches have found.
    fn clear(&self) -> PyResult<()> {
        match self.0.try_lock() {
            Ok(mut searcher) => searcher.clear(),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner().clear(),
            Err(TryLockError::WouldBlock) => {
                return Err(PyRuntimeError::new_err(
                    "a search is running: stop it and wait for its result first",
                ));
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Search {
    fn stop(&self) {
        self.0.control.stop();
    }

    /// Replaces the limits; time counts from now on. Without limits it goes on until it is stopped.
    fn set_limits(&self, limits: Option<LimitsArgument>) -> PyResult<()> {
        self.0.set_limits(limits.map(|limits| limits.limits()).transpose()?);
        Ok(())
    }

    fn nodes(&self) -> u64 {
        self.0.control.nodes()
    }

    fn is_done(&self) -> bool {
        lock(&self.0.progress).has_ended
    }

    /// Waits until there are more iterations than this, or it has ended; at most so many seconds. Returns whether it has ended.
    #[pyo3(signature = (seen, timeout))]
    fn wait(&self, py: Python<'_>, seen: usize, timeout: Option<f64>) -> PyResult<bool> {
        let begun = Instant::now();
        let most = timeout.map(|most| Duration::try_from_secs_f64(most.max(0.0)).unwrap_or(Duration::MAX));
        loop {
            let left = most.map_or(POLL, |most| most.saturating_sub(begun.elapsed()).min(POLL));
            let (has_ended, has_news) = py.detach(|| {
                let is_waiting =
                    |progress: &mut Progress| !progress.has_ended && progress.iterations.len() <= seen;
                let progress = lock(&self.0.progress);
                let waited = self.0.changed.wait_timeout_while(progress, left, is_waiting);
                let (progress, _) = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
                (progress.has_ended, progress.iterations.len() > seen)
            });
            py.check_signals()?;
            if has_ended || has_news || left.is_zero() {
                return Ok(has_ended);
            }
        }
    }

    /// The completed iterations from this one on.
    fn iterations(&self, seen: usize) -> Vec<IterationTuple> {
        lock(&self.0.progress).iterations.get(seen..).unwrap_or_default().to_vec()
    }

    /// None while it runs.
    fn result(&self) -> PyResult<Option<IterationTuple>> {
        let progress = lock(&self.0.progress);
        if progress.has_ended && progress.result.is_none() {
            return Err(PyRuntimeError::new_err("the search has failed; its message is on standard error"));
        }
        Ok(progress.result.clone().filter(|_| progress.has_ended))
    }
}

/// The names of the opponents with a line about each, the simplest first.
#[pyfunction]
pub fn opponents() -> Vec<(&'static str, &'static str)> {
    named::NAMES.into_iter().map(|name| (name, named::description(name).unwrap_or_default())).collect()
}

/// MiB of table that solving a position with so many empty squares is worth.
#[pyfunction]
pub fn table_to_solve(rules: &str, empties: u8) -> PyResult<usize> {
    Ok(ollehto::search::table_to_solve(values::rules(rules)?, empties).min(MAX_DEFAULT_HASH))
}
