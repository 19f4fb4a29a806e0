//! A program at the other end of three pipes.
//!
//! Threads of their own read both outputs and wait for the end, so that a test never blocks without
//! a limit, and every failure shows the last lines that went either way.

use std::collections::VecDeque;
use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError, bounded, unbounded};
use rustix::process::{Pid, Signal, kill_process};

/// The engine under test.
pub const OLLEHTO: &str = env!("CARGO_BIN_EXE_ollehto");

/// No answer for so long is a hang; nothing else is concluded from it. No machine is so busy that an answer takes this
/// long.
pub const HANG_GUARD: Duration = Duration::from_secs(300);

/// The path of a program that others wrote. Where it is not installed, a line that begins with `SKIPPED` says so;
/// `.ci/run` repeats these lines at its end.
pub fn find_program(name: &str, package: &str) -> Option<String> {
    let path = env::var_os("PATH").unwrap_or_default();
    // Debian puts games where not every path leads.
    let mut folders = env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    if let Some(folder) = folders.find(|folder| folder.join(name).is_file()) {
        return Some(folder.join(name).to_str().expect("a plain path").to_owned());
    }
    let current = thread::current();
    let test = current.name().unwrap_or_default();
    // Not by `eprintln!`: the harness hides what a passing test prints by it.
    let _ = writeln!(io::stderr(), "SKIPPED {test}: {name} is not installed (Debian: apt install {package})");
    None
}

/// How many lines of traffic a failure message shows.
const SHOWN_LINES: usize = 60;

/// How much of one line a failure message shows.
const SHOWN_CHARACTERS: usize = 240;

/// What the reading thread found on stdout.
enum Output {
    Line(String),
    /// The last bytes had no end of line.
    Torn(String),
}

/// A running program.
pub struct Process {
    name: String,
    pid: Pid,
    input: Option<ChildStdin>,
    output: Receiver<Output>,
    errors: Receiver<String>,
    exit: Receiver<ExitStatus>,
    status: Option<ExitStatus>,
    traffic: VecDeque<String>,
}

/// Starts a program with all three streams piped.
pub fn launch(program: &str, arguments: &[&str]) -> Child {
    launch_with(program, arguments, &[])
}

