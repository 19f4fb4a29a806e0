//! Looking into weights: what a file holds, the same as text, and drawings of what the engine likes and fears.

mod convert;
mod draw;
mod patterns;
mod show;
mod table;

use std::borrow::Cow;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use crate::eval::weights::{Packed, WeightsError, decode, shipped_file};
use crate::files::output::OutputError;
use crate::rules::Rules;
use crate::score::Score;
use crate::training::records::RecordFileError;

pub use convert::convert;
pub use draw::{DRAWN, Drawing, draw};
pub use show::{WeightsSummary, facts};
pub use table::TableError;

/// Which weights to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsSource {
    /// Those of a file.
    File(PathBuf),
    /// Those that come with the program.
    Shipped(Rules),
}

impl WeightsSource {
    fn bytes(&self) -> Result<Cow<'static, [u8]>, WeightsCommandError> {
        match self {
            Self::File(path) => {
                fs::read(path).map(Cow::from).map_err(|error| WeightsCommandError::read(path, error))
            }
            Self::Shipped(rules) => {
                shipped_file(*rules).map(Cow::from).ok_or(WeightsCommandError::NoneShipped(*rules))
            }
        }
    }

    /// For messages: what comes with the program is as good as a file of that name.
    fn path(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Shipped(rules) => format!("{rules}.weights").into(),
        }
    }

    fn decoded(&self, bytes: &[u8]) -> Result<Packed, WeightsCommandError> {
        decode(bytes).map_err(|error| WeightsCommandError::Weights(self.path(), error))
    }

    fn load(&self) -> Result<Packed, WeightsCommandError> {
        self.decoded(&self.bytes()?)
    }
}

/// Why weights cannot be looked into.
#[derive(Debug)]
pub enum WeightsCommandError {
    /// A file cannot be read.
    Read(PathBuf, io::Error),
    /// A file cannot be written.
    Output(OutputError),
    /// A folder cannot be made.
    Folder(PathBuf, io::Error),
    /// A file holds no weights that can be used.
    Weights(PathBuf, WeightsError),
    /// A file holds no table of weights.
    Table(PathBuf, TableError),
    /// No weights for these rules come with the program.
    NoneShipped(Rules),
    /// The name of a file does not say what it holds.
    Extension(PathBuf),
    /// Records cannot be read.
    Records(RecordFileError),
    /// There is no position by these rules in the records.
    NoPositions(Rules),
}

impl WeightsCommandError {
    fn read(path: &Path, error: io::Error) -> Self {
        Self::Read(path.to_owned(), error)
    }
}

impl From<OutputError> for WeightsCommandError {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

impl fmt::Display for WeightsCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Output(error) => error.fmt(f),
            Self::Folder(path, error) => write!(f, "cannot make the folder {}: {error}", path.display()),
            Self::Weights(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Table(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NoneShipped(rules) => {
                write!(f, "no weights for {rules} rules come with this program: name a file of them")
            }
            Self::Extension(path) => write!(
                f,
                "{}: the name has to end in .weights for a file of weights or in .csv for a table of them",
                path.display()
            ),
            Self::Records(error) => error.fmt(f),
            Self::NoPositions(rules) => {
                write!(f, "there are no positions by {rules} rules in these records: name others")
            }
        }
    }
}

impl Error for WeightsCommandError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Read(_, error) | Self::Folder(_, error) => Some(error),
            Self::Output(error) => Some(error),
            Self::Weights(_, error) => Some(error),
            Self::Table(_, error) => Some(error),
            Self::Records(error) => Some(error),
            Self::NoneShipped(_) | Self::Extension(_) | Self::NoPositions(_) => None,
        }
    }
}

/// How many units of weights make a disc.
const UNITS: f64 = (Score::UNITS as i32 * crate::eval::weights::UNITS_PER_SCORE) as f64;

/// What the weights of the numbers of moves are called in files and tables: those of the player to move, and those of
/// the opponent.
const MOVES: [&str; 2] = ["own-moves", "other-moves"];

/// A weight in discs.
fn discs(weight: i16) -> f64 {
    f64::from(weight) / UNITS
}

/// The numbers of empty squares of a stage, as text.
fn stage_name(stage: usize) -> String {
    let (first, last) = crate::eval::weights::span(stage);
    format!("{first}-{last}")
}
