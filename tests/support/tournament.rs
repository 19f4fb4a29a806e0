//! `ollehto match` as a process, and the mock engines it drives.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

pub use super::journal::Journal;
use super::process::{HANG_GUARD, OLLEHTO};

/// A match that takes longer hangs; nothing else is concluded from it.
const MATCH_GUARD: Duration = Duration::from_secs(900);

/// A process that stays for so long after the match is an orphan.
const ORPHAN_GUARD: Duration = HANG_GUARD;

/// What holds for every player, unless a test is about time: only a hang can use this up, however busy the machine is.
const PATIENCE: &str = "--margin 300 --hang 300";

/// A folder of a test's own; it goes with the test, unless that fails.
pub struct Folder(PathBuf);

impl Folder {
    /// Makes the folder.
    pub fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = format!("{name}-{}-{number}", process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file into it and tells its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.file(name), text).expect("a file can be written");
        self.text(name)
    }

    /// The path of a file in it, as an argument.
    pub fn text(&self, name: &str) -> String {
        self.file(name).to_str().expect("a plain path").to_owned()
    }

    /// Runs a command of the program to its end. `IN/` stands for the folder.
    #[track_caller]
    pub fn run(&self, command: &str) -> Finished {
        let inside = format!("{}/", self.0.to_str().expect("a plain path"));
        let words: Vec<String> =
            command.split_ascii_whitespace().map(|word| word.replace("IN/", &inside)).collect();
        Running::start(&words.iter().map(String::as_str).collect::<Vec<_>>()).wait()
    }

    /// What no other process has among its arguments.
    pub fn marker(&self) -> String {
        let name = self.0.file_name().expect("the folder has a name");
        format!("marker-{}", name.to_string_lossy())
    }

    /// The command line of a mock engine.
    pub fn mock(&self, options: &str) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mocks/mock.py");
        // Without a shell's path tricks, site packages and byte code files it starts in no time.
        format!("{} -BES {script} --marker {} {options}", *PYTHON, self.marker())
    }

    /// A mock engine as a player. Over NBoard, or without a command for it, nobody can tell it the rules.
    pub fn player(&self, name: &str, options: &str, limits: &str) -> String {
        let needs_assumption = options.contains("--nboard") || options.contains("plain");
        let assumption = if needs_assumption { ",assume=reversed" } else { "" };
        format!("{}{assumption}", self.untold_player(name, options, limits))
    }

    /// The same without anything assumed of it.
    pub fn untold_player(&self, name: &str, options: &str, limits: &str) -> String {
        let protocol = if options.contains("--nboard") { "nboard" } else { "gtp" };
        format!("cmd=\"{}\",proto={protocol},name={name},{limits}", self.mock(options))
    }

    /// The processes whose arguments contain the marker, with their arguments.
    pub fn processes(&self) -> Vec<(Pid, String)> {
        let marker = self.marker();
        let folders = fs::read_dir("/proc").expect("there is /proc").flatten();
        let processes = folders.filter_map(|folder| {
            let pid = Pid::from_raw(folder.file_name().to_str()?.parse().ok()?)?;
            // A process that ends meanwhile has no arguments any more.
            let line = fs::read(folder.path().join("cmdline")).ok()?;
            Some((pid, String::from_utf8_lossy(&line).replace('\0', " ")))
        });
        processes.filter(|(_, line)| line.split([' ', '"', '\'']).any(|word| word == marker)).collect()
    }

    /// Whether a program other than ours runs with the marker. A child of ours that is about to become another program
    /// still has our arguments.
    pub fn has_engine(&self) -> bool {
        self.processes().iter().any(|(_, line)| !line.starts_with(OLLEHTO))
    }

    /// Fails if a process with the marker stays.
    #[track_caller]
    pub fn expect_no_orphans(&self) {
        let begun = Instant::now();
        loop {
            let orphans = self.processes();
            if orphans.is_empty() {
                return;
            }
            assert!(begun.elapsed() < ORPHAN_GUARD, "orphans: {orphans:#?}");
            thread::yield_now();
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A test that fails because of orphans leaves none behind itself.
        for (pid, _) in self.processes() {
            let _ = kill_process(pid, Signal::KILL);
        }
        if !thread::panicking() {
            // What cannot be removed is in nobody's way.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

/// The interpreter itself: one of the wrappers that choose a version takes longer to start than a game.
static PYTHON: LazyLock<String> = LazyLock::new(|| {
    let output = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let output = output.expect("the mock engines need python3");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
});

/// A match that runs.
pub struct Running {
    arguments: Vec<String>,
    pid: Pid,
    end: Receiver<Output>,
    output: Option<Output>,
    /// The most memory it was ever seen to hold, in KiB.
    pub memory: u64,
}

impl Running {
    /// Starts `ollehto` in a process group of its own.
    pub fn start(arguments: &[&str]) -> Self {
        let child = Command::new(OLLEHTO)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {arguments:?}: {error}"));
        let pid = Pid::from_child(&child);
        let (send, end) = bounded(1);
        thread::spawn(move || {
            // Nobody may be left to hear of it.
            let _ = send.send(child.wait_with_output().expect("a started child can be waited for"));
        });
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        Self { arguments, pid, end, output: None, memory: 0 }
    }

    /// Waits for the end, but not for longer than this; whether it has come.
    pub fn ends_within(&mut self, time: Duration) -> bool {
        if self.output.is_none() {
            self.output = self.end.recv_timeout(time).ok();
        }
        self.output.is_some()
    }

    /// Waits until the condition holds or the match is over; whether it holds.
    pub fn until(&mut self, mut condition: impl FnMut() -> bool) -> bool {
        let begun = Instant::now();
        while !condition() {
            // Looking all the time would take the processor from those that are looked at.
            if self.ends_within(Duration::from_millis(1)) {
                return condition();
            }
            assert!(begun.elapsed() < MATCH_GUARD, "nothing happens in the match");
        }
        true
    }

    /// Sends a signal to the match alone.
    pub fn signal(&self, signal: Signal) {
        if self.output.is_none() {
            // It may end by itself at this very moment.
            let _ = kill_process(self.pid, signal);
        }
    }

    /// Sends a signal to the match and to whatever it has started in its group, as a terminal does.
    pub fn signal_group(&self, signal: Signal) {
        kill_process_group(self.pid, signal).expect("the group is there");
    }

    /// Waits for the end.
    #[track_caller]
    pub fn wait(&mut self) -> Finished {
        let begun = Instant::now();
        while !self.ends_within(Duration::from_millis(20)) {
            self.memory = self.memory.max(self.peak_memory().unwrap_or(0));
            if begun.elapsed() > MATCH_GUARD {
                self.signal(Signal::KILL);
                panic!("the match does not end");
            }
        }
        let output = self.output.as_ref().expect("it has just ended");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Finished {
            arguments: self.arguments.clone(),
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    fn peak_memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid.as_raw_nonzero())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
        line.split_ascii_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.ends_within(Duration::ZERO) {
            self.signal(Signal::KILL);
        }
    }
}

/// What a match left behind.
#[derive(Debug)]
pub struct Finished {
    /// What follows the program's name.
    pub arguments: Vec<String>,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    /// Fails the test unless the exit code is 0.
    #[track_caller]
    pub fn well(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }

    /// What was said of something that had to be refused.
    #[track_caller]
    pub fn refusal(self) -> String {
        assert!(self.code.is_some_and(|code| code != 0), "{self:#?}");
        assert!(!self.stderr.trim().is_empty(), "no explanation: {self:#?}");
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        self.stderr
    }
}

/// The arguments of a match: players, options, and the journal in the folder.
pub fn arguments(folder: &Folder, players: &[&str], options: &str) -> Vec<String> {
    let mut arguments = vec!["match".to_owned()];
    for player in players {
        arguments.extend(["--player".to_owned(), (*player).to_owned()]);
    }
    let patience = if options.contains("--margin") { "" } else { PATIENCE };
    arguments
        .extend([options, patience].iter().flat_map(|text| text.split_ascii_whitespace()).map(str::to_owned));
    arguments.extend(["--journal".to_owned(), folder.text("journal")]);
    arguments
}

/// Starts a match.
pub fn start(folder: &Folder, players: &[&str], options: &str) -> Running {
    let arguments = arguments(folder, players, options);
    Running::start(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Plays a match that must complete, and reads its journal.
#[track_caller]
pub fn play_match(folder: &Folder, players: &[&str], options: &str) -> (Finished, Journal) {
    let finished = start(folder, players, options).wait();
    assert_eq!(finished.code, Some(0), "{players:?} {options} ended with {finished:#?}");
    (finished, Journal::read(&folder.file("journal")))
}

/// Starts a match that must be refused with an explanation.
#[track_caller]
pub fn refused(folder: &Folder, players: &[&str], options: &str) -> String {
    start(folder, players, options).wait().refusal()
}
