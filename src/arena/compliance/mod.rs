//! Whether a program keeps to its protocol: a table of steps, each with a verdict.
//!
//! What must hold is what the clients in use rely on, GoGui, Quarry and NBoard before all, not what a standard says.

mod games;
mod gtp;
mod nboard;

use std::fmt;
use std::io::{self, Write};
use std::process::{Stdio, exit};
use std::time::Duration;

use ollehto_protocol::Protocol;

use crate::rules::Rules;
use crate::time_source::Timestamp;

use super::player::Fault;
use super::process::{Children, EngineProcess, Heard};
use super::spec::External;

/// The first answer may take long: weights are loaded, tables made. GoGui gives up after this time.
const FIRST_PATIENCE: Duration = Duration::from_secs(15);

/// How long anything else may take that needs no thought.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long an engine may think that cannot be told how long to.
const LONGEST_THOUGHT: Duration = Duration::from_secs(60);

/// What is done at once: stopping a search, ending.
const AT_ONCE: Duration = Duration::from_secs(2);

/// Lines that may come instead of the one waited for.
const LONGEST_CHATTER: usize = 10_000;

/// Told to the shell when the user has ended the examination, as shells themselves do.
const INTERRUPTED: i32 = 130;

/// Who is examined, and under what conditions.
#[derive(Clone, Debug)]
pub struct Examination {
    /// The program and what it speaks.
    pub engine: External,
    /// The rules it is to play by.
    pub rules: Rules,
    /// What it may spend on a move.
    pub time: Duration,
    /// How far over any time limit it may go: what a busy machine adds is not the engine's doing.
    pub margin: Duration,
}

/// How many steps came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Done as it must be.
    pub passed: u32,
    /// Done otherwise.
    pub failed: u32,
    /// Not offered by the engine, and it need not be.
    pub skipped: u32,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Examines an engine step by step and writes the table.
///
/// # Errors
/// If the table cannot be written, or the system refuses to tell of interrupts.
pub fn run(examination: Examination, output: &mut impl Write) -> io::Result<Tally> {
    let children = Children::default();
    let of_handler = children.clone();
    ctrlc::set_handler(move || {
        of_handler.kill_all();
        exit(INTERRUPTED);
    })
    .map_err(io::Error::other)?;
    let protocol = examination.engine.protocol;
    let wire = Wire { examination, children, process: None };
    match protocol {
        Protocol::Gtp => conduct(gtp::STEPS, gtp::Gtp::new(wire), output),
        Protocol::NBoard => conduct(nboard::STEPS, nboard::NBoard::new(wire), output),
    }
}

/// Why a step is not passed.
enum Objection {
    /// The engine does otherwise.
    Fail(String),
    /// The engine does not offer this.
    Skip(String),
}

impl From<Fault> for Objection {
    fn from(fault: Fault) -> Self {
        let (_, detail) = fault.forfeit();
        Self::Fail(detail)
    }
}

/// What a passed step has to tell, or why it is not passed.
type Verdict = Result<String, Objection>;

fn fail<T>(detail: impl Into<String>) -> Result<T, Objection> {
    Err(Objection::Fail(detail.into()))
}

fn skip<T>(reason: impl Into<String>) -> Result<T, Objection> {
    Err(Objection::Skip(reason.into()))
}

/// Nothing to add.
fn fine() -> Verdict {
    Ok(String::new())
}

/// One step of an examination of `T`.
struct Step<T> {
    name: &'static str,
    /// What is sent, in short.
    sent: &'static str,
    /// What must hold.
    must: &'static str,
    check: fn(&mut T) -> Verdict,
}

/// Somebody under examination.
trait Examined {
    /// Ends the process, so that the next step begins with a new one.
    fn hang_up(&mut self);
}

/// Takes the steps in turn. The first is to see whether anybody is there at all.
fn conduct<T: Examined>(steps: &[Step<T>], mut examined: T, output: &mut impl Write) -> io::Result<Tally> {
    let width = steps.iter().map(|step| step.name.chars().count()).max().unwrap_or(0);
    let mut tally = Tally::default();
    let mut is_there = true;
    for (number, step) in (1..).zip(steps) {
        let verdict = if is_there { (step.check)(&mut examined) } else { skip("nobody answers") };
        let (word, detail, count) = match &verdict {
            Ok(detail) => ("pass", detail, &mut tally.passed),
            Err(Objection::Fail(detail)) => ("FAIL", detail, &mut tally.failed),
            Err(Objection::Skip(reason)) => ("skip", reason, &mut tally.skipped),
        };
        *count += 1;
        let row = format!("{number:>3}  {:width$}  {word}  {detail}", step.name);
        writeln!(output, "{}", row.trim_end())?;
        if word == "FAIL" {
            writeln!(output, "     sent: {}; must: {}", step.sent, step.must)?;
            // An answer that is still to come would be taken for one to the next step.
            examined.hang_up();
            is_there &= number > 1;
        }
        output.flush()?;
    }
    examined.hang_up();
    writeln!(output, "{tally}")?;
    Ok(tally)
}

/// The way to the engine, which is started when it is first needed.
struct Wire {
    examination: Examination,
    children: Children,
    process: Option<EngineProcess>,
}

impl Wire {
    fn rules(&self) -> Rules {
        self.examination.rules
    }

    /// The time of a move in the whole seconds that all clients send.
    fn seconds(&self) -> u64 {
        (self.examination.time.as_secs_f64().ceil() as u64).max(1)
    }

    /// A time limit as this examination applies it.
    fn within(&self, limit: Duration) -> Duration {
        limit + self.examination.margin
    }

    fn is_running(&self) -> bool {
        self.process.is_some()
    }

    fn process(&mut self) -> Result<&mut EngineProcess, Objection> {
        if self.process.is_none() {
            let Self { examination, children, .. } = self;
            let started = EngineProcess::start(&examination.engine, Stdio::null(), children);
            let process = started.map_err(|error| Objection::Fail(format!("cannot be started: {error}")))?;
            self.process = Some(process);
        }
        self.process.as_mut().ok_or_else(|| Objection::Fail("is not running".into()))
    }

    fn send(&mut self, line: &str) -> Result<(), Objection> {
        Ok(self.process()?.send(line)?)
    }

    fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), Objection> {
        Ok(self.process()?.send_bytes(bytes)?)
    }

    fn receive(&mut self, until: Timestamp) -> Result<Heard, Objection> {
        Ok(self.process()?.receive(until)?)
    }

    /// The next line if one comes before a moment; an engine that is gone is at fault.
    fn receive_any(&mut self, until: Timestamp) -> Result<Option<Heard>, Objection> {
        match self.process()?.receive(until) {
            Ok(heard) => Ok(Some(heard)),
            Err(Fault::Hang(_)) => Ok(None),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Waits until the process ends by itself.
    fn await_end(&mut self) -> Verdict {
        let (start, limit) = (Timestamp::now(), self.within(AT_ONCE));
        match self.process.take() {
            Some(process) if !process.ends_before(start + limit) => {
                fail(format!("still runs after {:.1} s", limit.as_secs_f64()))
            }
            _ => Ok(format!("ended after {:.3} s", start.elapsed().as_secs_f64())),
        }
    }

    /// Ends the input, and waits until the process ends for it.
    fn end_input(&mut self) -> Verdict {
        self.process()?.close_input();
        self.await_end()
    }

    fn hang_up(&mut self) {
        if let Some(process) = self.process.take() {
            process.dismiss();
        }
    }
}
