//! `ollehto solve`: positions solved to the end of the game, one after the other.

mod input;
mod report;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, select_biased};
use serde::Serialize;
use thiserror::Error;

use crate::board::{Move, Position, Size};
use crate::eval::Evaluation;
use crate::os;
use crate::rules::Rules;
use crate::score::{Discs, Score};
use crate::search::{SearchMode, Searcher, Task, table_to_solve};
use crate::stdio::Input;
use crate::terminal::interrupts::Interrupts;
use crate::terminal::progress::SearchSpinner;

pub use crate::terminal::interrupts::EXIT_CODE as INTERRUPTED;
pub use input::{LineError, PositionSource};

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
}

/// MiB of table that are taken at most unless told otherwise.
const MAX_DEFAULT_HASH: usize = 64;

/// For the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
/// If a position cannot be read, after the solutions of those before it; or if a solution cannot be written.
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
    // The summary follows whatever happened.
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

struct Solver<'a> {
    options: &'a SolveOptions,
    interrupts: &'a Interrupts,
    searcher: Searcher,
    /// Of its table.
    mebibytes: usize,
}

impl Solver<'_> {
    fn solve_lines(
        &mut self,
        lines: &Receiver<io::Result<Input>>,
        report: &mut SolutionWriter<'_, impl Write>,
    ) -> Result<(), SolveError> {
        let source = || self.options.source.clone();
        for number in 1.. {
            let wrong = |error| SolveError::Line { place: source(), number, error };
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

    /// The solution is not exact after an interrupt.
    fn solve(&mut self, number: usize, problem: PositionToSolve) -> Solution {
        let PositionToSolve { position, known } = problem;
        let SolveOptions { rules, wld, .. } = *self.options;
        let control = self.interrupts.control();
        self.clear_table(position);
        let progress = SearchSpinner::new(number, position.empties().len(), &control);
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
        // With `wld` a search may stop at a bound; a draw has none.
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

/// Rounded; scores of finished searches are whole.
fn whole_discs(score: Score) -> Discs {
    Discs(score.discs().round() as i8)
}

#[cfg(test)]
mod tests;
