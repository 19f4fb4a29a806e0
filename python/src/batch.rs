//! Many positions on all cores. What is found for a position depends on nothing but the position and the settings.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ollehto::board::{Bitboard, Color, Position, Size};
use ollehto::eval::{Evaluation, PatternState};
use ollehto::rules::Rules;
use ollehto::score::Score;
use ollehto::search::{Budget, Control, Limits, SearchMode, Searcher, Task, table_to_solve};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::values::{self, LimitsArgument, wrong};
use crate::waiting::{DoneOnDrop, POLL, StopOnDrop, StopSwitch, lock};

/// Two numbers of 64 bits: the discs of the side to move and those of the opponent.
const POSITION_BYTES: usize = 16;

/// Positions that a thread evaluates before it looks for more.
const EVALUATED_AT_ONCE: usize = 4096;

fn positions(bytes: &[u8], size: Size) -> PyResult<Vec<Position>> {
    let (records, rest) = bytes.as_chunks::<POSITION_BYTES>();
    if !rest.is_empty() {
        return Err(wrong("boards", "each takes two numbers of 64 bits"));
    }
    let position = |(at, record): (usize, &[u8; POSITION_BYTES])| {
        let [own, opponent] = [0, 8].map(|from| {
            let mut number = [0; 8];
            number.copy_from_slice(&record[from..from + 8]);
            Bitboard(u64::from_le_bytes(number))
        });
        Position::new(own, opponent, Color::Black, size).ok_or_else(|| {
            wrong(
                "boards",
                format!("number {at} has a square with two discs or one outside of a {size} board"),
            )
        })
    };
    records.iter().enumerate().map(position).collect()
}

/// Work that threads share, and results that the calling thread collects.
struct SharedWork<R> {
    next: AtomicUsize,
    running: AtomicUsize,
    results: Mutex<Vec<(usize, R)>>,
}

/// Does all work on so many threads, without the interpreter. The results go to `keep` in batches, each with the index of
/// its work. `None` from `work` ends its thread. Ctrl-C and an exception of `keep` stop everything.
fn for_each<R: Send, S>(
    py: Python<'_>,
    (count, threads): (usize, usize),
    stop: &StopSwitch,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Option<R> + Sync,
    mut keep: impl FnMut(Vec<(usize, R)>) -> PyResult<()>,
) -> PyResult<()> {
    let threads = threads.clamp(1, count.max(1));
    let shared = SharedWork {
        next: AtomicUsize::new(0),
        running: AtomicUsize::new(threads),
        results: Mutex::new(Vec::new()),
    };
    let work_until_done = |waiting: thread::Thread| {
        let _done = DoneOnDrop { running: &shared.running, waiting };
        let mut state = state();
        loop {
            let at = shared.next.fetch_add(1, Ordering::Relaxed);
            if at >= count || stop.is_stopped() {
                return;
            }
            let Some(result) = work(&mut state, at) else { return };
            lock(&shared.results).push((at, result));
        }
    };
    thread::scope(|scope| {
        // Also on an error, before the threads are waited for.
        let _stop = StopOnDrop(stop);
        for _ in 0..threads {
            let waiting = thread::current();
            scope.spawn(|| work_until_done(waiting));
        }
        loop {
            py.detach(|| thread::park_timeout(POLL));
            // First: what the last thread has found is there when none is left.
            let is_done = shared.running.load(Ordering::Acquire) == 0;
            let results = std::mem::take(&mut *lock(&shared.results));
            if !results.is_empty() {
                keep(results)?;
            }
            py.check_signals()?;
            if is_done {
                return Ok(());
            }
        }
    })
}

/// What was found for a position.
struct Label {
    /// In discs, for the side to move.
    value: f32,
    /// See [`values::index`]; -1 if the game is over.
    action: i8,
    depth: u8,
    /// In percent.
    confidence: u8,
    exact: bool,
    nodes: u64,
}

impl Label {
    /// As `LABEL` in the package describes them.
    fn bytes(&self) -> [u8; 17] {
        let mut bytes = [0; 17];
        bytes[..4].copy_from_slice(&self.value.to_le_bytes());
        bytes[4] = self.action.cast_unsigned();
        bytes[5..8].copy_from_slice(&[self.depth, self.confidence, self.exact.into()]);
        bytes[8..16].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[16] = 1;
        bytes
    }
}

/// How positions are labelled.
struct Labelling {
    rules: Rules,
    /// None: solved.
    limits: Option<Limits>,
    mode: SearchMode,
    evaluation: Evaluation,
    /// MiB of table, if it is not to follow from the position.
    hash: Option<usize>,
}

/// Searchers by the size of their table: making a table anew for each position would take longer than many a search.
type Searchers = Vec<(usize, Searcher)>;

impl Labelling {
    fn budget(&self, empties: u8) -> Budget {
        self.limits.map_or(Budget::UNLIMITED, |limits| limits.untimed(empties))
    }

