//! The standard error of other programs: files in a folder, and their last lines when a program fails.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// How much of the end of a file is looked at, in bytes.
const TAIL: u64 = 4096;

/// How many lines of it are kept, and how many characters.
const LINES: usize = 8;
const CHARACTERS: usize = 800;

/// Where the standard error of a program goes, and how far others had come in the file when it was started.
#[derive(Clone, Debug)]
pub(super) struct ErrorLog {
    path: PathBuf,
    from: u64,
}

impl ErrorLog {
    /// The file for a player, and the same for a program to write to. Each table has files of its own, so that a program
    /// is not blamed for the words of another.
    pub(super) fn open(folder: &Path, name: &str, table: usize) -> io::Result<(Self, File)> {
        let path = path(folder, name, table);
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let from = file.metadata()?.len();
        Ok((Self { path, from }, file))
    }

    /// The last lines of the program, if it wrote any.
    pub(super) fn tail(&self) -> Option<String> {
        let mut file = File::open(&self.path).ok()?;
        let end = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(self.from.max(end.saturating_sub(TAIL)))).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        shortened(&String::from_utf8_lossy(&bytes))
    }
}

/// The name of the file.
pub(super) fn path(folder: &Path, name: &str, table: usize) -> PathBuf {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' }).collect();
    folder.join(if table == 0 { format!("{plain}.stderr") } else { format!("{plain}.{}.stderr", table + 1) })
}

/// The end of a text, without what a terminal would obey.
fn shortened(text: &str) -> Option<String> {
    let plain = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
    let lines: Vec<String> = text.lines().map(|line| line.trim_end().chars().map(plain).collect()).collect();
    let last = lines[lines.len().saturating_sub(LINES)..].join("\n");
    let surplus = last.chars().count().saturating_sub(CHARACTERS);
    let kept: String = last.chars().skip(surplus).collect();
    (!kept.trim().is_empty()).then(|| kept.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_as_plain_text() {
        assert_eq!(shortened(" \n"), None);
        assert_eq!(shortened("a\x1b[31m\tb\r\nc\n").as_deref(), Some("a [31m b\nc"));
        let many: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let kept = shortened(&many).expect("there is some");
        assert!(kept.starts_with("line 92\n") && kept.ends_with("line 99"), "{kept}");
        assert_eq!(shortened(&"x".repeat(5000)).expect("there is some").len(), CHARACTERS);
    }
}
