//! Tests whether an engine follows its protocol, step by step.
//!
//! The measure is what clients rely on, above all GoGui, Quarry, NBoard and those of Fairy-Stockfish, not the text of a
//! standard.

mod games;
mod gtp;
mod nboard;
mod uci;

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use crate::rules::Rules;
use crate::terminal::interrupts::exit_on_interrupt;
use crate::time_source::Timestamp;

use super::player::PlayerError;
use super::process::{EngineProcess, ReceivedLine, RunningEngines, shortened};
use super::spec::{EngineSpec, PlayerProtocol};

/// For the first answer: the engine may load files. GoGui gives up after this time.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(15);

/// For answers without a search.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// For a move of an engine without time commands.
const MOVE_TIMEOUT: Duration = Duration::from_secs(60);

/// For stopping a search and for the end of the process.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// Before the expected line.
const MAX_STRAY_LINES: usize = 10_000;

#[derive(Clone, Debug)]
pub struct ComplianceConfig {
    pub engine: EngineSpec,
    pub rules: Rules,
    /// Per move.
    pub time: Duration,
    /// Added to every time limit, for a busy machine.
    pub margin: Duration,
}

/// Numbers of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComplianceSummary {
    pub passed: u32,
    pub failed: u32,
    /// Optional features that the engine does not have.
    pub skipped: u32,
}

impl fmt::Display for ComplianceSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Runs all steps and writes the table.
///
/// # Errors
/// If the table cannot be written or Ctrl-C not be handled.
pub fn run(config: ComplianceConfig, output: &mut impl Write) -> io::Result<ComplianceSummary> {
    let processes = RunningEngines::default();
    let of_handler = processes.clone();
    exit_on_interrupt(move || of_handler.kill_all())?;
    let protocol = config.engine.protocol;
    let engine = EngineConnection { config, processes, process: None };
    match protocol {
        PlayerProtocol::Gtp => run_steps(gtp::STEPS, gtp::GtpTester::new(engine), output),
        PlayerProtocol::NBoard => run_steps(nboard::STEPS, nboard::NBoardTester::new(engine), output),
        PlayerProtocol::Uci => run_steps(uci::STEPS, uci::UciTester::new(engine), output),
    }
}

enum StepFailure {
    Fail(String),
    /// The engine does not have this optional feature.
    Skip(String),
}

impl From<PlayerError> for StepFailure {
    fn from(fault: PlayerError) -> Self {
        let (_, detail) = fault.forfeit();
        Self::Fail(detail)
    }
}

/// `Ok` has details for the table, or is empty.
type StepResult = Result<String, StepFailure>;

fn fail<T>(detail: impl Into<String>) -> Result<T, StepFailure> {
    Err(StepFailure::Fail(detail.into()))
}

fn skip<T>(reason: impl Into<String>) -> Result<T, StepFailure> {
    Err(StepFailure::Skip(reason.into()))
}

fn pass() -> StepResult {
    Ok(String::new())
}

/// One step of the test of an engine through `T`.
struct ComplianceStep<T> {
    name: &'static str,
    /// Summary of what is sent.
    sent: &'static str,
    /// Expected behaviour.
    must: &'static str,
    check: fn(&mut T) -> StepResult,
}

const fn step<T>(
    name: &'static str,
    sent: &'static str,
    must: &'static str,
    check: fn(&mut T) -> StepResult,
) -> ComplianceStep<T> {
    ComplianceStep { name, sent, must, check }
}

trait Tester {
    fn engine(&mut self) -> &mut EngineConnection;
}

/// Of a protocol whose lines stand each for itself.
trait LineTester: Tester {
    /// The next line, or none at the timeout.
    fn next_line(&mut self, until: Timestamp) -> Result<Option<String>, StepFailure>;

