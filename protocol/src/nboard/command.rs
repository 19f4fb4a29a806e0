//! Lines from the client.

use std::fmt;

use nom::Parser;
use nom::character::complete::space0;
use nom::combinator::{map, map_opt, rest};
use nom::sequence::{pair, preceded};

use crate::coord::vertex;
use crate::error::TextError;
use crate::ggf::{self, GgfGame, MoveText};
use crate::number::{A_WHOLE_NUMBER, whole};
use crate::setting::{PLIES, Setting, SettingName, setting};
use crate::text::{self, Parsed, argument, optional, word};

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line or a comment.
    Blank,
    /// `nboard N`: the version of the protocol.
    Version(u32),
    /// `set game GGF`: the position at the end of this game.
    SetGame(Box<GgfGame>),
    /// `set contempt N`: what a draw is worth to Black.
    SetContempt(i32),
    /// `set depth N`, from 1 to 60.
    SetDepth(u8),
    /// `set NAME VALUE` for any other option.
    Set(Setting),
    /// `move MOVE`, or a move alone: the game goes on by this move.
    Move(MoveText),
    /// `ping TEXT`: answer with the same text.
    Ping(String),
    /// `hint N`: evaluate the best N moves, at least one.
    Hint(u32),
    /// `go`: choose a move.
    Go,
    /// `analyze`: evaluate every position of the game.
    Analyze,
    /// `learn`: remember the game.
    Learn,
    /// `clear`: clear the transposition table.
    Clear,
    /// `new`: begin a new game.
    New,
    /// `quit`: end the program.
    Quit,
}

/// Columns count over the line as the user sees it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum NBoardError {
    /// Not of this protocol: to be ignored silently.
    Unknown,
    Bad {
        command: String,
        detail: TextError,
    },
}

impl fmt::Display for NBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NBoardError::Unknown => f.write_str("unknown command"),
            NBoardError::Bad { command, detail } => write!(f, "{command}: {detail}"),
        }
    }
}

impl std::error::Error for NBoardError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            NBoardError::Unknown => None,
            NBoardError::Bad { detail, .. } => Some(detail),
        }
    }
}

/// Reads one line, with or without its end.
pub fn parse_line(line: &[u8]) -> Result<Command, NBoardError> {
    let line = text::clean(line);
    match preceded(space0, pair(word, rest)).parse(&*line) {
        Ok((_, (name, _))) if name.is_empty() || name.starts_with('#') => Ok(Command::Blank),
        Ok((_, ("set", arguments))) => read_set(&line, arguments),
        Ok((_, (name, arguments))) => match command_grammar(name) {
            Some(grammar) => read(&line, name.to_owned(), arguments, grammar),
            None => bare_move(&line),
        },
        Err(_) => Err(NBoardError::Unknown),
    }
}

type Grammar = for<'a> fn(&'a str) -> Parsed<'a, Command>;

fn read(line: &str, command: String, arguments: &str, grammar: Grammar) -> Result<Command, NBoardError> {
    text::read_all(line, arguments, grammar).map_err(|detail| NBoardError::Bad { command, detail })
}

fn command_grammar(name: &str) -> Option<Grammar> {
    Some(match name {
        "nboard" => |i| map(argument(A_WHOLE_NUMBER, whole), Command::Version).parse(i),
        "move" => |i| map(ggf::move_text, Command::Move).parse(i),
        "ping" => |i| map(rest, |text: &str| Command::Ping(text.to_owned())).parse(i),
        "hint" => hint,
        "go" => |i| Ok((i, Command::Go)),
        "analyze" => |i| Ok((i, Command::Analyze)),
        "learn" => |i| Ok((i, Command::Learn)),
        "clear" => |i| Ok((i, Command::Clear)),
        "new" => |i| Ok((i, Command::New)),
        "quit" => |i| Ok((i, Command::Quit)),
        _ => return None,
    })
}

fn hint(input: &str) -> Parsed<'_, Command> {
    map(optional(argument(A_WHOLE_NUMBER, whole)), |count: Option<u32>| {
        Command::Hint(count.unwrap_or_default().max(1))
    })
    .parse(input)
}

fn read_set(line: &str, arguments: &str) -> Result<Command, NBoardError> {
    let Ok((value, name)) = word(arguments) else {
        return Err(NBoardError::Unknown);
    };
    let bad = |detail| NBoardError::Bad { command: format!("set {name}"), detail };
    match (name, SettingName::parse(name)) {
        ("game", _) => text::read_all(line, value, map(ggf::game, |game| Command::SetGame(Box::new(game)))),
        ("contempt", _) => text::read_all(line, value, map(argument(INTEGER, integer), Command::SetContempt)),
        ("depth", _) => text::read_all(line, value, map(argument(INTEGER, integer), depth)),
        // NBoard's own `depth` is a level, so the limit in plies goes by another name.
        ("plies", _) => text::read_all(line, value, map(setting(SettingName::Depth), Command::Set)),
        (_, Some(name)) => text::read_all(line, value, map(setting(name), Command::Set)),
        _ => return Err(NBoardError::Unknown),
    }
    .map_err(bad)
}

const INTEGER: &str = "an integer";

fn integer(input: &str) -> Parsed<'_, i32> {
    map_opt(rest, |word: &str| word.parse().ok()).parse(input)
}

fn depth(wanted: i32) -> Command {
    let (shallowest, deepest) = PLIES.into_inner();
    // Beyond the type is beyond the range, and the nearer end is what the user wants.
    Command::SetDepth(u8::try_from(wanted.max(0)).unwrap_or(deepest).clamp(shallowest, deepest))
}

