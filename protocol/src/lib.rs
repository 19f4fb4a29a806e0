//! The texts an Othello engine exchanges with the programs around it, as values.
//!
//! Every parser takes bytes and returns a value or an error that says what was expected, where, and what it found; none
//! panics. Every printer writes what its parser reads. The crate knows nothing of the rules of the game, of files or of
//! threads.
//!
//! * [`gtp`]: commands and replies of the Go Text Protocol with GoGui's extensions,
//! * [`nboard`]: commands and replies of the NBoard protocol,
//! * [`uci`]: commands and replies of the Universal Chess Interface,
//! * [`xboard`]: what GUIs use of the Chess Engine Communication Protocol for Reversi,
//! * [`cassio`]: the Othello Engine Protocol of Cassio,
//! * [`ggf`]: game records in the Generic Game Format,
//! * [`notation`]: positions and lists of moves,
//! * [`obf`]: positions with the values known of them,
//! * [`setting`]: the engine's options, which GTP and NBoard can set,
//! * [`coord`] and [`error`]: what the others share.
#![forbid(unsafe_code)]

pub mod cassio;
pub mod coord;
pub mod error;
pub mod ggf;
pub mod gtp;
pub mod nboard;
pub mod notation;
mod number;
pub mod obf;
pub mod setting;
mod text;
pub mod uci;
pub mod xboard;

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Protocol {
    Gtp,
    NBoard,
    Uci,
    XBoard,
    Cassio,
}

/// Detects the protocol from the first line.
///
/// NBoard begins with `nboard 2`, its tournament client with `ping 1`; UCI with `uci`, fishnet and some scripts at once with
/// another of its commands; XBoard with `xboard` or `protover`; each line of Cassio with `ENGINE-PROTOCOL`. Anything else is
/// taken for GTP.
pub fn detect(first_line: &[u8]) -> Protocol {
    let line = text::clean(first_line);
    let mut words = line.split(' ').filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next()) {
        (Some("nboard" | "ping"), Some(number), None) if is_integer(number) => Protocol::NBoard,
        (Some("uci" | "isready" | "ucinewgame"), None, _) => Protocol::Uci,
        (Some("setoption"), Some("name"), Some(_)) => Protocol::Uci,
        (Some("position"), Some("startpos" | "fen"), _) => Protocol::Uci,
        (Some("xboard"), None, _) | (Some("protover"), Some(_), None) => Protocol::XBoard,
        (Some(cassio::PREFIX), Some(_), _) => Protocol::Cassio,
        _ => Protocol::Gtp,
    }
}

fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_tells_the_protocol() {
        for line in ["nboard 2", "nboard 1\r", "  ping 1 \r\n", "ping\t77777777777777777777777", "ping -1"] {
            assert_eq!(detect(line.as_bytes()), Protocol::NBoard, "{line:?}");
        }
        for line in
            ["", "name", "7 name", "nboard", "nboard two", "ping", "ping 1 2", "NBoard 2", "# ping 1", "-"]
        {
            assert_eq!(detect(line.as_bytes()), Protocol::Gtp, "{line:?}");
        }
        for line in
            ["uci", " uci\r\n", "isready", "setoption name Hash value 1", "position startpos moves P@e3"]
        {
            assert_eq!(detect(line.as_bytes()), Protocol::Uci, "{line:?}");
        }
        for line in ["xboard", "protover 2\r\n"] {
            assert_eq!(detect(line.as_bytes()), Protocol::XBoard, "{line:?}");
        }
        assert_eq!(detect(b"ENGINE-PROTOCOL init\n"), Protocol::Cassio);
        for line in ["uci 2", "UCI", "1 uci", "setoption", "position", "position x", "isready?"] {
            assert_eq!(detect(line.as_bytes()), Protocol::Gtp, "{line:?}");
        }
        assert_eq!(detect(b"\xff\xfe\x00"), Protocol::Gtp);
        assert_eq!(detect("\u{feff}nboard 2".as_bytes()), Protocol::NBoard);
    }
}
