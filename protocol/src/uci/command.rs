//! Lines from the client.

use std::fmt;

use crate::error::TextError;
use crate::text;

use super::fen::{Fen, fen};
use super::go::GoRequest;

#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    /// An empty line or a comment.
    Blank,
    Uci,
    IsReady,
    NewGame,
    /// Blanks within name and value are single.
    SetOption {
        name: String,
        value: Option<String>,
    },
    Position {
        start: Start,
        /// As written: they are read once the board is known.
        moves: Vec<String>,
    },
    Go(Box<GoRequest>),
    PonderHit,
    Stop,
    Quit,
    /// `d`: show the board.
    Display,
    /// `debug`, `register`: nothing to do.
    Ignored,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Start {
    /// The first position of the variant.
    Startpos,
    Fen(Box<Fen>),
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub enum UciError {
    Unknown(String),
    Bad { command: &'static str, detail: TextError },
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciError::Unknown(word) => write!(f, "unknown command: {word}"),
            UciError::Bad { command, detail } => write!(f, "{command}: {detail}"),
        }
    }
}

impl std::error::Error for UciError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            UciError::Unknown(_) => None,
            UciError::Bad { detail, .. } => Some(detail),
        }
    }
}

/// Reads one line, with or without its end.
pub fn parse_line(line: &[u8]) -> Result<Command, UciError> {
    let line = text::clean(line);
    let mut words = line.split(' ').filter(|word| !word.is_empty());
    let Some(name) = words.next().filter(|name| !name.starts_with('#')) else { return Ok(Command::Blank) };
    Ok(match name.to_ascii_lowercase().as_str() {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => set_option(&line, words)?,
        "position" => position(&line)?,
        "go" => Command::Go(Box::new(GoRequest::read(words))),
        "ponderhit" => Command::PonderHit,
        "stop" => Command::Stop,
        "quit" => Command::Quit,
        "d" => Command::Display,
        "debug" | "register" => Command::Ignored,
        _ => return Err(UciError::Unknown(text::ascii_line(name))),
    })
}

fn set_option<'a>(line: &str, mut words: impl Iterator<Item = &'a str>) -> Result<Command, UciError> {
    let bad = || UciError::Bad { command: "setoption", detail: missing(line, "name OPTION value VALUE") };
    if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("name")) {
        return Err(bad());
    }
    let words: Vec<&str> = words.collect();
    let at = words.iter().position(|word| word.eq_ignore_ascii_case("value"));
    let (name, value) = words.split_at(at.unwrap_or(words.len()));
    if name.is_empty() {
        return Err(bad());
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.get(1..).map(|words| words.join(" ")) })
}

fn position(line: &str) -> Result<Command, UciError> {
    let bad = |detail| UciError::Bad { command: "position", detail };
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| word.eq_ignore_ascii_case("moves"));
    let moves = words.get(at.map_or(words.len(), |at| at + 1)..).unwrap_or_default();
    let moves = moves.iter().map(|&text| text.to_owned()).collect();
    let start = match words.get(1).map(|word| word.to_ascii_lowercase()).as_deref() {
        Some("startpos") => Start::Startpos,
        Some("fen") => Start::Fen(Box::new(text::read_all(line, fen_part(line), fen).map_err(bad)?)),
        _ => return Err(bad(missing(line, "startpos or fen"))),
    };
    Ok(Command::Position { start, moves })
}

/// What lies between the words `fen` and `moves`.
fn fen_part(line: &str) -> &str {
    // Two words come before it.
    let after_word = |text| text::word(text).map_or("", |(rest, _)| rest);
    let part = after_word(after_word(line.trim_start_matches(' ')));
    match part.to_ascii_lowercase().find(" moves") {
        Some(end) => part.get(..end).unwrap_or(part),
        None => part,
    }
}

/// Too little stands after the command.
fn missing(line: &str, what: &'static str) -> TextError {
    TextError::Expected { what, column: line.trim_end().chars().count() + 2, found: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, String> {
        parse_line(line.as_bytes()).map_err(|error| error.to_string())
    }

    fn option(name: &str, value: Option<&str>) -> Result<Command, String> {
        Ok(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
    }

    #[test]
    fn lines_of_the_protocol() {
        for (line, command) in [
            ("", Command::Blank),
            ("  # go", Command::Blank),
            ("uci\r\n", Command::Uci),
            ("  IsReady ", Command::IsReady),
            ("ucinewgame", Command::NewGame),
            ("ponderhit", Command::PonderHit),
            ("stop", Command::Stop),
            ("quit", Command::Quit),
            ("d", Command::Display),
            ("debug on", Command::Ignored),
        ] {
            assert_eq!(read(line), Ok(command), "{line:?}");
        }
        assert_eq!(read("xyzzy 3"), Err("unknown command: xyzzy".to_owned()));
    }

    #[test]
    fn options_in_odd_spacing_and_case() {
        assert_eq!(read("setoption name Hash value 16"), option("Hash", Some("16")));
        assert_eq!(read(" setoption  NAME  Move   Overhead Value  5 "), option("Move Overhead", Some("5")));
        assert_eq!(read("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(read("setoption name Log value a value b"), option("Log", Some("a value b")));
        assert_eq!(read("setoption name Log value"), option("Log", Some("")));
        for line in ["setoption", "setoption Hash 16", "setoption name", "setoption name value 3"] {
            assert!(read(line).unwrap_err().starts_with("setoption: expected name OPTION"), "{line}");
        }
    }

    #[test]
    fn positions_with_and_without_moves() {
        let moves = vec!["P@e3".to_owned(), "junk".to_owned()];
        assert_eq!(
            read("position startpos moves P@e3 junk"),
            Ok(Command::Position { start: Start::Startpos, moves: moves.clone() })
        );
        let text = "8/8/8/3pP3/3Pp3/8/8/8[Pp] b - - 0 7";
        let start = Start::Fen(Box::new(crate::uci::parse_fen(text.as_bytes()).unwrap()));
        assert_eq!(
            read(&format!(" position  fen {text}  moves P@e3  junk")),
            Ok(Command::Position { start: start.clone(), moves })
        );
        assert_eq!(read(&format!("position FEN {text}")), Ok(Command::Position { start, moves: vec![] }));
        for line in ["position", "position moves P@e3", "position start"] {
            assert!(read(line).unwrap_err().starts_with("position: expected startpos or fen"), "{line}");
        }
        for line in ["position fen", "position fen 8/8 w", "position fen moves P@e3"] {
            assert!(read(line).unwrap_err().starts_with("position: expected ranks"), "{line}");
        }
    }
}
