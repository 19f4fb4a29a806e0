//! What the transcripts cannot show: searches that end or are stopped at a chosen moment.

use crossbeam_channel::unbounded;

use super::*;
use crate::engine::Search;
use crate::frontend::{DriveError, Settings, drive};
use crate::search::{Control, Iteration, SearchResult, Searcher, Task};
use crate::stdio::{Input, TrafficLog};
use crate::time_source::TimeSource;

fn uci_by(searcher: impl Search + 'static) -> Uci<Vec<u8>> {
    let settings = Settings { hash: 1, ..Settings::default() };
    let time = TimeSource::default();
    let session =
        Session::with_time("test".into(), Box::new(searcher), settings, TrafficLog::default(), time);
    Uci::new(session.expect("a thread"), Vec::new())
}

fn uci() -> Uci<Vec<u8>> {
    uci_by(Searcher::new(1, 1))
}

/// What is said after a line, without the lines of searches.
fn said(uci: &mut Uci<Vec<u8>>, line: &str) -> Vec<String> {
    uci.output.clear();
    uci.line(line.as_bytes(), Timestamp::now()).expect("written to memory");
    spoken(uci)
}

fn spoken(uci: &Uci<Vec<u8>>) -> Vec<String> {
    let text = String::from_utf8(uci.output.clone()).expect("ASCII");
    text.lines().filter(|line| !line.starts_with("info depth")).map(str::to_owned).collect()
}

/// Takes reports until the search has ended, whether or not its answer was given.
fn end_search(uci: &mut Uci<Vec<u8>>) {
    let reports = uci.reports();
    loop {
        let report = reports.recv().expect("the searcher lives");
        let ended = matches!(report.event, Event::Done(_));
        uci.report(report).expect("written to memory");
        if ended {
            return;
        }
    }
}

/// Four empty squares.
const NEAR_THE_END: &str = "position fen \
    1PPPPPPp/pPPpPPPp/pppPpPpp/ppppPpPp/ppPppPp1/ppPppPpp/pppPPppp/1pppppp1[] w - - 0 1";

#[test]
fn a_solved_position_waits_for_the_stop() {
    for go in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        let mut uci = uci();
        assert_eq!(said(&mut uci, NEAR_THE_END), [""; 0]);
        assert_eq!(said(&mut uci, go), [""; 0]);
        end_search(&mut uci);
        assert!(!spoken(&uci).iter().any(|line| line.starts_with("bestmove")), "{go}");
        assert_eq!(said(&mut uci, "isready"), ["readyok"]);
        let best = said(&mut uci, if go.contains("ponder") { "ponderhit" } else { "stop" });
        assert!(best.len() == 1 && best[0].starts_with("bestmove "), "{go}: {best:?}");
        assert_eq!(said(&mut uci, "stop"), [""; 0], "once is enough");
    }
}

/// What needs no search was left without its answer, and the conversation never ended.
#[test]
fn a_finished_game_in_the_queue_is_answered_at_the_end_of_the_input() {
    let mut uci = uci();
    said(&mut uci, "go depth 2");
    said(&mut uci, "position fen PPPPPPPP/8/8/8/8/8/8/8 b");
    said(&mut uci, "go depth 2");
    assert_eq!(uci.end_of_input().expect("written to memory"), Flow::Continue, "the first search runs");
    end_search(&mut uci);
    let best: Vec<_> = spoken(&uci).into_iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!((best.len(), best.last().map(String::as_str)), (2, Some("bestmove (none)")), "{best:?}");
    assert!(uci.running.is_none());
}

#[test]
fn a_ponder_hit_sets_the_limit_of_the_running_search() {
    let mut uci = uci();
    said(&mut uci, "go ponder nodes 3000 depth 40");
    // The limits hold for the ponder search too, which then waits.
    end_search(&mut uci);
    assert!(said(&mut uci, "ponderhit")[0].starts_with("bestmove"));
    said(&mut uci, "go ponder movetime 1");
    assert_eq!(uci.overdue_at(), None);
    said(&mut uci, "ponderhit");
    end_search(&mut uci);
    assert!(spoken(&uci).last().is_some_and(|line| line.starts_with("bestmove")));
}

#[test]
fn a_ponder_hit_reaches_a_go_that_waits_for_another_one() {
    let mut uci = uci();
    for line in
        ["go nodes 3000", "position startpos moves P@d3", "go ponder nodes 3000 depth 40", "ponderhit"]
    {
        said(&mut uci, line);
    }
    for _ in 0..2 {
        uci.output.clear();
        end_search(&mut uci);
        assert!(spoken(&uci).last().is_some_and(|line| line.starts_with("bestmove")));
    }
    assert!(uci.running.is_none());
}

