//! How the process begins and ends: options, the protocol, end of input, a reader that goes away.

use std::fs;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread;

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::gtp::Gtp;
use crate::support::mailbox::Mailbox;
use crate::support::nboard::NBoard;
use crate::support::process::{HANG_GUARD, OLLEHTO, Process};

/// A limit that no test waits for.
const LONG: &[&str] = &["--no-book", "--time", "3600"];

/// A file of its own for each test.
fn scratch_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.log", std::process::id()))
}

/// Sends everything, ends the input and reads all lines.
fn answers(arguments: &[&str], input: &[u8]) -> Vec<String> {
    let mut process = Process::ollehto(arguments);
    process.send_bytes(input);
    process.close_input();
    let mut lines = Vec::new();
    while let Some(line) = process.receive() {
        lines.push(line);
    }
    let status = process.wait();
    if !status.success() {
        process.fail(&format!("ended with {status}"));
    }
    lines
}

/// The answer of `genmove b` at the start, taken out of the lines of a reply.
#[track_caller]
fn assert_opening(line: &str) {
    let start = Mailbox::start(8);
    let turn = line.strip_prefix("= ").and_then(|name| start.read(name));
    assert!(turn.is_some_and(|turn| start.moves().contains(&turn)), "{line:?} is no opening move");
}

#[test]
fn a_script_gets_all_its_answers() {
    for quit in ["", "quit\n"] {
        let script = format!("genmove b\nname\nreg_genmove w\nfinal_score\n{quit}");
        let lines = answers(&["--time", "0.1"], script.as_bytes());
        let replies: Vec<&[String]> = lines.split(|line| line.is_empty()).collect();
        // What follows the last empty line is nothing.
        assert_eq!(replies.len() - 1, if quit.is_empty() { 4 } else { 5 }, "{lines:?}");
        assert_opening(&replies[0][0]);
        assert!(replies[1..replies.len() - 1].iter().all(|reply| reply[0].starts_with('=')), "{lines:?}");
    }
}

#[test]
fn half_a_line_counts_as_a_line_at_the_end() {
    let lines = answers(&["--depth", "1"], b"name\ngenmove b");
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert_opening(&lines[2]);
    let lines = answers(&["--depth", "1"], b"name\nfoo");
    assert_eq!(lines[2..], ["? unknown command", ""]);
}

#[test]
fn no_input_no_output() {
    for arguments in [&[][..], &["--protocol", "gtp"], &["--protocol", "nboard"]] {
        assert_eq!(answers(arguments, b""), [""; 0], "{arguments:?}");
        assert_eq!(answers(arguments, b"\n\n# comment\n\r\n"), [""; 0], "{arguments:?}");
    }
}

#[test]
fn endless_analysis_ends_with_the_input() {
    let mut gtp = Gtp::ollehto(LONG);
    gtp.send("ollehto-analyze");
    gtp.process.close_input();
    gtp.reply();
    assert!(gtp.process.wait().success());
}

/// Whether a search was asked for as infinite or has no limit by chance.
#[test]
fn an_endless_uci_search_ends_with_the_input() {
    for go in ["go", "go infinite", "go ponder", "go ponder\nponderhit", "go\ngo\ngo"] {
        let lines =
            answers(&["--protocol", "uci", "--no-book"], format!("position startpos\n{go}\n").as_bytes());
        let moves = lines.iter().filter(|line| line.starts_with("bestmove P@")).count();
        assert_eq!(moves, go.matches("go").count(), "{go:?} gave {lines:?}");
    }
}

#[test]
fn nboard_ends_with_its_input_in_mid_search() {
    for request in ["hint 4", "set depth 60\nhint 64", "analyze", "ping 2"] {
        let mut nboard = NBoard::ollehto(LONG);
        nboard.quiet_ping();
        nboard.send(request);
        nboard.process.close_input();
        while nboard.process.receive().is_some() {}
        let status = nboard.process.wait();
        assert!(status.success(), "{request}: {status}");
        assert_eq!(nboard.process.stderr(), "", "{request}");
    }
}

