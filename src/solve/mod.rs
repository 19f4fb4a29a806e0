//! `ollehto solve`: positions solved to the end of the game, one after the other.

mod checkpoint;
mod input;
mod report;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded, select_biased};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{Move, Position, Size};
use crate::eval::Evaluation;
use crate::os;
use crate::rules::Rules;
use crate::score::{Discs, Score};
use crate::search::{
    CompletedIteration, Control, Iteration, SearchMode, SearchResult, Searcher, Task, table_to_solve,
};
use crate::stdio::{Input, exit_with_output};
use crate::terminal::interrupts::Interrupts;
use crate::terminal::progress::SearchSpinner;

pub use crate::terminal::interrupts::EXIT_CODE as INTERRUPTED;
pub use checkpoint::CheckpointError;
pub use input::{LineError, PositionSource};

use checkpoint::{Checkpoint, Effort, SolveProgress};
use input::PositionToSolve;
use report::SolutionWriter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolutionFormat {
    Table,
    /// A line for each position.
    Json,
}

#[derive(Clone, Debug)]
pub struct SolveOptions {
    pub source: PositionSource,
    pub rules: Rules,
    pub size: Size,
    /// Win, draw or loss only.
    pub wld: bool,
    pub threads: usize,
    /// MiB of table; none: by position.
    pub hash: Option<usize>,
    pub weights: Evaluation,
    pub format: SolutionFormat,
    /// Where to save what is proven, and to continue from.
    pub resume: Option<PathBuf>,
    /// Between two saves while a position is solved.
    pub save_every: Duration,
}

/// How often it is saved that positions are solved, at most: a file of many easy ones is not to wait for the disk.
const SOLVED_SAVE_PAUSE: Duration = Duration::from_secs(1);

/// MiB of table that are taken at most unless told otherwise.
const MAX_DEFAULT_HASH: usize = 64;

/// For the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WldResult {
    Win,
    Draw,
    Loss,
}

