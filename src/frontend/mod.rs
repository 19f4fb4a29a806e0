//! Protocols as state machines: a line or a report goes in, replies are written.

mod backlog;
mod cassio;
#[cfg(test)]
mod clock_tests;
mod deadline;
mod gtp;
mod nboard;
mod session;
mod uci;
mod xboard;

use std::fmt;
use std::io;
use std::thread;

use crossbeam_channel::{Receiver, TryRecvError};

pub use cassio::Cassio;
pub use gtp::Gtp;
pub use nboard::NBoard;
pub use session::{Begun, Session, Settings};
pub use uci::Uci;
pub use xboard::XBoard;

use crate::engine::SearchReport;
use crate::stdio::Input;
use crate::time_source::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Continue,
    Exit,
}

/// A protocol's side of a conversation. All methods fail if replies cannot be written.
pub trait Frontend {
    fn line(&mut self, text: &[u8], arrived: Timestamp) -> io::Result<Flow>;

    /// A line that is too long to be a command.
    fn overlong_line(&mut self, start: &[u8], length: usize) -> io::Result<Flow>;

    fn end_of_input(&mut self) -> io::Result<Flow>;

    fn report(&mut self, report: SearchReport) -> io::Result<Flow>;

    /// The searcher has panicked: tell the client that waits for an answer.
    fn searcher_died(&mut self) -> io::Result<()>;

    /// When to answer without waiting for the search any longer: after its deadline, if it has completed an
    /// iteration; otherwise at the latest moment.
    fn overdue_at(&self) -> Option<Timestamp>;

    /// That time has come.
    fn overdue(&mut self) -> io::Result<Flow>;

    fn reports(&self) -> Receiver<SearchReport>;

    /// Whether so many commands wait that no further line is to be read for now.
    fn is_congested(&self) -> bool;
}

#[derive(Debug)]
pub enum DriveError {
    SetUp(io::Error),
    Output(io::Error),
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

/// Runs a conversation, beginning with a line that was already read, until either side ends it. To be called by the
/// thread that has started the engine and the reader of the lines: they wake it.
///
/// # Errors
/// If the output fails or the searcher panics.
pub fn drive(
    frontend: &mut dyn Frontend,
    first: Option<Input>,
    lines: &Receiver<Input>,
) -> Result<(), DriveError> {
    let reports = frontend.reports();
    // None at the end of the input.
    let mut lines = Some(lines);
    let mut next = first;
    loop {
        let flow = match next.take() {
            Some(input) => {
                if matches!(input, Input::End) {
                    lines = None;
                }
                take(frontend, input)?
            }
            None => match reports.try_recv() {
                Ok(report) => frontend.report(report)?,
                Err(TryRecvError::Empty) => wait(frontend)?,
                Err(TryRecvError::Disconnected) => {
                    frontend.searcher_died()?;
                    return Err(DriveError::SearcherDied);
                }
            },
        };
        if flow == Flow::Exit {
            return Ok(());
        }
        next = lines.filter(|_| !frontend.is_congested()).and_then(|lines| match lines.try_recv() {
            Ok(input) => Some(input),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Input::End),
        });
    }
}

/// Sleeps until a line or report comes, or until the search is overdue.
///
/// A receiver of a channel yields the CPU several times before it sleeps. On a busy machine each yield costs a time slice,
/// and a thread that yields is not woken in time, as one that sleeps is.
fn wait(frontend: &mut dyn Frontend) -> io::Result<Flow> {
    let Some(at) = frontend.overdue_at() else {
        thread::park();
        return Ok(Flow::Continue);
    };
    let left = at.saturating_duration_since(Timestamp::now());
    if left.is_zero() {
        return frontend.overdue();
    }
    thread::park_timeout(left);
    Ok(Flow::Continue)
}

fn take(frontend: &mut dyn Frontend, input: Input) -> io::Result<Flow> {
    match input {
        Input::Line { text, arrived } => frontend.line(&text, arrived),
        Input::Overlong { start, length } => frontend.overlong_line(&start, length),
        Input::End => frontend.end_of_input(),
    }
}
