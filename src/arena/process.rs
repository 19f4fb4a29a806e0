//! Another program as a process: its lines, its life and its end.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use parking_lot::Mutex;

use crate::os::kill_process_group;
use crate::stdio::{Input, read_lines_of};
use crate::time_source::Timestamp;

use super::error_log::ErrorLog;
use super::journal::{Diagnostics, ForfeitReason};
use super::player::PlayerError;
use super::spec::EngineSpec;

/// Lines that a program may be ahead of us before it has to wait.
const LINES_AHEAD: usize = 1024;

/// How long a program may take to end after it was told to.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// All programs that are running, so that none outlives the match.
#[derive(Clone, Debug, Default)]
pub struct ProcessGroups(Arc<Mutex<Groups>>);

#[derive(Debug, Default)]
struct Groups {
    /// Leaders of process groups; the members may outlive them.
    groups: BTreeSet<u32>,
    /// No more programs may be started.
    closed: bool,
}

impl ProcessGroups {
    /// Ends them all, with whatever they have started themselves, and lets none start any more.
    pub fn kill_all(&self) {
        let mut family = self.0.lock();
        family.closed = true;
        family.groups.iter().copied().for_each(kill_process_group);
    }

    /// Starts a program, unless it is too late for that. The lock is held all the while: a program is either known
    /// when all are killed, or never started.
    fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let mut family = self.0.lock();
        if family.closed {
            return Err(io::Error::other("the match is over"));
        }
        let child = command.spawn()?;
        family.groups.insert(child.id());
        Ok(child)
    }

    /// Ends a program with whatever it has started.
    fn kill(&self, id: u32) {
        let mut family = self.0.lock();
        if family.groups.remove(&id) {
            kill_process_group(id);
        }
    }
}

/// Each program leads a process group of its own: an interrupt from the terminal is ours alone to handle, and its own
/// children end with it.
#[cfg(unix)]
fn start_process_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn start_process_group(_: &mut Command) {}

/// A line with the time at which it came.
pub(super) struct ReceivedLine {
    pub(super) text: Vec<u8>,
    pub(super) at: Timestamp,
}

/// A running program. Dropping it ends it.
pub(super) struct EngineProcess {
    id: u32,
    input: Option<ChildStdin>,
    lines: Receiver<Input>,
    ended: Receiver<ExitStatus>,
    children: ProcessGroups,
    errors: Option<ErrorLog>,
}

impl EngineProcess {
    /// Starts a program, its standard error going where it is told to.
    pub(super) fn start(
        external: &EngineSpec,
        errors: impl Into<Stdio>,
        children: &ProcessGroups,
    ) -> io::Result<Self> {
        let (program, arguments) = external.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        if let Some(directory) = &external.directory {
            command.current_dir(directory);
        }
        start_process_group(&mut command);
        let mut child = children.spawn(&mut command)?;
        let (input, output) = child.stdin.take().zip(child.stdout.take()).ok_or(io::ErrorKind::BrokenPipe)?;
        let id = child.id();
        let lines = read_lines_of(output, LINES_AHEAD)?;
        let ended = watch(child)?;
        Ok(Self { id, input: Some(input), lines, ended, children: children.clone(), errors: None })
    }

    /// Remembers where its standard error goes.
    pub(super) fn with_errors(mut self, errors: ErrorLog) -> Self {
        self.errors = Some(errors);
        self
    }

    /// What is left to see of it after a fault.
    pub(super) fn diagnostics(&self, reason: ForfeitReason) -> Diagnostics {
        // One that has crashed may be about to end; any other fault has nothing to do with its end.
        let status = match reason {
            ForfeitReason::Crash => self.ended.recv_timeout(QUIT_TIMEOUT).ok(),
            _ => self.ended.try_recv().ok(),
        };
        let stderr = match reason {
            ForfeitReason::Resigned => None,
            _ => self.errors.as_ref().and_then(ErrorLog::tail),
        };
        Diagnostics { seconds: None, exit: status.map(exit_text), stderr }
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        // One write for the line and its end: a program that reads bytes sees them together.
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes as they are.
    pub(super) fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), PlayerError> {
        let input = self.input.as_mut().ok_or_else(|| PlayerError::Crash("has no input".into()))?;
        input.write_all(bytes).and_then(|()| input.flush()).map_err(|_| {
            let text = String::from_utf8_lossy(bytes);
            PlayerError::Crash(format!("does not read '{}' any more", shortened(text.trim_end())))
        })
    }

    /// Ends its input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Whether it ends by itself before a moment. What it still says is heard, lest it waits for room to say it.
    pub(super) fn ends_before(&self, until: Timestamp) -> bool {
        while self.receive(until).is_ok() {}
        self.ended.recv_timeout(until.saturating_duration_since(Timestamp::now())).is_ok()
    }

    /// The next line, awaited until a moment.
    pub(super) fn receive(&self, until: Timestamp) -> Result<ReceivedLine, PlayerError> {
        // A program that talks without end would always have another line ready.
        let now = Timestamp::now();
        if now > until {
            return Err(PlayerError::Hang("did not answer".into()));
        }
        match self.lines.recv_timeout(until - now) {
            Ok(Input::Line { text, arrived }) => Ok(ReceivedLine { text, at: arrived }),
            Ok(Input::Overlong { length, .. }) => {
                Err(PlayerError::Malformed(format!("wrote a line of {length} bytes")))
            }
            Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => {
                Err(PlayerError::Crash("has closed its output".into()))
            }
            Err(RecvTimeoutError::Timeout) => Err(PlayerError::Hang("did not answer".into())),
        }
    }

    /// Tells it to end and waits a little for that.
    pub(super) fn quit(mut self) {
        let _ = self.send("quit");
        self.close_input();
        let _ = self.ends_before(Timestamp::now() + QUIT_TIMEOUT);
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.input = None;
        // Even if it has ended by itself: something that it has started may not have.
        self.children.kill(self.id);
        let _ = self.ended.recv_timeout(QUIT_TIMEOUT);
    }
}

/// Waits for a process in a thread of its own: the only way to wait with a time limit and without asking again and
/// again.
fn watch(mut child: Child) -> io::Result<Receiver<ExitStatus>> {
    let (sender, ended) = bounded(1);
    let wait = move || {
        let status = child.wait();
        log::debug!("process {} has ended: {status:?}", child.id());
        if let Ok(status) = status {
            let _ = sender.send(status);
        }
    };
    thread::Builder::new().name("watcher".into()).spawn(wait)?;
    Ok(ended)
}

/// How a process ended, for a table.
fn exit_text(status: ExitStatus) -> String {
    // Without a code it was a signal, which the system has a name for.
    status.code().map_or_else(|| status.to_string(), |code| format!("exit code {code}"))
}

/// A text short enough for a message.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let plain: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    if plain.chars().count() <= LONGEST {
        plain
    } else {
        plain.chars().take(LONGEST).chain("…".chars()).collect()
    }
}
