//! The report of a match, made from its journal: a page for the browser and a table for a spreadsheet.

mod charts;
mod export;
mod markup;
mod page;
mod replay;
mod tables;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::arena::journal::{self, JournalContents, JournalError};
use crate::arena::statistics;
use replay::ReplayedMatch;

/// Why there is no report.
#[derive(Debug)]
pub enum ReportError {
    /// The journal cannot be read.
    Journal(JournalError),
    /// The journal reads well but tells no match.
    Content {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Journal(error) => write!(f, "{error}; give the journal that a match has written"),
            Self::Content { path, problem } => write!(
                f,
                "journal {}: {problem}; the file was changed since the match, or another program wrote it",
                path.display()
            ),
        }
    }
}

impl std::error::Error for ReportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Journal(error) => Some(error),
            Self::Content { .. } => None,
        }
    }
}

/// A match to report on.
pub struct MatchReport {
    contents: JournalContents,
    replayed: ReplayedMatch,
}

impl MatchReport {
    /// Reads the journal of a match, which may still be going on.
    ///
    /// # Errors
    /// If it cannot be read or understood.
    pub fn load(journal: &Path) -> Result<Self, ReportError> {
        let contents = journal::read(journal).map_err(ReportError::Journal)?;
        let content = |problem| ReportError::Content { path: journal.to_owned(), problem };
        let replayed = ReplayedMatch::new(contents.clone()).map_err(content)?;
        Ok(Self { contents, replayed })
    }

    /// The tables for a terminal.
    #[must_use]
    pub fn tables(&self) -> String {
        statistics::report(&self.contents.header, self.contents.games.values())
    }

    /// One page that needs nothing else.
    #[must_use]
    pub fn page(&self) -> String {
        page::page(&self.replayed)
    }

    /// One line for each game, for a spreadsheet.
    #[must_use]
    pub fn csv(&self) -> String {
        export::csv(&self.replayed)
    }
}
