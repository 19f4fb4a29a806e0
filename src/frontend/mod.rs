//! The protocols as state machines: a line or a report goes in, replies are written.

#[cfg(test)]
mod clock_tests;
mod gtp;
mod nboard;
mod session;

use std::fmt;
use std::io;
use std::time::Duration;

use crossbeam_channel::{Receiver, after, never, select_biased};

pub use gtp::Gtp;
pub use nboard::NBoard;
pub use session::{Session, Settings};

use crate::engine::SearchReport;
use crate::stdio::Input;
use crate::time_source::Timestamp;

/// Whether to go on after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Wait for the next event.
    Continue,
    /// End the process.
    Exit,
}

/// A protocol in conversation.
pub trait Frontend {
    /// A line has come in.
    ///
    /// # Errors
    /// If replies cannot be written.
    fn line(&mut self, text: &[u8], arrived: Timestamp) -> io::Result<Flow>;

    /// A line has come in that is too long to be a command.
    ///
    /// # Errors
    /// If replies cannot be written.
    fn overlong_line(&mut self, start: &[u8], length: usize) -> io::Result<Flow>;

    /// No more lines will come.
    ///
    /// # Errors
    /// If replies cannot be written.
    fn end_of_input(&mut self) -> io::Result<Flow>;

    /// A search has something to tell.
    ///
    /// # Errors
    /// If replies cannot be written.
    fn report(&mut self, report: SearchReport) -> io::Result<Flow>;

    /// The searcher has died: say so to whoever waits for an answer.
    ///
    /// # Errors
    /// If replies cannot be written.
    fn searcher_died(&mut self) -> io::Result<()>;

    /// When to answer without waiting for the search any longer, if it has a clock and has told of a depth.
    fn overdue_at(&self) -> Option<Timestamp>;

    /// That instant has come.
    ///
    /// # Errors
    /// If replies cannot be written.
    fn overdue(&mut self) -> io::Result<Flow>;

    /// Where reports come from.
    fn reports(&self) -> Receiver<SearchReport>;
}

/// How long a search may take to tell its result after the end of its time. It takes as many microseconds, unless other
/// processes keep it from the processor: then whoever waits for it wakes up sooner than it goes on.
const GRACE: Duration = Duration::from_millis(1);

/// Why a conversation ended before its time.
#[derive(Debug)]
pub enum DriveError {
    /// It could not even begin.
    SetUp(io::Error),
    /// The output failed.
    Output(io::Error),
    /// The searcher panicked.
    SearcherDied,
}

impl From<io::Error> for DriveError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl fmt::Display for DriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SetUp(error) => error.fmt(f),
            Self::Output(error) => write!(f, "cannot write the answers: {error}"),
            Self::SearcherDied => f.write_str("the searcher has died of an internal error; please report it"),
        }
    }
}

impl std::error::Error for DriveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::SetUp(error) | Self::Output(error) => Some(error),
            Self::SearcherDied => None,
        }
    }
}

/// Carries on a conversation, begun by a line that was read already, until either side ends it.
///
/// # Errors
/// If the output fails or the searcher dies.
pub fn drive(
    frontend: &mut dyn Frontend,
    first: Option<Input>,
    lines: &Receiver<Input>,
) -> Result<(), DriveError> {
    let reports = frontend.reports();
    // Replaced once the input has ended: a closed channel would be ready for ever.
    let mut lines = lines.clone();
    if let Some(input) = first
        && take(frontend, input)? == Flow::Exit
    {
        return Ok(());
    }
    loop {
        let overdue = frontend
            .overdue_at()
            .map_or_else(never, |at| after(at.saturating_duration_since(Timestamp::now())));
        let flow = select_biased! {
            recv(lines) -> input => {
                let input = input.unwrap_or(Input::End);
                if matches!(input, Input::End) {
                    lines = never();
                }
                take(frontend, input)?
            }
            recv(reports) -> report => match report {
                Ok(report) => frontend.report(report)?,
                Err(_) => {
                    frontend.searcher_died()?;
                    return Err(DriveError::SearcherDied);
                }
            },
            recv(overdue) -> _ => frontend.overdue()?,
        };
        if flow == Flow::Exit {
            return Ok(());
        }
    }
}

fn take(frontend: &mut dyn Frontend, input: Input) -> io::Result<Flow> {
    match input {
        Input::Line { text, arrived } => frontend.line(&text, arrived),
        Input::Overlong { start, length } => frontend.overlong_line(&start, length),
        Input::End => frontend.end_of_input(),
    }
}
