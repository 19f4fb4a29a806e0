//! Reading positions, a line at a time.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::PathBuf;

use crossbeam_channel::{Receiver, bounded};
use ollehto_protocol::error::TextError;
use ollehto_protocol::obf::parse_problem;
use thiserror::Error;

use crate::board::{Position, Size};
use crate::notation::{self, NoDiscs};
use crate::rules::Rules;
use crate::score::Discs;
use crate::stdio::{Input, read_line};
use crate::threads;

use super::jobs::{JobQuestion, QuestionError};

/// Lines read ahead of the solver.
const AHEAD: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionSource {
    /// The starting position of the board.
    Start,
    Stdin,
    File(PathBuf),
}

impl fmt::Display for PositionSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("the starting position"),
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

impl PositionSource {
    /// Read in a thread of their own, so that Ctrl-C is noticed while waiting for a line.
    ///
    /// # Errors
    /// If the file cannot be opened or the operating system gives no thread.
    pub fn lines(&self, size: Size) -> io::Result<Receiver<io::Result<Input>>> {
        let source: Box<dyn Read + Send> = match self {
            Self::Start => Box::new(Cursor::new(notation::position_text(&Position::start(size)).to_string())),
            Self::Stdin => Box::new(io::stdin()),
            Self::File(path) => Box::new(File::open(path)?),
        };
        let (sender, lines) = bounded(AHEAD);
        let read = move || {
            let mut source = BufReader::new(source);
            loop {
                let line = read_line(&mut source);
                let ended = matches!(line, Ok(Input::End) | Err(_));
                if sender.send(line).is_err() || ended {
                    return;
                }
            }
        };
        threads::spawn("reader", read)?;
        Ok(lines)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionToSolve {
    pub position: Position,
    /// The value for the side to move by standard rules.
    pub known: Option<Discs>,
    /// A job: only whether this holds is asked for.
    pub job: Option<JobQuestion>,
}

#[derive(Debug, PartialEq, Eq, Error)]
pub enum LineError {
    #[error(
        "{error}; write the {} squares row by row from a1 as X, O and -, then a blank and X or O to move, and known \
         values, if any, as in '; a2:+38;'",
        size.area()
    )]
    Text { error: TextError, size: Size },
    #[error("the board is {found}, not {wanted}; solve such boards with --size {}", found.side())]
    Size { found: Size, wanted: Size },
    #[error("{0}")]
    Job(#[from] QuestionError),
    #[error("the job is by {0} rules; solve it with --rules {0}")]
    Rules(Rules),
    #[error("{0}; write black discs as X and white ones as O")]
    NoDiscs(NoDiscs),
    /// The length of the line in bytes.
    #[error("found a line of {0} bytes; every position takes a line of its own")]
    Overlong(usize),
}

/// None for blank lines and comments.
///
/// # Errors
/// If the line is no position of this size.
pub fn parse(line: &[u8], size: Size) -> Result<Option<PositionToSolve>, LineError> {
    // Some editors put a byte order mark ahead of the first line.
    let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if matches!(text.first(), None | Some(b'#' | b'%')) {
        return Ok(None);
    }
    let (text, job) = split_job(text)?;
    let problem = parse_problem(text).map_err(|error| LineError::Text { error, size })?;
    let position = notation::position(&problem.position).map_err(LineError::NoDiscs)?;
    if position.size() != size {
        return Err(LineError::Size { found: position.size(), wanted: size });
    }
    Ok(Some(PositionToSolve { position, known: problem.value().map(Discs), job }))
}

/// The position of a job and its question, `POSITION; RULES >= +2;`; other lines as they are.
fn split_job(line: &[u8]) -> Result<(&[u8], Option<JobQuestion>), LineError> {
    let end = line.iter().position(|&byte| byte == b';');
    let Some((position, question)) = end.map(|end| (&line[..end], &line[end + 1..])) else {
        return Ok((line, None));
    };
    // No OBF has these.
    if !question.iter().any(|byte| b"<>".contains(byte)) || question.contains(&b'%') {
        return Ok((line, None));
    }
    let question = String::from_utf8_lossy(question);
    Ok((position, Some(question.parse()?)))
}

#[cfg(test)]
mod tests {
    use super::super::bound::Bound;
    use super::*;

    const START: &str = "-----OX--XO----- X";

    fn message(line: &str, size: Size) -> String {
        parse(line.as_bytes(), size).unwrap_err().to_string()
    }

    #[test]
    fn blank_lines_and_comments_are_skipped() {
        for line in ["", "  ", "\t\r", "# a comment", "  % another", "\u{feff}# the first line"] {
            assert_eq!(parse(line.as_bytes(), Size::Eight), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn positions_come_with_what_is_known() {
        let position = Position::start(Size::Four);
        let read = |line: &str| parse(line.as_bytes(), Size::Four);
        assert_eq!(read(START), Ok(Some(PositionToSolve { position, known: None, job: None })));
        let known = Some(Discs(-10));
        assert_eq!(
            read(&format!("{START}; a2:-12; b1:-10;")),
            Ok(Some(PositionToSolve { position, known, job: None }))
        );
    }

    #[test]
    fn jobs_come_with_their_bound() {
        let position = Position::start(Size::Four);
        let job = Some(JobQuestion { rules: Rules::Reversed, bound: Bound::AtMost(Discs(-4)) });
        for line in ["; reversed <= -4;", ";reversed <=-4", " ; reversed  <= -4 ; "] {
            let read = parse(format!("{START}{line}").as_bytes(), Size::Four);
            assert_eq!(read, Ok(Some(PositionToSolve { position, known: None, job })), "{line}");
        }
        for wrong in ["; >= 4;", "; reversed >= x;", "; reversed > 4;", "; othello >= 4;"] {
            let message = message(&format!("{START}{wrong}"), Size::Four);
            assert!(
                message.starts_with("expected rules and a bound, such as 'reversed >= +2;'"),
                "{message}"
            );
        }
    }

    #[test]
    fn errors_say_how_to_correct_the_line() {
        let message_of_text = message("hello", Size::Six);
        assert!(message_of_text.starts_with("expected a square"), "{message_of_text}");
        assert!(message_of_text.contains("write the 36 squares"), "{message_of_text}");
        let other_size = message(START, Size::Eight);
        assert_eq!(other_size, "the board is 4×4, not 8×8; solve such boards with --size 4");
        assert!(
            message(&format!("{} X", "-".repeat(16)), Size::Four).contains("no disc on the board; write")
        );
    }

    /// FFO positions 40 to 59.
    #[test]
    fn the_endgame_test_is_read() {
        let text = include_str!("../../tests/data/ffo.obf");
        let problems: Vec<PositionToSolve> =
            text.lines().filter_map(|line| parse(line.as_bytes(), Size::Eight).unwrap()).collect();
        let known: Vec<i8> =
            problems.iter().filter_map(|problem| problem.known).map(|discs| discs.0).collect();
        assert_eq!(known, [38, 0, 6, -12, -14, 6, -8, 4, 28, 16, 10, 6, 0, -2, -2, 0, 2, -10, 4, 64]);
        let empties: Vec<u32> = problems.iter().map(|problem| problem.position.empties().len()).collect();
        assert_eq!((empties.iter().min(), empties.iter().max()), (Some(&20), Some(&34)));
    }
}
