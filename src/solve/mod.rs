//! Solving positions to the end of the game, one after the other.

mod input;
mod progress;
mod report;

use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, select_biased};
use serde::Serialize;

use crate::board::{Move, Position, Size};
use crate::eval::Evaluation;
use crate::os;
use crate::rules::Rules;
use crate::score::{Discs, Score};
use crate::search::{SearchMode, Searcher, Task, table_to_solve};
use crate::stdio::Input;

pub use crate::terminal::interrupts::EXIT_CODE as INTERRUPTED;
pub use input::{LineError, PositionSource};

use crate::terminal::interrupts::Interrupts;
use input::PositionToSolve;
use progress::Progress;
use report::SolutionWriter;

/// How solutions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolutionFormat {
    /// A table for people.
    Table,
    /// A line of JSON for each position.
    Json,
}

/// What to solve, and how.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Where the positions come from.
    pub source: PositionSource,
    /// Who wins.
    pub rules: Rules,
    /// The size of all boards.
    pub size: Size,
    /// Whether who wins is enough.
    pub wld: bool,
    /// How many threads search.
    pub threads: usize,
    /// Mebibytes of table; else as many as each position is worth.
    pub hash: Option<usize>,
    /// What moves are ordered by.
    pub weights: Evaluation,
    /// How solutions are written.
    pub format: SolutionFormat,
}

/// Mebibytes of table that are not taken without being asked for.
const MOST_UNASKED: usize = 64;

/// How a game ends for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WldResult {
    /// It wins.
    Win,
    /// Nobody does.
    Draw,
    /// It loses.
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

/// What was found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Solution {
    position: Position,
    rules: Rules,
    /// For the side to move: a proven value, a proven bound on the same side of a draw, or what the search believed when
    /// it was interrupted.
    score: Discs,
    /// The expected play.
    moves: Vec<Move>,
    nodes: u64,
    time: Duration,
    /// Processor time of all threads, if the system tells.
    processor: Option<Duration>,
    /// Whether the score is the result of perfect play.
    exact: bool,
    /// Who wins, if that was all the question and it is answered.
    outcome: Option<WldResult>,
    /// What the score should be, if that is known.
    known: Option<Discs>,
}

impl Solution {
    /// Whether the score is the known one; nothing if one of them is not known for certain.
    fn is_right(&self) -> Option<bool> {
        self.known.filter(|_| self.exact).map(|known| known == self.score)
    }
}

/// Why positions are left unsolved.
#[derive(Debug)]
pub enum SolveError {
    /// The source cannot be opened.
    Open(PositionSource, io::Error),
    /// Reading broke off.
    Read(PositionSource, io::Error),
    /// A line is no position.
    Line {
        /// Where it stands.
        source: PositionSource,
        /// Which line, from 1.
        number: usize,
        /// What is wrong with it.
        error: LineError,
    },
    /// The solutions cannot be written.
    Output(io::Error),
    /// The system refuses something else.
    System(io::Error),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(source, error) => {
                write!(f, "cannot open {source}: {error}; name a file of positions, or - for standard input")
            }
            Self::Read(source, error) => {
                write!(f, "cannot read {source}: {error}; name a file of positions, or - for standard input")
            }
            Self::Line { source, number, error } => write!(f, "{source}, line {number}: {error}"),
            Self::Output(error) => write!(f, "cannot write the solutions: {error}"),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SolveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Open(_, error) | Self::Read(_, error) | Self::Output(error) | Self::System(error) => {
                Some(error)
            }
            Self::Line { error, .. } => Some(error),
        }
    }
}

/// How the work came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveEnd {
    /// All positions are solved, and no value is other than known.
    Complete,
    /// All positions are solved, and so many values are other than known.
    Wrong(usize),
    /// The user has ended it.
    Interrupted,
}

/// Solves all positions and writes of each as soon as it is solved.
///
/// # Errors
/// If the positions cannot be read or the solutions not be written. What stands before a line that cannot be read is
/// solved nevertheless.
pub fn run(options: &SolveOptions, output: &mut impl Write) -> Result<SolveEnd, SolveError> {
    let lines = options.source.lines().map_err(|error| SolveError::Open(options.source.clone(), error))?;
    let interrupts = Interrupts::of_terminal().map_err(SolveError::System)?;
    solve_all(options, &lines, &interrupts, output)
}

