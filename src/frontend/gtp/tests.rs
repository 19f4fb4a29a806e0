//! The order of answers, and how conversations end. The transcripts hold what the commands answer.

use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::unbounded;
use parking_lot::Mutex;

use super::*;
use crate::board::Size;
use crate::engine::Search;
use crate::frontend::{DriveError, Settings, drive};
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Control, Iteration, Line, SearchResult, Task};
use crate::selectivity::Selectivity;
use crate::stdio::{TrafficLog, read_lines};
use crate::time_source::{TimeSource, Timestamp};

fn gtp() -> Gtp<Vec<u8>> {
    let settings = Settings { hash: 1, ..Settings::default() };
    Gtp::new(Session::with_search(settings, TrafficLog::default()).expect("a thread"), Vec::new(), None)
}

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

/// What would end it may be among the lines that are not read.
#[test]
fn an_endless_search_ends_when_too_much_waits_behind_it() {
    let mut gtp = gtp();
    let now = Timestamp::now();
    gtp.line(b"ollehto-analyze", now).expect("written to memory");
    let waiting = (0..1_000_000).take_while(|_| {
        gtp.line(b"name", now).expect("written to memory");
        !gtp.is_congested()
    });
    let waiting = waiting.count();
    assert!((1000..100_000).contains(&waiting), "{waiting} commands wait");
    let reports = gtp.reports();
    while gtp.is_congested() {
        let report = reports.recv().expect("the searcher lives");
        gtp.report(report).expect("written to memory");
    }
    let text = String::from_utf8(gtp.output).expect("replies are ASCII");
    assert_eq!(text.matches("\n\n").count(), waiting + 2, "all are answered");
}

#[test]
fn a_longer_script_than_can_wait_is_answered_to_the_end() {
    let script = format!("ollehto-analyze\n{}", "name\n".repeat(60_000));
    assert_eq!(replies(&mut gtp(), &script).len(), 60_001);
}

#[test]
fn an_interrupt_ends_the_running_command_only() {
    let mut gtp = gtp();
    let now = Timestamp::now();
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
    assert!(running.kind.plays() && running.position.side() == Color::White);
}

#[test]
fn a_panicked_searcher_is_reported_and_ends_the_conversation() {
    let mut gtp = gtp();
    gtp.session.engine().kill_searcher();
    let (_sender, lines) = unbounded();
    let genmove = crate::stdio::Input::Line { text: b"7 genmove b".to_vec(), arrived: Timestamp::now() };
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

/// Records what it is to prepare.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<&'static str>>>);

impl Notes {
    fn noted(&self) -> Vec<&'static str> {
        self.0.lock().clone()
    }
}

impl Search for Notes {
    fn search(&mut self, task: &Task, _: &Control, _: &mut dyn FnMut(&Iteration)) -> SearchResult {
        SearchResult { last: first_move(task) }
    }

    fn prepare_evaluation(&mut self, _: Rules, _: Size) {
        self.0.lock().push("evaluation");
    }

    fn prepare_table(&mut self) {
        self.0.lock().push("table");
    }
}

/// An iteration whose best move is the first legal one.
fn first_move(task: &Task) -> Iteration {
    let first = task.position.moves().first().expect("a move");
    let line = Line { score: Score::default(), moves: vec![Move::Place(first)] };
    Iteration { depth: 1, selectivity: Selectivity::P73, exact: false, lines: vec![line], nodes: 1 }
}

fn gtp_by(searcher: impl Search + 'static, time: TimeSource) -> Gtp<Vec<u8>> {
    let settings = Settings { hash: 1, ..Settings::default() };
    let session =
        Session::with_time("test".into(), Box::new(searcher), settings, TrafficLog::default(), time);
    Gtp::new(session.expect("a thread"), Vec::new(), None)
}

/// What the engine has prepared when a script and a move after it have been answered.
fn made_ready(script: &str) -> Vec<&'static str> {
    let notes = Notes::default();
    replies(&mut gtp_by(notes.clone(), TimeSource::default()), &format!("{script}\nreg_genmove b\n"));
    notes.noted()
}