/// The same with these variables in its environment.
fn launch_with(program: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Child {
    Command::new(program)
        .args(arguments)
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {program} {arguments:?}: {error}"))
}

impl Process {
    /// Starts the engine under test.
    pub fn ollehto(arguments: &[&str]) -> Self {
        Self::start(OLLEHTO, arguments)
    }

    /// Starts the engine under test with these variables in its environment.
    pub fn ollehto_with(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        Self::of(launch_with(OLLEHTO, arguments, variables), OLLEHTO, arguments)
    }

    /// Starts any program.
    pub fn start(program: &str, arguments: &[&str]) -> Self {
        Self::of(launch(program, arguments), program, arguments)
    }

    fn of(mut child: Child, program: &str, arguments: &[&str]) -> Self {
        let stdout = child.stdout.take().expect("stdout is piped");
        let (send_output, output) = unbounded();
        thread::spawn(move || read_lines(stdout, |line| send_output.send(line).is_ok()));
        Self::around(child, output, format!("{program} {}", arguments.join(" ")))
    }

    /// Starts the engine with a stdout that nobody reads; dropping the second value closes it.
    pub fn ollehto_unread(arguments: &[&str]) -> (Self, impl Read + use<>) {
        let mut child = launch(OLLEHTO, arguments);
        let stdout = child.stdout.take().expect("stdout is piped");
        let (_, output) = unbounded();
        (Self::around(child, output, format!("{OLLEHTO} {}", arguments.join(" "))), stdout)
    }

    fn around(mut child: Child, output: Receiver<Output>, name: String) -> Self {
        let pid = Pid::from_child(&child);
        let input = child.stdin.take();
        let mut stderr = child.stderr.take().expect("stderr is piped");
        let (send_errors, errors) = bounded(1);
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // A read that fails ends the text; what came before is still worth showing.
            let _ = stderr.read_to_end(&mut bytes);
            let _ = send_errors.send(String::from_utf8_lossy(&bytes).into_owned());
        });
        let (send_exit, exit) = bounded(1);
        thread::spawn(move || {
            let status = child.wait().expect("a started child can be waited for");
            let _ = send_exit.send(status);
        });
        Self { name, pid, input, output, errors, exit, status: None, traffic: VecDeque::new() }
    }

    /// The process id.
    pub fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid, signal).expect("it runs");
    }

    /// Waits until the process has computed for a while: one that waits for input never does.
    #[track_caller]
    pub fn wait_until_busy(&self) {
        let busy = || {
            let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid())).unwrap_or_default();
            let after_name = stat.rsplit(')').next().unwrap_or_default();
            let ticks = after_name.split_whitespace().nth(11).and_then(|ticks| ticks.parse::<u64>().ok());
            ticks.unwrap_or_else(|| self.fail("the process has ended"))
        };
        let (before, start) = (busy(), Instant::now());
        while busy() < before + 5 {
            if !self.exit.is_empty() {
                self.fail("the process has ended");
            }
            if start.elapsed() > HANG_GUARD {
                self.fail("the process does not compute: it hangs");
            }
            thread::yield_now();
        }
    }

    /// Writes a line.
    #[track_caller]
    pub fn send(&mut self, line: &str) {
        self.note("> ", line);
        self.write(format!("{line}\n").as_bytes());
    }

    /// Writes bytes as they are.
    #[track_caller]
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.note("> ", &String::from_utf8_lossy(bytes));
        self.write(bytes);
    }

    #[track_caller]
    fn write(&mut self, bytes: &[u8]) {
        let Some(input) = self.input.as_mut() else { self.fail("the test has closed the input already") };
        if let Err(error) = input.write_all(bytes).and_then(|()| input.flush()) {
            self.fail(&format!("the process does not take its input: {error}"));
        }
    }

    /// Ends the input.
    pub fn close_input(&mut self) {
        self.note("> ", "(end of input)");
        self.input = None;
    }

    /// The next line of output, or nothing after the last one.
    #[track_caller]
    pub fn receive(&mut self) -> Option<String> {
        match self.output.recv_timeout(HANG_GUARD) {
            Ok(output) => Some(self.take(output)),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("no output: it hangs"),
        }
    }

    /// The next line of output if it is there already.
    #[track_caller]
    pub fn receive_now(&mut self) -> Option<String> {
        match self.output.try_recv() {
            Ok(output) => Some(self.take(output)),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => None,
        }
    }

    #[track_caller]
    fn take(&mut self, output: Output) -> String {
        let line = match output {
            Output::Line(line) => line,
            Output::Torn(line) => self.fail(&format!("the output ends within the line {line:?}")),
        };
        self.note("< ", &line);
        if line.bytes().any(|byte| !(b' '..=b'~').contains(&byte)) {
            self.fail(&format!("{line:?} is not plain printable ASCII"));
        }
        line
    }

    /// Waits for the end of the process.
    #[track_caller]
    pub fn wait(&mut self) -> ExitStatus {
        if self.status.is_none() {
            match self.exit.recv_timeout(HANG_GUARD) {
                Ok(status) => self.status = Some(status),
                Err(_) => self.fail("the process does not end"),
            }
        }
        self.status.expect("it was just received")
    }

    /// Ends the input and demands a good end without another line of output.
    #[track_caller]
    pub fn finish(&mut self) {
        self.close_input();
        if let Some(line) = self.receive() {
            self.fail(&format!("unexpected last line {line:?}"));
        }
        let status = self.wait();
        if !status.success() {
            self.fail(&format!("the process ended with {status}"));
        }
    }

    /// Everything the process has written to stderr; waits for it to end.
    #[track_caller]
    pub fn stderr(&mut self) -> String {
        match self.errors.recv_timeout(HANG_GUARD) {
            Ok(text) => text,
            Err(_) => self.fail("stderr does not end"),
        }
    }

    fn note(&mut self, direction: &str, line: &str) {
        if self.traffic.len() == SHOWN_LINES {
            self.traffic.pop_front();
        }
        let line: String = line.chars().take(SHOWN_CHARACTERS).collect();
        self.traffic.push_back(format!("{direction}{line}"));
    }

    /// Fails the test with what went over the wire.
    #[track_caller]
    pub fn fail(&self, problem: &str) -> ! {
        let traffic: Vec<&str> = self.traffic.iter().map(String::as_str).collect();
        panic!("{problem}\n{}\nlast lines (> sent, < received):\n{}\n", self.name, traffic.join("\n"));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let ended = self.status.is_some() || self.exit.try_recv().is_ok();
        if !ended {
            // It may end by itself at this very moment: then there is nothing left to do.
            let _ = kill_process(self.pid, Signal::KILL);
        }
    }
}

/// Cuts a stream into lines until it ends or nobody wants them.
fn read_lines(stream: impl Read, mut deliver: impl FnMut(Output) -> bool) {
    let mut stream = BufReader::new(stream);
    loop {
        let mut bytes = Vec::new();
        match stream.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let complete = bytes.pop_if(|last| *last == b'\n').is_some();
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if !deliver(if complete { Output::Line(line) } else { Output::Torn(line) }) {
            return;
        }
    }
}
