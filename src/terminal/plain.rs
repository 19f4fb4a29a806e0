//! Text of others on a terminal: names in journals and games, answers of engines. It must not move the cursor, change
//! the title of the window, or turn around what stands beside it.

use std::borrow::Cow;
use std::io::{self, Write};

/// Whether a character acts on what surrounds it instead of being shown: a control, or an override of the direction of
/// writing.
#[must_use]
pub fn is_active(c: char) -> bool {
    let is_layout = matches!(c, '\n' | '\r' | '\t');
    (c.is_control() && !is_layout) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with every such character replaced.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.contains(is_active) { text.replace(is_active, "\u{fffd}").into() } else { text.into() }
}

/// Writes plain text only.
#[derive(Debug)]
pub struct PlainWriter<W>(pub W);

impl<W: Write> Write for PlainWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(plain(text).as_bytes())?,
            // A buffer may end within a character.
            Err(_) => {
                let mark = |&byte: &u8| if is_active(byte.into()) && byte < 0x80 { b'?' } else { byte };
                self.0.write_all(&bytes.iter().map(mark).collect::<Vec<_>>())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_replaced() {
        assert_eq!(plain("−1\ta\n"), "−1\ta\n");
        assert_eq!(
            plain("\u{1b}]0;title\u{7}\u{9b}2J\u{202e}x"),
            "\u{fffd}]0;title\u{fffd}\u{fffd}2J\u{fffd}x"
        );
        let mut written = PlainWriter(Vec::new());
        written.write_all(b"\xe2\x88").and_then(|()| written.write_all(b"\x92\x1b[31m")).expect("memory");
        assert_eq!(written.0, b"\xe2\x88\x92?[31m");
        assert!(is_active('\0') && !is_active('\u{fffd}'));
    }
}
