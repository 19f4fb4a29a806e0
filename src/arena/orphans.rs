//! The processes of an engine, wherever they have gone: children in a session of their own, and daemons that have
//! changed their parent. All inherit a mark in their environment.

use std::fmt;
use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const VARIABLE: &str = "OLLEHTO_REFEREE";

/// Told to one engine of this process. Its text begins with the mark of all engines of the process.
#[derive(Clone, Debug)]
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn next() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        Self(format!("{}{}.", of_process(process::id()), COUNT.fetch_add(1, Relaxed)))
    }

    pub(super) fn put_on(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0);
    }

    /// Kills all processes that bear it.
    pub(super) fn kill(&self) {
        kill_marked(&self.0);
    }
}

/// How the marks of all engines begin that a process has started.
fn of_process(id: u32) -> impl fmt::Display {
    format!("{id}.")
}

/// Kills all engines that a process has started, with their children.
pub fn kill_engines_of(id: u32) {
    kill_marked(&of_process(id).to_string());
}

/// Kills all processes whose mark begins so, those that they start meanwhile too.
#[cfg(target_os = "linux")]
fn kill_marked(mark: &str) {
    use std::collections::BTreeSet;
    let mut killed = BTreeSet::new();
    while marked(mark)
        .into_iter()
        .filter(|process| killed.insert(process.id))
        .map(|process| process.kill())
        .count()
        > 0
    {}
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(_: &str) {}

#[cfg(target_os = "linux")]
struct MarkedProcess {
    id: u32,
    /// Stays that of this process, even if another one gets its number.
    handle: rustix::fd::OwnedFd,
}

#[cfg(target_os = "linux")]
impl MarkedProcess {
    fn kill(&self) {
        // It may have ended by itself in this very moment.
        let _ = rustix::process::pidfd_send_signal(&self.handle, rustix::process::Signal::KILL);
    }
}

#[cfg(target_os = "linux")]
fn marked(mark: &str) -> Vec<MarkedProcess> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    let entry = format!("{VARIABLE}={mark}");
    let Ok(folders) = std::fs::read_dir("/proc") else { return Vec::new() };
    let process = |folder: std::fs::DirEntry| {
        let id: u32 = folder.file_name().to_str()?.parse().ok()?;
        // Opened before the mark is read, so that both are of the same process.
        let handle = pidfd_open(Pid::from_raw(id.try_into().ok()?)?, PidfdFlags::empty()).ok()?;
        // Other users' processes cannot be read. One that has ended has no environment.
        let environment = std::fs::read(folder.path().join("environ")).ok()?;
        let is_marked =
            environment.split(|&byte| byte == 0).any(|variable| variable.starts_with(entry.as_bytes()));
        is_marked.then_some(MarkedProcess { id, handle })
    };
    folders.flatten().filter_map(process).collect()
}