/// Version 1 of the protocol sends moves without a word before them.
///
/// Only a line that is clearly a move is taken for one: most unknown lines are meant for other programs.
fn bare_move(line: &str) -> Result<Command, NBoardError> {
    let line = line.trim_matches(' ');
    let name = line.split(['/', ' ']).next().unwrap_or(line);
    match vertex(name) {
        Ok(("", _)) => {
            text::read_all(line, line, map(ggf::move_text, Command::Move)).map_err(|_| NBoardError::Unknown)
        }
        _ => Err(NBoardError::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::coord::{Coord, Vertex};
    use crate::setting::RulesName;

    const START: &str = "(;GM[Othello]PC[NBoard]DT[2026-11-15 00:23:06 GMT]PB[]PW[]RE[?]TI[5:00]TY[8]\
                         BO[8 ---------------------------O*------*O--------------------------- *];)";

    fn read(line: &str) -> Result<Command, NBoardError> {
        parse_line(line.as_bytes())
    }

    fn played(vertex: Vertex, eval: Option<f64>, ms: Option<u64>) -> Result<Command, NBoardError> {
        Ok(Command::Move(MoveText { vertex, eval, seconds: ms.map(Duration::from_millis) }))
    }

    #[test]
    fn lines_of_the_protocol() {
        let table = [
            ("", Command::Blank),
            ("  \r\n", Command::Blank),
            ("# hint 4", Command::Blank),
            ("nboard 2", Command::Version(2)),
            ("set contempt -100", Command::SetContempt(-100)),
            ("set depth 26", Command::SetDepth(26)),
            ("set depth 0", Command::SetDepth(1)),
            ("set depth -5", Command::SetDepth(1)),
            ("set depth 61", Command::SetDepth(60)),
            ("set depth 1000", Command::SetDepth(60)),
            ("set rules standard", Command::Set(Setting::Rules(RulesName::Standard))),
            ("set threads 2", Command::Set(Setting::Threads(2))),
            ("set log off", Command::Set(Setting::Log(None))),
            ("ping 3", Command::Ping("3".to_owned())),
            ("ping", Command::Ping(String::new())),
            ("ping 99999999999999999999 x\r", Command::Ping("99999999999999999999 x".to_owned())),
            ("hint 4", Command::Hint(4)),
            ("hint 64", Command::Hint(64)),
            ("hint 0", Command::Hint(1)),
            ("hint", Command::Hint(1)),
            ("go", Command::Go),
            ("\tgo \r\n", Command::Go),
            ("analyze", Command::Analyze),
            ("learn", Command::Learn),
            ("clear", Command::Clear),
            ("new", Command::New),
            ("quit", Command::Quit),
        ];
        for (line, command) in table {
            assert_eq!(read(line), Ok(command), "{line:?}");
        }
    }

    #[test]
    fn moves_with_and_without_their_word() {
        let f5 = Vertex::Place(Coord::new(5, 4).unwrap());
        for word in ["move ", ""] {
            let read = |text: &str| read(&format!("{word}{text}"));
            assert_eq!(read("F5"), played(f5, None, None));
            assert_eq!(read("f5/8.17/0.02"), played(f5, Some(8.17), Some(20)));
            assert_eq!(read("F5//4.22"), played(f5, None, Some(4220)));
            assert_eq!(read("F5 1.5 0.2\r"), played(f5, Some(1.5), Some(200)));
            assert_eq!(read("PA"), played(Vertex::Pass, None, None));
        }
    }

    #[test]
    fn unknown_lines_are_told_from_wrong_ones() {
        let unknown = [
            "hello",
            "Go",
            "set",
            "set colour red",
            "set myname x",
            "patch",
            "f5d6",
            "F9",
            "a1x",
            "=== F5",
            "\u{fffd}",
        ];
        for line in unknown {
            assert_eq!(read(line), Err(NBoardError::Unknown), "{line:?}");
        }
        let bad = [
            "nboard",
            "nboard two",
            "set contempt",
            "set contempt x",
            "set depth",
            "set depth x",
            "set threads 0",
            "set rules chess",
            "set game",
            "set game (;)",
            "move",
            "move Z9",
            "hint x",
            "hint -1",
            "hint 4 5",
            "go on",
        ];
        for line in bad {
            assert!(matches!(read(line), Err(NBoardError::Bad { .. })), "{line:?}");
        }
    }

    #[test]
    fn errors_say_what_and_where() {
        let table = [
            ("set depth x", "set depth: expected an integer at column 11, found 'x'"),
            ("  move z9/1", "move: expected a square (a1 to h8) or pass at column 8, found 'z9/1'"),
            (
                "set hash",
                "set hash: hash takes a whole number of MiB from 1 to 65536, found nothing at column 9",
            ),
            ("go on", "go: expected nothing more at column 4, found 'on'"),
            ("set game x", "set game: expected a game, which begins with (; at column 10, found 'x'"),
        ];
        for (line, message) in table {
            assert_eq!(read(line).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn games_come_with_their_moves() {
        let Ok(Command::SetGame(game)) = read(&format!("set game {START}\r\n")) else { panic!() };
        assert_eq!((game.moves.len(), game.board.size(), game.kind.anti), (0, 8, false));
        let anti = START.replace("TY[8]", "TY[8a]").replace(";)", "B[F5//4.22]W[F6/-0.43/0.1];)");
        let Ok(Command::SetGame(game)) = read(&format!("set game {anti}")) else { panic!("{anti}") };
        assert_eq!((game.moves.len(), game.kind.anti), (2, true));
    }
}