fn solve_all(
    options: &SolveOptions,
    lines: &Receiver<io::Result<Input>>,
    interrupts: &Interrupts,
    output: &mut impl Write,
) -> Result<SolveEnd, SolveError> {
    let searcher = Searcher::new(options.threads, 0).with_evaluation(options.weights.clone()).batch();
    let mut solver = Solver { options, interrupts, searcher, mebibytes: 0 };
    let mut report = SolutionWriter::new(options, output);
    let end = solver.solve_lines(lines, &mut report);
    // What was solved is summed up whatever happened after it.
    if end.is_ok() || report.positions() > 0 {
        report.finish().map_err(SolveError::Output)?;
    }
    end?;
    Ok(match report.wrong() {
        _ if interrupts.is_raised() => SolveEnd::Interrupted,
        0 => SolveEnd::Complete,
        wrong => SolveEnd::Wrong(wrong),
    })
}

/// Solves one position after the other.
struct Solver<'a> {
    options: &'a SolveOptions,
    interrupts: &'a Interrupts,
    searcher: Searcher,
    /// The size of its table.
    mebibytes: usize,
}

impl Solver<'_> {
    /// Solves until the input ends or is no longer understood, or the user interrupts.
    fn solve_lines(
        &mut self,
        lines: &Receiver<io::Result<Input>>,
        report: &mut SolutionWriter<'_, impl Write>,
    ) -> Result<(), SolveError> {
        let source = || self.options.source.clone();
        for number in 1.. {
            let wrong = |error| SolveError::Line { source: source(), number, error };
            let line = select_biased! {
                recv(self.interrupts.arrived()) -> _ => return Ok(()),
                recv(lines) -> line => line.unwrap_or(Ok(Input::End)),
            };
            let problem = match line.map_err(|error| SolveError::Read(source(), error))? {
                Input::Line { text, .. } => input::parse(&text, self.options.size).map_err(wrong)?,
                Input::Overlong { length, .. } => return Err(wrong(LineError::Overlong(length))),
                Input::End => return Ok(()),
            };
            if let Some(problem) = problem {
                let solution = self.solve(report.positions() + 1, problem);
                report.add(&solution).map_err(SolveError::Output)?;
            }
        }
        Ok(())
    }

    /// Solves a position, as far as it is allowed to.
    fn solve(&mut self, number: usize, problem: PositionToSolve) -> Solution {
        let PositionToSolve { position, known } = problem;
        let SolveOptions { rules, wld, .. } = *self.options;
        let control = self.interrupts.control();
        self.clear_table(position);
        let progress = Progress::new(number, position.empties().len(), &control);
        let (start, busy) = (Instant::now(), os::process_time());
        let task = self.task(position);
        let outcome = self.searcher.run(&task, &control, &mut |iteration| progress.show(iteration));
        let time = start.elapsed();
        let processor = os::process_time().zip(busy).map(|(now, then)| now.saturating_sub(then));
        let last = outcome.last;
        let (score, moves) = match last.lines.into_iter().next() {
            Some(line) => (whole_discs(line.score), line.moves),
            None => (rules.result(position.board(), position.size()), Vec::new()),
        };
        // Asked for the outcome alone, a search may stop at a bound. A draw has no bound to stop at.
        let only_bound = wld && !moves.is_empty() && score != Discs(0);
        Solution {
            position,
            rules,
            score,
            moves,
            nodes: last.nodes,
            time,
            processor,
            exact: last.exact && !only_bound,
            outcome: (wld && last.exact).then(|| score.into()),
            known: known.filter(|_| rules == Rules::Standard && !wld),
        }
    }

    /// Empties the table and gives it the size for a position: what one costs must not depend on those before it.
    fn clear_table(&mut self, position: Position) {
        let SolveOptions { rules, hash, .. } = *self.options;
        let needed = || table_to_solve(rules, position.empties().len() as u8).min(MOST_UNASKED);
        let mebibytes = hash.unwrap_or_else(needed);
        if mebibytes == self.mebibytes {
            self.searcher.forget();
        } else {
            self.searcher.resize(mebibytes);
            self.mebibytes = mebibytes;
        }
    }

    /// What the search is asked.
    fn task(&self, position: Position) -> Task {
        let mode = if self.options.wld { SearchMode::WinLossDraw } else { SearchMode::BestMove };
        Task { mode, ..Task::new(position, self.options.rules) }
    }
}

/// A value in discs, as near as can be: those of finished searches are whole.
fn whole_discs(score: Score) -> Discs {
    Discs(score.discs().round() as i8)
}

#[cfg(test)]
mod tests;
