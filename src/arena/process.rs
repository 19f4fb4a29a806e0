//! An engine as a child process: its lines and its end.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use parking_lot::Mutex;

use crate::os::ProcessGroup;
use crate::stdio::{Input, read_lines_of};
use crate::threads;
use crate::time_source::Timestamp;

use super::journal::{Diagnostics, ForfeitReason};
use super::orphans::Mark;
use super::player::PlayerError;
use super::spec::EngineSpec;
use super::stderr::StderrLog;

/// Unread lines after which an engine has to wait.
const LINES_AHEAD: usize = 1024;

/// How long an engine may take to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// All running engines with their children, so that none outlives the match.
#[derive(Clone, Debug, Default)]
pub(super) struct RunningEngines(Arc<Mutex<Engines>>);

#[derive(Debug, Default)]
struct Engines {
    by_id: BTreeMap<u32, EngineProcesses>,
    closed: bool,
}

/// An engine's processes: those of its group, and those that have left it.
#[derive(Debug)]
struct EngineProcesses {
    group: ProcessGroup,
    mark: Mark,
}

impl EngineProcesses {
    /// The group first, in one stroke.
    fn kill(&self) {
        self.group.kill();
        self.mark.kill();
    }
}

impl RunningEngines {
    /// Kills all engines with their own children. None can be started afterwards.
    pub(super) fn kill_all(&self) {
        let mut engines = self.0.lock();
        engines.closed = true;
        engines.by_id.values().for_each(EngineProcesses::kill);
    }

    /// Holds the lock while it starts the engine: `kill_all` either knows of it or prevents it.
    fn spawn(&self, command: &mut Command, memory: Option<u64>) -> io::Result<Child> {
        let mut engines = self.0.lock();
        if engines.closed {
            return Err(io::Error::other("the match is over"));
        }
        let mark = Mark::next();
        mark.put_on(command);
        let (child, group) = ProcessGroup::spawn(command, memory)?;
        engines.by_id.insert(child.id(), EngineProcesses { group, mark });
        Ok(child)
    }

    fn kill(&self, id: u32) {
        if let Some(processes) = self.0.lock().by_id.remove(&id) {
            processes.kill();
        }
    }
}

pub(super) struct ReceivedLine {
    pub(super) text: Vec<u8>,
    pub(super) arrived: Timestamp,
}

/// A running engine; killed on drop.
pub(super) struct EngineProcess {
    id: u32,
    input: Option<ChildStdin>,
    lines: Receiver<Input>,
    ended: Receiver<ExitStatus>,
    processes: RunningEngines,
    stderr: Option<StderrLog>,
}

impl EngineProcess {
    /// Keeps what it complains about in a file, if there is one.
    pub(super) fn start(
        engine: &EngineSpec,
        stderr: Option<File>,
        processes: &RunningEngines,
    ) -> io::Result<Self> {
        let (program, arguments) = engine.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(if stderr.is_some() { Stdio::piped() } else { Stdio::null() });
        if let Some(directory) = &engine.directory {
            // The error of the start itself would not tell whether the program or the folder is missing.
            std::fs::read_dir(directory).map_err(|error| {
                io::Error::new(error.kind(), format!("dir={}: {error}", directory.display()))
            })?;
            command.current_dir(directory);
        }
        let memory = engine.memory.map(|mebibytes| u64::from(mebibytes) << 20);
        let child = processes.spawn(&mut command, memory)?;
        let id = child.id();
        // Without its threads nobody could end it.
        Self::attach(child, stderr, processes).inspect_err(|_| processes.kill(id))
    }

    fn attach(mut child: Child, stderr: Option<File>, processes: &RunningEngines) -> io::Result<Self> {
        let (input, output) = child.stdin.take().zip(child.stdout.take()).ok_or(io::ErrorKind::BrokenPipe)?;
        let id = child.id();
        let stderr = child.stderr.take().zip(stderr);
        let stderr = stderr.map(|(stderr, file)| StderrLog::keep(stderr, file)).transpose()?;
        let lines = read_lines_of(output, LINES_AHEAD)?;
        let ended = exit_status(child)?;
        Ok(Self { id, input: Some(input), lines, ended, processes: processes.clone(), stderr })
    }

