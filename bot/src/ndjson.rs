//! Streams of JSON values, one a line, with blank lines to keep the connection alive.

use std::io::{self, BufRead, BufReader, Read};

use serde_json::Value;

/// In bytes. A game with all its moves takes less than 4 KB.
pub const LONGEST_LINE: usize = 256 * 1024;

#[derive(Debug, PartialEq)]
pub enum Line {
    KeepAlive,
    Value(Value),
    /// Neither blank nor JSON: the first bytes of it.
    Garbage(String),
}

pub struct Lines<R> {
    input: BufReader<R>,
    buffer: Vec<u8>,
}

impl<R: Read> Lines<R> {
    pub fn new(input: R) -> Self {
        Self { input: BufReader::new(input), buffer: Vec::new() }
    }

    /// None at the end. A line that was cut off by the end is garbage.
    ///
    /// # Errors
    /// If the connection is lost or silent for too long.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        self.buffer.clear();
        let mut is_overlong = false;
        loop {
            let available = self.input.fill_buf()?;
            if available.is_empty() {
                let is_end = self.buffer.is_empty() && !is_overlong;
                return Ok((!is_end).then(|| garbage(&self.buffer)));
            }
            let end = available.iter().position(|&byte| byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            let room = LONGEST_LINE.saturating_sub(self.buffer.len());
            is_overlong |= part.len() > room;
            self.buffer.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                return Ok(Some(if is_overlong { garbage(&self.buffer) } else { read(&self.buffer) }));
            }
        }
    }
}

fn read(line: &[u8]) -> Line {
    if line.trim_ascii().is_empty() {
        return Line::KeepAlive;
    }
    serde_json::from_slice(line).map_or_else(|_| garbage(line), Line::Value)
}

fn garbage(line: &[u8]) -> Line {
    const SHOWN: usize = 80;
    Line::Garbage(String::from_utf8_lossy(&line[..line.len().min(SHOWN)]).escape_debug().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn all(text: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(text);
        std::iter::from_fn(|| lines.next_line().expect("memory can be read")).collect()
    }

    #[test]
    fn values_blank_lines_and_garbage_are_told_apart() {
        let found = all(b"{\"a\":1}\n\n \r\n<html>\n{\"b\":2}\r\n{\"c\":");
        let [value, blank, spaces, html, other, cut] = &found[..] else { panic!("{found:?}") };
        assert_eq!(*value, Line::Value(json!({"a": 1})));
        assert_eq!((blank, spaces), (&Line::KeepAlive, &Line::KeepAlive));
        assert_eq!(*html, Line::Garbage("<html>".into()));
        assert_eq!(*other, Line::Value(json!({"b": 2})));
        assert_eq!(*cut, Line::Garbage("{\\\"c\\\":".into()));
    }

    #[test]
    fn an_endless_line_takes_no_memory_and_the_next_one_is_read() {
        let mut text = vec![b'x'; 3 * LONGEST_LINE];
        text.extend_from_slice(b"\n[1]\n");
        let mut lines = Lines::new(&text[..]);
        assert!(matches!(lines.next_line(), Ok(Some(Line::Garbage(_)))));
        assert!(lines.buffer.capacity() <= 2 * LONGEST_LINE);
        assert!(matches!(lines.next_line(), Ok(Some(Line::Value(_)))));
        assert!(matches!(lines.next_line(), Ok(None)));
    }
}
