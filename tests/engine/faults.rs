//! Bad input: a clear error, the state as it was, the process alive.

use rand::Rng;

use crate::support::gtp::Gtp;
use crate::support::mailbox::{Mailbox, Rules};
use crate::support::nboard::{Line, NBoard, Record};
use crate::support::positions::generator;

const MEGABYTE: usize = 1 << 20;

/// An engine in the middle of a game.
fn in_a_game() -> Gtp {
    let mut gtp = Gtp::ollehto(&["--depth", "1"]);
    for command in ["play b f5", "play w d6", "play b c3"] {
        gtp.done(command);
    }
    gtp
}

/// Everything that can be asked about the state.
fn state(gtp: &mut Gtp) -> Vec<String> {
    let questions = [
        "showboard",
        "showmoves",
        "gogui-rules_board",
        "gogui-rules_side_to_move",
        "gogui-rules_board_size",
        "final_score",
        "rules",
        "ollehto-param",
    ];
    questions.map(|question| format!("{question}: {:?}", gtp.ask(question))).to_vec()
}

/// Sends lines that must each fail with this error and change nothing.
#[track_caller]
fn assert_refused(error: &str, lines: &[&str]) {
    let mut gtp = in_a_game();
    let before = state(&mut gtp);
    for line in lines {
        let text = gtp.refused(line);
        assert!(text.starts_with(error), "{line:?} should fail with {error:?}, not {text:?}");
        assert_eq!(state(&mut gtp), before, "{line:?} has changed the state");
    }
    gtp.quit();
}

#[test]
fn unknown_commands_are_refused() {
    assert_refused(
        "unknown command",
        &["foo", "foo bar", "Genmoves b", "genmove\u{7}b x", "nboard", "== D3", "-1 name"],
    );
}

#[test]
fn wrong_arguments_are_refused() {
    let lines = [
        "play",
        "play b",
        "play green d3",
        "play b z9",
        "play b d33",
        "play b d3 d3",
        "genmove",
        "genmove green",
        "reg_genmove x",
        "boardsize",
        "boardsize eight",
        "known_command",
        "undo undo",
        "gg-undo x",
        "gg-undo -1",
        "time_settings 1 2",
        "time_settings x y z",
        "time_left b",
        "time_left green 1 0",
        "gogui-play_sequence b",
        "gogui-play_sequence b f6 w",
        "gogui-setup b",
        "gogui-setup_player green",
        "setboard",
        "setboard X",
        "rules go",
        "ponder maybe",
        "level x",
        "depth x",
        "nodes -5",
        "time x",
        "threads x",
        "threads 0",
        "hash x",
        "play_moves f5d",
    ];
    assert_refused("syntax error", &lines);
}

#[test]
fn illegal_moves_are_refused() {
    let lines = [
        "play w a1",
        "play w c3",
        "play w pass",
        "play b pass",
        "play b d2",
        "play_moves a1",
        "play_moves d3a1",
        "gogui-play_sequence w d3 b a1",
        "gogui-play_sequence b d2 w d3",
    ];
    assert_refused("illegal move", &lines);
    assert_refused("cannot undo", &["gg-undo 4", "gg-undo 1000000000"]);
    assert_refused("unacceptable size", &["boardsize 5", "boardsize 10", "boardsize 0"]);
}

