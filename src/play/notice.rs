//! What the game tells its players.

use std::fmt;
use std::path::PathBuf;

use crate::board::Color;

use super::command::CommandError;
use super::record::LoadError;

#[derive(Debug)]
pub enum Notice {
    /// Somebody has placed a disc.
    Played {
        color: Color,
        name: String,
        by_engine: bool,
    },
    /// A forced pass.
    Passed(Color),
    TakenBack(usize),
    Replayed(usize),
    /// A hint or value is complete.
    Advised,
    ReviewComplete,
    /// The result in words.
    Over(String),
    NewGame,
    Saved(PathBuf),
    Loaded(PathBuf),
    /// The game was read up to here.
    UpToFault(String),
    /// An unfinished game goes on.
    Continued,
    Values(bool),
    Problem(Problem),
}

/// A command that could not be carried out. The game is unchanged.
#[derive(Debug)]
pub enum Problem {
    Command(CommandError),
    OutsideBoard(String),
    /// There is a disc already.
    Taken(String),
    Illegal {
        name: String,
        legal: String,
    },
    NotYourTurn,
    GameOver,
    NothingToUndo,
    NothingToRedo,
    NobodyToResign,
    NothingToReview,
    NoFileName,
    Load(LoadError),
    Save(String),
    /// The game goes on without being kept.
    NotKept(String),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let discs = |count: usize| if count == 1 { "1 move".into() } else { format!("{count} moves") };
        match self {
            Self::Played { color, name, .. } => write!(f, "{color} plays {name}"),
            Self::Passed(color) => write!(f, "{color} has no move and passes"),
            Self::TakenBack(0) => f.write_str("The game goes on"),
            Self::TakenBack(count) => write!(f, "{} taken back", discs(*count)),
            Self::Replayed(count) => write!(f, "{} replayed", discs(*count)),
            Self::Advised => f.write_str("Advice is complete"),
            Self::ReviewComplete => f.write_str("The review is complete"),
            Self::Over(result) => f.write_str(result),
            Self::NewGame => f.write_str("New game"),
            Self::Saved(path) => write!(f, "Saved to {}", path.display()),
            Self::Loaded(path) => write!(f, "Loaded {}", path.display()),
            Self::UpToFault(fault) => write!(f, "Read up to a fault: {fault}"),
            Self::Continued => f.write_str("The unfinished game goes on"),
            Self::Values(true) => f.write_str("Values are shown"),
            Self::Values(false) => f.write_str("Values are hidden"),
            Self::Problem(problem) => problem.fmt(f),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(error) => error.fmt(f),
            Self::OutsideBoard(name) => write!(f, "{name} lies outside this board"),
            Self::Taken(name) => write!(f, "{name} has a disc already"),
            Self::Illegal { name, legal } => write!(f, "{name} is illegal: it flips nothing. Legal: {legal}"),
            Self::NotYourTurn => f.write_str("It is the engine's turn"),
            Self::GameOver => f.write_str("The game is over: start a new one, take back, or review it"),
            Self::NothingToUndo => f.write_str("There is nothing to take back"),
            Self::NothingToRedo => f.write_str("There is nothing to replay"),
            Self::NobodyToResign => f.write_str("Nobody can resign now"),
            Self::NothingToReview => f.write_str("There is nothing to review yet: play some moves first"),
            Self::NoFileName => f.write_str("Name a file: save game.ggf"),
            Self::Load(error) => error.fmt(f),
            Self::Save(error) => f.write_str(error),
            Self::NotKept(error) => {
                write!(f, "The game is not kept on disk: {error}; save it before you leave")
            }
        }
    }
}
