//! What players tell the game. Both front ends turn their input into these.

use std::fmt;
use std::path::PathBuf;

use ollehto_protocol::coord::{Coord, Vertex};
use ollehto_protocol::notation::parse_moves;

use crate::board::Size;
use crate::rules::Rules;

use super::record::Choices;
use super::settings::{People, parse_clock};
use super::strength::Strength;

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Play(Coord),
    Undo,
    Redo,
    Hint,
    /// On, off, or the other of the two.
    Values(Option<bool>),
    /// The engine moves: at once if it thinks, and for the person if it is a person's turn.
    Go,
    New(Choices),
    /// To the file of the last save if none is named.
    Save {
        path: Option<PathBuf>,
        replace: bool,
    },
    Load(PathBuf),
    Resign,
    Review,
    Board,
    Help,
    Quit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    Unknown(String),
    FileNeeded(&'static str),
    OnOrOff,
    NewGame(String),
    /// In words.
    Value(String),
    Superfluous(&'static str),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(text) => {
                write!(f, "'{text}' is no move and no command: type a square such as f5, or help")
            }
            Self::FileNeeded(command) => write!(f, "name a file: {command} game.ggf"),
            Self::OnOrOff => f.write_str("values takes on, off or nothing"),
            Self::NewGame(word) => write!(
                f,
                "'{word}' is no setting of a game: new takes any of reversed, standard, black, white, both, none, 4, 6, 8, elo N, level N, clock 5+3, no clock, full"
            ),
            Self::Value(problem) => f.write_str(problem),
            Self::Superfluous(command) => write!(f, "{command} takes nothing after it"),
        }
    }
}

impl std::error::Error for CommandError {}

/// The commands of lines with their short forms, and what they do.
pub const COMMANDS: [(&str, &str); 15] = [
    ("f5", "play on this square"),
    ("u, undo", "take back your last move and the answer to it"),
    ("r, redo", "replay what you took back"),
    ("t, hint", "values of all moves, at full strength (h works too)"),
    ("v, values [on|off]", "show the value of each position"),
    ("m, go", "let the engine move, for you on your turn"),
    ("n, new [SETTINGS]", "new game, as in: new white standard 6 elo 1200"),
    ("s, save [--force] [FILE]", "save the game as GGF"),
    ("l, load FILE", "load the last game of a file"),
    ("x, resign", "give up"),
    ("w, review", "review of the game: curve and worst moves"),
    ("b, board", "show the board again"),
    ("?, help", "this list"),
    ("q, quit", "leave; the game is kept"),
    ("", "squares can be typed in lower or upper case; forced passes are played for you"),
];

/// Reads a line that a person typed; none if it is empty.
///
/// # Errors
/// If it is neither a square nor a command.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let alone = |command: Command, name: &'static str| {
        if rest.is_empty() { Ok(Some(command)) } else { Err(CommandError::Superfluous(name)) }
    };
    match word.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "u" | "undo" => alone(Command::Undo, "undo"),
        "r" | "redo" => alone(Command::Redo, "redo"),
        "t" | "h" | "hint" | "tip" => alone(Command::Hint, "hint"),
        "v" | "value" | "values" => match rest {
            "" => Ok(Some(Command::Values(None))),
            "on" => Ok(Some(Command::Values(Some(true)))),
            "off" => Ok(Some(Command::Values(Some(false)))),
            _ => Err(CommandError::OnOrOff),
        },
        "m" | "go" => alone(Command::Go, "go"),
        "n" | "new" => parse_choices(rest).map(|choices| Some(Command::New(choices))),
        "s" | "save" => {
            let (replace, path) = match rest.strip_prefix("--force") {
                Some(path) => (true, path.trim()),
                None => (false, rest),
            };
            let path = (!path.is_empty()).then(|| file_name(path));
            Ok(Some(Command::Save { path, replace }))
        }
        "l" | "load" if rest.is_empty() => Err(CommandError::FileNeeded("load")),
        "l" | "load" => Ok(Some(Command::Load(file_name(rest)))),
        "x" | "resign" => alone(Command::Resign, "resign"),
        "w" | "review" => alone(Command::Review, "review"),
        "b" | "board" => alone(Command::Board, "board"),
        "?" | "help" => alone(Command::Help, "help"),
        "q" | "quit" | "exit" => alone(Command::Quit, "quit"),
        _ => match parse_moves(line.as_bytes()).as_deref() {
            Ok(&[Vertex::Place(coord)]) => Ok(Some(Command::Play(coord))),
            _ => Err(CommandError::Unknown(line.into())),
        },
    }
}

