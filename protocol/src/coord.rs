//! Sides, squares and moves.

use std::fmt;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case};
use nom::character::complete::anychar;
use nom::combinator::{map, map_opt, value};

use crate::text::Parsed;

const COLUMNS: &str = "abcdefgh";
const ROWS: &str = "12345678";

/// What messages call the thing [`vertex`] reads.
pub(crate) const A_VERTEX: &str = "a square (a1 to h8) or pass";
/// What messages call the thing [`square`] reads.
pub(crate) const A_SQUARE: &str = "a square (a1 to h8)";
/// What messages call the thing [`colour`] reads.
pub(crate) const A_COLOUR: &str = "a colour (black or white)";

/// Black begins.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Side {
    Black,
    White,
}

impl Side {
    pub fn opponent(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Black => "black",
            Side::White => "white",
        })
    }
}

/// A square named by its column and row; `a1` is the top left one.
///
/// It may lie outside a board smaller than 8x8.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Coord {
    column: u8,
    row: u8,
}

impl Coord {
    /// The square in this column and row, both counted from 0 and below 8.
    pub fn new(column: u8, row: u8) -> Option<Coord> {
        (column < 8 && row < 8).then_some(Coord { column, row })
    }

    /// The column, counted from 0 for `a`.
    pub fn column(self) -> u8 {
        self.column
    }

    /// The row, counted from 0 for `1`.
    pub fn row(self) -> u8 {
        self.row
    }
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.column), char::from(b'1' + self.row))
    }
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Vertex {
    Place(Coord),
    Pass,
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Vertex::Place(coord) => coord.fmt(f),
            Vertex::Pass => f.write_str("pass"),
        }
    }
}

/// A move as NBoard and GGF write it, with `PA` for a pass.
pub(crate) struct ShortName(pub(crate) Vertex);

impl fmt::Display for ShortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Vertex::Place(coord) => coord.fmt(f),
            Vertex::Pass => f.write_str("PA"),
        }
    }
}

/// Reads `b`, `w`, `black` or `white` in any case.
pub(crate) fn colour(input: &str) -> Parsed<'_, Side> {
    let black = alt((tag_no_case("black"), tag_no_case("b")));
    let white = alt((tag_no_case("white"), tag_no_case("w")));
    alt((value(Side::Black, black), value(Side::White, white))).parse(input)
}

/// Reads a square in any case.
pub(crate) fn square(input: &str) -> Parsed<'_, Coord> {
    map_opt((anychar, anychar), |(column, row)| {
        let column = COLUMNS.find(column.to_ascii_lowercase())?;
        let row = ROWS.find(row)?;
        Coord::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?)
    })
    .parse(input)
}

/// Reads a square or any spelling of a pass that is in use.
pub(crate) fn vertex(input: &str) -> Parsed<'_, Vertex> {
    // Longer spellings first: `pass` begins with `pa`.
    let pass = alt((tag_no_case("pass"), tag_no_case("pa"), tag_no_case("ps"), tag("--")));
    alt((map(square, Vertex::Place), value(Vertex::Pass, pass))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_print_and_read_back() {
        for column in 0..8 {
            for row in 0..8 {
                let coord = Coord::new(column, row).unwrap();
                assert_eq!((coord.column(), coord.row()), (column, row));
                let name = coord.to_string();
                assert_eq!(square(&name), Ok(("", coord)));
                assert_eq!(square(&name.to_lowercase()), Ok(("", coord)));
            }
        }
        assert_eq!(Coord::new(0, 0).unwrap().to_string(), "A1");
        assert_eq!(Coord::new(3, 2).unwrap().to_string(), "D3");
        assert_eq!((Coord::new(8, 0), Coord::new(0, 8)), (None, None));
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for text in ["", "d", "i1", "a0", "a9", "1a", "é1", "aé"] {
            assert!(square(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn every_spelling_of_a_pass_is_read_to_its_end() {
        for text in ["pass", "PASS", "Pass", "pa", "PA", "ps", "--"] {
            assert_eq!(vertex(text), Ok(("", Vertex::Pass)), "{text:?}");
        }
        assert!(vertex("p").is_err() && vertex("-").is_err());
    }

    #[test]
    fn colours_in_any_case() {
        for text in ["b", "B", "black", "BLACK", "Black"] {
            assert_eq!(colour(text), Ok(("", Side::Black)), "{text:?}");
        }
        for text in ["w", "W", "white", "WHITE", "White"] {
            assert_eq!(colour(text), Ok(("", Side::White)), "{text:?}");
        }
        assert_eq!(Side::Black.opponent(), Side::White);
        assert_eq!(Side::White.opponent().to_string(), "black");
    }

    #[test]
    fn passes_print_in_two_dialects() {
        assert_eq!(Vertex::Pass.to_string(), "pass");
        assert_eq!(ShortName(Vertex::Pass).to_string(), "PA");
        assert_eq!(ShortName(Vertex::Place(Coord::new(7, 7).unwrap())).to_string(), "H8");
    }
}
