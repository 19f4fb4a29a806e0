//! Positions with the values known of their best moves: OBF, which collections of endgames are written in.
//!
//! A line is a position, then what is known of its moves: `BOARD SIDE; a2:+38; h4:+38;`. The values are in discs
//! for the side to move. Whatever follows a `%` is a comment.

use std::fmt;

use nom::Parser;
use nom::bytes::complete::take_till;
use nom::character::complete::{char, one_of, space0};
use nom::combinator::{eof, map_opt, opt};
use nom::multi::many_till;
use nom::sequence::terminated;

use crate::coord::{A_VERTEX, Vertex, vertex};
use crate::error::TextError;
use crate::notation::{PositionText, position};
use crate::number::whole;
use crate::text::{self, Parsed, labelled};

const LARGEST_SCORE: i8 = 64;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ObfMove {
    pub vertex: Vertex,
    /// For the side to move, in discs, from -64 to 64.
    pub score: i8,
}

impl fmt::Display for ObfMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:+}", self.vertex, self.score)
    }
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ObfProblem {
    pub position: PositionText,
    /// Some moves, the best ones among them; may be empty.
    pub known: Vec<ObfMove>,
}

impl ObfProblem {
    /// For the side to move.
    pub fn value(&self) -> Option<i8> {
        self.known.iter().map(|known| known.score).max()
    }
}

impl fmt::Display for ObfProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.position)?;
        self.known.iter().try_for_each(|known| write!(f, " {known};"))
    }
}

/// Reads a position and the values behind it, of which there may be none.
///
/// The position is as [`parse_position`](crate::notation::parse_position) takes it. The last semicolon may be left out.
pub fn parse_problem(text: &[u8]) -> Result<ObfProblem, TextError> {
    let text = text::clean(text);
    let line = text.split('%').next().unwrap_or_default();
    text::read_all(&text, line, problem)
}

fn problem(input: &str) -> Parsed<'_, ObfProblem> {
    let (rest, board) = take_till(|c| c == ';').parse(input)?;
    let (_, position) = position(None)(board)?;
    let (end, (known, _)) = many_till(part, eof).parse(rest)?;
    Ok((end, ObfProblem { position, known: known.into_iter().flatten().collect() }))
}

/// A semicolon and the move behind it. There is none behind the last semicolon.
fn part(input: &str) -> Parsed<'_, Option<ObfMove>> {
    let (rest, _) = labelled("a semicolon", terminated(char(';'), space0)).parse(input)?;
    text::optional(terminated(known, space0)).parse(rest)
}

fn known(input: &str) -> Parsed<'_, ObfMove> {
    let (rest, vertex) = labelled(A_VERTEX, vertex).parse(input)?;
    let (rest, _) = labelled("a colon", (space0, char(':'), space0)).parse(rest)?;
    let (rest, score) = labelled("a value (-64 to +64)", score).parse(rest)?;
    Ok((rest, ObfMove { vertex, score }))
}

fn score(input: &str) -> Parsed<'_, i8> {
    map_opt((opt(one_of("+-")), whole::<i8>), |(sign, discs)| {
        (discs <= LARGEST_SCORE).then_some(if sign == Some('-') { -discs } else { discs })
    })
    .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::{Coord, Side};

    const BOARD: &str = "-----OX--XO----- X";

    fn read(rest: &str) -> Result<ObfProblem, TextError> {
        parse_problem(format!("{BOARD}{rest}").as_bytes())
    }

    fn message(rest: &str) -> String {
        read(rest).unwrap_err().to_string()
    }

    fn place(column: u8, row: u8, score: i8) -> ObfMove {
        ObfMove { vertex: Vertex::Place(Coord::new(column, row).unwrap()), score }
    }

    #[test]
    fn values_are_read_in_their_order() {
        let problem = read("; A2:+38; h8:-64; b3:0; PA:7;").unwrap();
        let pass = ObfMove { vertex: Vertex::Pass, score: 7 };
        assert_eq!(problem.known, [place(0, 1, 38), place(7, 7, -64), place(1, 2, 0), pass]);
        assert_eq!((problem.position.size(), problem.position.to_move()), (4, Side::Black));
        assert_eq!(problem.value(), Some(38));
        assert_eq!(problem.to_string(), format!("{BOARD}; A2:+38; H8:-64; B3:+0; pass:+7;"));
    }

    #[test]
    fn the_best_of_the_values_is_that_of_the_position() {
        assert_eq!(read("; a1:-14; b1:-12; c1:-16;").unwrap().value(), Some(-12));
        assert_eq!(read("").unwrap().value(), None);
    }

    #[test]
    fn blanks_semicolons_and_comments_are_optional() {
        let plain = read("; a2:+38; b1:+0;").unwrap();
        for spelling in
            [";a2:+38;b1:0", " ; a2 : +38 ;\tb1: +0 ; \r\n", "; a2:38; b1:-0; % the 40th", ";a2:+38;b1:0%;"]
        {
            assert_eq!(read(spelling), Ok(plain.clone()), "{spelling:?}");
        }
        for spelling in ["", ";", " ; ", "% nothing is known"] {
            assert_eq!(read(spelling).unwrap().known, [], "{spelling:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        assert_eq!(message("; i9:+3;"), "expected a square (a1 to h8) or pass at column 21, found 'i9:+3;'");
        assert_eq!(message("; a2;"), "expected a colon at column 23, found ';'");
        assert_eq!(message("; a2:x;"), "expected a value (-64 to +64) at column 24, found 'x;'");
        for beyond in ["; a2:+65", "; a2:-65", "; a2:128", "; a2:--1", "; a2:"] {
            assert!(message(beyond).starts_with("expected a value (-64 to +64) at column 24"), "{beyond}");
        }
        assert_eq!(message("; a2:+3 b1:+2;"), "expected a semicolon at column 27, found 'b1:+2;'");
        assert_eq!(message(";; a2:+3"), "expected a square (a1 to h8) or pass at column 20, found ';'");
    }

    #[test]
    fn a_wrong_board_is_pointed_at() {
        let message = |text: &str| parse_problem(text.as_bytes()).unwrap_err().to_string();
        let needed = "expected 16, 36 or 64 squares and then the side to move (X or O), found";
        assert_eq!(message("; a2:+3;"), format!("{needed} 0"));
        assert_eq!(message("----- X; a2:+3;"), format!("{needed} 5"));
        assert_eq!(
            message("-----OX--XO-----; a2:+3;"),
            "expected the side to move (X or O) at column 17, found ';'"
        );
        assert_eq!(message("--z- X; a2:+3;"), "expected a square (X, O or -) at column 3, found 'z-'");
    }
}
