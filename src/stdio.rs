//! Standard input and output: lines with arrival times, the traffic log, and closed pipes.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

use crate::os;
use crate::threads;
use crate::time_source::Timestamp;

/// In bytes. No command comes near it.
pub const LONGEST_LINE: usize = 64 * 1024;

#[derive(Clone, Debug)]
pub enum Input {
    /// Without its line end.
    Line {
        text: Vec<u8>,
        /// When its last byte was read.
        arrived: Timestamp,
    },
    /// Longer than [`LONGEST_LINE`].
    Overlong {
        /// Its first bytes.
        start: Vec<u8>,
        /// In bytes.
        length: usize,
    },
    End,
}

/// Unread lines after which a client has to wait.
const LINES_AHEAD: usize = 256;

/// Reads lines in a thread until the input ends. Each one unparks the calling thread.
///
/// # Errors
/// If the system has no thread left.
pub fn read_lines(input: impl Read + Send + 'static, log: TrafficLog) -> io::Result<Receiver<Input>> {
    let (sender, lines) = bounded(LINES_AHEAD);
    let receiver = thread::current();
    let read = move || send_lines(BufReader::new(input), &log, &sender, || receiver.unpark());
    threads::spawn("reader", read)?;
    Ok(lines)
}

/// Reads another program's output, at most `ahead` lines before the receiver: a program that never stops talking has
/// to wait.
///
/// # Errors
/// If the system has no thread left.
pub fn read_lines_of(output: impl Read + Send + 'static, ahead: usize) -> io::Result<Receiver<Input>> {
    let (sender, lines) = bounded(ahead);
    let read = move || send_lines(BufReader::new(output), &TrafficLog::default(), &sender, || ());
    threads::spawn("listener", read)?;
    Ok(lines)
}

fn send_lines(mut input: impl BufRead, log: &TrafficLog, lines: &Sender<Input>, wake: impl Fn()) {
    loop {
        // A failed read counts as the end.
        let line = read_line(&mut input).unwrap_or(Input::End);
        log.note(Direction::In, &line);
        let ended = matches!(line, Input::End);
        let sent = lines.send(line);
        wake();
        if sent.is_err() || ended {
            return;
        }
    }
}

/// Reads a line, of which at most [`LONGEST_LINE`] bytes are kept. The last line may lack its end.
///
/// # Errors
/// If reading fails.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Input> {
    let mut text = Vec::new();
    let mut length = 0;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if available.is_empty() && length == 0 {
            return Ok(Input::End);
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        length += part.len();
        text.extend_from_slice(&part[..part.len().min(LONGEST_LINE - text.len())]);
        let finished = end.is_some() || available.is_empty();
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if finished {
            break;
        }
    }
    if length > LONGEST_LINE {
        return Ok(Input::Overlong { start: text, length });
    }
    if text.last() == Some(&b'\r') {
        text.pop();
    }
    Ok(Input::Line { text, arrived: Timestamp::now() })
}

/// Standard input that blocks, even if whoever has opened it wants it otherwise for itself.
#[derive(Debug)]
pub struct BlockingStdin(pub io::Stdin);

impl Read for BlockingStdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        blocking(|| self.0.read(buffer), os::wait_for_stdin)
    }
}

/// The same for standard output.
#[derive(Debug)]
pub struct BlockingStdout(pub io::Stdout);

impl Write for BlockingStdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        blocking(|| self.0.write(bytes), os::wait_for_stdout)
    }

    fn flush(&mut self) -> io::Result<()> {
        blocking(|| self.0.flush(), os::wait_for_stdout)
    }
}

fn blocking<T>(
    mut attempt: impl FnMut() -> io::Result<T>,
    wait: impl Fn() -> io::Result<()>,
) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => wait()?,
            other => return other,
        }
    }
}

/// Exits quietly when nobody reads our output any more.
///
/// The driver cannot do it: it may be blocked on that very pipe, or waiting for a search.
///
/// # Errors
/// If the system has no thread left.
pub fn exit_with_output() -> io::Result<()> {
    let watch = || match os::wait_for_closed_stdout() {
        Ok(()) => std::process::exit(0),
        // Then the next failed write ends the process.
        Err(error) => log::debug!("cannot watch standard output: {error}"),
    };
    threads::spawn("watcher", watch)?;
    Ok(())
}