#[test]
fn a_rules_copy_prepares_nothing() {
    // What GoGui sends to its rules copies. The move afterwards is the first sign of another use.
    let referee = "list_commands\ngogui-interrupt\ngogui-rules_game_id\ngogui-rules_board_size\nclear_board\n\
                   gogui-rules_board\nplay B D3\ngogui-rules_side_to_move\ngogui-rules_legal_moves\nclear_board";
    let engine = format!("name\n{referee}");
    assert_eq!([referee, &engine].map(made_ready), [["evaluation"], ["evaluation"]]);
    let notes = Notes::default();
    replies(&mut gtp_by(notes.clone(), TimeSource::default()), referee);
    assert_eq!(notes.noted(), [""; 0]);
}

#[test]
fn a_clock_prepares_the_table() {
    for sign in ["time_settings 10 0 0", "ponder on"] {
        assert!(made_ready(sign).contains(&"table"), "{sign}");
    }
    for other in ["boardsize 8", "time 1", "level 3", "ponder off"] {
        assert!(!made_ready(other).contains(&"table"), "{other}");
    }
}

/// A search that does not get a CPU before it is released.
struct Absent(Receiver<()>);

impl Search for Absent {
    fn search(&mut self, task: &Task, _: &Control, _: &mut dyn FnMut(&Iteration)) -> SearchResult {
        let _ = self.0.recv();
        SearchResult { last: first_move(task) }
    }
}

/// It is waited for as long as there is time, and no longer.
#[test]
fn a_search_that_does_not_begin_loses_no_game_on_time() {
    const TIME: Duration = Duration::from_millis(50);
    let (_go_on, absent) = unbounded();
    let time = TimeSource::simulated(Duration::ZERO);
    let mut gtp = gtp_by(Absent(absent), time.clone());
    gtp.line(b"time 0.05", time.now()).expect("written to memory");
    gtp.line(b"setboard ------------------------XXXOOO---------------------------------- X", time.now())
        .expect("written to memory");
    let asked = time.now();
    gtp.output.clear();
    gtp.line(b"genmove b", asked).expect("written to memory");
    let due = gtp.overdue_at().expect("timed") - asked;
    assert!(due < TIME && due > TIME * 9 / 10, "{due:?}");
    time.advance(due);
    gtp.overdue().expect("written to memory");
    assert_eq!(gtp.output, b"= G4\n\n", "the only legal move");
}

/// A search that completes one iteration and is then kept from the CPU until it is released.
struct Stalled(Receiver<()>);

impl Search for Stalled {
    fn search(&mut self, task: &Task, _: &Control, on_iteration: &mut dyn FnMut(&Iteration)) -> SearchResult {
        let last = first_move(task);
        on_iteration(&last);
        let _ = self.0.recv();
        SearchResult { last }
    }
}

#[test]
fn an_overdue_search_is_answered_and_raises_the_reserve() {
    const TIME: Duration = Duration::from_millis(50);
    const LATE: Duration = Duration::from_millis(12);
    let (go_on, stall) = unbounded();
    let time = TimeSource::simulated(Duration::ZERO);
    let mut gtp = gtp_by(Stalled(stall), time.clone());
    let reports = gtp.reports();
    let mut ends = Vec::new();
    gtp.line(b"time 0.05", time.now()).expect("written to memory");
    for _ in 0..4 {
        gtp.output.clear();
        let asked = time.now();
        gtp.line(b"reg_genmove b", asked).expect("written to memory");
        while gtp.running.as_ref().is_some_and(|running| running.deadline.last.is_none()) {
            gtp.report(reports.recv().expect("the searcher lives")).expect("written to memory");
        }
        let due = gtp.overdue_at().expect("timed") - asked;
        assert!(due < TIME);
        ends.push(due);
        time.advance(due + LATE);
        gtp.overdue().expect("written to memory");
        assert_eq!(gtp.output, b"= D3\n\n");
        go_on.send(()).expect("it waits");
    }
    assert_eq!(ends[0], ends[1], "once may be chance");
    assert_eq!(ends[3], TIME - LATE, "what the answers were late is kept in reserve");
}
