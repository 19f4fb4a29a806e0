//! The order of answers, and the end of things. What the commands say is held by the transcripts.

use std::io::Cursor;

use super::*;
use crate::frontend::{DriveError, Settings, drive};
use crate::stdio::{TrafficLog, read_lines};

fn gtp() -> Gtp<Vec<u8>> {
    let settings = Settings { hash: 1, ..Settings::default() };
    Gtp::new(Session::with_search(settings, TrafficLog::default()).expect("a thread"), Vec::new(), None)
}

/// The replies to a script, one string each.
fn replies(gtp: &mut Gtp<Vec<u8>>, script: &str) -> Vec<String> {
    let input = Cursor::new(script.to_owned().into_bytes());
    let lines = read_lines(input, TrafficLog::default()).expect("a thread");
    drive(gtp, None, &lines).expect("it ends with its input");
    let text = String::from_utf8(gtp.output.clone()).expect("replies are ASCII");
    text.split_terminator("\n\n").map(str::to_owned).collect()
}

#[test]
fn a_script_without_quit_is_answered_to_the_end() {
    let replies = replies(&mut gtp(), "depth 3\n1 genmove b\n2 genmove w\n3 gogui-rules_captured_count\n");
    assert_eq!(replies.len(), 4);
    assert!(replies[1].starts_with("=1 ") && replies[2].starts_with("=2 "));
    assert_eq!(replies[3], "=3 3 3");
}

#[test]
fn a_stop_ends_every_search_before_it_and_none_after() {
    let script =
        "nodes 2000\ntime 3600\ndepth 60\nnodes off\ngenmove b\ngenmove w\nstop\ndepth 2\ngenmove b\n";
    let replies = replies(&mut gtp(), script);
    assert_eq!(replies.len(), 9);
    assert_eq!(replies[6], "=", "the stop's own answer comes in its turn");
}

#[test]
fn a_search_without_limits_ends_with_the_input() {
    let replies = replies(&mut gtp(), "ollehto-analyze\nname");
    assert!(replies[0].starts_with("= COLOR "), "{replies:?}");
    assert_eq!(replies[1], "= Ollehto");
}

#[test]
fn an_interrupt_ends_the_running_command_only() {
    let mut gtp = gtp();
    let now = Instant::now();
    for line in ["time 3600", "# interrupt", "genmove b", "genmove w"] {
        assert_eq!(gtp.line(line.as_bytes(), now).expect("written to memory"), Flow::Continue);
    }
    gtp.line(b"# interrupt", now).expect("written to memory");
    let reports = gtp.reports();
    while gtp.queue.len() == 1 {
        let report = reports.recv().expect("the searcher lives");
        gtp.report(report).expect("written to memory");
    }
    let running = gtp.running.as_ref().expect("the second move is being searched");
    assert_eq!(running.purpose, Purpose::Move(Color::White));
}

#[test]
fn a_dead_searcher_is_told_of_and_ends_the_conversation() {
    let mut gtp = gtp();
    gtp.session.engine().kill_searcher();
    let (_sender, lines) = crossbeam_channel::unbounded();
    let genmove = crate::stdio::Input::Line { text: b"7 genmove b".to_vec(), arrived: Instant::now() };
    let ended = drive(&mut gtp, Some(genmove), &lines);
    assert!(matches!(ended, Err(DriveError::SearcherDied)));
    assert_eq!(gtp.output, b"?7 internal error: the searcher has died\n\n");
}

#[test]
fn an_overlong_line_gets_one_answer_with_its_id() {
    let mut gtp = gtp();
    gtp.overlong_line(b"42 play b xxxxxxx", 1_000_000).expect("written to memory");
    let reply = String::from_utf8_lossy(&gtp.output).into_owned();
    assert_eq!(reply, "?42 syntax error: the line has 1000000 bytes; at most 65536 are read\n\n");
}
