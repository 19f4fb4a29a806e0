//! Whether a program keeps to its protocol: a table of steps, each with a verdict.
//!
//! What must hold is what the clients in use rely on, GoGui, Quarry and NBoard before all, not what a standard says.

mod games;
mod gtp;
mod nboard;

use std::fmt;
use std::io::{self, Write};
use std::process::Stdio;
use std::time::Duration;

use ollehto_protocol::Protocol;

use crate::rules::Rules;
use crate::terminal::interrupts::exit_on_interrupt;
use crate::time_source::Timestamp;

use super::player::PlayerError;
use super::process::{EngineProcess, ProcessGroups, ReceivedLine};
use super::spec::EngineSpec;

/// The first answer may take long: weights are loaded, tables made. GoGui gives up after this time.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(15);

/// How long anything else may take that needs no thought.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// How long an engine may think that cannot be told how long to.
const MOVE_TIMEOUT: Duration = Duration::from_secs(60);

/// What is done at once: stopping a search, ending.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// Lines that may come instead of the one waited for.
const MAX_STRAY_LINES: usize = 10_000;

/// Who is examined, and under what conditions.
#[derive(Clone, Debug)]
pub struct ComplianceConfig {
    /// The program and what it speaks.
    pub engine: EngineSpec,
    /// The rules it is to play by.
    pub rules: Rules,
    /// What it may spend on a move.
    pub time: Duration,
    /// How far over any time limit it may go: what a busy machine adds is not the engine's doing.
    pub margin: Duration,
}

/// How many steps came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComplianceSummary {
    /// Done as it must be.
    pub passed: u32,
    /// Done otherwise.
    pub failed: u32,
    /// Not offered by the engine, and it need not be.
    pub skipped: u32,
}

impl fmt::Display for ComplianceSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Examines an engine step by step and writes the table.
///
/// # Errors
/// If the table cannot be written, or the system refuses to tell of interrupts.
pub fn run(config: ComplianceConfig, output: &mut impl Write) -> io::Result<ComplianceSummary> {
    let processes = ProcessGroups::default();
    let of_handler = processes.clone();
    exit_on_interrupt(move || of_handler.kill_all())?;
    let protocol = config.engine.protocol;
    let engine = EngineConnection { config, processes, process: None };
    match protocol {
        Protocol::Gtp => run_steps(gtp::STEPS, gtp::GtpTester::new(engine), output),
        Protocol::NBoard => run_steps(nboard::STEPS, nboard::NBoardTester::new(engine), output),
    }
}

/// Why a step is not passed.
enum StepFailure {
    /// The engine does otherwise.
    Fail(String),
    /// The engine does not offer this.
    Skip(String),
}

impl From<PlayerError> for StepFailure {
    fn from(fault: PlayerError) -> Self {
        let (_, detail) = fault.forfeit();
        Self::Fail(detail)
    }
}

/// What a passed step has to tell, or why it is not passed.
type StepResult = Result<String, StepFailure>;

fn fail<T>(detail: impl Into<String>) -> Result<T, StepFailure> {
    Err(StepFailure::Fail(detail.into()))
}

fn skip<T>(reason: impl Into<String>) -> Result<T, StepFailure> {
    Err(StepFailure::Skip(reason.into()))
}

/// Nothing to add.
fn pass() -> StepResult {
    Ok(String::new())
}

/// One step of an config of `T`.
struct ComplianceStep<T> {
    name: &'static str,
    /// What is sent, in short.
    sent: &'static str,
    /// What must hold.
    must: &'static str,
    check: fn(&mut T) -> StepResult,
}

/// Somebody under config.
trait EngineUnderTest {
    /// Ends the process, so that the next step begins with a new one.
    fn stop_engine(&mut self);
}

/// Takes the steps in turn. The first is to see whether anybody is there at all.
fn run_steps<T: EngineUnderTest>(
    steps: &[ComplianceStep<T>],
    mut examined: T,
    output: &mut impl Write,
) -> io::Result<ComplianceSummary> {
    let width = steps.iter().map(|step| step.name.chars().count()).max().unwrap_or(0);
    let mut summary = ComplianceSummary::default();
    let mut is_there = true;
    for (number, step) in (1..).zip(steps) {
        let verdict = if is_there { (step.check)(&mut examined) } else { skip("nobody answers") };
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
            // An answer that is still to come would be taken for one to the next step.
            examined.stop_engine();
            is_there &= number > 1;
        }
        output.flush()?;
    }
    examined.stop_engine();
    writeln!(output, "{summary}")?;
    Ok(summary)
}

/// The way to the engine, which is started when it is first needed.
struct EngineConnection {
    config: ComplianceConfig,
    processes: ProcessGroups,
    process: Option<EngineProcess>,
}

impl EngineConnection {
    fn rules(&self) -> Rules {
        self.config.rules
    }

    /// The time of a move in the whole seconds that all clients send.
    fn seconds(&self) -> u64 {
        (self.config.time.as_secs_f64().ceil() as u64).max(1)
    }

    /// A time limit as this config applies it.
    fn within(&self, limit: Duration) -> Duration {
        limit + self.config.margin
    }

    fn is_running(&self) -> bool {
        self.process.is_some()
    }

    fn process(&mut self) -> Result<&mut EngineProcess, StepFailure> {
        if self.process.is_none() {
            let Self { config, processes, .. } = self;
            let started = EngineProcess::start(&config.engine, Stdio::null(), processes);
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

    /// The next line if one comes before a moment; an engine that is gone is at fault.
    fn receive_any(&mut self, until: Timestamp) -> Result<Option<ReceivedLine>, StepFailure> {
        match self.process()?.receive(until) {
            Ok(heard) => Ok(Some(heard)),
            Err(PlayerError::Hang(_)) => Ok(None),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Waits until the process ends by itself.
    fn await_end(&mut self) -> StepResult {
        let (start, limit) = (Timestamp::now(), self.within(STOP_TIMEOUT));
        match self.process.take() {
            Some(process) if !process.ends_before(start + limit) => {
                fail(format!("still runs after {:.1} s", limit.as_secs_f64()))
            }
            _ => Ok(format!("ended after {:.3} s", start.elapsed().as_secs_f64())),
        }
    }

    /// Ends the input, and waits until the process ends for it.
    fn end_input(&mut self) -> StepResult {
        self.process()?.close_input();
        self.await_end()
    }

    fn stop_engine(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}
