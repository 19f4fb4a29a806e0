//! Files that remember what searches gave: a header and then one line for each, written as its search ends, so that
//! neither an interrupt nor a kill loses more than the searches under way.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What a ledger is about: the first line says it.
#[derive(Clone, Debug)]
pub struct Header {
    /// What messages call its contents.
    pub name: &'static str,
    /// What the first line begins with: the kind of file and the version of its format.
    pub title: &'static str,
    /// What the contents depend on. A file is added to only under the same settings.
    pub settings: String,
}

/// Why a ledger cannot be used.
#[derive(Debug)]
pub struct LedgerError {
    name: &'static str,
    path: PathBuf,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    /// It cannot be read or written.
    File(io::Error),
    /// It is none.
    OtherKind,
    /// A line, counted from 1, is not what it should be.
    Line(usize, String),
    /// It was made with other settings.
    OtherSettings { found: String, wanted: String },
    /// Another process is writing it.
    InUse,
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, path, problem } = self;
        let path = path.display();
        match problem {
            Problem::File(error) => write!(f, "{name} {path}: {error}"),
            Problem::OtherKind => write!(f, "{name} {path}: this is another kind of file"),
            Problem::Line(line, problem) => write!(f, "{name} {path}, line {line}: {problem}"),
            Problem::OtherSettings { found, wanted } => write!(
                f,
                "{name} {path} were made with other settings ({found}, now {wanted}): give the same options, or another file"
            ),
            Problem::InUse => write!(f, "{name} {path}: another process is writing them"),
        }
    }
}

impl std::error::Error for LedgerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::File(error) => Some(error),
            _ => None,
        }
    }
}

/// A file open for more lines.
#[derive(Debug)]
pub struct Ledger {
    name: &'static str,
    path: PathBuf,
    file: File,
}

impl Ledger {
    /// Opens a file, or begins one where there is none, and hands over every line below the header. A last line that
    /// was torn by a kill is cut off.
    ///
    /// # Errors
    /// If it cannot be read or written, is in use, made with other settings, or has a line that `read` refuses; it is
    /// left alone then.
    pub fn open(
        path: &Path,
        header: &Header,
        mut read: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<Self, LedgerError> {
        let wrong = |problem| LedgerError { name: header.name, path: path.to_owned(), problem };
        let failed = |error| wrong(Problem::File(error));
        let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut ledger = Self { name: header.name, path: path.to_owned(), file: opened.map_err(failed)? };
        match ledger.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(wrong(Problem::InUse)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut text = String::new();
        ledger.file.read_to_string(&mut text).map_err(failed)?;
        let first = format!("{}: {}", header.title, header.settings);
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole == 0 && first.starts_with(&text) {
            // Nothing yet, or the beginning of this very header.
            ledger.file.set_len(0).map_err(failed)?;
            ledger.append(&first)?;
            return Ok(ledger);
        }
        let mut lines = (1..).zip(text[..whole].lines());
        let found = lines.next().map_or("", |(_, line)| line);
        if found != first {
            let settings = found.strip_prefix(header.title).and_then(|rest| rest.strip_prefix(": "));
            return Err(wrong(settings.map_or(Problem::OtherKind, |found| Problem::OtherSettings {
                found: found.to_owned(),
                wanted: header.settings.clone(),
            })));
        }
        for (number, line) in lines {
            read(line).map_err(|problem| wrong(Problem::Line(number, problem)))?;
        }
        ledger.file.set_len(whole as u64).map_err(failed)?;
        Ok(ledger)
    }

    /// Adds a line in one go, so that a kill tears the last one at most.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, line: &str) -> Result<(), LedgerError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| LedgerError {
            name: self.name,
            path: self.path.clone(),
            problem: Problem::File(error),
        })
    }
}
