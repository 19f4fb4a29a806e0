//! What is to be analysed: games and positions in any of their forms, each recognised by itself.
//!
//! A text holds any number of GGF records, lines of moves and lines with a position. What cannot be read is a [`Fault`] that
//! names its place; a game is kept up to its fault, and reading goes on behind it.

mod ggf;
mod lines;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crossbeam_channel::{bounded, select_biased};
use ollehto_protocol::error::TextError;
use ollehto_protocol::ggf::GgfGame;
use ollehto_protocol::notation::parse_move_list;
use thiserror::Error;

use crate::board::{Color, Move, Position, Size};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;
use crate::terminal::interrupts::Interrupts;
use crate::threads;

/// In bytes. Some hundred thousand games: more than anybody analyses in a year.
const LARGEST: u64 = 64 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameSource {
    Stdin,
    File(PathBuf),
    /// A game or position on the command line.
    Text(String),
}

impl GameSource {
    /// What an argument means: `-`, the name of a file, or a game itself.
    #[must_use]
    pub fn of_argument(argument: &str) -> Self {
        let is_game = || {
            let source = Self::Text(argument.to_owned());
            let contents = source.parse(argument, Rules::default(), Size::default());
            // Moves that are illegal here may be of a smaller board, or wrong.
            let list = parse_move_list(argument.as_bytes());
            !contents.games.is_empty() || !list.moves.is_empty() && list.error.is_none()
        };
        match argument {
            "-" => Self::Stdin,
            _ if !Path::new(argument).exists() && is_game() => Self::Text(argument.to_owned()),
            _ => Self::File(argument.into()),
        }
    }

    /// What it holds; nothing if an interrupt came before the end of standard input.
    ///
    /// # Errors
    /// If it cannot be read or is too large.
    pub fn read(&self, rules: Rules, size: Size, interrupts: &Interrupts) -> Result<Contents, InputError> {
        let read = match self {
            Self::Text(text) => return Ok(self.parse(text, rules, size)),
            Self::Stdin => read_stdin(interrupts),
            Self::File(path) => {
                let opened = File::open(path).map_err(|error| InputError::Open(path.clone(), error))?;
                bounded_read(opened)
            }
        };
        let bytes = read.map_err(|error| InputError::Read(self.clone(), error))?;
        if bytes.len() as u64 > LARGEST {
            return Err(InputError::TooLarge(self.clone()));
        }
        Ok(self.parse(&String::from_utf8_lossy(&bytes), rules, size))
    }

    /// What a text holds that came from here.
    #[must_use]
    pub fn parse(&self, text: &str, rules: Rules, size: Size) -> Contents {
        let mut reader = Reader {
            source: self,
            rest: text,
            line: 1,
            rules,
            size,
            open_list: None,
            contents: Contents::default(),
        };
        reader.read_all();
        reader.contents
    }
}

fn bounded_read(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads in a thread of its own, so that Ctrl-C is noticed while waiting for the end.
fn read_stdin(interrupts: &Interrupts) -> io::Result<Vec<u8>> {
    let (sender, bytes) = bounded(1);
    // Nobody listens any more after an interrupt.
    let read = move || drop(sender.send(bounded_read(io::stdin())));
    threads::spawn("reader", read)?;
    select_biased! {
        recv(interrupts.arrived()) -> _ => Ok(Vec::new()),
        recv(bytes) -> bytes => bytes.unwrap_or_else(|_| Ok(Vec::new())),
    }
}

impl fmt::Display for GameSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => path.display().fmt(f),
            Self::Text(_) => f.write_str("the command line"),
        }
    }
}

