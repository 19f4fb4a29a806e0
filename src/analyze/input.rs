//! Where the games to be analysed come from: files, standard input and the command line.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{bounded, select_biased};
use ollehto_protocol::notation::parse_move_list;
use thiserror::Error;

use crate::files::bounded::read_bounded;
use crate::game_reader::{Contents, MAX_GAMES, ReadGame, ReadOptions, read_games};
use crate::terminal::interrupts::Interrupts;
use crate::threads;

/// In bytes.
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
            let contents = read_games(argument, &ReadOptions::new(None, None));
            // Or nothing but an illegal move.
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
    pub fn read(&self, options: &ReadOptions, interrupts: &Interrupts) -> Result<Contents, InputError> {
        let read = match self {
            Self::Text(text) => return Ok(read_games(text, options)),
            Self::Stdin => read_stdin(interrupts),
            Self::File(path) => {
                let opened = File::open(path).map_err(|error| InputError::Open(path.clone(), error))?;
                read_bounded(opened, LARGEST)
            }
        };
        let bytes = match read {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err(InputError::TooLarge(self.clone())),
            Err(error) => return Err(InputError::Read(self.clone(), error)),
        };
        let contents = read_games(&String::from_utf8_lossy(&bytes), options);
        if contents.has_more { Err(InputError::TooMany(self.clone())) } else { Ok(contents) }
    }
}

/// Reads in a thread of its own, so that Ctrl-C is noticed while waiting for the end.
fn read_stdin(interrupts: &Interrupts) -> io::Result<Option<Vec<u8>>> {
    let (sender, bytes) = bounded(1);
    // Nobody listens any more after an interrupt.
    let read = move || drop(sender.send(read_bounded(io::stdin(), LARGEST)));
    threads::spawn("reader", read)?;
    select_biased! {
        recv(interrupts.arrived()) -> _ => Ok(Some(Vec::new())),
        recv(bytes) -> bytes => bytes.unwrap_or_else(|_| Ok(Some(Vec::new()))),
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
    #[error("{0} has more than {MAX_GAMES} games; split it into several files")]
    TooMany(GameSource),
}

/// A game, or a position without moves, and where it comes from.
#[derive(Clone, Debug)]
pub struct GameInput {
    /// As the user named it.
    pub source: Arc<str>,
    pub read: ReadGame,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_files_or_games() {
        let is_text = |text: &str| GameSource::of_argument(text) == GameSource::Text(text.into());
        assert_eq!(GameSource::of_argument("-"), GameSource::Stdin);
        for text in ["f5d6c3", "a1", "#1r8=f5d6", "https://a.b/ollehto.html#1s6=", "-----OX--XO----- X"] {
            assert!(is_text(text), "{text}");
        }
        assert!(is_text("(;BO[4 -----O*--*O----- *]B[B1];)"));
        for file in ["Cargo.toml", "games.ggf", "#1.ggf"] {
            assert!(matches!(GameSource::of_argument(file), GameSource::File(_)), "{file}");
        }
    }
}
