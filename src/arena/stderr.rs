//! The standard error of an engine: kept in a file, and its last lines in memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};
use parking_lot::Mutex;

use crate::threads;

/// Bytes that the file gets from one run of an engine: one that never stops complaining must not fill the disk.
const KEPT: usize = 16 << 20;

const NOTE: &str = "\n[the rest of the standard error is left out]\n";

/// Bytes of the end.
const TAIL: usize = 4096;

/// Opens the file of a player for appending. Each worker has its own, so that engines do not mix their lines.
pub(super) fn open_log(folder: &Path, name: &str, worker: usize) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(stderr_path(folder, name, worker))
}

pub(super) fn stderr_path(folder: &Path, name: &str, worker: usize) -> PathBuf {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' }).collect();
    folder.join(if worker == 0 {
        format!("{plain}.stderr")
    } else {
        format!("{plain}.{}.stderr", worker + 1)
    })
}

/// What a running engine complains about.
pub(super) struct StderrLog {
    tail: Arc<Mutex<Vec<u8>>>,
    /// Closed at the end of the stream.
    ended: Receiver<()>,
}

impl StderrLog {
    /// Copies the stream into the file from now on.
    pub(super) fn keep(stderr: impl Read + Send + 'static, file: File) -> io::Result<Self> {
        let tail = Arc::default();
        let of_thread = Arc::clone(&tail);
        let (sender, ended) = bounded(0);
        threads::spawn("stderr", move || {
            copy(stderr, file, &of_thread);
            drop(sender);
        })?;
        Ok(Self { tail, ended })
    }

    /// The last lines, if any. Waits for the end of the stream, but not for longer than this: a child of the engine may
    /// hold it.
    pub(super) fn last_lines(&self, patience: Duration) -> Option<String> {
        let _ = self.ended.recv_timeout(patience);
        last_lines(&String::from_utf8_lossy(&self.tail.lock()))
    }
}

fn copy(mut stream: impl Read, mut file: impl Write, tail: &Mutex<Vec<u8>>) {
    let (mut left, mut buffer) = (KEPT, [0; 8192]);
    loop {
        let bytes = match stream.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => &buffer[..count],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let mut tail = tail.lock();
        tail.extend_from_slice(bytes);
        let surplus = tail.len().saturating_sub(TAIL);
        tail.drain(..surplus);
        drop(tail);
        if left == 0 {
            continue;
        }
        let kept = bytes.len().min(left);
        left -= kept;
        // The engine must not wait for a file that cannot be written.
        let _ = file.write_all(&bytes[..kept]);
        if left == 0 {
            let _ = file.write_all(NOTE.as_bytes());
        }
    }
}

const MAX_CHARACTERS: usize = 800;

/// The end of a text without control characters, which a terminal would obey.
fn last_lines(text: &str) -> Option<String> {
    const LINES: usize = 8;
    let plain = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
    let lines: Vec<String> = text.lines().map(|line| line.trim_end().chars().map(plain).collect()).collect();
    let last = lines[lines.len().saturating_sub(LINES)..].join("\n");
    let surplus = last.chars().count().saturating_sub(MAX_CHARACTERS);
    let kept: String = last.chars().skip(surplus).collect();
    (!kept.trim().is_empty()).then(|| kept.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_as_plain_text() {
        assert_eq!(last_lines(" \n"), None);
        assert_eq!(last_lines("a\x1b[31m\tb\r\nc\n").as_deref(), Some("a [31m b\nc"));
        let many: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let kept = last_lines(&many).expect("there is some");
        assert!(kept.starts_with("line 92\n") && kept.ends_with("line 99"), "{kept}");
        assert_eq!(last_lines(&"x".repeat(5000)).expect("there is some").len(), MAX_CHARACTERS);
    }

    #[test]
    fn a_flood_fills_no_disk() {
        let (mut file, tail) = (Vec::new(), Mutex::default());
        copy(io::repeat(b'x').take(3 * KEPT as u64).chain(&b"\nlast"[..]), &mut file, &tail);
        assert_eq!(file.len(), KEPT + NOTE.len());
        assert!(file.ends_with(NOTE.as_bytes()));
        assert!(tail.lock().len() == TAIL && tail.lock().ends_with(b"x\nlast"));
    }
}