/// Whoever pipes a script in reads the answers, though there is nothing more to send.
#[test]
fn nboard_answers_the_last_go() {
    let scripts = ["go\n", "go", "hint 4\ngo\n", "go\ngo\n", "set depth 2\ngo\n"];
    for script in scripts {
        let lines = answers(&["--no-book", "--depth", "4"], format!("nboard 2\n{script}").as_bytes());
        let moves: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("=== ")).collect();
        assert_eq!(moves.len(), script.matches("go").count(), "{script:?} gave {lines:?}");
        let start = Mailbox::start(8);
        for answer in moves {
            let turn = answer.split('/').next().and_then(|name| start.read(name));
            assert!(turn.is_some_and(|turn| start.moves().contains(&turn)), "{script:?} gave {lines:?}");
        }
    }
    // A later line has stopped the search, and hints do not outlive the input.
    let lines = answers(LONG, b"nboard 2\ngo\nset depth 60\nhint 64\n");
    assert_eq!(lines.iter().filter(|line| line.starts_with("=== ")).count(), 1, "{lines:?}");
}

#[test]
fn a_search_nobody_listens_to_ends() {
    let scripts = ["genmove b\n", "ollehto-analyze\n", "nboard 2\nping 1\ngo\n", "nboard 2\nhint 4\n", ""];
    // A window that is closed takes both pipes with it, a client that crashes perhaps one only.
    for (script, closes_input) in scripts.iter().flat_map(|script| [(script, false), (script, true)]) {
        let (mut process, stdout) = Process::ollehto_unread(&["--no-book", "--time", "3600"]);
        process.send_bytes(script.as_bytes());
        if closes_input {
            process.close_input();
        }
        drop(stdout);
        process.wait();
        let errors = process.stderr();
        assert!(!errors.contains("panic"), "{script:?} ended with {errors}");
    }
}

#[test]
fn a_full_pipe_that_closes_is_no_hang() {
    let (mut process, stdout) = Process::ollehto_unread(&[]);
    // Far more answers than a pipe holds, so that the engine is stuck in a write.
    process.send_bytes("list_commands\n".repeat(200).as_bytes());
    drop(stdout);
    process.wait();
}

/// A client may share its end of the pipes and want it without waiting.
#[test]
fn pipes_that_do_not_block_are_waited_for() {
    let (stdin, mut input) = io::pipe().expect("a pipe");
    let (mut output, stdout) = io::pipe().expect("a pipe");
    rustix::io::ioctl_fionbio(&stdin, true).expect("a pipe can be set so");
    rustix::io::ioctl_fionbio(&stdout, true).expect("a pipe can be set so");
    let answers = stdout.try_clone().expect("one more name");
    let mut child = Command::new(OLLEHTO).stdin(stdin).stdout(stdout).spawn().expect("it starts");
    let _guard = kill_if_it_hangs(&child);
    input.write_all(b"name\n").expect("it reads");
    let mut name = [0; b"= Ollehto\n\n".len()];
    output.read_exact(&mut name).expect("it answers");
    // By now it has found nothing more to read. Then it finds the pipe for its answers full.
    input.write_all("list_commands\n".repeat(200).as_bytes()).expect("it still reads");
    drop(input);
    let mut ended = None;
    while has_room(&answers) && ended.is_none() {
        ended = child.try_wait().expect("it was started");
        thread::yield_now();
    }
    drop(answers);
    let mut text = String::new();
    output.read_to_string(&mut text).expect("the answers are text");
    assert_eq!(ended, None, "it ends before the pipe is full, after {text}");
    assert!(child.wait().expect("it ends").success(), "{text}");
    assert_eq!(text.matches("\n\n").count(), 200, "{text}");
}

/// Whether a write into the pipe would not have to wait.
fn has_room(pipe: &io::PipeWriter) -> bool {
    let mut asked = [PollFd::new(pipe, PollFlags::OUT)];
    poll(&mut asked, Some(&Timespec::default())).expect("a pipe can be asked") > 0
}

/// Kills a process that is still there after [`HANG_GUARD`], so that its pipes end, unless the guard is dropped before.
fn kill_if_it_hangs(child: &Child) -> Sender<()> {
    let pid = Pid::from_child(child);
    let (guard, dropped) = bounded(0);
    thread::spawn(move || {
        if dropped.recv_timeout(HANG_GUARD) == Err(RecvTimeoutError::Timeout) {
            let _ = kill_process(pid, Signal::KILL);
        }
    });
    guard
}