#[derive(Clone, Copy)]
enum Direction {
    In,
    Out,
}

/// Shared by reader and writer.
#[derive(Clone, Debug, Default)]
pub struct TrafficLog(Arc<Mutex<Option<(PathBuf, File)>>>);

impl TrafficLog {
    /// Appends to a file from now on, or logs nothing.
    ///
    /// # Errors
    /// If the file cannot be opened; the old one stays in use.
    pub fn open(&self, path: Option<&Path>) -> io::Result<()> {
        let file = match path {
            None => None,
            Some(path) => Some((path.to_owned(), OpenOptions::new().create(true).append(true).open(path)?)),
        };
        *self.0.lock() = file;
        Ok(())
    }

    #[must_use]
    pub fn path(&self) -> Option<PathBuf> {
        self.0.lock().as_ref().map(|(path, _)| path.clone())
    }

    fn note(&self, direction: Direction, input: &Input) {
        match input {
            Input::Line { text, .. } => self.write(direction, text),
            Input::Overlong { length, .. } => {
                self.write(direction, format!("[{length} bytes in one line]").as_bytes())
            }
            Input::End => self.write(direction, b"[end of input]"),
        }
    }

    /// One write per line, so that processes can share a file.
    fn write(&self, direction: Direction, text: &[u8]) {
        let mut log = self.0.lock();
        let Some((path, file)) = log.as_mut() else { return };
        let arrow = match direction {
            Direction::In => '>',
            Direction::Out => '<',
        };
        let line =
            format!("{} [{}] {arrow} {}\n", time_of_day(), std::process::id(), String::from_utf8_lossy(text));
        if let Err(error) = file.write_all(line.as_bytes()) {
            log::warn!("no more logging to {}: {error}", path.display());
            *log = None;
        }
    }
}

/// UTC, to the microsecond.
fn time_of_day() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = now.as_secs() % 86_400;
    format!("{:02}:{:02}:{:02}.{:06}", seconds / 3600, seconds / 60 % 60, seconds % 60, now.subsec_micros())
}

/// Logs the output line by line.
#[derive(Debug)]
pub struct LoggedOutput<W> {
    output: W,
    log: TrafficLog,
    unfinished: Vec<u8>,
}

impl<W: Write> LoggedOutput<W> {
    pub fn new(output: W, log: TrafficLog) -> Self {
        Self { output, log, unfinished: Vec::new() }
    }
}

impl<W: Write> Write for LoggedOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        for &byte in &bytes[..written] {
            if byte == b'\n' {
                self.log.write(Direction::Out, &self.unfinished);
                self.unfinished.clear();
            } else {
                self.unfinished.push(byte);
            }
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<Input> {
        read_lines(io::Cursor::new(text.to_vec()), TrafficLog::default()).expect("a thread").iter().collect()
    }

    fn texts(text: &[u8]) -> Vec<Vec<u8>> {
        let text_of = |input| match input {
            Input::Line { text, .. } => Some(text),
            Input::Overlong { .. } | Input::End => None,
        };
        lines(text).into_iter().filter_map(text_of).collect()
    }

    #[test]
    fn lines_lose_their_ends_of_either_kind() {
        assert_eq!(
            texts(b"a\r\n\nb\xff\nlast"),
            [b"a".to_vec(), vec![], b"b\xff".to_vec(), b"last".to_vec()]
        );
        assert!(texts(b"").is_empty());
        assert!(matches!(lines(b"a\n").as_slice(), [Input::Line { .. }, Input::End]));
    }

    #[test]
    fn an_overlong_line_is_measured_and_skipped() {
        let mut text = vec![b'x'; 1_000_000];
        text.extend_from_slice(b"\nnext\n");
        let found = lines(&text);
        assert!(
            matches!(&found[0], Input::Overlong { start, length: 1_000_000 } if start.len() == LONGEST_LINE)
        );
        assert!(matches!(&found[1], Input::Line { text, .. } if text == b"next"));
        let longest = [vec![b'y'; LONGEST_LINE], b"\n".to_vec()].concat();
        assert_eq!(texts(&longest)[0].len(), LONGEST_LINE);
    }
}
