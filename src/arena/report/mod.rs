//! The report of a match from its journal: tables, an HTML page and CSV.

mod charts;
mod export;
mod markup;
mod page;
mod replay;
mod tables;

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::arena::journal::{self, JournalContents, JournalError};
use crate::arena::statistics;
use replay::ReplayedMatch;

pub use replay::{ContentError, GameError};

#[derive(Debug, Error)]
pub enum ReportError {
    #[error("{0}; give the journal that a match has written")]
    Journal(#[from] JournalError),
    #[error("journal {path}: {problem}; the file was changed since the match, or another program wrote it")]
    Content { path: PathBuf, problem: ContentError },
}

pub struct MatchReport {
    contents: JournalContents,
    replayed: ReplayedMatch,
}

impl MatchReport {
    /// Reads the journal of a match, which may still be running.
    ///
    /// # Errors
    /// If the journal is unreadable or inconsistent.
    pub fn load(journal: &Path) -> Result<Self, ReportError> {
        let content = |problem| ReportError::Content { path: journal.to_owned(), problem };
        Self::new(journal::read(journal)?).map_err(content)
    }

    /// # Errors
    /// If the contents are inconsistent.
    pub fn new(contents: JournalContents) -> Result<Self, ContentError> {
        let replayed = ReplayedMatch::new(contents.clone())?;
        Ok(Self { contents, replayed })
    }

    /// For a terminal.
    #[must_use]
    pub fn tables(&self) -> String {
        statistics::report(&self.contents.header, self.contents.games.values())
    }

    /// A self-contained HTML page.
    #[must_use]
    pub fn page(&self) -> String {
        page::page(&self.replayed)
    }

    /// One line for each game.
    #[must_use]
    pub fn csv(&self) -> String {
        export::csv(&self.replayed)
    }
}
