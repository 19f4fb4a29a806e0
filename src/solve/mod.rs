//! `ollehto solve`: positions solved to the end of the game, one after the other.

mod bound;
mod checkpoint;
mod input;
mod jobs;
mod join;
mod proof;
mod report;
mod split;

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded, select_biased};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{Move, Position, Size};
use crate::eval::Evaluation;
use crate::notation;
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
pub use bound::{Bound, BoundError};
pub use checkpoint::CheckpointError;
pub use input::{LineError, PositionSource};
pub use jobs::{JobListError, QuestionError};
pub use join::{JoinError, ResultProblem};

use checkpoint::{Checkpoint, Effort, SolveProgress};
use input::PositionToSolve;
use jobs::{JobList, JobQuestion};
use join::{Completeness, join};
use proof::ProofTree;
use report::SolutionWriter;
use split::split;

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

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Question {
    position: Position,
    /// Whether this holds; none: the value.
    bound: Option<Bound>,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", notation::position_text(&self.position))?;
        self.bound.map_or(Ok(()), |bound| write!(f, "; {bound}"))
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
    /// What was asked of a job, and what is proven: the same or its negation.
    bound: Option<Bound>,
    proven: Option<Bound>,
    /// With `wld`, if it is proven.
    outcome: Option<WldResult>,
    /// The value in the input, if any.
    known: Option<Discs>,
}

impl Solution {
    const fn question(&self) -> Question {
        Question { position: self.position, bound: self.bound }
    }

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
    #[error("{0} has {1} positions: --split takes one")]
    NotOne(PositionSource, usize),
    #[error("{0}")]
    JobList(#[from] JobListError),
    #[error("{}: {error}", path.display())]
    Join { path: PathBuf, error: JoinError },
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

/// Writes a list of about so many jobs that decide the value of the one position of the input. A value to prove is
/// estimated if none is given.
///
/// # Errors
/// If there is not one position, it cannot be read, or the list cannot be written.
pub fn run_split(
    options: &SolveOptions,
    jobs: usize,
    value: Option<Discs>,
    output: &mut impl Write,
) -> Result<(), SolveError> {
    let root = only_position(options)?;
    let tree = ProofTree::new(options.rules, options.size);
    write_jobs(&split(root, tree, value, jobs, options), output)
}

/// Proves the value of the root of a list of jobs from their results, or writes the jobs of the next round.
///
/// # Errors
/// If the list or a result is wrong or, without a next round, missing.
pub fn run_join(
    options: &SolveOptions,
    results: &Path,
    jobs: &Path,
    next_round: Option<usize>,
    output: &mut impl Write,
) -> Result<JoinEnd, SolveError> {
    let mut list = JobList::read(jobs)?;
    let completeness = if next_round.is_some() { Completeness::Some } else { Completeness::All };
    let joined = join(results, &mut list, completeness)
        .map_err(|error| SolveError::Join { path: results.to_owned(), error })?;
    let text = notation::position_text(&list.root).to_string();
    let size = list.tree.size;
    match next_round {
        Some(wanted) => {
            eprintln!("{text}, {} rules: {joined}", list.tree.rules);
            if !joined.bounds.is_exact() {
                write_jobs(&split(list.root, list.tree, Some(list.value), wanted, options), output)?;
            }
        }
        None => {
            writeln!(output, "{text}, {} rules: {joined}", list.tree.rules).map_err(SolveError::Output)?;
            if !joined.bounds.is_exact() {
                let (results, jobs, count) = (results.display(), jobs.display(), list.jobs.len());
                eprintln!(
                    "The next round of jobs: ollehto solve --join {results} --jobs {jobs} --split {count} > NEXT; \
                     solve them with --size {}, and join them with --jobs NEXT",
                    size.side()
                );
            }
        }
    }
    Ok(if joined.bounds.is_exact() { JoinEnd::Proven } else { JoinEnd::Open })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinEnd {
    Proven,
    Open,
}

fn write_jobs(list: &JobList, output: &mut impl Write) -> Result<(), SolveError> {
    eprintln!("{} jobs to prove {} for the side to move", list.jobs.len(), list.value);
    output.write_all(list.text().as_bytes()).and_then(|()| output.flush()).map_err(SolveError::Output)
}

fn only_position(options: &SolveOptions) -> Result<Position, SolveError> {
    let source = &options.source;
    let lines = source.lines(options.size).map_err(|error| SolveError::Open(source.clone(), error))?;
    let mut positions = Vec::new();
    for (number, line) in (1..).zip(lines) {
        let wrong = |error| SolveError::Line { place: source.clone(), number, error };
        match line.map_err(|error| SolveError::Read(source.clone(), error))? {
            Input::Line { text, .. } => positions.extend(input::parse(&text, options.size).map_err(wrong)?),
            Input::Overlong { length, .. } => return Err(wrong(LineError::Overlong(length))),
            Input::End => break,
        }
    }
    match positions.as_slice() {
        [problem] => Ok(problem.position),
        _ => Err(SolveError::NotOne(source.clone(), positions.len())),
    }
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
                if let Some(JobQuestion { rules, .. }) = problem.job
                    && rules != self.options.rules
                {
                    return Err(wrong(LineError::Rules(rules)));
                }
                let solution = self.solution(report.positions() + 1, problem)?;
                report.add(&solution).map_err(SolveError::Output)?;
            }
        }
        Ok(())
    }

