//! The Chess Engine Communication Protocol, as far as GUIs use it for Reversi.
//!
//! Colours are those of the pieces: White, who begins, has the capital letters. Ranks are Othello's rows.

use std::time::Duration;

use crate::coord::{Coord, Side, Vertex, square};
use crate::notation::PositionText;
use crate::number::{decimal, to_duration};
use crate::text;
use crate::uci::read_ranks;

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line, or one that needs no answer and changes nothing.
    Blank,
    /// `protover N`.
    ProtocolVersion,
    Variant(String),
    New,
    /// The position; none if it cannot be read.
    SetBoard(Option<PositionText>),
    /// Take the moves of both sides.
    Force,
    Go,
    PlayOther,
    /// `usermove d6`, `usermove P@d6`, or the move alone; none if it is no move.
    UserMove(String, Option<Vertex>),
    /// `?`
    MoveNow,
    /// Take back so many moves.
    Undo(usize),
    /// `st`: for each move.
    MoveTime(Duration),
    /// `sd`: in plies.
    Depth(u8),
    /// `level`: moves for each time control (none: all), and what each of them adds.
    Level {
        moves: Option<u32>,
        base: Duration,
        increment: Duration,
    },
    /// `time` and `otim`: what the engine and its opponent have left.
    TimeLeft {
        own: bool,
        left: Duration,
    },
    /// `hard` and `easy`.
    Ponder(bool),
    /// `post` and `nopost`: show how the search gets on.
    Post(bool),
    Ping(String),
    /// In MiB.
    Memory(u32),
    Cores(u32),
    Quit,
    Unknown(String),
}

/// Commands without an effect on a Reversi engine.
const IGNORED: [&str; 16] = [
    "xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "result", "draw",
    "white", "black", "egtpath", "option", "nps", ".",
];

/// Reads one line, with or without its end.
pub fn parse_line(line: &[u8]) -> Command {
    let line = text::clean(line);
    let mut words = line.split(' ').filter(|word| !word.is_empty());
    let Some(name) = words.next() else { return Command::Blank };
    let arguments: Vec<&str> = words.collect();
    let unknown = || Command::Unknown(text::ascii_line(&line));
    let first = arguments.first().copied().unwrap_or_default();
    match name {
        "protover" => Command::ProtocolVersion,
        "variant" => Command::Variant(text::ascii_line(first)),
        "new" => Command::New,
        "setboard" => Command::SetBoard(parse_board(&arguments)),
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "usermove" => Command::UserMove(text::ascii_line(first), parse_move(first)),
        "?" => Command::MoveNow,
        "undo" => Command::Undo(1),
        "remove" => Command::Undo(2),
        "st" => seconds(first).map_or_else(unknown, Command::MoveTime),
        "sd" => first.parse().map_or_else(|_| unknown(), |depth: u8| Command::Depth(depth.clamp(1, 60))),
        "level" => parse_level(&arguments).unwrap_or_else(unknown),
        "time" | "otim" => match first.parse::<i64>() {
            Ok(hundredths) => {
                let left = Duration::from_millis(hundredths.max(0).unsigned_abs().saturating_mul(10));
                Command::TimeLeft { own: name == "time", left }
            }
            Err(_) => unknown(),
        },
        "hard" => Command::Ponder(true),
        "easy" => Command::Ponder(false),
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        "ping" => Command::Ping(text::ascii_line(first)),
        "memory" => first.parse().map_or_else(|_| unknown(), Command::Memory),
        "cores" => first.parse().map_or_else(|_| unknown(), Command::Cores),
        "quit" => Command::Quit,
        _ if name.starts_with('#') || IGNORED.contains(&name) => Command::Blank,
        _ => match parse_move(name) {
            Some(vertex) => Command::UserMove(name.to_owned(), Some(vertex)),
            None => unknown(),
        },
    }
}

fn seconds(text: &str) -> Option<Duration> {
    decimal(text).and_then(to_duration).filter(|time| !time.is_zero())
}

