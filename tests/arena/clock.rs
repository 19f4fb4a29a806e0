//! The clocks of a match, as engines hear of them.

use std::fs;

use ollehto_protocol::ggf;

use crate::support::journal::Game;
use crate::support::mailbox::{Rules, Side};
use crate::support::tournament::{Folder, Journal, play_match};

/// What clocks may differ by: numbers are rounded on the wire.
const ROUNDING: f64 = 0.02;

/// Many engines understand whole seconds only, so a referee may leave out the rest of one, but never add to it.
const WHOLE_SECOND: f64 = 1.0;

/// What a clock says before a move: seconds, and the moves they are for (0: the rest of the game).
type Left = (f64, u32);

/// A clock of the tests' own.
#[derive(Clone, Copy)]
enum Control {
    EachMove(f64),
    Increment { main: f64, increment: f64 },
    Periods { main: f64, period: f64, moves: u32 },
}

impl Control {
    /// The clock before each move and after the last, for moves that took so long.
    fn run(self, spent: &[f64]) -> Vec<Left> {
        let mut left = match self {
            Self::EachMove(time) => (time, 1),
            Self::Periods { main: 0.0, period, moves } => (period, moves),
            Self::Increment { main, .. } | Self::Periods { main, .. } => (main, 0),
        };
        let mut clocks = vec![left];
        for time in spent {
            left = match self {
                Self::EachMove(_) => left,
                Self::Increment { increment, .. } => (left.0 - time + increment, 0),
                Self::Periods { period, moves, .. } => match left {
                    (main, 0) if main >= *time => (main - time, 0),
                    // The move began in main time and ended in the first period, of which it is a move.
                    (main, 0) => next_period(period - (time - main), moves - 1, period, moves),
                    (rest, due) => next_period(rest - time, due - 1, period, moves),
                },
            };
            clocks.push(left);
        }
        clocks
    }
}

fn next_period(rest: f64, due: u32, period: f64, moves: u32) -> Left {
    if due == 0 { (period, moves) } else { (rest, due) }
}

/// A game of a mock that notes what it hears, in one process from start to end: the journal and the notes.
fn listen(mock: &str, limits: &str) -> (Journal, Vec<Vec<String>>) {
    let folder = Folder::new("clock");
    let log = folder.text("log");
    let mock = folder.player("mock", &format!("{mock} --log {log}"), limits);
    let options = "--size 8 --openings random:30 --pairs 1 --jobs 1 --seed 2";
    let (_, journal) = play_match(&folder, &[&mock, "random"], options);
    journal.verify(2, Rules::Reversed);
    assert_eq!(journal.forfeits(), [""; 0]);
    let log = fs::read_to_string(log).expect("the mock has kept a log");
    let heard: Vec<&str> =
        log.lines().filter_map(|line| line.split_once(" > ")).map(|(_, text)| text).collect();
    let begins = |line: &&str| *line == "clear_board" || *line == "clear";
    let games =
        heard.split(begins).skip(1).map(|lines| lines.iter().map(|line| (*line).to_owned()).collect());
    let games: Vec<Vec<String>> = games.collect();
    assert_eq!(games.len(), 2, "two games begin in\n{log}");
    (journal, games)
}

/// How long the moves of the mock took; a pass takes no time and is nobody's move.
fn spent(game: &Game) -> Vec<f64> {
    let mut side = game.first().to_move();
    let own = if game.black == "mock" { Side::Black } else { Side::White };
    let mut times = Vec::new();
    for turn in &game.moves {
        if side == own && turn.text != "pass" {
            times.push(turn.seconds);
        }
        side = side.other();
    }
    times
}

#[track_caller]
fn assert_clocks(sent: &[Left], expected: &[Left]) {
    // The clock after the last move is told to nobody.
    assert_eq!(sent.len(), expected.len() - 1, "{sent:?} instead of {expected:?}");
    for (sent, expected) in sent.iter().zip(expected) {
        let more = sent.0 - expected.0;
        let same = sent.1 == expected.1 && more < ROUNDING && more > -WHOLE_SECOND - ROUNDING;
        assert!(same, "{sent:?} instead of {expected:?}");
    }
}

/// Seconds for a move that make every clock fall by more than a check lets pass, many times over in a game.
const VISIBLE: f64 = 0.05;

