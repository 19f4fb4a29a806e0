//! Solves positions one after the other, with a checkpoint if one is wanted.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded, select_biased};
use parking_lot::Mutex;

use crate::board::Position;
use crate::os;
use crate::rules::Rules;
use crate::score::{Discs, Score};
use crate::search::{
    CompletedIteration, Control, Iteration, SearchMode, SearchResult, Searcher, Task, table_to_solve,
};
use crate::stdio::Input;
use crate::terminal::interrupts::Interrupts;
use crate::terminal::progress::SearchSpinner;

use super::bound::Bound;
use super::checkpoint::{Checkpoint, CheckpointError, Effort, SolveProgress};
use super::input::{self, LineError, PositionToSolve};
use super::jobs::JobQuestion;
use super::report::SolutionWriter;
use super::{Question, Solution, SolveError, SolveOptions};

/// How often it is saved that positions are solved, at most: a file of many easy ones is not to wait for the disk.
const SOLVED_SAVE_PAUSE: Duration = Duration::from_secs(1);

/// MiB of table that are taken at most unless told otherwise.
const MAX_DEFAULT_HASH: usize = 64;

pub(super) struct Solver<'a> {
    options: &'a SolveOptions,
    interrupts: &'a Interrupts,
    searcher: Searcher,
    /// Of its table.
    mebibytes: usize,
    checkpoint: Option<Checkpoint>,
    /// When the first solution was found that is not saved yet.
    unsaved_since: Option<Instant>,
}

/// A solution, and what is to be saved of it.
enum Found {
    Saved(Solution),
    New { solution: Solution, finished: bool },
}

impl Found {
    const fn solution(&self) -> &Solution {
        match self {
            Self::Saved(solution) | Self::New { solution, .. } => solution,
        }
    }
}

impl<'a> Solver<'a> {
    pub(super) fn new(
        options: &'a SolveOptions,
        interrupts: &'a Interrupts,
    ) -> Result<Self, CheckpointError> {
        let searcher = Searcher::new(options.threads, 0).with_evaluation(options.weights.clone()).batch();
        let open = |path: &PathBuf| Checkpoint::open(path, options);
        let checkpoint = options.resume.as_ref().map(open).transpose()?;
        if let Some(summary) = checkpoint.as_ref().and_then(Checkpoint::summary) {
            eprintln!("continuing {summary}");
        }
        Ok(Self { options, interrupts, searcher, mebibytes: 0, checkpoint, unsaved_since: None })
    }

    pub(super) fn solve_lines(
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
                let found = self.solution(report.positions() + 1, problem)?;
                // Before it is saved: it must not be lost if the disk is full.
                report.add(found.solution()).map_err(SolveError::Output)?;
                self.save(found)?;
            }
        }
        Ok(())
    }

    /// From the checkpoint if it is there. Numbers count from 1.
    fn solution(&mut self, number: usize, problem: PositionToSolve) -> Result<Found, SolveError> {
        let PositionToSolve { position, known, job } = problem;
        let question = Question { position, bound: job.map(|job| job.bound) };
        let saved = match &self.checkpoint {
            Some(checkpoint) => checkpoint.solution(number, question)?.cloned(),
            None => None,
        };
        let known = known.filter(|_| self.options.rules == Rules::Standard && !self.options.wld);
        Ok(match saved {
            Some(solution) => Found::Saved(Solution { known, ..solution }),
            None => {
                let (solution, finished) = self.solve(number, question, &self.interrupts.control());
                Found::New { solution: Solution { known, ..solution }, finished }
            }
        })
    }

    /// The solution, and whether the search was finished: it is not exact after an interrupt.
    fn solve(&mut self, number: usize, question: Question, control: &Arc<Control>) -> (Solution, bool) {
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
        (solution, last.exact)
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
    fn save(&mut self, found: Found) -> Result<(), CheckpointError> {
        let (Some(checkpoint), Found::New { solution, finished }) = (&mut self.checkpoint, found) else {
            return Ok(());
        };
        if !finished {
            self.unsaved_since = None;
            return checkpoint.save();
        }
        let time = solution.time;
        checkpoint.add_solved(Solution { known: None, ..solution });
        let since = *self.unsaved_since.get_or_insert_with(Instant::now);
        if since.elapsed() >= SOLVED_SAVE_PAUSE || time >= SOLVED_SAVE_PAUSE {
            self.save_solved()?;
        }
        Ok(())
    }

    pub(super) fn save_solved(&mut self) -> Result<(), CheckpointError> {
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
pub(super) fn whole_discs(score: Score) -> Discs {
    Discs(score.discs().round() as i8)
}

#[cfg(test)]
pub(super) mod tests;
