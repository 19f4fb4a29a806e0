//! Logs of lines: journals of searches that a later run continues.
//!
//! The first line is `TITLE: SETTINGS`, then comes a line for each record. Every line ends in its checksum; in older
//! versions some have none.

use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::append_file::{AppendError, AppendFile};
use super::checksum::{with_checksum, without_checksum};
use super::damage::{Damage, Place, report_cut_off, report_left_out};

#[derive(Clone, Copy, Debug)]
pub struct LogFormat {
    /// What messages call the contents, in the plural.
    pub name: &'static str,
    /// The kind of file and the version of its format.
    pub title: &'static str,
    pub older: OlderFormat,
}

/// The version before, which is read and extended.
#[derive(Clone, Copy, Debug)]
pub struct OlderFormat {
    pub title: &'static str,
    /// Whether the lines below the first one have checksums.
    pub has_checksums: bool,
}

/// Why a text is no such log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderProblem {
    OtherKind,
    /// In words.
    Damaged(String),
}

/// The whole lines of a log; one that is still being written is left out.
#[derive(Clone, Copy, Debug)]
pub struct LogText<'a> {
    /// What the contents depend on.
    pub settings: &'a str,
    has_checksums: bool,
    /// The first line, with its end.
    header: &'a [u8],
    below: &'a [u8],
    torn: u64,
}

impl<'a> LogText<'a> {
    /// # Errors
    /// If the first line is not that of a log.
    pub fn new(bytes: &'a [u8], format: &LogFormat) -> Result<Self, HeaderProblem> {
        let end = |bytes: &[u8]| bytes.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let (header, below) = bytes[..whole].split_at(end(bytes).unwrap_or(0));
        let first = line_text(header).map_err(|_| HeaderProblem::OtherKind)?;
        let settings_of =
            |text: &'a str, title: &str| text.strip_prefix(title).and_then(|rest| rest.strip_prefix(": "));
        let torn = (bytes.len() - whole) as u64;
        if let Some(settings) = settings_of(first, format.older.title) {
            let has_checksums = format.older.has_checksums;
            return Ok(Self { settings, has_checksums, header, below, torn });
        }
        if settings_of(first, format.title).is_none() {
            return Err(HeaderProblem::OtherKind);
        }
        let first = without_checksum(first).map_err(HeaderProblem::Damaged)?;
        let settings = settings_of(first, format.title).ok_or(HeaderProblem::OtherKind)?;
        Ok(Self { settings, has_checksums: true, header, below, torn })
    }

    /// The lines below the first, with their numbers and bytes; what is damaged in words.
    pub fn lines(&self) -> impl Iterator<Item = (usize, Range<u64>, Result<&'a str, String>)> + use<'a> {
        let (has_checksums, mut at) = (self.has_checksums, self.header.len() as u64);
        (2..).zip(self.below.split_inclusive(|&byte| byte == b'\n')).map(move |(number, bytes)| {
            let range = at..at + bytes.len() as u64;
            at = range.end;
            let text = line_text(bytes);
            (number, range, if has_checksums { text.and_then(without_checksum) } else { text })
        })
    }
}

/// A line without its end.
fn line_text(bytes: &[u8]) -> Result<&str, String> {
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    str::from_utf8(line.strip_suffix(b"\r").unwrap_or(line)).map_err(|_| "this is no UTF-8".into())
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
        "{name} {}, line 1: {problem}; the file stays as it is. If it was made with these options, the line was '{wanted}'",
        path.display()
    )]
    Header { name: &'static str, path: PathBuf, problem: String, wanted: String },
    #[error(
        "{name} {} were made with other settings ({found}, now {wanted}): give the same options, or another file",
        path.display()
    )]
    OtherSettings { name: &'static str, path: PathBuf, found: String, wanted: String },
}

/// A first line and then a line for each search, written as it ends.
#[derive(Debug)]
pub struct AppendLog {
    name: &'static str,
    has_checksums: bool,
    file: AppendFile,
}