/// `MPS BASE INC`: the base in minutes, perhaps with seconds.
fn parse_level(arguments: &[&str]) -> Option<Command> {
    let &[moves, base, increment] = arguments else { return None };
    let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
    let base = decimal(minutes)? * 60.0 + decimal(seconds)?;
    Some(Command::Level {
        moves: moves.parse().ok().filter(|&moves| moves > 0),
        base: to_duration(base)?,
        increment: decimal(increment).and_then(to_duration)?,
    })
}

/// `d6`, `P@d6`, `p@d6`, or `@@@@` for a pass.
fn parse_move(text: &str) -> Option<Vertex> {
    if text == "@@@@" {
        return Some(Vertex::Pass);
    }
    let name = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@")).unwrap_or(text);
    match square(name) {
        Ok(("", coord)) => Some(Vertex::Place(coord)),
        _ => None,
    }
}

/// The first rank is the last row.
fn parse_board(arguments: &[&str]) -> Option<PositionText> {
    let (&board, &side) = (arguments.first()?, arguments.get(1)?);
    let to_move = match side {
        "w" => Side::White,
        "b" => Side::Black,
        _ => return None,
    };
    let mut ranks: Vec<&str> = board.split('[').next()?.split('/').collect();
    if ranks.len() != 8 {
        return None;
    }
    ranks.reverse();
    PositionText::new(read_ranks(&ranks, Side::White)?, to_move).ok()
}

/// A move as GUIs read it.
pub fn print_move(vertex: Vertex) -> String {
    match vertex {
        Vertex::Place(coord) => format!("P@{}", name(coord)),
        Vertex::Pass => "@@@@".to_owned(),
    }
}

fn name(coord: Coord) -> String {
    coord.to_string().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        parse_line(line.as_bytes())
    }

    #[test]
    fn lines_of_the_clients() {
        let d6 = Some(Vertex::Place(Coord::new(3, 5).unwrap()));
        for (line, command) in [
            ("", Command::Blank),
            ("xboard\r", Command::Blank),
            ("accepted ping", Command::Blank),
            ("protover 2", Command::ProtocolVersion),
            ("variant reversi", Command::Variant("reversi".into())),
            ("usermove d6", Command::UserMove("d6".into(), d6)),
            ("usermove P@d6", Command::UserMove("P@d6".into(), d6)),
            ("P@d6", Command::UserMove("P@d6".into(), d6)),
            ("usermove @@@@", Command::UserMove("@@@@".into(), Some(Vertex::Pass))),
            ("usermove e2e4", Command::UserMove("e2e4".into(), None)),
            ("?", Command::MoveNow),
            ("remove", Command::Undo(2)),
            ("st 4", Command::MoveTime(Duration::from_secs(4))),
            ("sd 99", Command::Depth(60)),
            ("time 1234", Command::TimeLeft { own: true, left: Duration::from_millis(12_340) }),
            ("otim -5", Command::TimeLeft { own: false, left: Duration::ZERO }),
            ("ping 7", Command::Ping("7".into())),
            ("memory 64", Command::Memory(64)),
            ("dance", Command::Unknown("dance".into())),
            ("st x", Command::Unknown("st x".into())),
        ] {
            assert_eq!(read(line), command, "{line:?}");
        }
        let level = |moves, base, increment| {
            let [base, increment] = [base, increment].map(Duration::from_secs);
            Command::Level { moves, base, increment }
        };
        assert_eq!(read("level 40 5 0"), level(Some(40), 300, 0));
        assert_eq!(read("level 0 2:30 12"), level(None, 150, 12));
    }

    #[test]
    fn the_first_rank_is_the_last_row() {
        let Command::SetBoard(Some(start)) = read("setboard 8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1") else {
            panic!()
        };
        assert_eq!(start.to_string(), "---------------------------OX------XO--------------------------- X");
        for wrong in ["8/8/8/8/8/8/8/8", "8/8 w", "9/8/8/8/8/8/8/8 w", "8/8/8/3qP3/8/8/8/8 w", ""] {
            assert_eq!(read(&format!("setboard {wrong}")), Command::SetBoard(None), "{wrong}");
        }
    }

    #[test]
    fn moves_are_printed_as_drops() {
        assert_eq!(print_move(Vertex::Place(Coord::new(3, 5).unwrap())), "P@d6");
        assert_eq!(print_move(Vertex::Pass), "@@@@");
    }
}