#[test]
fn the_first_line_chooses_the_protocol() {
    let cases: [(&[&str], &str, &str); 7] = [
        (&[], "name", "= Ollehto"),
        (&[], "1 protocol_version", "=1 2"),
        (&[], "foo", "? unknown command"),
        (&[], "ping 5", "pong 5"),
        (&[], "nboard 2\nping 7", "pong 7"),
        (&["--protocol", "gtp"], "ping 5", "? unknown command"),
        (&["--protocol", "nboard"], "name\nping 5", "pong 5"),
    ];
    for (arguments, input, expected) in cases {
        let lines = answers(arguments, format!("{input}\n").as_bytes());
        assert!(lines.iter().any(|line| line == expected), "{arguments:?} {input:?} gave {lines:?}");
        let known = |line: &String| line == expected || line.is_empty() || line.starts_with("status");
        assert!(lines.iter().all(known), "{arguments:?} {input:?} gave {lines:?}");
    }
}

#[test]
fn quit_leaves_the_rest_unread() {
    let lines = answers(LONG, b"quit\nname\ngenmove b\n");
    assert_eq!(lines.len(), 2, "{lines:?}");
}

#[test]
fn bad_options_are_explained() {
    let cases: [&[&str]; 9] = [
        &["--size", "5"],
        &["--rules", "go"],
        &["--protocol", "usi"],
        &["--threads", "0"],
        &["--threads", "x"],
        &["--time", "-1"],
        &["--depth", "x"],
        &["--frobnicate"],
        &["frobnicate"],
    ];
    for arguments in cases {
        let mut process = Process::ollehto(arguments);
        process.close_input();
        assert_eq!(process.receive(), None, "{arguments:?}: errors belong to stderr");
        assert_eq!(process.wait().code(), Some(2), "{arguments:?}");
        let errors = process.stderr();
        let culprit = arguments.last().expect("no case is empty");
        assert!(errors.contains(culprit), "{arguments:?} is not explained by {errors:?}");
    }
}

#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let nowhere = scratch_file("no-such-folder").join("file");
    let path = nowhere.to_str().expect("a plain path");
    let mut process = Process::ollehto(&["--log", path]);
    process.close_input();
    assert_eq!(process.receive(), None);
    assert!(!process.wait().success());
    let errors = process.stderr();
    assert!(errors.contains(path), "{errors:?} does not name the file");
    let mut gtp = Gtp::ollehto(&[]);
    gtp.refused(&format!("log {path}"));
    gtp.quit();
}

#[test]
fn the_log_has_all_the_traffic() {
    let file = scratch_file("traffic");
    let path = file.to_str().expect("a plain path");
    let mut gtp = Gtp::ollehto(&["--log", path, "--depth", "1"]);
    gtp.done("play b f5");
    gtp.refused("play b f5");
    gtp.send("# a remark");
    let turn = gtp.ok("genmove w");
    gtp.quit();
    let log = fs::read_to_string(&file).expect("the log exists");
    for text in ["play b f5", "? illegal move", "# a remark", "genmove w", &format!("= {turn}"), "quit"] {
        assert!(log.contains(text), "{text:?} is not in the log:\n{log}");
    }
    fs::remove_file(&file).expect("the log can be removed");
}

#[test]
fn the_log_can_be_switched_over_the_wire() {
    let file = scratch_file("switched");
    let path = file.to_str().expect("a plain path");
    let mut gtp = Gtp::ollehto(&[]);
    gtp.done("play b f5");
    gtp.done(&format!("log {path}"));
    gtp.done("play w d6");
    gtp.done("log off");
    gtp.done("play b c3");
    gtp.quit();
    let log = fs::read_to_string(&file).expect("the log exists");
    let logged = ["play b f5", "play w d6", "play b c3"].map(|line| log.contains(line));
    assert_eq!(logged, [false, true, false], "the log is\n{log}");
    fs::remove_file(&file).expect("the log can be removed");
}