    /// Exit status and last lines on standard error after a forfeit.
    pub(super) fn diagnostics(&self, reason: ForfeitReason) -> Diagnostics {
        // A crashed engine may be about to end.
        let status = match reason {
            ForfeitReason::Crash => self.ended.recv_timeout(QUIT_TIMEOUT).ok(),
            _ => self.ended.try_recv().ok(),
        };
        let stderr = match reason {
            ForfeitReason::Resigned => None,
            ForfeitReason::Crash => self.stderr.as_ref().and_then(|log| log.last_lines(QUIT_TIMEOUT)),
            _ => self.stderr.as_ref().and_then(|log| log.last_lines(Duration::ZERO)),
        };
        Diagnostics { seconds: None, exit: status.map(exit_text), stderr }
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        // One write, for engines that read the pipe without waiting for the end of the line.
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    pub(super) fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), PlayerError> {
        let input = self.input.as_mut().ok_or_else(|| PlayerError::Crash("has no input".into()))?;
        input.write_all(bytes).and_then(|()| input.flush()).map_err(|_| {
            let text = String::from_utf8_lossy(bytes);
            PlayerError::Crash(format!("does not read '{}' any more", shortened(text.trim_end())))
        })
    }

    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Whether it exits in time. Its output is read meanwhile, so that it cannot block on a full pipe.
    pub(super) fn ends_before(&self, until: Timestamp) -> bool {
        while self.receive(until).is_ok() {}
        self.ended.recv_timeout(until.saturating_duration_since(Timestamp::now())).is_ok()
    }

    pub(super) fn receive(&self, until: Timestamp) -> Result<ReceivedLine, PlayerError> {
        // An engine that never stops writing always has another line ready.
        let now = Timestamp::now();
        if now > until {
            return Err(PlayerError::Hang("did not answer".into()));
        }
        match self.lines.recv_timeout(until - now) {
            Ok(Input::Line { text, arrived }) => Ok(ReceivedLine { text, arrived }),
            Ok(Input::Overlong { length, .. }) => {
                Err(PlayerError::Malformed(format!("wrote a line of {length} bytes")))
            }
            Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => {
                Err(PlayerError::Crash("has closed its output".into()))
            }
            Err(RecvTimeoutError::Timeout) => Err(PlayerError::Hang("did not answer".into())),
        }
    }

    /// The next line that passes the test, and when it arrived.
    pub(super) fn wait_for(
        &self,
        until: Timestamp,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> Result<(String, Timestamp), PlayerError> {
        loop {
            let ReceivedLine { text, arrived } = self.receive(until)?;
            let line = String::from_utf8_lossy(&text).trim().to_owned();
            if wanted(&line) {
                return Ok((line, arrived));
            }
        }
    }

    /// Sends `quit` and waits for a while.
    pub(super) fn quit(mut self) {
        let _ = self.send("quit");
        self.close_input();
        let _ = self.ends_before(Timestamp::now() + QUIT_TIMEOUT);
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.input = None;
        // Even if it has exited: its children may still run.
        self.processes.kill(self.id);
        let _ = self.ended.recv_timeout(QUIT_TIMEOUT);
    }
}

/// Waits for the process in a thread, which allows a time limit without polling.
fn exit_status(mut child: Child) -> io::Result<Receiver<ExitStatus>> {
    let (sender, ended) = bounded(1);
    let wait = move || {
        let status = child.wait();
        log::debug!("process {} has ended: {status:?}", child.id());
        if let Ok(status) = status {
            let _ = sender.send(status);
        }
    };
    threads::spawn("watcher", wait)?;
    Ok(ended)
}

fn exit_text(status: ExitStatus) -> String {
    // Without a code it was a signal, which the standard library names.
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