/// A GTP engine that thinks for so long hears the settings once a game, and the time left right before each request for a
/// move.
fn check_gtp(think: f64, limits: &str, settings: [f64; 3], control: Control) {
    let (journal, heard) = listen(&format!("--think {think}"), limits);
    for (game, lines) in journal.games.values().zip(&heard) {
        let announced: Vec<Vec<f64>> = lines
            .iter()
            .filter_map(|line| line.strip_prefix("time_settings "))
            .map(|numbers| numbers.split(' ').map(|number| number.parse().expect("a number")).collect())
            .collect();
        assert_eq!(announced, [settings], "{limits}");
        let mut sent = Vec::new();
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("genmove")) {
            let words: Vec<&str> = lines[index - 1].split(' ').collect();
            let ["time_left", color, seconds, moves] = words[..] else {
                panic!("{:?} before {line}", lines[index - 1])
            };
            assert_eq!(line.strip_prefix("genmove "), Some(color));
            sent.push((seconds.parse().expect("seconds"), moves.parse().expect("moves")));
        }
        assert_clocks(&sent, &control.run(&spent(game)));
    }
}

#[test]
fn gtp_hears_of_increments() {
    check_gtp(VISIBLE, "tc=900+0.5", [900.0, 0.0, 0.0], Control::Increment { main: 900.0, increment: 0.5 });
    check_gtp(VISIBLE, "tc=900", [900.0, 0.0, 0.0], Control::Increment { main: 900.0, increment: 0.0 });
}

#[test]
fn gtp_hears_of_periods() {
    // Long enough to leave the main time within the game.
    check_gtp(
        0.15,
        "byo=1/900/3",
        [1.0, 900.0, 3.0],
        Control::Periods { main: 1.0, period: 900.0, moves: 3 },
    );
    check_gtp(0.0, "byo=0/900/1", [0.0, 900.0, 1.0], Control::Periods { main: 0.0, period: 900.0, moves: 1 });
}

#[test]
fn gtp_hears_of_a_time_for_each_move() {
    check_gtp(0.0, "time=900", [0.0, 900.0, 1.0], Control::EachMove(900.0));
}

/// In NBoard the game itself carries the clock: what it says, less the times noted, is what is left.
fn check_nboard(limits: &str, control: Control) {
    let (journal, heard) = listen(&format!("--nboard --think {VISIBLE}"), limits);
    for (game, lines) in journal.games.values().zip(&heard) {
        let own = if game.black == "mock" { Side::Black } else { Side::White };
        let mut sent = Vec::new();
        for (index, _) in lines.iter().enumerate().filter(|(_, line)| *line == "go") {
            let text =
                lines[..index].iter().rfind(|line| line.starts_with("set game")).expect("a game before go");
            assert!(lines[index - 1].starts_with("ping "), "go follows a ping, not {:?}", lines[index - 1]);
            let record = ggf::parse_game(text.trim_start_matches("set game ").as_bytes()).expect("a game");
            assert!(record.kind.anti, "{text}");
            sent.push((left(&record, own), 0));
        }
        let expected: Vec<Left> = control.run(&spent(game)).into_iter().map(|(left, _)| (left, 0)).collect();
        // Each move is noted to a hundredth of a second.
        let loose = |(sent, expected): (&Left, &Left)| (sent.0 - expected.0).abs() < 0.2;
        assert_eq!(sent.len(), expected.len() - 1);
        assert!(sent.iter().zip(&expected).all(loose), "{limits}: {sent:?} instead of {expected:?}");
    }
}

/// What a record leaves to a side.
fn left(record: &ggf::GgfGame, side: Side) -> f64 {
    let color = side.word();
    let clock = record.clocks[usize::from(side == Side::White)].expect("the record tells of the clocks");
    let own = record.moves.iter().filter(|turn| turn.side.to_string() == color);
    let times: Vec<f64> = own.map(|turn| turn.text.seconds.map_or(0.0, |time| time.as_secs_f64())).collect();
    // An engine cannot know that the referee made the first moves: to it, each has earned an increment.
    clock.main.as_secs_f64() - times.iter().sum::<f64>() + clock.increment.as_secs_f64() * times.len() as f64
}

#[test]
fn nboard_hears_of_the_clock_in_the_game() {
    check_nboard("tc=900", Control::Increment { main: 900.0, increment: 0.0 });
    check_nboard("time=900", Control::EachMove(900.0));
}

#[test]
fn nboard_hears_of_increments() {
    check_nboard("tc=900+0.5", Control::Increment { main: 900.0, increment: 0.5 });
}