    /// From the checkpoint if it is there. Numbers count from 1.
    fn solution(&mut self, number: usize, problem: PositionToSolve) -> Result<Solution, SolveError> {
        let PositionToSolve { position, known, job } = problem;
        let question = Question { position, bound: job.map(|job| job.bound) };
        let saved = match &self.checkpoint {
            Some(checkpoint) => checkpoint.solution(number, question)?.cloned(),
            None => None,
        };
        let known = known.filter(|_| self.options.rules == Rules::Standard && !self.options.wld);
        let solution = match saved {
            Some(solution) => solution,
            None => self.solve(number, question, &self.interrupts.control())?,
        };
        Ok(Solution { known, ..solution })
    }

    /// The solution is not exact after an interrupt.
    fn solve(
        &mut self,
        number: usize,
        question: Question,
        control: &Arc<Control>,
    ) -> Result<Solution, CheckpointError> {
        let Question { position, bound } = question;
        let SolveOptions { rules, wld, .. } = *self.options;
        self.clear_table(position);
        let progress = SearchSpinner::new(number, position.empties().len(), control);
        let (SearchResult { last }, effort) = self.search(question, control, &progress);
        let (score, moves) = match last.lines.into_iter().next() {
            Some(line) => (whole_discs(line.score), line.moves),
            None => (rules.result(position.board(), position.size()), Vec::new()),
        };
        // With `wld` a search may stop at a bound; a draw has none.
        let only_bound = !moves.is_empty() && (bound.is_some() || wld && score != Discs(0));
        let proven = bound.filter(|_| last.exact);
        let proven = proven.map(|bound| if bound.holds_for(score) { bound } else { bound.negated() });
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
            bound,
            proven,
            outcome: (wld && bound.is_none() && last.exact).then(|| score.into()),
            known: None,
        };
        self.save(&solution, last.exact)?;
        Ok(solution)
    }

    /// Searches, and saves now and then what is proven so far. Returns the effort of this run and of earlier ones.
    fn search(
        &mut self,
        question: Question,
        control: &Arc<Control>,
        progress: &SearchSpinner,
    ) -> (SearchResult, Effort) {
        let task = self.task(question);
        let Self { searcher, checkpoint, .. } = self;
        let stopwatch = Stopwatch::start();
        let Some(checkpoint) = checkpoint else {
            let result = searcher.run(&task, control, &mut |iteration| progress.show(iteration));
            return (result, stopwatch.effort(control));
        };
        let (earlier, proven) = checkpoint.begin(question);
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

    fn task(&self, Question { position, bound }: Question) -> Task {
        let mode = match bound {
            Some(Bound::AtLeast(discs)) => SearchMode::AtLeast(discs),
            Some(Bound::AtMost(Discs(discs))) => SearchMode::AtLeast(Discs(discs + 1)),
            None if self.options.wld => SearchMode::WinLossDraw,
            None => SearchMode::BestMove,
        };
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
