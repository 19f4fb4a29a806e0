//! Lines to the client.

use std::fmt;
use std::time::Duration;

use crate::coord::{ShortName, Vertex};
use crate::ggf::MoveText;
use crate::number::printable_eval;
use crate::text::ascii_line;

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum DepthText {
    Plies(u8),
    /// Solved.
    Exact,
}

impl fmt::Display for DepthText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DepthText::Plies(plies) => plies.fmt(f),
            DepthText::Exact => f.write_str("100%"),
        }
    }
}

/// One line to the client. Displays without a line end, in ASCII, with plain decimal numbers.
///
/// Evaluations are in discs.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The answer to `ping`: the same text.
    Pong(String),
    /// The answer to `go`.
    Move {
        vertex: Vertex,
        /// For the side to move.
        eval: Option<f64>,
        seconds: Option<Duration>,
    },
    Search {
        /// The move and the best play after it. If empty, it prints as a pass to keep the fields in place.
        line: Vec<Vertex>,
        /// For the side to move.
        eval: f64,
        depth: DepthText,
    },
    NodeStats {
        nodes: u64,
        elapsed: Duration,
    },
    /// The value of one position of the game.
    Analysis {
        /// Passes included.
        moves_made: u32,
        /// For Black.
        eval: f64,
    },
    /// A text for the status line; an empty one clears it.
    Status(String),
    /// The name to show for the engine: one word.
    MyName(String),
    Learned,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Pong(text) => with_text("pong", text, f),
            Reply::Move { vertex, eval, seconds } => {
                write!(f, "=== {}", MoveText { vertex: *vertex, eval: *eval, seconds: *seconds })
            }
            Reply::Search { line, eval, depth } => {
                write!(f, "search {} {:+.2} 0 {depth}", hyphenated(line), printable_eval(*eval))
            }
            Reply::NodeStats { nodes, elapsed } => {
                write!(f, "nodestats {nodes} {:.3}", elapsed.as_secs_f64())
            }
            Reply::Analysis { moves_made, eval } => {
                write!(f, "analysis {moves_made} {:.2}", printable_eval(*eval))
            }
            Reply::Status(text) => with_text("status", text, f),
            Reply::MyName(name) => write!(f, "set myname {}", one_word(name)),
            Reply::Learned => f.write_str("learned"),
        }
    }
}

fn with_text(command: &str, text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(format!("{command} {}", ascii_line(text)).trim_end_matches(' '))
}

fn hyphenated(line: &[Vertex]) -> String {
    let line = if line.is_empty() { &[Vertex::Pass] } else { line };
    line.iter().map(|&vertex| ShortName(vertex).to_string()).collect::<Vec<_>>().join("-")
}

/// The name goes into game records, where brackets end a field.
fn one_word(name: &str) -> String {
    let name = ascii_line(name).replace(['[', ']'], "");
    name.split(' ').find(|word| !word.is_empty()).unwrap_or("?").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::Coord;

    fn place(column: u8, row: u8) -> Vertex {
        Vertex::Place(Coord::new(column, row).unwrap())
    }

    #[test]
    fn replies_as_the_client_reads_them() {
        let (f5, d6, c3, f6) = (place(5, 4), place(3, 5), place(2, 2), place(5, 5));
        let ms = |ms| Some(Duration::from_millis(ms));
        let table = [
            (Reply::Pong("3".to_owned()), "pong 3"),
            (Reply::Pong(String::new()), "pong"),
            (Reply::Move { vertex: f6, eval: Some(-0.43), seconds: ms(100) }, "=== F6/-0.43/0.10"),
            (Reply::Move { vertex: Vertex::Pass, eval: None, seconds: None }, "=== PA"),
            (Reply::Move { vertex: f5, eval: None, seconds: ms(1200) }, "=== F5//1.20"),
            (Reply::Move { vertex: f5, eval: Some(1.5), seconds: None }, "=== F5/1.50"),
            (Reply::Move { vertex: f5, eval: Some(f64::NAN), seconds: None }, "=== F5/0.00"),
            (
                Reply::Search { line: vec![f5, d6, c3], eval: 1.77, depth: DepthText::Plies(12) },
                "search F5-D6-C3 +1.77 0 12",
            ),
            (
                Reply::Search { line: vec![f5, Vertex::Pass], eval: -0.001, depth: DepthText::Exact },
                "search F5-PA +0.00 0 100%",
            ),
            (Reply::Search { line: vec![], eval: -3.0, depth: DepthText::Plies(1) }, "search PA -3.00 0 1"),
            (Reply::NodeStats { nodes: 1234, elapsed: Duration::from_millis(12) }, "nodestats 1234 0.012"),
            (Reply::Analysis { moves_made: 60, eval: -10.0 }, "analysis 60 -10.00"),
            (Reply::Analysis { moves_made: 0, eval: -0.0 }, "analysis 0 0.00"),
            (Reply::Status("Analyzing".to_owned()), "status Analyzing"),
            (Reply::Status(String::new()), "status"),
            (Reply::Status("bad\ngame \u{2713}\r\n".to_owned()), "status bad game ?"),
            (Reply::MyName("Ollehto8".to_owned()), "set myname Ollehto8"),
            (Reply::MyName(" [x] y".to_owned()), "set myname x"),
            (Reply::MyName("] ".to_owned()), "set myname ?"),
            (Reply::Learned, "learned"),
        ];
        for (reply, text) in table {
            assert_eq!(reply.to_string(), text);
        }
    }

    #[test]
    fn extreme_numbers_stay_plain() {
        let reply = Reply::NodeStats { nodes: u64::MAX, elapsed: Duration::MAX };
        assert_eq!(reply.to_string(), "nodestats 18446744073709551615 18446744073709551616.000");
        let reply = Reply::Search { line: vec![], eval: f64::NEG_INFINITY, depth: DepthText::Plies(255) };
        assert_eq!(reply.to_string(), "search PA -9999.00 0 255");
    }
}
