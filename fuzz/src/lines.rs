//! Single lines of the protocols.

use ollehto_protocol::ggf::MoveText;
use ollehto_protocol::gtp::{self, GtpLine, GtpRequest, Response};
use ollehto_protocol::setting::{Setting, SettingName, parse_setting};
use ollehto_protocol::{cassio, detect, nboard, uci, xboard};

use super::records::check_game;

/// One line that any client can take.
pub(crate) fn check_line(line: &str) {
    assert!(line.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' '), "{line:?}");
    assert_eq!(line, line.trim(), "blanks at the ends");
}

/// One GTP reply: its only empty line is its end.
fn check_reply(reply: &str) {
    assert!(reply.bytes().all(|byte| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n')), "{reply:?}");
    assert!(reply.starts_with(['=', '?']) && reply.find("\n\n") == Some(reply.len() - 2), "{reply:?}");
}

/// A setting is written as it is read.
fn check_setting(setting: &Setting) {
    let text = setting.to_string();
    let again = parse_setting(setting.name(), text.as_bytes());
    match (setting, again) {
        // Seconds are written as a fraction, which cannot tell the nanoseconds of years.
        (Setting::Time(Some(_)), Ok(Setting::Time(Some(again)))) => {
            let text = Setting::Time(Some(again)).to_string();
            assert_eq!(parse_setting(SettingName::Time, text.as_bytes()), Ok(Setting::Time(Some(again))));
        }
        (_, again) => assert_eq!(again.as_ref(), Ok(setting), "{text:?}"),
    }
}

pub fn gtp(data: &[u8]) {
    detect(data);
    let GtpLine::Request(GtpRequest { id, command }) = gtp::parse_line(data) else { return };
    match command {
        Ok(gtp::Command::Set(setting)) => check_setting(&setting),
        Ok(gtp::Command::SetBoard(position)) => {
            let line = format!("setboard {position}");
            let GtpLine::Request(again) = gtp::parse_line(line.as_bytes()) else { panic!("{line}") };
            assert_eq!(again.command, Ok(gtp::Command::SetBoard(position)));
        }
        Ok(gtp::Command::LoadGame(game)) => check_game(&game),
        Ok(_) => {}
        Err(error) => check_reply(&Response::failure(id, error.to_string()).to_string()),
    }
    let text = String::from_utf8_lossy(data);
    check_reply(&Response::success(id, text).to_string());
}

pub fn nboard(data: &[u8]) {
    match nboard::parse_line(data) {
        Ok(nboard::Command::SetGame(game)) => check_game(&game),
        Ok(nboard::Command::Set(setting)) => check_setting(&setting),
        Ok(nboard::Command::Move(text)) => check_move(&text),
        Ok(nboard::Command::Ping(text)) => check_line(&nboard::Reply::Pong(text).to_string()),
        Ok(_) => {}
        Err(error) => check_line(&nboard::Reply::Status(error.to_string()).to_string()),
    }
    let text = String::from_utf8_lossy(data).into_owned();
    check_line(&nboard::Reply::MyName(text).to_string());
}

/// Values are rounded when they are written, and not again.
fn check_move(text: &MoveText) {
    let read = |text: &MoveText| match nboard::parse_line(format!("move {text}").as_bytes()) {
        Ok(nboard::Command::Move(text)) => text,
        other => panic!("{text} is read as {other:?}"),
    };
    let written = read(text);
    assert_eq!(written.vertex, text.vertex);
    assert_eq!(read(&written), written, "{text}");
}

pub fn uci(data: &[u8]) {
    match uci::parse_line(data) {
        Ok(uci::Command::Position { start: uci::Start::Fen(fen), moves }) => {
            assert_eq!(uci::parse_fen(fen.to_string().as_bytes()).as_ref(), Ok(&*fen));
            moves.iter().for_each(|text| check_uci_move(text));
        }
        Ok(uci::Command::Position { start: uci::Start::Startpos, moves }) => {
            moves.iter().for_each(|text| check_uci_move(text));
        }
        Ok(_) => {}
        Err(error) => check_line(&uci::Reply::Text(error.to_string()).to_string()),
    }
}

fn check_uci_move(text: &str) {
    use ollehto_protocol::coord::Vertex::{Pass, Place};
    for size in [4, 6, 8] {
        match uci::parse_move(text, size) {
            Some(Place(coord)) => {
                assert_eq!(uci::parse_move(&uci::print_drop(coord, size), size), Some(Place(coord)));
                assert_eq!(uci::parse_move(&uci::print_pass(coord, size), size), Some(Pass));
            }
            Some(Pass) | None => {}
        }
    }
}

pub fn xboard(data: &[u8]) {
    match xboard::parse_line(data) {
        xboard::Command::UserMove(_, Some(vertex)) => {
            let name = xboard::print_move(vertex);
            let again = xboard::parse_line(format!("usermove {name}").as_bytes());
            assert_eq!(again, xboard::Command::UserMove(name, Some(vertex)));
        }
        xboard::Command::UserMove(text, None)
        | xboard::Command::Ping(text)
        | xboard::Command::Variant(text)
        | xboard::Command::Unknown(text) => check_line(&text),
        _ => {}
    }
}

pub fn cassio(data: &[u8]) {
    match cassio::parse_line(data) {
        cassio::Command::Bad(problem) => check_line(&problem),
        cassio::Command::Search(request) => {
            let cassio::SearchRequest { position, depth, precision } = &request;
            let line = match depth {
                None => format!("ENGINE-PROTOCOL endgame-search {position} -64 64 {precision}"),
                Some(depth) => {
                    format!("ENGINE-PROTOCOL midgame-search {position} -64 64 {depth} {precision}")
                }
            };
            assert_eq!(cassio::parse_line(line.as_bytes()), cassio::Command::Search(request), "{line}");
        }
        _ => {}
    }
}