    /// MiB of table that a search is worth.
    fn table_size(&self, empties: u8) -> usize {
        const MOST: usize = 64;
        let by_depth = |depth| match depth {
            ..=12 => 1,
            13..=16 => 4,
            17..=20 => 16,
            _ => MOST,
        };
        let solving = table_to_solve(self.rules, empties);
        let needed = self.budget(empties).depth.filter(|&depth| depth < empties).map_or(solving, by_depth);
        self.hash.unwrap_or(needed.min(MOST))
    }

    fn label(&self, searchers: &mut Searchers, position: Position, control: &Control) -> Label {
        let empties = position.empties().len() as u8;
        let size = self.table_size(empties);
        let at = searchers.iter().position(|&(mebibytes, _)| mebibytes == size).unwrap_or_else(|| {
            searchers.push((size, Searcher::new(1, size).with_evaluation(self.evaluation.clone()).batch()));
            searchers.len() - 1
        });
        let searcher = &mut searchers[at].1;
        // What it has seen before must not matter.
        searcher.clear();
        let task = Task { mode: self.mode, ..Task::new(position, self.rules) };
        let found = searcher.run(&task, control, &mut |_| {}).last;
        let line = found.lines.first();
        let result = || self.rules.result(position.board(), position.size()).into();
        let score: Score = line.map_or_else(result, |line| line.score);
        let sign = f32::from(score.units().signum());
        let action = line.and_then(|line| line.moves.first());
        Label {
            value: if self.mode == SearchMode::WinLossDraw { sign } else { score.discs() as f32 },
            action: action.map_or(-1, |&action| values::index(action, position.size()).cast_signed()),
            depth: found.depth,
            confidence: found.selectivity.percent(),
            exact: found.exact,
            nodes: control.nodes(),
        }
    }
}

/// Labels boards, and passes finished ones to `keep`: their numbers as int64, and records of 17 bytes.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the package gives them names")]
pub fn label(
    py: Python<'_>,
    boards: &[u8],
    size: i64,
    rules: &str,
    limits: Option<LimitsArgument>,
    wld: bool,
    weights: Option<&str>,
    hash: Option<usize>,
    threads: usize,
    keep: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let positions = positions(boards, values::size(size)?)?;
    let labelling = Labelling {
        rules: values::rules(rules)?,
        limits: limits.map(|limits| limits.limits()).transpose()?,
        mode: if wld { SearchMode::WinLossDraw } else { SearchMode::BestMove },
        evaluation: values::evaluation(weights)?,
        hash,
    };
    let stop = StopSwitch::default();
    let mut kept = 0;
    for_each(
        py,
        (positions.len(), threads),
        &stop,
        Searchers::new,
        |searchers, at| {
            let position = positions[at];
            let control = stop.control(&labelling.budget(position.empties().len() as u8))?;
            let label = labelling.label(searchers, position, &control);
            // Half of a search is no label.
            (!stop.is_stopped()).then_some(label)
        },
        |labels| {
            kept += labels.len();
            let numbers: Vec<u8> = labels.iter().flat_map(|&(at, _)| (at as u64).to_le_bytes()).collect();
            let records: Vec<u8> = labels.iter().flat_map(|(_, label)| label.bytes()).collect();
            keep.call1((PyBytes::new(py, &numbers), PyBytes::new(py, &records))).map(drop)
        },
    )?;
    if kept < positions.len() {
        return Err(PyRuntimeError::new_err("a search has failed; its message is on standard error"));
    }
    Ok(())
}

/// The static values of boards in discs for the side to move, as float32.
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    boards: &[u8],
    size: i64,
    rules: &str,
    weights: Option<&str>,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let (size, rules) = (values::size(size)?, values::rules(rules)?);
    let positions = positions(boards, size)?;
    let evaluator = values::evaluation(weights)?.evaluator(rules, size);
    let value = |position: &Position| {
        let of = |position: &Position| evaluator.evaluate(&PatternState::new(position.board()));
        let score = match position {
            _ if position.is_over() => rules.result(position.board(), size).into(),
            _ if position.must_pass() => -of(&position.with_side(position.side().opponent())),
            _ => of(position),
        };
        score.discs() as f32
    };
    let range = |at: usize| -> Range<usize> {
        let first = at * EVALUATED_AT_ONCE;
        first..(first + EVALUATED_AT_ONCE).min(positions.len())
    };
    let mut all = vec![0_f32; positions.len()];
    for_each(
        py,
        (positions.len().div_ceil(EVALUATED_AT_ONCE), threads),
        &StopSwitch::default(),
        || (),
        |(), at| Some(positions[range(at)].iter().map(value).collect::<Vec<_>>()),
        |batches| {
            batches.into_iter().for_each(|(at, values)| all[range(at)].copy_from_slice(&values));
            Ok(())
        },
    )?;
    let bytes: Vec<u8> = all.into_iter().flat_map(f32::to_le_bytes).collect();
    Ok(PyBytes::new(py, &bytes))
}
