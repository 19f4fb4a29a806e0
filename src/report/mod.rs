//! The report of a match, made from its journal: a page for the browser and a table for a spreadsheet.

mod charts;
pub(crate) mod csv;
mod data;
pub(crate) mod drawing;
mod figures;
pub(crate) mod markup;
mod matches;
mod page;
mod tables;
mod times;

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use crate::referee::journal::{self, JournalError};
use matches::Match;

/// Why there is no report.
#[derive(Debug)]
pub enum ReportError {
    /// Neither a page nor a table was asked for.
    NothingAsked,
    /// The journal cannot be read.
    Journal(JournalError),
    /// The journal reads well but tells no match.
    Content {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file would be written over the journal or over the other file.
    SameFile(PathBuf),
    /// A file cannot be written.
    Write(PathBuf, io::Error),
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingAsked => f.write_str("nothing to write: give --html FILE, --csv FILE or both"),
            Self::Journal(error) => write!(f, "{error}; give the journal that a match has written"),
            Self::Content { path, problem } => write!(
                f,
                "journal {}: {problem}; the file was changed since the match, or another program wrote it",
                path.display()
            ),
            Self::SameFile(path) => {
                write!(f, "{} would be written over: give the report a file of its own", path.display())
            }
            Self::Write(path, error) => write!(
                f,
                "cannot write {}: {error}; give a file in a folder that exists and may be written to",
                path.display()
            ),
        }
    }
}

impl std::error::Error for ReportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Journal(error) => Some(error),
            Self::Write(_, error) => Some(error),
            Self::NothingAsked | Self::Content { .. } | Self::SameFile(_) => None,
        }
    }
}

/// Writes the report of a match as a page, as a table, or as both. The match may still be going on.
///
/// # Errors
/// If the journal cannot be read or understood, or a file cannot be written.
pub fn run(journal: &Path, html: Option<&Path>, csv: Option<&Path>) -> Result<(), ReportError> {
    if html.is_none() && csv.is_none() {
        return Err(ReportError::NothingAsked);
    }
    let contents = journal::read(journal).map_err(ReportError::Journal)?;
    let content = |problem| ReportError::Content { path: journal.to_owned(), problem };
    let played = Match::new(contents).map_err(content)?;
    keep_apart(journal, html, csv)?;
    if let Some(path) = html {
        write(path, &page::page(&played))?;
    }
    if let Some(path) = csv {
        write(path, &csv::table(&played))?;
    }
    Ok(())
}

/// Sees to it that no file is written over the journal or over the other one.
fn keep_apart(journal: &Path, html: Option<&Path>, csv: Option<&Path>) -> Result<(), ReportError> {
    // A file that is not there yet has no canonical form, but then it cannot be the journal either.
    let canonical = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let [journal_file, html_file, csv_file] = [Some(journal), html, csv].map(|path| path.map(canonical));
    match (html, csv) {
        (Some(path), _) if html_file == journal_file || html_file == csv_file => {
            Err(ReportError::SameFile(path.to_owned()))
        }
        (_, Some(path)) if csv_file == journal_file => Err(ReportError::SameFile(path.to_owned())),
        _ => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), ReportError> {
    fs::write(path, text).map_err(|error| ReportError::Write(path.to_owned(), error))
}