/// The file that a person names: where no shell does, `~` becomes the home directory.
#[must_use]
pub fn file_name(text: &str) -> PathBuf {
    let text = text.trim();
    let inside =
        text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(std::path::is_separator));
    match (inside, std::env::home_dir()) {
        (Some(inside), Some(home)) => home.join(inside.trim_start_matches(std::path::is_separator)),
        _ => text.into(),
    }
}

/// Settings in any order, as in `white standard 6 level 4`.
fn parse_choices(text: &str) -> Result<Choices, CommandError> {
    let mut choices = Choices::default();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let wrong = || CommandError::NewGame(word.into());
        let value = |problem| CommandError::Value(format!("{word}: {problem}"));
        match word.to_ascii_lowercase().as_str() {
            "reversed" => choices.rules = Some(Rules::Reversed),
            "standard" => choices.rules = Some(Rules::Standard),
            "black" => choices.people = Some(People::Black),
            "white" => choices.people = Some(People::White),
            "both" => choices.people = Some(People::Both),
            "none" => choices.people = Some(People::None),
            "full" => choices.strength = Some(Strength::FULL),
            "elo" => {
                let elo = crate::numbers::elo(words.next().ok_or_else(wrong)?).map_err(value)?;
                choices.strength = Some(Strength { elo: Some(elo), ..Strength::FULL });
            }
            "level" => {
                let level = crate::numbers::level(words.next().ok_or_else(wrong)?).map_err(value)?;
                choices.strength = Some(Strength::level(level));
            }
            "no" if words.next() == Some("clock") => {
                choices.clock = Some(crate::clock::TimeControl::Unlimited)
            }
            "clock" => {
                let clock = parse_clock(words.next().ok_or_else(wrong)?).map_err(value)?;
                choices.clock = Some(clock);
            }
            number => {
                let side = number.split(['x', '×']).next().and_then(|side| side.parse().ok());
                choices.size = Some(side.and_then(Size::from_side).ok_or_else(wrong)?);
            }
        }
    }
    Ok(choices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeControl;

    #[test]
    fn squares_are_moves_in_either_case() {
        let h4 = Coord::new(7, 3).expect("on the board");
        for text in ["h4", "H4", "  h4 "] {
            assert_eq!(parse(text), Ok(Some(Command::Play(h4))), "{text:?}");
        }
        for text in ["i1", "f9", "f5d6", "pass", "hello", "f"] {
            assert_eq!(parse(text), Err(CommandError::Unknown(text.into())));
        }
        assert_eq!(parse(" \t"), Ok(None));
    }

    #[test]
    fn commands_have_a_letter_and_a_word() {
        for (text, command) in [
            ("u", Command::Undo),
            ("UNDO", Command::Undo),
            ("h", Command::Hint),
            ("values off", Command::Values(Some(false))),
            ("s", Command::Save { path: None, replace: false }),
            ("save --force a b.ggf", Command::Save { path: Some("a b.ggf".into()), replace: true }),
            ("l x.ggf", Command::Load("x.ggf".into())),
        ] {
            assert_eq!(parse(text), Ok(Some(command)), "{text:?}");
        }
        assert_eq!(parse("load"), Err(CommandError::FileNeeded("load")));
        assert_eq!(parse("undo 3"), Err(CommandError::Superfluous("undo")));
    }

    #[test]
    fn a_tilde_is_the_home_directory() {
        let Some(home) = std::env::home_dir() else { return };
        assert_eq!(parse("load ~/a.ggf"), Ok(Some(Command::Load(home.join("a.ggf")))));
        assert_eq!(
            parse("save ~/a b.ggf"),
            Ok(Some(Command::Save { path: Some(home.join("a b.ggf")), replace: false }))
        );
        assert_eq!((file_name("a~/b"), file_name("~a")), ("a~/b".into(), "~a".into()));
    }

    #[test]
    fn a_new_game_takes_settings_in_any_order() {
        let Ok(Some(Command::New(choices))) = parse("new level 4 6x6 standard white clock 5+3") else {
            panic!("it can be read")
        };
        assert_eq!((choices.rules, choices.size), (Some(Rules::Standard), Some(Size::Six)));
        assert_eq!((choices.people, choices.strength), (Some(People::White), Some(Strength::level(4))));
        assert!(matches!(choices.clock, Some(TimeControl::Game { .. })));
        assert_eq!(parse("new"), Ok(Some(Command::New(Choices::default()))));
        for wrong in ["new 5", "new level", "new clock", "new loud", "new no"] {
            assert!(matches!(parse(wrong), Err(CommandError::NewGame(_))), "{wrong}");
        }
        for wrong in ["new level x", "new elo 10", "new clock soon"] {
            assert!(matches!(parse(wrong), Err(CommandError::Value(_))), "{wrong}");
        }
    }
}
