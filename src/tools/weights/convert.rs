//! Between files of weights and tables of them.

use std::fs;
use std::path::Path;

use super::{Source, ToolError, table, write};
use crate::eval::weights::{Effort, encode};

/// What a file holds, by its name.
enum Form {
    Weights,
    Table,
}

impl Form {
    fn of(path: &Path) -> Result<Self, ToolError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("weights") => Ok(Self::Weights),
            Some("csv") => Ok(Self::Table),
            _ => Err(ToolError::Extension(path.to_owned())),
        }
    }
}

/// Reads weights in the form that the name of a file tells and writes them in that of another.
///
/// # Errors
/// If the input is anything but weights, or a file cannot be read or written; nothing is written then.
pub fn convert(input: &Path, output: &Path) -> Result<(), ToolError> {
    let (from, to) = (Form::of(input)?, Form::of(output)?);
    // A file that is not there yet cannot be the input.
    if let (Ok(one), Ok(other)) = (fs::canonicalize(input), fs::canonicalize(output))
        && one == other
    {
        return Err(ToolError::SameFile(output.to_owned()));
    }
    let packed = match from {
        Form::Weights => Source::File(input.to_owned()).load()?,
        Form::Table => {
            let text = fs::read_to_string(input).map_err(|error| ToolError::read(input, error))?;
            table::parse(&text).map_err(|error| ToolError::Table(input.to_owned(), error))?
        }
    };
    match to {
        Form::Weights => write(output, &encode(&packed, Effort::Much)),
        Form::Table => write(output, table::text(&packed).as_bytes()),
    }
}