#[test]
fn a_go_waits_for_the_one_before_it_and_ends_an_endless_one() {
    let mut uci = uci();
    let mut all = Vec::new();
    for line in
        ["go infinite", "position startpos moves P@e3", "go depth 3", "go depth 2", "position startpos"]
    {
        all.extend(said(&mut uci, line));
    }
    assert_eq!(uci.queue.len(), 3, "the next ones wait");
    for _ in 0..3 {
        uci.output.clear();
        end_search(&mut uci);
        all.extend(spoken(&uci));
    }
    assert_eq!(all.iter().filter(|line| line.starts_with("bestmove")).count(), 3, "{all:?}");
    assert!(uci.running.is_none() && uci.queue.is_empty());
    assert_eq!(uci.session.game.moves().len(), 0, "what comes last holds");
}

#[test]
fn a_stop_ends_all_that_came_before_it() {
    let mut uci = uci();
    for line in ["go movetime 100000000", "go movetime 100000000", "go infinite", "stop"] {
        said(&mut uci, line);
    }
    uci.output.clear();
    for _ in 0..3 {
        end_search(&mut uci);
    }
    assert_eq!(spoken(&uci).iter().filter(|line| line.starts_with("bestmove")).count(), 3);
}

#[test]
fn a_stopped_search_is_answered_before_the_end() {
    let dialogues: [(&[&str], usize); 4] = [
        (&["go infinite", "stop", "quit"], 1),
        // The second one waits for the first one.
        (&["go infinite", "go infinite", "stop", "quit"], 2),
        (&["go infinite", "stop", "go infinite", "quit"], 1),
        (&["go infinite", "quit"], 0),
    ];
    for (lines, moves) in dialogues {
        let mut uci = uci();
        let said: Vec<_> = lines.iter().flat_map(|line| said(&mut uci, line)).collect();
        assert_eq!(said.iter().filter(|line| line.starts_with("bestmove")).count(), moves, "{said:?}");
    }
}

#[test]
fn the_end_of_input_ends_endless_searches_only() {
    let (sender, lines) = unbounded();
    let weak = "setoption name UCI_LimitStrength value true";
    for line in ["position startpos moves P@e3", "go depth 6", "go infinite", weak, "go"] {
        let line = Input::Line { text: line.into(), arrived: Timestamp::now() };
        sender.send(line).expect("the receiver lives");
    }
    drop(sender);
    let mut uci = uci();
    // Without a reader nobody wakes it for the first line.
    let first = lines.recv().ok();
    drive(&mut uci, first, &lines).expect("a good end");
    let text = String::from_utf8(uci.output).expect("ASCII");
    assert!(text.contains("info depth 6 "), "{text}");
    assert_eq!(text.matches("bestmove").count(), 3, "{text}");
    let last = text.rfind("info depth ").expect("a search");
    assert!(!text[last..].starts_with("info depth 0 "), "the weaker player has a limit of its own: {text}");
}

#[test]
fn a_skill_level_limits_the_strength_unless_a_rating_does() {
    let mut uci = uci();
    let elo = |uci: &Uci<Vec<u8>>| uci.session.settings.limits.elo.map(crate::search::Elo::rating);
    for (line, rating) in [
        ("setoption name Skill Level value 3", Some(1793)),
        ("setoption name UCI_LimitStrength value true", Some(1500)),
        ("setoption name Skill Level value -9", Some(1500)),
        ("setoption name UCI_LimitStrength value false", Some(800)),
        ("setoption name Skill Level value 20", None),
    ] {
        assert_eq!(said(&mut uci, line), [""; 0]);
        assert_eq!(elo(&uci), rating, "{line}");
    }
    assert!(said(&mut uci, "setoption name Skill Level value 21")[0].contains("from -20 to 20"));
}

/// Panics when it is to search.
struct Dies;

impl Search for Dies {
    fn search(&mut self, _: &Task, _: &Control, _: &mut dyn FnMut(&Iteration)) -> SearchResult {
        panic!("told to, by a test")
    }
}

#[test]
fn a_panicked_searcher_is_reported_and_ends_the_conversation() {
    let (_sender, lines) = unbounded();
    let mut uci = uci_by(Dies);
    let go = Input::Line { text: b"go depth 3".to_vec(), arrived: Timestamp::now() };
    assert!(matches!(drive(&mut uci, Some(go), &lines), Err(DriveError::SearcherDied)));
    assert_eq!(spoken(&uci), ["info string internal error: the searcher has died"]);
}
