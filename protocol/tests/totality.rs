//! No input makes a parser panic, whether it is noise or a real line with a few bytes changed.

use ollehto_protocol::setting::{SettingName, parse_setting};
use ollehto_protocol::{cassio, detect, ggf, gtp, nboard, notation, obf, uci, xboard};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

const LINES: &[&str] = &[
    "7 play B D3 # comment",
    "genmove b",
    "# interrupt",
    "time_settings 60 10.5 5",
    "time_left b 118 0",
    "setboard ---------------------------OX------XO--------------------------- X",
    "play_moves f5-d6 C3,pass--e7",
    "gogui-play_sequence B D3 W C3 B PASS",
    "gogui-setup B D4 W E5",
    "ollehto-param time 1.5",
    "setoption name Move Overhead value 50",
    "position startpos moves P@e3 P@d3 a1a1",
    "position fen 8/8/8/3pP3/3Pp3/8/8/8[PPPppp] w - - 0 1 moves P@e3",
    "go wtime 60000 btime -5 winc 10 binc 0 movestogo 3 searchmoves P@e3 P@f4 depth 12",
    "setboard 8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1",
    "usermove P@d6",
    "level 40 2:30 12",
    "ENGINE-PROTOCOL endgame-search -----OX--XO-----X -64 +64 100",
    "nboard 2",
    "ping 12",
    "set depth 26",
    "set contempt -100",
    "set threads 4",
    "move E6/8.17/0.02",
    "F5//4.22",
    "hint 64",
    "set game (;GM[Othello]PC[NBoard]DT[2026-11-15 00:23:06 GMT]PB[human]PW[PyOth3]RE[?]TI[5:00]TY[8]\
     BO[8 ---------------------------O*------*O--------------------------- *]B[F5//4.22]W[F6/-0.43/0.1];)",
    "2 (;GM[Othello]RE[-10.000:r]TB[2.01:00:00.5/0:10,25/2:00]TW[0//0]TY[s8ar20]KM[0.5]\
     BO[4 -----o*--*o----- O]W[A1]B[pass//5.0E-4];)\r\n(;BO[4 -----o*--*o----- *];)",
    "8 ---------------------------O*------*O--------------------------- *",
    "15:00/0:10/2:00",
    "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; C7:-12; % two are best",
    "-----OX--XO----- X;a2:0;pass:+64",
];

/// Runs every parser over the same bytes, and prints what comes out of it.
fn read_everything(bytes: &[u8]) {
    detect(bytes);
    if let gtp::GtpLine::Request(gtp::GtpRequest { id, command: Err(error) }) = gtp::parse_line(bytes) {
        check_reply(&gtp::Response::failure(id, error.to_string()).to_string());
    }
    if let Err(error) = nboard::parse_line(bytes) {
        check_line(&nboard::Reply::Status(error.to_string()).to_string());
    }
    match uci::parse_line(bytes) {
        Ok(uci::Command::Position { start: uci::Start::Fen(fen), moves }) => {
            assert_eq!(uci::parse_fen(fen.to_string().as_bytes()), Ok(*fen));
            assert!(moves.iter().filter_map(|text| uci::parse_move(text, 8)).count() <= moves.len());
        }
        Ok(_) => {}
        Err(error) => check_line(&uci::Reply::Text(error.to_string()).to_string()),
    }
    if let cassio::Command::Bad(problem) = cassio::parse_line(bytes) {
        check_line(&problem);
    }
    if let xboard::Command::UserMove(_, Some(vertex)) = xboard::parse_line(bytes) {
        check_line(&xboard::print_move(vertex));
    }
    for game in ggf::parse_games(bytes).into_iter().flatten() {
        assert!(ggf::parse_game(game.to_string().as_bytes()).is_ok(), "{game}");
    }
    let _ = ggf::parse_game(bytes).map_err(|error| error.to_string());
    let _ = notation::parse_position(bytes).map_err(|error| error.to_string());
    let _ = notation::parse_moves(bytes).map_err(|error| error.to_string());
    match obf::parse_problem(bytes) {
        Ok(problem) => assert_eq!(obf::parse_problem(problem.to_string().as_bytes()), Ok(problem)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    for name in SettingName::ALL {
        match parse_setting(name, bytes) {
            Ok(setting) => assert_eq!(setting.name(), name),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn check_line(line: &str) {
    assert!(line.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' '), "{line:?}");
    assert_eq!(line, line.trim());
}

fn check_reply(reply: &str) {
    assert!(reply.bytes().all(|byte| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n')), "{reply:?}");
    assert!(reply.starts_with(['=', '?']) && reply.find("\n\n") == Some(reply.len() - 2), "{reply:?}");
    assert!(!reply.contains(" \n"), "{reply:?}");
}

#[test]
fn real_lines_as_they_are() {
    LINES.iter().for_each(|line| read_everything(line.as_bytes()));
}

/// One change to a line: cut it short, or put other bytes in place of one.
#[derive(Clone, Debug)]
enum Change {
    Cut(Index),
    Replace(Index, Vec<u8>),
}

fn change() -> impl Strategy<Value = Change> {
    let signs = select(&b" \t\r\n#%/:;.,()[]+-0189aAbBxXoO*?\x00\x7f\xc3\xff"[..]);
    prop_oneof![
        1 => any::<Index>().prop_map(Change::Cut),
        9 => (any::<Index>(), vec(signs, 0..3)).prop_map(|(at, bytes)| Change::Replace(at, bytes)),
    ]
}

fn apply(line: &mut Vec<u8>, change: Change) {
    match change {
        Change::Cut(at) => line.truncate(at.index(line.len() + 1)),
        Change::Replace(at, bytes) if !line.is_empty() => {
            let at = at.index(line.len());
            line.splice(at..=at, bytes);
        }
        Change::Replace(_, bytes) => line.extend(bytes),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn noise(bytes in vec(any::<u8>(), 0..200)) {
        read_everything(&bytes);
    }

    #[test]
    fn changed_lines(line in select(LINES), changes in vec(change(), 1..6)) {
        let mut line = line.as_bytes().to_vec();
        changes.into_iter().for_each(|change| apply(&mut line, change));
        read_everything(&line);
    }

    #[test]
    fn any_text_fits_a_reply(text in ".{0,60}(\n.{0,20}){0,4}", id in any::<Option<u32>>()) {
        check_reply(&gtp::Response::success(id.map(|id| gtp::GtpId(id.into())), &text).to_string());
        check_line(&nboard::Reply::Pong(text.clone()).to_string());
        check_line(&nboard::Reply::MyName(text).to_string());
    }
}
