//! Every dialogue written down, in `transcripts/` and in the documents, held with the binary and
//! within this process.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use crate::support::gtp::Gtp;
use crate::support::process::{HANG_GUARD, Process};
use crate::support::transcript::{self, Dialogue, Peer, Step};
use crossbeam_channel::{Receiver, RecvTimeoutError};

/// The engine as a process at the other end of a dialogue.
impl Peer for Process {
    fn send(&mut self, line: &str) {
        Process::send(self, line);
    }

    fn close(&mut self) {
        self.close_input();
    }

    fn receive(&mut self) -> Option<String> {
        Process::receive(self)
    }
}

/// The engine within this process at the other end of a dialogue.
struct InProcess {
    input: Option<PipeWriter>,
    output: Receiver<String>,
    conversation: JoinHandle<()>,
}

impl InProcess {
    fn start(arguments: &[&str]) -> Self {
        let (input, sender) = std::io::pipe().expect("a pipe");
        let (receiver, answers) = std::io::pipe().expect("a pipe");
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let conversation = thread::spawn(move || {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            ollehto::cli::converse_over(&arguments, input, answers).expect("the conversation ends well");
        });
        let (lines, output) = crossbeam_channel::unbounded();
        thread::spawn(move || {
            // The other end may have stopped listening after a failure.
            BufReader::new(receiver).lines().map_while(Result::ok).try_for_each(|line| lines.send(line))
        });
        Self { input: Some(sender), output, conversation }
    }
}

impl Peer for InProcess {
    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("nothing is sent after the end");
        writeln!(input, "{line}").expect("the engine reads");
    }

    fn close(&mut self) {
        self.input = None;
    }

    fn receive(&mut self) -> Option<String> {
        match self.output.recv_timeout(HANG_GUARD) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine hangs"),
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The dialogues of all transcript files, in the order of their names.
fn written_dialogues() -> Vec<Dialogue> {
    let folder = root().join("tests/transcripts");
    let entries = fs::read_dir(&folder).expect("the folder of transcripts exists");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    files.sort();
    let mut dialogues = Vec::new();
    for file in files {
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        dialogues.extend(transcript::parse(&name, &text).unwrap_or_else(|problem| panic!("{problem}")));
    }
    dialogues
}

/// Holds a dialogue with the binary, which has to end well.
fn hold(dialogue: &Dialogue) -> Result<(), String> {
    let arguments: Vec<&str> = dialogue.arguments.iter().map(String::as_str).collect();
    let mut process = Process::ollehto(&arguments);
    transcript::run(dialogue, &mut process)?;
    let status = process.wait();
    if status.success() { Ok(()) } else { Err(format!("{}: ended with {status}", dialogue.origin)) }
}

/// Holds a dialogue without a process of its own.
fn hold_in_process(dialogue: &Dialogue) -> Result<(), String> {
    let arguments: Vec<&str> = dialogue.arguments.iter().map(String::as_str).collect();
    let mut peer = InProcess::start(&arguments);
    transcript::run(dialogue, &mut peer)?;
    peer.conversation.join().map_err(|_| format!("{}: the conversation panicked", dialogue.origin))
}

#[track_caller]
fn hold_all(dialogues: &[Dialogue], hold: fn(&Dialogue) -> Result<(), String>) {
    let problems: Vec<String> = dialogues.iter().filter_map(|dialogue| hold(dialogue).err()).collect();
    assert!(problems.is_empty(), "{} of {} fail:\n{}", problems.len(), dialogues.len(), problems.join("\n"));
}

#[test]
fn transcripts_hold() {
    let dialogues = written_dialogues();
    assert!(!dialogues.is_empty());
    hold_all(&dialogues, hold);
}

#[test]
fn transcripts_hold_in_process() {
    hold_all(&written_dialogues(), hold_in_process);
}

/// The documents that show dialogues.
const DOCUMENTS: [&str; 3] = ["README.md", REFERENCE, "docs/uci.md"];

/// The document that lists the commands.
const REFERENCE: &str = "docs/commands.md";

fn document(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_documents_tell_the_truth() {
    for path in DOCUMENTS {
        let dialogues = transcript::parse_markdown(path, &document(path));
        let dialogues = dialogues.unwrap_or_else(|problem| panic!("{problem}"));
        assert!(!dialogues.is_empty(), "{path} shows no dialogue");
        hold_all(&dialogues, hold);
        hold_all(&dialogues, hold_in_process);
    }
}

#[test]
fn every_command_has_a_transcript() {
    let mut gtp = Gtp::ollehto(&[]);
    let listed: BTreeSet<String> = gtp.ok("list_commands").split_whitespace().map(str::to_owned).collect();
    gtp.quit();
    let dialogues = written_dialogues();
    let sent = dialogues.iter().flat_map(|dialogue| &dialogue.steps).filter_map(|(_, step)| match step {
        Step::Send(line) => line.split_whitespace().find(|word| word.parse::<u32>().is_err()),
        Step::Expect(_) | Step::Any => None,
    });
    let used: BTreeSet<String> = sent.map(str::to_owned).collect();
    let missing: Vec<&String> = listed.difference(&used).collect();
    assert!(missing.is_empty(), "no transcript uses {missing:?}");
}

#[test]
fn the_reference_lists_every_command() {
    let text = document(REFERENCE);
    let missing: Vec<&str> = ollehto_protocol::gtp::COMMANDS
        .iter()
        .map(|spec| spec.name)
        .filter(|name| !text.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "{REFERENCE} says nothing of {missing:?}");
    let gogui = text.split('`').filter(|word| word.starts_with("gogui-") && !word.contains("twogtp"));
    let gone: Vec<&str> =
        gogui.filter(|name| ollehto_protocol::gtp::CommandSpec::find(name).is_none()).collect();
    assert!(gone.is_empty(), "{REFERENCE} speaks of {gone:?}, which are no commands");
}
