//! An engine as a child process: its lines, its standard error and its end.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use parking_lot::Mutex;

use crate::os::kill_process_group;
use crate::stdio::{Input, read_lines_of};
use crate::time_source::Timestamp;

use super::journal::{Diagnostics, ForfeitReason};
use super::player::PlayerError;
use super::spec::EngineSpec;

/// Unread lines after which an engine has to wait.
const LINES_AHEAD: usize = 1024;

/// How long an engine may take to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// The process groups of all running engines, so that none outlives the match.
#[derive(Clone, Debug, Default)]
pub(super) struct ProcessGroups(Arc<Mutex<Groups>>);

#[derive(Debug, Default)]
struct Groups {
    /// Process ids of the leaders; other members may outlive them.
    leaders: BTreeSet<u32>,
    closed: bool,
}

impl ProcessGroups {
    /// Kills all engines with their own children. None can be started afterwards.
    pub(super) fn kill_all(&self) {
        let mut groups = self.0.lock();
        groups.closed = true;
        groups.leaders.iter().copied().for_each(kill_process_group);
    }

    /// Holds the lock while it starts the engine: `kill_all` either knows of it or prevents it.
    fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let mut groups = self.0.lock();
        if groups.closed {
            return Err(io::Error::other("the match is over"));
        }
        let child = command.spawn()?;
        groups.leaders.insert(child.id());
        Ok(child)
    }

    fn kill(&self, id: u32) {
        let mut groups = self.0.lock();
        if groups.leaders.remove(&id) {
            kill_process_group(id);
        }
    }
}

/// A process group of its own keeps Ctrl-C from the engine and lets its children be killed with it.
#[cfg(unix)]
fn start_process_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn start_process_group(_: &mut Command) {}

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
    processes: ProcessGroups,
    stderr: Option<StderrLog>,
}

impl EngineProcess {
    pub(super) fn start(
        engine: &EngineSpec,
        stderr: impl Into<Stdio>,
        processes: &ProcessGroups,
    ) -> io::Result<Self> {
        let (program, arguments) = engine.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        if let Some(directory) = &engine.directory {
            command.current_dir(directory);
        }
        start_process_group(&mut command);
        let mut child = processes.spawn(&mut command)?;
        let (input, output) = child.stdin.take().zip(child.stdout.take()).ok_or(io::ErrorKind::BrokenPipe)?;
        let id = child.id();
        let lines = read_lines_of(output, LINES_AHEAD)?;
        let ended = exit_status(child)?;
        Ok(Self { id, input: Some(input), lines, ended, processes: processes.clone(), stderr: None })
    }

    pub(super) fn with_stderr(mut self, log: StderrLog) -> Self {
        self.stderr = Some(log);
        self
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
            _ => self.stderr.as_ref().and_then(StderrLog::tail),
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
    thread::Builder::new().name("watcher".into()).spawn(wait)?;
    Ok(ended)
}

fn exit_text(status: ExitStatus) -> String {
    // Without a code it was a signal, which the standard library names.
    status.code().map_or_else(|| status.to_string(), |code| format!("exit code {code}"))
}

/// Where the standard error of an engine goes.
#[derive(Clone, Debug)]
pub(super) struct StderrLog {
    path: PathBuf,
    /// The length of the file before this engine was started.
    from: u64,
}

impl StderrLog {
    /// Opens the file of a player for appending. Each worker has its own, so that engines do not mix their lines.
    pub(super) fn open(folder: &Path, name: &str, worker: usize) -> io::Result<(Self, File)> {
        let path = stderr_path(folder, name, worker);
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let from = file.metadata()?.len();
        Ok((Self { path, from }, file))
    }

    /// The last lines of this engine, if any.
    fn tail(&self) -> Option<String> {
        const BYTES: u64 = 4096;
        let mut file = File::open(&self.path).ok()?;
        let end = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(self.from.max(end.saturating_sub(BYTES)))).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        last_lines(&String::from_utf8_lossy(&bytes))
    }
}

pub(super) fn stderr_path(folder: &Path, name: &str, worker: usize) -> PathBuf {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' }).collect();
    folder.join(if worker == 0 {
        format!("{plain}.stderr")
    } else {
        format!("{plain}.{}.stderr", worker + 1)
    })
}

const MAX_CHARACTERS: usize = 800;

/// The end of a text without control characters, which a terminal would obey.
fn last_lines(text: &str) -> Option<String> {
    const LINES: usize = 8;
    let plain = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
    let lines: Vec<String> = text.lines().map(|line| line.trim_end().chars().map(plain).collect()).collect();
    let last = lines[lines.len().saturating_sub(LINES)..].join("\n");
    let surplus = last.chars().count().saturating_sub(MAX_CHARACTERS);
    let kept: String = last.chars().skip(surplus).collect();
    (!kept.trim().is_empty()).then(|| kept.trim().to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_as_plain_text() {
        assert_eq!(last_lines(" \n"), None);
        assert_eq!(last_lines("a\x1b[31m\tb\r\nc\n").as_deref(), Some("a [31m b\nc"));
        let many: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let kept = last_lines(&many).expect("there is some");
        assert!(kept.starts_with("line 92\n") && kept.ends_with("line 99"), "{kept}");
        assert_eq!(last_lines(&"x".repeat(5000)).expect("there is some").len(), MAX_CHARACTERS);
    }
}