#[test]
fn impossible_positions_are_refused() {
    let (short, long) = ("-".repeat(63), "-".repeat(65));
    let foreign = format!("{}Z", "-".repeat(63));
    let lines = [
        format!("setboard {short} X"),
        format!("setboard {long} X"),
        format!("setboard {foreign} X"),
        format!("setboard {short}X"),
        format!("setboard {short}X green"),
        format!("setboard {}XO X", "-".repeat(15)),
        "loadggf (;GM[Othello]TY[8]BO[8 --- *];)".to_owned(),
        format!("loadggf (;GM[Othello]TY[8]BO[8 {}*O *]B[A1];)", "-".repeat(62)),
        format!("loadggf (;GM[Othello]TY[8]BO[8 {}*O *]", "-".repeat(62)),
    ];
    assert_refused("", &lines.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn overlong_lines_are_refused() {
    let argument = "x".repeat(MEGABYTE);
    let many = "b d3 ".repeat(MEGABYTE / 5);
    assert_refused(
        "",
        &[
            &argument,
            &format!("play {argument}"),
            &format!("gogui-play_sequence {many}"),
            &format!("play b {argument}"),
        ],
    );
}

#[test]
fn junk_leaves_the_engine_alive() {
    let mut rng = generator(21);
    for _ in 0..15 {
        let mut gtp = in_a_game();
        let before = state(&mut gtp);
        let mut junk = vec![0; 4096];
        rng.fill_bytes(&mut junk);
        junk.extend([0, 0xff, 0xc3, b'\n']);
        gtp.process.send_bytes(&junk);
        // The number of lines in it is a matter of taste (comments, control characters); the
        // numbered question behind it is not.
        gtp.send("4711 name");
        while gtp.reply().id != Some(4711) {}
        assert_eq!(state(&mut gtp), before, "junk has changed the state");
        gtp.quit();
    }
}

#[test]
fn junk_leaves_nboard_alive() {
    let mut nboard = NBoard::ollehto(&["--depth", "1"]);
    let mut rng = generator(22);
    for _ in 0..50 {
        let mut junk = vec![0; 4096];
        rng.fill_bytes(&mut junk);
        junk.push(b'\n');
        nboard.process.send_bytes(&junk);
        nboard.quiet_ping();
    }
    nboard.send(&"x".repeat(MEGABYTE));
    nboard.send(&format!("set game (;GM[Othello]PB[{}]", "x".repeat(MEGABYTE)));
    nboard.quiet_ping();
    nboard.quit();
}

#[test]
fn names_need_not_be_unicode() {
    let mut nboard = NBoard::ollehto(&["--depth", "1"]);
    let mut board = Mailbox::start(8);
    board.play(board.read("f5").expect("a square")).expect("a legal move");
    let record = Record::new(&Mailbox::start(8), Rules::Reversed, "5:00").ggf();
    let record = record.replace(";)", "B[F5/-0,43/5.0E-4]XX[unknown tag];)").replace("human", "J?rg");
    let bytes: Vec<u8> = record.bytes().map(|byte| if byte == b'?' { 0xf6 } else { byte }).collect();
    nboard.process.send_bytes(&[b"set game ", &bytes[..], b"\r\n"].concat());
    nboard.quiet_ping();
    nboard.send("go\r");
    let (name, ..) = nboard.answer();
    let turn = board.read(&name).expect("a square");
    assert!(board.moves().contains(&turn), "{name} is no answer to F5");
    nboard.quit();
}

#[test]
fn bad_games_leave_nboard_where_it_was() {
    let mut nboard = NBoard::ollehto(&["--depth", "1"]);
    // White's only move here is a pass.
    let mut board = Mailbox::parse(&format!("XO{} O", "-".repeat(62))).expect("a good position");
    nboard.send(&format!("set game {}", Record::new(&board, Rules::Standard, "0//0").ggf()));
    board.play(board.read("PA").expect("a pass")).expect("the only turn");
    let illegal = Record::new(&Mailbox::start(8), Rules::Standard, "5:00").ggf().replace(";)", "B[A1];)");
    let bad = [
        "set game",
        "set game (;",
        "set game nonsense",
        "move",
        "move A1",
        "move Z9",
        "set",
        "set nothing 5",
    ];
    for line in
        bad.into_iter().chain([&format!("set game {illegal}")[..], "set game (;GM[Othello]BO[8 --- *];)"])
    {
        nboard.send(line);
        nboard.quiet_ping();
        nboard.send("go");
        let (name, ..) = nboard.answer();
        if !name.eq_ignore_ascii_case("PA") {
            nboard.process.fail(&format!("{line:?} has changed the position"));
        }
    }
    nboard.quit();
}

#[test]
fn nboard_says_nothing_to_what_it_does_not_know() {
    let mut nboard = NBoard::ollehto(&["--depth", "1"]);
    for line in ["", "#", "# interrupt", "foo", "clear", "new", "showboard", "set foo bar"] {
        nboard.send(line);
        nboard.quiet_ping();
    }
    nboard.send("hint 64");
    let first = loop {
        match nboard.line() {
            Line::Search { moves, .. } => break moves,
            Line::Status(_) | Line::Nodes(..) | Line::Name(_) => {}
            line => nboard.process.fail(&format!("{line:?} does not belong to hint")),
        }
    };
    let start = Mailbox::start(8);
    let turn = start.read(&first[0]).expect("a square");
    assert!(start.moves().contains(&turn), "{first:?} does not begin at the start");
    nboard.quit();
}
