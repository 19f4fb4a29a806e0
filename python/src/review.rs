//! Reviews of games.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ollehto::analyze::{GameInput, review_json};
use ollehto::game_reader::{Fault, ReadOptions, read_games};
use ollehto::review::{Analyzer, Review};
use ollehto::search::Searcher;
use ollehto::time_source::TimeSource;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::values::{self, LimitsArgument, wrong};
use crate::waiting::{DoneOnDrop, POLL, StopOnDrop, StopSwitch};

fn fault_error(fault: &Fault) -> PyErr {
    let column = fault.column.map_or_else(String::new, |column| format!(", column {column}"));
    PyValueError::new_err(format!("game: line {}{column}: {}", fault.line, fault.words()))
}

/// The one game of a text.
fn only_game(text: &str, rules: Option<&str>, size: Option<i64>) -> PyResult<GameInput> {
    let options =
        ReadOptions::new(rules.map(values::rules).transpose()?, size.map(values::size).transpose()?);
    let contents = read_games(text, &options);
    let of_games = contents.games.iter().filter_map(|game| game.fault.as_deref());
    if let Some(fault) = contents.faults.iter().chain(of_games).next() {
        return Err(fault_error(fault));
    }
    let count = contents.games.len();
    let mut games = contents.games.into_iter();
    match (games.next(), games.next()) {
        (Some(read), None) => Ok(GameInput { source: "game".into(), read }),
        _ => Err(wrong(
            "game",
            format!("{count} games instead of one: give moves such as f5d6c3, GGF or a position"),
        )),
    }
}

/// Reviews a game: moves, GGF or a position. The lines of JSON that `ollehto analyze --json` prints.
///
/// `progress` is called with the number of positions that are searched and of those to search.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the package gives them names")]
pub fn analyze(
    py: Python<'_>,
    game: &str,
    rules: Option<&str>,
    size: Option<i64>,
    limits: LimitsArgument,
    lines: usize,
    threads: usize,
    hash: usize,
    weights: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let input = only_game(game, rules, size)?;
    let searcher = Searcher::new(threads, hash).with_evaluation(values::evaluation(weights)?).batch();
    let mut analyzer = Analyzer::new(searcher, limits.limits()?, TimeSource::default());
    let mut review = Review::new(&input.read.game, lines);
    let all = review.positions_left();
    let stop = StopSwitch::default();
    let (searched, running) = (AtomicUsize::new(0), AtomicUsize::new(1));
    let waiting = thread::current();
    let review_all = || {
        let done = DoneOnDrop { running: &running, waiting };
        while let Some(task) = review.next_task() {
            let Some(control) = stop.control(&analyzer.budget(&task)) else { return };
            let found = analyzer.search_next(&review, &control, &mut |_| {});
            // Half of a search is no basis for a judgement.
            if stop.is_stopped() || !found.is_some_and(|found| review.record(&found)) {
                return;
            }
            searched.store(all - review.positions_left(), Ordering::Relaxed);
            done.waiting.unpark();
        }
    };
    thread::scope(|scope| {
        let _stop = StopOnDrop(&stop);
        scope.spawn(review_all);
        let mut told = None;
        loop {
            py.detach(|| thread::park_timeout(POLL));
            let is_done = running.load(Ordering::Acquire) == 0;
            let count = searched.load(Ordering::Relaxed);
            if let Some(progress) = progress.filter(|_| told != Some(count)) {
                progress.call1((count, all))?;
                told = Some(count);
            }
            py.check_signals()?;
            if is_done {
                return Ok::<_, PyErr>(());
            }
        }
    })?;
    Ok(review_json(input, review))
}
