//! The calls that open, read and change files. Any of them can fail, and in tests each of them does.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use fault::Kind;

/// # Errors
/// If it cannot be opened so.
pub fn open(path: &Path, options: &OpenOptions) -> io::Result<File> {
    fault::check(Kind::Open)?;
    options.open(path)
}

pub struct DiskReader<'a>(pub &'a File);

impl Read for DiskReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        fault::check(Kind::Read)?;
        self.0.read(bytes)
    }
}

/// A new file, to read and write.
///
/// # Errors
/// If there is one of this name already, or it cannot be made.
pub fn create_new(path: &Path) -> io::Result<File> {
    fault::check(Kind::Open)?;
    OpenOptions::new().read(true).write(true).create_new(true).open(path)
}

/// # Errors
/// If not all of it could be written; part of it may be.
pub fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    DiskWriter(file).write_all(bytes)
}

pub struct DiskWriter<'a>(pub &'a mut File);

impl Write for DiskWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full disk takes part of it.
        fault::check(Kind::Change)
            .or_else(|error| self.0.write_all(&bytes[..bytes.len() / 2]).and(Err(error)))?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Waits until the file would survive a power cut.
///
/// # Errors
/// If it might not.
pub fn sync(file: &File) -> io::Result<()> {
    fault::check(Kind::Change)?;
    file.sync_data()
}

/// # Errors
/// If the operating system refuses.
pub fn truncate(file: &File, length: u64) -> io::Result<()> {
    fault::check(Kind::Change)?;
    file.set_len(length)
}

/// # Errors
/// If the operating system refuses.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fault::check(Kind::Change)?;
    fs::rename(from, to)
}

/// Gives a file a second name, which must be free.
///
/// # Errors
/// If it is not, or the file system has no such links.
pub fn hard_link(from: &Path, to: &Path) -> io::Result<()> {
    fault::check(Kind::Change)?;
    fs::hard_link(from, to)
}

#[cfg(not(test))]
mod fault {
    pub(super) enum Kind {
        Open,
        Read,
        Change,
    }

    #[expect(clippy::unnecessary_wraps, reason = "its twin in tests fails")]
    pub(super) const fn check(_: Kind) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
pub use fault::{Fault, with_fault};

#[cfg(test)]
mod fault {
    use std::cell::Cell;
    use std::io;

    /// Which calls fail.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Fault {
        /// The one of this number, from 1.
        Once(usize),
        /// That one and all after it: the disk stays full, or is gone.
        From(usize),
    }

    thread_local! {
        static PLAN: Cell<Option<Fault>> = const { Cell::new(None) };
        static CALLS: Cell<usize> = const { Cell::new(0) };
    }

    /// What a call does, which tells how it fails.
    pub(super) enum Kind {
        Open,
        Read,
        Change,
    }

    impl Kind {
        fn error(self) -> io::Error {
            match self {
                Self::Open => io::ErrorKind::PermissionDenied.into(),
                Self::Read => io::Error::other("input/output error"),
                Self::Change => io::ErrorKind::StorageFull.into(),
            }
        }
    }

    pub(super) fn check(kind: Kind) -> io::Result<()> {
        let call = CALLS.get() + 1;
        CALLS.set(call);
        match PLAN.get() {
            Some(Fault::Once(at)) if call == at => Err(kind.error()),
            Some(Fault::From(at)) if call >= at => Err(kind.error()),
            _ => Ok(()),
        }
    }

    /// Does some work on this thread while calls fail. Returns how many there were, too.
    pub fn with_fault<T>(fault: Option<Fault>, work: impl FnOnce() -> T) -> (T, usize) {
        PLAN.set(fault);
        CALLS.set(0);
        let done = work();
        PLAN.set(None);
        (done, CALLS.get())
    }
}