    /// Waits for a line within the time and the margin. Returns the lines before it, and the line.
    fn await_line(
        &mut self,
        timeout: Duration,
        what: &str,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<(Vec<String>, String), StepFailure> {
        let timeout = self.engine().within(timeout);
        let until = Timestamp::now() + timeout;
        let mut before = Vec::new();
        for _ in 0..MAX_STRAY_LINES {
            match self.next_line(until)? {
                Some(line) if wanted(&line) => return Ok((before, line)),
                Some(line) => before.push(line),
                None => return fail(format!("no {what} within {:.1} s", timeout.as_secs_f64())),
            }
        }
        fail(format!("never stops writing instead of {what}"))
    }

    /// Fails if a line of the kind comes within a time.
    fn none_comes(
        &mut self,
        time: Duration,
        unwanted: impl Fn(&str) -> bool,
        after: &str,
    ) -> Result<(), StepFailure> {
        let until = Timestamp::now() + time;
        while let Some(line) = self.next_line(until)? {
            if unwanted(&line) {
                return fail(format!("'{}' comes after {after}", shortened(&line)));
            }
        }
        Ok(())
    }
}

/// If the first step fails, all others are skipped.
fn run_steps<T: Tester>(
    steps: &[ComplianceStep<T>],
    mut tester: T,
    output: &mut impl Write,
) -> io::Result<ComplianceSummary> {
    let width = steps.iter().map(|step| step.name.chars().count()).max().unwrap_or(0);
    let mut summary = ComplianceSummary::default();
    let mut answers = true;
    for (number, step) in (1..).zip(steps) {
        let verdict = if answers { (step.check)(&mut tester) } else { skip("the engine does not answer") };
        let (word, detail, count) = match &verdict {
            Ok(detail) => ("pass", detail, &mut summary.passed),
            Err(StepFailure::Fail(detail)) => ("FAIL", detail, &mut summary.failed),
            Err(StepFailure::Skip(reason)) => ("skip", reason, &mut summary.skipped),
        };
        *count += 1;
        let row = format!("{number:>3}  {:width$}  {word}  {detail}", step.name);
        writeln!(output, "{}", row.trim_end())?;
        if word == "FAIL" {
            writeln!(output, "     sent: {}; must: {}", step.sent, step.must)?;
            // A late answer would be taken for that of the next step.
            tester.engine().stop_engine();
            answers &= number > 1;
        }
        output.flush()?;
    }
    tester.engine().stop_engine();
    writeln!(output, "{summary}")?;
    Ok(summary)
}

/// Starts the engine when it is first needed.
struct EngineConnection {
    config: ComplianceConfig,
    processes: RunningEngines,
    process: Option<EngineProcess>,
}

impl EngineConnection {
    fn rules(&self) -> Rules {
        self.config.rules
    }

    /// Per move; clients send whole seconds.
    fn seconds(&self) -> u64 {
        (self.config.time.as_secs_f64().ceil() as u64).max(1)
    }

    /// A time limit with the margin.
    fn within(&self, limit: Duration) -> Duration {
        limit + self.config.margin
    }

    fn is_running(&self) -> bool {
        self.process.is_some()
    }

    fn process(&mut self) -> Result<&mut EngineProcess, StepFailure> {
        if self.process.is_none() {
            let Self { config, processes, .. } = self;
            let started = EngineProcess::start(&config.engine, None, processes);
            let process =
                started.map_err(|error| StepFailure::Fail(format!("cannot be started: {error}")))?;
            self.process = Some(process);
        }
        self.process.as_mut().ok_or_else(|| StepFailure::Fail("is not running".into()))
    }

    fn send(&mut self, line: &str) -> Result<(), StepFailure> {
        Ok(self.process()?.send(line)?)
    }

    fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), StepFailure> {
        Ok(self.process()?.send_bytes(bytes)?)
    }

    fn receive(&mut self, until: Timestamp) -> Result<ReceivedLine, StepFailure> {
        Ok(self.process()?.receive(until)?)
    }

    /// The next line, or none at the timeout.
    fn receive_any(&mut self, until: Timestamp) -> Result<Option<ReceivedLine>, StepFailure> {
        match self.process()?.receive(until) {
            Ok(heard) => Ok(Some(heard)),
            Err(PlayerError::Hang(_)) => Ok(None),
            Err(fault) => Err(fault.into()),
        }
    }

    fn await_end(&mut self) -> StepResult {
        let (start, limit) = (Timestamp::now(), self.within(STOP_TIMEOUT));
        match self.process.take() {
            Some(process) if !process.ends_before(start + limit) => {
                fail(format!("still running after {:.1} s", limit.as_secs_f64()))
            }
            _ => Ok(format!("ended after {:.3} s", start.elapsed().as_secs_f64())),
        }
    }

    /// Closes the input and waits for the process to end.
    fn end_input(&mut self) -> StepResult {
        self.process()?.close_input();
        self.await_end()
    }

    /// The next step starts a new process.
    fn stop_engine(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}
