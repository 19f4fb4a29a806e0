//! A file of records that only grows and survives a kill, a full disk and a power cut.
//!
//! It stays locked while it is open. A record is written at once or, if that fails, not at all; a kill can tear the last
//! one only, which the next run cuts off. Whatever else is not what was written is left out, and the file as it was is
//! kept beside it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::disk::{self, DiskReader, DiskWriter};
use super::output::{future, replace_locked};

/// A power cut costs at most the records of this time after the last sync.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Why such a file cannot be opened, read or extended.
#[derive(Debug, Error)]
pub enum AppendError {
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    #[error("{}: another process is writing it", .0.display())]
    InUse(PathBuf),
    #[error("{} is no file but a folder, pipe or device: name a file", .0.display())]
    NoFile(PathBuf),
    #[error(
        "{}: {}; what was written before is whole, and the same command goes on with it (with --resume if it takes that)",
        .0.display(), .1
    )]
    Append(PathBuf, #[source] io::Error),
}

/// A locked file of records of any form.
#[derive(Debug)]
pub struct AppendFile {
    path: PathBuf,
    file: File,
    /// Where the last whole record ends.
    end: u64,
    /// There may be part of a record behind the end.
    torn: bool,
    /// There are records that a power cut may take.
    unsynced: bool,
    /// The last time that there were none.
    synced: Option<Instant>,
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
        // A pipe would wait for its other end, a device has no end.
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(AppendError::NoFile(path.to_owned()));
        }
        let file = disk::open(path, options.read(true).write(true)).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(AppendError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let end = file.metadata().map_err(failed)?.len();
        Ok(Self { path: path.to_owned(), file, end, torn: false, unsynced: false, synced: None })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The length in bytes.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.end
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// The file at its start, to read from.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn rewind(&mut self) -> Result<DiskReader<'_>, AppendError> {
        self.file.rewind().map_err(|error| self.failed(error))?;
        Ok(DiskReader(&self.file))
    }

    /// # Errors
    /// If it cannot be read.
    pub fn bytes(&mut self) -> Result<Vec<u8>, AppendError> {
        let mut bytes = Vec::new();
        let read = self.rewind()?.read_to_end(&mut bytes);
        read.map_err(|error| self.failed(error))?;
        Ok(bytes)
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
        disk::truncate(&self.file, length).map_err(|error| self.failed(error))?;
        self.end = length;
        Ok(())
    }

    /// Adds a record, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, record: &[u8]) -> Result<(), AppendError> {
        self.try_append(record).map_err(|error| AppendError::Append(self.path.clone(), error))
    }

    fn try_append(&mut self, record: &[u8]) -> io::Result<()> {
        self.cut_torn()?;
        self.torn = true;
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = disk::write_all(&mut self.file, record) {
            // If this fails, too, the next record or the next run does it.
            let _ = self.cut_torn();
            return Err(error);
        }
        self.torn = false;
        self.end += record.len() as u64;
        self.unsynced = true;
        // A record that comes alone is synced at once: nobody knows when the next one comes.
        if self.synced.is_none_or(|synced| synced.elapsed() >= SYNC_EVERY) { self.sync() } else { Ok(()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        disk::sync(&self.file)?;
        (self.unsynced, self.synced) = (false, Some(Instant::now()));
        Ok(())
    }

    fn cut_torn(&mut self) -> io::Result<()> {
        if self.torn {
            disk::truncate(&self.file, self.end)?;
            self.torn = false;
        }
        Ok(())
    }

    /// Leaves out all but some parts. The file as it was stays beside it, under the returned name.
    ///
    /// # Errors
    /// If that is not possible; the file is as it was then.
    pub fn keep_only(&mut self, parts: &[Range<u64>]) -> Result<PathBuf, AppendError> {
        let bytes = self.bytes()?;
        let kept: Vec<u8> =
            parts.iter().flat_map(|part| &bytes[part.start as usize..part.end as usize]).copied().collect();
        // Through a link, so that it stays one.
        let path = future(&self.path);
        let aside = keep_aside(&path).map_err(|error| self.failed(error))?;
        match replace_locked(&path, &kept) {
            Ok(file) => (self.file, self.end) = (file, kept.len() as u64),
            Err(error) => {
                drop(fs::remove_file(&aside));
                return Err(self.failed(error));
            }
        }
        Ok(aside)
    }

    fn failed(&self, error: io::Error) -> AppendError {
        AppendError::Io(self.path.clone(), error)
    }
}

impl Drop for AppendFile {
    fn drop(&mut self) {
        if self.unsynced {
            // All records were written; whether they survive a power cut cannot be told any more.
            let _ = self.sync();
        }
    }
}

/// Gives a file a second name, which tells that it is damaged.
fn keep_aside(path: &Path) -> io::Result<PathBuf> {
    for number in 1.. {
        let ending = if number == 1 { "damaged".to_owned() } else { format!("damaged-{number}") };
        let aside = path.with_added_extension(ending);
        // FAT has no links, and says so in different words on different systems.
        let kept = disk::hard_link(path, &aside).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Err(error),
            _ => copy_new(path, &aside),
        });
        match kept {
            Ok(()) => return Ok(aside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Copies a file to a name that must be free.
fn copy_new(path: &Path, to: &Path) -> io::Result<()> {
    let file = disk::open(path, OpenOptions::new().read(true))?;
    let mut copy = disk::create_new(to)?;
    let copied = io::copy(&mut DiskReader(&file), &mut DiskWriter(&mut copy)).and_then(|_| disk::sync(&copy));
    copied.inspect_err(|_| drop(fs::remove_file(to)))
}

#[cfg(test)]
mod tests {
    use super::super::disk::{Fault, with_fault};
    use super::super::trial::Scratch;
    use super::*;

    /// How many calls a record takes: to write it, and perhaps to sync it.
    fn calls(file: &mut AppendFile) -> usize {
        let (written, calls) = with_fault(None, || file.append(b"record\n"));
        written.expect("it can be written");
        calls
    }

    #[test]
    fn a_record_that_comes_alone_is_synced_at_once() {
        let scratch = Scratch::new("rare");
        let mut file = AppendFile::open(&scratch.file()).expect("a new one");
        assert_eq!((calls(&mut file), file.unsynced), (2, false), "the first");
        // As if no time passed.
        file.synced = Some(Instant::now() + Duration::from_secs(3600));
        assert_eq!((calls(&mut file), file.unsynced), (1, true), "the next");
        file.synced = Some(Instant::now().checked_sub(SYNC_EVERY).expect("the system is up for a second"));
        assert_eq!((calls(&mut file), file.unsynced), (2, false), "after a while");
    }

    #[test]
    fn a_damaged_file_is_copied_where_there_are_no_links() {
        let scratch = Scratch::new("no-links");
        let whole = 0..6;
        for (number, ending) in [(1, "damaged"), (2, "damaged-2")] {
            fs::write(scratch.file(), format!("whole\nbad{number}\n")).expect("it can be written");
            let mut file = AppendFile::open(&scratch.file()).expect("it is there");
            let reads = with_fault(None, || file.bytes()).1;
            let mend = || file.keep_only(std::slice::from_ref(&whole));
            // Behind the reads comes the link.
            let (aside, _) = with_fault(Some(Fault::Once(reads + 1)), mend);
            let aside = aside.expect("copied");
            assert_eq!(aside.extension().and_then(|name| name.to_str()), Some(ending));
            assert_eq!(fs::read(aside).expect("it is there"), format!("whole\nbad{number}\n").as_bytes());
            assert_eq!(fs::read(scratch.file()).expect("it is there"), b"whole\n");
        }
    }
}