impl AppendLog {
    /// Opens a log, or begins one, and passes every line below the first to `read`. A torn last line is cut off, damaged
    /// ones are left out, and standard error tells so.
    ///
    /// # Errors
    /// If the log cannot be read or written, is in use, made with other settings, or has a line that `read` refuses; it
    /// is left alone then.
    pub fn open(
        path: &Path,
        format: &LogFormat,
        settings: &str,
        mut read: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<Self, AppendLogError> {
        let name = format.name;
        let failed = |error| AppendLogError::File(name, error);
        let mut file = AppendFile::open(path).map_err(failed)?;
        let first = first_line(format, settings);
        if file.begin(format!("{first}\n").as_bytes()).map_err(failed)? {
            return Ok(Self { name, has_checksums: true, file });
        }
        let bytes = file.bytes().map_err(failed)?;
        let log = LogText::new(&bytes, format).map_err(|problem| match problem {
            HeaderProblem::OtherKind => AppendLogError::OtherKind(name, path.to_owned()),
            HeaderProblem::Damaged(problem) => {
                AppendLogError::Header { name, path: path.to_owned(), problem, wanted: first }
            }
        })?;
        if log.settings != settings {
            let (found, wanted) = (log.settings.to_owned(), settings.to_owned());
            return Err(AppendLogError::OtherSettings { name, path: path.to_owned(), found, wanted });
        }
        let header = 0..log.header.len() as u64;
        let (mut kept, mut damage) = (Vec::from([header]), Vec::new());
        for (line, range, text) in log.lines() {
            match text {
                Ok(text) => {
                    let problem = |problem| AppendLogError::Line { name, path: path.into(), line, problem };
                    read(text).map_err(problem)?;
                    kept.push(range);
                }
                Err(problem) => damage.push(Damage { place: Place::Line(line), problem }),
            }
        }
        let lines = log.lines().count() + 1;
        mend(&mut file, name, lines, &kept, &damage, log.torn).map_err(failed)?;
        Ok(Self { name, has_checksums: log.has_checksums, file })
    }

    /// # Errors
    /// If the line cannot be written.
    pub fn append(&mut self, line: &str) -> Result<(), AppendLogError> {
        let line = if self.has_checksums { with_checksum(line) } else { line.to_owned() };
        let written = self.file.append(format!("{line}\n").as_bytes());
        written.map_err(|error| AppendLogError::File(self.name, error))
    }
}

/// The first line of a new log.
#[must_use]
pub fn first_line(format: &LogFormat, settings: &str) -> String {
    with_checksum(&format!("{}: {settings}", format.title))
}

/// Leaves out what is damaged, cuts off what is torn behind the last of `lines`, and tells so.
///
/// # Errors
/// If the file cannot be changed.
pub fn mend(
    file: &mut AppendFile,
    name: &str,
    lines: usize,
    kept: &[Range<u64>],
    damage: &[Damage],
    torn: u64,
) -> Result<(), AppendError> {
    if !damage.is_empty() {
        let aside = file.keep_only(kept)?;
        report_left_out(name, file.path(), damage, &aside);
    } else if torn > 0 {
        file.truncate(file.len() - torn)?;
    }
    if torn > 0 {
        report_cut_off(name, file.path(), &Place::Line(lines + 1), torn);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::trial::LogTrial;
    use std::{env, fs, process};

    const FORMAT: LogFormat = LogFormat {
        name: "lines",
        title: "ollehto lines 2",
        older: OlderFormat { title: "ollehto lines 1", has_checksums: false },
    };

    fn resume(path: &Path, records: &[String]) -> Result<Vec<String>, AppendLogError> {
        let mut found = Vec::new();
        let mut log = AppendLog::open(path, &FORMAT, "seed 1", |line| {
            found.push(line.to_owned());
            Ok(())
        })?;
        for record in records.iter().filter(|record| !found.contains(record)) {
            log.append(record)?;
        }
        Ok(found)
    }

    #[test]
    fn logs_survive_damage() {
        let records = ["1 -- X 4", "2 OX O -12,3", "é 7", ""].map(str::to_owned);
        let trial = LogTrial {
            name: "log",
            records: &records,
            write: &|path, count| {
                resume(path, &records[..count]).map(drop).map_err(|error| error.to_string())
            },
            resume: &|path| resume(path, &records).map_err(|error| error.to_string()),
            is_chain: false,
            is_large: false,
        };
        trial.run();
    }

    #[test]
    fn older_logs_are_continued_as_they_are() {
        let path = env::temp_dir().join(format!("ollehto-older-log-{}", process::id()));
        fs::write(&path, "ollehto lines 1: seed 1\na\n").expect("it can be written");
        assert_eq!(resume(&path, &["b".to_owned()]).expect("it can be read"), ["a"]);
        let text = fs::read_to_string(&path).expect("it is there");
        assert_eq!(text, "ollehto lines 1: seed 1\na\nb\n");
        fs::remove_file(&path).expect("it was ours");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_and_folders_are_refused() {
        // It has no end: reading it would take all memory.
        for path in ["/dev/zero", "/dev/full", "/tmp"] {
            let refused = resume(Path::new(path), &[]);
            assert!(matches!(refused, Err(AppendLogError::File(_, AppendError::NoFile(_)))), "{refused:?}");
        }
    }
}