#[derive(Debug, Error)]
pub enum InputError {
    #[error(
        "cannot open {}: {}; name a file of games, or give a game such as f5d6c3 or a position itself",
        .0.display(), .1
    )]
    Open(PathBuf, #[source] io::Error),
    #[error("cannot read {0}: {1}; name a file of games, or - for standard input")]
    Read(GameSource, #[source] io::Error),
    #[error("{0} has more than {size} MiB; split it into several files", size = LARGEST >> 20)]
    TooLarge(GameSource),
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// As the user named it.
    pub source: String,
    /// From 1.
    pub line: usize,
    /// In characters from 1.
    pub column: Option<usize>,
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.source, self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

/// A game, or a position without moves.
#[derive(Clone, Debug)]
pub struct GameInput {
    pub source: String,
    /// That it begins at, from 1.
    pub line: usize,
    /// Up to its fault.
    pub game: Game,
    /// The same with names, times and the like.
    pub record: GgfGame,
    pub fault: Option<Fault>,
}

impl GameInput {
    /// Of a player, if it is known.
    #[must_use]
    pub fn name(&self, color: Color) -> Option<&str> {
        let player = match color {
            Color::Black => &self.record.black,
            Color::White => &self.record.white,
        };
        Some(player.name.as_str()).filter(|name| !name.is_empty())
    }
}

#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// In their order.
    pub games: Vec<GameInput>,
    /// What is no game at all.
    pub faults: Vec<Fault>,
}

impl Contents {
    /// Keeps a game, unless it is nothing but a fault.
    fn add(&mut self, game: GameInput) {
        match game.fault {
            Some(fault) if game.game.moves().is_empty() => self.faults.push(fault),
            fault => self.games.push(GameInput { fault, ..game }),
        }
    }
}

/// A list of moves that the next line may continue.
enum OpenList {
    Game(usize),
    /// The rest of a game with a fault.
    Skipped,
}

struct Reader<'a> {
    source: &'a GameSource,
    /// The text that is not read yet.
    rest: &'a str,
    /// The number of its first line.
    line: usize,
    rules: Rules,
    size: Size,
    open_list: Option<OpenList>,
    contents: Contents,
}

impl<'a> Reader<'a> {
    fn read_all(&mut self) {
        loop {
            // Some editors put a byte order mark ahead of the first line.
            let text = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.advance(self.rest.len() - text.len());
            if self.rest.is_empty() {
                return;
            }
            if ggf::begins(self.rest) {
                self.open_list = None;
                self.read_ggf();
            } else {
                self.read_line();
            }
        }
    }

    /// Takes so many bytes from the rest.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        taken
    }

    fn fault(&self, line: usize, column: Option<usize>, problem: String) -> Fault {
        Fault { source: self.source.to_string(), line, column, problem }
    }

    /// A fault at a byte of a text that begins at this line.
    fn fault_at(&self, text: &str, line: usize, at: usize, problem: String) -> Fault {
        let before = text.get(..at).unwrap_or(text);
        let line = line + before.matches('\n').count();
        let column = before.rsplit('\n').next().map_or(0, |part| part.chars().count()) + 1;
        self.fault(line, Some(column), problem)
    }
}

/// The column of an error, and what is wrong.
fn problem(error: &TextError) -> (Option<usize>, String) {
    match error {
        TextError::Expected { what, column, found } if found.is_empty() => {
            (Some(*column), format!("expected {what}, found nothing"))
        }
        TextError::Expected { what, column, found } => {
            (Some(*column), format!("expected {what}, found '{found}'"))
        }
        other => (None, other.to_string()),
    }
}

/// Why a move cannot be made, in words that help.
fn illegal(position: &Position, number: usize, mover: Color, name: &str) -> String {
    let moves: Vec<_> = position.moves().into_iter().map(Move::Place).collect();
    let legal = match moves.as_slice() {
        _ if position.is_over() => "the game is over".to_owned(),
        [] => format!("{} has to pass", position.side()),
        moves => {
            format!("{} can play {}", position.side(), notation::names(moves, position.size()).join(" "))
        }
    };
    format!("move {number}, {mover} {name}, is illegal: {legal}")
}

#[cfg(test)]
mod tests;
