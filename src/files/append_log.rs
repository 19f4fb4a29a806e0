//! Files that only grow and survive a kill: journals, recorded games, tuning histories, searched values.
//!
//! A file stays locked while it is open. Every record is one write, so a kill tears at most the last one, which the
//! next run cuts off.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why such a file cannot be opened, read or extended.
#[derive(Debug, Error)]
pub enum AppendError {
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    #[error("{}: another process is writing it", .0.display())]
    InUse(PathBuf),
}

/// A locked file of records of any form.
#[derive(Debug)]
pub struct AppendFile {
    path: PathBuf,
    file: File,
}

impl AppendFile {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    /// If that is not possible, or another process has it open.
    pub fn open(path: &Path) -> Result<Self, AppendError> {
        Self::lock(path, OpenOptions::new().create(true))
    }

    /// Creates a file that must not exist yet.
    ///
    /// # Errors
    /// If it exists or cannot be created.
    pub fn create_new(path: &Path) -> Result<Self, AppendError> {
        Self::lock(path, OpenOptions::new().create_new(true))
    }

    // Nothing is read or changed before the lock is held: another process may still be writing.
    fn lock(path: &Path, options: &mut OpenOptions) -> Result<Self, AppendError> {
        let failed = |error| AppendError::Io(path.to_owned(), error);
        let file = options.read(true).append(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), file }),
            Err(TryLockError::WouldBlock) => Err(AppendError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// The file at its start, to read from.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn rewind(&mut self) -> Result<&File, AppendError> {
        self.file.rewind().map_err(|error| self.failed(error))?;
        Ok(&self.file)
    }

    /// # Errors
    /// If it cannot be read, or is no UTF-8.
    pub fn text(&mut self) -> Result<String, AppendError> {
        let mut text = String::new();
        self.rewind()?;
        self.file.read_to_string(&mut text).map_err(|error| self.failed(error))?;
        Ok(text)
    }

    /// Writes the header if the file holds nothing, or only the beginning of this very header. Returns whether it did.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn begin(&mut self, header: &[u8]) -> Result<bool, AppendError> {
        let mut found = Vec::new();
        let read = self.rewind()?.take(header.len() as u64).read_to_end(&mut found);
        read.map_err(|error| self.failed(error))?;
        let is_new = found.len() < header.len() && header.starts_with(&found);
        if is_new {
            self.truncate(0)?;
            self.append(header)?;
        }
        Ok(is_new)
    }

    /// Cuts off everything after the first `length` bytes.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn truncate(&mut self, length: u64) -> Result<(), AppendError> {
        self.file.set_len(length).map_err(|error| self.failed(error))
    }

    /// Adds a record in one write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, record: &[u8]) -> Result<(), AppendError> {
        self.file.write_all(record).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> AppendError {
        AppendError::Io(self.path.clone(), error)
    }
}

/// The first line of a log of lines: `TITLE: SETTINGS`.
#[derive(Clone, Debug)]
pub struct LogHeader {
    /// What messages call the contents, in the plural.
    pub name: &'static str,
    /// The kind of file and the version of its format.
    pub title: &'static str,
    /// What the contents depend on: a log is extended under the same settings only.
    pub settings: String,
}

/// Why a log of lines cannot be used.
#[derive(Debug, Error)]
pub enum AppendLogError {
    #[error("{0} {1}")]
    File(&'static str, #[source] AppendError),
    #[error("{} {}: this is another kind of file", .0, .1.display())]
    OtherKind(&'static str, PathBuf),
    #[error("{name} {}, line {line}: {problem}", path.display())]
    Line { name: &'static str, path: PathBuf, line: usize, problem: String },
    #[error(
        "{name} {} were made with other settings ({found}, now {wanted}): give the same options, or another file",
        path.display()
    )]
    OtherSettings { name: &'static str, path: PathBuf, found: String, wanted: String },
}

/// A header and then a line for each search, written as it ends.
#[derive(Debug)]
pub struct AppendLog {
    name: &'static str,
    file: AppendFile,
}

impl AppendLog {
    /// Opens a log, or begins one, and passes every line below the header to `read`. A torn last line is cut off.
    ///
    /// # Errors
    /// If the log cannot be read or written, is in use, made with other settings, or has a line that `read` refuses; it
    /// is left alone then.
    pub fn open(
        path: &Path,
        header: &LogHeader,
        mut read: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<Self, AppendLogError> {
        let &LogHeader { name, title, .. } = header;
        let failed = |error| AppendLogError::File(name, error);
        let mut file = AppendFile::open(path).map_err(failed)?;
        let first = format!("{title}: {}", header.settings);
        if file.begin(format!("{first}\n").as_bytes()).map_err(failed)? {
            return Ok(Self { name, file });
        }
        let text = file.text().map_err(failed)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = (1..).zip(text[..whole].lines());
        let found = lines.next().map_or("", |(_, line)| line);
        if found != first {
            let path = path.to_owned();
            return Err(match found.strip_prefix(title).and_then(|rest| rest.strip_prefix(": ")) {
                None => AppendLogError::OtherKind(name, path),
                Some(found) => {
                    let (found, wanted) = (found.to_owned(), header.settings.clone());
                    AppendLogError::OtherSettings { name, path, found, wanted }
                }
            });
        }
        for (line, text) in lines {
            read(text).map_err(|problem| AppendLogError::Line { name, path: path.into(), line, problem })?;
        }
        file.truncate(whole as u64).map_err(failed)?;
        Ok(Self { name, file })
    }

    /// # Errors
    /// If the line cannot be written.
    pub fn append(&mut self, line: &str) -> Result<(), AppendLogError> {
        let written = self.file.append(format!("{line}\n").as_bytes());
        written.map_err(|error| AppendLogError::File(self.name, error))
    }
}

/// The settings in the header and the numbered lines below it; none if it is another kind of file. An incomplete last line
/// is left out: the log may still grow.
#[must_use]
pub fn split_log<'a>(
    text: &'a str,
    title: &str,
) -> Option<(&'a str, impl Iterator<Item = (usize, &'a str)>)> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = (1..).zip(text[..whole].lines());
    let (_, first) = lines.next()?;
    Some((first.strip_prefix(title)?.strip_prefix(": ")?, lines))
}

/// A line with its CRC-32 at the end.
#[must_use]
pub fn with_checksum(text: &str) -> String {
    format!("{text} {:08x}", crc32fast::hash(text.as_bytes()))
}

/// The line before its checksum.
///
/// # Errors
/// In words, if the checksum is missing or wrong.
pub fn without_checksum(line: &str) -> Result<&str, String> {
    let (text, sum) = line.rsplit_once(' ').ok_or("there is no checksum")?;
    if sum == format!("{:08x}", crc32fast::hash(text.as_bytes())) {
        Ok(text)
    } else {
        Err("the checksum is wrong".into())
    }
}
