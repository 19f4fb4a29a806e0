//! `ollehto weights`: a summary of weights, their conversion to CSV and back, and drawings.

mod draw;
mod show;
mod table;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use crate::eval::weights::{Compression, PackedWeights, WeightsError, decode, encode, shipped_file};
use crate::files::output::{Destination, OutputError, Outputs};
use crate::rules::Rules;
use crate::score::Score;
use crate::training::records::RecordFileError;

pub use draw::{DRAWN, Drawing, draw};
pub use show::{WeightsSummary, summary};
pub use table::TableError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsSource {
    File(PathBuf),
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

    /// For messages.
    fn path(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Shipped(rules) => format!("{rules}.weights").into(),
        }
    }

    fn decoded(&self, bytes: &[u8]) -> Result<PackedWeights, WeightsCommandError> {
        decode(bytes).map_err(|error| WeightsCommandError::Weights(self.path(), error))
    }

    fn load(&self) -> Result<PackedWeights, WeightsCommandError> {
        self.decoded(&self.bytes()?)
    }
}

#[derive(Debug, Error)]
pub enum WeightsCommandError {
    #[error("{}: {}", .0.display(), .1)]
    Read(PathBuf, #[source] io::Error),
    #[error("{0}")]
    Output(#[from] OutputError),
    #[error("cannot make the folder {}: {}", .0.display(), .1)]
    Folder(PathBuf, #[source] io::Error),
    #[error("{}: {}", .0.display(), .1)]
    Weights(PathBuf, #[source] WeightsError),
    #[error("{}: {}", .0.display(), .1)]
    Table(PathBuf, #[source] TableError),
    #[error("no weights for {0} rules come with this program: name a file of them")]
    NoneShipped(Rules),
    #[error(
        "{}: the name has to end in .weights for a file of weights or in .csv for a table of them", .0.display()
    )]
    Extension(PathBuf),
    #[error("{0}")]
    Records(#[from] RecordFileError),
    #[error("there are no positions by {0} rules in these records: name others")]
    NoPositions(Rules),
}

impl WeightsCommandError {
    fn read(path: &Path, error: io::Error) -> Self {
        Self::Read(path.to_owned(), error)
    }
}

enum Form {
    Weights,
    Table,
}

impl Form {
    fn of(path: &Path) -> Result<Self, WeightsCommandError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("weights") => Ok(Self::Weights),
            Some("csv") => Ok(Self::Table),
            _ => Err(WeightsCommandError::Extension(path.to_owned())),
        }
    }

    const fn other(&self) -> Self {
        match self {
            Self::Weights => Self::Table,
            Self::Table => Self::Weights,
        }
    }
}

/// Converts between the forms that the extensions name. Standard output gets the form that the input does not have.
///
/// # Errors
/// If the input holds no weights, or a file cannot be read or written; nothing is written then.
pub fn convert(input: &Path, output: &Destination, force: bool) -> Result<(), WeightsCommandError> {
    let from = Form::of(input)?;
    let to = match output {
        Destination::File(path) => Form::of(path)?,
        Destination::Stdout => from.other(),
    };
    let output = Outputs::new(force).with_inputs([input]).claim(output)?;
    let packed = match from {
        Form::Weights => WeightsSource::File(input.to_owned()).load()?,
        Form::Table => {
            let text = fs::read_to_string(input).map_err(|error| WeightsCommandError::read(input, error))?;
            table::parse(&text).map_err(|error| WeightsCommandError::Table(input.to_owned(), error))?
        }
    };
    match to {
        Form::Weights => output.write(encode(&packed, Compression::Best))?,
        Form::Table => output.write(table::text(&packed))?,
    }
    Ok(())
}

/// The weights of a table.
///
/// # Errors
/// If a line is wrong.
pub fn read_table(text: &str) -> Result<PackedWeights, TableError> {
    table::parse(text)
}

/// Units of a weight in a disc.
const UNITS: f64 = (Score::UNITS as i32 * crate::eval::weights::UNITS_PER_SCORE) as f64;

/// The names of the mobility weights of the side to move and of the opponent.
const MOVES: [&str; 2] = ["own-moves", "other-moves"];

fn discs(weight: i16) -> f64 {
    f64::from(weight) / UNITS
}

/// The range of empty squares.
fn stage_name(stage: usize) -> String {
    let (first, last) = crate::eval::weights::span(stage);
    format!("{first}-{last}")
}