impl From<Discs> for WldResult {
    fn from(discs: Discs) -> Self {
        match discs.0 {
            1.. => Self::Win,
            0 => Self::Draw,
            _ => Self::Loss,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Solution {
    position: Position,
    rules: Rules,
    /// For the side to move: proven, a proven bound on the same side of a draw, or the estimate at an interrupt.
    score: Discs,
    /// The best line.
    moves: Vec<Move>,
    nodes: u64,
    time: Duration,
    /// CPU time of all threads, if the system tells.
    processor: Option<Duration>,
    /// Whether the score is the result of perfect play.
    exact: bool,
    /// With `wld`, if it is proven.
    outcome: Option<WldResult>,
    /// The value in the input, if any.
    known: Option<Discs>,
}

impl Solution {
    /// None without a known value or an exact score.
    fn is_right(&self) -> Option<bool> {
        self.known.filter(|_| self.exact).map(|known| known == self.score)
    }
}

#[derive(Debug, Error)]
pub enum SolveError {
    #[error("cannot open {0}: {1}; name a file of positions, or - for standard input")]
    Open(PositionSource, #[source] io::Error),
    #[error("cannot read {0}: {1}; name a file of positions, or - for standard input")]
    Read(PositionSource, #[source] io::Error),
    /// Lines are counted from 1.
    #[error("{place}, line {number}: {error}")]
    Line { place: PositionSource, number: usize, error: LineError },
    #[error("{0}")]
    Checkpoint(#[from] CheckpointError),
    #[error("cannot write the solutions: {0}")]
    Output(#[source] io::Error),
    #[error("{0}")]
    System(#[source] io::Error),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveEnd {
    Complete,
    /// So many solutions differ from the known values.
    Wrong(usize),
    Interrupted,
}

/// Writes each solution as soon as it is there.
///
/// # Errors
/// If a position cannot be read, after the solutions of those before it; if a solution cannot be written, or the checkpoint
/// is of other positions.
pub fn run(options: &SolveOptions, output: &mut impl Write) -> Result<SolveEnd, SolveError> {
    // Before all threads, as it demands.
    let interrupts = Interrupts::of_terminal_and_batch().map_err(SolveError::System)?;
    // A solution may take hours: stop if nobody reads the output any more.
    exit_with_output().map_err(SolveError::System)?;
    let lines = options.source.lines(options.size);
    let lines = lines.map_err(|error| SolveError::Open(options.source.clone(), error))?;
    solve_all(options, &lines, &interrupts, output)
}

fn solve_all(
    options: &SolveOptions,
    lines: &Receiver<io::Result<Input>>,
    interrupts: &Interrupts,
    output: &mut impl Write,
) -> Result<SolveEnd, SolveError> {
    let mut solver = Solver::new(options, interrupts)?;
    let mut report = SolutionWriter::new(options, output);
    let end = solver.solve_lines(lines, &mut report);
    // The summary follows whatever happened.
    if end.is_ok() || report.positions() > 0 {
        report.finish().map_err(SolveError::Output)?;
    }
    solver.save_solved()?;
    end?;
    Ok(match report.wrong() {
        _ if interrupts.is_raised() => SolveEnd::Interrupted,
        0 => SolveEnd::Complete,
        wrong => SolveEnd::Wrong(wrong),
    })
}

struct Solver<'a> {
    options: &'a SolveOptions,
    interrupts: &'a Interrupts,
    searcher: Searcher,
    /// Of its table.
    mebibytes: usize,
    checkpoint: Option<Checkpoint>,
    /// When the first solution was found that is not saved yet.
    unsaved_since: Option<Instant>,
}

impl<'a> Solver<'a> {
    fn new(options: &'a SolveOptions, interrupts: &'a Interrupts) -> Result<Self, CheckpointError> {
        let searcher = Searcher::new(options.threads, 0).with_evaluation(options.weights.clone()).batch();
        let open = |path: &PathBuf| Checkpoint::open(path, options);
        let checkpoint = options.resume.as_ref().map(open).transpose()?;
        if let Some(summary) = checkpoint.as_ref().and_then(Checkpoint::summary) {
            eprintln!("continuing {summary}");
        }
        Ok(Self { options, interrupts, searcher, mebibytes: 0, checkpoint, unsaved_since: None })
    }

    fn solve_lines(
        &mut self,
        lines: &Receiver<io::Result<Input>>,
        report: &mut SolutionWriter<'_, impl Write>,
    ) -> Result<(), SolveError> {
        let source = self.options.source.clone();
        for number in 1.. {
            let wrong = |error| SolveError::Line { place: source.clone(), number, error };
            let line = select_biased! {
                recv(self.interrupts.arrived()) -> _ => return Ok(()),
                recv(lines) -> line => line.unwrap_or(Ok(Input::End)),
            };
            let problem = match line.map_err(|error| SolveError::Read(source.clone(), error))? {
                Input::Line { text, .. } => input::parse(&text, self.options.size).map_err(wrong)?,
                Input::Overlong { length, .. } => return Err(wrong(LineError::Overlong(length))),
                Input::End => return Ok(()),
            };
            if let Some(problem) = problem {
                let solution = self.solution(report.positions() + 1, problem)?;
                report.add(&solution).map_err(SolveError::Output)?;
            }
        }
        Ok(())
    }

    /// From the checkpoint if it is there. Numbers count from 1.
    fn solution(&mut self, number: usize, problem: PositionToSolve) -> Result<Solution, SolveError> {
        let saved = match &self.checkpoint {
            Some(checkpoint) => checkpoint.solution(number, problem.position)?.cloned(),
            None => None,
        };
        let known = problem.known.filter(|_| self.options.rules == Rules::Standard && !self.options.wld);
        let solution = match saved {
            Some(solution) => solution,
            None => self.solve(number, problem.position, &self.interrupts.control())?,
        };
        Ok(Solution { known, ..solution })
    }

    /// The solution is not exact after an interrupt.
    fn solve(
        &mut self,
        number: usize,
        position: Position,
        control: &Arc<Control>,
    ) -> Result<Solution, CheckpointError> {
        let SolveOptions { rules, wld, .. } = *self.options;
        self.clear_table(position);
        let progress = SearchSpinner::new(number, position.empties().len(), control);
        let (SearchResult { last }, effort) = self.search(position, control, &progress);
        let (score, moves) = match last.lines.into_iter().next() {
            Some(line) => (whole_discs(line.score), line.moves),
            None => (rules.result(position.board(), position.size()), Vec::new()),
        };
        // With `wld` a search may stop at a bound; a draw has none.
        let only_bound = wld && !moves.is_empty() && score != Discs(0);
        let Effort { nodes, time, processor } = effort;
        let solution = Solution {
            position,
            rules,
            score,
            moves,
            nodes,
            time,
            processor,
            exact: last.exact && !only_bound,
            outcome: (wld && last.exact).then(|| score.into()),
            known: None,
        };
        self.save(&solution, last.exact)?;
        Ok(solution)
    }

    /// Searches, and saves now and then what is proven so far. Returns the effort of this run and of earlier ones.
    fn search(
        &mut self,
        position: Position,
        control: &Arc<Control>,
        progress: &SearchSpinner,
    ) -> (SearchResult, Effort) {
        let task = self.task(position);
        let Self { searcher, checkpoint, .. } = self;
        let stopwatch = Stopwatch::start();
        let Some(checkpoint) = checkpoint else {
            let result = searcher.run(&task, control, &mut |iteration| progress.show(iteration));
            return (result, stopwatch.effort(control));
        };
        let (earlier, proven) = checkpoint.begin(position);
        searcher.continue_from(proven, earlier.completed);
        let table = searcher.table();
        let completed = Mutex::new(earlier.completed);
        let so_far = || {
            let effort = earlier.effort.plus(stopwatch.effort(control));
            SolveProgress { effort, completed: *completed.lock() }
        };
        let (running, ended) = bounded::<()>(0);
        let pause = self.options.save_every;
        let result = thread::scope(|scope| {
            let checkpoint = &mut *checkpoint;
            let save = || {
                while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    let bounds = checkpoint.collect(&table, so_far());
                    match checkpoint.save() {
                        Ok(()) => progress.println(format_args!("{bounds} bounds saved")),
                        // The disk may have room again next time.
                        Err(error) => progress.println(error),
                    }
                }
            };
            if let Err(error) = thread::Builder::new().name("checkpoint".into()).spawn_scoped(scope, save) {
                log::warn!("saving at the end only: {error}");
            }
            let result = searcher.run(&task, control, &mut |iteration: &Iteration| {
                progress.show(iteration);
                *completed.lock() = CompletedIteration::of(iteration);
            });
            drop(running);
            result
        });
        let SolveProgress { effort, completed } = so_far();
        if !result.last.exact {
            checkpoint.collect(&table, SolveProgress { effort, completed });
        }
        (result, effort)
    }

    /// Saves a solution soon, and the state of an interrupted search at once.
    fn save(&mut self, solution: &Solution, finished: bool) -> Result<(), CheckpointError> {
        let Some(checkpoint) = &mut self.checkpoint else { return Ok(()) };
        if !finished {
            self.unsaved_since = None;
            return checkpoint.save();
        }
        checkpoint.add_solved(solution.clone());
        let since = *self.unsaved_since.get_or_insert_with(Instant::now);
        if since.elapsed() >= SOLVED_SAVE_PAUSE || solution.time >= SOLVED_SAVE_PAUSE {
            self.save_solved()?;
        }
        Ok(())
    }

    fn save_solved(&mut self) -> Result<(), CheckpointError> {
        match &mut self.checkpoint {
            Some(checkpoint) if self.unsaved_since.take().is_some() => checkpoint.save(),
            _ => Ok(()),
        }
    }

    /// Clears the table and gives it the size for a position: nodes must not depend on earlier positions.
    fn clear_table(&mut self, position: Position) {
        let SolveOptions { rules, hash, .. } = *self.options;
        let needed = || table_to_solve(rules, position.empties().len() as u8).min(MAX_DEFAULT_HASH);
        let mebibytes = hash.unwrap_or_else(needed);
        if mebibytes == self.mebibytes {
            self.searcher.clear();
        } else {
            self.searcher.resize(mebibytes);
            self.mebibytes = mebibytes;
        }
    }

    fn task(&self, position: Position) -> Task {
        let mode = if self.options.wld { SearchMode::WinLossDraw } else { SearchMode::BestMove };
        Task { mode, ..Task::new(position, self.options.rules) }
    }
}

/// Wall time and CPU time since a search began.
struct Stopwatch {
    start: Instant,
    processor: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Self {
        Self { start: Instant::now(), processor: os::process_time() }
    }

    fn effort(&self, control: &Control) -> Effort {
        let processor = os::process_time().zip(self.processor).map(|(now, then)| now.saturating_sub(then));
        Effort { nodes: control.nodes(), time: self.start.elapsed(), processor }
    }
}

/// Rounded; scores of finished searches are whole.
fn whole_discs(score: Score) -> Discs {
    Discs(score.discs().round() as i8)
}

#[cfg(test)]
mod tests;
