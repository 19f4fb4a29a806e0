//! Moves with what the player noted about them, as in `B[F5/1.50/0.2]`.

use std::fmt;
use std::time::Duration;

use nom::Parser;
use nom::character::complete::alphanumeric0;
use nom::combinator::{map, rest};
use nom::sequence::{pair, terminated};

use crate::coord::{A_VERTEX, ShortName, Side, Vertex, vertex};
use crate::number::{foreign_decimal, printable_eval, to_duration};
use crate::text::{Parsed, labelled};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GgfMove {
    pub side: Side,
    pub text: MoveText,
}

/// A move with notes; displays as `F5`, `F5/1.50`, `F5//4.22` or `F5/1.50/0.20`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveText {
    pub vertex: Vertex,
    /// The player's evaluation, in discs.
    pub eval: Option<f64>,
    pub seconds: Option<Duration>,
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ShortName(self.vertex).fmt(f)?;
        match self.eval {
            Some(eval) => write!(f, "/{:.2}", printable_eval(eval))?,
            None if self.seconds.is_some() => f.write_str("/")?,
            None => {}
        }
        match self.seconds {
            Some(seconds) => write!(f, "/{:.2}", seconds.as_secs_f64()),
            None => Ok(()),
        }
    }
}

/// Reads the rest of a text as a move with notes.
///
/// Only the move must be right. Some programs put marks right behind it, others blanks instead of slashes;
/// unreadable notes are ignored.
pub(crate) fn move_text(input: &str) -> Parsed<'_, MoveText> {
    let vertex = labelled(A_VERTEX, terminated(vertex, alphanumeric0));
    map(pair(vertex, rest), |(vertex, notes)| {
        let (eval, seconds) = read_notes(notes.trim_matches(' '));
        MoveText { vertex, eval, seconds }
    })
    .parse(input)
}

fn read_notes(notes: &str) -> (Option<f64>, Option<Duration>) {
    let (eval, seconds) = match notes.strip_prefix('/') {
        Some(notes) => notes.split_once('/').unwrap_or((notes, "")),
        None => notes.split_once(' ').unwrap_or((notes, "")),
    };
    // Whatever stands behind a third slash or blank is no part of the time.
    let seconds = seconds.trim_matches(' ').split(['/', ' ']).next().unwrap_or_default();
    (foreign_decimal(eval), foreign_decimal(seconds).and_then(to_duration))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::Coord;
    use crate::text::read_all;

    fn read(text: &str) -> MoveText {
        read_all(text, text, move_text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
    }

    #[test]
    fn notes_in_every_form() {
        let f5 = Vertex::Place(Coord::new(5, 4).unwrap());
        let table = [
            ("F5", f5, None, None),
            ("f5", f5, None, None),
            ("F5/1.50", f5, Some(1.5), None),
            ("F5//4.22", f5, None, Some(4220)),
            ("F5/1.50/0.2", f5, Some(1.5), Some(200)),
            ("F5/-0,43/0.1", f5, Some(-0.43), Some(100)),
            ("F5/x/2.7680000000000002", f5, None, Some(2768)),
            ("F5/1/5.0E-3", f5, Some(1.0), Some(5)),
            ("F5/1/-3", f5, Some(1.0), None),
            ("F5/NaN/inf", f5, None, None),
            ("F5//", f5, None, None),
            ("F5xyz12/1/2", f5, Some(1.0), Some(2000)),
            ("F5 1.5 0.2", f5, Some(1.5), Some(200)),
            ("F5 / 1.5 / 0.2", f5, Some(1.5), Some(200)),
            ("F5/1/2/3", f5, Some(1.0), Some(2000)),
            ("PA", Vertex::Pass, None, None),
            ("pass//0.00", Vertex::Pass, None, Some(0)),
            ("--/1", Vertex::Pass, Some(1.0), None),
        ];
        for (text, vertex, eval, ms) in table {
            let seconds = ms.map(Duration::from_millis);
            assert_eq!(read(text), MoveText { vertex, eval, seconds }, "{text:?}");
        }
    }

    #[test]
    fn only_the_move_must_be_right() {
        for text in ["", "/1/2", "Z9", "F", "F9", "5F", "resign"] {
            assert!(read_all(text, text, move_text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn moves_print_and_read_back() {
        for text in ["F5", "F5/1.50", "F5//4.22", "F5/-0.43/0.10", "PA", "PA//0.00"] {
            assert_eq!(read(text).to_string(), text);
        }
    }
}
