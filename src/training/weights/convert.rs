//! Between files of weights and tables of them.

use std::fs;
use std::path::Path;

use super::{WeightsCommandError, WeightsSource, table};
use crate::eval::weights::{Effort, encode};
use crate::files::output::{Destination, Outputs};

/// What a file holds, by its name.
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

/// Reads weights in the form that the name of a file tells and writes them in that of another. Standard output gets the
/// form that the input has not.
///
/// # Errors
/// If the input is anything but weights, or a file cannot be read or written; nothing is written then.
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
        Form::Weights => output.write(encode(&packed, Effort::Much))?,
        Form::Table => output.write(table::text(&packed))?,
    }
    Ok(())
}
