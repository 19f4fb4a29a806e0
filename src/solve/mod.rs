//! `ollehto solve`: positions solved to the end of the game, one after the other.

mod bound;
mod checkpoint;
mod input;
mod jobs;
mod join;
mod proof;
mod records;
mod report;
mod solver;
mod split;

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::Receiver;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{Move, Position, Size};
use crate::eval::Evaluation;
use crate::notation;
use crate::rules::Rules;
use crate::score::Discs;
use crate::stdio::{Input, exit_with_output};
use crate::terminal::interrupts::Interrupts;

pub use crate::terminal::interrupts::EXIT_CODE as INTERRUPTED;
pub use bound::{Bound, BoundError};
pub use checkpoint::CheckpointError;
pub use input::{LineError, PositionSource, PositionToSolve, parse as parse_position};
pub use jobs::{JobListError, QuestionError};
pub use join::{JoinError, ResultProblem};

use checkpoint::Checkpoint;
use jobs::JobList;
use join::{Completeness, join};
use proof::ProofTree;
use report::SolutionWriter;
use solver::Solver;
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

/// The checkpoint that `bytes` are, as it would be saved; the path is for messages.
///
/// # Errors
/// If it is none of these settings, or damaged.
pub fn read_checkpoint(path: &Path, bytes: &[u8], options: &SolveOptions) -> Result<String, CheckpointError> {
    Checkpoint::read(path, bytes, options).map(|checkpoint| checkpoint.text())
}

/// The list of jobs that `bytes` are, as it would be written; the path is for messages.
///
/// # Errors
/// If it is none, or was altered.
pub fn read_jobs(path: &Path, bytes: Vec<u8>) -> Result<String, JobListError> {
    JobList::read_bytes(path, bytes).map(|list| list.text())
}

/// What results prove of a list of jobs, some of them perhaps without a result, in words; the path is for messages.
///
/// # Errors
/// If either cannot be read, was altered, or does not fit the other.
pub fn read_results(path: &Path, list: Vec<u8>, results: &str) -> Result<String, SolveError> {
    let mut list = JobList::read_bytes(path, list)?;
    let joined = join::join_text(results, &mut list, Completeness::Some);
    match joined {
        Ok(joined) => Ok(joined.to_string()),
        Err(error) => Err(SolveError::Join { path: path.to_owned(), error }),
    }
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
